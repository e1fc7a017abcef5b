#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf diff --runs: groups of runs, paths, conditions with an exit status, Markdown
. "$PERF_TEST_DIR/shell/diff/lib-diff.sh"

# Five runs before and five after: handle() has gone from 20 % to 25 %, all of it when it is called by
# late(); steady() and idle() vary a little.
i=0
for n in 402 395 400 405 398; do
	i=$((i + 1))
	counted "old$i.data" "main;early;handle=100" "main;late;handle=100" "main;steady=$n" "main;idle=$((800 - n))" 'main;rare=1'
	counted "new$i.data" "main;early;handle=100" "main;late;handle=167" "main;steady=$n" "main;idle=$((800 - n))" 'main;rare=1'
done
difference --runs --paths -s sym old?.data -- new?.data >out
has out '^# before: old1.data, old2.data, old3.data, ... \(5 recordings\)$'
has out '^# A run.s event count: 1001 before, 1068 after \(\+6.7 % ±'
has out '^ +19.98%  +25.00%   +\+5.02 ±[0-9.]+ +\+25.1 % ±[0-9.]+  \[k\] handle$'
has_not out 'rare|is not known'
# The path is the one that has grown, and not its callers. Shares of the others have fallen.
sed -n '/^# Paths/,$p' out >paths
has paths '\+5.65 .*  main \[kernel.kallsyms\] > late \[kernel.kallsyms\] > handle \[kernel.kallsyms\]$'
has_not paths 'main \[kernel.kallsyms\] > late \[kernel.kallsyms\]$'

# Nothing has changed: nothing is listed, whatever differs between the runs.
difference --runs old1.data old2.data -- old3.data old4.data old5.data >out
[ "$(grep -c '^# no change beyond chance$' out)" = 2 ] || fail "$(cat out)"
difference --runs --all -s sym old1.data old2.data -- old3.data old4.data >out
has out '\[k\] steady$'

# Conditions.
ends() { # STATUS CONDITION...
	local want=$1 o=() c
	shift
	for c; do o+=(--fail-if "$c"); done
	if [ "$want" = 0 ]; then
		difference "${o[@]}" old?.data -- new?.data >out
	else
		fails "$want" difference "${o[@]}" old?.data -- new?.data >out 2>err
	fi
}
ends 2 'self(handle) > +3%'
has out '^# FAILED self\(handle\) > \+3%: handle \+25.1 % ±'
ends 0 'self(handle) > +30%'
has out '^# passed self\(handle\) > \+30%: handle'
ends 2 'total(late) > 5pp'
ends 0 'total(early) > 0%' 'total(main) > 0%'
ends 0 'self(handle) < -5%'
fails 2 difference --fail-if 'self(handle) < -5%' new?.data -- old?.data >out
has out 'FAILED self\(handle\) < -5%: handle -20.1 %'
ends 2 'any > 20%'
has out '^# FAILED any > 20%: handle'
has_not out 'passed any'
ends 2 'self(han*) > 1 %' 'self(idle) > 0%'
ends 2 'run > 5%'
has out 'FAILED run > 5%: a run \+6.7'
ends 0 'run > 7%'
ends 0 'self(rare) > -50%' # too few samples to tell
ends 1 'self(handel) > 3%'
has err "no recording has a function of this name"
for bad in 'self(handle)' 'self(handle) > 3' 'handle > 3%' 'self() > 1%' 'run > 1pp' '' 'any > nan%'; do
	fails 129 difference --fail-if "$bad" old?.data -- new?.data 2>err
	has err 'Error|condition|percentage points'
done
fails 129 difference --fail-if 'self(handle) > 1pp' --normalize run old?.data -- new?.data 2>err
has err 'needs shares'

# By other numbers: each run did 20 % of its work in handle(), and now does 67 samples more.
difference --runs --normalize run -s sym old?.data -- new?.data >out
has out '^ +200 +267 +\+67 ±[0-9.]+ +\+33.5 % ±[0-9.]+  \[k\] handle$'
has_not out 'idle$|steady$'
difference --runs --normalize samples -s sym old?.data -- new?.data >out
has out '\[k\] handle$'
difference --runs --normalize time -s sym old?.data -- new?.data >out
has out '\[k\] handle$'

# Single runs: counting alone, and a word about that.
difference --runs -s sym old1.data new1.data >out
has out '^# One run before and one after: the variance between runs is unknown'
has_not out 'steady$'
fails 129 difference --fail-if 'run > 1%' old1.data new1.data 2>err
has err 'needs several recordings'
fails 129 difference --runs old1.data old2.data new1.data 2>err
has err 'write -- between them'
fails 129 difference --runs -- new1.data 2>err
fails 129 difference --confidence 100 old1.data -- new1.data 2>err

difference --format markdown --paths --fail-if 'any > 90%' old?.data -- new?.data >out
has out '^\| before \| after \| change \| relative \| Shared Object \| Symbol \|$'
has out '^\|---:\|---:\|---:\|---:\|---\|---\|$'
has out '^\| 19.98 % \| 25.00 % \| \+5.02 ±[0-9.]+ \| \+25.1 % ±[0-9.]+ \| &#91;kernel.kallsyms&#93; \| &#91;k&#93; handle \|$'
fails 129 perf diff --format html 2>err

# For programs: the same numbers, and nothing that is no JSON.
fails 2 difference --format json --paths --fail-if 'self(handle) > 1%' old?.data -- new?.data >json
python - <<'END'
import json
lines = [json.loads(line) for line in open("json")]
assert lines[0]["type"] == "event" and lines[0]["version"] == 1 and len(lines[0]["files_after"]) == 5, lines[0]
(handle,) = [c for c in lines if c["type"] == "change" and c["of"] == "self" and "handle" in c["sym"]]
assert abs(handle["before"] - 0.1998) < 1e-4 and abs(handle["relative"] - 0.251) < 1e-3, handle
assert handle["beyond_chance"] and handle["q"] <= 0.01, handle
paths = [c for c in lines if c["type"] == "change" and c["of"] == "path" and c["after"] > c["before"]]
assert [s.split()[0] for s in paths[0]["path"]] == ["main", "late", "handle"], paths
assert lines[-1]["type"] == "condition" and lines[-1]["failed"] is True, lines[-1]
END

# In pairs: what runs of a turn have in common does not count. Alone it hides the change.
for i in 1 2 3 4 5; do
	counted "turn$i.data" "main;work=$((2000 + 200 * i))" "main;rest=10000"
	counted "next$i.data" "main;work=$((2400 + 200 * i))" "main;rest=10000"
done
difference --runs -s sym turn?.data -- next?.data >out
has_not out 'work$'
difference --paired -s sym turn?.data -- next?.data >out
has out 'The nth runs before and after are a pair' '\[k\] work$'
fails 129 difference --paired turn?.data -- next[1-4].data 2>err
has err 'the same number of recordings before and after'
fails 129 difference --paired turn1.data -- next1.data 2>err
