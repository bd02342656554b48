#!/bin/sh
. "${0%/*}/../lib.sh"

W=$PWD
export TURNPIPE_SHARE="$TOP/share"
unset TURNPIPE_PATH TURNPIPE_PROFILE
mkdir -p proj/.git proj/src
at() { sed "s|$W|W|g"; }

check 'path: where it would be, status 1' 'cd proj/src
    turnpipe-project path >o; echo $?; at <o' <<!
1
W/proj/AGENTS.md
!
fails 1 'show without a file' 'cd proj; turnpipe-project 2>err; s=$?; at <err >&2
    exit $s' <<!
turnpipe: W/proj/AGENTS.md: not there
!
check 'init asks and writes' 'cd proj/src; printf "%s\n" "A tool." "make" "" \
    "  tabs  " "Never \`rm\` {{answer}}." | turnpipe-project init | at
    cat ../AGENTS.md' <<!
W/proj/AGENTS.md
# proj

A tool.

## Build

Run \`make\`.

## Style

tabs

## Limits

Never \`rm\` {{answer}}.
!
check 'a new file has the mode that umask leaves' '
    cd proj; rm AGENTS.md; umask 027; turnpipe-project add x >/dev/null
    ls -l AGENTS.md | cut -c 1-10' <<!
-rw-r-----
!
fails 73 'init leaves a file that is there' 'cd proj; turnpipe-project init </dev/null 2>err
    s=$?; at <err >&2; exit $s' <<!
turnpipe: W/proj/AGENTS.md: is there already
!
fails 1 'init without answers writes nothing' 'mkdir none; cd none
    turnpipe-project init </dev/null; s=$?; [ ! -e AGENTS.md ] || echo there; exit $s' <<!
turnpipe: no answers: nothing written
!
check 'add: a paragraph at the end of the nearest' 'cd proj/src
    printf "last line" >../AGENTS.md; turnpipe-project add Use tabs. | at
    printf "two\nlines\n" | turnpipe-project add >/dev/null
    turnpipe-project show' <<!
W/proj/AGENTS.md
last line

Use tabs.

two
lines
!
check 'add makes the file' 'mkdir new; cd new; turnpipe-project add one >/dev/null
    cat AGENTS.md' <<!
one
!
fails 64 'add of nothing' 'cd proj; turnpipe-project add </dev/null' <<!
turnpipe: nothing to add
!
fails 73 'add never makes it too large' '
    mkdir -p cfg; echo "ctxfind: {max_file: 40}" >cfg/settings.yaml
    cd proj; export TURNPIPE_PATH="$W/cfg"
    turnpipe-project add "a line that has more than forty bytes in it" 2>err
    s=$?; at <err >&2; exit $s' <<!
turnpipe: W/proj/AGENTS.md: would be larger than 40 bytes, and no longer read
!
fails 73 'add follows no link to nowhere' 'mkdir away; cd away
    ln -s ../made AGENTS.md; turnpipe-project add x 2>err; s=$?; at <err >&2
    [ ! -e ../made ] || echo made; exit $s' <<!
turnpipe: W/away/AGENTS.md: a link to nowhere
!
check 'a link stays a link, what it leads to is written' 'mkdir linked; cd linked
    echo a >real.md; ln -s real.md AGENTS.md; turnpipe-project add b >/dev/null
    [ -L AGENTS.md ] && cat real.md' <<!
a

b
!
check 'edit runs the editor, with its options' 'cd proj/src; cat >ed <<"E"
#!/bin/sh
echo "$# $1 ${2##*/}"
E
    chmod +x ed; VISUAL="./ed -x" EDITOR=false turnpipe-project edit
    (unset VISUAL; EDITOR="./ed -y" turnpipe-project edit)' <<!
2 -x AGENTS.md
2 -y AGENTS.md
!
check 'the file of a profile: ALLY.md of the working directory, PREFERENCES.md never' '
    cd proj/src; for p in default ally opal ivy annabelle; do
	echo "$p $(turnpipe-project -P $p path | at)"; done' <<!
default W/proj/AGENTS.md
ally W/proj/src/ALLY.md
opal W/proj/AGENTS.md
ivy W/proj/AGENTS.md
annabelle W/proj/AGENTS.md
!
fails 64 'an unknown word' 'turnpipe-project frob 2>&1 >/dev/null | head -n 1 >&2
    exit 64' <<!
turnpipe: expected path, show, edit, init or add, not 'frob'
!
fails 66 'no such profile' 'turnpipe-project -P nosuch 2>&1 >/dev/null | sed "s, *;.*,," >&2
    exit 66' <<!
turnpipe: profile nosuch: not found
!
