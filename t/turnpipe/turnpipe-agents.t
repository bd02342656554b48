#!/bin/sh
. "${0%/*}/../lib.sh"

export TURNPIPE_SHARE="$PWD/share" XDG_STATE_HOME="$PWD/state" HOME="$PWD/home"
unset XDG_CONFIG_HOME
mkdir -p share/agents home tree/.git tree/.agents/agents tree/.claude/agents tree/.opencode/agent
cp "$TOP/share/settings.yaml" "$TOP/share/toolnames.yaml" share/
printf -- '---\ndescription: All.\nagents: ["*"]\n---\n' >share/agents/default.md
cd tree
printf -- '---\ndescription: Reads.\ntools: Read, Grep\n---\nRead.\n' >.claude/agents/reader.md
printf -- '---\ndescription: Reviews.\npermission: {edit: deny}\nmodel: a/b\n---\nReview.\n' >.opencode/agent/review.md
printf -- '---\ndescription: Not this one.\n---\nNo.\n' | tee .agents/agents/default.md >.opencode/agent/reader.md

check 'the agents of a work tree are not used unasked' 'turnpipe agents 2>&1 | sed "s|$PWD|.|; s|; /.*share/|; share/|; s/  */ /g"' <<!
agentload: .: agents not used: 'turnpipe agents trust' shows them and asks
default All.
 tools: all; model: -; share/agents/default.md
!
fails 66 'nor run' 'turnpipe-agent -a review x' <<!
agentload: $PWD: agents not used: 'turnpipe agents trust' shows them and asks
agentload: agent review: no such definition
!
answer() { (sleep 0.3; echo "$1") | script -qec 'turnpipe agents trust' /dev/null >asked; }
needs pty check 'a no is kept, and reported no more' 'answer n || echo $?; grep -c "^Review\|use these agents" asked; turnpipe agents --json | jq -r .name' <<!
1
2
default
!
needs pty check 'after a yes they are on offer, each with what it may do; none replaces an agent of the user'"'"'s' \
    'answer y; turnpipe agents --json | jq -c "[.name, .tools, .tools_deny, .description]"
    agentload </dev/null | jq -r "select(.type==\"agent\").name"; agentload -a reader -g tools' <<!
["default",null,null,"All."]
["reader",["read_file","grep"],null,"Reads."]
["review",null,["edit_file","write_file","apply_patch"],"Reviews."]
reader
review
read_file
grep
!
# Each word for itself is in agentload.t; here all of them, through a project.
mkdir -p "$HOME/.config/turnpipe/agents"
printf -- '---\ndescription: Claude Code has it.\ntools: Read, Grep, Write, Bash\ndisallowedTools: Bash, Edit\nmaxTurns: 5\n---\nC.\n' >.claude/agents/claude.md
printf -- '---\ndescription: opencode has it.\nmode: subagent\nsteps: 4\ntools: {write: false, bash: false}\n---\nO.\n' >.opencode/agent/open.md
printf -- '---\ndescription: Annabelle has it.\nallowedTools: [read_file, shell]\ndeniedTools: [shell]\nmaxSteps: 3\n---\nA.\n' >.agents/agents/ann.md
printf '{"type":"tool","name":"%s","description":"d","parameters":{"type":"object"},"run":{"exec":"/bin/true"}}\n' \
    read_file grep shell edit_file write_file apply_patch ls >../tools.jsonl
needs pty check 'three definitions of others in a project: each is held to what its words forbid' \
    'answer y; for a in claude open ann; do
	{ agentload -a $a </dev/null | grep "\"config\""; cat ../tools.jsonl; } | toolpick |
	    jq -rs "[(map(select(.type==\"tool\").name)|sort|join(\" \")), (map(.max_steps//empty)|first)]|@text"
    done' <<!
["grep read_file",5]
["edit_file grep ls read_file",4]
["read_file",3]
!
rm .claude/agents/claude.md .opencode/agent/open.md .agents/agents/ann.md
needs pty check 'after another yes those that are left' 'answer y; turnpipe agents --json | jq -r .name' <<!
default
reader
review
!
needs pty check 'an empty file of the user'"'"'s switches one off; a file that changes asks again' \
    'mkdir -p "$HOME/.config/turnpipe/agents"; : >"$HOME/.config/turnpipe/agents/review.md"; turnpipe agents --json | jq -r .name
    echo >>.claude/agents/reader.md; turnpipe agents --json 2>&1 | sed "s/.*: agents/agents/" | jq -rR "fromjson? // . | .name? // ."' <<!
default
reader
agents not used: 'turnpipe agents trust' shows them and asks
default
!
fails 66 'trust without agents' 'rm -r .agents .claude .opencode; turnpipe agents trust' <<!
agentload: $PWD: no agents in .agents/agents, .claude/agents or .opencode/agent
!
fails 64 'another word' 'turnpipe agents x 2>err; s=$?; head -n 1 err >&2; exit $s' <<!
turnpipe: expected trust, not 'x'
!
fails 74 'a table that cannot be written' 'turnpipe agents >/dev/full 2>err || { st=$?
    turnpipe agents --json >/dev/full 2>err || [ $? -eq $st ] || echo $? >&2; exit $st; }' </dev/null
