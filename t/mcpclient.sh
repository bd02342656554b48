#!/bin/sh
# The client that MCP's conformance suite runs: mcpclient.sh URL.  Every tool
# that toolhold lists is called once, or those of the scenario's context; on a
# terminal (t/onpty.py), whose user takes the default of each field.
set -u
if [ -z "${ONPTY-}" ]; then
	file=$0
	set -- -- sh "$0" "$@"
	case ${MCP_CONFORMANCE_SCENARIO-} in
	*defaults)
		set -- ']: ' '\n' ']: ' '\n' ']: ' '\n' ']: ' '\n' ']: ' '\n' \
		    '[y/N] ' 'y\n' "$@" ;;
	*request-state)
		for _ in 1 2 3 4 5 6; do
			set -- 'yes|no: ' 'yes\n' '[y/N] ' 'y\n' "$@"
		done ;;
	esac
	ONPTY=1 exec python3 "${file%/*}/onpty.py" "$@"
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export XDG_CONFIG_HOME="$dir" XDG_CACHE_HOME="$dir" XDG_STATE_HOME="$dir"
mkdir "$dir/turnpipe"
printf '{"mcpServers":{"s":{"url":"%s"}}}\n' "$1" >"$dir/turnpipe/mcp.json"
# A value for each argument, by its type; as of an old list, which names tools
# that the server does not know any more, nothing is called.
cat >"$dir/calls.jq" <<'!'
(env.MCP_CONFORMANCE_CONTEXT // "{}" | fromjson).toolCalls as $calls |
[inputs | select(.type == "tool")] as $tools |
if $calls then $calls[] | select(.name as $n | any($tools[]; .run.tool == $n))
else $tools[] | {name: .run.tool, arguments: (.parameters.properties // {} |
    with_entries(.value |= {number: 1, integer: 1, boolean: true, string: "x",
	array: [], object: $tools[0].parameters}[.type // "string"]))} end |
[.name, (.arguments | tojson)] | .[]
!
export dir

exec toolhold -- sh -c '
toolhold -l >"$dir/tools" || exit
jq -nr -f "$dir/calls.jq" "$dir/tools" >"$dir/calls"
while read -r name && read -r arguments; do
	printf "%s\n" "$arguments" | toolhold -c s "$name" - || st=$?
done <"$dir/calls"
exit ${st:-0}'
