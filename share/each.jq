# turnpipe-each(1).  tasks: its lines, in file, as words for the driver; answers:
# what it prints;
# once: lines, each one time.
def words: join("\u0001");
def fault($n; $why): ["!", "\($file):\($n): \($why)"] | words;
def keys_known: ["agent", "cwd", "id", "note", "schema", "text", "until"];
def wrong:
    . as $t |
    if type != "object" then "expected an object"
    elif (keys - keys_known) != [] then
	"expected a key of a task, turnpipe-each(1), found \((keys - keys_known)[0] | tojson)"
    elif (.id | type != "string" or (test("^[A-Za-z0-9_][A-Za-z0-9._-]{0,31}$") | not)) then
	"id: expected 1 to 32 of A-Z a-z 0-9 . _ -"
    elif (.text | type != "string" or . == "") then "text: expected a text"
    else
	first((("agent", "cwd", "until") as $k | $t[$k] |
	    if . == null or (type == "string" and . != "" and (test("[\n\u0001]") | not))
	    then empty else "\($k): expected a line of text" end),
	    ($t.schema | if . == null or type == "object" then empty
	    else "schema: expected a JSON Schema" end), null)
    end;
def task:
    [.id, .agent // "", .cwd // "", .until // "",
	(.schema // "" | if . == "" then . else tojson end),
	({type: "message", role: "user", content: .text} | tojson)] | words;
def tasks:
    foreach inputs as $line ({ids: {}, n: 0};
	.n += 1 | .out = null |
	if $line | test("^\\s*$") then .
	else
	    (try ($line | fromjson) catch null) as $t | ($t | wrong) as $why |
	    if $t == null then .out = fault(.n; "expected a JSON object")
	    elif $why != null then .out = fault(.n; $why)
	    elif .ids[$t.id] then .out = fault(.n; "the id \($t.id) a second time")
	    else .ids[$t.id] = true | .out = ($t | task) end
	end;
	.out // empty);
def answers:
    inputs | split(" ") as $w | ($w[2:] | join(" ")) as $record |
    (try ($record | fromjson) catch {}) as $r |
    {id: $w[1], status: ($w[0] | tonumber), text: $r.text, error: $r.error,
	tokens: $r.tokens, cost: $r.cost} | with_entries(select(.value != null));
def once:
    foreach inputs as $line ({}; {seen: (.seen + {($line): true}), new: (.seen[$line] | not)};
	select(.new) | $line);
if $view == "once" then once elif $view == "tasks" then tasks else answers end
