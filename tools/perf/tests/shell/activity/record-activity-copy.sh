#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity=copy: ids of threads are found in stack copies, without rights, and are true
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_python
[ "$(uname -m)" = x86_64 ] || skip "thread-local variables are read on x86-64 only"

# The stacks spell the numbers that the ids are. The first of the two threads is the main one; until the
# variable is found, some hundred milliseconds, there are none.
python "$PERF_TEST_DIR/../bench/agent-truth" --perf "$PERF" --copies --modes plain,timer --seconds 1 --freq 2000 --threads 2 >out ||
	fail "$(cat out)"
[ "$(awk -F'|' 'NR > 2 && $6 == 0' out | wc -l)" = 2 ] || fail "$(cat out)"
awk -F'|' 'NR > 2 { split($5, f, /[(%]/); bad += f[2] < 20 || f[2] > 60; nr++ } END { exit bad || nr != 2 }' out || fail "$(cat out)"
cat out

# A record that is on the stack; one program after the other under the same pid. Until the variable is
# found there are no ids: on a busy machine that takes longer than the program.
for seconds in 0.3 1 4; do
	"$PERF" record -e cpu-clock -F 2000 -g --defer=copy --activity=copy+otel -o o.data -- \
		sh -c '"$0" test -w activity value 0.2 1; exec "$0" test -w activity otel $1 2' "$PERF" $seconds 2>err || fail "$(cat err)"
	"$PERF" script -i o.data -F activity | sort | uniq -c | sort -rn >ids
	[ "$(grep -c '{route=/api, user=bob}' ids)" -le 100 ] || break
	[ $seconds != 4 ] || fail "$(head ids)"
done
has err '[1-9][0-9]* samples with ids'
# Those from before the names of attributes were read have none.
[ "$(grep -vc '/0[123]00000000000000 \({route=/api, user=bob}\)\? *$\|^ *[0-9]* *- *$' ids)" = 0 ] || fail "$(head -n 20 ids)"
"$PERF" record -e cpu-clock -F 2000 -g --defer=copy --activity=copy -o h.data -- "$PERF" test -w activity hostile 0.3 2>err || fail "$(cat err)"

for words in 'needs --defer=copy:' 'excludes --agent:--agent' 'the clock monotonic:--defer=copy -k realtime'; do
	fails 129 "$PERF" record --activity=copy ${words#*:} -o r.data -- true 2>err
	has err "${words%%:*}"
done
