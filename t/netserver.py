"""netserver tls|h2 CERT KEY LOG | netserver proxy LOG | netserver full LOG

Servers on 127.0.0.1 for t/llmcall-net.t; the port goes to stdout, one line
per request to LOG; SIGTERM ends them.  tls answers every POST with a Chat
Completion; h2 speaks HTTP/2 alone and logs its connections too, each ending
after 20 requests with a GOAWAY.  proxy hands http on and tunnels CONNECT; what it is sent stands
in its log: the request line, Proxy-Authorization and Authorization.  To full
no connection can be made, nor is any refused.
"""

import http.client
import http.server
import signal
import socket
import socketserver
import ssl
import sys
import threading

EVENTS = (b'data: {"choices":[{"delta":{"content":"hi"},'
          b'"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def tell(self):
        words = [self.command, self.path]
        for name in ("Proxy-Authorization", "Authorization"):
            if name in self.headers:
                words.append(self.headers[name])
        with open(log, "a") as f:
            f.write(" ".join(words) + "\n")

    def body(self):
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))


class Tls(Handler):
    def do_POST(self):
        self.tell()
        self.body()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Content-Length", str(len(EVENTS)))
        self.end_headers()
        self.wfile.write(EVENTS)


class Proxy(Handler):
    def do_POST(self):
        self.tell()
        host, path = self.path[len("http://"):].split("/", 1)
        c = http.client.HTTPConnection(host, timeout=10)
        c.request("POST", "/" + path, self.body(),
                  {"Content-Type": "application/json"})
        r = c.getresponse()
        data = r.read()
        self.send_response(r.status)
        self.send_header("Content-Type", r.getheader("Content-Type"))
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_CONNECT(self):
        self.tell()
        host, port = self.path.rsplit(":", 1)
        # A small container has no /etc/hosts.
        if host == "localhost":
            host = "127.0.0.1"
        s = socket.create_connection((host, int(port)), timeout=10)
        self.send_response(200)
        self.end_headers()
        t = threading.Thread(target=pump, args=(s, self.connection),
                             daemon=True)
        t.start()
        pump(self.connection, s)
        self.close_connection = True


def pump(a, b):
    try:
        while data := a.recv(65536):
            b.sendall(data)
        b.shutdown(socket.SHUT_WR)
    except OSError:
        pass


# Frames of HTTP/2 by their type.
DATA, HEADERS, SETTINGS, PING, GOAWAY, WINDOW = 0, 1, 4, 6, 7, 8
# ":status: 200" and a content type.
HEAD = b"\x88\x00\x0ccontent-type\x11text/event-stream"


class H2(socketserver.BaseRequestHandler):
    def send(self, kind, flags, stream, data):
        self.request.sendall(len(data).to_bytes(3, "big")
                             + bytes((kind, flags))
                             + stream.to_bytes(4, "big") + data)

    def tell(self, word):
        with open(log, "a") as f:
            f.write(word + "\n")

    def handle(self):
        served = 0
        f = self.request.makefile("rb")
        self.tell("connection")
        f.read(24)
        self.send(SETTINGS, 0, 0, b"")
        while served < 20:
            head = f.read(9)
            if len(head) < 9:
                return
            n, kind, flags = int.from_bytes(head[:3], "big"), head[3], head[4]
            stream = int.from_bytes(head[5:], "big")
            data = f.read(n)
            if kind in (SETTINGS, PING) and not flags & 1:
                self.send(kind, 1, 0, data if kind == PING else b"")
            if kind == DATA and n > 0:
                self.send(WINDOW, 0, 0, n.to_bytes(4, "big"))
            if kind in (DATA, HEADERS) and flags & 1:
                self.tell("POST")
                served += 1
                # Ahead of the last answer, or the next request would come in between.
                if served == 20:
                    self.send(GOAWAY, 0, 0, stream.to_bytes(4, "big") + bytes(4))
                self.send(HEADERS, 4, stream, HEAD)
                self.send(DATA, 1, stream, EVENTS)
        f.read()


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *args):
        pass  # a client that does not trust us goes away


signal.signal(signal.SIGTERM, lambda *a: sys.exit(0))
log = sys.argv[-1]
if sys.argv[1] == "full":
    s = socket.socket()
    s.bind(("127.0.0.1", 0))
    s.listen(0)
    waiting = []
    for _ in range(8):
        c = socket.socket()
        c.setblocking(False)
        c.connect_ex(s.getsockname())
        waiting.append(c)
    print(s.getsockname()[1], flush=True)
    signal.pause()
if sys.argv[1] in ("tls", "h2"):
    server = Server(("127.0.0.1", 0), Tls if sys.argv[1] == "tls" else H2)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
    if sys.argv[1] == "h2":
        context.set_alpn_protocols(["h2"])
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False)
else:
    server = Server(("127.0.0.1", 0), Proxy)
print(server.server_address[1], flush=True)
server.serve_forever()
