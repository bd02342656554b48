#!/bin/sh
alone=1
. "${0%/*}/profile.sh"

# "Task instructions = sole user message" (Proactive task, what's different).
check 'annabelle-task: the instructions are the only message' \
    'jq -r ".request.messages[]|.role, .content" base | grep -B 1 "^Mind"' <<!
user
Mind the rounding in the checkout of cart.ts.
!
