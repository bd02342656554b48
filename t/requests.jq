# The score of labelled requests, from what skillmenu made of them.
# Input: the requests, one object a line ("request", "want" and perhaps
# "may"), then with --slurpfile out the stream of skillmenu -n 99.
# A hit is a playbook that is wanted and comes; false is a request for which
# one comes that is neither wanted nor harmless ("may").
[inputs] as $q
| reduce $out[] as $r ([[]];
    if $r.type == "end" then . + [[]]
    elif $r.matched then .[-1] += [$r.name] else . end)
| .[:-1] as $got
| if ($got | length) != ($q | length) then
    error("\($q | length) requests, \($got | length) answers") else . end
| [range($q | length) | . as $i
    | {request: $q[$i].request, miss: ($q[$i].want - $got[$i]),
       hit: ($q[$i].want | length - ($q[$i].want - $got[$i] | length)),
       false: ($got[$i] - $q[$i].want - ($q[$i].may // [])),
       wanted: ($q[$i].want | length)}]
| {requests: length, none: map(select(.wanted == 0)) | length,
   wanted: map(.wanted) | add, hits: map(.hit) | add,
   false: map(select(.false != [])) | length,
   faults: map(select(.miss + .false != []) | "\(.request): missed \(.miss | join(",")), false \(.false | join(","))")}
