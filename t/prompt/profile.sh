# A profile of share/profiles against its document: t/profile-NAME.t is
#
#	#!/bin/sh
#	. "${0%/*}/profile.sh"
#
# Of each there is
#
#   t/data/profiles/NAME.table   what the document says, written by hand
#   t/data/profiles/NAME.golden  the request it makes of the tree there
#
# A table's lines are in the order of the prompt, with these columns:
#
# id	as the layout has it
# form	tag: from the label, an opening tag, to its closing one;
#	heading, plain: from the label to the next section;
#	line, exact: the label and the rest of its line, or nothing but it;
#	open, close: the ends of a group;
#	in: the section of this id holds the label;
#	absent: nothing holds the label
# label
# joiner	what stands before it; \n and \s are newline and blank
# place	system, trailing, or message ROLE
# trigger	always, or causes that must all hold: X, which the tree has; -X,
#	taken away; +X, added; !X, not added
# holds	what is somewhere in it
# document	where it says so
#
# GOLDEN=1 writes the golden request anew.  With alone=1 the text is all that
# the session has.
renew=${GOLDEN-}
. "${0%/*}/../lib.sh"
tap_has git || skip 'git is not installed'

W=$PWD
P=$DATA/profiles

# The tree with what a repository cannot hold: links, .git, a program.
plant() {
	cp -R "$P/tree" seed
	mkdir seed/bin seed/session.d
	mv seed/todos.jsonl seed/session.d
	printf '#!/bin/sh\necho v99.0.0\n' >seed/bin/node
	chmod +x seed/bin/node
	cp seed/bin/node seed/bin/npm
	sed "s|@TREE@|$W/tree|" "$P/tree/session.jsonl" >seed/session.jsonl
	cd seed/home/project
	mkdir .opal
	ln -s ../AGENTS.md .opal/AGENTS.md
	ln -s ../../.github/skills/beta .claude/skills/beta
	git init -q --template= .
	git symbolic-ref HEAD refs/heads/main
	git add .
	git -c user.name=a -c user.email=a@b commit -qm first
	# Each case copies the tree: one file instead of fifty.
	git repack -adq
	git prune-packed
	echo '// later' >>src/cart.ts
	echo '{}' >src/tsconfig.json
	cd "$W"
	world
	factfind -a <"$T/facts.jsonl"
	rm -r "$W/seed"
	cp -R "$T" "$W/seed"
}

# A fresh tree, and everything the same each time.
world() {
	export HOME=$W/tree/home PATH=$W/tree/bin:$PATH SHELL=/bin/sh
	export XDG_CONFIG_HOME=$HOME/.config XDG_DATA_HOME=$HOME/.local/share
	export XDG_STATE_HOME=$HOME/.local/state XDG_CACHE_HOME=$HOME/.cache
	export TURNPIPE_NOW=2026-11-21T12:30:00Z TURNPIPE_MODEL=openai/test
	C=$XDG_CONFIG_HOME/turnpipe T=$W/tree
	S=$T/session.jsonl R=$T/session.d
	said='Mind the rounding in the checkout of cart.ts.'
	records='' required=''
	rm -rf "$T"
	cp -R "$W/seed" "$T"
	[ -z "${alone-}" ] || : >"$S"
	cd "$HOME/project/src"
}

agent() {
	sed "$1" "$C/agents/default.md" >"$T/agent"
	mv "$T/agent" "$C/agents/default.md"
}

# The causes that tables name.
cause() {
	case $1 in
	-context) find "$HOME" -name '[ACO]*.md' ! -path '*/agents/*' \
	    -exec rm -f {} + ;;
	-skills) find "$HOME" -path '*/skills/*' -name SKILL.md \
	    -exec rm -f {} + ;;
	-menu) cause -skills; cause -playbooks
	    for p in "$TOP"/share/playbooks/*/; do
		p=$C/playbooks/$(basename "$p"); mkdir -p "$p"; : >"$p/SKILL.md"
	    done ;;
	-tools) agent 's/^tools:.*/tools: []/' ;;
	-shell) agent 's/ shell,//' ;;
	-git) rm -r ../.git; mkdir ../.git ;;
	-node) echo '#!/bin/sh' >"$T/bin/node"; echo '#!/bin/sh' >"$T/bin/npm" ;;
	-markers) rm package*.json tsconfig.json Dockerfile ;;
	-window) agent '/^context_window/d' ;;
	-agents) rm "$C/agents/reviewer.md"; \
	    : >"$C/agents/explore.md"; : >"$C/agents/plan.md"
	    : >"$C/agents/general.md" ;;
	-todos) rm "$R/todos.jsonl" ;;
	+idle) sed 's/in_progress/pending/' "$R/todos.jsonl" >"$T/todos"
	    mv "$T/todos" "$R/todos.jsonl" ;;
	-facts) rm -r "$XDG_DATA_HOME" ;;
	-preferences) rm ../PREFERENCES.md ;;
	-playbooks) rm -r "$C/playbooks" ;;
	-session | +first-turn) : >"$S" ;;
	+custom-prompt) echo 'Speak like a pirate.' >"$T/prompt"
	    export TURNPIPE_SYSTEM_PROMPT="$T/prompt" ;;
	+sub-agent) export TURNPIPE_PARENT=x ;;
	+once) export TURNPIPE_ONCE=1 ;;
	+plan) export TURNPIPE_PLAN=1 ;;
	+chat) export TURNPIPE_CHAT=4711 ;;
	+persona) echo '{"type":"fact","category":"persona","text":"Be a butler."}' |
	    factfind -a ;;
	+persona-file) echo 'Be a cook.' >"$C/persona.md" ;;
	+keyword) said="$said With honey." ;;
	+task) echo 'Open the shop on Monday.' >"$R/task.md" ;;
	+many) echo 'toolpick: {share: 0.01, core: [agent, edit_file, explore, plan, read_file, shell, sub_agent, "todo_*", use_skill, write_file]}' >>"$C/settings.yaml" ;;
	+planning) echo 'agentload: {planning: true}' >>"$C/settings.yaml"; cause +planned ;;
	+planned) echo 'Step one: rye.' >"$R/plan.md" ;;
	+mention) said="$said Then ask @reviewer." ;;
	+summary) echo '{"type":"summary","content":"We spoke of bees.","through":1}' \
	    >>"$S" ;;
	+use-*) printf '{"type":"usage","prompt_tokens":%d}\n' \
	    $((20000 * ${1#+use-} / 100)) | histadd --no-sync "$S" ;;
	+interrupted) msg -k interrupted | histadd --no-sync "$S" ;;
	+until) session "$(echo '1 failed' | msg -k until -i output status=1 \
	    round=1 file=/check)" ;;
	+fault) session '{"type":"error","code":76,"message":"The line broke."}' \
	    "$(msg -k retry status=76 attempt=1)" || [ $? -eq 76 ] ;;
	+partial) session '{"role":"assistant","content":"It is","tp":{"partial":true}}' ;;
	+required) required=sub_agent
	    session '{"role":"assistant","content":"Done."}' ;;
	+tool-context) session \
	    '{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"sub_agent","arguments":"{}"}}]}' \
	    '{"role":"tool","tool_call_id":"c2","name":"sub_agent","content":"A plan.","tp":{"context":"A plan was proposed."}}' ;;
	+long) for i in 1 2 3 4 5 6 7 8 9 10; do for j in 1 2 3; do
		msg -- "Word $i$j"; msg -r assistant -- "Answer $i$j"
	    done; done | histadd --no-sync "$S" ;;
	+results) for i in 1 2 3 4; do result $i; done | histadd --no-sync "$S" ;;
	+loaded) session \
	    '{"role":"assistant","content":null,"tool_calls":[{"id":"c2","type":"function","function":{"name":"use_skill","arguments":"{\"skill_name\":\"alpha\"}"}}]}' \
	    '{"role":"tool","tool_call_id":"c2","name":"use_skill","content":"Do the first thing."}' ;;
	+records | +reminder | +folded) records=${1#+} ;;
	*) echo "no such cause: $1" >&2; exit 1 ;;
	esac
}

# A turn with a result of 2 kB.
result() {
	msg -- "Word $1"
	printf '{"role":"assistant","content":null,"tool_calls":[{"id":"r%s","type":"function","function":{"name":"read_file","arguments":"{}"}}]}\n{"role":"tool","tool_call_id":"r%s","name":"read_file","content":"%s%02000d"}\n' \
	    "$1" "$1" "$1" 0
	msg -r assistant -- Done
}

# The turn is under way.
session() {
	{ msg -- "$said"; printf '%s\n' "$@"; } | histadd --no-sync "$S"
	said=
}

# Sections that no command makes, as a user's profile would add them.
records() {
	if [ "$records" = reminder ]; then
		echo '{"type":"reminder","id":"own","content":"Drink water."}'
		return
	fi
	if [ "$records" = folded ]; then
		echo '{"type":"state","skills_folded":["alpha"]}'
		return
	fi
	msg -S preferences <../PREFERENCES.md
	for r in contract workspace toolchain context-use skill:alpha; do
		echo "A section of its own: $r." | msg -S "$r"
	done
}

# The pipeline of $1 as it stands, with causes $2.  What it feeds to
# promptcompose goes to the file $3; prints its request for table.jq.
run() (
	exec 2>>"$W/err"
	world
	for c in $2; do
		cause "$c"
	done
	[ -z "$said" ] || msg -- "$said" | histadd --no-sync "$S"
	export TURNPIPE_PROFILE="$1" TURNPIPE_SESSION="$S" TURNPIPE_RUN="$R"
	pipe=$(sharefind "profiles/$1")
	histfit() { [ -z "$records" ] || records; command histfit "$@"; }
	tools_required() {
		[ -z "$required" ] || printf '{"type":"config","required_tools":["%s"]}\n' "$required"
		cat
	}
	toolpick() { tools_required | command toolpick "$@"; }
	promptcompose() {
		printf '%s\n' "$@" >"$W/options"
		tee "$W/in" | command promptcompose "$@"
	}
	# shellcheck disable=SC1090
	{ . "$pipe"; } >/dev/null
	plain <"$W/in" >"$W/$3"
	printf '{"case":"%s","talk":%d,"request":' "$2" \
	    "$(grep -Ec '^[{]("type":"message"|"role")' "$W/in")" >"$W/$3.head"
	{ cat "$W/$3.head"; plain <"$R/request" | tr -d '\n'; echo '}'; }
)

# Paths and what the machine says of itself go out.
plain() {
	sed "s|$W/tree|@TREE@|g; s|$OS|@OS@|g; s|$PLATFORM|@PLATFORM@|g"
}

table() {
	jq -nr --rawfile table "$P/$1.table" -f "$P/table.jq"
}

# The causes of a table, a line each, and one of those that go together.
causes() {
	awk -F ' *[|] *' '/^#/ || NF < 7 { next }
	    {
		n = split($6, t, /, */)
		for (i = 1; i <= n; i++) {
			c = t[i]
			sub(/^!/, "+", c)
			if (c !~ /^[-+]/)
				c = "-" c
			if (c == "-always" || c == "-" || seen[c]++)
				continue
			print c
			if (c ~ alone)
				all = all " " c
		}
	    }
	    END { print substr(all, 2) }' \
	    alone='^[+](once|plan|chat|planning|mention|summary|interrupted|records|task)$' \
	    "$P/$1.table"
}

# The requests that the mutants of a list make of the streams named, where they
# are not those of the layout itself, for table.jq.
requests() {
	for s do
		cat "$s.head"
		echo
	done >heads
	cat -- "$@" >all
	promptcompose --whole -l ./mutants/0.yaml <all >mutants/0
	set --
	while read -r n what; do
		promptcompose --whole -l "./mutants/$n.yaml" <all >"mutants/$n"
		set -- "$@" "mutants/$n"
	done
	awk 'NR == FNR { head[FNR] = substr($0, 2); next }
	    FNR == 1 { i = 0; n = FILENAME; sub(/.*\//, "", n) }
	    /^{"type":"request"/ {
		if (n == 0)
			as_is[++i] = $0
		else if (as_is[++i] != $0)
			print "{\"mutant\":" n "," head[i] $0 "}"
	    }' heads mutants/0 "$@"
}

# Change the layout, each time by one section: table.jq must find it, first
# in the request with all causes, where it does not, in those with one.
# Prints what it does not find.  To swap what never meets is no change.
mutate() {
	layout=$(awk 'p { print; exit } { p = $0 == "-l" }' options)
	rm -rf mutants
	mkdir mutants
	cp "$(sharefind "layouts/$layout.yaml")" mutants/0.yaml
	awk -v dir=mutants -f "$P/mutate.awk" mutants/0.yaml >left
	for streams in "$2" "$(echo stream.[0-9]*[0-9])"; do
		# shellcheck disable=SC2086
		requests $streams <left | table "$1" >verdicts
		awk 'NR == FNR { if (!/: as the table says$/) dead[$1 + 0]; next }
		    !($1 in dead)' verdicts left >l
		mv l left
	done
	while read -r n what; do
		case $what in
		without*) echo "$what" ;;
		*) cmp -s mutants/0 "mutants/$n" || echo "$what" ;;
		esac
	done <left
}

profile() {
	run "$1" '' stream.10 >base
	jq '.request | .messages[].content |=
	    if type == "string" then split("\n") else . end' base >golden
	[ -z "$renew" ] || cp golden "$P/$1.golden"
	check "$1: the golden request" 'cat golden' <"$P/$1.golden"
	check "$1: the driver makes the same" "{ cat stream.10.head
	    (world; turnpipe -n -P $1 -s \"\$S\" \"\$said\") | plain | tr -d '\n'
	    echo '}'; } | cmp - base" </dev/null
	causes "$1" >list
	i=10
	while read -r c; do
		i=$((i + 1))
		run "$1" "$c" stream.$i
	done <list >cases
	cat base cases | table "$1" >told
	while IFS= read -r why; do
		check "$1: ${why%%:*}" "printf '%s\n' \"\$why\"" <<-E
		${why%%:*}: as the table says
		E
	done <told
	check "$1: each section gone or swapped is seen" "mutate $1 stream.$i" \
	    </dev/null
	rm stream.*
}

OS=$(TURNPIPE_NOW=2026-11-21T12:30:00Z envinfo -s os </dev/null | jq -r .content)
PLATFORM=$(envinfo -s os=platform </dev/null | jq -r .content)
(plant)
name=${0##*/profile-}
profile "${name%.t}"
# A playbook's tool that the agent may not have.
check 'no other report' \
    'grep -v "playbook checkout requires tool grep" err || :'
