"""Mutated JSON texts for the gate, judged by Python's json beside it."""

import json
import random
import re
import subprocess
import sys
import time

SEEDS = [
    b'{"type":"message","role":"user","content":"caf\xc3\xa9 \\u00e9\\ud83d\\ude00"}',
    b'[1,2.5e-3,-0,true,false,null,"",{},[],{"a":{"b":[1]}}]',
    b'{"k":"v","k2":["\\\\","\\"","\\/","\\b\\f\\n\\r\\t"],"n":12345678901234567890}',
    b' \t\r\n{ "a" : [ 1 , 2 ] } \n',
]
BITS = [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"0", b"-", b"e",
        b"\\u", b"\\ud800", b"\xff", b"\xc3", b"\x00", b"\n", b"tru", b" "]


def strict(text):
    """Does Python take it, being as strict as we are?"""
    try:
        s = text.decode("utf-8")
    except UnicodeDecodeError:
        return False
    if s[:1] == "\ufeff":
        return False

    def pairs(items):
        keys = [k for k, _ in items]
        if len(set(keys)) != len(keys):
            raise ValueError("twice")
        return dict(items)

    def refuse(_):
        raise ValueError("no number")

    try:
        v = json.loads(s, object_pairs_hook=pairs, parse_constant=refuse)
    except (ValueError, RecursionError):
        return False
    try:
        json.dumps(v, ensure_ascii=False).encode("utf-8")  # lone surrogates
    except (UnicodeEncodeError, ValueError):
        return False
    return not re.search(r"\[{129}", s)


def mutate(rnd, text):
    t = bytearray(text)
    for _ in range(rnd.randint(0, 4)):
        at = rnd.randrange(len(t) + 1)
        what = rnd.randrange(4)
        if what == 0:
            t[at:at] = rnd.choice(BITS)
        elif what == 1:
            del t[at:at + rnd.randint(1, 3)]
        elif what == 2 and at < len(t):
            t[at] = rnd.randrange(256)
        else:
            end = min(len(t), at + rnd.randint(1, 8))
            t[at:at] = t[at:end]
    return bytes(t)


def main():
    rnd = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    p = subprocess.Popen([sys.argv[1], "-"], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE)
    end = time.time() + float(sys.argv[2])
    n = good = 0
    while time.time() < end:
        # Many at once, for a turn of two processes is dear.
        texts = [mutate(rnd, rnd.choice(SEEDS)) for _ in range(100)]
        p.stdin.write(b"".join(b"%d\n" % len(t) + t for t in texts))
        p.stdin.flush()
        for text in texts:
            says = p.stdout.readline().split()
            if not says:
                sys.exit("fuzz: died at one of %r" % texts[n % 100:])
            if (says[0] == b"1") != strict(text):
                sys.exit("fuzz: gate says %s of %r" % (says, text))
            n += 1
            good += says[0] == b"1"
    print("fuzz: %d texts, %d valid, no disagreement" % (n, good))


main()
