# onpty.py [-c COLUMNS] [EXPECT SEND] ... -- COMMAND ...
# Run a command on a terminal of its own: its standard streams and its
# controlling terminal.  Each time EXPECT is printed, SEND is typed (escapes
# as in Python).  Prints all that the terminal got; ends as the command does.
import fcntl, os, pty, signal, struct, sys, termios

signal.alarm(300)  # rather than wait for ever

args = sys.argv[1:]
columns = 80
if args[0] == "-c":
    columns = int(args[1])
    args = args[2:]
i = args.index("--")
talk = [a.encode().decode("unicode_escape").encode("latin-1") for a in args[:i]]
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(args[i + 1], args[i + 1:])
seen, looked = b"", 0
while True:
    try:
        b = os.read(fd, 65536)
    except OSError:
        b = b""
    if not b:
        break
    os.write(1, b)
    seen += b
    while talk:
        at = seen.find(talk[0], looked)
        if at < 0:
            break
        looked = at + len(talk[0])
        os.write(fd, talk[1])
        talk = talk[2:]
st = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(st if st >= 0 else 128 - st)
