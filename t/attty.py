#!/usr/bin/env python3
"""attty.py [-t TERM] [-s ROWSxCOLUMNS] [-o FILE] COMMAND [ARG ...] <script

Run a command on a terminal of its own, with the script's lines as the person
in front of it; "\\r \\n \\x.." in a text as in Python, "\\e" is an escape:

    send TEXT       type it; bytes that are not taken wait
    say TEXT        type it, when it stands on the screen Enter, and wait until
                    the cursor has left that row
    paste TEXT      between the codes of a bracketed paste
    many N TEXT     type it N times
    see TEXT        wait until this is printed, after what was seen before
    until COMMAND   wait until this shell command succeeds
    size R C        another size
    signal NAME     to the command itself
    sane [soon]     print whether the terminal has the modes of the beginning,
                    or once it has them
    sent            wait until all that was typed is taken
    taken           wait until no process of the session has an interrupt to
                    take or runs: the next one counts for itself
    cut             forget what was printed so far
    shows TEXT      wait until the screen shows it; "^" in front of it is the
                    beginning of a row, "$" at the end of it the row's end
    gone TEXT       wait until the screen shows it no more
    screen          print what the screen shows, a "|" in front of each row
    text            print all that it showed, also what has left at the top
    faint TEXT      wait until this is there, faint
    strange         print the sequences that t/vt.py does not know, the modes
                    that are set, and how often the bell rang

The command gets a session of its own.  Prints "= STATUS" at the end, as a
shell has it; -o keeps all that was printed.  Nothing is awaited longer than
two minutes, a slow machine's time.
"""
import fcntl, os, pty, re, select, signal, struct, sys, termios, time
# A hundred tests start this: vt is compiled once, into build/t/python.
if sys.prefix.endswith("/t/python"):
    sys.pycache_prefix = sys.prefix + "/cache"
else:
    sys.dont_write_bytecode = True
import vt

PATIENCE = float(os.environ.get("PATIENCE", 120))


class Terminal:
    def __init__(self, args, term, rows, columns):
        self.out, self.seen, self.pending = b"", 0, b""
        self.status = None
        self.still = 0
        # A descriptor of our own on the other side: its modes outlive the command.
        self.fd, self.side = pty.openpty()
        self.screen = vt.Screen(rows, columns)
        self.resize(rows, columns)
        self.modes = termios.tcgetattr(self.side)
        env = dict(os.environ)
        env.pop("TERM", None)
        if term:
            env["TERM"] = term
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.side, termios.TIOCSCTTY, 0)
            for i in range(3):
                os.dup2(self.side, i)
            os.closerange(3, 64)
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            try:
                os.execvpe(args[0], args, env)
            finally:
                os._exit(127)
        os.set_blocking(self.fd, False)

    def resize(self, rows, columns):
        size = struct.pack("HHHH", rows, columns, 0, 0)
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, size)

    def turn(self, seconds):
        """Let it read and print for at most so long."""
        want = [self.fd] if self.pending else []
        r, w, _ = select.select([self.fd], want, [], seconds)
        if w:
            self.pending = self.pending[os.write(self.fd, self.pending[:1024]):]
        if r:
            try:
                b = os.read(self.fd, 65536)
                self.out += b
                self.screen.feed(b)
            except OSError:
                pass

    def ended(self):
        if self.status is None:
            pid, st = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(st)
                self.turn(0)
        return self.status is not None

    def await_(self, what, found):
        end = time.monotonic() + PATIENCE
        while not found():
            # The end may have come between a look and a look.
            if time.monotonic() > end or (self.ended() and not found()):
                sys.stdout.write("waited in vain for %s; printed: %r\n%s"
                                 % (what, self.out[self.seen:][-2000:],
                                    self.screen.text()))
                self.close()
                sys.exit(1)
            self.turn(0.02)

    def see(self, text):
        def found():
            i = self.out.find(text, self.seen)
            if i >= 0:
                self.seen = i + len(text)
            return i >= 0
        self.await_(repr(text), found)

    def shows(self, text):
        at = (r"(?m)^" if text[:1] == "^" else "") \
            + re.escape(text[text[:1] == "^":].removesuffix("$")) \
            + ("(?m:$)" if text[-1:] == "$" else "")
        s = self.screen
        return re.search(at, s.joined(s.lines)) is not None

    def taken(self):
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % pid) as f:
                    state, _, _, session = f.read().rpartition(")")[2].split()[:4]
                if int(session) != self.pid:
                    continue
                with open("/proc/%s/status" % pid) as f:
                    masks = re.findall(r"(?:Sig|Shd)Pnd:\s*(\w+)", f.read())
            except OSError:
                continue
            bit = 1 << signal.SIGINT - 1
            if state in "RD" or state != "Z" and any(int(m, 16) & bit for m in masks):
                self.still = 0
                return False
        # One passes it on to another, which a look may have passed already.
        self.still += 1
        return self.still >= 5

    def row(self):
        return self.screen.lines[self.screen.y].text()

    def faint(self, text):
        for row in self.screen.above + self.screen.lines:
            i = "".join(row.cells).find(text)
            if i >= 0 and all(row.faint[i:i + len(text)]):
                return True
        return False

    def close(self):
        if not self.ended():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)

    def sane(self):
        now = termios.tcgetattr(self.side)
        return now == self.modes


def main():
    opts, args = {}, sys.argv[1:]
    while args and args[0] in ("-t", "-s", "-o"):
        opts[args[0]], args = args[1], args[2:]
    rows, columns = opts.get("-s", "24x80").split("x")
    script = sys.stdin.buffer.read().decode("utf-8").split("\n")
    t = Terminal(args, opts.get("-t", "xterm"), int(rows), int(columns))
    for line in script:
        word, _, rest = line.strip("\n").partition(" ")
        if not word or word.startswith("#"):
            continue
        text = rest.replace("\\e", "\\x1b").encode("latin-1", "backslashreplace") \
            .decode("unicode_escape") if "\\" in rest else rest
        data = text.encode("utf-8", "surrogateescape")
        if word == "send":
            t.pending += data
        elif word == "taken":
            t.still = 0
            t.await_("the interrupt to be taken", t.taken)
        elif word == "sent":
            t.await_("the typing", lambda: not t.pending)
        elif word == "say":
            t.pending += data
            t.await_(repr(text), lambda: t.row().endswith(text))
            t.pending += b"\r"
            t.await_("Enter", lambda: not t.row().endswith(text))
        elif word == "many":
            n, _, what = text.partition(" ")
            t.pending += int(n) * what.encode("utf-8")
        elif word == "paste":
            t.pending += b"\x1b[200~" + data + b"\x1b[201~"
        elif word == "see":
            t.see(data)
        elif word == "shows":
            t.await_(repr(text), lambda: t.shows(text))
        elif word == "gone":
            t.await_("no " + repr(text), lambda: not t.shows(text))
        elif word == "faint":
            t.await_("faint " + repr(text), lambda: t.faint(text))
        elif word == "screen":
            print("".join("|%s\n" % s for s in t.screen.shown().split("\n")[:-1]),
                  end="")
        elif word == "text":
            print(t.screen.text(), end="")
        elif word == "strange":
            print(t.screen.unknown, sorted(m for m, on in t.screen.modes.items() if on),
                  t.screen.bells)
        elif word == "until":
            t.await_(rest, lambda: os.system("exec 2>/dev/null\n" + rest) == 0)
        elif word == "size":
            t.resize(*map(int, rest.split()))
        elif word == "signal":
            os.kill(t.pid, getattr(signal, "SIG" + rest))
        elif word == "sane":
            t.await_("the end", t.ended)
            if rest == "soon":  # who was killed has left that to another
                end = time.monotonic() + PATIENCE
                while not t.sane() and time.monotonic() < end:
                    t.turn(0.02)
                t.turn(0.1)
            print("sane" if t.sane() else "not sane")
        elif word == "cut":
            t.turn(0)
            t.seen = len(t.out)
        else:
            sys.exit("attty.py: no such word: " + word)
    t.await_("the end", t.ended)
    if "-o" in opts:
        with open(opts["-o"], "wb") as f:
            f.write(t.out)
    print("= %d" % (t.status if t.status >= 0 else 128 - t.status))


main()
