# Does a request hold what a table says, in its order, and nothing between?
# Input: lines {"case": CAUSES, "talk": messages of the conversation,
# "request": …, "mutant": N}; output: a line for each, "CASE: as the table
# says" or why not, or with the number of the mutant if it is one.

def trim: gsub("^ +| +$"; "");
def unescape: gsub("\\\\n"; "\n") | gsub("\\\\s"; " ");
def table:
  [$table | split("\n")[] | select(test("^[^#]")) | split(" *[|] *"; null) | map(trim)
  | {id: .[0], form: .[1], label: (.[2] | unescape), joiner: (.[3] | unescape),
     place: .[4], trigger: (.[5] | split(",") | map(trim)),
     holds: (.[6] | unescape)}];

# What is left of the text before and behind the first t; null without one.
def before($t): split($t) | if length > 1 then .[0] else null end;

# Is a section there, with these causes on ("+x") or taken away ("-x")?
def there($causes): all(.trigger[];
  . as $t | $t[0:1] as $c | $t[1:] as $name |
  if $t == "always" then true
  elif $c == "+" then any($causes[]; . == $t)
  elif $c == "!" then all($causes[]; . != "+" + $name)
  elif $c == "-" then any($causes[]; . == $t)
  else all($causes[]; . != "-" + $t) end);

def head($s): if .at == "" then $s.label else $s.joiner + $s.label end;

# Where the section $s ends in .rest, behind its label: the text before $next
# (null: the last one), or null where it does not end as its form says.
def body($s; $next):
  if $s.form == "tag" then
    ($s.label | ltrimstr("<") | sub("[ >].*"; ""; "s")) as $tag |
    before("\n</" + $tag + ">") |
    if . == null then null else . + "\n</" + $tag + ">" end
  elif $s.form == "open" or $s.form == "close" or $s.form == "exact" then ""
  elif $s.form == "line" then split("\n")[0]
  elif $next == null then .
  else before($next.joiner + $next.label) end;

# The reason why a text is not these sections one after the other, or null.
def walk_text($rows):
  . as $text
  | [$rows[] | select(.form != "in" and .on)] as $s
  | reduce range($s | length) as $i (
      {rest: $text, why: null, first: true, of: {}};
      if .why then . else
        ((if .first then "" else $s[$i].joiner end) + $s[$i].label) as $head
        | if .rest | startswith($head) | not then
            .why = "expected \($s[$i].id) (\($head | tojson)), got \(.rest[0:60] | tojson)"
          else
            .of as $of | (.rest | ltrimstr($head)) as $rest
            | ($rest | body($s[$i]; $s[$i + 1])) as $body
            | if $body == null then
                .why = "\($s[$i].id): no end, or \($s[$i + 1].id) is not behind it"
              elif $s[$i].label + $body | contains($s[$i].holds) | not then
                .why = "\($s[$i].id): expected \($s[$i].holds | tojson) in it"
              else
                {rest: ($rest | ltrimstr($body)), why: null, first: false,
                 of: ($of + {($s[$i].id): ($of[$s[$i].id] + $s[$i].label + $body)})}
              end
          end
      end)
  | . as $r
  | if $r.why then $r.why
    elif $r.rest != "" then "expected no more, got \($r.rest[0:60] | tojson)"
    else
      [$rows[] | select(.form == "in") | . as $x
       | select((($r.of[.id] // "") | contains($x.label)) != .on)
       | "\(.id): \(.label | tojson) is \(if .on then "not " else "" end)in it"][0]
    end;

# Messages of their own, one for each row.
def walk_messages($rows):
  . as $m
  | [$rows[] | select(.on)] as $s
  | if ($m | length) != ($s | length) then
      "expected \($s | map(.id)) behind the conversation, got \($m | map(.content[0:60]))"
    else
      [range($s | length) as $i
       | ($s[$i].place | sub("^message *"; "")) as $role
       | if $m[$i].role != $role then "\($s[$i].id): expected role \($role)"
         else $m[$i].content | walk_text([$s[$i]]) end
       | select(.)][0]
    end;

def why($rows):
  (.case | split(" ") | map(select(. != ""))) as $causes
  | [$rows[] | . + {on: there($causes)}] as $rows
  | .talk as $talk | .request.messages as $m
  | ($m | map(.role)) as $roles
  | (if $roles[0] == "system" then 1 else 0 end) as $sys
  | [$rows[] | select(.place == "system" or .form == "in" and .place == "")] as $system
  | [$rows[] | select(.place == "trailing")] as $trailing
  | [$rows[] | select(.place | startswith("message"))] as $own
  | ([$trailing[] | select(.on)] | length | if . > 0 then 1 else 0 end) as $tail
  | $m[$sys + $talk:] as $behind
  | ([$m[0:$sys][], $behind[]] | map(.content) | join("\n")) as $all
  | ([$rows[] | select(.form == "absent") | . as $x
      | select($all | contains($x.label)) | "expected nowhere: \($x.label)"],
     [$rows[] | select(.on | not) | . as $x
      | select(.form != "in" and .form != "open" and .form != "close")
      | select($all | contains($x.label))
      | select(all($rows[]; .label != $x.label or (.on | not)))
      | "expected gone: \(.id)"]
     | .[]),
    (if $sys == 0 then "expected a system message"
     else $m[0].content | walk_text($system) end),
    ($behind[0:($behind | length) - $tail] | walk_messages($own)),
    (if $tail == 1 then $behind[-1].content // "" | walk_text($trailing) else null end)
  | select(.);

table as $rows
| inputs | "\(.mutant // .case): \([why($rows)][0] // "as the table says")"
