#!/bin/sh
. "${0%/*}/../lib.sh"

mkdir -p tree/.git tree/d outside
tree=$PWD/tree
cd tree
echo inside >f
echo outside >../outside/f
ln -s ../outside/f out
ln -s "$tree/f" absolute
ln -s f in
ln -s ../../outside d/far
ln -s nowhere dangling
ln -s ../outside/new gone

# Reading.
check 'a file is standard input' 'intree f -- cat' <<!
inside
!
check 'started with standard input closed, the file is it all the same' \
    'intree f -- cat <&-; cp f g; intree -w g -- sh -c "cat; echo more" <&- >&-; cat g; rm g' <<!
inside
inside
more
!
check 'COMMAND stays in its directory, and knows what it got' \
    'intree f -- sh -c "pwd; echo \$INTREE_KIND \$INTREE_PATH \$INTREE_SIZE"' <<!
$tree
file $tree/f 7
!
check 'a directory is where it works, with nothing to read' \
    'intree d -- sh -c "pwd; cat; echo \$INTREE_KIND \$INTREE_PATH"' <<!
$tree/d
directory $tree/d
!
check 'links that lead into the tree are followed' \
    'intree in -- cat; intree absolute -- cat; intree "$tree/./d/../in" -- cat' <<!
inside
inside
inside
!
check "the status is COMMAND's" 'intree f -- sh -c "exit 7"; echo $?' <<!
7
!
check 'a path like an option' 'echo x >-w; intree -- -w -- cat; rm ./-w' <<!
x
!
check 'default roots: /usr/include and /usr/share' \
    'intree /usr/include -- pwd; intree /usr/share -- pwd' <<!
/usr/include
/usr/share
!
# outside NAME PATH REAL: refused.
outside()
{
	fails 77 "$1" "intree '$2' -- cat" <<!
intree: $2: ${3:+leads to $3: }outside of the work tree; toolrun.roots of the user's settings would let it in
!
}
o=${tree%/tree}/outside
outside 'a link out of the tree' out "$o/f"
outside 'a link out of the tree on the way' d/far/f "$o/f"
outside 'dots out of the tree' ../outside/f "$o/f"
outside 'an absolute path' /etc/shadow ''
outside 'by way of /proc' "/proc/self/cwd/../outside/f" "$o/f"
printf 'a\303' >latin
printf 'a\000' >nul
for s in 65533 65534 65535 131070; do
	head -c $s /dev/zero | tr '\0' x
	printf '\360\237\230\200'
done >utf8
check '-t: UTF-8, wherever a block ends' 'intree -t utf8 -- cat | cmp - utf8; intree -t . -- pwd -P; intree -t f -- cat | cmp - f' <<!
$(pwd -P)
!
check '-t: what is not text is left alone' \
    'for f in latin nul; do intree -tw $f -- echo x 2>&1 || echo $?; done; head -c 65535 utf8 >cut; cat utf8 >>cut
    intree -t cut -- wc -c 2>&1 || echo $?; wc -c <latin' <<!
intree: latin: is not UTF-8 text
65
intree: nul: is not UTF-8 text
65
intree: cut: is not UTF-8 text
65
2
!
check 'a binary file is said to be one, for 32 KiB' \
    'head -c 32767 utf8 | cat - nul >late; for f in nul late f .; do intree $f -- sh -c "echo \$INTREE_BINARY"; done' <<!
1



!
rm latin nul utf8 cut late
fails 66 'nothing there' 'intree nix -- cat' <<!
intree: nix: No such file or directory (looked from $tree)
!
fails 66 'a link to nowhere' 'intree dangling -- cat' <<!
intree: dangling: No such file or directory (looked from $tree)
!
mkfifo fifo
fails 66 'a FIFO is not waited for' 'intree fifo -- cat' <<!
intree: fifo: is not a regular file
!
rm fifo
# In a PATH with a folder that one may not read it is "Permission denied".
fails 66 'no such command' 'PATH=$BIN intree f -- no-such-command' <<!
intree: no-such-command: No such file or directory
!
for args in '' 'f' 'f cat' 'f --' '-z f -- cat'; do
	check "usage: intree $args" "intree $args 2>/dev/null || echo \$?" <<!
64
!
done
check '-r: these roots and no others' \
    'intree -r ../outside ../outside/f -- cat; intree -r d -r ../outside out -- cat
    intree -r d f -- cat 2>&1 || echo $?' <<!
outside
outside
intree: f: leads to $tree/f: beneath no root
77
!

# Writing.
check '-w: a new file, with the directories it needs' \
    'umask 027; intree -w n/e/w -- sh -c "echo new; echo \$INTREE_KIND >&2" 2>said
    cat said n/e/w; ls -l n/e/w | cut -c 1-10; ls -A n/e; rm said' <<!
new
new
-rw-r-----
w
!
chmod 751 f
check '-w: the old file is read, its mode and the link stay' \
    'intree -w in -- sed s/in/IN/; cat f; ls -l f | cut -c 1-10; readlink in; intree -w f -- echo inside' <<!
INside
-rwxr-x--x
f
!
check '-w: a status that is not 0 leaves all as it was' \
    'intree -w f -- sh -c "echo x; exit 3"; echo $?; intree -w no -- false; echo $?; cat f; ls -A' <<!
3
1
inside
.git
absolute
d
dangling
f
gone
in
n
out
!
check 'a script without #! runs, as it does without -w' \
    'mkdir bin; echo "echo \"\$1 of a script\"" >bin/plain; chmod +x bin/plain; intree f -- bin/plain X; PATH=$PWD/bin:$PATH
    intree -w new -- bin/plain Y; cat new; intree -w new -- plain Z; cat new; rm -r bin new' <<!
X of a script
Y of a script
Z of a script
!
check 'a command that does not exist leaves the file and nothing beside it' \
    'cp f was; intree -w f -- no-such-command 2>&1; echo $?; cmp f was; rm was; ls -A | grep "^\.turnpipe" || :' <<!
intree: no-such-command: No such file or directory
66
!
check '-w: a link to a name that is not there yet makes it' \
    'intree -w dangling -- echo x; cat nowhere; rm nowhere' <<!
x
!
fails 77 '-w: a link out of the tree' 'intree -w out -- echo x' <<!
intree: out: leads to $o/f: outside of the work tree; toolrun.roots of the user's settings would let it in
!
fails 77 '-w: a link to a new name out of the tree' 'intree -w gone -- echo x' <<!
intree: gone: leads to $o/new: outside of the work tree; toolrun.roots of the user's settings would let it in
!
fails 66 '-w: a directory' 'intree -w d -- echo x' <<!
intree: d: is a directory
!
fails 66 '-w: a file in the way' 'intree -w f/x -- echo x' <<!
intree: f/x: Not a directory
!
check '-w: written by another one meanwhile' \
    'intree -w f -- sh -c "echo other >f.new; mv f.new f; echo mine" 2>&1 || echo $?; cat f; ls -A | grep turnpipe; echo inside >f' <<!
intree: f: written by another process meanwhile: left as it is
75
other
!
check '-w: made by another one meanwhile' \
    'intree -w m -- sh -c "echo other >m; echo mine" 2>&1 || echo $?; cat m; rm m' <<!
intree: m: written by another process meanwhile: left as it is
75
other
!
if [ -e /dev/full ]; then
check '-w: what COMMAND could not write is not renamed' \
    'intree -w f -- sh -c "echo x; cat f >/dev/full" 2>/dev/null || echo failed; cat f' <<!
failed
inside
!
fi
# A signal that came just before waitpid was noted, and COMMAND ran on.
check '-w: a stop is never missed' '
    perl -e "
	alarm 300; # of 1 s
	for my \$i (1 .. 200) {
	    pipe my \$r, my \$w or die;
	    defined(my \$pid = fork) or die;
	    if (!\$pid) {
		close \$r;
		\$^F = 99;
		open STDERR, q(>&), \$w or die;
		exec qw(intree -w f -- sh -c), q(echo >&2; exec sleep 900) or die;
	    }
	    close \$w;
	    sysread \$r, my \$b, 1;
	    kill TERM => \$pid;
	    waitpid \$pid, 0;
	}" || echo missed; ls -A | grep turnpipe; cat f' <<!
inside
!
for sig in TERM INT HUP; do
	check "-w: SIG$sig leaves the file, and nothing else" \
	    'rm -f ../begun
	    perl -e "\$SIG{INT} = q(DEFAULT); exec @ARGV or die" intree -w f -- \
		sh -c "echo x; : >../begun; exec sleep 600" & pid=$!
	    until_ "[ -e ../begun ]"; kill -'$sig' $pid
	    { wait $pid || echo stopped; } 2>/dev/null; cat f; ls -A | grep turnpipe; :' <<!
stopped
inside
!
done

# Never written, though the tree holds it.
mkdir -p conf/turnpipe/keys run data/turnpipe state/turnpipe etc home/.ssh
echo key >conf/turnpipe/keys/openai
echo id >home/.ssh/id
echo secret >d/.env
export XDG_CONFIG_HOME="$tree/conf" XDG_STATE_HOME="$tree/state" \
    XDG_DATA_HOME="$tree/data" TURNPIPE_PATH="$tree/etc" HOME="$tree/home" \
    TURNPIPE_RUN="$tree/run" TURNPIPE_SESSION="$tree/s.jsonl"
for p in .git/hooks/pre-commit .git d/.git/config .GIT/config \
    conf/turnpipe/settings.yaml conf/turnpipe/keys/openai etc/tools/x \
    state/turnpipe/p/s.jsonl data/turnpipe/facts.jsonl run/allow run/undo/log \
    s.jsonl; do
	fails 77 "never written: $p" "intree -w '$p' -- echo x" <<!
intree: $p: leads to $tree/$p: never written by a file tool
!
done
check 'but the plan is' 'intree -w run/plan.md -- echo plan; cat run/plan.md' <<!
plan
!
check 'also where the run lies outside of the tree' \
    'export TURNPIPE_RUN=$o/run; mkdir -p "$TURNPIPE_RUN"; intree -w "$TURNPIPE_RUN/plan.md" -- echo plan; intree "$TURNPIPE_RUN/plan.md" -- cat; intree -w "$TURNPIPE_RUN/x" -- echo 2>/dev/null || echo $?' <<!
plan
77
!

# Hidden, though the tree holds it.
for p in home/.ssh home/.ssh/id conf/turnpipe/keys/openai; do
	fails 77 "hidden: $p" "intree '$p' -- cat" <<!
intree: $p: leads to $tree/$p: hidden by toolrun.hide
!
done
check 'what is hidden beneath a directory is said' \
    'printf "toolrun: {hide: [~/.ssh, .env, \"%s/d/a*b\"]}\n" "$tree" >etc/settings.yaml
    intree . -- sh -c "printf %s \"\$INTREE_HIDDEN\""; intree d/.env -- cat 2>&1 || :
    rm etc/settings.yaml' <<!
./home/.ssh
./d/a\\*b
./etc/keys
./conf/turnpipe/keys
.env
intree: d/.env: leads to $tree/d/.env: hidden by toolrun.hide
!
check 'a hidden name has a second one' \
    'echo "toolrun: {hide: [.env, .private]}" >etc/settings.yaml; mkdir -p d/.private
    echo key >d/.env; ln d/.env second; echo key >d/.private/k; ln d/.private/k third
    echo both >first; ln first d/also
    for f in second third first; do intree $f -- cat 2>&1 || echo $?; done
    intree -w second -- echo x 2>/dev/null || echo $?
    rm -r first second third d/also d/.private etc/settings.yaml' <<!
intree: second: leads to $tree/second: a hard link to a file of another owner, or to a hidden one
77
intree: third: leads to $tree/third: a hard link to a file of another owner, or to a hidden one
77
both
77
!
check 'toolrun.roots: ~ is the whole home' \
    'printf "toolrun: {roots: [\"~\"]}\n" >etc/settings.yaml
    echo own >"$o/own"; HOME=$o intree "$o/own" -- cat; rm "$o/own" etc/settings.yaml' <<!
own
!
check 'toolrun.roots: another tree' \
    'printf "toolrun: {roots: [\"%s\"]}\n" "$o" >etc/settings.yaml
    intree out -- cat; intree -w gone -- echo x; cat "$o/new"; rm "$o/new" etc/settings.yaml' <<!
outside
x
!

# Agreed.
check 'what the user agreed to is let in, and no more' \
    'export TURNPIPE_AGREED="$o/f
$tree/home/.ssh"; intree out -- cat; intree home/.ssh/id -- cat
    intree "$o" -- pwd 2>/dev/null || echo $?' <<!
outside
id
77
!
fails 77 'but what is never written is not' \
    'TURNPIPE_AGREED=$tree/.git intree -w .git/config -- echo x' <<!
intree: .git/config: leads to $tree/.git/config: never written by a file tool
!
check 'a path that is not absolute agrees to nothing' \
    'TURNPIPE_AGREED=../outside intree out -- cat 2>/dev/null || echo $?' <<!
77
!

# Undo.
check 'the old file is kept, with what it takes to put it back' \
    'rm -rf run/undo; export TURNPIPE_NOW=2026-11-22T12:00:00Z LLM_TOOL_NAME=write_file
    chmod 640 f; intree -w f -- echo two; intree -w m -- echo three; intree -w f -- false
    jq -c "[.n, .time, .tool, .path, .old, .mode, .size]" run/undo/log; ls run/undo; cat run/undo/1
    [ "$(jq -r "select(.n == 1).ino" run/undo/log)" = "$(stat -c %i f)" ] && echo same
    rm m; echo inside >f' <<!
[1,"2026-11-22T12:00:00Z","write_file","$tree/f",true,"640",4]
[2,"2026-11-22T12:00:00Z","write_file","$tree/m",false,null,6]
1
log
inside
same
!
check '-w: where the old file cannot be kept, it is not replaced' \
    'rm -rf run/undo; : >run/undo; intree -w f -- echo two 2>/dev/null || echo $?; cat f; ls -A | grep turnpipe; rm run/undo' <<!
66
inside
!

# A link put in the way between the judgement and the opening.
cat >../swap.pl <<'!'
use strict;
my ($a, $b) = ("d", "far");
until (-e "../stop") {
	for (1 .. 100) {
		rename $a, "third"; rename $b, $a; rename "third", $b;
		rename $a, "third"; rename $b, $a; rename "third", $b;
	}
}
!
echo inside >d/f
ln -s ../outside far
check 'links swapped beside it: nothing from outside, ever' \
    'perl ../swap.pl & for i in $(seq 100); do intree d/f -- cat 2>/dev/null || :; intree -w d/f -- echo inside 2>/dev/null || :; done | sort -u >../seen
    : >../stop; wait; grep -v inside ../seen; cat "$o/f"' <<!
outside
!

# Another owner.
[ "$(id -u)" -eq 0 ] && command -v setpriv >/dev/null ||
    skip 'only root can make files of another owner'
chmod 711 "${tree%/*/*}" "${tree%/*}"
mkdir ../shared
echo theirs >../shared/theirs
mkdir ../shared/mine
ln ../shared/theirs ../shared/mine/link
chown -R 65534:65534 ../shared
chown 65533 ../shared/mine
cd ../shared/mine
export HOME="$PWD"
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME TURNPIPE_PATH \
    TURNPIPE_SESSION TURNPIPE_RUN
as='setpriv --reuid 65533 --regid 65534 --clear-groups'
$as test -x "$BIN/intree" || skip 'another user cannot run our commands'
chmod 666 ../theirs
fails 77 'a hard link to a file of another owner is not written' \
    '$as intree -w link -- echo x' <<!
intree: link: leads to $PWD/link: a hard link to a file of another owner, or to a hidden one
!
fails 77 'nor read' '$as intree link -- cat' <<!
intree: link: leads to $PWD/link: a hard link to a file of another owner, or to a hidden one
!
check 'unless it was agreed to' \
    'TURNPIPE_AGREED=$PWD/link $as intree link -- cat' <<!
theirs
!
check 'a file with two names is written' \
    'rm link; echo one >a; ln a b; chown 65533 a .; $as intree -w a -- echo two; cat a b' <<!
two
one
!
