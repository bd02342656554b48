"""What things cost: medians and ratios of interleaved runs (t/bench).

Every row prints what was measured, the ratio to what it is measured
against, the aim, and MISS where the aim is not met.  Nothing here judges by
exit status: noise must not fail a build.
"""

import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BIN = os.path.abspath(sys.argv[1])
TOP = os.getcwd()
TMP = tempfile.mkdtemp(prefix="turnpipe-bench.")
RUNS = int(os.environ.get("RUNS", "15"))
SIZE = int(os.environ.get("MB", "200")) * 1000000


def env(**more):
    keep = {k: os.environ[k] for k in ("PATH", "TMPDIR") if k in os.environ}
    keep.update(HOME=TMP, LC_ALL="C", TURNPIPE_MODEL="openai/test",
                OPENAI_API_KEY="sk-bench")
    keep["PATH"] = BIN + ":" + keep["PATH"]
    keep.update(more)
    return keep


def run(cmd, environment, cwd):
    """One run: wall seconds, the largest process in kB, CPU seconds."""
    start = time.perf_counter()
    p = subprocess.Popen(cmd, shell=isinstance(cmd, str), env=environment,
                         cwd=cwd, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(p.pid, 0)
    took = time.perf_counter() - start
    if status != 0:
        sys.exit("bench: status %d of %s" % (status, cmd))
    return took, usage.ru_maxrss, usage.ru_utime + usage.ru_stime


def cpu(cmd, environment, cwd):
    """User and system seconds of a command and of what it waited for."""
    return run(cmd, environment, cwd)[2]


def interleave(cmds, runs, cwd=TMP):
    """Median wall seconds of each command, run in turn."""
    times = {name: [] for name in cmds}
    for i in range(runs + 1):
        for name, (cmd, environment) in cmds.items():
            took = run(cmd, environment, cwd)[0]
            if i > 0:  # the first round warms up
                times[name].append(took)
    return times


def row(name, value, base, aim, unit="x", low=False):
    """Ratio of medians; the pairs' own ratios give its middle."""
    ratio = value / base
    miss = ratio < aim if low else ratio > aim
    print("%-34s %9.2f %s  aim %s %g%s" % (
        name, ratio, unit, ">=" if low else "<=", aim,
        "   MISS" if miss else ""))


class Server:
    def __init__(self, *args):
        port = os.path.join(TMP, "port")
        if os.path.exists(port):
            os.unlink(port)
        self.p = subprocess.Popen(
            [os.path.join(BIN, "../t/llmserver"), "-P", port, *args])
        while not os.path.exists(port):
            time.sleep(0.005)
        self.url = "http://127.0.0.1:" + open(port).read().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.p.terminate()
        self.p.wait()


BODY = json.dumps({"model": "test", "messages": [
    {"role": "user", "content": "How many lines has the file notes?"}]})

SHLOOP = r"""
msgs='[{"role":"user","content":"How many lines has the file notes?"}]'
while :; do
	a=$(jq -cn --argjson m "$msgs" '{model:"test",messages:$m}' |
	    curl -s -H 'Content-Type: application/json' -d @- "$URL/v1/chat/completions")
	c=$(printf %s "$a" | jq -r '.choices[0].message.tool_calls[0].function.arguments // empty')
	[ -n "$c" ] || break
	f=$(printf %s "$c" | jq -r .path)
	msgs=$(printf %s "$a" | jq -c --argjson m "$msgs" --rawfile r "$f" \
	    '$m + [.choices[0].message, {role:"tool",tool_call_id:.choices[0].message.tool_calls[0].id,content:$r}]')
done
printf %s "$a" | jq -r '.choices[0].message.content'
"""


def turn():
    """One answer and one tool loop beside bare curl and a shell loop."""
    work = os.path.join(TMP, "work")
    os.makedirs(work, exist_ok=True)
    subprocess.run(["git", "init", "-q", work], check=True)
    with open(os.path.join(work, "notes"), "w") as f:
        f.write("one\ntwo\n")
    with open(os.path.join(work, "AGENTS.md"), "w") as f:
        f.write("Always run the tests.\n" * 20)
    with Server("-f", "Two lines.") as s:
        e = env(OPENAI_BASE_URL=s.url + "/v1", URL=s.url)
        cmds = {
            "curl": (["curl", "-s", "-H", "Content-Type: application/json",
                      "-d", BODY, s.url + "/v1/chat/completions"], e),
            "turnpipe": ([BIN + "/turnpipe", "-q", "hi there"], e),
            "sh": (["sh", "-c", SHLOOP], e),
        }
        t = interleave(cmds, RUNS, work)
        used = {k: [] for k in cmds}
        for _ in range(RUNS):
            for k, (cmd, environment) in cmds.items():
                used[k].append(cpu(cmd, environment, work))
    # Of a machine that is busy the time says little, this a little more.
    print("one answer, CPU: " + ", ".join("%s %.1f ms" % (
        k, statistics.median(v) * 1e3) for k, v in used.items()))
    curl = statistics.median(t["curl"])
    one = statistics.median(t["turnpipe"])
    print("one answer: curl %.1f ms, turnpipe %.1f ms, sh+curl+jq %.1f ms" % (
        curl * 1e3, one * 1e3, statistics.median(t["sh"]) * 1e3))
    row("one answer / bare curl", one, curl, 2)
    call = {"calls": [{"id": "c1", "name": "read_file",
                       "arguments": {"path": "notes"}}]}
    script = os.path.join(TMP, "script")
    with open(script, "w") as f:
        for _ in range(2 * (RUNS + 1)):
            print(json.dumps(call), file=f)
            print(json.dumps({"text": "Two lines."}), file=f)
    with Server("-s", script) as s, Server("-f", "x") as fast:
        e = env(OPENAI_BASE_URL=s.url + "/v1", URL=s.url)
        t = interleave({
            "curl": (["curl", "-s", "-H", "Content-Type: application/json",
                      "-d", BODY, fast.url + "/v1/chat/completions"], e),
            "turnpipe": ([BIN + "/turnpipe", "-q", "How many lines?"], e),
            "sh": (["sh", "-c", SHLOOP], e),
        }, RUNS, work)
    curl = statistics.median(t["curl"])
    loop = statistics.median(t["turnpipe"])
    print("tool loop: curl (one POST) %.1f ms, turnpipe %.1f ms, "
          "sh+curl+jq %.1f ms" % (curl * 1e3, loop * 1e3,
                                  statistics.median(t["sh"]) * 1e3))
    row("tool loop / bare curl", loop, curl, 4)
    row("tool loop / sh+curl+jq", loop, statistics.median(t["sh"]), 1)


def codex():
    """One answer of codex exec (npm install @openai/codex), beside ours."""
    at = os.path.join(TOP, "build/npm/node_modules/.bin")
    path = os.environ["PATH"] + ":" + at
    if shutil.which("codex", path=path) is None:
        print("no codex on the PATH or in build/npm: skipped")
        return
    home = os.path.join(TMP, "codex")
    work = os.path.join(TMP, "work")
    for d in (home, work):
        os.makedirs(d, exist_ok=True)
    with Server("-f", "Two lines.") as s:
        with open(os.path.join(home, "config.toml"), "w") as f:
            f.write('model = "test"\nmodel_provider = "bench"\n'
                    '[model_providers.bench]\nname = "bench"\n'
                    'base_url = "%s/v1"\nwire_api = "responses"\n'
                    'env_key = "OPENAI_API_KEY"\n' % s.url)
        e = env(OPENAI_BASE_URL=s.url + "/v1", CODEX_HOME=home)
        e["PATH"] += ":" + at
        said = subprocess.run(
            ["codex", "exec", "--skip-git-repo-check", "hi there"], env=e,
            cwd=work, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, check=False)
        if said.returncode != 0 or "Two lines." not in said.stdout:
            sys.exit("bench: codex: %s%s" % (said.stdout, said.stderr))
        t = interleave({
            "codex": (["sh", "-c", "exec codex exec --skip-git-repo-check "
                       "'hi there' 2>codex.err"], e),
            "turnpipe": ([BIN + "/turnpipe", "-q", "hi there"], e),
        }, min(RUNS, 5), work)
    theirs, ours = (statistics.median(v) for v in t.values())
    print("one answer: codex exec %.0f ms, turnpipe %.1f ms" % (
        theirs * 1e3, ours * 1e3))
    row("one answer / codex exec", ours, theirs, 0.1)


def start():
    """CPU of each command's start: --version, which reads no file.  What
    loads libcurl is named and not judged."""
    e = env()
    names = [n for n in sorted(os.listdir(BIN))
             if open(os.path.join(BIN, n), "rb").read(4) == b"\x7fELF"]
    times = {n: [] for n in names}
    for _ in range(RUNS):
        for n in names:
            times[n].append(cpu([os.path.join(BIN, n), "--version"], e, TMP))
    took = {n: statistics.median(v) * 1e3 for n, v in times.items()}
    for n in ("llmcall", "mcphttp", "webget"):
        print("%s --version %.2f ms, libcurl's" % (n, took.pop(n)))
    worst = max(took, key=took.get)
    print("%d commands: median %.2f ms, the slowest is %s" % (
        len(took), statistics.median(took.values()), worst))
    row("start of the slowest of the others", took[worst], 1, 0.7, "ms")


def stream():
    """Conversations through the default pipe: 13 tools and ten skills;
    TALKS=100000 for as many."""
    work = os.path.join(TMP, "work")
    for i in range(10):
        d = os.path.join(work, ".agents/skills/skill-%d" % i)
        os.makedirs(d, exist_ok=True)
        with open(os.path.join(d, "SKILL.md"), "w") as f:
            f.write("---\nname: skill-%d\ndescription: What to do about "
                    "case %d of the bench.\n---\nDo it.\n" % (i, i))
    subprocess.run(["git", "init", "-q", work], check=True)
    n = int(os.environ.get("TALKS", SIZE // 2000))
    with open(os.path.join(work, "talks"), "w") as f:
        for i in range(n):
            print(json.dumps({"role": "user", "content": "How many lines "
                              "has the file notes.%d?" % i}), file=f)
            print(json.dumps({"type": "end", "id": "c%d" % i}), file=f)
    pipe = "".join(line for line in open(os.path.join(
        TOP, "share/profiles/default")) if not line.startswith("#"))
    # As the profile has it, but for the session and what it keeps.
    pipe = pipe.replace('histfit "$S"', "cat talks")
    pipe = pipe[:pipe.index(' -o "$R')]
    with open(os.path.join(work, "pipe"), "w") as f:
        f.write(pipe + "\n")
    # Of the 16 tools that are on offer, the 13 of the aim.
    e = env(TURNPIPE_SET="toolpick.deny=[apply_patch, fetch, store_fact]")
    wall, used = [], []
    for _ in range(3):
        began = time.perf_counter()
        used.append(cpu(["sh", "pipe"], e, work))
        wall.append(time.perf_counter() - began)
    got = 0
    p = subprocess.Popen(["sh", "pipe"], env=e, cwd=work,
                         stdout=subprocess.PIPE)
    for line in p.stdout:
        if line.startswith(b'{"type":"request"'):
            got += 1
            last = line
    if p.wait() != 0 or got != n:
        sys.exit("bench: %d requests of %d conversations" % (got, n))
    tools = len(json.loads(last)["tools"])
    skills = last.count(b"of the bench.")
    if (tools, skills) != (13, 10):
        sys.exit("bench: %d tools, %d skills" % (tools, skills))
    print("%d conversations: %.0f a second, %.3f ms of CPU each, %d bytes" % (
        n, n / statistics.median(wall), statistics.median(used) * 1e3 / n,
        len(last)))
    row("conversations a second", n / statistics.median(wall), 1, 5000, "",
        low=True)


# What texts and sources are made of, with what JSON escapes.
WORDS = ("the ", "a ", "file ", "record ", "is read, ", "return ", "struct ",
         "int ", "(s", "->", "size_t ", "n);\n", "\t", "{\n", "}\n", "/* ",
         " */\n", '"%s"', "if (", ") < 0", ")\n\t\t", "words ", "of ", "and ",
         "that ", "pipeline ", "\\n", "model. ", "The ", "answer ", "\u00e4",
         "\u2014 ", "0x1f", "42 ", "= ", "static ", "const ", "char ", "*p")


def session(path, size):
    """A chat log, the same at every call and in every tree: mean line about
    2 kB.  It ends with a result, so that no call is open."""
    rnd = random.Random(7)
    text = "".join(rnd.choice(WORDS) for _ in range(200000))
    done = i = 0
    with open(path, "w") as f:
        while done < size or i % 3:
            n = min(int(rnd.lognormvariate(7, 1.1)), 300000)
            at = rnd.randrange(len(text) - 2000)
            r = {"type": "message",
                 "role": ("user", "assistant", "tool")[i % 3],
                 "content": (text[at:] + text)[:n]}
            if i % 3 == 1:
                r["tool_calls"] = [{
                    "id": "call_%d" % i, "type": "function",
                    "function": {"name": "shell", "arguments":
                                 json.dumps({"command": "ls -la"})}}]
            if i % 3 == 2:
                r["tool_call_id"] = "call_%d" % (i - 1)
            line = json.dumps(r, ensure_ascii=False) + "\n"
            f.write(line)
            done += len(line.encode())
            i += 1
    return done


FILTERS = ("agentload", "envinfo", "ctxfind", "skillmenu", "toollist",
           "toolpick", "toolrules", "factfind", "todolist", "reminders",
           "promptcompose", "llmcall", "toolrun")


def passing():
    """Throughput of each filter on a long session, by the CPU's time, which
    is the clock's on an idle machine; beside jq -c ."""
    path = os.path.join(TMP, "session.jsonl")
    size = session(path, SIZE)
    small = os.path.join(TMP, "small.jsonl")
    part = session(small, min(SIZE, 10000000))
    e = env()
    jq = statistics.median(
        cpu("jq -c . <%s" % small, e, TMP) for _ in range(3))
    print("jq -c . %30.0f MB/s" % (part / jq / 1e6))
    for f in FILTERS:
        direct, peak = [], 0
        piped = []
        for _ in range(3):
            # toolrun says by 1 that there was nothing to run.
            _, rss, took = run(
                "%s%s <%s 2>err%s" % (("", f, path, "; [ $? -eq 1 ]")
                                if f == "toolrun" else
                                ("exec ", f, path, "")), e, TMP)
            direct.append(took)
            peak = max(peak, rss)
            piped.append(run("cat %s | %s 2>err | cat" % (path, f), e,
                             TMP)[0])
        rate = size / statistics.median(direct) / 1e6
        print("%-14s %5.0f MB/s, between two cats %5.0f MB/s, "
              "peak %d kB, %.0f x jq%s" % (
                  f, rate, size / statistics.median(piped) / 1e6, peak,
                  rate * jq * 1e6 / part,
                  "   aim >= 500 MB/s" + (" MISS" if rate < 500 else "")))


OPENER = r"""
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	static char path[4096], block[4096];
	struct dirent *e;
	long n = 0;
	DIR *d;
	int fd;

	for (; argc > 1; argc--) {
		if ((d = opendir(argv[argc - 1])) == NULL)
			return 1;
		while ((e = readdir(d)) != NULL) {
			snprintf(path, sizeof(path), "%s/%s/SKILL.md",
			    argv[argc - 1], e->d_name);
			if ((fd = open(path, O_RDONLY)) < 0)
				continue;
			n += read(fd, block, sizeof(block));
			close(fd);
		}
		closedir(d);
	}
	return n == 0;
}
"""


def skills():
    """10000 skills and 1000 playbooks beside a C program that reads them."""
    rnd = random.Random(1)
    words = open(os.path.join(TOP, "LICENSE")).read().split()
    top = os.path.join(TMP, "skills-top")

    def text(n):
        return " ".join(rnd.choice(words) for _ in range(n))

    # What real ones are like: figures.md, Skills in the wild.
    for i in range(11000):
        name = "s%05d" % i
        kind = "playbooks" if i >= 10000 else "skills"
        d = os.path.join(top, kind, name)
        os.makedirs(d)
        said = text(26).replace('"', "").replace(":", "").replace("#", "")
        form = rnd.random()
        if form < 0.44:
            said = '"%s"' % said
        elif form > 0.96:
            said = ">\n  " + said
        extra = "metadata:\n  author: me\n  version: '1.0'\n" \
            if rnd.random() < 0.3 else "license: MIT\n"
        if kind == "playbooks":
            extra = "metadata:\n  keywords: \"%s\"\n" % ", ".join(
                (rnd.choice(words) + " " + rnd.choice(words)).lower().strip(
                    ",.*()\":;'") for k in range(8))
        with open(os.path.join(d, "SKILL.md"), "w") as f:
            f.write("---\nname: %s\ndescription: %s\n%s---\n%s\n" % (
                name, said, extra, text(400)))
    src = os.path.join(TMP, "opener.c")
    with open(src, "w") as f:
        f.write(OPENER)
    subprocess.run(["cc", "-O2", "-o", src[:-2], src], check=True)
    say = os.path.join(TMP, "said")
    with open(say, "w") as f:
        f.write(json.dumps({"role": "user", "content": text(400)}) + "\n")
    e = env(TURNPIPE_PATH=top)
    got = interleave({
        "open and read": ("exec %s %s/skills %s/playbooks" % (
            src[:-2], top, top), e),
        "skillmenu": ("exec skillmenu -q <%s" % say, e)}, RUNS)
    base, ours = (statistics.median(v) for v in got.values())
    print("open and read %26.1f ms" % (base * 1000))
    row("skillmenu, 11000 skills", ours, base, 2)
    out = subprocess.run("skillmenu -q -n 1000 <%s" % say, env=e, shell=True,
                         capture_output=True, text=True, check=True).stdout
    print("  playbooks that go along  %13d" % out.count('"matched":true'))


def prefix():
    """What a provider's prompt cache can keep over a session of 20 turns."""
    work = os.path.join(TMP, "prefix")
    subprocess.run(["git", "init", "-q", work], check=True)
    with open(os.path.join(work, "AGENTS.md"), "w") as f:
        f.write("Always run the tests.\n" * 20)
    log, script = (os.path.join(TMP, n) for n in ("log", "turns"))
    with open(script, "w") as f:
        for i in range(20):
            for j in range(i % 4):
                print(json.dumps({"calls": [
                    {"id": "c%d" % j, "name": "write_file",
                     "arguments": {"path": "f%d" % j, "content": "%d\n" % i}},
                    {"id": "t%d" % j, "name": "todo_add",
                     "arguments": {"text": "look at %d.%d" % (i, j)}},
                    {"id": "r%d" % j, "name": "read_file",
                     "arguments": {"path": "AGENTS.md"}}]}), file=f)
            print(json.dumps({"text": "This is done. " * 40}), file=f)
    with Server("-s", script, "-l", log) as s:
        for i in range(20):
            e = env(OPENAI_BASE_URL=s.url + "/v1", TURNPIPE_NOW=
                    "2026-11-21T12:%02d:00Z" % i)
            run([BIN + "/turnpipe", "-Fyq", "-s", TMP + "/prefix.jsonl",
                 "Now number %d: %s" % (i, "please look again. " * 20)],
                e, work)
    sent = kept = 0
    last = ""
    bodies = [json.loads(l)["body"] for l in open(log)]
    for b in bodies:
        # As a model reads it: the tools stand before the messages.
        text = json.dumps([b.pop("tools"), b.pop("messages"), b])
        n = next((i for i, (x, y) in enumerate(zip(text, last)) if x != y),
                 min(len(text), len(last)))
        sent += len(text)
        kept += n
        last = text
    print("20 turns, %d requests, %d kB sent" % (len(bodies), sent / 1000))
    row("bytes that the one before had too", 100 * kept / sent, 1, 90, "%",
        low=True)


def talk(path, turns):
    """A session of that many messages, half of them answers."""
    with open(path, "w") as f:
        print(json.dumps({"type": "session", "id": "x", "version": 1}), file=f)
        for i in range(turns):
            print(json.dumps({
                "type": "message", "role": ("user", "assistant")[i % 2],
                "content": "Number %d. " % i + "Please look again. " * 10,
                "tp": {"n": i + 2}}), file=f)


def length():
    """Does a turn cost more when the session is long?"""
    work = os.path.join(TMP, "work")
    subprocess.run(["git", "init", "-q", work], check=True)
    sizes = (10, 1000, 100000)
    with Server("-f", "Two lines.") as s:
        e = env(OPENAI_BASE_URL=s.url + "/v1")
        cmds = {}
        for n in sizes:
            path = os.path.join(TMP, "talk%d.jsonl" % n)
            talk(path, n)
            cmds["turn", n] = ([BIN + "/turnpipe", "-Fq", "-s", path,
                                "hi there"], e)
            # At one window, so that all send as much.
            cmds["histfit", n] = ([BIN + "/histfit", "-n", "8", path], e)
        t = {k: statistics.median(v) * 1e3
             for k, v in interleave(cmds, RUNS, work).items()}
    for what in ("turn", "histfit"):
        print("%s at %s messages: %s ms" % (
            what, ", ".join(map(str, sizes)),
            ", ".join("%.2f" % t[what, n] for n in sizes)))
        row("%s, 100000 messages / 10" % what, t[what, 100000], t[what, 10],
            1.2)


def facts():
    """The best five of a million facts, and nothing but reading them."""
    rnd = random.Random(2)
    words = [w.strip(",.*()\":;'#/") for n in sorted(os.listdir(TOP + "/man"))
             for w in open(os.path.join(TOP, "man", n)).read().split()]
    path = os.path.join(TMP, ".local/share/turnpipe/facts/user.jsonl")
    os.makedirs(os.path.dirname(path), mode=0o700)
    with open(path, "w") as f:
        for i in range(1000000):
            # As factfind -a writes them.
            f.write(json.dumps({
                "type": "fact", "id": "%016x" % i,
                "text": "number %d: %s" % (i, " ".join(
                    rnd.choice(words) for _ in range(12))),
                "category": "preference", "confidence": 0.9, "scope": "user",
                "time": "2026-11-20T12:00:00Z"}, separators=(",", ":"))
                + "\n")
    os.chmod(path, 0o600)
    say = os.path.join(TMP, "asked")
    with open(say, "w") as f:
        f.write(json.dumps({"role": "user", "content":
                            "how does the session keep its messages?"}) + "\n")
    e = env()
    got = interleave({"read": ("exec cat %s" % path, e),
                      "find": ("exec factfind <%s" % say, e)}, 5)
    cold = []
    for _ in range(3):
        fd = os.open(path, os.O_RDONLY)
        os.fsync(fd)
        os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(fd)
        cold.append(run("exec factfind <%s" % say, e, TMP)[0])
    print("factfind, 1000000 facts (%d MB): %.2f s, cold %.2f s, "
          "cat %.3f s" % (os.path.getsize(path) / 1e6,
                          statistics.median(got["find"]),
                          statistics.median(cold),
                          statistics.median(got["read"])))
    row("factfind, seconds cold", statistics.median(cold), 1, 1, "s")


def heard(cmd, environment, word):
    """Seconds until a word stands on standard output."""
    start = time.perf_counter()
    p = subprocess.Popen(cmd, env=environment, cwd=TMP,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    got = b""
    while word not in got:
        more = os.read(p.stdout.fileno(), 65536)
        if not more:
            sys.exit("bench: %s without %s" % (cmd, word))
        got += more
    took = time.perf_counter() - start
    p.stdout.read()
    if p.wait() != 0:
        sys.exit("bench: %s" % cmd)
    return took


def first():
    """The first token of a stream, beside raw curl."""
    script = os.path.join(TMP, "stream")
    with open(script, "w") as f:
        print(json.dumps({"text": "First second third", "stall_ms": 20,
                          "delay_ms": 20}), file=f)
    body = os.path.join(TMP, "body")
    with open(body, "w") as f:
        f.write(BODY[:-1] + ', "stream": true}')
    ask = os.path.join(TMP, "ask")
    with open(ask, "w") as f:
        f.write('{"type":"request",' + BODY.replace('"test"',
                                                    '"openai/test"')[1:])
    with Server("-r", "-s", script) as s:
        e = env(OPENAI_BASE_URL=s.url + "/v1")
        cmds = {
            "curl": ["curl", "-sN", "-H", "Content-Type: application/json",
                     "-d", "@" + body, s.url + "/v1/chat/completions"],
            "llmcall": ["sh", "-c", "exec llmcall -d <" + ask],
        }
        times = {k: [] for k in cmds}
        for i in range(RUNS + 1):
            for k, cmd in cmds.items():
                took = heard(cmd, e, b"First")
                if i > 0:
                    times[k].append(took)
    t = {k: statistics.median(v) for k, v in times.items()}
    print("first token: curl %.1f ms, llmcall %.1f ms; of it 40 ms the "
          "server's" % (t["curl"] * 1e3, t["llmcall"] * 1e3))
    row("first token / curl", t["llmcall"], t["curl"], 1.05)


def asked(path, n):
    """As many requests, as records and as curl's config, which asks for a
    stream as llmcall does: a whole answer costs the server a third."""
    url = "http://127.0.0.1:PORT/v1/chat/completions"
    with open(path + ".in", "w") as f, open(path + ".curl", "w") as c, \
            open(path + ".body", "w") as bare:
        for i in range(n):
            m = [{"role": "user",
                  "content": "How many lines has the file notes.%d?" % i}]
            f.write(json.dumps({"type": "request", "id": "r%d" % i,
                                "model": "openai/test", "messages": m},
                               separators=(",", ":")) + "\n")
            body = json.dumps({"model": "test", "messages": m, "stream": True,
                               "stream_options": {"include_usage": True}},
                              separators=(",", ":"))
            print(body, file=bare)
            c.write('%surl = "%s"\nheader = "Content-Type: application/json"'
                    '\noutput = "/dev/null"\nsilent\ndata = "%s"\n' % (
                        "next\n" if i else "", url,
                        body.replace('"', '\\"')))


def peak(cmd, environment, cwd):
    """The high-water mark of a process, in kB: of it alone, not of what
    forked it, as ru_maxrss would have it."""
    p = subprocess.Popen(cmd, env=environment, cwd=cwd,
                         stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    kb = 0
    while p.poll() is None:
        try:
            with open("/proc/%d/status" % p.pid) as f:
                text = f.read()
        except OSError:
            break
        if "Name:\tsh\n" not in text and "VmHWM:" in text:
            kb = int(text.split("VmHWM:")[1].split()[0])
        time.sleep(0.002)
    if p.wait() != 0:
        sys.exit("bench: %s" % cmd)
    return kb


# The least that a client of libcurl does: it posts each line of a file, JOBS
# at once, and forgets the answers.
MULTI = r"""
#define _POSIX_C_SOURCE 200809L
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>

static struct curl_slist *headers;
static const char *url;
static CURLM *multi;
static FILE *bodies;

static size_t
forget(char *p, size_t size, size_t n, void *arg)
{
	(void)p;
	(void)arg;
	return size * n;
}

static int
begin(CURL *e)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n = getline(&line, &cap, bodies);

	if (n > 0) {
		curl_easy_reset(e);
		curl_easy_setopt(e, CURLOPT_URL, url);
		curl_easy_setopt(e, CURLOPT_HTTPHEADER, headers);
		curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, forget);
		curl_easy_setopt(e, CURLOPT_POSTFIELDSIZE, (long)n - 1);
		curl_easy_setopt(e, CURLOPT_COPYPOSTFIELDS, line);
		curl_multi_add_handle(multi, e);
	}
	free(line);
	return n > 0;
}

int
main(int argc, char **argv)
{
	CURLMsg *m;
	int i, left, jobs, bad = argc != 4;

	if (bad)
		return 2;
	jobs = atoi(argv[1]);
	url = argv[2];
	bodies = fopen(argv[3], "r");
	curl_global_init(CURL_GLOBAL_ALL);
	multi = curl_multi_init();
	curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, (long)jobs);
	headers = curl_slist_append(NULL, "Content-Type: application/json");
	for (i = 0; i < jobs && begin(curl_easy_init()); i++)
		continue;
	do {
		curl_multi_perform(multi, &left);
		while ((m = curl_multi_info_read(multi, &i)) != NULL) {
			bad |= m->data.result != CURLE_OK;
			curl_multi_remove_handle(multi, m->easy_handle);
			left += begin(m->easy_handle);
		}
		if (left > 0)
			curl_multi_poll(multi, NULL, 0, 1000, NULL);
	} while (left > 0);
	return bad;
}
"""


def batch():
    """Many requests beside curl --parallel, a bare loop of libcurl and
    xargs -P curl."""
    src = os.path.join(TMP, "multi.c")
    with open(src, "w") as f:
        f.write(MULTI)
    subprocess.run(["cc", "-O2", "-o", src[:-2], src, "-lcurl"], check=True)
    big, small = os.path.join(TMP, "big"), os.path.join(TMP, "small")
    asked(big, 10000)
    asked(small, 1000)
    runs = min(RUNS, 5)
    with Server("-f", "Two lines.") as s:
        port = s.url.rsplit(":", 1)[1]
        for name in (big, small):
            text = open(name + ".curl").read().replace("PORT", port)
            open(name + ".curl", "w").write(text)
        e = env(OPENAI_BASE_URL=s.url + "/v1", URL=s.url)
        # curl 7.88 has at most 300 at a time.
        for jobs in (64, 300, 1000):
            cmds = {
                "llmcall": ["sh", "-c", "exec llmcall -j %d <%s.in" % (
                    jobs, big)],
                "journal": ["sh", "-c", "rm -f j; exec journal -J j -- llmcall "
                            "-j %d <%s.in" % (jobs, big)],
                "curl": ["sh", "-c", "exec curl -Z --no-progress-meter "
                         "--parallel-max %d -K "
                         "%s.curl" % (min(jobs, 300), big)],
                "multi": ["sh", "-c", "ulimit -n %d; exec ./multi %d "
                          "$URL/v1/chat/completions %s.body" % (
                              jobs + 64, jobs, big)],
                "xargs": ["sh", "-c", "seq 1000 | exec xargs -P %d -I{} curl "
                          "-s -o /dev/null -H 'Content-Type: application/json'"
                          " -d '%s' $URL/v1/chat/completions" % (jobs, BODY)],
            }
            times = {k: [] for k in cmds}
            rss = {k: peak(cmd, e, TMP) for k, cmd in cmds.items()
                   if k != "xargs"}
            rss["xargs"] = jobs * peak(
                ["curl", "-s", s.url + "/v1/chat/completions"], e, TMP)
            for i in range(runs + 1):
                for k, cmd in cmds.items():
                    if k == "xargs" and i > 2:
                        continue
                    took = run(cmd, e, TMP)[0]
                    if i > 0:
                        times[k].append(took * (10 if k == "xargs" else 1))
            t = {k: statistics.median(v) for k, v in times.items()}
            print("-j %d, 10000 requests: %s" % (jobs, ", ".join(
                "%s %.2f s %.1f MB" % (
                    k, t[k], rss[k] / 1024)
                for k in cmds)) + " (xargs: from 1000; one curl's x jobs)")
            best = min(t["curl"], t["multi"])
            row("-j %d: time / the best of both" % jobs, t["llmcall"], best,
                1.1)
            row("-j %d: time / curl -Z" % jobs, t["llmcall"], t["curl"], 1.1)
            row("-j %d: time / xargs curl" % jobs, t["llmcall"], t["xargs"],
                0.2)
            row("-j %d: memory / curl -Z" % jobs, rss["llmcall"],
                rss["curl"], 1)
            row("-j %d: with a journal / without" % jobs, t["journal"],
                t["llmcall"], 1.3)
    script = os.path.join(TMP, "late")
    with open(script, "w") as f:
        print(json.dumps({"text": "Two lines.", "stall_ms": 500}), file=f)
    with Server("-r", "-s", script) as s:
        e = env(OPENAI_BASE_URL=s.url + "/v1")
        kb = {}
        for jobs in (1, 1000):
            out = os.path.join(TMP, "out")
            kb[jobs] = peak(
                ["sh", "-c", "head -%d %s.in >part; exec llmcall -j %d "
                 "<part >out" % (2 * jobs, big, jobs)], e, TMP)
        each = (os.path.getsize(os.path.join(TMP, "part")) +
                os.path.getsize(out)) / 2000 / 1024
        row("KiB per request in flight", (kb[1000] - kb[1]) / 999 - each, 1,
            64, "KiB")
    # 5 % refused, at random, with a second to wait.
    rnd = random.Random(3)
    ok = {"text": "Two lines.", "stall_ms": 50}
    no = {"status": 429, "headers": {"Retry-After": "1"}, "body": {}}
    with open(script, "w") as f:
        for _ in range(12000):
            print(json.dumps(no if rnd.random() < .05 else ok), file=f)
    plain = os.path.join(TMP, "plain")
    with open(plain, "w") as f:
        print(json.dumps(ok), file=f)
    for more in ("", " -u"):
        took = {}
        for name, args in (("plain", ("-r", "-s", plain)),
                           ("5 %", ("-s", script))):
            log = os.path.join(TMP, "log")
            open(log, "w").close()
            with Server("-l", log, *args) as s:
                e = env(OPENAI_BASE_URL=s.url + "/v1")
                took[name] = run(
                    ["sh", "-c", "exec llmcall%s -j 64 <%s.in >out 2>err" % (
                        more, big)], e, TMP)[0]
            sent = sum(1 for _ in open(log))
        got = sum(1 for x in open(os.path.join(TMP, "out"))
                  if x.startswith('{"type":"message"'))
        ideal = took["plain"] * sent / 10000 + 1
        print("5 %% refused%s: %d sent, %d answers, %.1f s, ideal %.1f s" % (
            more, sent, got, took["5 %"], ideal))
        row("5 %% refused%s: time / ideal" % more, took["5 %"], ideal, 1.3)
        row("5 %% refused%s: answers lost" % more, 10000 - got, 1, 0, "")


def each():
    """Agents of three calls and two tools: in one ring, and alone."""
    work = os.path.join(TMP, "each")
    os.makedirs(work)
    with open(os.path.join(work, "notes"), "w") as f:
        f.write("one\ntwo\n")
    call = {"calls": [{"id": "c1", "name": "read_file",
                       "arguments": {"path": "notes"}}]}
    script = os.path.join(TMP, "script")
    many, few = 300, 10
    with open(script, "w") as f:
        for _ in range(many + few):
            for line in (call, call, {"text": "Two lines."}):
                print(json.dumps(line), file=f)
    with open(os.path.join(work, "tasks"), "w") as f:
        for i in range(many):
            print(json.dumps({"id": "t%d" % i, "text": "How many?"}), file=f)
    with Server("-s", script) as s:
        e = env(OPENAI_BASE_URL=s.url + "/v1")
        alone = statistics.median(
            cpu([BIN + "/turnpipe", "-Fq", "How many?"], e, work)
            for _ in range(few))
        ring = cpu([BIN + "/turnpipe", "each", "-j", "16", "tasks"], e,
                   work) / many
    print("an agent of three calls and two tools, CPU: alone %.1f ms, "
          "in a ring of 32 %.1f ms" % (alone * 1e3, ring * 1e3))
    row("an agent in a ring, CPU", ring * 1e3, 1, 30, "ms")
    row("an agent in a ring / alone", ring, alone, 0.2)


PARTS = {"turn": turn, "each": each, "codex": codex, "start": start, "pass": passing,
         "stream": stream, "skills": skills,
         "prefix": prefix,
         "length": length, "facts": facts, "first": first,
         "batch": batch}

for name in sys.argv[2:] or PARTS:
    print("--", name)
    PARTS[name]()
subprocess.run(["rm", "-rf", TMP], check=False)
