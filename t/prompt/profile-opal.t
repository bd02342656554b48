#!/bin/sh
. "${0%/*}/profile.sh"

# "Skills use progressive disclosure" (Key Design Decisions, 5).
check 'opal: a loaded skill is a message of the user' "
    run opal +loaded stream.40 | jq -r '.request.messages[]|
    .role + \" \" + (.content // \"calls\" | split(\"\n\") | .[0])' | sed 1d" <<!
user What is in cart.ts?
assistant calls
tool export const total = (prices: number[]) => prices.reduce((a, b) => a + b);
assistant A sum of prices.
user Mind the rounding in the checkout of cart.ts.
assistant calls
tool The skill \`alpha\` is loaded. Its instructions are in a message below.
user These are the instructions of the skill \`alpha\`, which you loaded:
user <turn-context>
!
