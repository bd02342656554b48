#!/bin/sh
# Batches over Slurm, and over ssh with GNU parallel: make check-extra.
. "${0%/*}/../lib.sh"

[ -n "${EXTRA-}" ] || skip 'Slurm, sshd and GNU parallel are of make check-extra'
[ "$(id -u)" -eq 0 ] || skip 'slurmctld and sshd run as root here'
serve -r -f 'A.' -m 1000000000
# They start programs with an environment of their own, below a path without
# blanks.
W=$(mktemp -d /tmp/cluster.XXXXXX)
pids='' spaces=''
stop_all()
{
	for p in $pids; do kill "$p" 2>/dev/null || :; done
	for p in $pids; do wait "$p" 2>/dev/null || :; done
	for n in $spaces; do ip netns del "$n"; done
	rm -rf "$W"
	tap_exit
}
trap stop_all EXIT
cd "$W"
# requests N
requests() { seq "$1" | sed 's/.*/{"type":"request","id":"r&","model":"openai\/x","messages":[{"role":"user","content":"&"}]}/'; }
# judge FILE: each request was answered, in order; at most N asked again.
judge()
{
	command jq -r 'select(.role == "assistant").id' answers.jsonl >ids
	command jq -r .id "$1" | cmp - ids && wc -l <ids
	[ "$(sent)" -le $(($(wc -l <"$1") + $2)) ] || echo "$(sent) sent"
}

if tap_has slurmctld && tap_has slurmd && tap_has munged; then
	mkdir -m 755 munge
	mkdir state
	head -c 1024 /dev/urandom >munge/key
	chmod 600 munge/key
	munged --force --foreground --key-file="$W/munge/key" --socket="$W/munge/socket" \
	    --pid-file="$W/munge/pid" --log-file="$W/munge/log" \
	    --seed-file="$W/munge/seed" 2>munge.err & pids="$pids $!"
	host=$(hostname)
	cat >slurm.conf <<!
ClusterName=turnpipe
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$W/munge/socket
SlurmUser=root
SlurmctldPort=26817
SlurmctldPidFile=$W/ctld.pid
SlurmctldLogFile=$W/ctld.log
SlurmdPidFile=$W/slurmd.%n.pid
SlurmdLogFile=$W/slurmd.%n.log
SlurmdSpoolDir=$W/spool.%n
StateSaveLocation=$W/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=1,sched_interval=2
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=27001 CPUs=2
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=27002 CPUs=2
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP
!
	export SLURM_CONF="$W/slurm.conf"
	until_ '[ -S munge/socket ]'
	slurmctld -D >/dev/null 2>&1 & pids="$pids $!"
	slurmd -D -N n1 >/dev/null 2>&1 & pids="$pids $!"
	slurmd -D -N n2 >/dev/null 2>&1 & pids="$pids $!"
	until_ '[ "$(sinfo -h -N -o %t 2>/dev/null | grep -c idle)" -eq 2 ]'
	requests 3000 >req
	: >"$REQUESTS"
	check 'Slurm: four tasks, one requeued and one killed: each request is answered once, in order' '
	    "$(sharefind batch/slurm)" req 4 >job
	    until_ "[ -s batch/journal.1 ] && [ -s batch/journal.2 ]"
	    j=$(squeue -h -o %F | sort -n | head -n 1)
	    scontrol requeue "${j}_2"
	    p=$(pgrep -f "journal -J batch/journal.1 ") && kill -9 $p
	    # What is requeued is held for a minute or two.
	    for i in 1 2 3 4 5; do until_ "[ -s answers.jsonl ]" 2>/dev/null && break; done
	    [ -s answers.jsonl ] || { cat batch/log.*; squeue; ls -l batch; } >&2
	    judge req 128' <<!
3000
!
	rm -r batch answers.jsonl
	requests 400 | sed '7s/"content":"7"/"content":"poison"/' >req
	cat >poison <<\!
while read -r l; do
	i=${l#*'"id":"'} i=${i%%'"'*}
	case $l in
	*poison*) echo '{"type":"error","id":"'"$i"'","code":69,"message":"500"}' ;;
	*'"request"'*) echo '{"type":"message","id":"'"$i"'","role":"assistant","content":"A"}' ;;
	*) echo "$l" ;;
	esac
done
!
	check 'Slurm: one request that always fails: the merge waits for nothing, it is in a file' '
	    LLMCALL="sh poison" "$(sharefind batch/slurm)" req 4 >job
	    until_ "[ -s answers.jsonl ]" || { cat batch/log.*; squeue; ls -l batch; } >&2
	    command jq -r .id answers.jsonl >ids; command jq -r .id req | cmp - ids
	    grep -c "\"content\":\"A\"" answers.jsonl; command jq -r .id failed.jsonl' <<!
399
r7
!
else
	needs slurmctld check 'Slurm' :
fi
if [ -x /usr/sbin/sshd ] && tap_has parallel && tap_has rsync && tap_has ip &&
    ip netns add tp$$ 2>/dev/null && ip netns del tp$$; then
	rm -rf batch answers.jsonl
	mkdir -p /run/sshd
	ssh-keygen -q -t ed25519 -N '' -f key
	ssh-keygen -q -t ed25519 -N '' -f hostkey
	# A host each, in a network namespace: its address, and one of ours on
	# the other end of the line, where the server is relayed to.
	cat >relay.py <<!
import asyncio, sys

async def copy(r, w):
    try:
        while data := await r.read(65536):
            w.write(data)
            await w.drain()
    except OSError:
        pass
    w.close()

async def serve(r, w):
    r2, w2 = await asyncio.open_connection("127.0.0.1", sys.argv[2])
    await asyncio.gather(copy(r, w2), copy(r2, w))

async def main():
    s = await asyncio.start_server(serve, sys.argv[1], sys.argv[2], backlog=512)
    await s.serve_forever()

asyncio.run(main())
!
	port=${URL##*:}
	for n in 1 2; do
		space=tp$$x$n
		ip netns add $space
		spaces="$spaces $space"
		ip link add tp$$h$n type veth peer name eth0 netns $space
		ip addr add 10.213.$n.1/30 dev tp$$h$n
		ip link set tp$$h$n up
		ip netns exec $space ip addr add 10.213.$n.2/30 dev eth0
		ip netns exec $space ip link set eth0 up
		"$PYTHON" relay.py 10.213.$n.1 "$port" 2>relay$n & pids="$pids $!"
		cat >sshd$n <<!
ListenAddress 10.213.$n.2
HostKey $W/hostkey
AuthorizedKeysFile $W/key.pub
StrictModes no
PidFile $W/sshd$n.pid
UsePAM no
SetEnv OPENAI_BASE_URL=http://10.213.$n.1:$port/v1
!
		ip netns exec $space /usr/sbin/sshd -D -f sshd$n -E log$n & pids="$pids $!"
		until_ "[ -s sshd$n.pid ]"
	done
	ssh="ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR -i $W/key"
	requests 1000 >req
	: >"$REQUESTS"
	check 'parallel over two hosts, one of them killed: each request is answered once, in order' '
	    "$(sharefind batch/parallel)" req 4 --jobs 2 --sshlogin "$ssh 10.213.1.2" \
		--sshlogin "$ssh 10.213.2.2" --workdir "$W/remote" --env PATH 2>err & p=$!
	    until_ "[ -s remote/batch/journal.1 ]"
	    h=$(cat sshd2.pid); all="$h $(pgrep -P "$h" | while read -r c; do echo "$c"; pgrep -P "$c" || :; done)"
	    kill -9 $all 2>/dev/null || :
	    wait $p || { cat err; ls batch; }
	    judge req 5000' <<!
1000
!
else
	needs parallel check 'GNU parallel' :
fi
finish
