"""vt.py: a terminal's screen, for tests that look at what a person sees.

Screen(rows, columns).feed(bytes) obeys what our programs and readline send to
an xterm, wraps and scrolls, and keeps what leaves at the top.  text() is all
of it, shown() what is on the screen.  A sequence that it does not know is kept
in .unknown: a test can demand that there is none.
"""
import codecs
import re
import unicodedata

CSI = re.compile(r"\x1b\[([?>=]?)([0-9;]*)([@-~])")
OTHER = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-Za-z]|[78=>McDE\\])")


def width(c):
    if unicodedata.combining(c) or unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


class Row:
    def __init__(self, columns):
        self.cells = [" "] * columns  # of a wide character the second is ""
        self.faint = [False] * columns
        self.goes_on = False  # wrapped: the next row belongs to it

    def text(self):
        return "".join(self.cells).rstrip(" ")


class Screen:
    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.lines = [Row(columns) for _ in range(rows)]
        self.above = []
        self.y = self.x = 0
        self.full = False  # the last column is written, the next one wraps
        self.faint = False
        self.bells, self.modes, self.unknown = 0, {}, []
        self.kept = (0, 0)
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self.rest = ""

    def feed(self, data):
        s = self.rest + self.decode(data)
        i = 0
        while i < len(s):
            if s[i] != "\x1b":
                self.put(s[i])
                i += 1
                continue
            m = CSI.match(s, i) or OTHER.match(s, i)
            if m:
                self.obey(m)
                i = m.end()
            elif len(s) - i < 32:
                break  # the rest is still to come
            else:
                self.unknown.append(s[i:i + 8])
                i += 1
        self.rest = s[i:]

    def down(self):
        if self.y < self.rows - 1:
            self.y += 1
        else:
            self.above.append(self.lines.pop(0))
            self.lines.append(Row(self.columns))

    def put(self, c):
        if c == "\r":
            self.x, self.full = 0, False
        elif c == "\n":
            self.down()
            self.full = False
        elif c == "\b":
            self.x, self.full = max(0, self.x - (not self.full)), False
        elif c == "\t":
            self.x = min(self.columns - 1, self.x // 8 * 8 + 8)
        elif c == "\a":
            self.bells += 1
        elif c in "\x0e\x0f\x18":
            pass  # character sets; the end of a sequence that is none
        elif unicodedata.category(c) == "Cc":
            self.unknown.append(c)
        else:
            self.draw(c, width(c))

    def draw(self, c, w):
        if unicodedata.category(c) == "Zs":
            c = " "
        if w == 0:
            at = self.x if self.full else self.x - 1
            if at > 0 and self.lines[self.y].cells[at] == "":
                at -= 1
            self.lines[self.y].cells[max(at, 0)] += c
            return
        if self.full or self.x + w > self.columns:
            self.lines[self.y].goes_on = True
            self.down()
            self.x, self.full = 0, False
        row = self.lines[self.y]
        if row.cells[self.x] == "" and self.x > 0:
            row.cells[self.x - 1] = " "  # half of a wide one
        row.cells[self.x] = c
        row.faint[self.x] = self.faint
        if w == 2:
            row.cells[self.x + 1] = ""
        end = self.x + w
        if end < self.columns and row.cells[end] == "":
            row.cells[end] = " "
        self.full = end == self.columns
        self.x = min(end, self.columns - 1)

    def erase(self, y, start, end):
        row = self.lines[y]
        row.cells[start:end] = [" "] * (end - start)
        if end == self.columns:
            row.goes_on = False

    def obey(self, m):
        if m.re is OTHER:
            what = m.group()[1:]
            if what == "7":
                self.kept = self.y, self.x
            elif what == "8":
                self.y, self.x = self.kept
            elif what == "M":
                self.y = max(0, self.y - 1)
            elif what[0] in "cDE":
                self.unknown.append(m.group())
            return
        private, params, final = m.groups()
        ns = [int(p or 0) for p in params.split(";")]
        n = max(1, ns[0])
        row = self.lines[self.y]
        if private or final in "hl":
            self.modes[private + params] = final == "h"
            return
        if final != "m":
            self.full = False
        if final == "m":
            for k in ns:
                if k in (0, 2, 22):
                    self.faint = k == 2
        elif final == "A":
            self.y = max(0, self.y - n)
        elif final == "B":
            self.y = min(self.rows - 1, self.y + n)
        elif final == "C":
            self.x = min(self.columns - 1, self.x + n)
        elif final == "D":
            self.x = max(0, self.x - n)
        elif final == "G":
            self.x = min(self.columns, n) - 1
        elif final == "d":
            self.y = min(self.rows, n) - 1
        elif final in "Hf":
            self.y = min(self.rows, n) - 1
            self.x = min(self.columns, max(1, (ns + [0])[1])) - 1
        elif final == "K":
            self.erase(self.y, *[(self.x, self.columns), (0, self.x + 1),
                                 (0, self.columns)][ns[0]])
        elif final == "J":
            if ns[0] == 0:
                self.erase(self.y, self.x, self.columns)
            for y in range(self.y + 1 if ns[0] == 0 else 0, self.rows):
                self.erase(y, 0, self.columns)
        elif final == "P":
            row.cells = (row.cells[:self.x] + row.cells[self.x + n:]
                         + [" "] * n)[:self.columns]
        elif final == "@":
            row.cells = (row.cells[:self.x] + [" "] * n
                         + row.cells[self.x:])[:self.columns]
        elif final == "X":
            self.erase(self.y, self.x, min(self.columns, self.x + n))
        else:
            self.unknown.append(m.group())

    def resize(self, rows, columns):
        """As most terminals do: what was wrapped is wrapped anew."""
        all_, start = self.above + self.lines, len(self.above) + self.y
        while len(all_) - 1 > start and not all_[-1].text():
            all_.pop()
        new, i, at = [], 0, (0, 0)
        while i < len(all_):
            cells, faint, cursor = [], [], None
            while True:
                if i == start:
                    cursor = len(cells) + self.x
                cells += all_[i].cells
                faint += all_[i].faint
                i += 1
                if not all_[i - 1].goes_on or i == len(all_):
                    break
            while cells and cells[-1] == " ":
                cells.pop()
            here, k = len(new), 0
            while True:
                n = columns
                if len(cells) > k + n and cells[k + n] == "":
                    n -= 1
                row = Row(columns)
                part = cells[k:k + n]
                row.cells[:len(part)] = part
                row.faint[:len(part)] = faint[k:k + len(part)]
                row.goes_on = k + n < len(cells)
                if cursor is not None and k <= cursor:
                    at = len(new), min(cursor - k, columns - 1)
                new.append(row)
                k += n
                if k >= len(cells):
                    break
        top = max(0, at[0] - rows + 1, min(len(self.above), len(new) - rows))
        self.rows, self.columns = rows, columns
        self.above, self.lines = new[:top], new[top:top + rows]
        while len(self.lines) < rows:
            self.lines.append(Row(columns))
        self.y, self.x, self.full = at[0] - top, at[1], False

    def joined(self, rows):
        """Lines as they were written: a row that goes on has no end."""
        out, line = [], ""
        for row in rows:
            line += "".join(row.cells) if row.goes_on else row.text()
            if not row.goes_on:
                out.append(line)
                line = ""
        while out and not out[-1]:
            out.pop()
        return "\n".join(out) + "\n"

    def text(self):
        return self.joined(self.above + self.lines)

    def shown(self):
        out = [row.text() for row in self.lines]
        while out and not out[-1]:
            out.pop()
        return "\n".join(out) + "\n"
