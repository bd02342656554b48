#!/bin/sh
# The line of turnpipe -T --install, run by a real cron: its tables are
# the test's own directories, in a mount namespace of its own.
. "${0%/*}/../lib.sh"

[ -n "${EXTRA-}" ] || skip 'a real cron, which takes up to a minute, is of make check-extra'
for c in cron crontab unshare mount; do
	command -v $c >/dev/null || skip "no $c: make deps-extra installs it"
done
[ "$(id -u)" -eq 0 ] || skip 'cron runs as root'
[ -d /var/spool/cron/crontabs ] || skip 'no /var/spool/cron/crontabs'
unshare -m --propagation private true 2>/dev/null || skip 'no mount namespace'

mkdir -p cron/spool/crontabs cron/d cron/run "it's 50% here"
: >cron/crontab
cat >"it's 50% here/every.md" <<!
#!/usr/bin/env -S turnpipe -T
---
schedule: "* * * * *"
allow: [read_file]
---
Wish a good morning.
!
mkdir -p "$XDG_CONFIG_HOME/turnpipe/keys"
(umask 077; echo sk-test >"$XDG_CONFIG_HOME/turnpipe/keys/openai")
export TURNPIPE_MODEL=openai/test
serve -r '{"text":"Good morning."}'
state=$XDG_STATE_HOME/turnpipe/tasks
export state
cat >inside <<'EOF'
mount --bind cron/spool /var/spool/cron && mount --bind cron/d /etc/cron.d &&
    mount --bind cron/crontab /etc/crontab && mount --bind cron/run /run || exit 1
printf '1 1 1 1 * other\n' >table && crontab table || exit 1
for i in 1 2; do
	turnpipe -T --install "it's 50% here/every.md" || exit 1
done
crontab -l | grep -c turnpipe: >lines
cron -f & pid=$!
# Two minutes, for machines that are slow.
for i in $(seq 1200); do
	! grep -q . "$state"/every-*.jsonl || break
	sleep 0.1
done
kill $pid
wait $pid
turnpipe -T --uninstall "it's 50% here/every.md" || exit 1
crontab -l >left
EOF
unshare -m --propagation private sh inside >out 2>&1 || cat out
check 'one line, run by cron at its minute with its answer in the log; then taken away' \
    'cat lines; cat "$state"/every-*.log; jq -c "[.status,.answer]" "$state"/every-*.jsonl | head -n 1; cat left' <<!
1
Good morning.
[0,"Good morning."]
1 1 1 1 * other
!
finish
