#!/bin/sh
# token_count against the true counts of t/data/token, per kind of text.
tokenizer=${GPT_TOKENIZER-}
. "${0%/*}/../lib.sh"

count="${BIN%/*}/t/token"
: "${tokenizer:=$TOP/build/npm/node_modules}"

# These hang on which letter follows which, and on runs of one mark.
far=' ascii-table bulgarian czech finnish polish russian serbian vietnamese '

# Print what is off by more than 15 %, 40 % of what is far, or not there;
# stdin as counts is.
off()
{
	[ -s estimate ] || (cd "$DATA/token" && "$count" ./*) >estimate
	awk -v far="$far" 'NR == FNR { n[substr($1, 3)] = $2; next }
	    !($1 in n) { print $1 ": no such file"; next }
	    { d = n[$1] / $2 - 1; seen[$1] = 1 }
	    { most = index(far, " " $1 " ") ? .4 : .15 }
	    d > most || d < -most { printf "%s: %d for %d\n", $1, n[$1], $2 }
	    END { for (f in n) if (f != "counts" && !(f in seen)) \
		print f ": not counted" }' estimate -
}

for kind in $(cut -d' ' -f1 "$DATA/token/counts"); do
	check "$kind: near the count of o200k_base" \
	    "grep '^$kind [1-9]' '$DATA/token/counts' >one &&
	    off <one | sed -n '/^$kind:/p'" </dev/null
done
check 'at least 50 kinds' '[ "$(wc -l <"$DATA/token/counts")" -ge 50 ]' </dev/null
# What is too high folds early; what is too low is refused by the provider.
check 'a prompt of many kinds is never low by more than 5 %' '
    for mix in "prompt markdown jsonschema prose c diff sh" \
	"prompt python python-trace json jsonl paths log" \
	"prompt typescript html css ls tree ansi" "prompt german quotes emoji csv" \
	"prompt japanese korean chinese hindi" "prompt sql java xml times uuids"; do
	for kind in $mix; do
	    grep "^./$kind " estimate; grep "^$kind " "$DATA/token/counts"
	done | awk "/^\./ { e += \$2; next } { n += \$2 }
	    END { if (e < n * .95 || e > n * 1.1) print e, n }"
    done' </dev/null
check 'every sample has its count' "off <'$DATA/token/counts'" </dev/null

printf 'prose 2000\n' >wrong
check 'what is off shows' 'off <wrong | grep -c "^prose: .* for 2000"' <<!
1
!

if [ ! -d "$tokenizer/gpt-tokenizer" ] || ! command -v node >/dev/null; then
	skip 'gpt-tokenizer not installed (npm)'
fi
check 'gpt-tokenizer counts what we have written down' \
    "cd '$DATA/token' && node '$TOP/t/token-counts.mjs' '$tokenizer' *" \
    <"$DATA/token/counts"
