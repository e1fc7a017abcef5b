#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report: real recordings counted: shares add up, sections per event, forms of -g
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_event task-clock

perf record -q -e cpu-clock -e task-clock -F 999 -g -o x.data -- \
	sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done'

perf report -i x.data >all
has all "^# Samples: .* of event 'cpu-clock$U'\$" "^# Samples: .* of event 'task-clock$U'\$" \
	'^# Children +Self  Command +Shared Object +Symbol' '^# Event count \(approx\.\): [0-9]+$'
cp x.data perf.data
perf report --stdio | cmp - all
perf report -i - <x.data | cmp - all

# Shares of all functions add up to all of it, in each section.
perf report -i x.data -q --no-children -g none -F period,sym >periods
perf script -i x.data -G -F event,period | awk '{ s[$2] += $1 } END { for (e in s) print s[e] }' | sort >want
awk 'NF { s += $1 } !NF && s { print s; s = 0 } END { if (s) print s }' periods | sort >got
diff want got

# Folded callchains, outermost first, hold as many samples as there are.
perf report -i x.data -q --no-children -s comm -g folded,0,caller,count >folded
want=$(perf script -i x.data -F event | grep -c .)
got=$(awk '/^[0-9]/ { s += $1 } END { print s }' folded)
[ "$want" = "$got" ] || fail "$got samples are folded, $want were taken"

for g in graph fractal flat folded none caller callee graph,5,3,callee,address,period; do
	perf report -i x.data -g $g >out
	has out '^ +[0-9.]+% +[0-9.]+%  sh '
done
perf report -i x.data -q --percent-limit 100 -g none >out
! grep -Ev '^ +100\.00% |^$' out || fail "less than 100 %"
perf report -i x.data --comms nobody >out
has out '^# comm: nobody$'
has_not out '%'
perf report -i x.data -n -t ';' -g none --no-children >out
has out '^# Overhead;' '^ [0-9.]+% *; [0-9]+ *;sh'
perf report -i x.data -D >out
has out '^0x[0-9a-f]+@x.data \[0x[0-9a-f]+\]: event: 9$' '^\.  0000:  09 00 00 00 ' 'FP chain: nr:[0-9]+$'
perf report -i x.data -n -t . >out 2>err && fail "-t . was taken"
has err 'field-separator'
perf report -i x.data -q --no-children -g none -s +pid >out
has out '^ +[0-9.]+%  sh +\S+ +\[.\] .*[0-9]+:sh'

set +o pipefail
perf report -i x.data -D 2>err | head -n 1 >/dev/null
[ ! -s err ] || fail "$(cat err)"
set -o pipefail
fails 1 perf report -i x.data >/dev/full 2>err
has err 'No space left on device'
fails 129 perf report --tui 2>err
has err 'use --stdio'

# A group: its events side by side, or each for itself; any events side by side when asked for.
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

# Without names of kernel functions, it is said why.
need_root
perf record -q -e cpu-clock:k -o k.data -- "$PERF" test -w faulter 0.2
echo '0000000000000000 T _text' >hidden
for c in report script; do
	perf $c --kallsyms hidden -i k.data >out 2>err
	has err '^Warning: no kernel symbols: hidden hides its addresses' 'kernel.kptr_restrict'
	perf $c --kallsyms hidden -q -i k.data >out 2>err
	[ ! -s err ] || fail "$c -q: $(cat err)"
done
perf script --kallsyms hidden -F comm -i k.data >out 2>err
[ ! -s err ] || fail "no symbols are asked for: $(cat err)"
