"""batchserver [-n POLLS] [-p PAGE] LOG

The batch services of OpenAI and Anthropic on 127.0.0.1, as their references
describe them; the port goes to stdout, SIGTERM ends it.  A batch is over after
POLLS questions (1).  A list has at most PAGE batches (100).  Answers come in
another order than the requests.  LOG gets a line for each HTTP request
("POST /v1/batches 200") and one for each request of a batch that is worked at
("paid TEXT").  A request's text says what becomes of it: bad (400), busy
(429), once (429, then answered), expired, cancelled, lost (no line), else an
answer "A TEXT".  The file
"mode" beside LOG, removed when it was obeyed, says what becomes of the next
batch: cut (made, and the connection closed), drop (closed, and not made), hang
(made, and never said), 429, 401, failed (as a whole).  A batch of files with
a text that begins with "refused" fails too, for that line, and nothing of it is
worked at.  GET /idle is answered when no other connection is left.
"""

import argparse
import email
import email.policy
import http.server
import json
import os
import re
import signal
import sys
import threading
import time
import urllib.parse

lock = threading.Lock()
files = {}
batches = []
seen = set()


class Refuse(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


def expect(ok, message, status=400):
    if not ok:
        raise Refuse(status, message)


def log(line):
    with open(args.log, "a") as f:
        f.write(line + "\n")


def mode():
    path = os.path.join(os.path.dirname(os.path.abspath(args.log)), "mode")
    try:
        with open(path) as f:
            word = f.read().strip()
        os.unlink(path)
        return word
    except FileNotFoundError:
        return ""


def text_of(body):
    content = body["messages"][-1]["content"]
    return content if isinstance(content, str) else content[-1]["text"]


def completion(body, n):
    if "input" in body:
        return {"id": "resp_%d" % n, "object": "response",
                "status": "completed", "model": body["model"],
                "output": [{"type": "message", "id": "m", "role": "assistant",
                            "status": "completed", "content": [
                                {"type": "output_text", "annotations": [],
                                 "text": "A " + body["input"][-1]["content"]}]}],
                "usage": {"input_tokens": 10, "output_tokens": 5,
                          "total_tokens": 15}}
    return {"id": "chatcmpl-%d" % n, "object": "chat.completion",
            "created": 1, "model": body["model"],
            "choices": [{"index": 0, "finish_reason": "stop", "message": {
                "role": "assistant", "content": "A " + text_of(body)}}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 5,
                      "total_tokens": 15}}


def message(body, n):
    return {"id": "msg_%d" % n, "type": "message", "role": "assistant",
            "model": body["model"], "stop_reason": "end_turn",
            "stop_sequence": None,
            "content": [{"type": "text", "text": "A " + text_of(body)}],
            "usage": {"input_tokens": 10, "output_tokens": 5}}


def check_ids(requests):
    ids = [r.get("custom_id") for r in requests]
    expect(all(isinstance(i, str) and re.fullmatch("[a-zA-Z0-9_-]{1,64}", i)
               for i in ids), "a custom_id is not valid")
    expect(len(set(ids)) == len(ids), "a custom_id is not unique")


def last_text(body):
    return body["input"][-1]["content"] if "input" in body else text_of(body)


def pay(body):
    t = last_text(body)
    log("paid " + t)
    return t


def work_files(b):
    """The lines of the output and the error file."""
    out, err = [], []
    for n, r in enumerate(b["requests"]):
        word = pay(r["body"])
        line = {"id": "batch_req_%d" % n, "custom_id": r["custom_id"],
                "response": {"status_code": 200, "request_id": "q%d" % n,
                             "body": completion(r["body"], n)}, "error": None}
        first = word.split(" ")[0]
        if first == "once" and word not in seen:
            seen.add(word)
            first = "busy"
        if first in ("bad", "busy"):
            line["response"].update(status_code=400 if first == "bad" else 429)
            line["response"]["body"] = {"error": {
                "message": "it is " + first, "type": "invalid_request_error"}}
        elif first in ("expired", "cancelled"):
            line.update(response=None, error={
                "code": "batch_" + first,
                "message": "This request was " + first})
        if first == "lost":
            continue
        (out if line["response"] and
         line["response"]["status_code"] == 200 else err).append(line)
        if first in ("expired", "cancelled"):
            b["end"] = first
    return out[::-1], err[::-1]


def work_inline(b):
    lines = []
    for n, r in enumerate(b["requests"]):
        word = pay(r["params"]).split(" ")[0]
        result = {"type": "succeeded", "message": message(r["params"], n)}
        if word in ("bad", "busy"):
            result = {"type": "errored", "error": {
                "type": "error", "error": {
                    "type": "invalid_request_error" if word == "bad"
                    else "rate_limit_error", "message": "it is " + word}}}
        elif word in ("expired", "cancelled"):
            result = {"type": word.replace("ll", "l")}
        if word != "lost":
            lines.append({"custom_id": r["custom_id"], "result": result})
    return lines[::-1]


def jsonl(lines):
    return "\n".join(json.dumps(x) for x in lines).encode()


def add(kind, requests, **more):
    n = len(batches) + 1
    b = {"kind": kind, "requests": requests, "polls": args.polls, "made":
         int(time.time()), "id": ("batch_%d" if kind == "files"
                                  else "msgbatch_%d") % n, "end": "completed"}
    b.update(more)
    batches.append(b)
    return b


def put_file(data):
    name = "file-%d" % (len(files) + 1)
    files[name] = data
    return name


def finish(b):
    if "results" in b or b["end"] == "failed":
        return
    if b["kind"] == "files":
        errors = [{"code": "invalid", "message": "no such model",
                   "line": n + 1} for n, r in enumerate(b["requests"])
                  if last_text(r["body"]).startswith("refused")]
        if errors:
            b.update(end="failed", errors=errors)
            return
        out, err = work_files(b)
        b["output"] = put_file(jsonl(out)) if out else None
        b["faults"] = put_file(jsonl(err)) if err else None
        b["results"] = True
    else:
        b["results"] = jsonl(work_inline(b)) + b"\n"


def poll(b):
    b["polls"] -= 1
    if b["polls"] < 0:
        finish(b)


def show(b):
    n = len(b["requests"])
    over = b["polls"] < 0
    if b["kind"] == "files":
        fail = b["end"] == "failed"
        return {"id": b["id"], "object": "batch", "endpoint": b["endpoint"],
                "errors": {"object": "list", "data": b.get("errors", [
                    {"code": "limit", "message": "all is too much",
                     "line": None}])} if over and fail else None,
                "input_file_id": b["input"], "completion_window": "24h",
                "status": b["end"] if over else "in_progress",
                "output_file_id": b.get("output"),
                "error_file_id": b.get("faults"), "created_at": b["made"],
                "metadata": b["metadata"],
                "request_counts": {"total": n, "completed": n if over else 0,
                                   "failed": 0}}
    return {"id": b["id"], "type": "message_batch",
            "processing_status": "ended" if over else "in_progress",
            "request_counts": {"processing": 0 if over else n,
                               "succeeded": n if over else 0, "errored": 0,
                               "canceled": 0, "expired": 0},
            "created_at": time.strftime("%Y-%m-%dT%H:%M:%SZ",
                                        time.gmtime(b["made"])),
            "results_url": "https://elsewhere.invalid/" if over else None}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def send(self, status, data, kind="application/json", headers=()):
        log("%s %s %d" % (self.command, self.path, status))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for k, v in headers:
            self.send_header(k, v)
        self.end_headers()
        self.wfile.write(data)

    def authorize(self, inline):
        if inline:
            expect(self.headers["x-api-key"] == "k3y-a", "wrong key", 401)
            expect(self.headers["anthropic-version"] == "2023-06-01",
                   "anthropic-version: header is required")
        else:
            expect(self.headers["Authorization"] == "Bearer k3y-o",
                   "Incorrect API key provided", 401)

    def make(self, b_of):
        """Make a batch, or what "mode" says."""
        word = mode()
        expect(word != "401", "no", 401)
        expect(word != "429", "slow down", 429)
        if word == "drop":
            self.close_connection = True
            log("dropped")
            return
        b = b_of()
        if word == "failed":
            b["end"] = "failed"
        if word == "cut":
            log("cut")
            self.close_connection = True
            return
        if word == "hang":
            log("made")
            lock.release()
            self.rfile.read(1)
            lock.acquire()
            self.close_connection = True
            return
        self.send(200, json.dumps(show(b)).encode())

    def upload(self, body):
        expect(self.headers["Content-Type"].startswith(
            "multipart/form-data; boundary="), "expected multipart")
        m = email.message_from_bytes(
            b"Content-Type: " + self.headers["Content-Type"].encode() +
            b"\r\n\r\n" + body, policy=email.policy.HTTP)
        parts = {p.get_param("name", header="content-disposition"): p
                 for p in m.iter_parts()}
        expect(not m.defects and set(parts) == {"purpose", "file"},
               "expected purpose and file")
        expect(parts["purpose"].get_content().strip() == "batch",
               "expected the purpose batch")
        expect(parts["file"].get_filename().endswith(".jsonl"),
               "expected a .jsonl file")
        name = put_file(parts["file"].get_payload(decode=True))
        self.send(200, json.dumps(
            {"id": name, "object": "file", "purpose": "batch"}).encode())

    def post(self, body):
        path = self.path
        if path == "/v1/files":
            self.authorize(False)
            self.upload(body)
        elif path == "/v1/batches":
            self.authorize(False)
            j = json.loads(body)
            expect(j["completion_window"] == "24h", "completion_window")
            expect(all(isinstance(v, str) for v in j["metadata"].values()),
                   "metadata")
            requests = [json.loads(x)
                        for x in files[j["input_file_id"]].splitlines()]
            check_ids(requests)
            for r in requests:
                expect(r["method"] == "POST" and r["url"] == j["endpoint"]
                       and r["url"] in ("/v1/chat/completions",
                                        "/v1/responses")
                       and r["body"]["model"] and
                       not r["body"].get("stream"), "a line is wrong")
            self.make(lambda: add(
                "files", requests, endpoint=j["endpoint"],
                input=j["input_file_id"], metadata=j["metadata"]))
        elif path == "/v1/messages/batches":
            self.authorize(True)
            requests = json.loads(body)["requests"]
            check_ids(requests)
            for r in requests:
                expect(set(r) == {"custom_id", "params"} and
                       r["params"]["max_tokens"] > 0 and
                       not r["params"].get("stream"), "a request is wrong")
            self.make(lambda: add("inline", requests))
        else:
            expect(False, "no such path", 404)

    def get(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        inline = url.path.startswith("/v1/messages/")
        self.authorize(inline)
        m = re.fullmatch(r"/v1/files/([^/]+)(/content)?", url.path)
        if m:
            expect(m[1] in files, "no such file", 404)
            if self.command == "DELETE":
                del files[m[1]]
                self.send(200, b"{}")
                return
            expect(m[2], "no such path", 404)
            self.send(200, files[m[1]], "application/octet-stream")
            return
        m = re.fullmatch(r"/v1/(?:messages/)?batches(?:/([^/]+)(/results)?)?",
                         url.path)
        expect(m, "no such path", 404)
        own = [b for b in reversed(batches)
               if (b["kind"] == "inline") == inline]
        if not m[1]:
            after = query.get("after_id" if inline else "after")
            if after:
                own = own[[b["id"] for b in own].index(after) + 1:]
            n = min(int(query.get("limit", 20)), args.page)
            for b in own:
                poll(b)
            self.send(200, json.dumps(
                {"data": [show(b) for b in own[:n]],
                 "has_more": len(own) > n}).encode())
            return
        b = next((b for b in own if b["id"] == m[1]), None)
        expect(b, "no such batch", 404)
        if m[2]:
            expect(b["polls"] < 0, "it is not over")
            self.send(200, b["results"], "application/x-jsonl")
            return
        poll(b)
        self.send(200, json.dumps(show(b)).encode())

    def answer(self):
        if self.path == "/idle":
            with idle:
                idle.wait_for(lambda: Server.open == 1)
            self.send(200, b"")
            return
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        with lock:
            try:
                if self.command == "POST":
                    self.post(body)
                else:
                    self.get()
            except Refuse as e:
                self.send(e.status, json.dumps(
                    {"error": {"message": str(e)}}).encode(),
                          headers=[("retry-after", "0")])

    do_GET = do_POST = do_DELETE = answer


idle = threading.Condition()


class Server(http.server.ThreadingHTTPServer):
    open = 0

    def process_request(self, request, client_address):
        with idle:
            Server.open += 1
        super().process_request(request, client_address)

    def process_request_thread(self, request, client_address):
        super().process_request_thread(request, client_address)
        with idle:
            Server.open -= 1
            idle.notify_all()

    def handle_error(self, request, client_address):
        pass


parser = argparse.ArgumentParser()
parser.add_argument("-n", dest="polls", type=int, default=1)
parser.add_argument("-p", dest="page", type=int, default=100)
parser.add_argument("log")
args = parser.parse_args()
signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
server = Server(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
sys.stdout.close()
server.serve_forever()
