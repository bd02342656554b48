"""An MCP server on standard streams, for tests.

mcpserver.py [FLAG] ...
  log=FILE    append what it got, a method per line, and "pid N" at start
  pages=N     tools per page of its list
  era=OLD|NEW|BOTH   initialize (the default), server/discover, either
  ttl=MS      ttlMs of its list (with NEW)
  silent      answers nothing
  until=FILE  reads nothing until that is there
  discover=JSON  the result of server/discover
  dead        ends at once, with a word on stderr
  noprobe     ends when something comes before initialize
  late=answer|keep   answers server/discover once initialize came, or never
  noise       lines that are no JSON around each answer
  early       a notification ahead of each answer
  pairs       answers calls two by two, the later one first
  stubborn    ends neither at the end of its input nor on TERM
  badschema   lists a tool without a schema too
  instructions=TEXT  of itself
  task        lists a tool that runs as a task only
  data        its errors have data
  names=A,B   lists tools of these names
"""
import base64
import json
import os
import signal
import sys
import time

flags = dict(a.partition("=")[::2] for a in sys.argv[1:])
held = []
waiting = {}
known = {"echo", "add", "fail", "picture", "env", "die", "big", "slow",
         "roots", "sample", "garbled", "bare", "word", "change", "data", "ask", "form", "progress"}
extra = []
form = {"message": "Who are you?\x1b[2J\n  send it? [y/N] ", "requestedSchema": {
    "type": "object", "required": ["name"], "properties": {
        "name": {"type": "string", "description": "Your\nname"},
        "age": {"type": "integer", "default": 30},
        "sure": {"type": "boolean"},
        "kind": {"type": "string", "enum": ["cat", "dog"]}}}}


def log(text):
    if "log" in flags:
        with open(flags["log"], "a") as f:
            f.write(text + "\n")


def put(obj):
    if "noise" in flags:
        print("Starting, please wait...", "{not json", sep="\n")
    if "early" in flags:
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/message",
                          "params": {"level": "info", "data": "hello"}}))
    print(json.dumps(obj))
    sys.stdout.flush()


def tool(name, hint=False):
    props = {"text": {"type": "string"}, "a": {"type": "integer"},
             "b": {"type": ["number", "null"]}, "l": {"type": "array", "items": {"type": "string"}}}
    t = {"name": name, "description": "Does %s.\nSecond line." % name,
         "inputSchema": {"type": "object", "properties": props}}
    if hint:
        t["annotations"] = {"readOnlyHint": True}
    return t


def tools():
    if "names" in flags:
        return [tool(n) for n in flags["names"].split(",") + extra]
    l = [tool("echo", True), tool("add"), tool("fail")] + \
        [tool(n) for n in extra]
    if "task" in flags:
        l.append(dict(tool("report"), execution={"taskSupport": "required"}))
    if "badschema" in flags:
        l.append({"name": "odd"})
    return l


def text(s, **more):
    return dict({"content": [{"type": "text", "text": s}]}, **more)


def call(i, p):
    name, a = p.get("name"), p.get("arguments", {})
    if name == "echo" and "hang" in a:
        return None
    if name == "echo":
        return text(a.get("text", ""))
    if name == "add":
        return text(repr(a["a"] + a["b"]))
    if name == "fail":
        return text(a.get("text", "no luck"), isError=True)
    if name == "picture":
        data = base64.b64encode(b"\x89PNG\0\xff").decode()
        return {"content": [
            {"type": "text", "text": "a picture:"},
            {"type": "image", "data": data, "mimeType": "image/png"},
            {"type": "resource", "resource": {"uri": "x:1", "text": "inner"}},
            {"type": "resource_link", "uri": "x:2", "name": "two"},
            {"type": "resource", "resource": {
                "uri": "x:3", "blob": "aGk=", "mimeType": "text/plain"}},
            {"type": "audio", "data": "?", "mimeType": "audio/wav"}]}
    if name == "data":
        return {"content": [], "structuredContent": {"n": 1}}
    if name == "ask":
        return {"resultType": "input_required", "inputRequests": {
            "x": {"method": "sampling/createMessage"}}}
    if name == "form" and "inputResponses" in p:
        return text(json.dumps([p["inputResponses"], p["requestState"]]))
    if name == "form" and flags.get("era") == "NEW":
        return {"resultType": "input_required", "requestState": "s7",
                "inputRequests": {
                    "where": {"method": "roots/list"},
                    "who": {"method": "elicitation/create", "params": form}}}
    if name == "form":
        waiting["s1"] = i
        put({"jsonrpc": "2.0", "id": "s1", "method": "elicitation/create",
             "params": form})
        return None
    if name == "env":
        return text("\n".join(sorted(os.environ)) + "\n" +
                    os.environ.get(a.get("text", ""), "unset") + "\n" +
                    os.getcwd())
    if name == "die":
        os.kill(os.getpid(), signal.SIGKILL)
    if name == "big":
        return text("x" * a["a"])
    if name == "slow":
        time.sleep(a["a"] / 1000)
        return text("late")
    if name == "progress":
        put({"jsonrpc": "2.0", "method": "notifications/progress", "params": {
            "progressToken": p["_meta"]["progressToken"], "progress": 1,
            "message": "half"}})
        return text("done")
    if name in ("roots", "sample"):
        method = "roots/list" if name == "roots" else "sampling/createMessage"
        waiting["s1"] = i
        put({"jsonrpc": "2.0", "id": "s1", "method": method})
        return None
    if name in ("bare", "word"):
        put({"jsonrpc": "2.0", "id": i,
             **({"result": "yes"} if name == "word" else {})})
        return None
    if name == "garbled":
        print('{"jsonrpc":"2.0","id":%d,"result":{"content":[\ud800' % i
              if False else '{"jsonrpc":"2.0","id":%d,"result":{,}}' % i)
        sys.stdout.flush()
        return None
    if name == "change":
        extra.append("more")
        put({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        return text("changed")
    return KeyError


def answer(i, result):
    if result is KeyError:
        put({"jsonrpc": "2.0", "id": i, "error": {
            "code": -32602, "message": "Unknown tool",
            **({"data": {"known": ["echo"]}} if "data" in flags else {})}})
    elif result is not None:
        if "era" in flags and flags["era"] != "OLD" and \
                "resultType" not in result:
            result["resultType"] = "complete"
        put({"jsonrpc": "2.0", "id": i, "result": result})


def itself():
    d = {"capabilities": {"tools": {}}, "serverInfo": {"name": "t", "version": "1"}}
    if "instructions" in flags:
        d["instructions"] = flags["instructions"]
    return d


def request(m, i, p):
    era = flags.get("era", "OLD")
    if m == "server/discover" and "discover" in flags:
        put({"jsonrpc": "2.0", "id": i,
             "result": json.loads(flags["discover"])})
        return None
    if m == "server/discover" and era != "OLD":
        return dict(itself(), supportedVersions=["2026-07-28"] + (
            ["2025-11-25"] if era == "BOTH" else []))
    if m == "initialize" and era != "NEW":
        return dict(itself(), protocolVersion=p["protocolVersion"])
    if era != "OLD" and "io.modelcontextprotocol/protocolVersion" not in \
            p.get("_meta", {}):
        put({"jsonrpc": "2.0", "id": i, "error": {
            "code": -32022, "message": "Unsupported protocol version",
            "data": {"supported": ["2026-07-28"]}}})
        return None
    if m == "tools/list":
        n = int(flags.get("pages", 1000))
        at = int(p.get("cursor", 0))
        r = {"tools": tools()[at:at + n]}
        if at + n < len(tools()):
            r["nextCursor"] = str(at + n)
        if "ttl" in flags:
            r["ttlMs"] = int(flags["ttl"])
        return r
    if m == "tools/call":
        r = call(i, p)
        if "pairs" in flags:
            held.append((i, r))
            if len(held) < 2:
                return None
            for k, v in reversed(held):
                answer(k, v)
            held.clear()
            return None
        return r
    if m == "prompts/list":
        return {"prompts": [{"name": "greet", "description": "Greets."}]}
    if m == "prompts/get":
        return {"messages": [{"role": "user", "content": {
            "type": "text", "text": "Greet " + p["arguments"]["who"]}}]}
    if m == "resources/list":
        return {"resources": [{"uri": "x:1", "name": "one"}]}
    if m == "resources/read":
        return {"contents": [{"uri": p["uri"], "text": "the text"}]}
    if m == "ping":
        return {}
    put({"jsonrpc": "2.0", "id": i, "error": {
        "code": -32601, "message": "Method not found"}})
    return None


log("pid %d" % os.getpid())
if "dead" in flags:
    sys.exit("no such database")
if "stubborn" in flags:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("chatter", file=sys.stderr)
while "until" in flags and not os.path.exists(flags["until"]):
    time.sleep(0.05)
for line in sys.stdin:
    m = json.loads(line)
    if "method" not in m:
        log("answer " + json.dumps(m.get("result", m.get("error"))))
        if m["id"] in waiting:
            answer(waiting.pop(m["id"]), text(json.dumps(
                m.get("result", m.get("error")))))
        continue
    log(m["method"])
    if "silent" in flags:
        continue
    if "noprobe" in flags and m["method"] == "server/discover":
        sys.exit("expected initialize")
    if "late" in flags and m["method"] == "server/discover":
        held.append(m)
        continue
    if flags.get("late") == "answer" and m["method"] == "initialize":
        late = held.pop()
        answer(late["id"], request(late["method"], late["id"],
                                   late["params"]))
    if "id" in m:
        answer(m["id"], request(m["method"], m["id"], m.get("params", {})))
log("eof")
while "stubborn" in flags:
    time.sleep(1)
