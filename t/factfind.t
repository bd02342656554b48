#!/bin/sh
. "${0%/*}/lib.sh"

export TURNPIPE_NOW=2026-11-21T12:00:00Z
fact() { printf '{"type":"fact","text":"%s","category":"%s"%s}\n' "$1" "$2" "${3-}"; }
check 'nothing known, nothing said' 'echo "{\"role\":\"user\",\"content\":\"tea\"}" | factfind | grep -c section || true; factfind -L' <<!
0
!
check 'facts are kept by scope, 0600' \
    '{ fact "Likes green tea." preference; fact "Lives in Kraków." background; fact "The build needs gcc 12." project; } | factfind -a
    ls "$XDG_DATA_HOME/turnpipe/facts" | sed "s/-[0-9a-f]*\.jsonl/-HASH.jsonl/"; stat -c %a "$XDG_DATA_HOME"/turnpipe/facts/user.jsonl' <<!
project-work-HASH.jsonl
user.jsonl
600
!
check 'what fits the message goes into sections by scope' \
    'echo "{\"role\":\"user\",\"content\":\"Which TEA, and why does the build fail?\"}" | factfind | grep section' <<!
{"type":"section","id":"facts:user","volatile":true,"content":"- Likes green tea. (preference)"}
{"type":"section","id":"facts:project","volatile":true,"content":"- The build needs gcc 12. (project)"}
!
check 'words fold in any script' 'factfind -q "kraków"; factfind -q "KRAKÓW"' <<!
- Lives in Kraków. (background)
- Lives in Kraków. (background)
!
fails 1 'a query that finds nothing' 'factfind -q zebra' <<!
!
fails 1 'words that tell nothing' 'factfind -q "is it a"' <<!
!
check 'the same fact said again is told, not kept' 'fact " likes  GREEN tea" preference | factfind -a 2>&1; factfind -L | wc -l | tr -d " "' <<!
factfind: known already: likes GREEN tea
3
!
check 'at most so many, the rarer word first' \
    '{ fact "One tea a day." pattern; fact "Tea with milk." preference; } | factfind -a; factfind -n 1 -q "milk tea"' <<!
- Tea with milk. (preference)
!
id() { factfind -L | sed -n "s/^\([0-9a-f]*\)  .*$1.*/\1/p"; }
check 'forgetting appends, correcting replaces' \
    'before=$(wc -l <"$XDG_DATA_HOME/turnpipe/facts/user.jsonl"); factfind -F "$(id "One tea")"; factfind -C "$(id Kraków)" "Lives in Oslo."
    factfind -q "kraków oslo day"; echo $(($(wc -l <"$XDG_DATA_HOME/turnpipe/facts/user.jsonl") - before))' <<!
- Lives in Oslo. (background)
3
!
check 'what was forgotten can be learnt again' 'fact "Lives in Kraków." background | factfind -a; factfind -q kraków' <<!
- Lives in Kraków. (background)
!
fails 1 'forgetting what is not there' 'factfind -F 00000000' <<!
factfind: 00000000: no such fact
!
fails 65 'a category that is none' 'fact x nonsense | factfind -a' <<!
factfind: <stdin>:1:1: expected preference, background, pattern, project, contact or decision as category
!
fails 65 'a broken line' 'echo "{]" | factfind' <<!
factfind: <stdin>:1:2: expected a key in quotes
!
echo '{"torn' >>"$XDG_DATA_HOME/turnpipe/facts/user.jsonl"
check 'a torn line in a file is told and skipped' 'factfind -q oslo 2>err; sed "s|.*/||" err | sort -u' <<!
- Lives in Oslo. (background)
user.jsonl:9:7: expected a closing quote
!
fails 74 'a full disk' 'factfind -L 2>/dev/null >/dev/full || { st=$?; echo full >&2; exit $st; }' <<!
full
!
