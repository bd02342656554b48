"""soak.py RUNS [SEED]: agents of six steps, killed with -9 at random moments
and continued until they are done.

- The model is a server here that knows nothing but what a request tells it:
  it asks for the first step that has no result yet, and sums the results up
  when all five are there.  A call has a nonce; the tool notes it in a
  journal, so that a call that ran twice shows.
- Killed is the driver alone, any one process of its session, all at once, one
  that was forked just now and stopped there, or the driver while it is.
- Held against the log: every line a record, numbered without a gap; no
  result twice, none without its call; where only drivers died, none that the
  journal has and the log has not; the answer right.  Held against each
  request: every call followed by its results, each once.
"""

import http.server
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

STEPS = 5
HOW = ["driver", "one", "all", "young", "parent"]
YOUNG = 100   # a run starts about that many processes
ROUNDS = 6    # kills of one run, at most
WORKERS = 3
LIMIT = 60    # s that a run that is not killed may take

faults = []
kills = 0
lock = threading.Lock()


def fault(where, why):
    with lock:
        faults.append(where + ": " + why)


def value(run, step):
    return (run * 31 + step * 7) % 100


class Model(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            delta, reason = self.answer(body["messages"])
            self.send(delta, reason)
        except OSError:
            pass    # whoever asked was killed

    def answer(self, messages):
        run, got, waiting = None, {}, []
        for m in messages:
            text = m.get("content") or ""
            if not isinstance(text, str):
                text = "".join(p.get("text", "") for p in text)
            if waiting and m["role"] != "tool":
                fault("request", "a call without its result")
                waiting = []
            if m["role"] == "user" and text.startswith("Run "):
                run = int(text.split()[1].rstrip("."))
            elif m["role"] == "assistant":
                waiting = [c["id"] for c in m.get("tool_calls") or []]
            elif m["role"] == "tool":
                if m["tool_call_id"] not in waiting:
                    fault("request", "a result without a call, or twice")
                else:
                    waiting.remove(m["tool_call_id"])
                word = text.split()
                if len(word) > 2 and word[0] == "step":
                    got[int(word[1])] = int(word[2])
        if waiting:
            fault("request", "a call without its result at the end")
        for step in range(1, STEPS + 1):
            if step in got:
                continue
            nonce = "%016x" % random.getrandbits(64)
            args = json.dumps({"run": run, "step": step, "nonce": nonce})
            return [{"tool_calls": [{"index": 0, "id": "call_" + nonce,
                "type": "function",
                "function": {"name": "step", "arguments": ""}}]},
                {"tool_calls": [{"index": 0,
                    "function": {"arguments": args[:9]}}]},
                {"tool_calls": [{"index": 0,
                    "function": {"arguments": args[9:]}}]}], "tool_calls"
        return [{"content": "The sum "},
                {"content": "is %d." % sum(got.values())}], "stop"

    def send(self, deltas, reason):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        chunks = [{"choices": [{"index": 0, "delta": d}]} for d in deltas]
        chunks.append({"choices": [{"index": 0, "delta": {},
            "finish_reason": reason}]})
        chunks.append({"choices": [], "usage": {"prompt_tokens": 10,
            "completion_tokens": 2}})
        for c in chunks:
            self.wfile.write(b"data: " + json.dumps(c).encode() + b"\n\n")
            self.wfile.flush()
            time.sleep(random.random() * 0.004)
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


TOOL = r"""#!/bin/sh
printf '%s\n' "$ARG_nonce" >>"$TURNPIPE_SOAK/journal.$ARG_run"
sleep 0.01
echo "step $ARG_step $(((ARG_run * 31 + ARG_step * 7) % 100))"
"""


def members(sid):
    """The processes of a session; its tools have sessions of their own."""
    pids = []
    for name in os.listdir("/proc"):
        try:
            with open("/proc/%s/stat" % int(name)) as f:
                fields = f.read().rsplit(")", 1)[1].split()
        except (ValueError, OSError):
            continue
        if fields[0] != "Z" and int(fields[3]) == sid:
            pids.append(int(name))
    return pids


def young(driver):
    """A process of the session that has only just been forked."""
    left, seen = random.randint(1, YOUNG), {driver}
    end = time.monotonic() + 1
    while time.monotonic() < end:
        todo = [driver]
        for pid in todo:
            try:
                with open("/proc/%d/task/%d/children" % (pid, pid)) as f:
                    todo += map(int, f.read().split())
            except OSError:
                pass    # it has ended
        for pid in todo:
            if pid not in seen:
                seen.add(pid)
                left -= 1
                if left == 0:
                    return pid
    return None


def left(path, sid=None):
    """Who is there still, and where it waits, for whoever reads a fault."""
    text = subprocess.run(["ps", "-eo", "pid,ppid,sid,stat,wchan:20,args"],
        stdout=subprocess.PIPE, text=True).stdout
    word = os.path.basename(path)[:-6] + "."
    return "".join("\n    " + line[:160] for line in text.splitlines()
        if word in line or line.split()[2] == str(sid)
        or sid is None and ("toolrun" in line or "llmcall" in line
        or "tools/step" in line))


def kill(pid, sig=signal.SIGKILL):
    try:
        os.kill(pid, sig)
    except ProcessLookupError:
        pass


def strike(how, driver):
    """Kill whom it hits, at a random moment."""
    global kills
    with lock:
        kills += 1
    if how != "young" and how != "parent":
        time.sleep(random.random() * 0.3)
    if how == "driver":
        kill(driver)
    elif how == "one":
        pids = members(driver)
        if pids:
            kill(random.choice(pids))
    elif how == "all":
        for pid in members(driver):
            kill(pid)
    else:
        # Held still until all others wait for what it has not done yet.
        pid = young(driver)
        if pid is None:
            return
        kill(pid, signal.SIGSTOP)
        time.sleep(random.random() * 0.05)
        kill(pid if how == "young" else driver)
        kill(pid, signal.SIGCONT)


def records(path):
    """The whole lines, and what may stand torn behind them."""
    try:
        with open(path, "rb") as f:
            data = f.read()
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in data.split(b"\n")[:-1]]


def role(path, name):
    return [r for r in records(path) if r.get("role") == name]


def begin(path, run):
    cmd = ["turnpipe", "-Fq", "-s", path]
    cmd += ["-c"] if role(path, "user") else ["Run %d." % run]
    return subprocess.Popen(cmd, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        start_new_session=True, text=True)


def soak(run, where):
    path = os.path.join(where, "r%d.jsonl" % run)
    how = HOW[run % len(HOW)]
    name = "run %d (%s killed)" % (run, how)
    for i in range(random.randint(1, ROUNDS)):
        p = begin(path, run)
        strike(how, p.pid)
        try:
            p.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            fault(name, "hangs behind a kill" + left(path))
            for pid in members(p.pid):
                kill(pid)
            return
    p = begin(path, run)
    try:
        out, err = p.communicate(timeout=LIMIT)
    except subprocess.TimeoutExpired:
        fault(name, "hangs when it is continued" + left(path))
        for pid in members(p.pid):
            kill(pid)
        return
    if p.returncode != 0:
        fault(name, "status %d: %s" % (p.returncode, err))
    want = "The sum is %d.\n" % sum(
        value(run, s) for s in range(1, STEPS + 1))
    if out != want:
        fault(name, "answer %r, not %r" % (out, want))
    judge(name, path, how, os.path.join(where, "journal.%d" % run))


def judge(name, path, how, journal):
    with open(path, "rb") as f:
        if not f.read().endswith(b"\n"):
            fault(name, "the last line is torn")
    try:
        log = records(path)
    except ValueError as e:
        fault(name, "a line is no record: %s" % e)
        return
    last = 0
    for r in log:
        n = r.get("tp", {}).get("n") or r.get("n")
        if n is not None:
            if n != last + 1:
                fault(name, "record %d follows %d" % (n, last))
            last = n
    if len(role(path, "user")) != 1:
        fault(name, "the question is there %d times" % len(role(path, "user")))
    calls = [c["id"] for r in log if r.get("role") == "assistant"
             for c in r.get("tool_calls") or []]
    results = [r["tool_call_id"] for r in log if r.get("role") == "tool"]
    if len(set(calls)) != len(calls):
        fault(name, "a call is there twice")
    if len(set(results)) != len(results):
        fault(name, "a result is there twice")
    if not set(results) <= set(calls):
        fault(name, "a result has no call")
    try:
        with open(journal) as f:
            ran = ["call_" + line.strip() for line in f]
    except FileNotFoundError:
        ran = []
    if len(set(ran)) != len(ran):
        fault(name, "a call ran twice")
    if not set(ran) <= set(calls):
        fault(name, "a call ran that is not in the log")
    if how in ("driver", "parent") and not set(ran) <= set(results):
        fault(name, "a result is lost")


def prepare():
    """The model and the tool; a directory for the sessions."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    where = tempfile.mkdtemp(prefix="soak.")
    os.environ.update({
        "OPENAI_BASE_URL": "http://127.0.0.1:%d/v1" % server.server_port,
        "OPENAI_API_KEY": "sk-soak", "TURNPIPE_MODEL": "openai/soak",
        "TURNPIPE_SOAK": where})
    tools = os.path.join(os.environ["XDG_CONFIG_HOME"], "turnpipe", "tools")
    os.makedirs(tools, exist_ok=True)
    with open(os.path.join(tools, "step"), "w") as f:
        f.write(TOOL)
    os.chmod(os.path.join(tools, "step"), 0o755)
    field = {"type": "integer"}
    with open(os.path.join(tools, "step.json"), "w") as f:
        json.dump({"description": "Take a step.", "readonly": True,
            "parameters": {"type": "object", "properties": {"run": field,
                "step": field, "nonce": {"type": "string"}}}}, f)
    return where


def work(runs, one, goes_on=lambda: True):
    """one(RUN) of each, by some threads."""
    todo = iter(range(1, runs + 1))

    def some():
        while goes_on():
            with lock:
                run = next(todo, None)
            if run is None:
                return
            try:
                one(run)
            except Exception as e:    # else the thread would end unheard
                fault("run %d" % run, repr(e))

    threads = [threading.Thread(target=some) for _ in range(WORKERS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()


def main():
    runs = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.getrandbits(32)
    random.seed(seed)
    where = prepare()
    work(runs, lambda run: soak(run, where))
    for f in faults:
        print(f)
    if faults:
        print("%d faults in %d runs; seed %d, %s" %
              (len(faults), runs, seed, where))
        sys.exit(1)
    print("%d runs, %d kills" % (runs, kills))


if __name__ == "__main__":
    main()
