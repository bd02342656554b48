"""mdterm-cmark.py SEED DOCUMENTS: mdterm held to cmark(1).

Of Markdown as it is written both show the same text: headings, paragraphs,
lists, quotes, code, emphasis in emphasis, links.  Of any characters both
show the same but for the markers that they find partners for, and mdterm adds
nothing.
"""
import random, re, subprocess, sys
import xml.etree.ElementTree as xml

NS = "{http://commonmark.org/xml/1.0}"
WORDS = ["a", "word", "c1", "x.", "(y)", "é", "日本", "snake_case", "2 * 3",
         "\\*", "\\_", "a_b_c", '"q"', "-", "don't", "[x]", "5 < 6", "&", "C++",
         "50%", "e.g.", "\\`", "!", "i18n:"]
CODE = ["`x`", "`a*b`", "`**`", "`f(a, b)`", "`_x_`", "`\\`", "``a`b``"]
SCRAPS = ["*", "**", "***", "_", "__", "`", "``", "\\", "a", "b", ".", ",",
          "(", ")", " ", " ", " ", "é", "x y", '"', "!", "-", "#"]


def words(r, n=3):
    return " ".join(r.choice(WORDS + CODE) for _ in range(r.randint(1, n)))


def span(r):
    return r.choice([
        words, words, words,
        lambda r: "*word %s end*" % words(r),
        lambda r: "**word %s end**" % words(r),
        lambda r: "_word %s end_" % words(r),
        lambda r: "__word %s end__" % words(r),
        lambda r: "***%s***" % r.choice(["a", "a b", "日本"]),
        lambda r: "*a **b %s c** d*" % words(r),
        lambda r: "**a *b %s c* d**" % words(r),
        lambda r: "**_a %s b_**" % words(r),
        lambda r: "_**a %s b**_" % words(r),
        lambda r: "**bold**ly",
        lambda r: "[word %s](http://a/b_c_d)" % r.choice(CODE),
        lambda r: "[**bold** word](http://a/b_c_d)",
    ])(r)


def line(r):
    return "word " + " ".join(span(r) for _ in range(r.randint(1, 5)))


def items(r, depth=0):
    number, out = r.random() < 0.4, []
    for i in range(r.randint(1, 4)):
        mark = "%d. " % (i + 1) if number else "- "
        out.append(mark + line(r))
        if depth < 2 and r.random() < 0.3:
            out += [" " * len(mark) + s for s in items(r, depth + 1)]
    return out


def block(r):
    k = r.random()
    if k < 0.4:
        return [line(r) for _ in range(r.randint(1, 3))]
    if k < 0.55:
        return ["#" * r.randint(1, 6) + " " + line(r)]
    if k < 0.8:
        return items(r)
    if k < 0.9:
        return ["> " + line(r) for _ in range(r.randint(1, 3))]
    return ["```" + r.choice(["", "sh"])] + [
        r.choice(["a **b** `c`", "  x  _y_", "", "# no", "- no", "\\*"])
        for _ in range(r.randint(1, 4))] + ["```"]


def shown(e):
    """What a reader sees of cmark's document."""
    tag = e.tag.removeprefix(NS)
    inner = "".join(map(shown, e)) if tag != "code_block" else ""
    if tag in ("text", "code"):
        return e.text or ""
    if tag in ("softbreak", "linebreak"):
        return " "
    if tag == "link":
        return "%s (%s)" % (inner, e.get("destination"))
    if tag == "code_block":
        return "%s %s\n" % (e.get("info") or "", e.text or "")
    if tag == "list":
        ordered = e.get("type") == "ordered"
        return "".join(" %s %s" % ("%d." % (int(e.get("start")) + i)
                                   if ordered else "•", shown(item))
                       for i, item in enumerate(e))
    return inner + "\n" if tag in ("paragraph", "heading") else inner


def run(command, text):
    return subprocess.run(command, input=text.encode(), check=True,
                          stdout=subprocess.PIPE).stdout.decode()


def letters(s):
    return re.sub(r"[*_`\\]", "", s)


def is_within(few, many):
    rest = iter(many)
    return all(c in rest for c in few)


seed, count = map(int, sys.argv[1:])
r, wrong = random.Random(seed), 0
mark = "\n\nnext\n\n"
# Two lists of one kind, with nothing between, are one to cmark.
docs = ["\n\nand\n\n".join("\n".join(block(r)) for _ in range(r.randint(1, 4)))
        for _ in range(count)]
scraps = ["w: " + "".join(r.choice(SCRAPS) for _ in range(r.randint(1, 14))).strip()
          for _ in range(count)]
for columns in "30", "200":
    for texts in docs, scraps:
        text = mark.join(texts) + "\n"
        want = shown(xml.fromstring(run(["cmark", "-t", "xml"], text))).split("\nnext\n")
        got = re.sub("\033\\[[0-9;]*m", "", run(["mdterm", "-w", columns], text))
        got = re.sub("(?m)^ *│ ", "", got).split("\n\nnext\n\n")
        assert len(want) == len(got) == count, (len(want), len(got))
        for t, w, g in zip(texts, want, got):
            w, g = "".join(w.split()), "".join(g.split())
            if texts is docs and w == g:
                continue
            if texts is scraps and letters(w) == letters(g) and \
                    is_within(g, "".join(t.split())):
                continue
            wrong += 1
            if wrong < 5:
                print("%s\n cmark:  %s\n mdterm: %s" % (t, w, g))
print("%d of %d" % (wrong, 4 * count))
