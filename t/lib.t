#!/bin/sh
# The ground itself: what must fail does.
. "${0%/*}/lib.sh"

mkdir -p top/t
ln -s "$TOP/t/lib.sh" "$TOP/t/exec" top/t

# A test file of these lines, run as prove does: its TAP, then its status.
run()
{
	{
		printf '#!/bin/sh\n. "${0%%/*}/lib.sh"\n'
		cat
	} >top/t/x.t
	top_status=0
	env BIN="$BIN" "$@" sh top/t/x.t 2>diag || top_status=$?
	sed "s/^/diag: /; /^diag: # [-+]/d" diag
	echo "status $top_status"
}

check 'what the caller left open is shut' 'run 3</dev/null 7</dev/null 9</dev/null <<\E
check stdin "ls -l /proc/self/fd | grep -c /dev/null" <<!
1
!
E' <<!
ok 1 - stdin
1..1
status 0
!
if script -qec true /dev/null >/dev/null 2>&1; then
check 'the terminal of the caller is not ours, leader or not' 'cat >top/t/x.t <<\E
. "${0%/*}/lib.sh"
check tty "(: </dev/tty) 2>/dev/null || echo none" <<!
none
!
exit 3
E
	for c in "exec sh top/t/x.t" "sh top/t/x.t; exit \$?"; do
		BIN=$BIN script -qec "$c" /dev/null | tr -d "\r" || :
		BIN=$BIN script -qec "$c" /dev/null >/dev/null || echo "status $?"
	done' <<!
ok 1 - tty
status 3
ok 1 - tty
status 3
!
fi
[ ! -e /proc/self/stat ] ||
check 'a file that hangs is ended, and says what ran' 'run TAP_LIMIT=1 <<\E | sed -n "s/^diag: # [0-9]* sleep/sleep/; /sleep\\|not done\\|^status\\|ok/p"
check hangs "sleep 86400 & wait \$!"
E' <<!
diag: # top/t/x.t: not done after 1 seconds; what runs:
sleep 86400 
status 143
!
check 'what holds' 'run <<\E
check a "echo a" <<!
a
!
check none true
fails 3 b "echo b >&2; exit 3" <<!
b
!
E' <<!
ok 1 - a
ok 2 - none
ok 3 - b
1..3
status 0
!
check 'another status, another stdout, a word on stderr' 'run <<\E
check status "exit 9"
check stdout "echo a" <<!
b
!
check nl "printf a" <<!
a
!
check stderr "echo a >&2"
E' <<!
not ok 1 - status
not ok 2 - stdout
not ok 3 - nl
not ok 4 - stderr
1..4
diag: # x.t: status
diag: # exit 9
diag: # status 9, expected 0
diag: # x.t: stdout
diag: # echo a
diag: # @@ -1 +1 @@
diag: # x.t: nl
diag: # printf a
diag: # @@ -1 +1 @@
diag: # \\ No newline at end of file
diag: # x.t: stderr
diag: # echo a >&2
diag: # @@ -0,0 +1 @@
status 1
!
check 'a diff is shown' 'run >out <<\E
check stdout "echo a" <<!
b
!
E
sed 1,2d diag' <<!
# --- stdout expected
# +++ stdout
# @@ -1 +1 @@
# -b
# +a
!
check 'fails: success, another message, a word on stdout' 'run <<\E
fails 1 success true
fails 1 message "echo a >&2; false" <<!
b
!
fails 1 stdout "echo a; false"
E' <<!
not ok 1 - success
not ok 2 - message
not ok 3 - stdout
1..3
diag: # x.t: success
diag: # true
diag: # status 0, expected 1
diag: # x.t: message
diag: # echo a >&2; false
diag: # @@ -1 +1 @@
diag: # x.t: stdout
diag: # echo a; false
diag: # @@ -0,0 +1 @@
status 1
!
check 'fails: the error record, and other output' 'run <<\E | grep -v ^diag
say() { printf %s "$1"; exit 65; }
e="{\"type\":\"error\",\"from\":\"x\",\"code\":65,\"message\":\"m\"}"
fails 65 record "echo \"\$e\"; exit 65"
fails 65 half "say \"{\\\"type\\\":\\\"error\\\",\\\"code\\\":65}\""
fails 66 code "echo \"\$e\"; exit 66"
fails 6 code "echo \"\$e\"; exit 6"
fails 65 two "echo \"\$e\"; echo \"\$e\"; exit 65"
fails 65 more "echo \"\$e\"; say x"
fails 65 another "say \"{\\\"type\\\":\\\"end\\\"}\""
E' <<!
ok 1 - record
not ok 2 - half
not ok 3 - code
not ok 4 - code
not ok 5 - two
not ok 6 - more
not ok 7 - another
1..7
status 1
!
# What the shell itself ends with is 2 in dash, 1 or 2 in bash.
check 'who dies early has no plan' '
	for how in false "exit 4" "echo \$nobody 2>/dev/null" "(" "kill \$\$"
	do
		printf "check a true\n%s\ncheck b true\n" "$how" | run | grep -v diag
	done | sed "s/^status 2$/status 1/"' <<!
ok 1 - a
status 1
ok 1 - a
status 4
ok 1 - a
status 1
ok 1 - a
status 1
ok 1 - a
status 143
!
check 'a file without a test fails' 'run </dev/null' <<!
1..0
status 1
!
check 'skip: all of a file, or the rest' '
	echo "skip \"no x\"" | run
	printf "check a true\nskip \"no x\"\n" | run' <<!
1..0 # SKIP no x
status 0
ok 1 - a
ok 2 # SKIP no x
1..2
status 0
!
check 'finish' 'printf "check a true\nfinish\nfalse\n" | run' <<!
ok 1 - a
1..1
status 0
!
check 'nothing of the environment, stdin empty, an empty folder' '
	run A_API_KEY=k OPENAI_BASE_URL=u TURNPIPE_NOW=t http_proxy=p GIT_DIR=g \
	    LANG=pl_PL.UTF-8 XDG_CONFIG_HOME=/c M="
export N=x" <<\E
check env "export -p | sed -n \"s/^export \([A-Za-z_]*\)=.*/\1/p\" |
	grep -vx \"TMPDIR\|SAN\|CI\|.*SAN_OPTIONS\|LD_.*\|VALGRIND.*\" | sort" <<!
BIN
GIT_CONFIG_NOSYSTEM
HOME
LC_ALL
PATH
PWD
TZ
XDG_CACHE_HOME
XDG_CONFIG_HOME
XDG_DATA_HOME
XDG_RUNTIME_DIR
XDG_STATE_HOME
!
check stdin cat
check empty "ls -A"
check home "cd; pwd" <<!
${PWD%/*}/home
!
check bin "echo \"\${PATH%%:*}\"" <<!
$BIN
!
E' <<!
ok 1 - env
ok 2 - stdin
ok 3 - empty
ok 4 - home
ok 5 - bin
1..5
status 0
!
check 'the folder goes, also what is closed in it' '
	echo "check a true; pwd >\"$PWD/where\"; mkdir -m 0 x" | run >out
	[ ! -e "$(cat where)" ]'
check 'the folder stays with KEEP' '
	echo "check a true; echo b >c" | run KEEP=1 >out
	read -r _ _ where <diag
	cat "$where/work/c"
	rm -r "$where"' <<!
b
!
check 'without the program, one line at once' '
	mkdir -p bare top/cmd/text/x
	echo "check a true" | run BIN="$PWD/bare" | sed "s,$PWD,.,"
	rmdir top/cmd/text/x' <<!
diag: x.t: no x in ./bare: make
status 1
!
check 'servers end with a file that is killed' '
	cat >script <<\E
llmserver_start "{\"body\":1}"
echo "$URL" >"$PWD/../../url"
kill -9 $$
E
	sed "s,\$PWD/../..,$PWD," script | run TMPDIR="$PWD" >/dev/null 2>&1
	until_ "! curl -sS \"\$(cat url)\" 2>/dev/null"' </dev/null
check 'servers end with the file' '
	cat >script <<\E
llmserver_start "{\"body\":1}"
echo "$URL" >"$PWD/../../url"
llmserver_start "{\"body\":2}"
check 2 "curl -sS \$URL; echo" <<!
2
!
E
	sed "s,\$PWD/../..,$PWD," script | run
	curl -sS "$(cat url)" 2>/dev/null || echo gone' <<!
ok 1 - 2
1..1
status 0
gone
!
