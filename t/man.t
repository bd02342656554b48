#!/bin/sh
# The examples of the manual pages: what stands behind "$ " is run, and must
# print what stands below it.  "% " marks what can not run here.
. "${0%/*}/lib.sh"

command -v mandoc >/dev/null || skip 'mandoc is not installed'
export TURNPIPE_NOW=2026-11-21T09:30:00Z
unset TURNPIPE_MODEL

# The lines of EXAMPLES as a reader sees them, escapes resolved.
examples() {
	awk '/^\.Sh / { on = $2 == "EXAMPLES" }
	    on && /^\.Bd/ { block = 1; print "% text"; next }
	    on && /^\.Ed/ { block = 0; next }
	    on && block { print; next }
	    on && /^\.Dl / { print substr($0, 5); next }
	    on && !/^\.Pp/ { print "% text" }' "$1" |
	    sed 's/\\(dq/"/g; s/\\(aq/'\''/g; s/\\e/\\/g; s/\\&//g; s/\\-/-/g'
}

mkdir work
cd work
for page in "$TOP"/man/*.1; do
	name=${page##*/}
	name=${name%.1}
	examples "$page" >../lines
	n=0
	# Each "$ " line and what follows, into files of their own.
	rm -f ../ex.*
	awk -v dir=.. '/^% / { out = ""; next }
	    /^\$ / { n++; out = dir "/ex." n; print substr($0, 3) >(out ".cmd")
		printf "" >(out ".want"); next }
	    out != "" { print >(out ".want") }' ../lines
	for cmd in ../ex.*.cmd; do
		[ -e "$cmd" ] || continue
		n=$((n + 1))
		check "$name(1), example $n: $(head -c 50 "$cmd" | tr '#' ' ')" \
		    "$(cat "$cmd")" <"${cmd%.cmd}.want"
	done
	check "$name(1) has examples" "grep '^[\$%] ' ../lines | grep -vc '^% text' >/dev/null" </dev/null
done
