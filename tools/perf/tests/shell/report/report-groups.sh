#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: events of a group are side by side, or each for itself
. "$PERF_TEST_DIR/shell/report/lib-report.sh"

perf record -q -e '{cpu-clock,task-clock}' -F 999 -g -o group.data -- "$PERF" test -w noploop 0.2
perf report -i group.data -n --no-children -g none >out
has out "^# Samples: .* of events 'anon group \{ cpu-clock$U, task-clock$U \}'\$" \
	'^ +[0-9.]+% +[0-9.]+% +[0-9]+ +[0-9]+ +\S+ '
[ "$(grep -c '^# Samples' out)" = 1 ] || fail "$(cat out)"
perf report -i group.data --header-only >out
has out "^# group: \{cpu-clock$U,task-clock$U\}\$"
perf report -i group.data --no-group >out
has out "of event 'cpu-clock$U'" "of event 'task-clock$U'"
perf report -i x.data -g none >out
has out "of event 'cpu-clock$U'" "of event 'task-clock$U'"
perf report -i x.data --group -g none >out
has out "^# Samples: .* of events 'cpu-clock$U, task-clock$U'$"
perf script -i group.data -F event,period | awk '{ s[$2] += $1 } END { for (e in s) print s[e] }' | sort >want
perf report -i group.data -q --no-children -g none -F period,sym -t ';' | awk -F';' '
	NF { n = split($1, v, " "); for (i = 1; i <= n; i++) s[i] += v[i] }
	END { for (i in s) print s[i] }' | sort >got
diff want got
