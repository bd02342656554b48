"""endpointserver vectors | endpointserver [-a SECONDS] [-t TOKEN] SERVICE REGION LOG
| endpointserver -p PATH [-h NAME=VALUE]... LOG

vectors: the verifier below against signatures of AWS's published test suite
for Signature Version 4 (aws-sig-v4-test-suite), one line each.

Else a server on 127.0.0.1; its port goes to stdout; SIGTERM ends it.  With
SERVICE and REGION it answers a POST with a Chat Completion only if all of its
signature is right for the access key of that suite, within five minutes of a
clock that is SECONDS ahead, and with the session token TOKEN (-: without
one).  With -p it answers a POST only to that path, with these headers, with
no other that could hold a key, and with a body that is a request for one of
its models.  All else is refused.  LOG has a line per request: the status and
why.
"""

import argparse
import datetime
import hashlib
import hmac
import http.server
import json
import re
import signal
import sys
import time
import urllib.parse

ID = "AKIDEXAMPLE"
SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY"
SKEW = 300
EVENTS = (b'data: {"choices":[{"delta":{"content":"hi"},'
          b'"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')


def quoted(s, safe="-_.~"):
    return urllib.parse.quote(s, safe=safe)


def canonical(method, target, headers, signed, body, twice=False):
    """The canonical request; headers is a list of pairs as they came."""
    # A proxy is asked for a whole address.
    path, _, query = re.sub("^http://[^/]*", "", target).partition("?")
    parts = []
    for s in urllib.parse.unquote(path).split("/"):
        if s == "..":
            parts = parts[:-1]
        elif s not in ("", "."):
            parts.append(quoted(quoted(s)) if twice else quoted(s))
    uri = "/" + "/".join(parts)
    if parts and path.rstrip(".").endswith("/"):
        uri += "/"
    pairs = []
    for s in query.split("&") if query else []:
        k, _, v = s.partition("=")
        pairs.append((quoted(urllib.parse.unquote(k)),
                      quoted(urllib.parse.unquote(v))))
    lines = [method, uri, "&".join("%s=%s" % p for p in sorted(pairs))]
    for name in signed:
        values = [" ".join(v.split()) for k, v in headers
                  if k.lower() == name]
        if not values:
            raise ValueError("signed header %s did not come" % name)
        lines.append("%s:%s" % (name, ",".join(values)))
    lines += ["", ";".join(signed), hashlib.sha256(body).hexdigest()]
    return "\n".join(lines)


def signature(request, date, region, service):
    scope = "%s/%s/%s/aws4_request" % (date[:8], region, service)
    text = "\n".join(["AWS4-HMAC-SHA256", date, scope,
                      hashlib.sha256(request.encode()).hexdigest()])
    key = ("AWS4" + SECRET).encode()
    for s in (date[:8], region, service, "aws4_request"):
        key = hmac.new(key, s.encode(), hashlib.sha256).digest()
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def fault(method, target, headers, body, service, region, token, now):
    """Why the request is refused, or None."""
    def one(name):
        values = [v for k, v in headers if k.lower() == name]
        return values[0] if len(values) == 1 else None
    auth = re.fullmatch(
        r"AWS4-HMAC-SHA256 Credential=([^,/]+)/(\d{8})/([^/]+)/([^/]+)/"
        r"aws4_request, *SignedHeaders=([a-z0-9;-]+), *"
        r"Signature=([0-9a-f]{64})", one("authorization") or "")
    if not auth:
        return "no signature"
    who, day, reg, svc, names, sig = auth.groups()
    signed = names.split(";")
    date = one("x-amz-date") or ""
    if who != ID:
        return "unknown access key"
    if (reg, svc) != (region, service):
        return "scope is %s/%s" % (reg, svc)
    if not re.fullmatch(r"\d{8}T\d{6}Z", date) or date[:8] != day:
        return "no date, or not the scope's"
    at = datetime.datetime.strptime(date + "+0000", "%Y%m%dT%H%M%SZ%z")
    if abs(at.timestamp() - now) > SKEW:
        return "Signature expired: the clocks differ"
    if signed != sorted(set(signed)):
        return "signed headers are not in order"
    must = {"host"} | {k.lower() for k, v in headers
                       if k.lower().startswith("x-amz-")}
    if one("content-type") is not None:
        must.add("content-type")
    if not must <= set(signed):
        return "not signed: " + " ".join(sorted(must - set(signed)))
    if one("x-amz-security-token") != token:
        return "not the session token"
    try:
        # Newer versions of libcurl encode the path once more.
        texts = [canonical(method, target, headers, signed, body, twice)
                 for twice in (False, True)]
    except ValueError as e:
        return str(e)
    if not any(hmac.compare_digest(signature(t, date, region, service), sig)
               for t in texts):
        return "the signature does not match"
    return None


HOST = ("Host", "example.amazonaws.com")
DATE = ("X-Amz-Date", "20150830T123600Z")
FORM = ("Content-Type", "application/x-www-form-urlencoded")
VECTORS = [
    ("get-vanilla", "GET", "/", [], b"",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    ("get-relative-relative", "GET", "/example1/example2/../..", [], b"",
     "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
    ("get-space", "GET", "/example%20space/", [], b"",
     "652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741"),
    ("get-utf8", "GET", "/\u1234", [], b"",
     "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
    ("get-vanilla-query-order-key-case", "GET",
     "/?Param2=value2&Param1=value1", [], b"",
     "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
    ("get-header-value-trim", "GET", "/",
     [("My-Header1", " value1"), ("My-Header2", ' "a   b   c"')], b"",
     "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
    ("post-vanilla", "POST", "/", [], b"",
     "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
    ("post-x-www-form-urlencoded", "POST", "/", [FORM], b"Param1=value1",
     "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
    ("post-sts-header-before", "POST", "/",
     [("X-Amz-Security-Token",
       "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLW"
       "sKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmG"
       "deehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlR"
       "d8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlz"
       "m8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==")], b"",
     "85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead"),
]


def vectors():
    """Each is taken, and with one byte of anything changed it is refused."""
    at = datetime.datetime(2015, 8, 30, 12, 36,
                           tzinfo=datetime.timezone.utc).timestamp()
    for name, method, target, more, body, want in VECTORS:
        headers = [HOST, DATE] + more
        signed = sorted(k.lower() for k, v in headers)
        token = dict(headers).get("X-Amz-Security-Token")
        headers.append(("Authorization", "AWS4-HMAC-SHA256 Credential=%s/"
                        "20150830/us-east-1/service/aws4_request, "
                        "SignedHeaders=%s, Signature=%s"
                        % (ID, ";".join(signed), want)))
        scope = ("service", "us-east-1", token)
        said = [fault(method, target, headers, body, *scope, at),
                fault(method, target + "x", headers, body, *scope, at),
                fault(method, target, headers, body + b"x", *scope, at),
                fault(method, target, headers + [HOST], body, *scope, at),
                fault(method, target, headers, body, *scope, at + 301),
                fault(method, target, headers, body, *scope, at - 301)]
        ok = said[0] is None and all(said[1:])
        print("ok" if ok else "not ok", name, "" if ok else said)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def fault(self, body):
        headers = self.headers.items()
        if args.path is None:
            return fault(self.command, self.path, headers, body, args.rest[0],
                         args.rest[1], None if args.token == "-"
                         else args.token, time.time() + args.ahead)
        if self.path != args.path:
            return "path " + self.path
        want = dict(s.split("=", 1) for s in args.header)
        for k, v in want.items():
            if self.headers.get_all(k) != [v]:
                return "header " + k
        plain = {"host", "accept", "content-length", "content-type",
                 "user-agent", "x-client-request-id"}
        for k, _ in headers:
            if k.lower() not in plain | {k.lower() for k in want}:
                return "header %s is not known" % k
        if self.headers["Content-Type"] != "application/json":
            return "content type"
        try:
            o = json.loads(body)
        except ValueError:
            return "body"
        if type(o.get("model")) is not str or "type" in o:
            return "no request"
        if type(o.get("messages", o.get("input"))) is not list:
            return "no messages"
        return None

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        why = self.fault(body)
        with open(args.rest[-1], "a") as f:
            f.write("%d %s\n" % (403 if why else 200, why or self.path))
        if why:
            out = json.dumps({"message": why}).encode()
        elif "input" in json.loads(body):
            out = RESPONSE
        else:
            out = EVENTS
        self.send_response(403 if why else 200)
        self.send_header("Content-Type", "application/json" if why
                         else "text/event-stream")
        self.send_header("Content-Length", str(len(out)))
        self.end_headers()
        self.wfile.write(out)

    def do_GET(self):
        self.send_error(403)


ITEM = {"type": "message", "id": "m1", "role": "assistant",
        "status": "completed", "content": [
            {"type": "output_text", "text": "hi", "annotations": []}]}
RESPONSE = b"".join(
    b"event: %s\ndata: %s\n\n" % (o["type"].encode(), json.dumps(o).encode())
    for o in (
        {"type": "response.output_item.added", "output_index": 0,
         "item": dict(ITEM, status="in_progress", content=[])},
        {"type": "response.output_text.delta", "output_index": 0,
         "item_id": "m1", "content_index": 0, "delta": "hi"},
        {"type": "response.output_item.done", "output_index": 0,
         "item": ITEM},
        {"type": "response.completed", "response": {
            "id": "r1", "status": "completed", "output": [ITEM]}}))

if sys.argv[1:] == ["vectors"]:
    vectors()
    sys.exit(0)
p = argparse.ArgumentParser(add_help=False)
p.add_argument("-a", dest="ahead", type=float, default=0)
p.add_argument("-t", dest="token", default="-")
p.add_argument("-p", dest="path")
p.add_argument("-h", dest="header", action="append", default=[])
p.add_argument("rest", nargs="+")
args = p.parse_args()
signal.signal(signal.SIGTERM, lambda *a: sys.exit(0))
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
