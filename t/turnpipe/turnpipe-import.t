#!/bin/sh
# turnpipe import: logs of other agents become sessions.  The lines here have
# the keys that those programs write; t/turnpipe/events-npm.t has them write some.
. "${0%/*}/../lib.sh"

jq() { command jq "$@"; }
mkdir .git
# A session without what differs from run to run.
show() {
	jq -c 'del(.time, .tp.time, .tp.n, .tp.message, .tp.turn, .n, .cwd, .id) |
	    if .session then .session |= sub(".*/"; "") else . end' "$1"
}
claude() { # TYPE TIME MESSAGE [MORE]
	printf '{"type":"%s","sessionId":"d4900023-5f85","cwd":"/w","uuid":"u%s","timestamp":"2026-11-23T08:28:%s.135Z","message":%s%s}\n' \
	    "$1" "$2" "$2" "$3" "${4-}"
}
usage='"model":"opus","usage":{"input_tokens":10,"cache_creation_input_tokens":3,"cache_read_input_tokens":20,"output_tokens":5}'
{
	echo '{"type":"queue-operation","operation":"enqueue"}'
	claude user 01 '{"role":"user","content":"hi"}'
	claude user 02 '{"role":"user","content":"Caveat"}' ',"isMeta":true'
	claude assistant 03 '{"id":"m1","role":"assistant",'"$usage"',"content":[{"type":"thinking","thinking":"I look."}]}'
	claude assistant 04 '{"id":"m1","role":"assistant",'"$usage"',"content":[{"type":"tool_use","id":"c1","name":"Bash","input":{"command":"x"}}]}'
	claude user 05 '{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"Exit code 3","is_error":true}]}'
	claude assistant 06 '{"id":"m2","role":"assistant",'"$usage"',"content":[{"type":"tool_use","id":"a1","name":"Agent","input":{}}]}'
	claude user 07 '{"role":"user","content":[{"type":"tool_result","tool_use_id":"a1","content":[{"type":"text","text":"two"}]}]}' \
	    ',"toolUseResult":{"agentId":"ab12","agentType":"Explore","totalDurationMs":97}'
	claude assistant 08 '{"id":"m3","role":"assistant",'"$usage"',"content":[{"type":"text","text":"Done."}]}'
	claude user 09 '{"role":"user","content":[{"type":"text","text":"see"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"QQ=="}}]}'
	claude assistant 10 '{"id":"m4","role":"assistant","model":"<synthetic>","usage":{},"content":[{"type":"text","text":"API Error: 500"}]}' \
	    ',"isApiErrorMessage":true'
	printf '{"type":"assistant","mess'
} >c.jsonl
mkdir -p c/subagents
{
	claude user 06 '{"role":"user","content":"look"}' ',"isSidechain":true,"agentId":"ab12"'
	claude assistant 07 '{"id":"s1","role":"assistant",'"$usage"',"content":[{"type":"text","text":"two"}]}' ',"agentId":"ab12"'
} >c/subagents/agent-ab12.jsonl
check 'claude: messages, calls, tokens, an agent, an error' \
    'turnpipe import claude c.jsonl >path; show "$(cat path)"' <<!
{"type":"session","version":1,"from":"claude","original":"d4900023-5f85"}
{"role":"user","content":"hi","tp":{}}
{"role":"assistant","content":"","reasoning_content":"I look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"Bash","arguments":"{\"command\":\"x\"}"}}],"tp":{}}
{"type":"usage","model":"anthropic/opus","prompt_tokens":33,"completion_tokens":5,"cached_tokens":20,"cache_write_tokens":3}
{"role":"tool","tool_call_id":"c1","name":"Bash","content":"Exit code 3","tp":{"exit":3}}
{"role":"assistant","content":"","tool_calls":[{"id":"a1","type":"function","function":{"name":"Agent","arguments":"{}"}}],"tp":{}}
{"type":"usage","model":"anthropic/opus","prompt_tokens":33,"completion_tokens":5,"cached_tokens":20,"cache_write_tokens":3}
{"type":"mark","agent":"Explore","session":"20261123T082801Z-79fabd20-agent-Explore-ab12.jsonl","call":"a1","what":"agent-start","after":0}
{"type":"usage","for":"agent","model":"anthropic/opus","agent":"Explore","session":"20261123T082801Z-79fabd20-agent-Explore-ab12.jsonl","calls":1,"prompt_tokens":33,"completion_tokens":5,"cached_tokens":20,"cache_write_tokens":3}
{"type":"mark","agent":"Explore","session":"20261123T082801Z-79fabd20-agent-Explore-ab12.jsonl","call":"a1","what":"agent-end","status":0,"ms":97}
{"role":"tool","tool_call_id":"a1","name":"Agent","content":"two","tp":{}}
{"role":"assistant","content":"Done.","tp":{}}
{"type":"usage","model":"anthropic/opus","prompt_tokens":33,"completion_tokens":5,"cached_tokens":20,"cache_write_tokens":3}
{"role":"user","content":[{"type":"text","text":"see"},{"type":"image_url","image_url":{"url":"data:image/png;base64,QQ=="}}],"tp":{}}
{"type":"error","from":"llmcall","code":69,"message":"API Error: 500"}
!
check 'its times are those of the log, its place is where it was' \
    'jq -r "select(.cwd).cwd, .tp.time // empty" "$(cat path)" | head -n 3' <<!
/w
2026-11-23T08:28:01.135Z
2026-11-23T08:28:04.135Z
!
check 'log, report and cost have it, with its agent' '
    { turnpipe log; turnpipe log -t | wc -l; turnpipe log 1 || :; } | grep -v "^session"
    turnpipe cost -b model --csv; turnpipe report 1 | grep -c "20261123T082801Z-79fabd20-agent-Explore"' <<!
  1  2026-11-23 08:28       152         -  hi
2
begun 2026-11-23 08:28 in /w
2 turns, 152 tokens, - dollars
  agent Explore: 38 tokens, - dollars, 97 ms, status 0, 20261123T082801Z-79fabd20-agent-Explore-ab12.jsonl
user:
hi
assistant:
-> Bash {"command":"x"}
tool:
Exit code 3
assistant:
-> Agent {}

    session 20261123T082801Z-79fabd20-agent-Explore-ab12.jsonl
    user:
    look
    assistant:
    two

tool:
two
assistant:
Done.
user:
see
"model","calls","tokens_in","cached","tokens_out","cost","unpriced"
"anthropic/opus",4,132,80,20,,4
1
!
fails 1 'what was imported is known' 'turnpipe import claude c.jsonl' <<!
turnpipe: c.jsonl: is there already, as 20261123T082801Z-79fabd20
!

for k in 1 2; do
	mkdir -p two/subagents
	claude user 02 '{"role":"user","content":"agent '$k'"}' \
	    ',"isSidechain":true,"agentId":"acompact-'$k'"' >two/subagents/agent-acompact-$k.jsonl
done
claude user 01 '{"role":"user","content":"hi"}' | sed s/d49/e49/ >two.jsonl
check 'agents whose ids begin alike are sessions of their own' '
    turnpipe import claude two.jsonl >path
    cat "$(sed "s/.jsonl//" path)"* | jq -r "select(.role).content" | sort' <<!
agent 1
agent 2
hi
!
# Its histadd writes a line and kills what started it.
mkdir all
ln -s "$BIN"/* all
rm all/histadd
cat >all/histadd <<!
#!/bin/sh
[ -e "\${1-}" ] || [ "\${1-}" = --new ] || { head -n 1 >"\$1"; kill -9 \$PPID; exit 1; }
exec "$BIN/histadd" "\$@"
!
chmod +x all/histadd
claude user 03 '{"role":"user","content":"whole"}' | sed s/d49/f49/ >k.jsonl
check 'a session whose import was killed is not known: it is imported whole' '
    all/turnpipe import claude k.jsonl 2>/dev/null || echo $?
    jq -r "select(.role).content" "$(turnpipe import claude k.jsonl)"' <<!
137
whole
!
fails 74 'a path that cannot be written' 'sed s/f49/a49/ k.jsonl >l.jsonl
    turnpipe import claude l.jsonl >/dev/full 2>err' </dev/null

codex() { # TYPE TIME PAYLOAD
	printf '{"timestamp":"2026-11-23T08:28:%s.000Z","type":"%s","payload":%s}\n' "$2" "$1" "$3"
}
item() { codex response_item "$@"; }
count() { # TIME TOTAL
	codex event_msg "$1" '{"type":"token_count","info":{"total_token_usage":{"input_tokens":'"$2"'},"last_token_usage":{"input_tokens":10,"cached_input_tokens":4,"output_tokens":5,"reasoning_output_tokens":2}}}'
}
old() {
	codex session_meta 12 '{"id":"01a2-7b","timestamp":"2026-11-23T08:28:12.767Z","cwd":"/w","model_provider":"openai"}'
	codex turn_context 12 '{"model":"gpt-5"}'
	item 12 '{"type":"message","role":"developer","content":[{"type":"input_text","text":"be"}]}'
	item 12 '{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>x"}]}'
	item 13 '{"type":"message","role":"user","content":[{"type":"input_text","text":"hi"}]}'
	item 14 '{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]}'
	item 14 '{"type":"function_call","name":"shell","arguments":"{}","call_id":"c1"}'
	item 14 '{"type":"custom_tool_call","name":"apply_patch","input":"*** P","call_id":"c2"}'
	count 15 10
	codex event_msg 15 '{"type":"exec_command_end","call_id":"c1","exit_code":3,"duration":{"secs":1,"nanos":5000000}}'
	item 15 '{"type":"function_call_output","call_id":"c1","output":"{\"output\":\"no\",\"metadata\":{\"exit_code\":3}}"}'
	item 15 '{"type":"custom_tool_call_output","call_id":"c2","output":"Done"}'
	count 15 10
	item 16 '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"ok"}]}'
	count 16 20
	codex event_msg 17 '{"type":"turn_aborted"}'
}
old >r.jsonl
check 'codex: what was typed, calls of one answer, tokens counted once' \
    'turnpipe import codex r.jsonl >path; show "$(cat path)"' <<!
{"type":"session","version":1,"from":"codex","original":"01a2-7b"}
{"role":"user","content":"hi","tp":{}}
{"role":"assistant","content":"","reasoning_content":"hm","tool_calls":[{"id":"c1","type":"function","function":{"name":"shell","arguments":"{}"}},{"id":"c2","type":"function","function":{"name":"apply_patch","arguments":"{\"input\":\"*** P\"}"}}],"tp":{}}
{"type":"usage","model":"openai/gpt-5","prompt_tokens":10,"completion_tokens":5,"cached_tokens":4,"cache_write_tokens":0,"reasoning_tokens":2}
{"role":"tool","tool_call_id":"c1","name":"shell","content":"no","tp":{"duration_ms":1005,"exit":3}}
{"role":"tool","tool_call_id":"c2","name":"apply_patch","content":"Done","tp":{}}
{"role":"assistant","content":"ok","tp":{}}
{"type":"usage","model":"openai/gpt-5","prompt_tokens":10,"completion_tokens":5,"cached_tokens":4,"cache_write_tokens":0,"reasoning_tokens":2}
{"type":"mark","what":"interrupted"}
!
{
	old | grep -v token_count | sed 's/01a2-7b/01a2-7c/'
	codex token_usage_record 18 '{"usage":{"input_tokens":7,"output_tokens":1,"cache_write_input_tokens":2}}'
	item 18 '{"type":"message","role":"user","content":[{"type":"input_text","text":"<user_instructions>"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["user.text"]}}'
	item 18 '{"type":"message","role":"user","content":[{"type":"input_text","text":"odd"}],"internal_chat_message_metadata_passthrough":{"content_item_kinds":["environments.environment_context"]}}'
} >new.jsonl
check 'codex: where a record says who wrote a message, that counts' \
    'turnpipe import codex new.jsonl >path; show "$(cat path)" | tail -n 2' <<!
{"type":"usage","model":"openai/gpt-5","prompt_tokens":7,"completion_tokens":1,"cached_tokens":0,"cache_write_tokens":2,"reasoning_tokens":0}
{"role":"user","content":"<user_instructions>","tp":{}}
!

cat >t.json <<'!'
{"schema_version": "ATIF-v1.7", "session_id": "run-1", "trajectory_id": "t-1",
 "agent": {"name": "other", "version": "2.0", "model_name": "gpt-5", "extra": {"a": 1}},
 "notes": "n", "extra": {"cwd": "/w"}, "steps": [
  {"step_id": 1, "source": "system", "message": "You are.", "timestamp": "2026-05-01T10:00:00Z"},
  {"step_id": 2, "source": "user", "message": "Do.", "timestamp": "2026-05-01T10:00:01.5Z"},
  {"step_id": 3, "source": "agent", "model_name": "gpt-5", "reasoning_effort": "high", "message": "",
   "reasoning_content": "hm", "timestamp": "2026-05-01T10:00:03Z",
   "tool_calls": [{"tool_call_id": "c1", "function_name": "sh", "arguments": {"cmd": "ls"}},
    {"tool_call_id": "c2", "function_name": "sub", "arguments": {}, "extra": {"x": 1}}],
   "observation": {"results": [{"source_call_id": "c1", "content": "a\nb", "extra": {"exit": 1}},
    {"source_call_id": "c2", "content": null, "subagent_trajectory_ref": [{"trajectory_id": "t-2"}]}]},
   "metrics": {"prompt_tokens": 100, "completion_tokens": 5, "cached_tokens": 40, "cost_usd": 0.0125, "extra": {"z": 1}},
   "llm_call_count": 1},
  {"step_id": 4, "source": "agent", "extra": {"k": null}, "message": [{"type": "text", "text": "Done"},
    {"type": "image", "source": {"media_type": "image/png", "path": "x.png"}}]},
  {"step_id": 5, "source": "user", "message": "more", "is_copied_context": true,
   "observation": {"results": [{"content": "screen"}]}}],
 "final_metrics": {"total_prompt_tokens": 100, "total_steps": 5},
 "subagent_trajectories": [
  {"schema_version": "ATIF-v1.7", "trajectory_id": "t-3", "agent": {"name": "x y", "version": "1"},
   "steps": [{"step_id": 1, "source": "user", "message": "alone"}]},
  {"schema_version": "ATIF-v1.7", "trajectory_id": "t-2", "agent": {"name": "sub", "version": "1"},
   "steps": [{"step_id": 1, "source": "user", "message": "go"},
    {"step_id": 2, "source": "agent", "message": "gone", "metrics": {"prompt_tokens": 3, "completion_tokens": 2}}]}]}
!
check 'atif: to a session and back is equal' '
    turnpipe import atif t.json >path; turnpipe log --atif "$(cat path)" | jq -S . >back
    jq -S . t.json | diff - back'
check 'atif: it is a session that others read' '
    turnpipe log "$(cat path)" | sed 1,2d; turnpipe cost -s "$(cat path)" --csv' <<!
2 turns, 105 tokens, 0.0125 dollars
user:
Do.
assistant:
-> sh {"cmd":"ls"}
-> sub {}
tool:
a
b

    session 20260501T100000Z-0b88a657-agent-sub-0b88a658.jsonl
    user:
    go
    assistant:
    gone

tool:
assistant:
Done
user:
more

    session 20260501T100000Z-0b88a657-agent-x-y-0b88a659.jsonl
    user:
    alone

"model","calls","tokens_in","cached","tokens_out","cost","unpriced"
"gpt-5",1,100,40,5,0.0125,0
!
serve '{"text":"{\"facts\":[{\"text\":\"Does it.\",\"category\":\"preference\",\"confidence\":0.9}]}"}'
check 'facts of an imported session' '
    jq -nc "{schema_version:\"ATIF-v1.7\",session_id:\"s\",trajectory_id:\"t\",agent:{name:\"x\",version:\"1\"},
	steps:[range(6) | {step_id:(. + 1),source:(if . % 2 == 0 then \"user\" else \"agent\" end),message:\"So.\"}]}" >six.json
    turnpipe import atif six.json >six
    TURNPIPE_MODEL=openai/test OPENAI_API_KEY=sk-test turnpipe facts "$(cat six)"
    jq -r .text "$XDG_DATA_HOME"/turnpipe/facts/*.jsonl' <<!
Does it.
!
printf '%s\n' '{"type":"session","version":1,"id":"own","time":"2026-11-21T09:30:00Z"}' \
    '{"role":"user","content":"Hi","tp":{"time":"2026-11-21T09:30:00Z"}}' \
    '{"role":"assistant","content":"","tool_calls":[{"id":"c1","type":"function","function":{"name":"ls","arguments":"{\"path\":\".\"}"}}]}' \
    '{"type":"usage","model":"x/y","prompt_tokens":9,"completion_tokens":2,"cost":0.5,"ms":7}' \
    '{"type":"mark","what":"retry"}' \
    '{"role":"tool","tool_call_id":"c1","content":"a","tp":{"duration_ms":3}}' \
    '{"type":"usage","for":"summary","prompt_tokens":100}' >own.jsonl
check 'a session of ours as ATIF' 'turnpipe log --atif ./own.jsonl | jq -c "del(.steps), .steps[]"' <<!
{"schema_version":"ATIF-v1.7","session_id":"own","trajectory_id":"own","agent":{"name":"turnpipe","version":"0.1","model_name":"x/y"},"final_metrics":{"total_prompt_tokens":109,"total_completion_tokens":2,"total_cost_usd":0.5,"total_steps":2}}
{"step_id":1,"timestamp":"2026-11-21T09:30:00Z","source":"user","message":"Hi"}
{"step_id":2,"source":"agent","message":"","model_name":"x/y","tool_calls":[{"tool_call_id":"c1","function_name":"ls","arguments":{"path":"."}}],"observation":{"results":[{"source_call_id":"c1","content":"a","extra":{"duration_ms":3}}]},"metrics":{"prompt_tokens":9,"completion_tokens":2,"cost_usd":0.5,"extra":{"ms":7}},"llm_call_count":1}
!

fails 65 'a name in a log leads nowhere else' '
    sed "s/2026-11-23T08:28:12.767Z/..\/..\/..\/..\/..\/x/" r.jsonl >evil.jsonl; turnpipe import codex evil.jsonl' <<!
turnpipe: evil.jsonl: a time or a name in it cannot be part of a file's
!
fails 65 'nor that of an agent' '
    mkdir -p e/subagents; sed "s/d4900023/d4900024/; s|ab12|../../x|" c.jsonl >e.jsonl
    sed "s|ab12|../../x|" c/subagents/agent-ab12.jsonl >e/subagents/agent-1.jsonl; turnpipe import claude e.jsonl' <<!
turnpipe: e.jsonl: a time or a name in it cannot be part of a file's
!
check 'a chained one can be verified, and its fork' '
    mkdir -p "$XDG_CONFIG_HOME/turnpipe"; echo "chain: true" >"$XDG_CONFIG_HOME/turnpipe/settings.yaml"
    sed s/f49/b49/ k.jsonl >m.jsonl; turnpipe import claude m.jsonl >path
    histadd -V "$(cat path)"; histadd -V "$(turnpipe fork "$(cat path)")"
    rm "$XDG_CONFIG_HOME/turnpipe/settings.yaml"; ls -d "$(dirname "$(cat path)")"/*.part* 2>/dev/null | wc -l' <<!
0
!
fails 64 'a format that is not known' 'turnpipe import ../claude c.jsonl' <<!
turnpipe: '../claude': expected atif, claude or codex
!
fails 64 'no file' 'turnpipe import claude' <<!
turnpipe: expected a format and a file
usage: turnpipe-import FORMAT FILE ...
!
fails 66 'no such file' 'turnpipe import claude none.jsonl' <<!
turnpipe: none.jsonl: no such file, or it may not be read
!
fails 65 'another format, and what was good before it stays' 'rm "$(ls "$XDG_STATE_HOME"/turnpipe/*/20261123T082801Z-79fabd20.jsonl)"
    turnpipe import claude c.jsonl own.jsonl >out; s=$?; wc -l <out | tr -d " " >&2; exit $s' <<!
turnpipe: own.jsonl: not a log of claude: no messages
1
!
