"""fuzz-ttyread.py TTYREAD SECONDS [SEED]: ttyread on a terminal, typed at.

By turns: keys and bytes at random, after which it must end as it should and
the terminal have its modes again; and text of which nothing may be lost: what
is typed in pieces, pastes, new lines, on terminals of each kind.
"""
import fcntl, os, pty, random, select, signal, struct, sys, tempfile, termios
import time

KEYS = [b"\x01", b"\x02", b"\x05", b"\x06", b"\x08", b"\x0b", b"\x0c", b"\x12",
        b"\x14", b"\x15", b"\x16", b"\x17", b"\x18\x05", b"\x19", b"\x1b\x7f",
        b"\x1b\r", b"\x1b[A", b"\x1b[B", b"\x1b[C", b"\x1b[D", b"\x1b[H",
        b"\x1b[F", b"\x1b[3~", b"\x1bOA", b"\x1b[200~", b"\x1b[201~", b"\x1bb",
        b"\x1bf", b"\x1bd", b"\t", b"@", b"/", b"!", b"\\", b"\\\r", b"\n",
        "é".encode(), "中文".encode(), "e\u0301".encode(), b"\xf0\x9f\x98\x80",
        b"\xff", b"\xc3", b"\x00", b"\x7f", b"word ", b"x" * 90]
LETTERS = "abc XYZ09.,-_()[]{}#$%&*+=~|<>?'\":;é中文ß€ \U0001f600"


class Fault(Exception):
    pass


class Run:
    def __init__(self, rnd, program, dir):
        self.dir = dir
        self.fd, self.side = pty.openpty()
        size = struct.pack("HHHH", rnd.randint(2, 40), rnd.randint(12, 130), 0, 0)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, size)
        self.modes = termios.tcgetattr(self.side)
        self.term = rnd.choice(["xterm", "xterm", "screen", "linux", "dumb", ""])
        # readline 8.2 (update_line) compares a line's length of two buffers of
        # which one may be shorter, and differs before.
        asan = os.environ.get("ASAN_OPTIONS", "exitcode=99") + ":strict_memcmp=0"
        env = {"TERM": self.term, "PATH": os.environ["PATH"], "HOME": dir,
               "EDITOR": "true", "LC_ALL": rnd.choice(["C", "C.UTF-8"]),
               "ASAN_OPTIONS": asan}
        args = [program, "-o", dir + "/msg", "-H", dir + "/history",
                "-c", "turnpipe-", "quit"]
        self.out = b""
        self.status = None
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.side, termios.TIOCSCTTY, 0)
            os.chdir(dir)
            for i in range(3):
                os.dup2(self.side, i)
            os.closerange(3, 64)
            for s in (signal.SIGINT, signal.SIGPIPE):
                signal.signal(s, signal.SIG_DFL)
            try:
                os.execve(program, args, env)
            finally:
                os._exit(127)
        os.set_blocking(self.fd, False)
        self.wait(lambda: b"> " in self.out)

    def step(self, data=b""):
        """Read what there is, write what is taken; what is left of it."""
        r, w, _ = select.select([self.fd], [self.fd] if data else [], [], 0.05)
        if r:
            try:
                self.out = (self.out + os.read(self.fd, 65536))[-100000:]
            except OSError:
                pass
        if w:
            data = data[os.write(self.fd, data[:512]):]
        if self.status is None:
            pid, st = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(st)
        return data

    def wait(self, found):
        end = time.monotonic() + 60
        while self.status is None and not found():
            if time.monotonic() > end:
                raise Fault("it hangs")
            self.step()

    def type(self, data):
        end = time.monotonic() + 60
        while data and self.status is None:
            if time.monotonic() > end:
                raise Fault("it takes nothing")
            data = self.step(data)

    def end(self):
        """A session that is not over is left: by Ctrl-C until that is enough."""
        end = time.monotonic() + 60
        self.type(b"\x11\x1b[201~\x07\x03")  # after a Ctrl-S, Ctrl-Q
        while self.status is None:
            if time.monotonic() > end:
                raise Fault("it does not leave")
            self.step(b"\x03")
        if self.status not in (0, 1, -signal.SIGINT):
            raise Fault("status %d: %r" % (self.status, self.out[-2000:]))
        if termios.tcgetattr(self.side) != self.modes:
            raise Fault("the terminal's modes are others")

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self.fd)
        os.close(self.side)


def keys(rnd):
    out = b""
    for _ in range(rnd.randint(1, 60)):
        if rnd.random() < 0.6:
            out += rnd.choice(KEYS)
        else:
            out += bytes(rnd.randrange(256) for _ in range(rnd.randint(1, 6)))
    return out


def words(rnd, most, also=""):
    return "".join(rnd.choice(LETTERS + also) for _ in range(rnd.randint(1, most)))


def message(rnd, edits):
    """Pieces to type one after the other, and the message that they make."""
    pieces, text = [], ""
    for _ in range(rnd.randint(1, 8)):
        kind = rnd.randrange(4)
        if kind == 0 and edits:
            s = words(rnd, 300, "\n\n\t/@!\\\x01\x03\x07\x1f")
            pieces.append(b"\x1b[200~" + s.replace("\n", "\r").encode() + b"\x1b[201~")
        elif kind == 1 and text[-1:] not in ("", "\\"):
            s = "\n"
            pieces.append(b"\x1b\r" if edits and rnd.random() < 0.5 else b"\\\r")
        else:
            s = words(rnd, 3000 if rnd.random() < 0.1 else 60, "/@!")
            pieces.append(s.encode())
        text += s
    return pieces, text + "."


def main():
    program, seconds = os.path.abspath(sys.argv[1]), float(sys.argv[2])
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 30)
    end = time.monotonic() + seconds
    n = 0
    with tempfile.TemporaryDirectory() as dir:
        open(dir + "/a file", "w").close()
        while n < 2 or time.monotonic() < end:
            rnd = random.Random(seed + n)
            typed = []
            r = Run(rnd, program, dir)
            try:
                if n % 2 == 0:
                    typed.append(keys(rnd))
                    r.type(typed[0])
                    if rnd.random() < 0.5:
                        size = struct.pack("HHHH", 9, rnd.randint(12, 90), 0, 0)
                        fcntl.ioctl(r.fd, termios.TIOCSWINSZ, size)
                    r.end()
                else:
                    edits = r.term not in ("dumb", "") and b"2004h" in r.out
                    typed, text = message(rnd, edits)
                    # Nothing comes after Enter: that would be a paste.
                    for p in typed + [b".", b"\r"]:
                        r.type(p)
                    r.wait(lambda: False)
                    r.end()
                    with open(dir + "/msg", "rb") as f:
                        got = f.read().decode("utf-8")
                    if got != text + "\n":
                        raise Fault("%r became %r" % (text, got))
            except Fault as e:
                sys.exit("fuzz-ttyread: seed %d, TERM=%s: %s\ntyped: %r"
                         % (seed + n, r.term, e, typed))
            finally:
                r.close()
            n += 1
    print("fuzz-ttyread: %d terminals, no fault" % n)


main()
