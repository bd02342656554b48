#!/bin/sh
# What a model reads, over all profiles, layouts and prompts: nothing names a
# tool that the request does not offer, and nothing is found in vain.
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$TOP/share" TURNPIPE_NOW=2026-11-21T12:30:00Z
export TURNPIPE_MODEL=openai/test TURNPIPE_RUN="$PWD/run" TURNPIPE_ONCE=1
share=$TOP/share

# Everything that a prompt can speak of: skills, a summary, todos, agents,
# facts, a plan, an interruption, a skill that was loaded and folded away.
mkdir -p run tools .agents/skills/knit
cd "$PWD"
for i in agent explore plan sub_agent; do
	printf '#!/bin/sh\nexec false\n' >tools/$i
	chmod +x tools/$i
	printf '{"description":"Works.","parameters":{"type":"object"}}\n' >tools/$i.json
done
mkdir -p "$XDG_CONFIG_HOME/turnpipe/agents"
cat >"$XDG_CONFIG_HOME/turnpipe/settings.yaml" <<!
toollist: {dirs: ["$PWD/tools"]}
agentload: {planning: true}
toolpick: {when_asked: []}
!
printf -- '---\nname: reviewer\ndescription: Reads.\n---\nYou read.\n' \
    >"$XDG_CONFIG_HOME/turnpipe/agents/reviewer.md"
printf -- '---\nname: knit\ndescription: Knits.\n---\nTwo right.\n' \
    >.agents/skills/knit/SKILL.md
{
	printf '{"type":"todo","id":"1","text":"look","status":"in_progress"}\n'
	printf '{"type":"todo","id":"2","text":"fix","status":"pending"}\n'
} >run/todos.jsonl
echo '{"type":"fact","text":"The user knits.","category":"preference"}' | factfind -a
{
	printf '{"role":"user","content":"begin"}\n{"role":"assistant","content":"ok"}\n'
	printf '{"type":"summary","content":"It began.","through":2,"skills":["knit"]}\n'
	printf '{"role":"user","content":"Ask @reviewer to knit, please."}\n'
} >session.jsonl

# What promptcompose reads in a profile: reads PROFILE OFFER... >records; for
# each offer (all, none, one TOOL, or all but -TOOL) a conversation.
reads() (
	S=$PWD/session.jsonl R=$PWD/run
	export TURNPIPE_PROFILE="$1" TURNPIPE_SESSION="$S"
	profile=$1
	shift
	offers=$*
	toolpick() {
		grep -v "^{\"type\":\"end\"" >unpicked
		for offer in $offers; do
			case $offer in
			all) command toolpick "$@" ;;
			none) command toolpick -x '*' "$@" ;;
			-*) command toolpick -x "${offer#-}" "$@" ;;
			*) command toolpick --set "toolpick.allow=$offer" "$@" ;;
			esac <unpicked
			echo '{"type":"end"}'
		done
	}
	promptcompose() { cat; }
	# shellcheck disable=SC1090
	. "$share/profiles/$profile"
)
request() { reads "$@" | promptcompose --whole -l "$1"; }
# With all, with none, with each alone and without each.
each() { echo all none; for n; do echo "$n" "-$n"; done; }

profiles=$(cd "$share/profiles" && echo *)
names=$(reads default all | jq -r 'select(.type == "tool").name')
check 'there are tools to be named' 'echo "$names" | grep -c "^\(agent\|explore\|plan\|sub_agent\|todo_add\|use_skill\|shell\)$"' <<!
7
!

# Names in backquotes, names with an underscore anywhere, and @NAME, in all
# that is text.  In a shell `ls` and `grep` are programs too.
lint='
($names | split("\n")) as $known
| inputs | select(.type == "request")
| [.tools[]?.function.name] as $offered
| ([.messages[] | select(.role == "system").content],
   [.messages[] | select(.role == "user").content | select(startswith("<"))],
   [.tools[]?.function.description], [.tools[]?.function.parameters | .. | .description? // empty]
   | .[] | tostring) as $text
| ($known - $offered)[] as $n
| select(($text | contains($n)) or $n == "agent")
| select(($n == "ls" or $n == "grep") and any($offered[]; . == "shell") | not)
| select(($text | contains("`" + $n + "`"))
    or ($n | contains("_")) and ($text | test("\\b" + $n + "\\b"))
    or $n == "agent" and all($offered[]; . != "sub_agent")
	and ($text | test("@NAME|@reviewer")))
| "\($n) is not on offer: \($text | match("[^\n]*(`" + $n + "`|@NAME|@reviewer)[^\n]*").string)"'
for p in $profiles; do
	request "$p" $(each $names) >requests 2>err
	check "$p: no text names a tool that is not on offer" \
	    'jq -nr --arg names "$names" "$lint" requests | sort -u; cat err' </dev/null
	check "$p: tried with and without each tool" \
	    'grep -c "^{\"type\":\"request\"" requests' <<!
$((2 * $(echo "$names" | wc -w) + 2))
!
done
for a in "$share"/agents/*.md; do
	a=${a##*/}
	a=${a%.md}
	mine=$(agentload -a "$a" -g tools) || :
	TURNPIPE_AGENT=$a request agent $(each $mine) >requests 2>err
	check "the agent $a: no text names a tool that is not on offer" \
	    'jq -nr --arg names "$names" "$lint" requests | sort -u; cat err; grep -c "^{\"type\":\"request\"" requests' <<!
$((2 * $(echo $mine | wc -w) + 2))
!
done
promises() {
	awk -v names="$(echo $names)" '
	BEGIN { n = split(names, name, " ") }
	/^(say|  )/ {
		for (i = 1; i <= n; i++)
			if (index($0, "`" name[i] "`"))
				says[FILENAME ": " name[i]]
	}
	/^when:/ {
		for (i = 1; i <= n; i++)
			if ($0 ~ "tool " name[i] "[],]")
				asks[FILENAME ": " name[i]]
	}
	END {
		for (k in says)
			if (!(k in asks))
				print k
	}' "$@"
}
check 'a reminder that names a tool stands only where that is on offer' 'promises "$share"/reminders/*.yaml' </dev/null
check 'and one that does not ask for it would be found' '
    printf "when: [tool ls, tool shell]\nsay: |\n  Call \`shell\` or \`plan\`.\n" >one; promises one' <<!
one: plan
!
check 'and what names one would be found' '
    jq -nr --arg names "$names" "$lint" <<E | cut -c 1-26
{"type":"request","messages":[{"role":"system","content":"Call \`plan\`."}],"tools":[]}
E' <<!
plan is not on offer: Call
!
# Names in prompts stand in backquotes, so that the test above sees them.
check 'prompts write a tool'\''s name in backquotes' '
    grep -nE "(^|[^\`{_])\\b(read_file|write_file|edit_file|use_skill|todo_(add|list|update|remove)|store_fact|search_memories|sub_agent)\\b[^\`}]" \
	"$share"/prompts/*.md "$share"/prompts/env/*.md || :' </dev/null

# turnpipe-profiles(7), "Sections and their commands", lists the kinds of section
# that a filter can bring.  Each layout of a profile places those of its filters,
# or says that it ignores them; what was paid for, or is said once, it places.
brings() {
	awk '/^\.Ss Sections and their commands/ { on = 1; next }
	    /^\.Ss/ { on = 0 }
	    on && /^\.It Cm/ { $1 = $2 = ""; gsub(",", ""); kinds = $0 }
	    on && /^\.Xr/ { n = split(kinds, k, " "); for (i = 1; i <= n; i++) print $2, k[i] }' \
	    "$TOP/man/turnpipe-profiles.7"
	echo histfit summary
	echo reminders reminder
	echo skillmenu skill
	echo ctxfind preferences
	echo ctxfind identity
}
# Those that a filter brings only when its arguments ask for them.
asked() {
	case "$1 $2" in
	envinfo*)
		case " $3 " in
		*" -s "*) case "$3 " in *[\ ,]$2[=,\ ]*) return 0 ;; esac; return 1 ;;
		esac
		case $2 in toolchain | workspace) return 1 ;; esac ;;
	ctxfind*project-context) case $3 in *-k*) return 1 ;; esac ;;
	ctxfind*) case $3 in *"-k $2"*) ;; *) return 1 ;; esac ;;
	skillmenu\ skill) case $3 in *-kr* | *-r*) ;; *) return 1 ;; esac ;;
	histfit\ footprint) case $3 in *-F*) ;; *) return 1 ;; esac ;;
	skillmenu\ playbook) case $3 in *"-n 0"*) return 1 ;; esac ;;
	reminders\ context-use) case $3 in *"-P ally"*) ;; *) return 1 ;; esac ;;
	toolrules*catalogue) case $3 in *-c*) ;; *) return 1 ;; esac ;;
	esac
}
lost() {
	layout=$share/layouts/$(sed -n 's/.*promptcompose .*-l \([a-z-]*\).*/\1/p' "$share/profiles/$1").yaml
	grep -v '^#' "$share/profiles/$1" | tr '\n' ' ' | tr '|' '\n' |
	while read -r filter args; do
		brings | while read -r by kind; do
			[ "$by" = "$filter" ] || continue
			asked "$filter" "$kind" "$args" || continue
			if grep -qE "id: \"?$kind(:[a-z]+)?\"?(,|\$)" "$layout"; then
				continue
			fi
			case $kind in
			summary | reminder | custom-prompt | facts | todos) ;;
			*)	sed -n '/^ignore:/s/[][,]/ /gp' "$layout" |
				    grep -q " $kind " && continue ;;
			esac
			echo "$kind of $filter has no place"
		done
	done
}
for p in $profiles; do
	check "$p: its layout places what its filters can bring" "lost $p" </dev/null
done
sed 's/^  - id: summary/  - id: sums/' "$share/layouts/annabelle-task.yaml" >task.yaml
check 'annabelle-task lost the summary of a folded task' '
    mkdir -p s/layouts s/profiles; cp task.yaml s/layouts/annabelle-task.yaml
    cp "$share/profiles/annabelle-task" s/profiles; share=$PWD/s; lost annabelle-task' <<!
summary of histfit has no place
!

# Whoever writes the base prompt, the trailing block is explained.
check 'each layout with a trailing block says what it is' '
    for l in "$share"/layouts/*.yaml; do
	grep -q "^volatile: trailing" "$l" || continue
	grep -q "file: prompts/turn-context.md.*sticky: true" "$l" || echo "$l"
    done' </dev/null

# They are in each request of each session: 1600 bytes are 400 tokens.
check 'the list of the skills that come with turnpipe is short' '
    msg hi | skillmenu -kp >menu; grep -c "\*\*writing\*\*" menu
    [ "$(jq -rj "select(.id==\"skills\").content" menu | wc -c)" -le 1600 ] || wc -c menu' <<!
1
!
