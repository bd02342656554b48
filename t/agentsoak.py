"""agentsoak.py RUNS [SEED]: runs with agents of which a process is ended by a
signal at a random moment, and which are continued until they are done.

- A run is two turns: one has a plan made, whose todo the user accepts, the
  other has two agents look side by side and works the todo off.  The model is
  a server here that knows nothing but what a request tells it, and calls
  again what has no result.  Until the signal some of the agents' calls hang.
- TERM, INT or KILL goes to the driver, a toolrun (or the keeper of one of its
  tools), or a turnpipe-agent.
- Held against /proc: after 12 s nothing is left of what the process had below
  it, and of the whole run when the driver has ended.  Then `turnpipe -c` goes
  on with the user's session, to the answers and the completed todo; its log
  has each call with one result.
"""

import http.server
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

# Seconds in which all of an agent has ended; more in `make check`, which
# does not tell slow machines from faults.
GONE = 12 if os.environ.get("SOAK") else 60
HANG = 3 * GONE # s of a model call that is not to be waited for
LIMIT = 5 * 60  # s that a turn may take
WORKERS = 3
SIGNALS = [signal.SIGTERM, signal.SIGINT, signal.SIGKILL]
WHO = ["driver", "toolrun", "turnpipe-agent"]

faults = []
struck = {}     # how many were hit, by whom and by which signal
slow = set()    # runs whose agents' calls may hang
lock = threading.Lock()


def fault(where, why):
    with lock:
        faults.append(where + ": " + why)


def call(name, **args):
    return {"index": 0, "id": "c%016x" % random.getrandbits(64),
        "type": "function",
        "function": {"name": name, "arguments": json.dumps(args)}}


def calls(*some):
    for i, c in enumerate(some):
        c["index"] = i
    return {"tool_calls": list(some)}, "tool_calls"


def text(s):
    return {"content": s}, "stop"


def content(m):
    c = m.get("content") or ""
    return c if isinstance(c, str) else "".join(p.get("text", "") for p in c)


def answer(body):
    """The next step of the conversation, and is it an agent's?"""
    task, results, waiting = None, [], []
    for m in body["messages"]:
        if waiting and m["role"] != "tool":
            fault("request", "a call without its result")
            waiting = []
        if m["role"] == "user":
            got = re.match(r"(Plan|Do|Steps|Look) (\d+)", content(m))
            if got:
                task, results = got, []
        elif m["role"] == "assistant":
            waiting = [c["id"] for c in m.get("tool_calls") or []]
        elif m["role"] == "tool":
            if m["tool_call_id"] not in waiting:
                fault("request", "a result that is nobody's, or twice")
            else:
                waiting.remove(m["tool_call_id"])
            # The program's block may end the last one.
            results.append(content(m).split("\n\n<turn-context>")[0])
    if waiting:
        fault("request", "a call without its result at the end")
    if task is None:
        fault("request", "no task in it")
        return text("What?"), 0
    what, run = task.group(1), int(task.group(2))
    agent = run if what in ("Steps", "Look") else 0
    if "tools" not in body:
        return text("Cut off."), agent
    if what == "Steps":
        if not any("Move notes." in r for r in results):
            return calls(call("todo_add", text="Move notes.",
                status="proposed")), agent
        return text("The plan of %d." % run), agent
    if what == "Look":
        if not any("two" in r for r in results):
            return calls(call("read_file", path="notes")), agent
        return text("Found %s." % task.string.split()[2]), agent
    if what == "Plan":
        if not any("The plan of %d." % run in r for r in results):
            return calls(call("plan", task_prompt="Steps %d" % run)), agent
        return text("Do you agree with plan %d?" % run), agent
    missing = [k for k in ("one", "two")
               if not any("Found %s." % k in r for r in results)]
    if missing:
        return calls(*[call("explore", task_prompt="Look %d %s" % (run, k))
            for k in missing]), agent
    for status in ("in_progress", "completed"):
        mark = {"in_progress": "[>]", "completed": "[x]"}[status]
        if not any(mark in r for r in results):
            return calls(call("todo_update", id="1", status=status)), agent
    return text("Run %d is done." % run), agent


class Model(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        (delta, reason), agent = answer(body)
        time.sleep(random.random() * 0.1)
        end = time.monotonic() + HANG
        hangs = random.random() < 0.3
        while hangs and agent in slow and time.monotonic() < end:
            time.sleep(0.05)
        try:
            self.send(delta, reason)
        except OSError:
            pass    # whoever asked has ended

    def send(self, delta, reason):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for c in ({"choices": [{"index": 0, "delta": delta}]},
                  {"choices": [{"index": 0, "delta": {},
                      "finish_reason": reason}]},
                  {"choices": [], "usage": {"prompt_tokens": 10,
                      "completion_tokens": 2}}):
            self.wfile.write(b"data: " + json.dumps(c).encode() + b"\n\n")
            self.wfile.flush()
        self.wfile.write(b"data: [DONE]\n\n")
        self.close_connection = True


def read(pid, name):
    try:
        with open("/proc/%d/%s" % (pid, name), "rb") as f:
            return f.read()
    except OSError:
        return b""


def stat(pid):
    """Name, state, parent and start of a process; None if it is gone."""
    s = read(pid, "stat").decode("utf-8", "replace")
    if not s:
        return None
    fields = s[s.rindex(")") + 2:].split()
    return s[s.index("(") + 1:s.rindex(")")], fields[0], int(fields[1]), \
        fields[19]


def members(where):
    """What runs with this directory in its environment: {pid: stat}."""
    word = os.fsencode(where + "/")
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit() and word in read(int(name), "environ"):
            s = stat(int(name))
            if s and s[1] not in "ZX":
                found[int(name)] = s
    return found


def below(pid, all):
    """Those of them that descend from the process, itself too."""
    ours, more = {pid}, True
    while more:
        more = {p for p in all if all[p][2] in ours} - ours
        ours |= more
    return {p: all[p] for p in ours if p in all}


def alive(some):
    """Those of {pid: stat} that are still the same process."""
    now = {p: stat(p) for p in some}
    return {p: s for p, s in now.items()
            if s and s[1] not in "ZX" and s[3] == some[p][3]}


def ends(some, seconds):
    """What is still there of {pid: stat} after so long; a callable too."""
    end = time.monotonic() + seconds
    while True:
        there = some() if callable(some) else alive(some)
        if not there or time.monotonic() > end:
            return there
        time.sleep(0.1)


def shown(some):
    return "".join("\n    %d %s of %d in %s: %s" % (p, s[1], s[2],
        read(p, "wchan").decode(), read(p, "cmdline").replace(b"\0", b" ")
        .decode("utf-8", "replace")[:140]) for p, s in some.items())


class Run:
    def __init__(self, n, where):
        self.n = n
        self.hit = None
        self.dir = os.path.join(where, "r%d" % n)
        os.makedirs(os.path.join(self.dir, ".git"))
        with open(os.path.join(self.dir, "notes"), "w") as f:
            f.write("one\ntwo\n")
        self.env = dict(os.environ,
            XDG_STATE_HOME=os.path.join(self.dir, "state"))

    def sessions(self):
        found = []
        for d, _, names in os.walk(os.path.join(self.dir, "state")):
            found += [os.path.join(d, n) for n in names
                      if re.match(r".*Z-[0-9a-f]{8}\.jsonl$", n)]
        return found

    def log(self):
        found = []
        for path in self.sessions():
            with open(path, "rb") as f:
                found += [json.loads(line)
                          for line in f.read().split(b"\n")[:-1]]
        return found

    def asked(self, what):
        return any(r.get("role") == "user" and content(r) == what
                   for r in self.log())

    def start(self, *args):
        return subprocess.Popen(["turnpipe"] + list(args), cwd=self.dir,
            env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True, text=True)

    def fault(self, why):
        fault("run %d (%s)" % (self.n, self.how), why)

    def clear(self):
        for pid in members(self.dir):
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:
                pass

    def strike(self, driver, who, sig, delay):
        """
        Hit a process of that name once the delay is over; what it had below
        it, and is it to end?  None if the turn was over before.
        """
        time.sleep(delay)
        while driver.poll() is None:
            all = members(self.dir)
            some = [driver.pid] if who == "driver" else [
                p for p in all if all[p][0] == who and p != driver.pid]
            if not some:
                time.sleep(0.005)
                continue
            pid = random.choice(some)
            if who != "driver":
                time.sleep(random.random() * 0.1)
                all = members(self.dir)
            had = below(pid, all)
            try:
                os.kill(pid, sig)
            except OSError:
                continue
            # A tool's keeper, a toolrun below one, heeds its toolrun alone.
            up = stat(all[pid][2]) if pid in all else None
            keeper = who == "toolrun" and up and up[0] == who
            return had, not keeper or sig == signal.SIGKILL
        return None

    def finish(self, p, what):
        """Wait for a turn; its status, or None: it hangs."""
        try:
            self.out, self.err = p.communicate(timeout=LIMIT)
            return p.returncode
        except subprocess.TimeoutExpired:
            self.fault(what + " hangs" + shown(members(self.dir)))
            self.clear()
            return None

    def turn(self, text, want, hit):
        """A turn until it is done: hit is (who, signal, delay) or None."""
        args = ["-yFq"] + (["-c"] if self.sessions() else []) + [text]
        p = self.start(*args)
        if hit:
            slow.add(self.n)
            got = self.strike(p, *hit)
            if got:
                self.hit = hit[:2]
            if got and got[1]:
                there = ends(got[0] if hit[0] != "driver"
                    else lambda: members(self.dir), GONE)
                if there:
                    self.fault("left after %d s:%s" % (GONE, shown(there)))
            slow.discard(self.n)
        if self.finish(p, "a turn") is None:
            return False
        for i in range(4):
            there = ends(lambda: members(self.dir), GONE)
            if there:
                self.fault("left of a turn that ended:" + shown(there))
                self.clear()
                return False
            if self.out.endswith(want + "\n") and p.returncode == 0:
                return True
            p = self.start("-yFqc") if self.asked(text) else self.start(*args)
            if self.finish(p, "turnpipe -c") is None:
                return False
        self.fault("status %d, said %r: %s" %
                   (p.returncode, self.out, self.err))
        return False

    def run(self, which, hit):
        self.how = "%s of %s in turn %d after %.2f s" % (
            hit[1].name, hit[0], which, hit[2])
        if not self.turn("Plan %d" % self.n,
                "Do you agree with plan %d?" % self.n,
                hit if which == 1 else None):
            return
        env = dict(self.env, TURNPIPE_SESSION=self.sessions()[0])
        p = subprocess.run(["turnpipe", "accept"], cwd=self.dir, env=env,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if p.returncode != 0:
            self.fault("accept: " + p.stdout)
        if not self.turn("Do %d" % self.n, "Run %d is done." % self.n,
                hit if which == 2 else None):
            return
        p = subprocess.run(["todolist", "list"], cwd=self.dir, env=env,
            stdout=subprocess.PIPE, text=True)
        if not p.stdout.startswith("1. [x] Move notes."):
            self.fault("todos: " + p.stdout)
        self.judge()

    def judge(self):
        if len(self.sessions()) != 1:
            self.fault("%d sessions of the user" % len(self.sessions()))
        log = self.log()
        made = [c["id"] for r in log if r.get("role") == "assistant"
                for c in r.get("tool_calls") or []]
        results = [r["tool_call_id"] for r in log if r.get("role") == "tool"]
        if len(set(results)) != len(results):
            self.fault("a result is there twice")
        if not set(results) <= set(made):
            self.fault("a result has no call")


def main():
    runs = int(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.getrandbits(32)
    random.seed(seed)
    # What a shell starts with & has it ignored, and so has what that starts.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Model)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    where = os.path.realpath(tempfile.mkdtemp(prefix="soak."))
    os.environ.update({
        "OPENAI_BASE_URL": "http://127.0.0.1:%d/v1" % server.server_port,
        "OPENAI_API_KEY": "sk-soak", "TURNPIPE_MODEL": "openai/soak"})
    # How long the turns take here, if no signal comes.
    first = Run(0, where)
    first.how = "no signal"
    took = []
    for i, (t, want) in enumerate((("Plan 0", "Do you agree with plan 0?"),
                                   ("Do 0", "Run 0 is done."))):
        start = time.monotonic()
        if i == 1:
            subprocess.run(["turnpipe", "accept"], cwd=first.dir,
                env=dict(first.env, TURNPIPE_SESSION=first.sessions()[0]),
                stdout=subprocess.DEVNULL)
        first.turn(t, want, None)
        took.append(time.monotonic() - start)
    kinds = [(w, s) for s in SIGNALS for w in WHO]
    begun = time.monotonic()
    busy = [0, 0]   # runs under way, and begun

    def work():
        while True:
            with lock:
                if sum(struck.values()) + busy[0] >= runs:
                    return
                busy[0] += 1
                busy[1] += 1
                n = busy[1]
                which = random.randint(1, 2)
                hit = kinds[n % len(kinds)] + (
                    random.random() * took[which - 1],)
            r = Run(n, where)
            try:
                r.run(which, hit)
            except Exception as e:    # else the thread would end unheard
                r.fault(repr(e))
            with lock:
                busy[0] -= 1
                if r.hit:
                    struck[r.hit] = struck.get(r.hit, 0) + 1
            if os.environ.get("SOAK"):
                print("# %d: %.0f s, %s" %
                      (n, time.monotonic() - begun, r.how), file=sys.stderr)

    threads = [threading.Thread(target=work) for _ in range(WORKERS)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for f in faults:
        print(f)
    if faults:
        print("%d faults in %d runs; seed %d, %s" %
              (len(faults), runs, seed, where))
        sys.exit(1)
    print("%d runs" % runs)
    print("# %d were hit: %s" % (sum(struck.values()), ", ".join(
        "%s of %s %d" % (s.name, w, n) for (w, s), n in struck.items())),
        file=sys.stderr)


main()
