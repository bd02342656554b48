# TAP for the tests of commands.  t/ROOM/NAME.t begins with
#
#	#!/bin/sh
#	. "${0%/*}/../lib.sh"
#
# and finds itself in an empty folder of its own (removed at the end, kept
# with KEEP=1), with nothing of the user's environment, our programs in
# front of PATH, $TOP the top of the repository and $DATA its t/data.  The
# plan comes by itself at the end; a file that dies before (set -eu) prints
# none and so fails.

# t/: the folder of the test, or the one above it.
tap_t=${0%/*}
[ -e "$tap_t/lib.sh" ] || tap_t=$tap_t/..
[ -n "${TAP_CALLER-}" ] || exec perl "$tap_t/exec" "$0" "$@"

set -eu

# check NAME COMMAND [<<expected]: status 0, that stdout, nothing on stderr.
check()
{
	tap_eval "$2"
	tap_judge
	tap_result "$1" "$2"
}

# slowly NAME COMMAND [<<expected]: check, of a command with time limits that
# a slow machine may miss: it may try again with limits $k times as long.
slowly()
{
	cat >"$tap/want"
	for k in 1 5 25 125; do
		tap_eval "$2"
		tap_judge <"$tap/want"
		[ -s "$tap/why" ] || break
	done
	tap_result "$1" "$2"
}

# $1 tenths of a second, $k times.
tenths()
{
	echo "$(($1 * k / 10)).$(($1 * k % 10))"
}

# fails STATUS NAME COMMAND [<<expected]: that status, that stderr.  On
# stdout nothing but, from a filter, the error record with that status.
fails()
{
	tap_eval "$3"
	[ "$tap_status" -eq "$1" ] ||
	    printf 'status %d, expected %d\n' "$tap_status" "$1" >>"$tap/why"
	tap_same stderr err
	[ ! -s "$tap/out" ] || tap_error_record "$1" <"$tap/out" ||
	    tap_same stdout out </dev/null
	tap_result "$2" "$3"
}

# needs PROGRAM|pty check|fails|slowly ...: that test, skipped where there is
# no such program, or no terminal to be had.
needs()
{
	tap_needs=$1
	shift
	if tap_has "$tap_needs"; then
		"$@"
	else
		tap_n=$((tap_n + 1))
		printf 'ok %d # SKIP there is no %s here\n' "$tap_n" "$tap_needs"
	fi
}

# The rest of the file cannot run here, because of $1.
skip()
{
	if [ "$tap_n" -eq 0 ]; then
		tap_plan="1..0 # SKIP $1"
	else
		tap_n=$((tap_n + 1))
		printf 'ok %d # SKIP %s\n' "$tap_n" "$1"
	fi
	exit 0
}

# until_ COMMAND: wait for it to succeed.  A minute or two is for machines
# that are slow: a test waits so long only when something is broken.  What it
# prints before that (a file is not there yet) is no fault.
until_()
{
	for tap_tick in $(seq 3000); do
		! eval "$1" 2>/dev/null || return 0
		sleep 0.02
	done
	printf 'waited in vain for: %s\n' "$1" >&2
	return 1
}

# Nothing more to test.
finish()
{
	exit 0
}

# llmserver_start [OPTION]... [LINE]...: start t/llmserver with a script of
# these lines (each begins with "{") and return when it listens.  $URL is
# its base, $REQUESTS the file with one line per request that it got.
llmserver_start()
{
	tap_servers=$((tap_servers + 1))
	REQUESTS=$tap/requests.$tap_servers
	: >"$REQUESTS"
	: >"$tap/script"
	for tap_arg do
		shift
		case $tap_arg in
		'{'*) printf '%s\n' "$tap_arg" >>"$tap/script" ;;
		*) set -- "$@" "$tap_arg" ;;
		esac
	done
	[ ! -s "$tap/script" ] || set -- "$@" -s "$tap/script"
	mkfifo "$tap/port.$tap_servers"
	"${BIN%/*}/t/llmserver" "$@" -l "$REQUESTS" \
	    >"$tap/port.$tap_servers" 2>>"$tap/server" </dev/null &
	tap_pids="$tap_pids $!"
	if ! read -r URL <"$tap/port.$tap_servers"; then
		cat "$tap/server" >&2
		exit 1
	fi
	rm "$tap/port.$tap_servers"
	URL=http://127.0.0.1:$URL
}

# End all servers started so far.
llmserver_stop()
{
	for tap_pid in $tap_pids; do
		kill "$tap_pid" 2>/dev/null || :
		wait "$tap_pid" || sed 's/^/# /' "$tap/server" >&2
	done
	tap_pids=
}

# serve [OPTION]... [LINE]...: the same, and the provider openai is there.
serve()
{
	llmserver_start "$@"
	export OPENAI_BASE_URL="$URL/v1"
}

# Number of requests that the server started last has got.
sent()
{
	wc -l <"$REQUESTS" | tr -d ' '
}

# Records without the times of the run, which are not compared.
stable()
{
	sed 's/"ms_first":[0-9]*,//;s/,"ms":[0-9]*//;s/"ms":[0-9]*,//'
}

# npm_clients: $codex and $claude, the programs themselves; skips without EXTRA.
npm_clients()
{
	[ -n "${EXTRA-}" ] || skip 'codex and claude are of make check-extra'
	codex=$TOP/build/npm/node_modules/.bin/codex
	claude=$(echo "$TOP"/build/npm/node_modules/@anthropic-ai/claude-code-*/claude)
	for p in "$codex" "$claude"; do
		[ -x "$p" ] || skip "no ${p##*/}: make deps-extra installs it"
	done
	export CODEX_HOME="$HOME/codex" OPENAI_API_KEY=sk-test ANTHROPIC_API_KEY=sk-ant-test
	export CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 IS_SANDBOX=1
}

# jq, for what the files themselves look at: the same answers without jq 1.6's
# 20 to 40 ms per start for a mere field (t/pick.c).  Programs under test start
# jq itself.
jq()
{
	"$tap_jq" "$@"
}

# From here on nothing is for the test files.

tap_has()
{
	case $1 in
	pty) script -qec true /dev/null </dev/null >/dev/null 2>&1 ;;
	*) (unset -f "$1" && command -v "$1" >/dev/null) ;;
	esac
}

tap_eval()
{
	: >"$tap/why"
	tap_status=0
	(eval "$1") </dev/null >"$tap/out" 2>"$tap/err" || tap_status=$?
}

# What came of it that check does not want.
tap_judge()
{
	[ "$tap_status" -eq 0 ] ||
	    printf 'status %d, expected 0\n' "$tap_status" >>"$tap/why"
	tap_same stdout out
	[ ! -s "$tap/err" ] || tap_same stderr err </dev/null
}

# What differs between stdin and file $2, which holds $1.
tap_same()
{
	diff -u -L "$1 expected" -L "$1" - "$tap/$2" >>"$tap/why" || :
}

tap_error_record()
{
	read -r tap_line || return 1
	case $tap_line in
	'{"type":"error",'*'"code":'"$1"[,'}']*) ;;
	*) return 1 ;;
	esac
	! read -r tap_line && [ -z "$tap_line" ]
}

tap_result()
{
	tap_n=$((tap_n + 1))
	if [ ! -s "$tap/why" ]; then
		printf 'ok %d - %s\n' "$tap_n" "$1"
		return
	fi
	tap_bad=$((tap_bad + 1))
	printf 'not ok %d - %s\n' "$tap_n" "$1"
	{
		printf '%s: %s\n%s\n' "${0##*/}" "$1" "$2"
		cat "$tap/why"
	} | sed 's/^/# /' >&2
}

tap_exit()
{
	tap_status=$?
	trap - EXIT
	llmserver_stop
	cd /
	if [ -n "${KEEP-}" ]; then
		printf '# kept %s\n' "$tap_root" >&2
	else
		rm -rf "$tap_root" 2>/dev/null || {
			chmod -R u+rwx "$tap_root"
			rm -rf "$tap_root"
		}
	fi
	[ "$tap_status" -eq 0 ] || exit "$tap_status"
	printf '%s\n' "${tap_plan:-1..$tap_n}"
	[ "$tap_bad" -eq 0 ] || exit 1
	# No test at all is no success, unless a reason was given.
	[ "$tap_n" -gt 0 ] || [ -n "$tap_plan" ] || exit 1
	exit 0
}

# All of the user's environment goes, but for what says how to test.
while read -r tap_line; do
	tap_line=${tap_line#export } tap_line=${tap_line#declare -x }
	tap_line=${tap_line%%=*}
	case $tap_line in
	'' | [0-9]* | *[!A-Za-z0-9_]*) ;;
	PATH | PWD | TMPDIR | PATIENCE | BIN | SAN | KEEP | CI | SOAK | EXTRA | *SAN_OPTIONS) ;;
	LD_* | VALGRIND* | SHELLOPTS | BASHOPTS) ;;
	*) unset "$tap_line" ;;
	esac
done <<!
$(export -p)
!

TOP=$(cd "$tap_t/.." && pwd -P)
DATA=$TOP/t/data
: "${BIN:=build/${SAN:+san/}bin}"
case $BIN in
/*) ;;
*) BIN=$TOP/$BIN ;;
esac
# What is not built would be waited for, or fail in many words.
tap_name=${0##*/}
tap_name=${tap_name%.t}
for tap_name in "$tap_name" "${tap_name%%-*}" msg; do
	if [ ! -x "$BIN/$tap_name" ] && { [ "$tap_name" = msg ] ||
	    find "$TOP"/cmd/*/* -prune \( -name "$tap_name" -o \
		-name "$tap_name.c" \) 2>/dev/null | grep -q .; }; then
		printf '%s: no %s in %s: make\n' "${0##*/}" "$tap_name" "$BIN" >&2
		exit 1
	fi
done
tap_jq=${BIN%/*}/t/pick
[ -x "$tap_jq" ] || unset -f jq
# python3 itself, not a version manager's script; empty where there is none.
PYTHON=${BIN%/*}/t/python/bin/python3
if [ -x "$PYTHON" ]; then
	PATH=${PYTHON%/*}:$PATH
else
	PYTHON=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null) || :
fi
tap_n=0 tap_bad=0 tap_servers=0
tap_plan='' tap_pids=''
# The blank is on purpose: what does not quote a path fails everywhere, not
# only where somebody's TMPDIR has one.
tap_root=$(mktemp -d "${TMPDIR:-/tmp}/turn pipe.XXXXXX")
trap tap_exit EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
tap_root=$(cd "$tap_root" && pwd -P)
tap=$tap_root/tap
HOME=$tap_root/home
XDG_CONFIG_HOME=$HOME/.config
XDG_CACHE_HOME=$HOME/.cache
XDG_DATA_HOME=$HOME/.local/share
XDG_STATE_HOME=$HOME/.local/state
XDG_RUNTIME_DIR=$tap_root/run
mkdir -m 700 "$tap" "$tap_root/work" "$HOME" "$XDG_RUNTIME_DIR"
cd "$tap_root/work"
PATH=$BIN:$PATH
LC_ALL=C TZ=UTC
GIT_CONFIG_NOSYSTEM=1
export PATH LC_ALL TZ HOME XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME \
    XDG_STATE_HOME XDG_RUNTIME_DIR GIT_CONFIG_NOSYSTEM
unset OLDPWD
exec </dev/null
