#!/bin/sh
# The examples of the manual pages: what stands behind "$ " is run, and must
# print what stands below it.  "% " marks what cannot run here.
. "${0%/*}/lib.sh"

command -v mandoc >/dev/null || skip 'mandoc is not installed'
export TURNPIPE_NOW=2026-11-21T09:30:00Z
unset TURNPIPE_MODEL

# All pages as a reader sees them: a line "NAME TEXT" each, with single blanks,
# and the synopsis of each after "@ NAME".  What overstrikes is taken off, for a
# fresh machine has no col(1).
mandoc -T ascii "$TOP"/man/*.1 | sed "s/.$(printf '\b')//g" | awk '
	/^[^ ]*\(1\) .*\(1\)$/ {
		name = tolower(substr($1, 1, length($1) - 3))
		print "@ " name >"synopsis"
	}
	/^[A-Z]/ { section = $1 }
	section == "SYNOPSIS" && /^ / { print >"synopsis" }
	{ text = $0; sub(/^ */, "", text); gsub(/ +/, " ", text); print name, text }
' >pages

# The lines of EXAMPLES with their escapes resolved: the commands in ex/lines,
# each "$ " and what follows in ex/N.cmd and ex/N.want, listed in ex/list.
mkdir ex work
awk '
	function line(s) {
		gsub(/\\\(dq/, "\"", s)
		gsub(/\\\(aq/, "\047", s)
		gsub(/\\e/, "\\", s)
		gsub(/\\&/, "", s)
		gsub(/\\-/, "-", s)
		if (s ~ /^[$%] /)
			print name, s >"ex/lines"
		if (s ~ /^[$] /) {
			end()
			out = "ex/" ++n
			print substr(s, 3) >(out ".cmd")
			printf "" >(out ".want")
			title = substr(s, 3, 50)
			gsub(/#/, " ", title)
			print n, name "(1), example " ++of[name] ": " title >"ex/list"
		} else if (s ~ /^% /)
			end()
		else if (out)
			print s >(out ".want")
	}
	function end() {
		if (out) {
			close(out ".cmd")
			close(out ".want")
		}
		out = ""
	}
	FNR == 1 {
		end()
		on = block = 0
		name = FILENAME
		sub(/.*\//, "", name)
		sub(/\.1$/, "", name)
	}
	/^\.Sh / {
		on = $2 == "EXAMPLES" ||
		    name == "turnpipe" && $2 == "DESCRIPTION"
	}
	!on || /^\.Pp/ { next }
	/^\.Bd/ { block = 1; end(); next }
	/^\.Ed/ { block = 0; next }
	block { line($0); next }
	/^\.Dl / { line(substr($0, 5)); next }
	{ end() }' "$TOP"/man/*.1
cd work
while read -r n title; do
	check "$title" "$(cat ../ex/$n.cmd)" <../ex/$n.want
done <../ex/list
cd ..
check 'no example is broken into lines' \
    'tr -s " " <ex/lines | grep -vxF -f pages || :' </dev/null
names=$(cd "$TOP/man"; printf '%s\n' *.1 | sed 's/\.1$//')
check 'each page has examples' 'cut -d" " -f1 ex/lines | uniq' <<!
$names
!

# What --help, the page and the source say of the options is the same, and
# the usage is the synopsis.
mkdir help
sources=
for name in $names; do
	"$name" --help >help/$name
	# The other options of turnpipe--turn are those of turnpipe.
	[ "$name" != turnpipe--turn ] || continue
	f=$(cd "$TOP" && find cmd -type f \( -name "$name.c" -o -name "$name" \))
	sources="$sources $f"
done
words='s/(?<![-\w])[A-Z][A-Z.]+\b/\L$&/g; s/^usage: //; s/\s//g;
    s/turnpipe-task/turnpipe-T/g; s/turnpipe-(ablate|cases|cost|diff|each|facts|fold|log|report)/turnpipe$1/g'
check 'each page has the synopsis that --help has' '
    (cd help; awk "FNR == 1 { on = 1; print \"@ \" FILENAME } /^\$/ { on = 0 } on" *) >usage
    for f in usage synopsis; do
	perl -pe "s/^@ (.*)\n/\n\$1 / || do { $words }" $f | sort >$f.words
    done
    diff usage.words synopsis.words' </dev/null
# options REGEX FILE...: a line "NAME LETTER WORD" for each option, sorted.
options()
{
	perl -ne 'BEGIN { $re = shift }
	    if (/$re/) {
		my $option = "$+{l} $+{w}";
		print $ARGV =~ m|([^/]*?)(?:\.[1c])?$|, " $option\n";
	    }' "$@" | grep -v '^turnpipe--turn ' | sort
}
options '^\.It Fl (?<l>.) , Fl -(?<w>[a-z0-9-]*)' "$TOP"/man/*.1 >man
check 'each page has the options of the source, and those that --help lists' '
    (cd "$TOP"
    options "^\s*\{ *\"(?<w>[a-z0-9-]*)\", .*, NULL, .(?<l>.). *\}" $sources
    options "^\t-(?<l>.)\|--(?!help\))(?<w>[a-z0-9-]*)\)" $sources) | sort | diff man -
    options "^  -(?<l>.), --(?<w>[a-z0-9-]*)" help/* >listed
    awk "NR == FNR { lists[\$1] = 1; next } \$1 in lists" listed man | diff - listed' </dev/null

# Our own pages, and those of others that are meant.
others=' chmod(1) git(1) git-status(1) uname(1) vi(1) curl(1) sh(1) socat(1) flock(2) write(2)
fnmatch(3) crontab(5) readline(3) cron(8) '
check 'what a page refers to is there' '
    sed -n "s/^\.Xr \([^ ]*\) \([0-9]\).*/\1 \2/p" "$TOP"/man/* | sort -u |
    while read -r name n; do
	case $others in *[[:space:]]"$name($n)"[[:space:]]*) continue ;; esac
	[ -e "$TOP/man/$name.$n" ] || echo "$name($n)"
    done' </dev/null
check 'the page that a shipped data file names describes it' '
    cd "$TOP/share"
    awk "FNR == 1 {
	name = FILENAME
	sub(\"/.*\", \"\", name)
	split(\$2, page, /[()]/)
	print name, page[1] \".\" page[2]
	}" *.yaml */*.yaml | sort -u |
    while read -r name page; do
	grep -q "$name" "$TOP/man/$page" || echo "$name: $page"
    done' </dev/null
# TURNPIPE_EDITOR is between ctxfind and the shell that it starts.
check 'every TURNPIPE_ variable of the sources stands in a page' '
    grep -hoE "TURNPIPE_[A-Z_]+" "$TOP"/man/* >pages
    echo TURNPIPE_EDITOR >>pages
    grep -rhoE "TURNPIPE_[A-Z_]+" "$TOP/cmd" "$TOP/lib" | sort -u |
	grep -vxF -f pages || :' </dev/null
check 'turnpipe(7) names every command' '
    sed -n "/^\.Ss Commands/,/^\.El/s/^\.It Xr \([^ ]*\) 1/\1/p" \
	"$TOP/man/turnpipe.7" >seven
    for page in "$TOP"/man/*.1; do
	page=${page##*/}
	grep -qx -e "${page%.1}" seven || echo "${page%.1}"
    done' </dev/null
check 'the pipe in README is the default profile' '
    tr -d "\n" <"$TOP/README" | tr -s " " >readme
    pipe=$(sed "/^#/d; s/ -o \"\$R.*//" "$TOP/share/profiles/default" |
	tr "\n" " " | tr -s " ")
    grep -qF -e "${pipe% }" readme || echo "$pipe"' </dev/null

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
    skillmenu -c skills/* && echo valid
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
# NAME goes, goes...; the source has a line {"NAME", TOOL | TASK}, for each.
check 'turnpipe(7) says of each variable where it goes, as lib/toolenv.c has it' '
    sed -n "s/^.It Ev \([A-Z_]*\) Ta .* Ta \(.*\)/\1 \2/p" "$TOP/man/turnpipe.7" |
	sed "s/ -$/ 0/; s/, / | /g; s/tools/TOOL/; s/agents/AGENT/; s/tasks/TASK/" >man
    sed -n "s/^	{\"\([A-Z_]*\)\", \(.*\)},$/\1 \2/p" "$TOP/lib/toolenv.c" | diff - man'
check 'turnpipe(7) has each variable of ours, and who sets and reads it' '
    grep -rhoE "TURNPIPE_[A-Z_]+" "$TOP/cmd" "$TOP/lib" "$TOP/share" | sed "s/TURNPIPE_//" | sort -u >used
    cut -d" " -f1 man | diff used -
    sed -n "s/^.It Ev \([A-Z_]*\) Ta \(.*\) Ta \(.*\) Ta .*/\1 \2, \3/p" "$TOP/man/turnpipe.7" | tr -d , |
    while read -r name who; do
	(cd "$TOP/cmd" && grep -rlwE "TURNPIPE_$name" . ../lib) >files
	for w in $who; do
	    case $w in user | all | the | tool | task*s | notify) continue ;; esac
	    grep -qE "/lib/|^./[a-z]*/[a-z]*[.]c|/$w([/.]|\$)" files || echo "$name: $w"
	done
    done'
check 'turnpipe-settings(5) has each key as share/settings.yaml has it (t/settings-keys)' \
    '"$TOP/t/settings-keys" | diff - "$TOP/man/turnpipe-settings.5"; grep -c "^.It Cm" "$TOP/man/turnpipe-settings.5" | awk "{ print (\$1 > 100) }"' <<!
1
!
