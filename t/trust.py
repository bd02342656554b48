"""trust.py [-v] [-p PROGRAM] [-s SEED] [-t SECONDS] -b LIBRARY [FAULT]...: a turn of
which one call of one process fails, is short or kills it, and the next that goes on.

- The library (data/trust/fault.c) counts what each program of a turn calls;
  from that come the cases: each of the first calls of a kind, some of the
  later ones.  They are tried in random order until the time is up.
- After each: a status that turnpipe(7) names, with it a line on standard
  error; whole records, numbered without a gap; no process left.  Then
  "turnpipe -c" without a fault ends with the right answer, and the log is held
  against the tool's journal as soak.py does.
"""

import argparse
import mmap
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
import soak

KINDS = ["malloc", "read", "write", "open", "fsync", "connect", "fork", "clock"]
HOW = {"malloc": ["fail", "kill"], "read": ["fail", "short", "kill"],
       "write": ["fail", "short", "full", "kill"], "open": ["fail", "kill"],
       "fsync": ["fail", "kill"], "connect": ["fail", "kill"],
       "fork": ["fail", "kill"], "clock": ["back", "ahead"]}
SLOT = struct.Struct("I16s8II")
SLOTS = 64
STATUS = {0, 3, 4, 5, 6, 7, 8, 64, 65, 66, 69, 70, 71, 73, 74, 75, 76, 77, 78}
FIRST = 30      # calls of each kind that are all tried
LATER = 30      # and of those after them
# Where sh itself has no memory, no process or no file it says so in its own
# words and ends with 2.  A read that fails it takes for the end of the script.
SHELL = ("turnpipe:", "turnpipe--turn:")
LEFT = 5        # s until no process is there


class Counts:
    """What each program called in one turn, and the faults that it got."""

    def __init__(self, path):
        self.path = path
        with open(path, "wb") as f:
            f.write(b"\0" * SLOT.size * SLOTS)

    def read(self):
        found = {}
        with open(self.path, "rb") as f:
            data = f.read()
        for i in range(SLOTS):
            _, name, *counts = SLOT.unpack_from(data, i * SLOT.size)
            name = name.split(b"\0")[0].decode() or "*"
            if i == 0 or name != "*":
                found[name] = counts
        return found

    def hits(self):
        return sum(c[-1] for c in self.read().values())


def turn(path, run, library, counts=None, fault=None, files=None):
    env = dict(os.environ)
    if counts:
        env.update(LD_PRELOAD=library, FAULT_COUNTS=counts.path)
    if fault:
        env["FAULT"] = fault
    limit = None
    if files:
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))
    cmd = ["turnpipe", "-Fq", "-s", path]
    cmd += ["-c"] if soak.role(path, "user") else ["Run %d." % run]
    p = subprocess.Popen(cmd, stdin=subprocess.DEVNULL, env=env,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit,
        start_new_session=True, text=True, errors="replace")
    try:
        out, err = p.communicate(timeout=soak.LIMIT)
    except subprocess.TimeoutExpired:
        why = "hangs" + soak.left(path, p.pid)
        for pid in soak.members(p.pid):
            soak.kill(pid)
        p.communicate()
        return None, "", why
    end = time.monotonic() + LEFT
    while soak.members(p.pid):
        if time.monotonic() > end:
            err += "LEFT" + soak.left(path, p.pid)
            for pid in soak.members(p.pid):
                soak.kill(pid)
            break
        time.sleep(0.01)
    return p.returncode, out, err


def attempt(run, where, library, fault):
    """One case; how many faults were put in."""
    path = os.path.join(where, "r%d.jsonl" % run)
    journal = os.path.join(where, "journal.%d" % run)
    name = "%d, %s" % (run, fault)
    counts = Counts(os.path.join(where, "counts.%d" % run))
    if fault.startswith("files:"):
        st, out, err = turn(path, run, library, files=int(fault[6:]))
        hits = 1
    else:
        st, out, err = turn(path, run, library, counts, fault)
        hits = counts.hits()
    os.unlink(counts.path)
    want = "The sum is %d.\n" % sum(
        soak.value(run, s) for s in range(1, soak.STEPS + 1))
    killed = fault.endswith(":kill")
    if st is None or "LEFT" in err:
        soak.fault(name, "a process is left: " + err)
    elif st not in STATUS and not (killed and st in (-9, 137)) and \
            not (st == 2 and fault.startswith(SHELL + ("files:",))):
        soak.fault(name, "status %s: %s" % (st, err))
    elif st == 0 and out != want:
        soak.fault(name, "status 0, answer %r: %s" % (out, err))
    elif st != 0 and not killed and not err.strip():
        soak.fault(name, "status %d and not a word" % st)
    if "Segmentation fault" in err or "Aborted" in err:
        soak.fault(name, err)
    notes[err.count("\n")] = notes.get(err.count("\n"), 0) + 1
    if verbose:
        print("# %s: %s hits, status %s\n%s" % (name, hits, st, err), flush=True)
    # Without its tool, which could not be read, the turn used up its steps.
    spent = st == 5
    st, out, err = turn(path, run, library)
    if (st != 0 or out != want) and not (spent and st == 5):
        soak.fault(name, "continued: status %s, %r: %s" % (st, out, err))
    soak.judge(name, path, "fault", journal)
    return hits


def cases(counts, program):
    for name, numbers in sorted(counts.read().items()):
        if program and name != program:
            continue
        for kind, n in zip(KINDS, numbers):
            if (kind == "clock") != (name == "*"):
                continue
            some = list(range(1, min(n, FIRST) + 1))
            some += random.sample(range(FIRST + 1, n + 1),
                min(LATER, max(0, n - FIRST)))
            for i in some:
                for how in HOW[kind]:
                    if (kind, how) == ("read", "fail") and \
                            (name + ":").startswith(SHELL):
                        continue
                    yield "%s:%s:%d:%s" % (name, kind, i, how)
    if not program:
        for files in range(11, 33):
            yield "files:%d" % files


def main():
    global verbose
    parser = argparse.ArgumentParser()
    parser.add_argument("-p", "--program")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("-b", "--library", required=True)
    parser.add_argument("-t", "--seconds", type=float, default=1e9)
    parser.add_argument("-s", "--seed", type=int, default=random.getrandbits(32))
    parser.add_argument("fault", nargs="*")
    args = parser.parse_args()
    verbose = args.verbose
    random.seed(args.seed)
    soak.STEPS, soak.LIMIT = 1, 20
    where = soak.prepare()
    library = os.path.abspath(args.library)
    counts = Counts(os.path.join(where, "counts"))
    st, out, err = turn(os.path.join(where, "r0.jsonl"), 0, library, counts)
    if st != 0:
        print("without a fault: status %s: %s" % (st, err))
        sys.exit(1)
    todo = args.fault or list(cases(counts, args.program))
    random.shuffle(todo)
    end = time.monotonic() + args.seconds
    done = [0, 0]

    def one(run):
        hits = attempt(run, where, library, todo[run - 1])
        with soak.lock:
            done[0] += 1
            done[1] += hits > 0

    soak.work(len(todo), one, lambda: time.monotonic() < end)
    for f in soak.faults:
        print(f)
    if soak.faults:
        print("%d faults; seed %d, %s" % (len(soak.faults), args.seed, where))
    print("calls that fail: %d cases, %d faults put in, %d failures" %
        (done[0], done[1], len(soak.faults)))
    if verbose:
        print("# lines on standard error: %s" % sorted(notes.items()))
    sys.exit(1 if soak.faults else 0)


notes = {}
verbose = False
main()
