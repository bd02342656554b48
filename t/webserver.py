"""webserver: pages on 127.0.0.1 for t/tool/webget.t; the port goes to stdout.
SIGTERM ends it."""

import gzip
import http.server
import re
import signal
import socketserver
import sys
import time

HTML = b"""<!DOCTYPE html><html><head><title>A &amp; B</title><style>p{}</style>
<script>if (a < b) document.write("<p>no</p>")</script></head>
<body><h1>Top</h1><p>One   <b>two</b>&nbsp;&#x2014;<br>three &lt;tag&gt; &copy &bogus;</p>
<!-- <p>hidden</p> --><ul><li>a<li><a href="/x?a=1&amp;b=2" title=">">link</a></ul>
<pre>  x
   y</pre><table><tr><td>1</td><td>2</td></tr></table><a href="javascript:x()">js</a> 3 < 4"""


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def answer(self, body, kind="text/plain", status=200, **headers):
        self.send_response(status)
        if kind:
            self.send_header("Content-Type", kind)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        # As a proxy: with the host in front.
        asked = re.match("http://[^/]*", self.path)
        p = self.path[asked.end():] if asked else self.path
        if p == "/proxy":
            self.answer((self.path + "\n").encode())
        elif p == "/html":
            self.answer(HTML, "text/html; charset=utf-8")
        elif p == "/latin":
            self.answer(b"caf\xe9\n", "text/plain; charset=ISO-8859-1")
        elif p == "/accept":
            self.answer((self.headers["Accept"].split(",")[0] + " "
                         + str(self.headers["Authorization"]) + "\n").encode())
        elif p == "/png":
            self.answer(b"\x89PNG\r\n\x1a\n\0", "image/png")
        elif p == "/nul":
            self.answer(b"a\0b", None)
        elif p == "/bomb":
            self.answer(gzip.compress(b"a" * (64 << 20), 1), "text/plain",
                        Content_Encoding="gzip")
        elif p == "/slow":
            self.send_response(200)
            self.send_header("Content-Type", "text/plain")
            self.end_headers()
            try:
                for _ in range(600):
                    self.wfile.write(b"x")
                    self.wfile.flush()
                    time.sleep(0.1)
            except OSError:
                pass
        elif p.startswith("/to/"):
            self.answer(b"", status=302, Location=p[4:])
        elif p.startswith("/hop/"):
            n = int(p[5:])
            if n == 0:
                self.answer(b"there\n")
            else:
                self.answer(b"", status=301, Location="/hop/%d" % (n - 1))
        else:
            self.answer(b"gone\n", status=404)


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True


signal.signal(signal.SIGTERM, lambda *args: sys.exit(0))
server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
