#!/bin/sh
. "${0%/*}/../lib.sh"

W=$PWD
# The files found, in the order of the prompt.
paths() { ctxfind "$@" </dev/null | jq -r 'select(.type=="section").source' |
    sed "s|^$W/||"; }
# Text of all files found.
texts() { ctxfind "$@" </dev/null | jq -r 'select(.type=="section").content'; }
# What is reported, without the place of this test.
told() { { ctxfind "$@" </dev/null >/dev/null; } 2>&1 | sed "s|$W|W|g"; }
quiet() { "$@" 2>/dev/null; }
# put FILE TEXT
put() { mkdir -p "$(dirname "$1")"; printf '%s\n' "$2" >"$1"; }

# The stream
check 'where nothing is found it says where notes would go; -k has none' \
    'ctxfind </dev/null | sed "s|$W|W|"; ctxfind -s cwd -n ALLY.md </dev/null | sed "s|$W|W|"; ctxfind -k identity -n AGENT.md </dev/null' <<!
{"type":"state","project_file":"W/AGENTS.md"}
{"type":"state","project_file":"W/ALLY.md"}
!
check 'records pass, sections come before end' '
    mkdir one; cd one; echo hi >AGENTS.md
    printf "%s\n" "{\"role\":\"user\",\"content\":\"x\"}" "{ \"type\":\"end\" }" |
    ctxfind | sed "s|$W|W|g"' <<!
{"role":"user","content":"x"}
{"type":"section","id":"project-context:W/one/AGENTS.md","source":"W/one/AGENTS.md","content":"hi\n"}
{"type":"state","project_file":"W/one/AGENTS.md"}
{ "type":"end" }
!
check 'each conversation gets them' 'cd one; printf "%s\n" "{\"type\":\"end\"}" \
    "{\"type\":\"end\",\"id\":2}" | ctxfind | jq -rc .type' <<!
section
state
end
section
state
end
!
check 'looked at once per process' 'cd one; mkfifo in
    { echo "{\"type\":\"end\"}"; read -r x <tick; echo two >AGENTS.md
      echo "{\"type\":\"end\"}"; } >in &
    mkfifo tick; ctxfind <in | while read -r l; do
        case $l in *end*) [ -n "${done-}" ] || echo >tick; done=1;; esac
        printf "%s\n" "$l"; done | jq -c "select(.type!=\"state\")|[.type,.content]"
    rm in tick' <<!
["section","hi\n"]
["end",null]
["section","hi\n"]
["end",null]
!
rm -r one
fails 65 'bad input' 'printf "{}\n" | ctxfind' <<!
ctxfind: <stdin>:1:1: expected a type or a role
!
fails 74 'a full disk is not success' 'put a/AGENTS.md x
    cd a; ctxfind </dev/null >/dev/full' <<!
ctxfind: write <stdout>: No space left on device
!
rm -rf a
check 'switched off' 'mkdir -p "$XDG_CONFIG_HOME/turnpipe"
    echo "ctxfind: {enabled: false}" >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
    put a/AGENTS.md x; cd a; ctxfind </dev/null
    rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"; rm -r ../a'

# Where: designs.md 1.2
put base/project/AGENTS.md project
mkdir -p base/project/src
check 'a file above is found' 'cd base/project/src
    paths -s root -n AGENTS.md -u ""' <<!
base/project/AGENTS.md
!
put base/AGENTS.md base
put base/.agents/AGENTS.md "base agents"
put base/.opal/OPAL.md opal
check 'a variant directory' 'cd base; paths -s cwd -n OPAL.md -V .agents,.opal
    rm AGENTS.md; paths -s cwd -n AGENTS.md -V .agents,.opal; echo base >AGENTS.md' <<!
base/.opal/OPAL.md
base/.agents/AGENTS.md
!
rm -r base/.agents base/.opal
check 'root first, nearest last' 'cd base/project; paths -s root' <<!
base/AGENTS.md
base/project/AGENTS.md
!
check 'no such names, nothing' 'cd base/project; paths -s root -n NONE.md'
for d in . .agents .opal; do
	put six/$d/AGENTS.md "a$d"
	put six/$d/OPAL.md "o$d"
done
check 'all six of a directory, by name first' \
    'cd six; paths -n AGENTS.md,OPAL.md -V .agents,.opal' <<!
six/AGENTS.md
six/.agents/AGENTS.md
six/.opal/AGENTS.md
six/OPAL.md
six/.agents/OPAL.md
six/.opal/OPAL.md
!
check 'one per directory' \
    'cd six; paths --set ctxfind.one_per_dir=true -n AGENTS.md,OPAL.md -V .agents,.opal' <<!
six/AGENTS.md
!
check 'the first there, of one per directory' \
    'cd six; rm AGENTS.md; paths --set ctxfind.one_per_dir=true -n AGENTS.md,OPAL.md -V .agents' <<!
six/.agents/AGENTS.md
!
check 'case matters' 'put case/agents.md x; cd case; paths'
check 'a directory of that name is skipped' 'mkdir -p dir/AGENTS.md; cd dir
    quiet paths; told' <<!
ctxfind: W/dir/AGENTS.md: not a regular file
!

# CLAUDE.md stands in
put fb/CLAUDE.md top
put fb/a/AGENTS.md a
put fb/a/CLAUDE.md 'a claude'
put fb/a/b/CLAUDE.md b
check 'CLAUDE.md only where there is no AGENTS.md' 'cd fb/a/b; paths -s root' <<!
fb/CLAUDE.md
fb/a/AGENTS.md
fb/a/b/CLAUDE.md
!
check 'other names, other fallback' 'cd fb/a/b; paths -s root -n X.md
    paths -s root --set ctxfind.names=X.md --set ctxfind.fallback=CLAUDE.md' <<!
fb/CLAUDE.md
fb/a/CLAUDE.md
fb/a/b/CLAUDE.md
!

# How far up
mkdir base/.git
put base/project/src/deep/AGENTS.md deep
check 'up to the root of the work tree' 'put AGENTS.md outside
    cd base/project/src/deep; paths' <<!
base/AGENTS.md
base/project/AGENTS.md
base/project/src/deep/AGENTS.md
!
check 'a .git file is a root too' 'cd base; rmdir .git; echo x >.git; cd project
    paths; rm ../.git' <<!
base/AGENTS.md
base/project/AGENTS.md
!
check 'without one the working directory alone' 'cd base/project; paths' <<!
base/project/AGENTS.md
!
check 'cwd, home, root' 'cd base/project
    HOME=$W/base; for s in cwd home root; do echo "$s:"; paths -s "$s"; done
    HOME=$W/elsewhere; echo elsewhere:; paths -s home' <<!
cwd:
base/project/AGENTS.md
home:
base/AGENTS.md
base/project/AGENTS.md
root:
AGENTS.md
base/AGENTS.md
base/project/AGENTS.md
elsewhere:
AGENTS.md
base/AGENTS.md
base/project/AGENTS.md
!
check 'levels, with a word of what they cost' 'cd base/project/src/deep
    quiet paths -s root --set ctxfind.levels=3; told -s root --set ctxfind.levels=3; told -s cwd --set ctxfind.levels=1' <<!
base/project/AGENTS.md
base/project/src/deep/AGENTS.md
ctxfind: W/base/AGENTS.md: more than 3 levels up, left out
!
check 'a link to the working directory keeps its name' '
    ln -s base/project way; cd way; paths -s root; rm "$W/way"' <<!
AGENTS.md
way/AGENTS.md
!
check 'a link to below the root finds the root' '
    mkdir base/.git; ln -s base/project/src way; cd way; paths
    rm "$W/way"; rmdir "$W/base/.git"' <<!
base/AGENTS.md
base/project/AGENTS.md
!
rm AGENTS.md

# The user's own
mkdir -p "$XDG_CONFIG_HOME/turnpipe"
echo mine >"$XDG_CONFIG_HOME/turnpipe/AGENTS.md"
check "the user's own file comes first" 'cd base/project; texts' <<!
mine

project

!
check '-u says which, or none' 'cd base/project; texts -u ""; texts -u NONE.md
    echo other >"$XDG_CONFIG_HOME/turnpipe/O.md"; texts -u O.md' <<!
project

project

other

project

!
rm -r "$XDG_CONFIG_HOME/turnpipe"
check 'without a home too' 'cd base/project; (unset HOME XDG_CONFIG_HOME; paths)' <<!
base/project/AGENTS.md
!

# Duplicates: designs.md 7.1, 10
mkdir -p dup/.git dup/sub/.agents
put dup/AGENTS.md 'said once'
ln -s ../AGENTS.md dup/sub/AGENTS.md
ln -s ../../AGENTS.md dup/sub/.agents/AGENTS.md
check 'AGENTS.md linked twice comes once, nearest' \
    'cd dup/sub; paths -V .agents' <<!
dup/sub/AGENTS.md
!
check 'a hard link too' 'cd dup; ln AGENTS.md CLAUDE.md
    paths -n AGENTS.md,CLAUDE.md; rm CLAUDE.md' <<!
dup/AGENTS.md
!
check 'the same text in two files comes once, nearest' 'cd dup/sub; rm AGENTS.md
    cp ../AGENTS.md AGENTS.md; paths' <<!
dup/sub/AGENTS.md
!
check 'blank files say nothing' 'cd dup/sub; printf " \n\t\n" >AGENTS.md; paths
    : >AGENTS.md; paths; printf "\357\273\277\n" >AGENTS.md; paths' <<!
dup/AGENTS.md
dup/AGENTS.md
dup/AGENTS.md
!

# Caps
mkdir -p cap/.git cap/a/b
head -c 100 /dev/zero | tr '\0' x >cap/AGENTS.md
head -c 60 /dev/zero | tr '\0' y >cap/a/AGENTS.md
head -c 50 /dev/zero | tr '\0' z >cap/a/b/AGENTS.md
check 'a file over its cap is left out whole' 'cd cap/a/b; quiet paths --set ctxfind.max_file=60
    told --set ctxfind.max_file=60' <<!
cap/a/AGENTS.md
cap/a/b/AGENTS.md
ctxfind: W/cap/AGENTS.md: more than 60 bytes, left out
!
check 'the total is spent nearest first' 'cd cap/a/b; quiet paths --set ctxfind.max_total=100
    told --set ctxfind.max_total=100; quiet paths --set ctxfind.max_total=150
    head -c 40 /dev/zero | tr "\0" x >../../AGENTS.md; quiet paths --set ctxfind.max_total=90' <<!
cap/a/b/AGENTS.md
ctxfind: W/cap/a/AGENTS.md: 60 bytes do not fit in what nearer files leave of 100, left out
ctxfind: W/cap/AGENTS.md: 100 bytes do not fit in what nearer files leave of 100, left out
cap/a/AGENTS.md
cap/a/b/AGENTS.md
cap/AGENTS.md
cap/a/b/AGENTS.md
!
# designs.md 7.1, 11: sizes by the name, not by reading
truncate -s 1G cap/a/b/AGENTS.md
check '1 GiB is one line and no memory' 'cd cap/a/b; 
    [ -n "${SAN-}" ] || ulimit -v 300000
    quiet paths; told' <<!
cap/AGENTS.md
cap/a/AGENTS.md
ctxfind: W/cap/a/b/AGENTS.md: more than 65536 bytes, left out
!
rm cap/a/b/AGENTS.md

# What is no file
check 'a FIFO is reported and does not stall' 'cd cap/a/b; mkfifo AGENTS.md; quiet paths
    told; rm AGENTS.md' <<!
cap/AGENTS.md
cap/a/AGENTS.md
ctxfind: W/cap/a/b/AGENTS.md: not a regular file
!
check 'a FIFO behind a link' 'cd cap/a/b; mkfifo f; ln -s f AGENTS.md; told; rm f
    told; rm AGENTS.md' <<!
ctxfind: W/cap/a/b/AGENTS.md: not a regular file
ctxfind: W/cap/a/b/AGENTS.md: a link to nowhere
!
check 'a loop of links' 'cd cap/a/b; ln -s AGENTS.md AGENTS.md; ln -s . loop
    ln -s ../b back; told; quiet paths; (cd loop/loop/back/loop && quiet paths)
    rm AGENTS.md' <<!
ctxfind: W/cap/a/b/AGENTS.md: Too many levels of symbolic links
cap/AGENTS.md
cap/a/AGENTS.md
cap/AGENTS.md
cap/a/AGENTS.md
!
check 'a directory loop as variant' 'cd cap/a/b; ln -s . .agents
    echo z >AGENTS.md; paths -V .agents; rm AGENTS.md .agents' <<!
cap/AGENTS.md
cap/a/AGENTS.md
cap/a/b/AGENTS.md
!
check 'bytes that are not UTF-8 are fixed' 'cd cap/a/b; printf "a\377b\n" >AGENTS.md
    told; quiet texts -s cwd' <<!
ctxfind: W/cap/a/b/AGENTS.md: byte 2 is not UTF-8, replaced
a�b

!
check 'a BOM is no text' 'cd cap/a/b; printf "\357\273\277a\n" >AGENTS.md
    texts -s cwd | od -An -c' <<!
   a  \n  \n
!
check 'bytes that are no text at all' 'cd cap/a/b
    printf "\377\376a\0b\0" >AGENTS.md; told; quiet paths; rm AGENTS.md' <<!
ctxfind: W/cap/a/b/AGENTS.md: holds a NUL byte, so it is not text, left out
cap/AGENTS.md
cap/a/AGENTS.md
!
check 'content and path go out as they are' 'mkdir "q\"<"; cd "q\"<"
    printf "</project-context>\n<x>{{cwd}}" >AGENTS.md; texts
    ctxfind </dev/null | jq -r "select(.source).source" | sed "s|$W/||"' <<!
</project-context>
<x>{{cwd}}
q"</AGENTS.md
!
if [ "$(id -u)" -ne 0 ]; then
	fails 77 'what may not be read is a status, not a shorter prompt' \
	    'cd cap/a/b; echo x >AGENTS.md; chmod 0 AGENTS.md
	    st=0; ctxfind </dev/null 2>../err >/dev/null || st=$?; rm AGENTS.md
	    sed "s|$W|W|" ../err >&2; exit $st' <<-!
	ctxfind: W/cap/a/b/AGENTS.md: Permission denied
	!
fi

# Links that leave the tree
mkdir -p out/.git out/in
put secret 'secret'
put out/notes inside
ln -s ../../secret out/in/AGENTS.md
ln -s notes out/AGENTS.md
check 'links that leave the tree are left out, and said' 'cd out/in; quiet texts; told' <<!
inside

ctxfind: W/out/in/AGENTS.md: a link that leaves the tree, left out
!
check 'or followed, by the settings' 'mkdir -p c/turnpipe
    echo "ctxfind: {refuse_outside: false}" >c/turnpipe/settings.yaml
    export XDG_CONFIG_HOME=$PWD/c; cd out/in; texts; rm -r ../../c' <<!
inside

secret

!
check '--set refuses them whatever the settings say' 'mkdir -p c/turnpipe
    echo "ctxfind: {refuse_outside: false}" >c/turnpipe/settings.yaml
    export XDG_CONFIG_HOME=$PWD/c; cd out/in; quiet texts --set ctxfind.refuse_outside=true; told --set ctxfind.refuse_outside=true; rm -r ../../c' <<!
inside

ctxfind: W/out/in/AGENTS.md: a link that leaves the tree, left out
!
fails 77 'also of the path' 'cd out/in; ctxfind --set ctxfind.refuse_outside=true -p 2>err; s=$?
    sed "s|$W|W|" err >&2; exit $s' <<!
ctxfind: W/out/in/AGENTS.md: a link that leaves the tree
!

# The project's file
mkdir -p proj/.git proj/src
check '--path: where the file would be, then where it is' 'cd proj/src
    ctxfind -p | sed "s|$W|W|"; ctxfind -p >/dev/null; echo $?
    echo x >../AGENTS.md; ctxfind --path | sed "s|$W|W|"; ctxfind -p >/dev/null; echo $?' <<!
W/proj/AGENTS.md
1
W/proj/AGENTS.md
0
!
check '--path of another name' 'cd proj; ctxfind -n ALLY.md -s cwd -p | sed "s|$W|W|"' <<!
W/proj/ALLY.md
!
fails 74 '--path to a full disk' 'cd proj; ctxfind -p >/dev/full' <<!
ctxfind: write <stdout>: No space left on device
!

# One section of another kind: -k
kinds() { ctxfind "$@" </dev/null | jq -rc 'select(.type=="section")|
    [.id, .source, .content]' | sed "s|$W|W|g"; }
check '-k: the nearest file alone, by the kind alone' '
    put k/P.md top; put k/a/P.md mid; put k/a/b/x x; mkdir k/.git; cd k/a/b
    kinds -k preferences -n P.md; cd ../..; kinds --kind=preferences -n P.md' <<!
["preferences","W/k/a/P.md","mid\n"]
["preferences","W/k/P.md","top\n"]
!
check '-k: one that says nothing gives way' 'cd k/a; echo " " >P.md
    kinds -k preferences -n P.md' <<!
["preferences","W/k/P.md","top\n"]
!
check '-k: of several names the first' 'cd k; put Q.md q; kinds -k x -n P.md,Q.md
    kinds -k x -n Q.md,P.md' <<!
["x","W/k/P.md","top\n"]
["x","W/k/Q.md","q\n"]
!
check '-k: the file of the user, if asked for and nothing is nearer' '
    put "$XDG_CONFIG_HOME/turnpipe/AGENTS.md" A
    put "$XDG_CONFIG_HOME/turnpipe/P.md" own; cd k; kinds -k x -n N.md
    kinds -k x -n N.md -u P.md | sed "s|\"[^,]*/home/|\"|"; kinds -u P.md -k x -n P.md; cd a; rm P.md
    rm -r "$XDG_CONFIG_HOME/turnpipe"' <<!
["x",".config/turnpipe/P.md","own\n"]
["x","W/k/P.md","top\n"]
!
check '-k: what was not looked for is not reported' 'cd k; mkdir c; put c/P.md p
    mv P.md f; mkdir P.md; cd c; told -k x -n P.md --set ctxfind.levels=1; cd ..; told -k x -n P.md
    rmdir P.md; mv f P.md' <<!
ctxfind: W/k/P.md: not a regular file
!
check '-k: a section in front of each end, others pass' 'cd k
    printf "%s\n" "{\"type\":\"end\"}" "{\"type\":\"end\"}" |
    ctxfind -k x -n P.md | jq -rc .type' <<!
section
end
section
end
!

# Usage
u='usage: ctxfind [-pt] [-k kind] [-n list] [-s place] [-u name]
           [-V list]'
fails 64 'operands' 'ctxfind AGENTS.md' <<!
ctxfind: unexpected operand 'AGENTS.md'
$u
!
fails 64 'a name that leads out' 'ctxfind -n ../x' <<!
ctxfind: -n: expected names below a directory, got '../x'
!
fails 64 'an absolute variant' 'ctxfind -V /etc' <<!
ctxfind: -V: expected names below a directory, got '/etc'
!
fails 64 'not a kind' 'ctxfind -k ""' <<!
ctxfind: -k: expected the kind of a section
$u
!
mkdir -p eio
if [ -r /proc/self/mem ] && ln -s /proc/self/mem eio/AGENTS.md; then
fails 74 'an error of the disk is a status, not a shorter prompt' \
    'cd eio && printf "ctxfind: {refuse_outside: false}\n" >s.yaml &&
    mkdir -p p && mv s.yaml p/settings.yaml &&
    TURNPIPE_PATH=$PWD/p ctxfind -s cwd </dev/null 2>err; s=$?
    sed "s|: /.*/eio/|: eio/|" err >&2; exit $s' <<!
ctxfind: eio/AGENTS.md: Input/output error
!
fi
fails 64 'a place that is not known' 'ctxfind -s moon' <<!
ctxfind: -s: expected cwd, git, home or root, got 'moon'
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe"
echo 'ctxfind: {stop: moon}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
fails 78 'a setting that is not known' 'ctxfind </dev/null' <<!
ctxfind: $XDG_CONFIG_HOME/turnpipe/settings.yaml:1:17: expected cwd, git, home or root
!
echo 'ctxfind: {names: [../x]}' >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
fails 78 'a setting that leads out of the directory' 'ctxfind </dev/null' <<!
ctxfind: $XDG_CONFIG_HOME/turnpipe/settings.yaml:1:18: expected names below a directory
!
cat >"$XDG_CONFIG_HOME/turnpipe/settings.yaml" <<!
ctxfind: {names: [X.md], variants: [.x], max_file: 8, one_per_dir: true}
!
check 'settings are the defaults' 'put set/X.md 123456789; put set/.x/X.md 12
    cd set; told; paths --set ctxfind.max_file=100' <<!
ctxfind: W/set/X.md: more than 8 bytes, left out
set/X.md
!

# A ring: each conversation is that of its session record's work tree.
rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"
mkdir -p ring/a ring/b ring/s/a.d ring/s/b.d ring/s/c.d ring/share
for i in a b c; do
	echo '{"role":"user","content":"hi"}' >ring/s/$i.jsonl
	echo "$W/ring/$i" >ring/s/$i.d/cwd
	[ "$i" = c ] || echo "rules of $i" >ring/$i/AGENTS.md
done
fails 66 'a ring: two trees, and one that is not there' '
    printf "%s\n" a c b a | TURNPIPE_RING=ring/s histfit >in; st=$?
    TURNPIPE_RING=1 TURNPIPE_PATH=ring/share ctxfind -s cwd -u "" <in >ring/out; exit $st' <<!
histfit: $W/ring/c: No such file or directory
!
check 'each has its own file; of the one that is not there the error and the end leave' '
    jq -r "if .type == \"section\" then .content[:-1] else .type // empty end" ring/out | xargs' <<!
session state rules of a state end session error end session state rules of b state end session state rules of a state end
!
check 'by hand a session record steers nothing' 'ctxfind -s cwd -u "" <in | grep -c rules || :' <<!
0
!
mkfifo ring/in
check 'a ring: each edit of a file is seen by the next conversation, one of equal size too' '
    head -n 4 in >one; : >seen
    TURNPIPE_RING=1 ctxfind -s cwd -u "" <ring/in | sed -un "s/.*content\":\"\([0-9][0-9]*\)..\"}/\1/p; /\"end\"/p" >seen & p=$!
    exec 9>ring/in; i=1000; n=0
    while [ $((i += 1)) -le 1200 ]; do
	echo $i >ring/a/AGENTS.md; cat one >&9; : $((n += 1))
	until [ "$(grep -c end seen)" -eq $n ]; do :; done
    done
    exec 9>&-; wait $p; grep -v end seen | sort -u | wc -l; tail -n 2 seen | head -n 1' <<!
200
1200
!
