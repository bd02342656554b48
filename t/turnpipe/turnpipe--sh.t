#!/bin/sh
# What the scripts read with ".": waiting for a child, signals or not.
. "${0%/*}/../lib.sh"

program() { mkdir -p "$(dirname "$1")"; cat >"$1"; chmod +x "$1"; }
program awaits <<'!'
#!/bin/sh
set -u
. turnpipe--sh
trap_signals INT TERM HUP ALRM
# One that a signal ends; a shell's child has its own only when it runs.
there() { until [ -e "$1" ]; do sleep 0.02; done; }
rm -f up heard
begin() {
	sh -c ': >up; exec sleep 600' &
	there up
}
case $1 in
before)	# a signal that comes before wait
	begin
	kill -TERM $$
	wait_child $! ;;
between) # or just before wait does
	wait() {
		unset -f wait
		kill -TERM $$
		command wait "$@"
	}
	begin
	wait_child $! ;;
within)
	(there up; sleep 0.2; kill -HUP $$) &
	sh -c 'trap "exit 3" TERM; : >up; while :; do sleep 0.1; done' &
	wait_child $! ;;
early)	# the child is a shell yet, which has SIGINT ignored
	{ : >up; while :; do sleep 0.1; done; } &
	pid=$!
	(there up; kill -INT $$) &
	wait_child $pid ;;
lost)	# a signal that the child's shell loses
	stop=$PWD/stop
	{ trap '' TERM; : >up; there stop; exec_unless_stopped sh -c 'exit 7'; } &
	pid=$!
	(there up; kill -TERM $$) &
	wait_child $pid ;;
twice)
	(there up; kill -TERM $$; there heard; kill -ALRM $$) &
	sh -c 'trap "[ ! -e heard ] || exit 4; : >heard" TERM; : >up
	    while :; do sleep 0.1; done' &
	wait_child $! ;;
late)	# the child has ended with a status of its own
	wait() {
		unset -f wait
		command wait "$@"
		set -- $?
		kill -TERM $$
		return "$1"
	}
	sh -c 'exit 5' &
	wait_child $! ;;
none)
	sh -c 'exit 6' &
	wait_child $! ;;
esac
st=$?
echo "$st $caught $times $heeded"
leave 0
!
for c in 'before 143 143 TERM 1 1' 'between 143 143 TERM 1 1' 'within 129 3 HUP 1 1' \
    'early 130 143 INT 1 1' 'lost 143 143 TERM 1 1' \
    'late 143 5 TERM 1 1' 'none 0 6  0 0'; do
	set -- $c
	check "wait_child: a signal that comes $1" \
	    "{ ./awaits $1 || st=\$?; } 2>/dev/null; echo \${st:-0}" <<!
${c#"$1 $2 "}
$2
!
done
check 'wait_child: each of two signals is passed on; ALRM as TERM' \
    './awaits twice 2>/dev/null' <<!
4 ALRM 2 2
!

# Relative names of our own directory: a script goes elsewhere.
program bin/sharefind <<'!'
#!/bin/sh
echo 0
!
program bin/histadd <<'!'
#!/bin/sh
case $1 in
-C) echo "$PWD/elsewhere" ;;
*) echo "$PWD/state/p/x.jsonl" ;;
esac
!
program bin/agentpool <<'!'
#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
exec "$@"
!
program bin/factextract <<'!'
#!/bin/sh
echo ours >&2
!
mkdir -p state/p elsewhere/bin
cp "$TOP"/cmd/turnpipe/turnpipe-facts "$TOP"/cmd/turnpipe/turnpipe--sh bin
program elsewhere/bin/factextract <<'!'
#!/bin/sh
echo "that of the work tree" >&2
!
printf '{"type":"session","cwd":"%s"}\n' "$PWD/elsewhere" \
    >state/p/20261121T120000Z-00000000.jsonl
check 'started by a relative name: no work tree runs what we run' \
    'bin/turnpipe-facts 2>&1' <<!
ours
!
