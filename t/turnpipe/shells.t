#!/bin/sh
# The completions have every option of turnpipe and its turnpipe-NAME.
. "${0%/*}/../lib.sh"

made=${BIN%/*}/completions
[ -s "$made/bash" ] || skip 'they are not built'
# What a script takes, by its own text: the patterns of its options, but for
# those that scripts give one another.
taken() {
	sed -n 's/^	\(-[-A-Za-z0-9=*|]*\)).*/\1/p' "$1" | tr '|' '\n' |
	    grep -Ex -- '-[A-Za-z0-9]|--[a-z][a-z-]*' | grep -vx -e -h -e --locked -e --apart -e --answers -e --asked -e --some -e --left -e --message |
	    { case $1 in *-fold) grep -vx -e --print ;; *) cat ;; esac; }
}
subs=''
for f in "$TOP"/cmd/turnpipe/turnpipe "$TOP"/cmd/turnpipe/turnpipe-*; do
	name=${f##*/}
	case $name in turnpipe--*) continue ;; esac
	[ -f "$BIN/$name" ] && [ ! -L "$BIN/$name" ] || continue
	taken "$f" | sed "s/^/$name /"
done | sort -u >taken
cat >list <<'!'
. "$1"
while read -r name opt; do
	case $name in
	turnpipe) COMP_WORDS=(turnpipe "$opt") COMP_CWORD=1 ;;
	*) COMP_WORDS=(turnpipe "${name#turnpipe-}" "$opt") COMP_CWORD=2 ;;
	esac
	_turnpipe
	case " ${COMPREPLY[*]} " in *" $opt "*) ;; *) echo "$name $opt" ;; esac
	COMP_WORDS=("$name" "$opt") COMP_CWORD=1
	_turnpipe
	case " ${COMPREPLY[*]} " in *" $opt "*) ;; *) echo "$name $opt" ;; esac
done <taken
COMP_WORDS=(turnpipe lo) COMP_CWORD=1
_turnpipe
echo "${COMPREPLY[*]}"
COMP_WORDS=(turnpipe log no) COMP_CWORD=2
_turnpipe
echo "${COMPREPLY[*]}"
!
check 'there are options' '[ $(wc -l <taken) -gt 60 ]' </dev/null
needs bash check 'bash: every option, after the command and in turnpipe-NAME; no file is lost' \
    'bash list "$made/bash"' <<!
log

!
check 'zsh, fish: every option stands there' \
    'while read -r name opt; do
	case $opt in --*) f="-l ${opt#--}" ;; *) f="-s ${opt#-}" ;; esac
	case $name in turnpipe) line="*" of="turnpipe -n __fish_use_subcommand" ;; *) line=${name#turnpipe-} of=$name ;; esac
	grep -q -e "^complete -c $of $f\( \|$\)" "$made/fish" || echo "fish $name $opt"
	grep -F -- "$line) opts=(" "$made/zsh" | grep -qF -e "'"'"'$opt:" -e "'"'"'$opt'"'"'" || echo "zsh $name $opt"
    done <taken' </dev/null
needs zsh check 'zsh reads it' 'zsh -n "$made/zsh"' </dev/null
needs fish check 'fish reads it, and completes' \
    'fish -n "$made/fish"; fish -c "source \"$made/fish\"; complete -C \"turnpipe log --del\"" | cut -f 1' <<!
--delete
!
# A read error looks like the end of the file to sh, which ends with 0: so each
# program is one group, of which a part is a fault of syntax.
check 'a program of which not all can be read does nothing, and fails' '
    for f in "$TOP"/cmd/turnpipe/turnpipe* $(grep -ls "^#!/bin/sh" "$TOP"/share/*/*); do
	begun=$(sed "/^{\$/q" "$f" | wc -c) size=$(wc -c <"$f")
	[ "$begun" -lt 1000 ] || echo "$f: begins late"
	for n in $(seq "$begun" 1777 $((size - 2))) $((size - 2)); do
		! head -c "$n" "$f" | sh -n 2>/dev/null || echo "$f: $n bytes"
	done
    done' </dev/null
finish
