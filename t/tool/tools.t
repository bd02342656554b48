#!/bin/sh
# The shipped tools, each run as toolrun runs it: arguments in ARG_name, the
# whole call on stdin.
. "${0%/*}/../lib.sh"

T=$TOP/share/tools
home=$PWD
# A jq that must not be started.
mkdir nojq
printf '#!/bin/sh\necho jq was started >&2\nexit 99\n' >nojq/jq
chmod +x nojq/jq
# And one that notes each start.
mkdir countjq
(unset -f jq; printf '#!/bin/sh\necho >>"%s/starts"\nexec "%s" "$@"\n' "$PWD" "$(command -v jq)") >countjq/jq
chmod +x countjq/jq

# With the arguments ARG_x=VALUE also in $json.
whole()
{
	[ "$tool" != edit_file ] || [ $# -eq 0 ] || json=$(printf '%s' "$json" | command jq -c '. + ($ARGS.positional |
	    map(select(startswith("ARG_")) | {key: .[4:index("=")], value: .[index("=") + 1:]} |
		if .key == "all" then .value |= fromjson else . end) | from_entries)' --args -- "$@")
}
# call NAME JSON [ARG_x=VALUE]...: with the short arguments in the environment.
call()
{
	tool=$1 json=$2
	shift 2
	whole "$@"
	printf '%s' "$json" | env "$@" "$T/$tool"
}
# quick: the same, and jq must not be needed.
quick()
{
	tool=$1 json=$2
	shift 2
	whole "$@"
	printf '%s' "$json" | env PATH="$PWD/nojq:$PATH" "$@" "$T/$tool"
}
# starts: the same, and how often jq was started.
starts()
{
	: >"$home/starts"
	PATH=$home/countjq:$PATH call "$@"
	wc -l <"$home/starts"
}
# refuses NAME TOOL JSON [ARG_x=VALUE]... <<expected: exit 1, that on stdout.
refuses()
{
	what=$1
	shift
	status=0
	call "$@" >said 2>err || status=$?
	echo "$status" >>said
	{ cat; echo 1; } >want
	check "$what" 'cat said; [ ! -s err ] || cat err >&2' <want
}

# away STATUS NAME TOOL JSON [ARG_x=VALUE]... <<expected: intree's refusal.
away()
{
	what=$2
	{ cat; echo "$1"; } >want
	shift 2
	status=0
	call "$@" >said 2>err || status=$?
	echo "$status" >>err
	check "$what" 'cat err; [ ! -s said ] || cat said >&2' <want
}

# Every tool but a batch is a program with a schema that toollist understands.
command jq -r '"\(input_filename | split("/") | last) \((.parameters.required // []) -
    (.parameters.properties | keys) == [] and ([.parameters.properties[].description] | all))"' \
    "$T"/*.json >schemas
for f in "$T"/*.json; do
	name=${f##*/}
	name=${name%.json}
	check "$name: a program, and a JSON Schema that names what it needs" \
	    "{ test -x '$T/$name' || grep -q '\"run\": \"batch\"' '$f'; } && grep -x '$name.json .*' schemas" <<!
$name.json true
!
done
check 'no program lacks its schema' \
    'for f in "$T"/*; do case $f in *.json) ;; *) test -f "$f.json" || echo "$f"; esac; done' </dev/null

# read_file

printf 'one\ntwo\nthree\n' >a
printf 'no end' >b
check 'read_file: a whole file, byte for byte, without jq' \
    'quick read_file "{}" ARG_path=a | cmp - a' </dev/null
check 'read_file: no newline at the end' \
    'quick read_file "{}" ARG_path=b | cmp - b' </dev/null
check 'read_file: the path on stdin only' \
    'call read_file "{\"path\":\"a\"}"' <a
check 'read_file: some lines, and which' \
    'quick read_file "{}" ARG_path=a ARG_offset=2 ARG_limit=1' <<!
two
[lines 2 to 2 of 3; the next offset is 3]
!
check 'read_file: the last lines' \
    'quick read_file "{}" ARG_path=a ARG_offset=2' <<!
two
three
[lines 2 to 3 of 3]
!
printf 'x\nlast' >c
check 'read_file: a notice has a line of its own' \
    'quick read_file "{}" ARG_path=c ARG_offset=2' <<!
last
[lines 2 to 2 of 2]
!
: >empty
check 'read_file: an empty file' 'quick read_file "{}" ARG_path=empty' <<!
[the file is empty]
!
awk 'BEGIN { for (i = 1; i <= 5321; i++) print i }' >many
check 'read_file: 2000 lines at a time' \
    'quick read_file "{}" ARG_path=many | sed -n "1p;2000,\$p"' <<!
1
2000
[lines 1 to 2000 of 5321; the next offset is 2001]
!
check 'read_file: page by page it is the whole file' \
    'for o in 1 2001 4001; do quick read_file "{}" ARG_path=many ARG_offset=$o | sed \$d; done | cmp - many' </dev/null
awk 'BEGIN { for (i = 0; i < 1000; i++) printf "%01000d\n", i }' >wide
check 'read_file: 48 kB at a time, in whole lines' \
    'quick read_file "{}" ARG_path=wide >out; wc -l <out; sed -n \$p out' <<!
48
[lines 1 to 47 of 1000; the next offset is 48]
!
awk 'BEGIN { printf "%0100000d\n", 0; print "b" }' >long
check 'read_file: a line that is too long' \
    'quick read_file "{}" ARG_path=long >out; sed -n 1p out | wc -c; sed -n 2p out' <<!
48001
[line 1 of 2 goes on: the first 48000 of its 100000 bytes are shown]
!
check 'read_file: what stands after it can be read' \
    'quick read_file "{}" ARG_path=long ARG_offset=2' <<!
b
[lines 2 to 2 of 2]
!
printf 'a\r\nb\r\n' >crlf
check 'read_file: CR stays' 'quick read_file "{}" ARG_path=crlf | cmp - crlf' </dev/null
printf '\n' >nl
check 'read_file: one empty line' 'quick read_file "{}" ARG_path=nl | cmp - nl' </dev/null
for f in 'with blank' -n --help "new
line" '*' '$x' "it's"; do
	cp a "./$f"
	export ARG_path="$f"
	check "read_file: a file called '$f'" 'quick read_file "{}" | cmp - a' </dev/null
	unset ARG_path
	rm "./$f"
done
printf 'a\0b' >bin
awk 'BEGIN { for (i = 1; i <= 9000; i++) printf "%02000d\n", i }' >large
check 'read_file: a very large file is read to the end of the page' \
    'quick read_file "{}" ARG_path=large | tail -n 1; quick read_file "{}" ARG_path=large ARG_offset=8990 ARG_limit=3 | tail -n 1
    quick read_file "{}" ARG_path=large ARG_offset=8990 | tail -n 1' <<!
[lines 1 to 23 of a file of 18009000 bytes; the next offset is 24]
[lines 8990 to 8992 of a file of 18009000 bytes; the next offset is 8993]
[lines 8990 to 9000 of 9000]
!
rm large
refuses 'read_file: a binary file' read_file '{}' ARG_path=bin <<!
bin is a binary file
!
away 66 'read_file: no such file' read_file '{}' ARG_path=nix <<!
intree: nix: No such file or directory (looked from $PWD)
!
mkdir d
refuses 'read_file: a directory' read_file '{}' ARG_path=d <<!
d is a directory; list it with ls
!
mkfifo fifo
away 66 'read_file: a FIFO is not waited for' read_file '{}' ARG_path=fifo <<!
intree: fifo: is not a regular file
!
refuses 'read_file: after the end' read_file '{}' ARG_path=a ARG_offset=9 <<!
a has 3 lines; offset 9 is after the last
!
refuses 'read_file: an offset that is not a line number' read_file '{}' ARG_path=a ARG_offset=-1 <<!
offset: expected a line number from 1, got -1
!
refuses 'read_file: no lines asked for' read_file '{}' ARG_path=a ARG_limit=0 <<!
limit: expected a number of lines from 1, got 0
!
refuses 'read_file: no path' read_file '{"offset":1}' ARG_offset=1 <<!
expected the path of a file
!
rm fifo

# write_file

check 'write_file: a new file in a new directory, without jq' \
    'umask 022; quick write_file "{}" ARG_path=n/e/w ARG_content="a
b
"; cat n/e/w; ls -l n/e/w | cut -c 1-10; ls -A n/e' <<!
created n/e/w: 4 bytes, 2 lines
a
b
-rw-r--r--
w
!
check 'write_file: the umask counts' \
    'umask 077; quick write_file "{}" ARG_path=u ARG_content=x; ls -l u | cut -c 1-10' <<!
created u: 1 bytes, 0 lines
-rw-------
!
printf '#!/bin/sh\n' >prog
chmod 750 prog
check 'write_file: an old one keeps its mode' \
    'quick write_file "{}" ARG_path=prog ARG_content=new; ls -l prog | cut -c 1-10; cat prog; echo' <<!
replaced prog: 3 bytes, 0 lines
-rwxr-x---
new
!
check 'write_file: an empty text' \
    'quick write_file "{}" ARG_path=prog ARG_content=; wc -c <prog' <<!
replaced prog: 0 bytes, 0 lines
0
!
ln -s prog link
check 'write_file: a link stays one' \
    'quick write_file "{}" ARG_path=link ARG_content=y; cat prog; echo; readlink link' <<!
replaced link: 1 bytes, 0 lines
y
prog
!
odd='&\\1 \n %s $x `y` "z" '"'"'
\\'
export odd
check 'write_file: nothing in a text is special' \
    'quick write_file "{}" ARG_path=o ARG_content="$odd"; printf %s "$odd" | cmp - o' <<!
created o: $(printf %s "$odd" | wc -c) bytes, 1 lines
!
check 'write_file: a long text comes from stdin, exactly' \
    'jq -Rsc "{path:\"big\",content:.}" wide >call; "$T/write_file" <call; cmp wide big' <<!
created big: 1001000 bytes, 1000 lines
!
check 'write_file: no newline is added or lost on the way' \
    'printf "{\"path\":\"e\",\"content\":\"\\\\n\\\\nx\\\\n\\\\n\"}" | ARG_path=e "$T/write_file"; od -An -c e' <<!
created e: 5 bytes, 4 lines
  \\n  \\n   x  \\n  \\n
!
for f in 'with blank' -rf "new
line" '*'; do
	export ARG_path="$f" ARG_content=c
	check "write_file: a file called '$f'" 'quick write_file "{}" >/dev/null; cat "./$f"; echo; rm "./$f"' <<!
c
!
	unset ARG_path ARG_content
done
away 66 'write_file: a directory' write_file '{}' ARG_path=d ARG_content=x <<!
intree: d: is a directory
!
refuses 'write_file: a name that ends in a slash' write_file '{}' ARG_path=x/ ARG_content=x <<!
x/ is the name of a directory
!
away 66 'write_file: a file in the way' write_file '{}' ARG_path=a/b ARG_content=x <<!
intree: a/b: Not a directory
!
refuses 'write_file: no content' write_file '{"path":"x"}' ARG_path=x <<!
content: expected a text
!
refuses 'write_file: content that is no text' write_file '{"path":"x","content":{"a":1}}' ARG_path=x <<!
content: expected a text
!
refuses 'write_file: no path' write_file '{"content":"x"}' ARG_content=x <<!
expected the path of a file
!
check 'write_file: nothing is left lying about' 'ls -A | grep turnpipe; :' </dev/null

# edit_file

edit()
{
	cp "$1" f
	call edit_file '{}' ARG_path=f "ARG_old=$2" "ARG_new=$3" "ARG_all=${4-false}" &&
	    od -An -c f
}
check 'edit_file: one place' 'edit a two "2
zwei"' <<!
edited f at line 2
   o   n   e  \\n   2  \\n   z   w   e   i  \\n   t   h   r   e   e
  \\n
!
check 'edit_file: without jq' \
    'cp a f; quick edit_file "{}" ARG_path=f ARG_old=one ARG_new=1; cat f' <<!
edited f at line 1
1
two
three
!
check 'edit_file: from stdin' \
    'cp a f; call edit_file "{\"path\":\"f\",\"old\":\"two\\nthree\\n\",\"new\":\"\"}"; cat f' <<!
edited f at line 2
one
!
check 'edit_file: so do all that the new text ends in' \
    'cp a f; call edit_file "{\"path\":\"f\",\"old\":\"two\\n\",\"new\":\"2\\n\\n\\n\"}"; cat f' <<!
edited f at line 2
one
2


three
!
check 'edit_file: a newline at the end belongs to the text' \
    'cp a f; call edit_file "{}" ARG_path=f "ARG_old=three
" ARG_new=3; od -An -c f' <<!
edited f at line 3
   o   n   e  \\n   t   w   o  \\n   3
!
check 'edit_file: no newline at the end, none afterwards' 'edit b end END' <<!
edited f at line 1
   n   o       E   N   D
!
check 'edit_file: a file of one byte' 'printf x >g; edit g x ""' <<!
edited f at line 1
!
printf 'a & b\\1 \\\\ %%s $x\n' >g
check 'edit_file: nothing in the texts is special' \
    'cp g f; call edit_file "{}" ARG_path=f "ARG_old=& b\\1" "ARG_new=\\\\0&\\&%d\\n"; cat f' <<'!'
edited f at line 1
a \\0&\&%d\n \\ %s $x
!
check 'edit_file: a pattern is a text' 'printf "a.c abc\n" >g; edit g a.c "[x]"' <<!
edited f at line 1
   [   x   ]       a   b   c  \\n
!
check 'edit_file: CR LF stays, whichever way the texts have it' \
    'edit crlf "a
b" "x
y
z"' <<!
edited f at line 1
   x  \\r  \\n   y  \\r  \\n   z  \\r  \\n
!
check 'edit_file: CR LF in the texts too' \
    'cr=$(printf "\r"); edit crlf "a$cr
b" "x$cr
y"' <<!
edited f at line 1
   x  \\r  \\n   y  \\r  \\n
!
check 'edit_file: where only some lines have CR, LF is LF' \
    'printf "a\r\nb\nc\n" >g; edit g "b
c" "b
x
c"' <<!
edited f at line 2
   a  \\r  \\n   b  \\n   x  \\n   c  \\n
!
check 'edit_file: a control character that awk could take for its own' \
    'printf "a\001b\001\n\001" >g; edit g b c' <<!
edited f at line 1
   a 001   c 001  \\n 001
!
check 'edit_file: UTF-8' 'printf "zażółć gęślą\n" >g; cp g f
call edit_file "{}" ARG_path=f ARG_old=żółć ARG_new=日本; cat f' <<!
edited f at line 1
za日本 gęślą
!
printf 'x = 1;\ny = 1;\nx = 1;\n' >g
refuses 'edit_file: not unique' edit_file '{}' ARG_path=g 'ARG_old= = 1;' ARG_new=z <<!
g: old occurs 3 times, at lines 1, 2, 3: give more of the text around it, or set all
!
printf 'aaa\n' >h
refuses 'edit_file: places that overlap are two' edit_file '{}' ARG_path=h ARG_old=aa ARG_new=b <<!
h: old occurs 2 times, at lines 1, 1: give more of the text around it, or set all
!
check 'edit_file: all' 'edit g " = 1" "" true; edit h aa b true' <<!
edited f in 3 places, the first at line 1
   x   ;  \\n   y   ;  \\n   x   ;  \\n
edited f at line 1
   b   a  \\n
!
check 'edit_file: all in a large file' \
    'cp wide f; quick edit_file "{}" ARG_path=f ARG_old=00 ARG_new=x ARG_all=true; sed s/00/x/g wide | cmp - f' <<!
edited f in 498110 places, the first at line 1
!
refuses 'edit_file: more than can be listed' edit_file '{}' ARG_path=wide ARG_old=00000000 ARG_new=b <<!
wide: old occurs more than 10 times, at lines 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 ...: give more of the text around it, or set all
!
printf 'int\nmain(void)\n{\n\treturn 1;\n}\n' >m.c
refuses 'edit_file: what comes closest, where blanks differ' edit_file '{}' ARG_path=m.c \
    'ARG_old=    return 1;
}' ARG_new=x <<!
m.c: old does not occur in the file; line 4 comes closest, where it says:
	return 1;
}
!
refuses 'edit_file: what comes closest, where a word differs' edit_file '{}' ARG_path=m.c \
    'ARG_old=main(int)' ARG_new=x <<!
m.c: old does not occur in the file; line 2 comes closest, where it says:
main(void)
!
refuses 'edit_file: nothing like it' edit_file '{}' ARG_path=m.c ARG_old=zzzzzzzzzz ARG_new=x <<!
m.c: old does not occur in the file
!
refuses 'edit_file: an empty file' edit_file '{}' ARG_path=empty ARG_old=x ARG_new=y <<!
empty: old does not occur in the file
!
refuses 'edit_file: no old text' edit_file '{"old":""}' ARG_path=m.c ARG_old= ARG_new=x <<!
m.c: old: expected the text to replace; write_file writes whole files
!
refuses 'edit_file: nothing to do' edit_file '{}' ARG_path=m.c ARG_old=main ARG_new=main <<!
m.c: old and new are the same: nothing to do
!
refuses 'edit_file: no new text' edit_file '{"path":"m.c","old":"x"}' ARG_path=m.c ARG_old=x <<!
old and new: expected two texts without NUL, or a list edits of such
!
refuses 'edit_file: a NUL' edit_file '{"path":"m.c","old":"x","new":"\u0000"}' ARG_path=m.c ARG_old=x <<!
old and new: expected two texts without NUL, or a list edits of such
!
printf 'caf\351\n' >latin
away 65 'edit_file: not UTF-8' edit_file '{}' ARG_path=latin ARG_old=caf ARG_new=x <<!
intree: latin: is not UTF-8 text
!
away 65 'edit_file: binary' edit_file '{}' ARG_path=bin ARG_old=a ARG_new=x <<!
intree: bin: is not UTF-8 text
!
refuses 'edit_file: no such file' edit_file '{}' ARG_path=nix ARG_old=a ARG_new=x <<!
no such file: nix (looked from $PWD); write_file creates one
!
printf 'echo 1\n' >prog
chmod 751 prog
check 'edit_file: mode and link stay' \
    'quick edit_file "{}" ARG_path=link ARG_old=1 ARG_new=2; cat prog; ls -l prog | cut -c 1-10; readlink link' <<!
edited link at line 1
echo 2
-rwxr-x--x
prog
!
check 'edit_file: long texts' \
    'cp wide f; sed -n 500,900p wide | jq -Rsc "{path:\"f\",old:.,new:(.+\"X\\n\")}" | "$T/edit_file"
    { sed 900q wide; echo X; sed 1,900d wide; } | cmp - f' <<!
edited f at line 500
!
check 'edit_file: nothing is left lying about' 'ls -A | grep turnpipe; :' </dev/null

# shell

check 'shell: output and errors in order, in this directory' \
    'quick shell "{}" "ARG_command=echo a; echo b >&2; echo c; pwd"' <<!
a
b
c
$PWD
!
check 'shell: nothing to read' 'quick shell "{\"command\":\"cat\"}" ARG_command=cat' </dev/null
check 'shell: a long command' \
    'jq -nc "{command: (\"echo \" + \"x\" * 5000 + \"\\necho y\\n\")}" | "$T/shell" | tail -c 4' <<!
x
y
!
check 'shell: the exit status, shown and ours' \
    'call shell "{}" "ARG_command=echo x; exit 3" || echo $?' <<!
x
[exit status 3]
3
!
check 'shell: nor is the command deaf to an interrupt of its own' \
    'call shell "{}" "ARG_command=trap \"echo heard\" INT; kill -INT \$\$; echo on"' <<!
heard
on
!
refuses 'shell: no command' shell '{}' <<!
expected a command
!

# grep, glob, ls

mkdir -p tree/src/.deep tree/.git tree/node_modules 'tree/with blank'
printf 'int foo;\nint bar;\n// foo() {\n' >tree/src/a.c
printf 'FOO\nfoo\n' >tree/src/b.h
printf 'foo\n' >tree/src/.deep/c.c
printf 'foo\n' >tree/.git/config
printf 'foo\n' >tree/node_modules/x.c
printf 'foo\n' >'tree/with blank/d.c'
printf 'foo\0' >tree/bin
cp a tree/-x
cd tree
check 'grep: sorted, the usual left out, without jq' \
    'PATH=$OLDPWD/nojq:$PATH ARG_pattern=foo "$T/grep"' <<!
src/.deep/c.c:1:foo
src/a.c:1:int foo;
src/a.c:3:// foo() {
src/b.h:2:foo
with blank/d.c:1:foo
!
check 'grep: in one directory, whatever the case' \
    'quick2() { printf %s "{}" | env "$@" "$T/grep"; }; quick2 ARG_pattern=foo ARG_path=src/ ARG_ignore_case=true ARG_glob=*.h' <<!
src/b.h:1:FOO
src/b.h:2:foo
!
check 'grep: lines around' 'call grep "{}" ARG_pattern=bar ARG_path=src/a.c ARG_context=1' <<!
src/a.c-1-int foo;
src/a.c:2:int bar;
src/a.c-3-// foo() {
!
check 'grep: a directory asked for is searched' \
    'call grep "{}" ARG_pattern=foo ARG_path=node_modules' <<!
node_modules/x.c:1:foo
!
check 'grep: extended expressions, blanks, a leading dash' \
    'call grep "{}" "ARG_pattern=^(int|//) foo(;|\\(\\))"; call grep "{}" ARG_pattern=-x; call grep "{}" ARG_pattern=two ARG_path=-x' <<!
src/a.c:1:int foo;
src/a.c:3:// foo() {
no match
./-x:2:two
!
check 'grep: a glob is one name, whatever it has in it' '
    call grep "{}" ARG_pattern=bar "ARG_glob=*
-exec
touch
ran
;"; ls ran 2>/dev/null || :' <<!
no match
!
check 'grep: long arguments on stdin' \
    'jq -nc "{pattern: (\"foo|\" + \"x\" * 5000), glob: \"*.h\"}" | ARG_glob="*.h" "$T/grep"' <<!
src/b.h:2:foo
!
refuses 'grep: a malformed pattern' grep '{}' 'ARG_pattern=(' <<!
Unmatched ( or \\(
!
refuses 'grep: a malformed pattern, in a file' grep '{}' 'ARG_pattern=(' ARG_path=src/a.c <<!
Unmatched ( or \\(
!
away 66 'grep: no such path' grep '{}' ARG_pattern=x ARG_path=nix <<!
intree: nix: No such file or directory (looked from $PWD)
!
refuses 'grep: no pattern' grep '{}' <<!
expected a pattern
!
refuses 'grep: context that is not a number' grep '{}' ARG_pattern=x ARG_context=many <<!
context: expected 0 to 99 lines, got many
!
rm err said want
awk 'BEGIN { for (i = 0; i < 300; i++) print "hit " i; printf "hit %0500d\n", 7 }' >src/many
check 'grep: the first 200' 'call grep "{}" ARG_pattern=hit >../out; sed -n "200p;201p" ../out' <<!
src/many:200:hit 199
[only the first 200 lines; look for less, or in fewer files]
!
check 'grep: a long line is cut' 'call grep "{}" ARG_pattern="hit 0{9}" | tail -c 12' <<!
00000 [...]
!
rm src/many
check 'glob: a name, at any depth, without jq' \
    'PATH=$OLDPWD/nojq:$PATH ARG_pattern="*.c" "$T/glob"' <<!
src/.deep/c.c
src/a.c
with blank/d.c
!
check 'glob: a star stays within a directory, two go through' \
    'for p in "src/*.c" "src/**/*.c" "**/*.h" "*/a.?" "src/[ab].[!h]" "src/**" "{src,x}/{a,b}.*"; do
	echo "$p:"; call glob "{}" "ARG_pattern=$p"; done' <<!
src/*.c:
src/a.c
src/**/*.c:
src/.deep/c.c
src/a.c
**/*.h:
src/b.h
*/a.?:
src/a.c
src/[ab].[!h]:
src/a.c
src/**:
src/.deep/c.c
src/a.c
src/b.h
{src,x}/{a,b}.*:
src/a.c
src/b.h
!
check 'glob: below a directory' \
    'call glob "{}" "ARG_pattern=*.c" ARG_path=src/; call glob "{}" ARG_pattern=./a.c ARG_path="$PWD/src"' <<!
src/.deep/c.c
src/a.c
$PWD/src/a.c
!
mkdir odd
touch 'odd/a+(b).$' 'odd/żó' "odd/new
line" 'odd/b[1]'
check 'glob: odd names' \
    'call glob "{}" "ARG_pattern=a+(b).\$"; call glob "{}" "ARG_pattern=odd/??"; call glob "{}" "ARG_pattern=new*"' <<!
odd/a+(b).\$
odd/żó
odd/new\\nline
!
mkdir 'odd/x
.' && touch 'odd/x
./src'
check 'glob: no name of a directory looks like another path' 'call glob "{}" ARG_pattern=src' <<!
no such file
!
rm -r 'odd/x
.'
mkdir lots
(cd lots && awk 'BEGIN { for (i = 0; i < 1010; i++) {
	printf "" >("f" i * 7 % 1010); close("f" i * 7 % 1010) } }')
check 'glob: the first 500, sorted' \
    'call glob "{}" "ARG_pattern=lots/*" >got; { ls lots | LC_ALL=C sort | sed "s|^|lots/|;500q"; echo "[only the first 500 of 1010 paths]"; } | cmp - got' </dev/null
rm -r lots got
check 'glob: nothing' 'call glob "{}" ARG_pattern=*.zig' <<!
no such file
!
refuses 'glob: from the root' glob '{}' 'ARG_pattern=/etc/*' <<!
pattern: expected one below path; give the directory as path
!
refuses 'glob: a file for a directory' glob '{}' 'ARG_pattern=*' ARG_path=bin <<!
bin is no directory
!
rm err said want
check 'ls: hidden first, directories marked, without jq' 'PATH=$OLDPWD/nojq:$PATH "$T/ls"' <<!
.git/
-x
bin
node_modules/
odd/
src/
with blank/
!
check 'ls: odd names' 'call ls "{}" ARG_path=odd' <<!
a+(b).\$
b[1]
new\\nline
żó
!
mkdir -- -d "n
l" none
ln -s nowhere ./-d/dangling
check 'ls: odd directories' 'call ls "{}" ARG_path=-d; call ls "{}" ARG_path=none; touch "n
l/in"; call ls "{}" "ARG_path=n
l"' <<!
dangling
[the directory is empty]
in
!
refuses 'ls: a file' ls '{}' ARG_path=bin <<!
bin is a file, no directory
!
away 66 'ls: nothing there' ls '{}' ARG_path=nix <<!
intree: nix: No such file or directory (looked from $PWD)
!
mkdir full
(cd full && awk 'BEGIN { for (i = 0; i < 1010; i++) {
	printf "" >("f" i); close("f" i) } }')
check 'ls: the first 1000' 'call ls "{}" ARG_path=full | tail -n 1' <<!
[only the first 1000 of 1010 names]
!
cd ..

# What leads out of the tree, is hidden, or is never written.

mkdir -p conf/sub/.git conf/home/.ssh away
echo secret >away/secret
echo secret >conf/home/.ssh/id
echo secret >conf/sub/f
cd conf
ln -s ../away/secret link
ln -s ../away dir
mkdir .git
export HOME="$PWD/home"
no='outside of the work tree; toolrun.roots of the user'"'s"' settings would let it in'
for t in read_file grep; do
	away 77 "$t: a link out of the tree" $t '{"pattern":"s","path":"link"}' \
	    ARG_path=link ARG_pattern=s <<!
intree: link: leads to ${PWD%/conf}/away/secret: $no
!
done
for t in ls glob grep; do
	away 77 "$t: a directory out of the tree" $t '{"pattern":"*","path":"dir"}' \
	    ARG_path=dir "ARG_pattern=*" <<!
intree: dir: leads to ${PWD%/conf}/away: $no
!
done
away 77 'write_file: a link out of the tree' write_file '{}' ARG_path=link ARG_content=x <<!
intree: link: leads to ${PWD%/conf}/away/secret: $no
!
away 77 'edit_file: a link out of the tree' edit_file '{}' ARG_path=link ARG_old=secret ARG_new=x <<!
intree: link: leads to ${PWD%/conf}/away/secret: $no
!
away 77 'a long path, on stdin only' read_file \
    '{"path":"dir/../away/secret"}' <<!
intree: dir/../away/secret: leads to ${PWD%/conf}/away/secret: $no
!
away 77 'write_file: .git/hooks' write_file '{}' ARG_path=.git/hooks/pre-commit ARG_content=x <<!
intree: .git/hooks/pre-commit: leads to $PWD/.git/hooks/pre-commit: never written by a file tool
!
away 77 'read_file: what is hidden' read_file '{}' ARG_path=home/.ssh/id <<!
intree: home/.ssh/id: leads to $PWD/home/.ssh/id: hidden by toolrun.hide
!
rm -f err said want
check 'grep and glob pass over what is hidden, and links' \
    'call grep "{}" ARG_pattern=secret; call glob "{}" "ARG_pattern=*"' <<!
sub/f:1:secret
dir
link
sub/f
!
check 'what the user agreed to is read' \
    'TURNPIPE_AGREED=${PWD%/conf}/away call grep "{}" ARG_path=dir ARG_pattern=s' <<!
dir/secret:1:secret
!
cd ..

# Those that call one of the project's commands: its arguments.

mkdir stub
for c in skillmenu todolist factfind; do
	cat >stub/$c <<'STUB'
#!/bin/sh
printf '%s:' "${0##*/}"
for a; do printf ' <%s>' "$a"; done
echo
cat
[ "$*" != '-q nothing' ] || exit 1
STUB
	chmod +x stub/$c
done
PATH=$PWD/stub:$PATH
check 'use_skill' 'quick use_skill "{}" "ARG_skill_name=-my skill"' <<!
skillmenu: <-l> <-my skill>
!
check 'todo_add: a text is enough' 'quick todo_add "{\"text\":\"a b\"}" "ARG_text=a b"' <<!
todolist: <add> <--> <a b>
!
check 'todo_add: all it has' \
    'call todo_add "{\"text\":\"a\",\"depends\":[\"1\",\"2\"],\"parent\":\"p\"}" ARG_text=a ARG_parent=p' <<!
todolist: <add> <-p> <p> <-d> <1> <-d> <2> <--> <a>
!
check 'todo_update' \
    'quick todo_update "{\"id\":\"7\"}" ARG_id=7 ARG_status=completed
    quick todo_update "{}" ARG_id=7 "ARG_text=new text"' <<!
todolist: <update> <-s> <completed> <--> <7>
todolist: <update> <-t> <new text> <--> <7>
!
check 'todo_list, todo_remove' \
    'quick todo_list "{}"; quick todo_remove "{}" ARG_id=7' <<!
todolist: <list>
todolist: <remove> <--> <7>
!
check 'store_fact: a record' \
    'call store_fact "{\"text\":\"uses \\\"vi\\\"\",\"scope\":\"user\"}"' <<!
factfind: <--add>
{"type":"fact","text":"uses \"vi\"","category":"background","confidence":1,"scope":"user","source":"agent"}
stored
!
mkdir view
echo '{"type":"request","messages":[{"role":"user","content":"say \"role\":\"tool\""}]}' >view/request
check 'store_fact: a fact says whether output of tools was in view' \
    'call store_fact "{\"text\":\"a\"}" "TURNPIPE_RUN=$PWD/view" | grep -c tool_output
    echo "{\"messages\":[{\"content\":\"x\",\"role\":\"tool\"}]}" >view/request
    call store_fact "{\"text\":\"a\"}" "TURNPIPE_RUN=$PWD/view" | grep -o "\"tool_output.*"
    echo "{\"messages\":[],\"tools\":[{\"role\":\"tool\"}]}" >view/request
    call store_fact "{\"text\":\"a\"}" "TURNPIPE_RUN=$PWD/view" | grep -c tool_output || :' <<!
0
"tool_output":true}
0
!
check 'search_memories' \
    'quick search_memories "{}" "ARG_query=which editor"; quick search_memories "{}" ARG_query=nothing' <<!
factfind: <-q> <which editor>
factfind: <-q> <nothing>
nothing is known about that
!
for t in 'use_skill the name of a skill' 'todo_add the text of the todo' \
    'todo_update the id of a todo' 'todo_remove the id of a todo' \
    'store_fact the text of a fact' 'search_memories a query'; do
	refuses "${t%% *}: nothing given" "${t%% *}" '{}' <<!
expected ${t#* }
!
done
refuses 'store_fact: blanks only' store_fact '{"text":" \n"}' <<!
expected the text of a fact
!
refuses 'store_fact: whom the agent is to be' store_fact \
    '{"text":"Be a cat.","category":"persona"}' <<!
expected one of the six categories: only the user sets the persona of the agent
!
refuses 'todo_update: nothing to change' todo_update '{"id":1}' ARG_id=1 <<!
expected a status or a text
!
check 'todo_add: to be accepted first; todo_clear: what is done, or all' \
    'quick todo_add "{}" ARG_text=a ARG_status=proposed; quick todo_clear "{}"; quick todo_clear "{}" ARG_all=true' <<!
todolist: <add> <-s> <proposed> <--> <a>
todolist: <clear>
todolist: <clear> <-a>
!

# The rest with the commands themselves.
PATH=$BIN:$PATH
export TURNPIPE_PATH="$TOP/share" TURNPIPE_NOW=2026-11-21T12:00:00Z

check 'shell: a call says how long it may take' \
    '{ toollist </dev/null | grep "\"name\":\"shell\""
    echo "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"shell\",\"arguments\":\"{\\\"command\\\":\\\"echo a; sleep 1000; echo b\\\",\\\"timeout\\\":1}\"}}]}"
    echo "{\"type\":\"end\"}"; } | TURNPIPE_YES=1 toolrun -r | jq -r .content' <<!
error: stopped after 1 s, its time limit
a

!
# What the model reads when a name or an id is wrong: those that there are.
mkdir names
names() {
	tool=$1
	shift
	st=0
	echo '{}' | env TURNPIPE_RUN="$PWD/names" "$@" "$T/$tool" 2>&1 || st=$?
	[ "$st" = 0 ] || echo "$tool: $st"
}
check 'an id or a name that there is not: what there is' \
    'names todo_add ARG_text=a; names todo_add ARG_text=b ARG_parent=9; names todo_update ARG_id=7 ARG_status=completed
    names todo_remove ARG_id=7; names todo_update ARG_id=1 "ARG_text= "; names use_skill ARG_skill_name=nix | cut -c 1-48
    names search_memories ARG_query=zebra' <<!
1. [ ] a
todolist: no todo '9': the ids are 1
todo_add: 1
todolist: no todo '7': the ids are 1
todo_update: 1
todolist: no todo '7': the ids are 1
todo_remove: 1
todolist: a todo needs a text
todo_update: 1
skillmenu: no skill 'nix'; there are: briefing, 
use_skill: 1
nothing is known about that
!

# use_skill
mkdir -p .agents/skills/knit
printf -- '---\nname: knit\ndescription: Knits.\n---\nTwo right.\n' >.agents/skills/knit/SKILL.md
u='{"type":"message","role":"user","content":"knit"}'
a='{"type":"message","role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"use_skill","arguments":"{\"skill_name\":\"knit\"}"}}]}'
printf '%s\n' "$u" "$a" >s.jsonl
check 'use_skill: the text, once' \
    'export TURNPIPE_SESSION=$PWD/s.jsonl; call use_skill "{}" ARG_skill_name=knit | grep -c "Two right"
    echo "{\"type\":\"message\",\"role\":\"tool\",\"tool_call_id\":\"1\",\"name\":\"use_skill\",\"content\":\"Two right.\"}" >>s.jsonl
    printf "%s\n" "$a" | sed "s/\"1\"/\"2\"/" >>s.jsonl
    call use_skill "{}" ARG_skill_name=knit; echo $?; unset TURNPIPE_SESSION
    call use_skill "{}" ARG_skill_name=knit | grep -c "Two right"' <<!
1
not loaded again: the instructions of the skill knit are in an earlier message, and hold
1
1
!

# project_note
mkdir note
mkdir note/.git
cd note
check 'project_note: into the file that ctxfind takes, and what it says now' \
    'call project_note "{\"text\":\"Run make.\"}" | sed "s|$PWD|.|"; call project_note "{}" "ARG_text=Use tabs."|sed "s|$PWD|.|"; cat AGENTS.md' <<!
added to ./AGENTS.md:
Run make.
added to ./AGENTS.md:
Use tabs.
Run make.

Use tabs.
!
check 'project_note: into the file that the profile reads, which its description names; else it is not there' \
    'TURNPIPE_PROFILE=ally call project_note "{}" "ARG_text=Use rye." | sed "s|$PWD|.|"
    for p in "ctxfind -s cwd -n ALLY.md" ctxfind cat; do $p </dev/null | toollist | jq -r "select(.name==\"project_note\").description" | sed "s|$PWD|.|"; done' <<!
added to ./ALLY.md:
Use rye.
Add a paragraph to the project's instructions, ./ALLY.md, which are read at the start of later sessions.
Add a paragraph to the project's instructions, ./AGENTS.md, which are read at the start of later sessions.
!
refuses 'project_note: nothing to write' project_note '{"text":" "}' <<!
expected the text of the note
!
rm AGENTS.md
ln -s /nowhere/at/all AGENTS.md
away 77 'project_note: never out of the tree' project_note '{}' ARG_text=x <<!
intree: $PWD/AGENTS.md: leads to /nowhere/at/all: outside of the work tree; toolrun.roots of the user's settings would let it in
!
cd ..

# skill_store, skill_update, skill_delete
mkdir skills "$HOME/.agents" 2>/dev/null || mkdir -p skills "$HOME/.agents"
cd skills
mine=$HOME/.agents/skills
check 'skill_store: a skill that skillmenu takes' \
    'call skill_store "{\"name\":\"greet\",\"description\":\"How: we \\\"greet\\\".\\nAlways.\",\"instructions\":\"Say hello.\"}" | sed "s|$HOME|~|"
    cat "$mine/greet/SKILL.md"; skillmenu -i </dev/null | jq -r "select(.name==\"greet\").description"' <<'!'
stored greet in ~/.agents/skills/greet
---
name: greet
description: "How: we \"greet\".\nAlways."
---
Say hello.
How: we "greet". Always.
!
refuses 'skill_store: one that is there' skill_store '{"name":"greet","description":"x","instructions":"y"}' <<!
there is a skill greet already: take another name, or skill_update if you made it
!
refuses 'skill_store: a name is no path' skill_store '{"name":"../x","description":"x","instructions":"y"}' <<!
name: expected a name of a to z, 0 to 9 and hyphens
!
refuses 'skill_store: a name of two lines' skill_store '{"name":"x\ny","description":"x","instructions":"y"}' <<!
name: expected a name of a to z, 0 to 9 and hyphens
!
refuses 'skill_store: what skillmenu refuses' skill_store '{"name":"a--b","description":"x","instructions":"y"}' <<!
a--b/SKILL.md:2:7: expected a name of lower case letters, digits and single inner hyphens
a--b is as it was
!
refuses 'skill_store: no text' skill_store '{"name":"x","description":"x"}' <<!
instructions: expected a text
!
printf '%s\n' --- 'name: greet' 'license: MIT' 'description: >-' '  long' '' '  text' 'metadata: {a: b}' --- Body --- more >"$mine/greet/SKILL.md"
check 'skill_update: the other keys and the text stay; then the text alone' \
    'call skill_update "{\"name\":\"greet\",\"description\":\"new\"}" | sed "s|$HOME|~|"; cat "$mine/greet/SKILL.md"
    call skill_update "{\"name\":\"greet\",\"instructions\":\"# Now\\n\"}" >/dev/null; cat "$mine/greet/SKILL.md"' <<!
changed greet in ~/.agents/skills/greet
---
name: greet
license: MIT
description: "new"
metadata: {a: b}
---
Body
---
more
---
name: greet
license: MIT
description: "new"
metadata: {a: b}
---
# Now
!
refuses 'skill_update: what skillmenu refuses changes nothing' skill_update \
    "{\"name\":\"greet\",\"description\":\"$(printf %01025d 1)\"}" <<!
greet/SKILL.md:4:14: expected a description of at most 1024 characters
greet is as it was
!
refuses 'skill_update: never a shipped one' skill_update '{"name":"git","instructions":"x"}' <<!
the skill git is not one that skill_update may change: neither in .agents/skills of the working directory nor in $HOME/.agents/skills
!
check 'a skill of the project comes first' \
    'call skill_store "{\"name\":\"pro\",\"description\":\"x\",\"instructions\":\"y\",\"project\":true}"; echo .agents/skills/*
    call skill_delete "{\"name\":\"pro\"}"; ls .agents/skills' <<!
stored pro in .agents/skills/pro
.agents/skills/pro
deleted pro from .agents/skills
!
: >"$mine/greet/run.sh"
refuses 'skill_delete: other files are the user'"'"'s to remove' skill_delete '{"name":"greet"}' <<!
greet has other files, which only the user can remove: $mine/greet/run.sh
!
rm "$mine/greet/run.sh"
mv "$mine/greet" far
ln -s "$PWD/far" "$mine/greet"
refuses 'skill_delete: a link' skill_delete '{"name":"greet"}' <<!
$mine/greet is a link to $(pwd -P)/far: only the user can remove it
!
away 77 'skill_update: a link out of the directory' skill_update '{"name":"greet","instructions":"x"}' <<!
intree: $mine/greet/SKILL.md: leads to $(pwd -P)/far/SKILL.md: beneath no root
!
rm -r "$mine"
refuses 'skill_delete: none of that name' skill_delete '{"name":"greet"}' <<!
there is no skill greet
!
cd ..

# notify
mkdir etc
export TURNPIPE_PATH="$PWD/etc:$TOP/share"
check 'notify is there when there is a command for it' \
    'toollist </dev/null | grep -c \"notify\" || :; echo "notify: {command: \"cat >sent; echo mumbles\"}" >etc/settings.yaml
    toollist </dev/null | grep -c \"notify\"; call notify "{\"text\":\"all \\\"done\\\"\"}"; cat sent' <<!
0
1
sent
all "done"
!
echo 'notify: {command: "echo no route; exit 3"}' >etc/settings.yaml
refuses 'notify: the command fails' notify '{}' ARG_text=x <<!
not sent, status 3: no route
!
rm etc/settings.yaml
refuses 'notify: no command' notify '{}' ARG_text=x <<!
there is no command for this: the setting notify.command is empty
!
refuses 'notify: no text' notify '{"text":""}' <<!
expected the text of the message
!

# apply_patch
export TURNPIPE_PATH="$TOP/share"
mkdir ap
mkdir ap/.git
cd ap
printf 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n' >f
cp f orig
# try NAME PATCH <<expected: what it says, its status, and f if it changed.
try()
{
	cp orig f
	printf '%b' "$2" >patch
	check "apply_patch: $1" 'st=0; short patch 2>&1 || st=$?; echo "$st"; cmp -s orig f || cat f'
}
# The patch in the environment, and on stdin only.
short()
{
	p=$(cat "$1" && echo .)
	quick apply_patch '{}' "ARG_patch=${p%.}"
}
long() { jq -Rs '{patch: .}' "$1" | "$T/apply_patch"; }
try 'a hunk' '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n three\n' <<!
patched f
0
one
TWO
three
four
five
six
seven
!
try 'lines that have moved, and a blank one that lost its blank' \
    '--- f\n+++ f\n@@ -40,2 +41,3 @@ func\n six\n+\n seven\n' <<!
patched f
0
one
two
three
four
five
six

seven
!
try 'a hunk that does not match: which, and what stands there' \
    '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n@@ -5,3 +5,3 @@\n five\n-siks\n+6\n seven\n' <<!
f: hunk 2 does not match; line 5 comes closest. It expects
siks
but line 6 says
six
1
!
try 'no diff' 'hello\n' <<!
expected a unified diff: --- and +++ lines and hunks
1
!
try 'too few lines' '--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n one\n-two\n+TWO\n' <<!
patch line 7: hunk 1 of f ends too early: 1 old and 1 new lines are missing, by its @@ line
1
!
try 'too many lines: nothing is dropped in silence' '--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n-three\n' <<!
patch line 7: hunk 1 of f has more lines than its @@ line says
1
!
try 'deletion of a file' '--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n' <<!
patch line 2: it deletes f: delete files with a command
1
!
try 'a new name' '--- a/f\n+++ b/g\n@@ -1 +1 @@\n-one\n+1\n' <<!
patch line 2: it renames f to g: rename files with a command
1
!
try 'a file that is not there' '--- a/nix\n+++ b/nix\n@@ -1 +1 @@\n-one\n+1\n' <<!
no such file: nix (looked from $PWD)
1
!
try 'one that it creates is there' '--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+1\n' <<!
f: the patch creates it, but it is there already
1
!
printf 'same\nx\nsame\nx\n' >orig
try 'moved, and more than one place' '--- f\n+++ f\n@@ -2,2 +2,2 @@\n same\n-x\n+y\n' <<!
f: hunk 1 does not match at line 2 but at line 1 and line 3: give more lines of context
1
!
printf 'a\r\nb\r\n' >orig
try 'CR LF stays' '--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n' <<!
patched f
0
$(printf 'a\r\nc\r')
!
check 'apply_patch: CR LF, in bytes' 'od -An -c f | tr -s " "' <<!
 a \r \n c \r \n
!
printf 'a\000b\n' >orig
try 'no text' '--- f\n+++ f\n@@ -1 +1 @@\n-a\n+b\n' <<!
intree: f: is not UTF-8 text
65
!
printf 'one\n' >orig
check 'apply_patch: several files, all or nothing' \
    'cp orig f; cp orig g; chmod 755 g; printf "%s\n" "--- a/f" "+++ b/f" "@@ -1 +1 @@" "-one" "+1" "--- /dev/null" "+++ b/d/new" "@@ -0,0 +1 @@" "+hi" "--- a/g" "+++ b/g" "@@ -1 +1 @@" "-wrong" "+2" >patch
    long patch || :; cat f g; ls -d d 2>/dev/null || :
    sed "s/-wrong/-one/" patch >p2; short p2; cat f g d/new; ls -l g | cut -c 1-10' <<!
g: hunk 1 does not match; nothing after line 0 looks like it
one
one
patched f
patched d/new
patched g
1
2
hi
-rwxr-xr-x
!
check 'apply_patch: what cannot be written takes the others back' \
    'cp orig f; mkdir -p .git/x; cp orig .git/x/g; rm -rf d; printf "%s\n" "--- a/f" "+++ b/f" "@@ -1 +1 @@" "-one" "+1" "--- /dev/null" "+++ b/d/new" "@@ -0,0 +1 @@" "+hi" "--- a/.git/x/g" "+++ b/.git/x/g" "@@ -1 +1 @@" "-one" "+2" >patch
    st=0; short patch >said 2>&1 || st=$?; echo $st; tail -n 1 said; cat f; ls d' <<!
77
.git/x/g: not written, so nothing was changed
one
!
if patch --version 2>/dev/null | grep -q '^GNU patch'; then
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		awk -v seed="$i" 'BEGIN {
			srand(seed)
			for (i = 1; i <= 25; i++) {
				l = int(rand() * 6) ? "line " int(rand() * 1000) : ""
				print l >"orig"
				r = rand()
				if (r < .08) continue
				if (r < .16) print "new " i >"next"
				print (r > .95 ? l "x" : l) >"next"
			}
			if (seed % 3 == 0) printf "end" >"next"
		}'
		diff -U$((i % 4)) orig next | sed 's/^--- orig/--- f/; s/^+++ next/+++ f/' >patch
		case $((i % 4)) in
		1) { printf 'top\ntop2\n'; cat orig; } >f ;;
		2) sed "$((i))s/\$/!/" orig >f ;;
		*) cp orig f ;;
		esac
		cp f mine
		g=0 o=0
		patch --binary -s -f -F0 --no-backup-if-mismatch -r - f <patch >/dev/null 2>&1 || g=$?
		mv f theirs
		cp mine f
		if [ "$i" -lt 4 ]; then
			long patch >/dev/null 2>&1 || o=$?
		else
			short patch >/dev/null 2>&1 || o=$?
		fi
		if [ "$o" -ne 0 ]; then
			cmp -s mine f || echo "case $i: refused, and changed it"
			[ "$g" -ne 0 ] || echo "case $i: patch takes it"
		elif [ "$g" -eq 0 ]; then
			cmp -s theirs f || echo "case $i: another text"
		elif [ $((i % 4)) -ne 1 ]; then
			echo "case $i: patch does not take it"
		fi
	done >differs
	check 'apply_patch: random changes, as GNU patch does them' 'cat differs' </dev/null
fi
cd ..

printf 'a\r\nb\r\nc\r\n' >several
chmod 750 several
check 'edit_file: several edits, one after the other' \
    'call edit_file "{\"path\":\"several\",\"edits\":[{\"old\":\"a\\n\",\"new\":\"x\\ny\\n\"},{\"old\":\"y\",\"new\":\"z\"},{\"old\":\"c\",\"new\":\"\"}]}" ARG_path=several
    od -An -c several | tr -s " "; ls -l several | cut -c 1-10' <<!
edited several, 3 edits
 x \\r \\n z \\r \\n b \\r \\n \\r \\n
-rwxr-x---
!
cp several before
refuses 'edit_file: one of several fails, and none is done' edit_file \
    '{"path":"several","edits":[{"old":"x","new":"1"},{"old":"nowhere","new":"2"}]}' <<!
several: edit 2: old does not occur in the file
!
check 'edit_file: none is done' 'cmp several before' </dev/null
refuses 'edit_file: edits and old' edit_file '{"path":"several","old":"x","new":"y","edits":[{"old":"x","new":"1"}]}' <<!
expected old and new, or edits, not both
!
refuses 'edit_file: an empty list of edits' edit_file '{"path":"several","edits":[]}' <<!
old and new: expected two texts without NUL, or a list edits of such
!
refuses 'edit_file: an edit without its new text' edit_file '{"path":"several","edits":[{"old":"x","new":"1"},{"old":"x"}]}' <<!
old and new: expected two texts without NUL, or a list edits of such
!
refuses 'edit_file: edits, and the path of no file' edit_file '{"edits":[{"old":"x","new":"1"}],"path":7}' <<!
expected the path of a file
!
check 'edit_file: no start of jq for several edits' \
    'starts edit_file "{\"path\":\"several\",\"edits\":[{\"old\":\"x\",\"new\":\"1\"},{\"old\":\"z\",\"new\":\"2\"},{\"old\":\"b\",\"new\":\"3\"}]}"' <<!
edited several, 3 edits
0
!

# Random texts of what might be special to sh, awk, jq or JSON, edited by the
# tool and by python; and one of 2 MB, with NUL, that is written.
mkdir random
cat >random/make.py <<'!'
import json, random
r = random.Random(7)
odd = ["\n"] * 6 + ["\r\n"] * 3 + list("aab \t\\\"'&$`%*.[]|/\r") + ["\\n", "\\0", "\x01", "\x02",
    "\x1f", "\x7f", "\u0085", "\u017c", "\u65e5", "\U0001f600", "\ufeff", "$(id)", "%s", "${x}"]
text = lambda most: "".join(r.choice(odd) for _ in range(r.randint(0, most)))

def places(s, old):
    return sum(s.startswith(old, i) for i in range(len(s)))

for case in range(4):
    s = text(4000)
    if case % 3 == 0:	# all lines end in CR LF
        s = s.replace("\r", "").replace("\n", "\r\n")
    open(f"{case}.before", "wb").write(s.encode())
    edits = []
    while len(edits) < 50:
        at = r.randrange(max(len(s), 1))
        old, new = s[at:at + r.randint(1, 40)], text(40)
        if s.count(old) > 1:
            new = new[:len(old)]
        a, b = old, new
        if s.count("\r\n") and s.count("\r\n") == s.count("\n"):
            a, b = (x.replace("\r\n", "\n").replace("\n", "\r\n") for x in (a, b))
        n = places(s, a)
        if n == 0 or a == b:
            continue
        edits.append({"old": old, "new": new, "all": n > 1} if n > 1 or r.random() < .3
            else {"old": old, "new": new})
        s = s.replace(a, b)
    open(f"{case}.after", "wb").write(s.encode())
    json.dump({"path": f"{case}.before", "edits": edits}, open(f"{case}.call", "w"), ensure_ascii=case % 2)
s = text(9000) + "\\"
open("skill", "wb").write(('---\nname: odd\ndescription: "\\"x\\\\ "\n---\n' + s + "\n").encode())
json.dump({"name": "odd", "description": '"x\\ ', "instructions": s}, open("store", "w"))
s = "".join(r.choice(odd + ["\0"]) for _ in range(20000)) * 70
open("content", "wb").write(s.encode())
json.dump({"path": "written", "content": s}, open("write", "w"), ensure_ascii=False)
!
needs python3 check 'edit_file: 200 random edits, as python does them' \
    'cd random && python3 make.py && for i in 0 1 2 3; do
	"$T/edit_file" <$i.call && cmp $i.before $i.after; done' <<!
$(for i in 0 1 2 3; do echo "edited $i.before, 50 edits"; done)
!
needs python3 check 'write_file: 2 MB with NUL, byte for byte, without jq' \
    'cd random && starts write_file "$(cat write)" ARG_path=written | sed "s/: .*//" && cmp content written && test "$(wc -c <written)" -gt 2000000' <<!
created written
0
!
needs python3 check 'skill_store: instructions byte for byte, with one start of jq; skill_delete: with none' \
    'cd random && starts skill_store "$(cat store)" | sed "s/ in .*//" && cmp skill "$HOME/.agents/skills/odd/SKILL.md"
    quick skill_delete "{\"name\":\"odd\"}" ARG_name=odd LLM_TOOL_NAME=skill_delete | sed "s/ from .*//"' <<!
stored odd
1
deleted odd
!
