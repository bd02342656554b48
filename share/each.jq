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
# A line with its number, its id if it is a task, and what is printed.
def numbered:
    foreach inputs as $line (0; . + 1;
	. as $n | select($line | test("^\\s*$") | not) |
	(try ($line | fromjson) catch null) as $t | ($t | wrong) as $why |
	if $t == null then {out: fault($n; "expected a JSON object")}
	elif $why != null then {out: fault($n; $why)}
	else {$n, id: $t.id, out: ($t | task)} end);
# At "" of the ids: is it new?  No "//" nor "+=" here, for which jq copies them.
def tasks:
    foreach numbered as $t ({};
	if $t.id == null then .[""] = true
	elif has($t.id) then .[""] = false
	else .[$t.id] = true | .[""] = true end;
	if .[""] then $t.out else fault($t.n; "the id \($t.id) a second time") end);
def answers:
    inputs | split(" ") as $w | ($w[2:] | join(" ")) as $record |
    (try ($record | fromjson) catch {}) as $r |
    {id: $w[1], status: ($w[0] | tonumber), text: $r.text, error: $r.error,
	tokens: $r.tokens, cost: $r.cost} | with_entries(select(.value != null));
def once:
    foreach inputs as $line ({};
	if has($line) then .[""] = false else .[$line] = true | .[""] = true end;
	select(.[""]) | $line);
if $view == "once" then once elif $view == "tasks" then tasks else answers end
