"""A server on standard streams, at a URL: mcpbridge.py COMMAND...  Prints its
URL.  For the conformance suite, which tests servers over HTTP alone; the
session, the statuses and the headers are the bridge's."""
import http.server
import itertools
import json
import queue
import subprocess
import sys
import threading
import uuid

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/protocolVersion"


class Child:
    def __init__(self):
        self.p = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE)
        self.waiting, self.tokens = {}, {}
        self.count, self.lock = itertools.count(1), threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.p.stdout:
            m = json.loads(line)
            if "method" in m:
                q = self.tokens.get(m["params"].get("progressToken"))
            else:
                q = self.waiting.get(m["id"])
            if q:
                q.put(m)

    def send(self, m):
        with self.lock:
            self.p.stdin.write(json.dumps(m).encode() + b"\n")
            self.p.stdin.flush()

    def ask(self, m):
        """The messages that answer it, the last one with its id."""
        own, q = next(self.count), queue.Queue()
        token = ((m.get("params") or {}).get("_meta") or {}).get("progressToken")
        self.waiting[own] = q
        self.tokens[token] = q
        self.send(dict(m, id=own))
        while True:
            a = q.get()
            if "method" not in a:
                del self.waiting[own]
                yield dict(a, id=m["id"])
                return
            yield a


sessions, shared = {}, Child()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def answer(self, status, body=b"", **headers):
        self.send_response(status)
        for k, v in headers.items():
            self.send_header(k.replace("_", "-"), v)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(405)

    def do_DELETE(self):
        self.answer(200)

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.headers.get("Host", "").rsplit(":", 1)[0] not in (
                "127.0.0.1", "localhost"):
            return self.answer(403)
        m = json.loads(body)
        meta = (m.get("params") or {}).get("_meta") or {}
        version = self.headers.get("MCP-Protocol-Version")
        ismodern = META in meta or (version or "") >= MODERN
        headers, child = {"Content_Type": "application/json"}, shared
        if ismodern and META in meta and version != meta[META]:
            return self.answer(400, json.dumps({
                "jsonrpc": "2.0", "id": m.get("id"), "error": {
                    "code": -32020, "message": "Header mismatch"}}).encode(),
                **headers)
        if m.get("method") == "initialize" and not ismodern:
            sid = str(uuid.uuid4())
            child = sessions[sid] = Child()
            headers["Mcp_Session_Id"] = sid
        elif "Mcp-Session-Id" in self.headers:
            child = sessions.get(self.headers["Mcp-Session-Id"], shared)
        if "id" not in m or "method" not in m:
            child.send(m)
            return self.answer(202)
        answers = list(child.ask(m))
        if len(answers) > 1:
            headers["Content_Type"] = "text/event-stream"
            return self.answer(200, b"".join(
                b"data: " + json.dumps(a).encode() + b"\n\n"
                for a in answers), **headers)
        code = answers[0].get("error", {}).get("code")
        status = {None: 200, -32601: 404}.get(code, 400) if ismodern else 200
        return self.answer(status, json.dumps(answers[0]).encode(), **headers)


s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print("http://127.0.0.1:%d/mcp" % s.server_address[1], flush=True)
s.serve_forever()
