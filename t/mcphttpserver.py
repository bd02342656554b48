"""An MCP server over HTTP, for tests: prints its port, then serves.

mcphttpserver.py LOG CERT
  The path says how it behaves: /FLAG,FLAG...
    new         speaks 2026-07-28 alone, and checks its headers
    json        answers with JSON, else with event streams
    stateless   has no sessions
    token       wants "Authorization: Bearer t0ken-123"
    silent      answers nothing
    http        status 500 for all;  away: redirects;  html: no JSON
    deaf        no GET
  LOG gets a line for each request: METHOD MESSAGE SESSION VERSION.
  With CERT, a file with key and certificate, it speaks TLS.
"""
import base64
import json
import os
import signal
import ssl
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

lock = threading.Lock()
sessions = {}
asked = {}
count = [0]
pair = []
paired = threading.Event()


def tool(name, **props):
    return {"name": name, "description": "Does %s." % name, "inputSchema": {
        "type": "object", "properties": dict(
            {"text": {"type": "string"}, "a": {"type": "integer"}}, **props)}}


def text(s):
    return {"content": [{"type": "text", "text": s}]}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *a):
        pass

    def note(self, what):
        with lock, open(sys.argv[1], "a") as f:
            f.write(" ".join([
                self.command, what, self.headers.get("Mcp-Session-Id", "-"),
                self.headers.get("MCP-Protocol-Version", "-")]) + "\n")

    def whole(self, status, body=b"", kind="application/json", **more):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        if body:
            self.send_header("Content-Type", kind)
        for k, v in more.items():
            self.send_header(k.replace("_", "-"), v)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def stream(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.send_header("Connection", "close")
        if "initialize" == self.method:
            self.send_header("Mcp-Session-Id", self.sid)
        self.end_headers()
        self.close_connection = True

    def event(self, obj, id=None, more=""):
        s = ": a comment\r\nevent: message\n"
        if id is not None:
            s += "id: %s\n" % id
        for line in ("" if obj is None else json.dumps(obj, indent=0)
                     ).split("\n"):
            s += "data: %s\n" % line
        self.wfile.write((s + more + "\n").encode())
        self.wfile.flush()

    def error(self, code, message, status=400, id=None, **data):
        e = {"code": code, "message": message}
        if data:
            e["data"] = data
        self.whole(status, {"jsonrpc": "2.0", "id": id, "error": e})

    def do_DELETE(self):
        self.note("-")
        sessions.pop(self.headers.get("Mcp-Session-Id"), None)
        self.whole(200)

    def do_GET(self):
        self.note(self.headers.get("Last-Event-ID", "-"))
        self.method = "-"
        last = self.headers.get("Last-Event-ID")
        if last is None and "deaf" in self.path:
            self.whole(405)
        elif last is None:
            self.stream()
            self.event(None, "listen-0")
            self.event({"jsonrpc": "2.0", "id": "r1", "method": "ping"})
            time.sleep(30)
        elif last.startswith("resume-"):
            self.stream()
            if last == "resume-1":
                self.event({"jsonrpc": "2.0", "method":
                            "notifications/message", "params": {}}, "resume-2")
                return
            self.event({"jsonrpc": "2.0", "id": asked["resume"],
                        "result": text("resumed")}, "resume-3")
        else:
            self.whole(405)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        m = json.loads(body)
        self.method = m.get("method", "answer")
        flags = self.path.strip("/").split(",")
        self.note(self.method)
        accept = self.headers.get("Accept", "")
        if "application/json" not in accept or \
                "text/event-stream" not in accept or \
                self.headers.get("Content-Type") != "application/json":
            return self.whole(406)
        if "silent" in flags:
            return time.sleep(30)
        if "token" in flags and self.headers.get("Authorization") != \
                "Bearer t0ken-123":
            return self.whole(401, b"who are you, " + self.headers.get(
                "Authorization", "nobody").encode(), "text/plain",
                WWW_Authenticate="Bearer")
        if "http" in flags:
            return self.whole(500, b"<h1>no luck</h1>", "text/html")
        if "away" in flags:
            return self.whole(307, Location="http://127.0.0.1:1/elsewhere")
        if "html" in flags:
            return self.whole(200, b"<h1>Welcome</h1>", "text/html")
        if "new" in flags:
            return self.modern(m, flags)
        if self.method == "server/discover":
            return self.error(-32000, "Bad Request: not initialized")
        sid = self.headers.get("Mcp-Session-Id")
        if self.method == "initialize":
            count[0] += 1
            self.sid = "s-%d" % count[0]
            sessions[self.sid] = 1
            r = {"protocolVersion": "2025-11-25", "capabilities": {
                "tools": {}}, "serverInfo": {"name": "t", "version": "1"}}
            r = {"jsonrpc": "2.0", "id": m["id"], "result": r}
            if "stateless" in flags:
                return self.whole(200, r)
            if "json" in flags:
                return self.whole(200, r, Mcp_Session_Id=self.sid)
            self.stream()
            return self.event(r)
        if "stateless" not in flags:
            if sid is None:
                return self.error(-32000, "Mcp-Session-Id is required")
            if sid not in sessions:
                return self.error(-32001, "Session not found", 404)
        if self.headers.get("MCP-Protocol-Version") != "2025-11-25":
            return self.error(-32000, "Unsupported protocol version")
        if "id" not in m or "method" not in m:
            self.whole(202)
            if self.method == "answer" and m["id"] in asked:
                asked[m["id"]].append(m.get("result", m.get("error")))
            return None
        self.legacy(m, flags)

    def answer(self, m, r, flags):
        r = {"jsonrpc": "2.0", "id": m["id"], "result": r}
        if "json" in flags:
            return self.whole(200, r)
        self.stream()
        self.event(r)

    def modern(self, m, flags):
        p = m.get("params", {})
        meta = p.get("_meta", {})
        h = self.headers
        if "io.modelcontextprotocol/protocolVersion" not in meta:
            return self.error(-32602, "Missing protocol version", id=m["id"])
        if h.get("MCP-Protocol-Version") != "2026-07-28" or \
                h.get("Mcp-Method") != m["method"]:
            return self.error(-32020, "Header mismatch: method", id=m["id"])
        want = {}
        if m["method"] == "tools/call":
            want = {"Mcp-Name": p["name"]}
            a = p["arguments"]
            if "region" in a:
                want["Mcp-Param-Region"] = a["region"]
            if "deep" in a.get("more", {}):
                want["Mcp-Param-Deep"] = json.dumps(a["more"]["deep"])
        elif m["method"] == "resources/read":
            want = {"Mcp-Name": p["uri"]}
        for k, v in want.items():
            got = h.get(k)
            if got and got.startswith("=?base64?"):
                got = base64.b64decode(got[9:-2]).decode()
            if got != v:
                return self.error(-32020, "Header mismatch: " + k, id=m["id"])
        if m["method"] == "server/discover":
            return self.answer(m, {
                "resultType": "complete", "supportedVersions": ["2026-07-28"],
                "capabilities": {"tools": {}}, "ttlMs": 0,
                "cacheScope": "private"}, flags)
        if m["method"] == "tools/list":
            marked = {"type": "string", "x-mcp-header": "Region"}
            l = [tool("echo", region=marked, more={
                "type": "object", "properties": {"deep": {
                    "type": "integer", "x-mcp-header": "Deep"}}}),
                 tool("wait"), tool("bad", region=dict(marked, type="number")),
                 tool("worse", l={"type": "array", "items": marked})]
            return self.answer(m, {"resultType": "complete", "tools": l,
                                   "ttlMs": 0, "cacheScope": "private"}, flags)
        if m["method"] == "resources/read":
            return self.answer(m, {"resultType": "complete", "contents": [
                {"uri": p["uri"], "text": "the text"}]}, flags)
        if m["method"] != "tools/call":
            return self.error(-32601, "Method not found", 404, m.get("id"))
        if p["name"] == "wait":
            self.stream()
            try:
                while True:
                    self.event({"jsonrpc": "2.0", "method":
                                "notifications/progress", "params": {
                                    "progressToken": m["id"], "progress": 1}})
                    time.sleep(0.02)
            except OSError:
                self.note("hung-up")
                return None
        r = text(p["arguments"].get("text", ""))
        r["resultType"] = "complete"
        self.answer(m, r, flags)

    def legacy(self, m, flags):
        p = m.get("params", {})
        if m["method"] == "tools/list":
            return self.answer(m, {"tools": [tool("echo"), tool("big")]},
                               flags)
        if m["method"] != "tools/call":
            return self.error(-32601, "Method not found", 200, m["id"])
        name, a = p["name"], p.get("arguments", {})
        r = {"jsonrpc": "2.0", "id": m["id"]}
        if name == "echo":
            return self.answer(m, text(a.get("text", "")), flags)
        if name == "big":
            return self.answer(m, text("x" * a["a"]), flags)
        if name == "status":
            return self.whole(a["a"], b"sorry", "text/plain")
        if name == "accepted":
            return self.whole(202)
        if name == "html":
            return self.whole(200, b"<h1>Welcome</h1>", "text/html")
        if name == "torn":
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"jsonrpc"')
            self.close_connection = True
            return None
        if name == "forget":
            sessions.clear()
            return self.answer(m, text("forgotten"), flags)
        if name == "forever":
            sessions.clear()
            return self.error(-32001, "Session not found", 404)
        if name == "pair":
            with lock:
                pair.append(m)
                n = len(pair)
            if n == 1:
                paired.wait(30)
            self.answer(m, text(a["text"]), flags)
            return paired.set()
        self.stream()
        if name == "hang":
            time.sleep(30)
        elif name == "cut":
            self.wfile.write(b'id: \ndata: {"jsonrpc":"2.0","id":')
        elif name == "nothing":
            pass
        elif name == "junk":
            self.wfile.write(b"data: no JSON\n\nnonsense\n\n")
            self.event({"jsonrpc": "2.0", "id": 9999, "result": {}})
            self.event(dict(r, result=text("after junk")))
            self.event(dict(r, result=text("twice")))
        elif name == "open":
            self.event({"jsonrpc": "2.0", "method":
                        "notifications/progress", "params": {
                            "progressToken": p["_meta"]["progressToken"],
                            "progress": 1, "message": "half"}})
            self.event(dict(r, result=text("answered")))
            time.sleep(30)
        elif name == "resume":
            asked["resume"] = m["id"]
            self.event(None, "resume-1", "retry: 10\n")
        elif name == "stuck":
            self.event(None, "stuck-1", "retry: 1\n")
        elif name in ("ping", "roots/list", "sampling/createMessage"):
            asked["q"] = []
            self.event({"jsonrpc": "2.0", "id": "q", "method": name})
            while not asked["q"]:
                time.sleep(0.01)
            self.event(dict(r, result=text(json.dumps(asked.pop("q")[0]))))


signal.signal(signal.SIGTERM, lambda *a: os._exit(0))
server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
if len(sys.argv) > 2:
    c = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    c.load_cert_chain(sys.argv[2])
    server.socket = c.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
