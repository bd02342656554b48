#!/bin/sh
# The examples of the manual pages: what stands behind "$ " is run, and must
# print what stands below it.  "% " marks what can not run here.
. "${0%/*}/lib.sh"

command -v mandoc >/dev/null || skip 'mandoc is not installed'
export TURNPIPE_NOW=2026-11-21T09:30:00Z
unset TURNPIPE_MODEL

# As a reader sees the page; what overstrikes is taken off, for a fresh
# machine has no col(1).
text() { mandoc -T ascii "$1" | sed "s/.$(printf '\b')//g"; }

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
	check "$name(1): its examples are not broken into lines" '
	    text "$page" | tee "../$name.synopsis" | sed "s/^ *//" |
		tr -s " " >page
	    sed -n "/^[\$%] /p" ../lines | grep -v "^% text" | tr -s " " |
		grep -vxF -f page || :' </dev/null
	check "$name(1) has examples" "grep '^[\$%] ' ../lines | grep -vc '^% text' >/dev/null" </dev/null
done

# What --help, the page and the source say of the options is the same, and
# the usage is the synopsis.
words='s/(?<![-\w])[A-Z][A-Z.]+\b/\L$&/g; s/^usage: //; s/\s//g;
    s/turnpipe-task/turnpipe-T/g; s/turnpipe-(cost|diff|facts|fold|log|report)/turnpipe$1/g'
for page in "$TOP"/man/*.1; do
	name=${page##*/}
	name=${name%.1}
	"$name" --help | sed '/^$/,$d' >"../$name.usage"
done
perl -ni -e "print if /^SYN/ ... /^DESC/ and /^\s/" ../*.synopsis
perl -pi -e "$words" ../*.usage ../*.synopsis
for page in "$TOP"/man/*.1; do
	name=${page##*/}
	name=${name%.1}
	src=$TOP/cmd/$name
	for f in "$src.c" "$src/$name.c"; do
		[ ! -f "$f" ] || src=$f
	done
	check "$name(1) has the synopsis of $name --help" \
	    'diff "../$name.usage" "../$name.synopsis"' </dev/null
	case $name in turnpipe--turn) continue ;; esac
	check "$name(1) has the options of cmd/$name and of $name --help" '
	    sed -n "s/^\.It Fl \(.\) , Fl -\([a-z0-9-]*\).*/\1 \2/p" "$page" |
		sort >man
	    { sed -n "s/^[[:space:]]*{ *\"\([a-z0-9-]*\)\", .*, NULL, .\(.\). *},*/\2 \1/p" "$src"
	    sed -n "s/^	-\(.\)|--\([a-z0-9-]*\)).*/\1 \2/p" "$src" |
		grep -v "^h help" || :; } | sort | diff man - || :
	    "$name" --help | sed -n "s/^  -\(.\), --\([a-z0-9-]*\).*/\1 \2/p" |
		sort >help
	    [ ! -s help ] || diff man help' </dev/null
done

# Our own pages, and those of others that are meant.
others=' chmod(1) git(1) git-status(1) uname(1) vi(1) curl(1) sh(1) socat(1) flock(2) write(2)
fnmatch(3) crontab(5) editline(7) cron(8) '
check 'what a page refers to is there' '
    sed -n "s/^\.Xr \([^ ]*\) \([0-9]\).*/\1 \2/p" "$TOP"/man/* | sort -u |
    while read -r name n; do
	case $others in *[[:space:]]"$name($n)"[[:space:]]*) continue ;; esac
	[ -e "$TOP/man/$name.$n" ] || echo "$name($n)"
    done' </dev/null
check 'the page that a shipped data file names describes it' '
    cd "$TOP/share"
    for f in *.yaml */*.yaml; do
	page=$(sed -n "1s/^# \([a-z-]*\)(\([157]\)).*/\1.\2/p" "$f")
	case $f in */*) name=${f%/*} ;; *) name=$f ;; esac
	grep -q "$name" "$TOP/man/$page" || echo "$f: $page"
    done' </dev/null
# TURNPIPE_EDITOR is between ctxfind and the shell that it starts.
check 'every TURNPIPE_ variable of the sources stands in a page' '
    grep -hoE "TURNPIPE_[A-Z_]+" "$TOP"/man/* >pages
    echo TURNPIPE_EDITOR >>pages
    grep -rhoE "TURNPIPE_[A-Z_]+" "$TOP/cmd" "$TOP/lib" | sort -u |
	grep -vxF -f pages || :' </dev/null
check 'turnpipe(7) and README name every command, in one order' '
    sed -n "/^\.Ss Commands/,/^\.El/s/^\.It Xr \([^ ]*\) 1/\1/p" \
	"$TOP/man/turnpipe.7" >seven
    sed -n "/^COMMANDS/,/^WHERE/s/^    \([a-z][^ ]*\) .*/\1/p" "$TOP/README" |
	diff seven -
    for page in "$TOP"/man/*.1; do
	page=${page##*/}
	grep -qx -e "${page%.1}" seven || echo "${page%.1}"
    done' </dev/null
check 'the pipe in README is the default profile' '
    tr -d "\n" <"$TOP/README" | tr -s " " >readme
    pipe=$(sed "/^#/d; s/ -o \"\$R.*//" "$TOP/share/profiles/default" |
	tr "\n" " " | tr -s " ")
    grep -qF -e "${pipe% }" readme || echo "$pipe"' </dev/null

# The first example of README runs as it stands, on this tree.  The model's part
# is a script: the tool call that README shows.
awk '/^    \$ / { on = 1 } /^$/ && on { exit } on { print substr($0, 5) }' \
    "$TOP/README" | sed 's/^\$ //' >first
awk 'c || !/[|]$/ { if (c++) print }' first >second
llmserver_start "$(sed -n 's/^-> \([a-z_]*\) \(.*\)/{"calls":[{"name":"\1","arguments":\2}]}/p' second)"
check 'the first pipe in README prints what README shows' '
    at=$PWD; cd "$TOP"
    export OPENAI_BASE_URL=$URL/v1 TURNPIPE_MODEL=openai/any
    eval "$(awk "{ print } !/[|]\$/ { exit }" "$at/first")"' <second

# What a page shows of a format is understood by who reads it.
example() {
	awk -v want="$2" '/^\.Sh / { on = $2 == "EXAMPLES" }
	    on && /^\.Bd/ { n++; block = 1; next }
	    /^\.Ed/ { block = 0 }
	    block && n == want' "$TOP/man/$1.5" | sed 's/\\e/\\/g; s/\\&//g'
}
mkdir -p my/rules my/reminders my/agents my/providers my/tools \
    skills/commit-message skills/standup
export TURNPIPE_PATH="$PWD/my"
example turnpipe-settings 1 >my/settings.yaml
example turnpipe-layout 1 >layout.yaml
example turnpipe-rules 1 >my/rules/90-a.yaml
example turnpipe-rules 2 >my/rules/90-b.yaml
example turnpipe-reminders 1 >my/reminders/90-a.yaml
example turnpipe-agents 1 >my/agents/explore.md
example turnpipe-markers 1 >my/markers.yaml
example turnpipe-providers 1 >my/providers/mine.yaml
example turnpipe-skills 1 >skills/commit-message/SKILL.md
example turnpipe-skills 2 >skills/standup/SKILL.md
example turnpipe-tasks 1 >task.md
example turnpipe-tools 1 >my/tools/weather
example turnpipe-tools 2 >my/tools/weather.json
example turnpipe-record 1 >record
example turnpipe-session 1 >session
chmod +x my/tools/weather
check 'the examples of the formats are understood by who reads them' '
    sharefind -c
    promptcompose -t -l ./layout.yaml <record | grep ^Working
    toolrules </dev/null
    reminders -l | grep -c my/
    agentload -a explore </dev/null | jq -c "select(.max_steps == 20).type"
    envinfo -s toolchain </dev/null
    echo "{\"type\":\"request\",\"messages\":[]}" | llmcall -n -m mine/m | head -n 1
    skillmenu -s -c skills/* && echo valid
    taskfile -g tools task.md
    toollist </dev/null | jq -c "select(.name==\"weather\").readonly"
    histfit session | jq -r "select(.role).content"' <<!
Working directory: /home/ann/wrapkit
1
"config"
POST https://models.example.org/v1/chat/completions
valid
read_file
grep
git_*
true
Which test fails?
!
check 'turnpipe-settings(5) has each key as share/settings.yaml has it (t/settings-keys)' \
    '"$TOP/t/settings-keys" | diff - "$TOP/man/turnpipe-settings.5"; grep -c "^.It Cm" "$TOP/man/turnpipe-settings.5" | awk "{ print (\$1 > 100) }"' <<!
1
!
