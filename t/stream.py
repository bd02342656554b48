"""stream.py [SEED [CONVERSATIONS]]: a stream through each filter gives the
same bytes as its conversations one by one, whatever they have in common."""

import json
import os
import random
import subprocess
import sys

SEED = int(sys.argv[1]) if len(sys.argv) > 1 else 1
N = int(sys.argv[2]) if len(sys.argv) > 2 else 40
FILTERS = (["agentload"], ["envinfo"], ["ctxfind"], ["skillmenu", "-q"],
           ["skillmenu", "-kpqr"], ["toollist"], ["toolpick"],
           ["toolpick", "-w", "--set", "toolpick.route=true"],
           ["toolpick", "--set", "toolpick.best=3", "--set", "toolpick.max=5",
            "--set", "toolpick.verbose=true"],
           ["toolrules"], ["toolrules", "-c"], ["factfind"], ["todolist"],
           ["reminders"], ["promptcompose", "--whole"],
           ["promptcompose", "-l", "ivy"], ["promptcompose", "-b", "60"],
           ["promptcompose", "-l", "own"])
rnd = random.Random(SEED)
WORDS = ("review calendar file test search the my email of a plan git commit "
         "debug <b> \"x\" \\ \u00e9t\u00e9 read_file shell").split()


def text(n):
    return " ".join(rnd.choice(WORDS) for _ in range(rnd.randint(1, n)))


def tool(i):
    t = {"type": "tool", "name": "tool_%d" % i, "description": text(12),
         "parameters": {"type": "object", "properties": {
             w: {"type": "string"} for w in set(text(4).split())}}}
    for key, value in (("guidance", text(9)), ("required", True),
                       ("readonly", True), ("score", 0.5),
                       ("result_tokens", 70),
                       ("run", {"as": "agent", "agent": "explore"}),
                       ("run", {"exec": "true"})):
        if rnd.random() < 0.3:
            t[key] = value
    if rnd.random() < 0.1:
        t = {"type": "function", "function": {
            k: t[k] for k in ("name", "description", "parameters")}}
    return t


TOOLS = [tool(i // 2) for i in range(24)]  # two of each name
NAMED = [{"type": "tool", "name": n, "description": text(8), "run": {
    "exec": "true"}} for n in ("shell", "read_file", "use_skill")] + [
        {"type": "tool", "name": "agent", "run": {"as": "agent"}}]
SECTIONS = [{"type": "section", "id": "s%d" % (i // 2), "content": text(60)}
            for i in range(12)] + [
    {"type": "section", "id": "project-context", "content": text(30),
     "source": "AGENTS.md"},
    {"type": "section", "id": "skill:x", "content": text(30), "weight": 2},
    {"type": "section", "id": "env", "content": text(9), "volatile": True}]
CONFIGS = [{"type": "config", "model": "openai/gpt-5", "temperature": 0.4},
           {"type": "config", "by": "user", "max_steps": 9},
           {"type": "config", "agents": ["*"]},
           {"type": "config", "agents": ["explore"]},
           {"type": "config", "tools_deny": ["tool_3", "tool_[5-9]"]},
           {"type": "config", "context_window": 700},
           {"type": "config", "required_tools": "tool_*"},
           {"type": "config", "tools": ["tool_*", "shell"]}]
SKILLS = [{"type": "skill", "name": "sk%d" % i, "description": text(5),
           "required_tools": ["tool_%d" % i], "matched": i % 2 == 0}
          for i in range(4)]


def some(records, most, once=None, twice=0.02):
    got, keys = [], set()
    for r in rnd.sample(records, rnd.randint(0, min(most, len(records)))):
        key = json.dumps(r.get(once) or r.get("function", {}).get(once))
        if once is not None and key in keys and rnd.random() >= twice:
            continue
        keys.add(key)
        got.append(r)
    return got


DRAW = {"config": lambda: some(CONFIGS, 3),
        "tool": lambda: some(TOOLS, 9, "name") + some(NAMED, 3),
        "skill": lambda: some(SKILLS, 2),
        "section": lambda: some(SECTIONS, 6, "id", 0.3)}
common = {k: [] for k in DRAW}


def talk():
    """Mostly what the one before had, as in a batch."""
    for kind, draw in DRAW.items():
        if rnd.random() < 0.2:
            common[kind] = draw()
    got = [r for kind in DRAW for r in common[kind]]
    if rnd.random() < 0.4:
        # Fewer tools, or sections: the last ones, or some in the middle.
        kind = rnd.choice(("tool", "section"))
        at = [i for i, r in enumerate(got) if r["type"] == kind]
        first = rnd.randint(0, len(at))
        for i in reversed(at[first:rnd.choice((len(at), first + 1))]):
            got.pop(i)
    if rnd.random() < 0.2:
        got.append({"type": "message", "role": "assistant", "tool_calls": [{
            "id": "c", "type": "function", "function": {
                "name": "tool_2", "arguments": "{}"}}]})
        got.append({"type": "message", "role": "tool", "tool_call_id": "c",
                    "content": text(3)})
    for _ in range(rnd.randint(1, 3)):
        got.insert(rnd.randint(0, len(got)), {
            "type": "message", "role": "user", "content": text(20)})
    if rnd.random() < 0.3:
        got.append({"type": "state", "turn": rnd.randint(1, 3), "step": 2,
                    "title": rnd.choice(("", "T")),
                    "context_tokens": rnd.randint(0, 700),
                    "tools_called": ["tool_1"]})
    if rnd.random() < 0.2:
        got.append({"type": "todo", "id": "1", "text": text(4),
                    "status": "pending"})
    return got


env = dict(os.environ, TURNPIPE_NOW="2026-11-22T12:00:00Z")


def run(cmd, lines):
    p = subprocess.run(cmd, input="".join(lines).encode(), env=env,
                       stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                       check=False)
    return p.returncode, p.stdout


talks = []
for k in range(N):
    talks.append([json.dumps(r, ensure_ascii=rnd.random() < 0.1) + "\n"
                  for r in talk()] + ['{"type":"end","id":"%d"}\n' % k])
faults = 0
for cmd in FILTERS:
    # What one cannot read would end the stream: it has no part in it.
    alone = [(t, *run(cmd, t)) for t in talks]
    good = [a for a in alone if a[1] in (0, 4, 6)
            and a[2].endswith(a[0][-1].encode())]
    status, out = run(cmd, [line for t, _, _ in good for line in t])
    if out != b"".join(o for _, _, o in good):
        faults += 1
        print("%s: seed %d: another output" % (" ".join(cmd), SEED))
    if status != next((s for _, s, _ in good if s), 0):
        faults += 1
        print("%s: seed %d: status %d" % (" ".join(cmd), SEED, status))
    if 4 * len(good) < N:
        faults += 1
        print("%s: seed %d: only %d of %d" % (cmd[0], SEED, len(good), N))
print("%d faults" % faults)
