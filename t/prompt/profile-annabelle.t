#!/bin/sh
. "${0%/*}/profile.sh"

# "Conversation History as Context": the last 50 messages; of all but the
# last two results only name and size.
# A first message that answers one of the user's stands after that one.
check 'annabelle: the window began with 25 to 50 messages, the document has 50' "
    run annabelle +long stream.40 | jq -r '.request.messages[1:-1]|
    length, .[0].role, .[0].content, .[1].content, .[-2].content'" <<!
51
user
Word 23
Answer 23
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
