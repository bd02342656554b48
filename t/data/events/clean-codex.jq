# What differs from run to run, and is of a machine, out of a stream of codex
# exec --json or of share/events/codex.jq; an item of its own about a model
# that codex does not know, too.
[inputs | select(.item.type != "error")]
| (map(.item.id // empty) | unique_by(ltrimstr("item_") | tonumber)) as $ids
| .[]
| if .item.id then .item.id |= "item_\(. as $i | $ids | index($i))" else . end
| if .thread_id then .thread_id = "T" else . end
| if .item.command then .item.command |= sub("^/bin/bash -lc (?<q>['\"]?)(?<c>.*?)['\"]?$"; .c) else . end
| if .item.changes then .item.changes |= map(.path |= sub("^.*/"; "/W/")) else . end
