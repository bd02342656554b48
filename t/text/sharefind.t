#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$PWD/share" TURNPIPE_PATH="$PWD/mine"
mkdir -p share/d mine/d
echo a >share/d/a; echo b >share/d/b; echo c >share/d/c
echo mine >mine/d/b; : >mine/d/c

check 'the first file of a name wins' 'sharefind d/a d/b | sed "s|$PWD/||"' <<!
share/d/a
mine/d/b
!
check 'a directory: winners by name, without what is switched off' \
    'sharefind -l d | sed "s|$PWD/||"' <<!
share/d/a
mine/d/b
!
fails 1 'an empty file switches off' 'sharefind d/c' <<!
!
fails 1 'nothing there' 'sharefind d/x' <<!
!
fails 1 'no way out of the search path' 'sharefind d/../../mine/d/b' <<!
!
printf 'a: {n: 2, file: b, l: [x, "y z"], off: false}\n' >share/settings.yaml
printf 'a: {n: 3}\n' >mine/settings.yaml
check '-d: what a setting names is a file there' \
    'sharefind -d d -g a.file | sed "s|$PWD/||"; sharefind -d d -g a.n || echo $?' <<!
mine/d/b
1
!
fails 64 '-d without -g' 'sharefind -d d a' <<!
sharefind: expected -g with -d
usage: sharefind [-c] [-jl] name ...
       sharefind [-c] [-d dir] -g key ...
       sharefind -s status
       sharefind -t name [key[=value] ...]
       sharefind -c
!
check '-g: settings, the first file over the others, lists by lines' \
    'sharefind -g a.n a.l a.off' <<!
3
x
y z
false
!
fails 1 '-g: a key that no file has' 'sharefind -g a.none' <<!
!
# What stands in a user's settings.yaml is looked through once, at the start.
cat >share/settings.yaml <<!
model:
a: {n: 2, file: b, l: [x], off: false, deep: {m: 1}}
!
wrong() { printf '%b\n' "$1" >mine/settings.yaml; sharefind -c d/a 2>&1 | sed "s|$PWD/||"; }
check '-c: settings as they should be, a path as without it' \
    'wrong "model: x\na: {n: 3, l: [y], deep: {m: 2}}"; wrong "a: {l: y, n: }"
    sharefind -c' <<!
share/d/a
share/d/a
!
check '-c: a mistyped setting was no fault, and did nothing' \
    'wrong "modle: x"; wrong "a:\n  of: true"; wrong "a: {deep: {n: 1}}"' <<!
sharefind: mine/settings.yaml:1:1: expected a key of turnpipe-settings(5), found "modle"
sharefind: mine/settings.yaml:2:3: expected a key of turnpipe-settings(5), found "of"
sharefind: mine/settings.yaml:1:12: expected a key of turnpipe-settings(5), found "n"
!
check '-c: a setting of another kind was no fault until somebody read it' \
    'wrong "a: {n: x}"; wrong "a: {l: {}}"; wrong "a: {off: 1}"; wrong "a: 5"
    wrong "model: {}"' <<!
sharefind: mine/settings.yaml:1:8: expected a number
sharefind: mine/settings.yaml:1:8: expected a list
sharefind: mine/settings.yaml:1:10: expected true or false
sharefind: mine/settings.yaml:1:4: expected a mapping of keys
sharefind: mine/settings.yaml:1:8: expected one value
!
check '-c: a section of one'"'"'s own could have no form in envinfo.forms' \
    'cp mine/settings.yaml keep; cp share/settings.yaml shipped
    echo "forms: {clock: long, \"*\": }" >share/settings.yaml
    wrong "forms: {moon: long, clock: }"; wrong "forms: {moon: []}"
    mv keep mine/settings.yaml; mv shipped share/settings.yaml' <<!
share/d/a
sharefind: mine/settings.yaml:1:15: expected one value
!
fails 78 '-c: the status' 'TURNPIPE_PATH=bad; mkdir bad; echo x: 1 >bad/settings.yaml; sharefind -c d/a' <<!
sharefind: bad/settings.yaml:1:1: expected a key of turnpipe-settings(5), found "x"
!
rm mine/settings.yaml
check 'every setting that the sources name is a key of the shipped file' '
    export TURNPIPE_SHARE="$TOP/share"
    unset TURNPIPE_PATH
    { grep -rho --include="*.c" "settings_[a-z]*(\"[a-z_.]*\"" "$TOP/cmd" "$TOP/lib"
    grep -ho "\"[a-z]*\.[a-z_]*\"" "$TOP"/cmd/prompt/ctxfind/*.c "$TOP"/cmd/tool/toolrun/job.c "$TOP"/cmd/session/histfold/compact.c |
	grep "ctxfind\.\|toolrun\.\|hist[a-z]*\."
    grep -ho "sharefind -g [a-z_.][a-z_.]*" "$TOP"/cmd/turnpipe/turnpipe* | sed "s/.* /\"/; s/$/\"/"
    } | cut -d\" -f2 | sort -u >keys
    [ "$(wc -l <keys)" -gt 80 ] || echo too few
    mkdir all
    awk -F. "
	\$1 != block { print \$1 \":\"; block = \$1; key = \"\" }
	NF > 1 && \$2 != key { print \"  \" \$2 \":\"; key = \$2 }
	NF > 2 { print \"    \" \$3 \":\" }" keys >all/settings.yaml
    TURNPIPE_PATH=all sharefind -c settings.yaml >/dev/null'
check 'without a share the settings are those of the build' '
    TURNPIPE_SHARE=$PWD/gone TURNPIPE_PATH= XDG_CONFIG_HOME=$PWD/gone sharefind -g histfit.messages agents.children' <<!
200
5
!
fails 64 'no name' 'sharefind' <<!
sharefind: expected a name
usage: sharefind [-c] [-jl] name ...
       sharefind [-c] [-d dir] -g key ...
       sharefind -s status
       sharefind -t name [key[=value] ...]
       sharefind -c
!
fails 74 'a full disk' 'sharefind d/a >/dev/full' <<!
sharefind: write <stdout>: No space left on device
!
# make keeps its products: those of another PREFIX look for another share.
check 'another PREFIX is seen' '
    unset SAN MAKEFLAGS MFLAGS MAKELEVEL; ln -s "$TOP/Makefile" .
    for d in /a /b /b; do
	make -s O=o DATADIR=$d o/obj/config.h
	sed -n "s/.*DATADIR//p" o/obj/config.h
    done; make -sq O=o DATADIR=/b o/obj/config.h && echo kept' <<!
 "/a"
 "/b"
 "/b"
kept
!

cat >untold.awk <<'!'
FNR == NR {
	if (/^[a-z]/)
		block = substr($0, 1, index($0, ":") - 1)
	text[block] = text[block] "\n" $0
	next
}
!($1 in text) || NF > 1 && text[$1] !~ ("[ {]" $NF ":")
!
check 'the shipped settings.yaml tells every key that a command reads' '
    grep -rhoE "settings_[a-z]+\(\"[a-z_.]+\"" "$TOP/cmd" "$TOP/lib" |
    sed "/enabled(/s/\"$/.enabled\"/; s/.*(\"//; s/\"//" | sort -u >keys
    awk -F. -f untold.awk "$TOP/share/settings.yaml" keys' <<!
!

# The other files, by the commands that read them.
cp "$TOP/share/settings.yaml" share/
sed 's/^profile: default/profile: defaul_/' share/settings.yaml >mine/settings.yaml
check 'what was parsed at build time gives way to a file of the same length' '
    sharefind -g profile; rm mine/settings.yaml; sharefind -g profile' <<!
defaul_
default
!
rm -f mine/settings.yaml
for d in layouts profiles reminders rules prompts; do cp -R "$TOP/share/$d" share/; done
check '-c alone: what is shipped can be loaded' 'sharefind -c' </dev/null
mkdir -p mine/layouts mine/profiles mine/reminders mine/rules
for f in layouts/own reminders/05-own rules/05-own; do
	printf 'when: [x\n' >mine/$f.yaml
	check "-c looked at settings alone: $f" 'sharefind -c 2>&1 | sort -u | sed "s|$PWD/||"; sharefind -c 2>/dev/null || echo $?' <<!
$(case $f in l*) echo promptcompose;; re*) echo reminders;; *) echo toolrules;; esac): mine/$f.yaml:2:1: expected ',' or ']'
78
!
	rm mine/$f.yaml
done
echo 'if' >mine/profiles/own
check '-c: a profile that is no script' 'sharefind -c 2>err || echo $?; grep -c own err' <<!
78
1
!
rm mine/profiles/own

cp "$TOP/share/faults.yaml" share/
check '-s: the class of an exit status, one table for all who ask again' '
    for s in 3 65 75 77 76 64 143; do sharefind -s $s || echo $?; done' <<!
final
final
later
later
again
1
1
!
check '-s: a table without classes is refused' 'echo "wait: [x]" >mine/faults.yaml; sharefind -s 75 2>&1 || echo $?; rm mine/faults.yaml' <<!
sharefind: $PWD/mine/faults.yaml:1:1: expected a member "classes"
78
!
check '-t: a text with its holes filled; what is filled in closes no element of it' '
    printf "a\n</file>\n\n" | TURNPIPE_PATH=$TOP/share sharefind -t talk/file.md path="{{text}}&" text | sed "s/-[0-9a-f]\{8\}/-X/"
    echo b | TURNPIPE_PATH=$TOP/share sharefind --text talk/ran.md command="ls <x>" status=0 output' <<!
<file-X path="{{text}}&">
a
</file>
</file-X>
I ran this command (exit status 0):

    ls <x>

<output>
b
</output>
!
fails 1 '-t: a text that is not there' 'sharefind -t talk/none.md </dev/null' <<!
!
