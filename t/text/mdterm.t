#!/bin/sh
# mdterm: nothing but markup is left out, whatever the text and its pieces are.
. "${0%/*}/../lib.sh"

# As it looks, without colors; and with them, in braces.
esc=$(printf '\033')
plain() { mdterm "$@" | sed "s/$esc\\[[0-9;]*m//g"; }
colors() { mdterm "$@" | sed "s/$esc\\[0*;*\\([0-9;]*\\)m/{\\1}/g"; }

cat >spans <<'!'
## Head `x`
A **bold *and it* x**, *em*, ~~gone~~, `a*b`, [text](http://x/a_b_c).
snake_case_name, 2 * 3 * 4, **open, `open, [x], https://a/_b_, \*no\*
***
!
check 'emphasis, code, links and rules, and what only looks like them' \
    'colors -w 72 <spans' <<'!'
{1}Head {1;36}x{}
A {1}bold {1;3}and it{1} x{}, {3}em{}, {9}gone{}, {36}a*b{}, {4}text{2} (http://x/a_b_c){}.
snake_case_name, 2 * 3 * 4, **open, `open, [x], https://a/_b_, *no*
{2}────────────────────────────────────────────────────────────────────────{}
!
cat >blocks <<'!'
- one that is longer than a row of it
  1. two that is longer than a row
- [x] done

> said by *another*, at some length
```python
def f(*a):  # **as it was written, however long**

    return a
```
| Name | n |
|:--|--:|
| **a** | 1 |
| 日本 | x \| y |
end
!
check 'lists, quotes, code and tables, in rows that end between words' \
    'plain -w 24 <blocks | sed "s/ *$//"' <<'!'
• one that is longer
  than a row of it
  1. two that is longer
     than a row
• ☑ done

│ said by another, at
│ some length
python
def f(*a):  # **as it was written, however long**

    return a
Name │     n
─────┼──────
a    │     1
日本 │ x | y
end
!
check 'a table that is wider than a row: the widest cells have several' '
    plain -w 30 <<E | sed "s/ *\$//"
| name | n | what it is for |
|------|--:|:--------------:|
| a | 1 | the **longest of them** all |
| long | 22 | aaaaaaaaaaaaaaaaaaaaaaaa日本 c |
| b | 3 |
E' <<'!'
name │  n │   what it is for
─────┼────┼───────────────────
a    │  1 │ the longest of
     │    │ them all
long │ 22 │ aaaaaaaaaaaaaaaaaa
     │    │ aaaaaa日本 c
b    │  3 │
!
check 'a table that no row has room for, or without a second line, is text' '
    plain -w 23 <<E
| one | two | three | four |
|--|--|--|--|
| 1 | 2 | 3 | 4 |

| alone |
E' <<'!'
| one | two | three |
four |
|--|--|--|--|
| 1 | 2 | 3 | 4 |

| alone |
!
check 'byte by byte it is the same' '
    cat spans blocks >all
    mdterm -w 24 <all >whole
    dd if=all bs=1 2>/dev/null | mdterm -w 24 | cmp - whole && echo same' <<'!'
same
!
mkfifo in
check 'a word is shown before the line ends, a span when it ends' '
    mdterm <in >out &
    exec 3>in
    printf "one two **thr" >&3
    until grep -q "one two" out; do sleep 0.01; done
    grep -c thr out
    printf "ee** " >&3
    until grep -q three out; do sleep 0.01; done
    exec 3>&-
    wait $!
    sed "s/$esc\\[[0-9;]*m//g" out' <<'!'
0
one two three
!
check 'what a terminal would obey is made visible' '
    printf "\\033]52;c;eA==\\a **\\302\\233 \\342\\200\\256** \\346\\227" | plain' <<'!'
\u{1b}]52;c;eA==\u{7} \u{9b} \u{202e} \xe6\x97
!
check 'the sources of an answer stand below it, as they are' '
    printf "%s\n" "{\"type\":\"delta\",\"text\":\"so\"}" "{\"role\":\"assistant\",\"content\":\"so\",\"annotations\":[{\"type\":\"url_citation\",\"url_citation\":{\"url\":\"http://x\",\"title\":\"*T* \\u001b\"}}]}" >cited
    mdterm -s 2 <cited 2>&1 >/dev/null; mdterm -s 2 -c "tr a-z A-Z" <cited 2>&1 >/dev/null' <<'!'
so

[1] *T* \u{1b} http://x
SO

[1] *T* \u{1b} http://x
!
check 'a line of a megabyte loses nothing' '
    awk "BEGIN { for (i = 0; i < 200000; i++) printf \"**a [\" }" >long
    plain -w 9 <long | tr -d "\\n " | cksum >got
    tr -d "\\n " <long | cksum | cmp - got && echo same' <<'!'
same
!
# CPU time against that of the same bytes in pairs: looked for from each bracket
# on it is more than twenty times as much.
check 'brackets without a partner cost little more than those with one' '
    cpu() { perl -e "print q($1) x 400000" >long; perl -e "system q(mdterm -w 80 <long >out); print +(times)[2]"; }
    awk "BEGIN { print $(cpu "[[[[]") < 8 * $(cpu "[][] ") }"' <<'!'
1
!
needs cmark check 'it shows what cmark shows (t/text/mdterm-cmark.py)' \
    'for seed in 1 2 3; do python3 "$TOP/t/text/mdterm-cmark.py" $seed 1000; done' <<!
0 of 4000
0 of 4000
0 of 4000
!
fails 74 'a full disk is reported' 'echo x | mdterm >/dev/full' <<'!'
mdterm: write <stdout>: No space left on device
!
fails 64 'an operand is refused' 'mdterm x 2>&1 >/dev/null | head -n 1 >&2; exit 64' <<'!'
mdterm: unexpected operand 'x'
!
finish
