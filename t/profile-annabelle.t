#!/bin/sh
. "${0%/*}/profile.sh"

# "Conversation History as Context": the last 50 messages; of all but the
# last two results only name and size.
check 'annabelle: the last messages' "
    run annabelle +long stream.40 | jq -r '.request.messages[1:]|
    length <= 50 and length >= 25, .[0].role, .[-2].content'" <<!
true
user
Answer 103
!
check 'annabelle: of old results their size' "
    run annabelle +results stream.41 | jq -r '.request.messages[]|
    select(.role == \"tool\").content|
    if length > 1000 then .[0:1] else gsub(\"\\n\"; \"\") end'" <<!
[read_file: truncated, was 75 chars]
[read_file: truncated, was 2001 chars]
[read_file: truncated, was 2001 chars]
3
4
!
