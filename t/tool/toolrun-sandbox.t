#!/bin/sh
# What a tool may not do: its environment, /proc of its ancestors, Landlock,
# bwrap, a hostile clone's git.
. "${0%/*}/../lib.sh"

umask 022
export TURNPIPE_PATH="$PWD/etc"
mkdir -p etc tree/.git away home/.ssh tmp
export HOME="$PWD/home" TMPDIR="$PWD/tmp"
unset XDG_CONFIG_HOME XDG_STATE_HOME XDG_DATA_HOME XDG_CACHE_HOME XDG_RUNTIME_DIR
echo secret >home/.ssh/id
echo ssh >home/.profile
echo bash >home/.bashrc
echo old >away/f
away=$PWD/away tree=$PWD/tree
cd tree

# run COMMAND [SETTINGS]: a shell line as toolrun runs it; its result.
run()
{
	printf 'toolrun: {grace: 0%s}\n' "${2:+, $2}" >../etc/settings.yaml
	{
		printf '{"type":"tool","name":"shell","run":{"exec":"%s/share/tools/shell"}}\n' "$TOP"
		jq -nc --arg c "$1" '{role:"assistant",tool_calls:[{id:"a",function:{name:"shell",arguments:({command:$c}|tojson)}}]}'
	} >../in
	toolrun -ry <../in >../out
	jq -r '(.tp.sandbox // empty), .content' ../out
}

check 'the umask of the user, no core dumps, no new privileges' \
    'umask 077; export TURNPIPE_UMASK=0027; run "umask; ulimit -S -c; grep NoNewPrivs /proc/self/status"' <<!
0027
0
NoNewPrivs:	1

!
check 'a setting lets a tool gain privileges' \
    'run "grep NoNewPrivs /proc/self/status" "new_privileges: true"' <<!
NoNewPrivs:	0

!
check 'files are moved between directories as ever' \
    'mkdir -p a b; echo x >a/f; run "mv a/f b/f && ln b/f a/g && cat a/g"; rm -r a b' <<!
x

!
check 'not a setting' \
    'run pwd "sandbox: jail" 2>&1 | sed "/^toolrun:/!d; s/.*: //"' <<!
expected none, landlock, bwrap or auto
!

# The lines of t/data/shell/coding.tsv, one call each, in a tree of their own:
# their statuses without a sandbox, in ../free, and unasked in that of $box, in
# ../boxed.
lines()
{
	[ ! -d ../template ] || return 0
	mkdir -p ../stubs ../template/src ../template/t ../template/build
	for c in curl npm cmake clang; do
		printf '#!/bin/sh\necho "$0"\n' >../stubs/$c
		chmod +x ../stubs/$c
	done
	{
		printf '{"type":"tool","name":"shell","run":{"exec":"%s/share/tools/shell","timeout":20}}\n' "$TOP"
		perl -ne 'chomp; s/^[^\t]*\t[^\t]*\t//; s/\\n/\n/g; print $_, "\0"' "$DATA/shell/coding.tsv" |
		    jq -Rsc '{role:"assistant",tool_calls:[split("\u0000")|map(select(. != ""))|to_entries[]|{id:"c\(.key)",function:{name:"shell",arguments:({command:.value}|tojson)}}]}'
	} >../lines
	(
	cd ../template
	git init -q --template=; git config user.email a@example.org; git config user.name a
	printf 'int main(void){return 0;}\n' >src/main.c
	printf 'all test check clean:\n\t@echo $@\n' >Makefile
	printf 'a b\n' >notes.txt; cp notes.txt a.txt; cp notes.txt b.txt
	mkdir a b; echo 'print(1)' >t/run.py; printf '#!/bin/sh\n' >build/app
	chmod +x build/app; cp build/app script.sh
	for i in 1 2 3 4; do
		echo $i >>notes.txt
		git add -A && git commit -qm $i
	done
	echo 5 >>notes.txt
	)
	echo 'toolrun: {grace: 0}' >../etc/settings.yaml
	coding -y >../free
}
coding()
{
	rm -rf ../coding
	cp -R ../template ../coding
	(
	cd ../coding
	PATH=$PWD/../stubs:$PATH TURNPIPE_ASK=0
	export PATH TURNPIPE_ASK
	toolrun -r "$@" <../lines | jq -r '.tp|if .denied then "denied" else .exit end'
	)
}
boxed()
{
	lines
	echo "toolrun: {grace: 0, sandboxed: allow, $box, deny: ['shell(rm -rf /)']}" >../etc/settings.yaml
	coding >../boxed
}

# The keys of an ancestor.
key=sk-$$-canary
cat >../look <<'!'
p=$$
while [ "${p:-0}" -gt 1 ]; do
	if { tr '\0' '\n' <"/proc/$p/environ"; } 2>/dev/null | grep -q canary; then
		echo "found in $p"
	fi
	p=$(awk '/^PPid/ { print $2 }' /proc/$p/status)
	looked=$((${looked:-0} + 1))
done
[ "${looked:-0}" -lt 4 ] || echo looked
!
chmod 711 "${PWD%/*/*}" "${PWD%/*}"
chmod -R a+rX .. && chmod -R a+w ../etc . ../tmp ..
as=
if [ "$(id -u)" -eq 0 ]; then
	! command -v setpriv >/dev/null || as='setpriv --reuid 65534 --regid 65534 --clear-groups'
fi
# ABI 2 at least, or the kernel has no domain to speak of.
rmdir .git
run true 'sandbox: landlock' >../said 2>&1
abi=$(sed -n 's/^landlock \([0-9]*\).*/\1/p' ../said)
if [ -z "$abi" ]; then
	check 'without Landlock what asks for it is refused, and why is said' 'sed "s/.*: landlock/landlock/" ../said' <<!
landlock: the kernel lacks it, or its version is too old
!
elif [ ! -r /proc/self/environ ]; then
	echo '# no /proc to look at'
else
	# A domain stops no root, who may look at all memory: turnpipe-trust(7).
	if [ "$(id -u)" -eq 0 ] && { [ -z "$as" ] || ! $as test -x "$BIN/toolrun"; }; then
		echo '# no ordinary user here who could run toolrun'
	else
		check 'an ordinary user: no tool finds our keys in /proc' \
		    'run "sh ../look" >/dev/null
		    OPENAI_API_KEY=$key $as toolrun -ry <../in | jq -r .content
		    OPENAI_API_KEY=$key $as env sh ../look | sed "s/in [0-9]*/by what is no tool/" | sort -u' <<!
looked

found by what is no tool
looked
!
	fi
fi

# What a sandbox keeps away: refused in the kernel's own words.
confined()
{
	box="sandbox: $1" name=$2
	check "$1: it may write in the tree, its TMPDIR and /dev/null" \
	    "run 'echo x >f && mkdir -p d && mv f d/f && ln -s f d/l && cat d/f && mktemp >/dev/null && echo y >/dev/null && rm -r d && echo well' '$box'" <<!
$name
x
well

!
	check "$1: a hidden place that is not there closes no other" \
	    "run 'mktemp >/dev/null && echo well' '$box, hide: [\"$TMPDIR/none\"]'" <<!
$name
well

!
	check "$1: and nowhere else" \
	    "run 'echo x >../away/f || echo no; echo x >~/new || echo no; rm -f ../away/f || echo no; mv ../away/f . || echo no' '$box' | grep -x no
	    ls ../home; cat ../away/f; grep -c -e 'Permission denied' -e 'Read-only file system' ../out" <<!
no
no
no
no
old
1
!
	check "$1: where the settings say" \
	    "run 'echo x >../away/new && cat ../away/new' '$box, sandbox_write: [\"$away\"]'; rm ../away/new" <<!
$name
x

!
	check "$1: what is hidden can't be read, all else can" \
	    "run 'cat ~/.ssh/id || echo no; cat ~/.profile; ln -s ~/.ssh/id l; cat l || echo no; rm l' '$box' | grep -v '^cat: '; ! grep secret ../out" <<!
$name
no
ssh
no

!
	check "$1: nor our keys" \
	    "mkdir -p ../etc/keys; echo secret >../etc/keys/openai
	    run 'cat ../etc/keys/openai || echo no' '$box' | grep -v '^cat: '; rm -r ../etc/keys" <<!
$name
no

!
	check "$1: other tools run without it" \
	    "run pwd '$box' >/dev/null
	    sed 's/command/text/g; s/shell/say/' ../in >../other; printf '#!/bin/sh\necho x >../away/by\n' >../say; chmod +x ../say
	    sed 's|\"exec\":\"[^\"]*\"|\"exec\":\"$tree/../say\"|' ../other | toolrun -ry | jq -c .tp.sandbox; cat ../away/by; rm ../away/by" <<!
null
x
!
	check "$1: a line runs unasked in it where the settings say so, and a rule still denies" \
	    "run pwd '$box, sandboxed: allow' >/dev/null; toolrun -r <../in | jq -r .content
	    run pwd '$box, sandboxed: allow, deny: [shell]' >/dev/null; toolrun -r <../in | jq -c .tp.denied
	    run pwd '$box' >/dev/null; TURNPIPE_ASK=0 toolrun -r <../in 2>/dev/null | jq -c .tp.denied
	    run pwd 'sandboxed: allow' >/dev/null; TURNPIPE_ASK=0 toolrun -r <../in 2>/dev/null | jq -c .tp.denied" <<!
$tree

true
true
true
!
	check "$1: also a line that rules cannot be checked against, but not one that a rule asks about" \
	    "run 'x=1; echo \$x' '$box, sandboxed: allow, deny: [shell(rm *)], ask: [shell(mv *)]'
	    TURNPIPE_ASK=0 toolrun -r <../in | jq -c '[.tp.sandbox,.content]'
	    for c in 'rm x' 'mv x y'; do
		run \"\$c\" '$box, sandboxed: allow, deny: [shell(rm *)], ask: [shell(mv *)]' >/dev/null 2>&1
		TURNPIPE_ASK=0 toolrun -r <../in 2>/dev/null | jq -c '.tp.denied'
	    done" <<!
$name
1

["$name","1\n"]
true
true
!
	check "$1: what a server of MCP gets as a command is in no sandbox, so it is asked" \
	    "run pwd '$box, sandboxed: allow' >/dev/null
	    sed 's/\"run\":{[^}]*}/\"run\":{\"mcp\":\"s\",\"tool\":\"shell\"}/' ../in | TURNPIPE_ASK=0 toolrun -r 2>/dev/null | jq -c .tp.denied" <<!
true
!
	check "$1: no terminal is reached, and none is read" \
	    "run 'sh ../terminal.sh' '$box, env: [PATH, PTS]' >/dev/null
	    perl ../terminal.pl sh -c 'toolrun -ry <../in | jq -r .content | grep -v :; cat ../out | grep -c type'" <<!
no
no
no
no

1
the terminal shows ''
!
	check "$1: where a line may write the settings none runs unasked" \
	    "run true '$box, sandboxed: allow, sandbox_write: [\"$away\"]' >/dev/null; cp ../etc/settings.yaml ../away
	    TURNPIPE_PATH=\$away toolrun <../in 2>&1 >/dev/null | sed 's|/.*yaml:[0-9:]* ||; s|/.*/away|away|'; rm ../away/settings.yaml" <<!
toolrun: $3
!
}
cat >../terminal.sh <<'!'
echo paint >"$PTS" || echo no
head -c 1 <"$PTS" || echo no
echo paint >/dev/tty || echo no
perl -e 'exit !(open(T, "+<", $ENV{PTS}) && ioctl(T, 0x5412, "x"))' || echo no
!
# Run a command while $PTS is a terminal of ours.
cat >../terminal.pl <<'!'
open my $m, '+<', '/dev/ptmx' or die "ptmx: $!\n";
my $n = pack 'i', 0;
ioctl $m, 0x40045431, $n or die "unlock: $!\n";
ioctl $m, 0x80045430, $n or die "number: $!\n";
$ENV{PTS} = '/dev/pts/' . unpack 'i', $n;
open my $held, '+<', $ENV{PTS} or die "$ENV{PTS}: $!\n";
syswrite $m, "typed\n";
system @ARGV;
my ($r, $s) = ('', '');
vec($r, fileno $m, 1) = 1;
while (select(my $x = $r, undef, undef, 0)) {
	sysread $m, $s, 100, length $s or last;
}
$s =~ s/^typed\r\n//; # the echo
print "the terminal shows '$s'\n";
!
# Whatever a line may write around: rules, log, undo, hooks and config of git.
cat >../rewrite.sh <<'!'
echo 'write_file(/**)' >>"$TURNPIPE_RUN/allow" || echo no
mv "$TURNPIPE_RUN" moved || echo no
rm -rf "$TURNPIPE_RUN" || echo no
ln -s /etc "$TURNPIPE_RUN/undo" || echo no
echo x >>s.jsonl || echo no
mv a s.jsonl || echo no
echo x >>caller.d/allow || echo no
mkdir caller.d/x || echo no
echo x >.git/hooks/pre-commit || echo no
rmdir .git/hooks || echo no
mv .git g || echo no
echo x >>.git/config || echo no
ln -f a .git/config || echo no
mv a .git/config || echo no
rm .git/config || echo no
mkdir -p new/state && echo x >new/state/turnpipe/x || echo no
mv new moved || echo no
touch .git/index a && echo well
!
# rewrite SETTINGS: it, in a tree that has all of these.
rewrite()
{
	rm -rf ../own
	mkdir -p ../own/s.d ../own/caller.d ../own/.git
	(
	cd ../own
	touch s.jsonl caller.jsonl a
	echo config >.git/config
	export TURNPIPE_RUN="$PWD/s.d" TURNPIPE_SESSION="$PWD/s.jsonl" \
	    TURNPIPE_PARENT="$PWD/caller.jsonl" XDG_STATE_HOME="$PWD/new/state"
	run 'sh ../rewrite.sh' "$1" 2>&1
	)
}
if [ -n "$abi" ]; then
	confined landlock "landlock $abi: files" 'landlock: it cannot keep away as it is where a line may write around it; bwrap can'
	check 'landlock: it keeps nothing beneath a directory that it allows, so it is refused there' \
	    "rewrite 'sandbox: landlock, sandboxed: allow' | sed 's|.*: landlock|landlock|; s|/.*/own|own|; /null/d'" <<!
landlock: it cannot keep own/new/state/turnpipe as it is where a line may write around it; bwrap can
!
	check 'landlock: nor does it close the network' \
	    "run true 'sandbox: landlock, network: false' 2>&1 | sed 's|.*: landlock|landlock|; /null/d'" <<!
landlock: it cannot close the network (toolrun.network); bwrap can
!
	check 'auto takes it' 'run pwd "sandbox: auto"' <<!
landlock $abi: files
$tree

!
fi
if ! command -v bwrap >/dev/null; then
	echo '# no bwrap here'
elif run pwd 'sandbox: bwrap' >../said; grep -qx "$tree" ../said; then
	confined bwrap 'bwrap: files' 'expected ask where a line may write beneath or above away, which has the rules'
	check "bwrap: a line does not rewrite the rules that hold it, nor what makes git run programs" \
	    "rewrite 'sandbox: bwrap, sandboxed: allow' | sed '/: /d' | sort | uniq -c | sed 's/^ *//'
	    cd ../own; find . | sort; cat .git/config s.jsonl" <<!
1 
17 no
1 well
.
./.git
./.git/config
./.git/hooks
./.git/index
./a
./caller.d
./caller.jsonl
./new
./new/state
./new/state/turnpipe
./s.d
./s.jsonl
config
!
	[ -z "$abi" ] || check 'bwrap: auto takes it where landlock keeps nothing' \
	    "rewrite 'sandbox: auto' | head -n 1" <<!
bwrap: files
!
	check 'bwrap: root has no capability in it, and writes no setting of the kernel' \
	    "run 'grep -c ^CapEff:.0*\\$ /proc/self/status; for f in /proc/sys/kernel/core_pattern /proc/sys/kernel/hostname /proc/sysrq-trigger; do (: >>\$f) 2>/dev/null && echo \$f; done; mount -o remount,bind,rw / 2>/dev/null || echo no' 'sandbox: bwrap'" <<!
bwrap: files
1
no

!
	! tap_has git || boxed
	needs git check "bwrap: lines that coding models write run unasked, and end as they do without it" \
	    "cut -f 2- '$DATA/shell/coding.tsv' | paste ../free ../boxed - |
	    awk -F '\t' '(\$1 == \$2) != (\$3 == \"run\")'; wc -l <../boxed; grep -c '^0' ../boxed" <<!
84
$(grep -c '^0' ../free 2>/dev/null)
!
	cat >../net.pl <<'EOT'
use Socket;
for my $protocol (0, 262) { # TCP; MPTCP, where there is that
	socket(my $s, PF_INET, SOCK_STREAM, $protocol) or print("no\n"), next;
	print connect($s, sockaddr_in($ARGV[0], INADDR_LOOPBACK)) ? "connected\n" : "no\n";
}
# TCP fast open: MSG_FASTOPEN.
socket(my $s, PF_INET, SOCK_STREAM, 0);
print send($s, "x", 0x20000000, sockaddr_in($ARGV[0], INADDR_LOOPBACK)) ? "sent\n" : "no\n";
EOT
	perl -MSocket -e 'socket(my $s, PF_INET, SOCK_STREAM, 0); bind($s, sockaddr_in(0, INADDR_LOOPBACK)); listen($s, 5); $| = 1; print +(sockaddr_in(getsockname($s)))[0], "\n"; sleep 600' >../port &
	pid=$!
	until_ '[ -s ../port ]'
	check "bwrap: the network, and none" \
	    "run 'perl ../net.pl $(cat ../port)' 'sandbox: bwrap' | sort -u | grep -v no; run 'perl ../net.pl $(cat ../port)' 'sandbox: bwrap, network: false'" <<!

bwrap: files
connected
sent
bwrap: files, network
no
no
no

!
	kill $pid
else
	echo '# bwrap can do nothing here'
fi
check 'without a sandbox no network is closed: what asks for it is a fault' \
    "run true 'network: false' 2>&1 | sed 's/.*: off/off/; /null/d'" <<!
off: expected toolrun.sandbox: bwrap, which closes it
!
mkdir ../few
for c in sh jq cat env; do ln -s "$(command -v $c)" ../few/$c; done
check 'bwrap that is not there: nothing is run, in a sandbox or out of one' \
    'run true "sandbox: bwrap" >/dev/null 2>&1; T=$(command -v toolrun)
    sed "s/true/: >deed/" ../in >../in2; PATH=$PWD/../few "$T" -ry <../in2 2>&1 >/dev/null | sed "s/.*: bwrap/bwrap/"; [ ! -e deed ]' <<!
bwrap: there is no such program
!

# What a clone's .git/config would have git run.
command -v git >/dev/null || skip 'no git'
unset TURNPIPE_PATH
rm -rf .git
git init -q . && git config user.email a@b && git config user.name a
echo one >f
git add f
git commit -qm one
for k in core.fsmonitor core.pager filter.xy.clean filter.xy.smudge \
    'filter.x y.clean' diff.d.textconv diff.d.command merge.m.driver; do
	git config "$k" ": >'$PWD/deed'; cat; false"
done
git config filter.xy.required true
# A viewer of manuals, an alias, and what checks the signature of a commit.
git config man.viewer x
git config man.x.cmd ": >'$PWD/deed'; true"
git config alias.other "!: >'$PWD/deed'"
printf '#!/bin/sh\n: >"%s/deed"\n' "$PWD" >../checks
chmod +x ../checks
git config gpg.program ../checks
git config log.showSignature true
signed=$(printf 'tree %s\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\nm\n' \
    "$(git rev-parse 'HEAD^{tree}')" | git hash-object -t commit -w --stdin)
git reset -q "$signed"
printf '#!/bin/sh\n: >"%s/deed"\n' "$PWD" >.git/hooks/pre-commit
chmod +x .git/hooks/pre-commit
cp .git/hooks/pre-commit .git/hooks/post-checkout
printf 'f filter=xy diff=d merge=m\ng filter="x y"\n' >.gitattributes
for c in 'git status' 'git diff' 'git diff --textconv' 'git log -p' \
    'git show' 'git add -A' 'git commit -qm x' 'git checkout -q HEAD -- f' \
    'git stash; git stash pop' 'git grep one' 'git blame f' \
    'git status --help' 'git help log' 'git other' "git log -1 $signed" \
    "git show $signed"; do
	check "a clone's .git/config runs nothing: $c" \
	    'echo $$ >>f; rm -f deed; ARG_command="$c" "$TOP/share/tools/shell" >../said 2>&1 || :; ls deed 2>/dev/null || :' </dev/null
done

# The same in a submodule, which git looks into, by its own configuration; in
# one's submodule; and where config.worktree or an editor is what names it.
mkdir ../nest && cd ../nest
git init -q . && git config user.email a@b && git config user.name a
git init -q below && git -C below config user.email a@b && git -C below config user.name a
printf '* filter=deep diff=deep\n' >below/.gitattributes && echo one >below/f
git -C below add -A && git -C below commit -qm one
git clone -q below below/below
git -C below add below 2>/dev/null && git -C below commit -qm two
echo one >f && git add f below 2>/dev/null && git commit -qm one
for d in below below/below; do
	for k in filter.deep.clean diff.deep.textconv diff.deep.command core.editor; do
		git -C $d config "$k" ": >'$PWD/deed'; cat; false"
	done
	git -C $d config diff.submodule diff
done
git config extensions.worktreeConfig true
git config --worktree filter.tree.clean ": >'$PWD/deed'; cat"
git config core.editor ": >'$PWD/deed'; :"
git config gpg.format ssh && git config gpg.ssh.defaultKeyCommand ": >'$PWD/deed'"
echo 'f filter=tree' >.gitattributes
for c in 'git status' 'git diff' 'git diff --submodule=diff' 'git add -A' \
    'cd below && git status' 'cd below; git diff' 'git -C below status' \
    'cd below/below && git log -p' 'git commit --allow-empty' \
    'git commit -S --allow-empty -qm x' 'make status'; do
	check "a submodule's configuration, config.worktree and an editor run nothing: $c" \
	    'echo $$ >>f; echo $$ >>below/f; echo $$ >>below/below/f; printf "status:\n\tgit status\n" >Makefile; rm -f deed
	    ARG_command="$c" "$TOP/share/tools/shell" >../said 2>&1 || :; ls deed 2>/dev/null || :' </dev/null
done
check "an object that a partial clone lacks was asked of a program of its remote's" '
    rm -f deed; git init -q far; git -C far -c user.email=a@b -c user.name=a commit -q --allow-empty -m one
    (cd far; echo x >x; git add x; git -c user.email=a@b -c user.name=a commit -qm two; git config uploadpack.allowFilter true)
    git clone -q --filter=blob:none --no-checkout "file://$PWD/far" partly
    git -C partly config remote.origin.uploadpack ": >\"$PWD/deed\"; git-upload-pack"
    ARG_command="cd partly && git log -p" "$TOP/share/tools/shell" >said 2>&1 || :; grep -c "transport .file. not allowed" said; ls deed 2>/dev/null || :' <<!
1
!
rm -f deed
check 'git is itself behind bin/git: output, status, options, a submodule of an odd name' '
    g=$(command -v git); d=$TOP/share/bin; PATH=$d:$PATH
    git -C below rev-parse --show-prefix; git -c x.y=z --no-pager config x.y; git nothing 2>/dev/null || echo $?
    env PATH="$d" "$d/git" status 2>&1 || echo $?
    git -C below mv below "q\"q" && git status 2>&1 || echo $?
    ls deed 2>/dev/null; "$g" -C below mv "q\"q" below 2>/dev/null || :' <<!

z
1
git: not found
127
git: expected plain names of submodules, at most 8 deep
128
!
