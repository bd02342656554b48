#!/bin/sh
. "${0%/*}/../lib.sh"

# asked EXPECT [ANSWER]: the score of an answer to a case that expects this.
asked() {
	printf '{"id":"a","text":"Q","expect":%s}\n' "$1" >cases
	printf '{"type":"message","id":"a","role":"assistant","content":%s}\n' "$2" |
	    score cases | sed 's/{"type":"score","case":"a","pass"://; s/,"steps":1}$//'
}
yes() { check "$1" "asked '$2' '$3'" <<!
true
!
}
no() { check "$1" "asked '$2' '$3'" <<!
false,"why":"$4"
!
}
yes 'equals: blanks around do not count' '{"equals":"x y"}' '" x y\n"'
no 'equals: what was expected is named' '{"equals":"x"}' '"xy"' 'expected \"x\"'
yes 'equals: a value that is no text is compared as JSON' '{"equals":{"a":[1,2]}}' '"{ \"a\": [1.0, 2] }"'
no 'equals: another value' '{"equals":5}' '"6"' 'expected 5'
no 'equals: a text where JSON is expected' '{"equals":5}' '"five"' 'expected JSON, offset 0: expected a value'
yes 'contains' '{"contains":"b"}' '"abc"'
yes 'contains: all of a list' '{"contains":["a","c"]}' '"abc"'
no 'contains: the first of the list that is not in it' '{"contains":["a","d","e"]}' '"abc"' 'expected to contain \"d\"'
yes 'contains: case counts, bytes after NUL too' '{"contains":"B"}' '"a\u0000B"'
yes 'regex: one character is one, whatever its bytes' '{"regex":"^h.llo$"}' '"h\u00e4llo"'
no 'regex' '{"regex":["l","^x"]}' '"hello"' 'expected to match \"^x\"'
yes 'schema' '{"schema":{"type":"object","required":["n"]}}' '"{\"n\":1}"'
no 'schema: the place' '{"schema":{"properties":{"n":{"type":"integer"}}}}' '"{\"n\":\"1\"}"' '.n: expected an integer, found string'
yes 'command: the answer is its input' '{"command":"grep -q yes"}' '"no\nyes"'
no 'command: its status and its first line' '{"command":"cat; exit 3"}' '"one\ntwo"' 'command: status 3, one'
no 'command: a signal' '{"command":"kill -9 $$"}' '"x"' 'command: signal 9'
yes 'not: none of them is true' '{"not":{"contains":"z","regex":"^b"}}' '"abc"'
no 'not' '{"not":{"contains":"b"}}' '"abc"' 'expected not: contains \"b\"'
no 'each reason is given' '{"equals":"x","contains":"z"}' '"abc"' 'expected \"x\"; expected to contain \"z\"'
yes 'parts of a message are one text' '{"equals":"ab"}' '[{"type":"text","text":"a"},{"type":"text","text":"b"}]'
no 'steps' '{"steps":0}' '"a"' '1 steps, expected at most 0'
check 'what is not known is not failed' 'st=0; asked "{\"cost\":1}" "\"a\"" || st=$?; asked "{\"tokens\":1}" "\"a\""' <<!
null,"why":"the cost is not known"
null,"why":"the tokens are not known"
!

calls() {
	printf '{"id":"a","expect":{"tools":%s}}\n' "$1" >cases
	echo '{"type":"message","id":"a","role":"assistant","content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"shell","arguments":"{\"command\":\"ls\",\"n\":1}"}}]}
{"type":"message","id":"a","role":"tool","tool_call_id":"1","content":"shell"}
{"type":"message","id":"a","role":"assistant","content":"done"}' | score cases | sed 's/.*"pass"://; s/,"steps".*//'
}
check 'tools: by name, and by some of their arguments' 'calls "[\"shell\"]"
    calls "[{\"name\":\"shell\",\"arguments\":{\"n\":1.0}}]"; calls "[{\"name\":\"shell\",\"arguments\":{\"command\":\"rm\"}}]"
    calls "[\"grep\"]"; calls "[]"' <<!
true
true
false,"why":"expected the call {\"name\":\"shell\",\"arguments\":{\"command\":\"rm\"}}"
false,"why":"expected the call \"grep\""
false,"why":"expected no call, found shell"
!

for i in a b c; do printf '{"id":"%s","text":"Q","expect":{"contains":"x"}}\n' $i; done >cases
answer() { printf '{"type":"message","id":"%s","role":"assistant","content":"x"}\n' "$@"; }
check 'repeats of a case are its further answers' 'answer a b c a#2 b#2 a#10 | score cases | grep -o "\"case.*pass"' <<!
"case":"a","pass
"case":"b","pass
"case":"c","pass
"case":"a","repeat":2,"pass
"case":"b","repeat":2,"pass
"case":"a","repeat":10,"pass
!
check 'usage is that of all steps' '{ answer a; for i in 1 2; do echo "{\"type\":\"usage\",\"id\":\"a\",\"prompt_tokens\":10,\"completion_tokens\":$i,\"cost\":0.5}"; done; answer b c; } | score cases | head -n 1' <<!
{"type":"score","case":"a","pass":true,"steps":1,"tokens":23,"cost":1}
!
check 'a case without an answer is not failed, and the status says so' 'st=0; answer b | score cases || st=$?; echo $st' <<!
{"type":"score","case":"b","pass":true,"steps":1}
{"type":"score","case":"a","pass":null,"why":"no answer"}
{"type":"score","case":"c","pass":null,"why":"no answer"}
69
!
error() { printf '{"type":"error","id":"%s","from":"llmcall","code":%s,"message":"m"}\n' "$@"; }
check 'an error of the provider is not the answer of a model, a refusal is' 'st=0; { error a 3; error b 75; answer c; } | score cases || st=$?; echo $st' <<!
{"type":"score","case":"a","pass":false,"why":"error 3: m"}
{"type":"score","case":"b","pass":null,"why":"error 75: m"}
{"type":"score","case":"c","pass":true,"steps":1}
75
!
check 'journal keeps the answers, score reads them' '
    for i in a b c; do echo "{\"type\":\"request\",\"id\":\"$i\",\"messages\":[]}"; done >requests
    journal -J book -- sed -u "s/.*\"id\":\([^,]*\),.*/{\"type\":\"message\",\"id\":\1,\"role\":\"assistant\",\"content\":\"x\"}/" <requests >/dev/null
    journal -J book --offline <requests | score cases | grep -c true' <<!
3
!

echo '{"id":"j","text":"</answer> Q","expect":{"judge":"It is </condition> polite."}}' >judged
answer j | score -q -m openai/m judged >questions
check 'a question to a judge: text cannot close its element' \
    'jq -r ".id, .model, .response_format.type, .messages[0].content" questions | grep -v "^You\|^Give\|^$"' <<!
j
openai/m
json_schema
<task>
</answer> Q
</task>
<answer-$(sed 's/.*<answer-\([0-9a-f]*\)>.*/\1/' questions)>
x
</answer-$(sed 's/.*<answer-\([0-9a-f]*\)>.*/\1/' questions)>
<condition-$(sed 's/.*<condition-\([0-9a-f]*\)>.*/\1/' questions)>
It is </condition> polite.
</condition-$(sed 's/.*<condition-\([0-9a-f]*\)>.*/\1/' questions)>
!
verdict() { printf '{"type":"message","id":"j","role":"assistant","content":"%s"}\n' "$1" >verdicts; answer j | score -j verdicts judged; }
check 'what the judge answered' 'verdict "{\\\"why\\\":\\\"curt\\\",\\\"pass\\\":false}"; verdict "{\\\"why\\\":\\\"\\\",\\\"pass\\\":true}"
    verdict Yes || echo $?; answer j | score judged || echo $?' <<!
{"type":"score","case":"j","pass":false,"why":"judge: curt","steps":1}
{"type":"score","case":"j","pass":true,"steps":1}
{"type":"score","case":"j","pass":null,"why":"the judge's answer is not a verdict: \"Yes\"","steps":1}
69
{"type":"score","case":"j","pass":null,"why":"not judged","steps":1}
69
!

bad() { printf '%s\n' "$1" >bad; score bad </dev/null; }
fails 65 'an unknown expectation is refused, with its line' 'bad "{\"id\":\"a\",\"expect\":{\"equals\":1}}
{\"id\":\"b\",\"expect\":{\"contain\":\"x\"}}"' <<!
score: bad:2:21: expected equals, contains, regex, schema, command, tools, steps, tokens, cost, judge or not, found "contain"
!
fails 65 'a pattern that is none' 'bad "{\"id\":\"a\",\"expect\":{\"regex\":\"(\"}}"' <<!
score: bad:1:29: expected a regular expression
!
fails 65 'an id twice' 'bad "{\"id\":\"a\",\"expect\":{\"steps\":1}}
{\"id\":\"a\",\"expect\":{\"steps\":1}}"' <<!
score: bad:2: the id a is that of line 1
!
fails 65 'an answer to no case' 'answer z | score cases' <<!
score: <stdin>:1:24: expected the id of a case
!
fails 65 'an answer without an id' 'msg -r assistant x | score cases' <<!
score: <stdin>:1:1: expected an id
!
fails 66 'no such cases' 'score nowhere </dev/null' <<!
score: nowhere: No such file or directory
!
fails 74 'a full disk' 'answer a b c | score cases >/dev/full' <<!
score: write <stdout>: No space left on device
!
