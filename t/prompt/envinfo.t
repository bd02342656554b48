#!/bin/sh
. "${0%/*}/../lib.sh"

W=$PWD
TURNPIPE_NOW=2026-02-12T13:30:05Z
export TURNPIPE_NOW
C=$XDG_CONFIG_HOME/turnpipe
mkdir -p "$C" "$HOME/patient"
# However slow the machine is, git and the tools have their time.
echo 'envinfo: {git_timeout: 60000, tool_timeout: 60000}' >"$HOME/patient/settings.yaml"
export TURNPIPE_PATH="$C:$HOME/patient:$TOP/share"
# KIND: content of the sections asked for.
say() { envinfo "$@" </dev/null | jq -r 'select(.type=="section")|.content' |
    sed "s|$W|W|g"; }
settings() { printf '%s\n' "$1" >"$C/settings.yaml"; }
# What hangs is given up soon; who does not may need longer for that.
patiently() { for ms in 200 2000 20000 60000; do
    settings "envinfo: {tool_timeout: $ms}"; "$@" >"$W/said" 2>&1
    [ "$(grep -c "in time$" "$W/said")" -gt 1 ] || break
    done; cat "$W/said"; }
template() { mkdir -p "$C/prompts/env"; printf '%s\n' "$2" \
    >"$C/prompts/env/$1.md"; }
git() { command git -c user.name=a -c user.email=a@b -c init.defaultBranch=main \
    -c commit.gpgSign=false -c protocol.file.allow=always "$@"; }

# The stream
check 'records pass, sections come before end' '
    printf "%s\n" "{\"role\":\"user\",\"content\":\"x\"}" "{ \"type\":\"end\" }" |
    envinfo -s cwd,clock | sed "s|$W|W|g"' <<!
{"role":"user","content":"x"}
{"type":"section","id":"cwd","content":"W"}
{"type":"section","id":"clock","volatile":true,"content":"Thursday, February 12, 2026, 13:30 (UTC)"}
{ "type":"end" }
!
check 'empty input' 'envinfo -s clock=iso </dev/null' <<!
{"type":"section","id":"clock","volatile":true,"content":"2026-02-12T13:30:05+00:00"}
!
fails 65 'bad input' 'printf "[]\n" | envinfo -s cwd' <<!
envinfo: <stdin>:1:1: expected an object
!
fails 74 'a full disk is not success' 'envinfo -s cwd </dev/null >/dev/full' <<!
envinfo: write <stdout>: No space left on device
!
check 'a reader that leaves' '{ yes "{\"type\":\"end\"}" | head -50000; } |
    envinfo -s os | head -1 | jq -r .id' <<!
os
!
check 'same input, same bytes' 'envinfo </dev/null >"$W/1"; envinfo </dev/null |
    cmp - "$W/1"; rm "$W/1"'
check 'switched off' 'settings "envinfo: {enabled: false}"; envinfo </dev/null
    rm "$C/settings.yaml"'
needs git check 'the default sections, and what is volatile' '
    command git init -q g; cd g; echo "int x;" >x.c
    TURNPIPE_CHAT=7 SHELL=/bin/sh envinfo </dev/null |
    jq -r "\"\(.id) \(.volatile)\""; rm -rf ../g' <<!
cwd null
os null
shell null
project null
chat null
git true
clock true
consent true
!
check 'where nobody can consent that is said, and what the rules permit' '
    say -s consent; TURNPIPE_PERMIT="shell(make test)
edit_file(src/**)" say -s consent; settings "toolrun: {allow: [fetch]}"; say -s consent; settings ""
    TURNPIPE_YES=1 say -s consent; TURNPIPE_ASK_LATER=1 say -s consent; TURNPIPE_ASK_FD=9 say -s consent
    TURNPIPE_ASK_LATER=1 TURNPIPE_PARENT=x TURNPIPE_ASK=0 say -s consent' <<!
No user is there to consent in this run: a call that needs consent is denied.
No user is there to consent in this run: a call that needs consent is denied. By the user's rules these run without: shell(make test), edit_file(src/**)
No user is there to consent in this run: a call that needs consent is denied. By the user's rules these run without: fetch
No user is there to consent in this run: a call that needs consent is denied.
!
check 'what is not there says nothing' 'say -s shell,chat,git,project,workspace'

# Clock
if [ -r /usr/share/zoneinfo/Europe/Warsaw ]; then	# tzdata
check 'forms of the clock' 'TZ=Europe/Warsaw say -s \
    clock=long,clock=iso,clock=both,clock=utc' <<!
Thursday, February 12, 2026, 14:30 (Europe/Warsaw)
2026-02-12T14:30:05+01:00
Thursday, February 12, 2026, 14:30 (Europe/Warsaw)
2026-02-12T14:30:05+01:00
2026-02-12 13:30:05
!
check 'days below ten, west of Greenwich' 'TURNPIPE_NOW=2026-07-04T02:05:00Z \
    TZ=America/New_York say -s clock=both; TURNPIPE_NOW=2026-07-04T02:05:00Z \
    TZ=Asia/Kolkata say -s clock=iso' <<!
Friday, July 3, 2026, 22:05 (America/New_York)
2026-07-03T22:05:00-04:00
2026-07-04T07:35:00+05:30
!
fi
check 'a zone that is not known is reported, once a session; what is shown is UTC' '
    mkdir zrun; for i in 1 2; do TZ=Mars/Base TURNPIPE_RUN=$PWD/zrun say -s clock,clock=iso 2>&1; done; TZ=Mars/Base say -s clock=utc' <<!
envinfo: TZ: no time zone 'Mars/Base': the clock is in UTC
Thursday, February 12, 2026, 13:30 (UTC)
2026-02-12T13:30:05+00:00
Thursday, February 12, 2026, 13:30 (UTC)
2026-02-12T13:30:05+00:00
2026-02-12 13:30:05
!
check 'the form is a setting' 'settings "envinfo: {forms: {clock: iso}}"
    say -s clock; rm "$C/settings.yaml"' <<!
2026-02-12T13:30:05+00:00
!
fails 64 'not a time' 'TURNPIPE_NOW=noon envinfo -s clock </dev/null' <<!
envinfo: TURNPIPE_NOW: expected a time as 2026-11-21T09:30:00Z, got 'noon'
!

# System
fails 66 'no directory is no section, but a fault here' '
    mkdir gone; cd gone; rmdir ../gone; envinfo -s cwd </dev/null' <<!
envinfo: working directory: No such file or directory
!
check 'what runs here' 'say -s os | grep -Fc "$(uname -s) $(uname -r) ($(uname -m))"
    [ "$(say -s os=platform)" = "$(uname -s | tr A-Z a-z) $(uname -r)" ]
    SHELL=/bin/zsh say -s shell; TURNPIPE_CHAT=123456789 say -s chat' <<!
1
/bin/zsh
123456789
!
check 'a directory makes no lines of its own' 'd=$(printf "a\nb\033c"); mkdir "$d"
    cd "$d"; say -s cwd; cd ..; rmdir "$d"' <<!
W/a?b?c
!
check 'links in the way stay' 'mkdir real; ln -s real way; cd way; say -s cwd
    rm "$W/way"; rmdir "$W/real"' <<!
W/way
!

# Templates are data
check 'a section of one file' 'template place "in {{cwd}}"; say -s place' <<!
in W
!
check 'a line whose hole has no value goes' '
    template x "cwd {{cwd}}
branch {{branch}}
end"; say -s x' <<!
cwd W
end
!
check 'a stretch in [[ ]] goes alone' '
    template x "a[[ {{branch}}]][[ {{zone}}]] b[[!]]"; say -s x' <<!
a UTC b!
!
check 'what changes makes a section volatile' 'template x "{{cwd}}"
    template y "{{cwd}} {{year}}"; envinfo -s x,y </dev/null |
    jq -c "[.id,.volatile]"' <<!
["x",null]
["y",true]
!
check 'an empty template switches off' ': >"$C/prompts/env/cwd.md"
    say -s cwd,clock=utc; rm "$C/prompts/env/cwd.md"' <<!
2026-02-12 13:30:05
!
check 'values are not looked at again' 'mkdir "{{zone}}"; cd "{{zone}}"; say -s cwd
    cd ..; rmdir "{{zone}}"' <<!
W/{{zone}}
!
template x 'a {{nothing}}'
fails 78 'a hole that is not known' 'envinfo -s x </dev/null 2>err; s=$?
    sed "s|$C|C|" err >&2; exit $s' <<!
envinfo: C/prompts/env/x.md: no such hole in 'a {{nothing}}'
!
template x 'a [[b'
fails 78 'a stretch without end' 'envinfo -s x </dev/null 2>err; s=$?
    sed "s|$C|C|" err >&2; exit $s' <<!
envinfo: C/prompts/env/x.md: expected ]] after [[
!
rm -r "$C/prompts"

# git
needs git check 'before the first commit' 'mkdir g; cd g; git init -q; say -s git
    say -s git=branch' <<!
branch main, clean
branch: main
!
needs git check 'staged, modified, untracked' 'cd g; echo a >a; echo b >b; git add a b
    git commit -qm one; say -s git; echo x >>a; echo c >c; echo d >d; git add d
    say -s git' <<!
branch main, clean
branch main, 1 staged, 1 modified, 1 untracked
!
needs git check 'as git itself counts' 'cd g; git status --porcelain | cut -c1-2 | sort' <<!
 M
??
A 
!
needs git check 'touched and the same is clean' 'cd g; git add -A; git commit -qm two
    touch a b; say -s git' <<!
branch main, clean
!
needs git check 'ahead and behind' 'git clone -q g h; cd h; git commit -q --allow-empty -m x
    git commit -q --allow-empty -m y; (cd ../g; git commit -q --allow-empty -m z)
    git fetch -q; say -s git' <<!
branch main, clean, 2 ahead, 1 behind
!
needs git check 'from below, and with a branch in a directory' 'cd g; git checkout -qb feat/x
    mkdir sub; cd sub; say -s git=branch' <<!
branch: feat/x
!
needs git check 'detached' 'cd g; git checkout -q --detach; say -s git >"$W/got"
    echo "detached at $(git rev-parse HEAD | cut -c1-10), clean" | cmp - "$W/got"
    git checkout -q main'
needs git check 'a linked work tree' 'cd g; git worktree add -q -b other ../tree; cd ../tree
    say -s git' <<!
branch other, clean
!
needs git check 'a submodule' 'cd h; git submodule -q add ../g sub 2>/dev/null; cd sub
    say -s git=branch' <<!
branch: main
!
needs git check 'a merge that stands' 'git init -q m; cd m; echo 1 >f; git add f
    git commit -qm 1; git checkout -qb b; echo 2 >f; git commit -qam 2
    git checkout -q main; echo 3 >f; git commit -qam 3
    git merge -q b >/dev/null || :; say -s git
    git merge --abort; git rebase -q b >/dev/null 2>&1 || :; say -s git' <<!
branch main, merge in progress, 1 in conflict
branch main, rebase in progress, 1 in conflict
!
needs git check 'no git is run where nothing asks, or none may' '
    mkdir bin; printf "#!/bin/sh\necho run >>\"$W/ran\"\nexit 1\n" >bin/git
    chmod +x bin/git; PATH=$W/bin:$PATH; cd g; say -s git=branch
    settings "envinfo: {git_status: false}"; say -s git; cat "$W/ran" 2>/dev/null || :
    rm "$C/settings.yaml"' <<!
branch: main
branch main
!
needs git check 'a failing git is reported, and the branch is printed' '
    PATH=$W/bin:$PATH; cd g; say -s git 2>&1' <<!
envinfo: git status: failed, so changed and ignored files are not known
branch main
!
needs git check 'git that hangs is given up' 'printf "#!/bin/sh\nexec sleep 600\n" >bin/git
    settings "envinfo: {git_timeout: 30}"; PATH=$W/bin:$PATH; cd g
    say -s git 2>&1; rm "$C/settings.yaml"' <<!
envinfo: git status: too slow, so changed and ignored files are not known
branch main
!
needs git check 'no git at all' 'rm bin/git; for i in envinfo jq sed; do
    ln -s "$(command -v $i)" bin; done; PATH=$W/bin; cd g; say -s git' <<!
branch main
!
rm -rf bin
needs git check 'no command of the work tree is run' 'cd g
    git config core.fsmonitor "touch \"$W/evil\"; false"; say -s git; ls "$W/evil" 2>&1 |
    sed "s/.*: No/No/"; git config --unset core.fsmonitor' <<!
branch main, clean
No such file or directory
!
# To compare a file of the same size git runs the filters of .gitattributes.
needs git check 'no filter of the work tree is run' 'git init -q f; cd f
    echo "* filter=evil" >.gitattributes; echo a >a; git add .; git commit -qm 1
    git config filter.evil.clean "touch \"$W/evil\"; cat"
    git config filter.evil.process "touch \"$W/evil\""
    git config filter.evil.required true; echo b >a
    say -s git; ls "$W/evil" 2>&1 | sed "s/.*: No/No/"' <<!
branch main, 1 modified
No such file or directory
!
needs git check 'where that cannot be made sure of, git is not asked' 'cd f
    for e in include "filter \"a=b\"" "Filter.x" "filter \"a"; do
	cp .git/config c; printf "[%s]\n\tpath = ../evil\n" "$e" >>.git/config
	say -s git 2>&1; mv c .git/config; done
    echo "[filter]x = 1 [filters]" >>.git/config
    rm -f a; say -s git' <<!
$(for i in 1 2 3 4; do
echo 'envinfo: git status: not asked, for .git/config has a filter or an include of its own'
echo branch main; done)
branch main, 1 modified
!
needs git check 'a bare clone inside the tree is not the one asked' 'cd g; mkdir in
    git init -q --bare in; git -C in config core.bare false
    git -C in config core.worktree ..; echo "* filter=evil" >.gitattributes
    cd in; git add ../a 2>/dev/null; git config filter.evil.clean "touch \"$W/evil2\"; cat"
    cp ../a ../a2; tr "[:graph:]" x <../a2 >../a; say -s git | sed "s/, .*//"
    ls "$W/evil2" 2>&1 | sed "s/.*: No/No/"; cd ..; mv a2 a; rm -r in .gitattributes' <<!
branch main
No such file or directory
!
needs git check 'GIT_DIR of somebody else does not count' 'cd g
    GIT_DIR=$W/h/.git GIT_INDEX_FILE=/x say -s git' <<!
branch main, clean
!
needs git check 'a .git that is not a repository' 'mkdir bad; cd bad; echo nonsense >.git; say -s git
    rm .git; mkdir .git; say -s git; echo "ref: ../../../etc/passwd" >.git/HEAD
    template x "{{detached}}{{staged}}"; say -s x 2>&1; rm -r "$C/prompts"' <<!
envinfo: git status: failed, so changed and ignored files are not known
!
needs git check 'nothing is written in .git' 'cd g; touch a; find .git -type f -newer a \
    -exec ls {} +; cp .git/index "$W/idx"; touch -d 2020-01-01 a; say -s git
    cmp .git/index "$W/idx"' <<!
branch main, clean
!

# Project
check 'languages, frameworks, manager, containers, CI' '
    mkdir -p p/.github/workflows p/src; cd p
    echo "{\"dependencies\":{\"express\":\"4\",\"typescript\":\"5\"}}" >package.json
    : >package-lock.json; : >Dockerfile; : >src/x.c; mkdir .git
    say -s project; say -j " • " -s project; say -s project=lines
    cd src; say -s project' <<!
C, JavaScript, TypeScript, Express, npm, Docker, GitHub Actions
C • JavaScript • TypeScript • Express • npm • Docker • GitHub Actions
languages: C, JavaScript, TypeScript
frameworks: Express
build and packages: npm
containers: Docker
continuous integration: GitHub Actions
C, JavaScript, TypeScript, Express, npm, Docker, GitHub Actions
!
check 'a part of the tree counts with the whole' 'cd p; mkdir part
    : >part/Cargo.toml; cd part; say -s project=lines | head -1; rm -r ../part' <<!
languages: C, JavaScript, Rust, TypeScript
!
check 'a table of our own, with a category more' 'mkdir mine; cd mine
    echo "style: {Tabs: [\"*.tab\"], Spaces: [\"*.sp\", {conf: indent}]}" \
        >"$C/markers.yaml"; template x "{{style}}"
    : >.h.tab; say -s x; : >a.tab; say -s x; echo no >conf; say -s x
    echo "indent=2" >conf; say -s x; say -s project' <<!
Tabs
Tabs
Tabs, Spaces
Tabs, Spaces
!
check 'a FIFO among the files does not stall' 'cd mine; rm conf; mkfifo conf
    say -s x' <<!
Tabs
!
echo 'style: {Tabs: 5}' >"$C/markers.yaml"
fails 78 'a table that is wrong' 'envinfo -s project </dev/null 2>err; s=$?
    sed "s|$C|C|" err >&2; exit $s' <<!
envinfo: C/markers.yaml:1:15: expected an array, found number
!
echo 'style: {Tabs: ["*.tab", {a: b, c: d}]}' >"$C/markers.yaml"
fails 78 'a marker with two names passed for its first' 'envinfo -s project </dev/null 2>err; s=$?
    sed "s|$C|C|" err >&2; exit $s' <<!
envinfo: C/markers.yaml:1:25: expected at most 1 member, found 2
!
rm "$C/markers.yaml"
check 'no file of the project chooses the program that is run' '
    mkdir chosen fake; cd chosen
    : >Cargo.toml; : >go.mod; : >yarn.lock; : >pnpm-lock.yaml
    for p in cargo rustc go yarn pnpm; do
        printf "#!/bin/sh\nif [ -e go.mod ]; then echo 6.6; else echo 1.1; fi\n" \
	    >../fake/$p; chmod +x ../fake/$p; done
    PATH=$W/fake:$PATH say -s toolchain; cd ..; rm -r chosen fake' <<!
cargo 1.1, go 1.1, pnpm 1.1, rustc 1.1, yarn 1.1
!
check 'a program that said all and goes on is given up' '
    cat >"$C/markers.yaml" <<"E"
languages: {A: [a], B: [b]}
toolchain:
  one: {for: [A], run: [sh, -c, "echo 1.1; exec >&- 2>&-; exec sleep 600"]}
  two: {for: [B], run: [echo, "2.2"]}
E
    mkdir v; cd v; : >a; : >b; patiently say -s toolchain
    cd ..; rm -r v "$C/settings.yaml" "$C/markers.yaml"' <<!
envinfo: one: did not print its version in time
two 2.2
!
check 'npm --version ran before every model call: once a session is enough' '
    cat >"$C/markers.yaml" <<"E"
languages: {A: [a]}
toolchain:
  one: {for: [A], run: [sh, -c, "echo x >>../versions; echo 1.1"]}
E
    mkdir v v/run v/other; cd v; : >a; export TURNPIPE_RUN="$PWD/run"
    for i in 1 2 3; do say -s toolchain; done; wc -l <../versions
    echo "$(cat run/toolchain)"; stat -c %a run/toolchain
    TURNPIPE_DRY=x TURNPIPE_RUN="$PWD/other" say -s toolchain; ls other
    TURNPIPE_RUN="$PWD/other" say -s toolchain; wc -l <../versions
    cd ..; rm -r v versions "$C/markers.yaml"' <<!
one 1.1
one 1.1
one 1.1
1
one 1.1
600
one 1.1
one 1.1
3
!
check 'a program that was late once changed the prompt in the middle of a turn' '
    cat >"$C/markers.yaml" <<"E"
languages: {A: [a], B: [b]}
toolchain:
  one: {for: [A], run: [sh, -c, "[ -e late ] || exec sleep 600; echo 1.1"]}
  two: {for: [B], run: [echo, "2.2"]}
E
    mkdir v v/run; cd v; : >a; : >b; export TURNPIPE_RUN="$PWD/run"
    again() { rm -f run/toolchain; say -s toolchain; }
    patiently again; : >late; say -s toolchain
    cd ..; rm -r v "$C/markers.yaml" "$C/settings.yaml"' <<!
envinfo: one: did not print its version in time
two 2.2
two 2.2
!
check 'versions, when asked' 'cat >"$C/markers.yaml" <<"E"
languages: {A: [a], B: [b], C: [c], D: [d], E: [e], F: [f]}
toolchain:
  one: {for: [A], run: [echo, "one (x86) 12.3.4-5 9.9"]}
  two: {for: [X], run: [echo, "1.0"]}
  three: {for: [B], run: [no-such-program-here]}
  four: {for: [C], run: [sh, -c, "echo v7.1. >&2"]}
  five: {for: [D], run: [sh, -c, "echo 1.1; exit 1"]}
  six: {for: [E], run: [echo, none]}
  seven: {for: [F], run: [sleep, "600"]}
E
    mkdir v; cd v; : >a; : >b; : >c; : >d; : >e; say -s toolchain
    : >f; patiently say -s toolchain; rm "$C/settings.yaml" "$C/markers.yaml"' <<!
one 12.3.4, four 7.1
envinfo: seven: did not print its version in time
one 12.3.4, four 7.1
!

# Workspace
mkdir -p w/src/deep/deeper w/build w/.hid w/keep/a
cd w
command git init -q 2>/dev/null || :
: >README; : >src/a.c; : >src/a.o; : >src/deep/x; : >src/deep/deeper/y
: >build/out; : >.hid/z; : >keep/a/k.log; : >keep/a/n.log; : >keep/n.log
ln -s .. up
ln -s src src2
printf '%s\n' '*.o' '/build/' '*.log' >.gitignore
printf '%s\n' '!k.log' >keep/.gitignore
cd ..
needs git check 'the tree, .gitignore honoured' 'cd w; say -s workspace' <<!
README
keep/
  a/
    k.log
src/
  a.c
  deep/
    deeper/
    x
src2@
up@
!
needs git check 'from below, with the rules from above' 'cd w/keep/a; say -s workspace
    cd ../../src; say -s workspace' <<!
k.log
a.c
deep/
  deeper/
    y
  x
!
needs git check 'as git lists it' 'cd w
    settings "envinfo: {tree: {depth: 20, entries: 1000, hidden: true}}"
    say -s workspace | grep -cv "/\$" >"$W/ours"
    command git ls-files -co --exclude-standard | wc -l | cmp - "$W/ours"
    rm "$C/settings.yaml"'
needs git check 'excludes of the clone and of the user' 'cd w; echo README >>.git/info/exclude
    mkdir -p "$XDG_CONFIG_HOME/git"; echo "up" >"$XDG_CONFIG_HOME/git/ignore"
    say -s workspace | head -2; rm -r "$XDG_CONFIG_HOME/git"' <<!
keep/
  a/
!
check 'where git may not be asked, the tree has what it would leave out' 'cd w
    settings "envinfo: {git_status: false}"; say -s workspace | grep -x "  a.o"
    rm "$C/settings.yaml"' <<!
  a.o
!
check 'caps: near the top first, what is left out counted' 'mkdir caps; cd caps
    mkdir a b; touch a/1 a/2 a/3 b/1 b/2 c; mkdir a/0
    settings "envinfo: {tree: {depth: 3, entries: 5, per_directory: 40}}"
    say -s workspace; settings "envinfo: {tree: {per_directory: 2}}"
    say -s workspace; settings "envinfo: {tree: {depth: 1}}"; say -s workspace
    settings "envinfo: {tree: {depth: 0}}"; say -s workspace
    rm "$C/settings.yaml"' <<!
a/
  0/
  1
  ... +2
b/
  ... +2
c
a/
  0/
  1
  ... +2
b/
  1
  2
... +1
a/
b/
c
!
needs git check 'a huge .gitignore does not stall' 'mkdir hg; cd hg; git init -q
    yes "*a*b*c*d*e*f*g*" | head -n 10000 >.gitignore
    seq -f "a%0100g" 700 | xargs touch
    [ -n "${SAN-}" ] || ulimit -t 60; say -s workspace | grep -c a000; cd ..; rm -r hg' <<!
40
!
check 'names that would make lines' 'mkdir n; cd n; touch "$(printf "a\nb")" \
    "$(printf "\377")"; say -s workspace' <<!
a?b
�
!

# Usage
u='usage: envinfo [-j text] [-s list]'
fails 64 'a section that is not known' 'envinfo -s colck </dev/null' <<!
envinfo: prompts/env/colck.md: not on the search path
!
fails 64 'a form that is not known' 'envinfo -s clock=sundial </dev/null' <<!
envinfo: prompts/env/clock-sundial.md: not on the search path
!
fails 64 'a name that leads out' 'envinfo -s ../x </dev/null' <<!
envinfo: expected KIND or KIND=FORM, got '../x'
!
fails 64 'operands' 'envinfo cwd' <<!
envinfo: unexpected operand 'cwd'
$u
!
settings 'envinfo: {git_timeout: -1}'
fails 78 'a setting out of bounds' 'envinfo </dev/null' <<!
envinfo: $XDG_CONFIG_HOME/turnpipe/settings.yaml:1:24: expected a whole number from 0
!
settings 'envinfo: {sections: [moon]}'
fails 78 'a setting that names no section' 'envinfo </dev/null' <<!
envinfo: prompts/env/moon.md: not on the search path
!
rm "$C/settings.yaml"
