#!/bin/sh
# A short, bounded form of make fuzz.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || skip 'python3 is not installed'
check 'the gate and Python agree on mutated texts for a second' \
    'python3 "$TOP/t/fuzz.py" "$BIN/../t/fuzz-gate" 1 | sed "s/[0-9][0-9]*/N/g"' <<!
fuzz: N texts, N valid, no disagreement
!
for name in record sse frontmatter; do
	check "random texts for half a second: $name" \
	    '"$BIN/../t/fuzz-$name" 0.5 2>/dev/null | sed "s/.*, //"' <<-!
	no fault
	!
done
tap_has pty || skip 'no terminal to be had'
check 'keys and text at random for a second: ttyread' \
    'python3 "$TOP/t/fuzz-ttyread.py" "$BIN/ttyread" 1 1 | sed "s/[0-9][0-9]*/N/g"' <<!
fuzz-ttyread: N terminals, no fault
!
