#!/bin/sh
. "${0%/*}/../lib.sh"

# run N PASSED [OFF]: scores of N cases, of which the first PASSED pass.
run() {
	awk -v n="$1" -v ok="$2" -v off="${3:-0}" 'BEGIN { for (i = 1; i <= n; i++)
	    printf "{\"type\":\"score\",\"case\":\"c%03d\",\"pass\":%s%s,\"steps\":1,\"tokens\":%d,\"cost\":%.6f}\n", i,
	    i <= ok ? "true" : "false", i <= ok ? "" : ",\"why\":\"expected \\\"x|y\\\"\"", 100 + i % 7 + off, 0.001 }'
}
run 60 60 >all; run 60 40 >fewer; run 60 60 10 >longer; run 5 5 >five; run 5 0 >none
check 'worse beyond chance: status 1, and the worst cases' 'st=0; scorediff -n 2 all fewer || st=$?; echo $st' <<!
60 cases: 100.0 -> 66.7 %, 0 better, 20 worse, p < 0.0001
tokens: 103 -> 103 a case, difference 0 to 0, p = 1.0000
steps: 1.00 -> 1.00 a case, difference 0.00 to 0.00, p = 1.0000
cost: 0.001000 -> 0.001000 a case, difference 0.000000 to 0.000000, p = 1.0000
  c041  1/1 -> 0/1  expected "x|y"
  c042  1/1 -> 0/1  expected "x|y"
  18 more
1
!
check 'better: status 0' 'scorediff fewer all | head -n 1' <<!
60 cases: 66.7 -> 100.0 %, 20 better, 0 worse, p < 0.0001
!
check 'the same: status 0; ten tokens more are found' 'scorediff all longer | sed 2q' <<!
60 cases: 100.0 -> 100.0 %, 0 better, 0 worse, p = 1.0000
tokens: 103 -> 113 a case, difference 10 to 10, p = 0.0002
!
check 'four of 60 may be chance' 'run 60 56 >four; scorediff -n 0 all four | head -n 1' <<!
60 cases: 100.0 -> 93.3 %, 0 better, 4 worse, p = 0.1250
!
fails 9 'five cases cannot tell' 'scorediff five none >x; st=$?; cat x >&2; exit $st' <<!
scorediff: 5 cases passed before: too few for a fall to show (p < 0.05)
5 cases: 100.0 -> 0.0 %, 0 better, 5 worse, p = 0.0625
tokens: 103 -> 103 a case, difference 0 to 0, p = 1.0000
steps: 1.00 -> 1.00 a case, difference 0.00 to 0.00, p = 1.0000
cost: 0.001000 -> 0.001000 a case, difference 0.000000 to 0.000000, p = 1.0000
  c001  1/1 -> 0/1  expected "x|y"
  c002  1/1 -> 0/1  expected "x|y"
  c003  1/1 -> 0/1  expected "x|y"
  c004  1/1 -> 0/1  expected "x|y"
  c005  1/1 -> 0/1  expected "x|y"
!
check 'a run that got better is not called too small' 'run 60 0 >zero; scorediff zero all | head -n 1' <<!
60 cases: 0.0 -> 100.0 %, 60 better, 0 worse, p < 0.0001
!
again() { sed "s/\"pass\"/\"repeat\":$2,&/" "$1"; }
check 'repeats: a case counts once' '{ cat all; again all 2; again fewer 3; } >three; scorediff three; scorediff -n 0 all three | sed 2q' <<!
60 cases: 88.9 % pass
repeats: pass^3 66.7 %, spread 66.7 to 100.0 %
tokens: 103 a case
steps: 1.00 a case
cost: 0.001000 a case
60 cases: 100.0 -> 88.9 %, 0 better, 20 worse, p < 0.0001
repeats: pass^3 100.0 -> 66.7 %, spread 100.0 to 100.0 -> 66.7 to 100.0 %
!
check 'what only one run has, and what was not judged, is said' 'echo "{\"type\":\"score\",\"case\":\"z\",\"pass\":null}" >z
    cat all z >allz; { sed 1,2d all; sed "s/c060/c0000/" z all | tail -n 1; } >other; scorediff -n 0 allz other | grep "cases\|not judged"' <<!
58 cases: 100.0 -> 100.0 %, 0 better, 0 worse, p = 1.0000
3 cases only in allz
1 answers not judged in allz
1 cases only in other
!
check 'for a pull request' 'scorediff -m -n 1 all fewer || :' <<'!'
**60 cases: 100.0 -> 66.7 %, 0 better, 20 worse, p < 0.0001**

- tokens: 103 -> 103 a case, difference 0 to 0, p = 1.0000
- steps: 1.00 -> 1.00 a case, difference 0.00 to 0.00, p = 1.0000
- cost: 0.001000 -> 0.001000 a case, difference 0.000000 to 0.000000, p = 1.0000

| case | before | after | why |
| --- | --- | --- | --- |
| c041 | 1/1 | 0/1 | expected "x\|y" |

19 more
!
check 'what a terminal would obey is shown' 'sed "s/expected/a\\\\u001b[31mb/" fewer >red; scorediff -n 1 all red | grep c041' <<!
  c041  1/1 -> 0/1  a\\u{1b}[31mb "x|y"
!
check 'the order of the scores changes nothing' 'sort -r fewer >r; scorediff all fewer >1 || :; scorediff all r >2 || :; cmp 1 2'
fails 65 'what is no score' 'msg x >m; scorediff m all' <<!
scorediff: m:1:1: expected a score
!
fails 65 'a pass that is none' 'echo "{\"type\":\"score\",\"case\":\"a\",\"pass\":1}" >p; scorediff p' <<!
scorediff: p:1:35: expected true, false or null
!
fails 65 'a run without a case' ': >empty; scorediff all empty' <<!
scorediff: empty: expected a score
!
fails 75 'a run that ended in an error' '{ cat all; echo "{\"type\":\"error\",\"code\":75}"; } >e; scorediff e' <<!
scorediff: e:61: an error record
!
fails 74 'a full disk' 'scorediff all >/dev/full' <<!
scorediff: write <stdout>: No space left on device
!
