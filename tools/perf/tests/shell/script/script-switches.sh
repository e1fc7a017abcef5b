#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script --switch-on, --reltime, --deltatime, --stop-bt: parts of what there is, as in perf
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_event page-faults

perf record -q -g --defer=copy -e cpu-clock:u -c 1000000 -o a.data -- "$PERF" test -w deep 5 0.1
faults=page-faults/period=1/:u
perf record -q -e page-faults/period=1/u -e cpu-clock:u -F 1000 -o b.data -- "$PERF" test -w noploop 0.05
perf script -i b.data -F event,time --ns >all
[ "$(grep -c page-faults all)" -ge 3 ] && has all cpu-clock || fail "$(head all)"

# Behind the first of one event, until the first of another one, and again.
want() { # ON OFF SHOWS
	awk -v on="$1" -v off="$2" -v shows="$3" -v is_off="$([ -z "$1" ] || echo 1)" '
		{ name = $2; sub(/: *$/, "", name); mine = 0 }
		is_off ? name == on : name == off { is_off = !is_off; mine = 1 }
		mine ? shows : !is_off
	' all
}
check() { # ON OFF SHOWS
	perf script -i b.data -F event,time --ns ${1:+--switch-on $1} ${2:+--switch-off $2} ${3:+--show-on-off-events} >got
	want "$@" >expected
	cmp got expected || fail "$*: $(diff got expected | head -n 5)"
	perf report -i b.data --stdio ${1:+--switch-on $1} >/dev/null
}
check cpu-clock:u '' ''
check cpu-clock:u '' 1
check cpu-clock:u "$faults" ''
check cpu-clock:u "$faults" 1
check '' cpu-clock:u ''
[ "$(wc -l <got)" -gt 0 ] && [ "$(wc -l <got)" -lt "$(wc -l <all)" ] || fail "$(cat got)"
nr=$(want cpu-clock:u '' '' | grep -c cpu-clock)
perf report -i b.data --stdio --switch-on cpu-clock:u >out
has out "^# Samples: $nr +of event 'cpu-clock:u'\$"
perf report -i b.data --html b.html --switch-on cpu-clock:u 2>err
has err " $(want cpu-clock:u '' '' | wc -l) samples as html"
# What is out of the time range switches nothing.
cp all every
t=$(awk '/cpu-clock/ { sub(":", "", $1); print $1; exit }' every)
perf script -i b.data -F event,time --ns --time "$t," >all
want "$faults" '' '' >expected
perf script -i b.data -F event,time --ns --time "$t," --switch-on "$faults" >got
cmp got expected || fail "--time $t,: $(diff got expected | head -n 5)"
cp every all
for c in script report; do
	fails 1 perf $c -i b.data --switch-on no-such 2>err
	has err "the recording has no event 'no-such'; 'perf evlist' lists its events"
done

# Times since the first sample, or the one before, add up to those that were recorded.
perf script -i b.data -F time --ns --reltime >from_start
perf script -i b.data -F time --ns --deltatime >from_last
paste -d ' ' all from_start from_last | tr -d : | awk '
	NR == 1 { first = $1; sum = 0 }
	{ sum += $4; bad += $3 - ($1 - first) > 2e-6 || ($1 - first) - $3 > 2e-6 || sum - $3 > 2e-6 || $3 - sum > 2e-6 }
	END { exit NR < 10 || bad }' || fail "$(paste all from_start from_last | head)"
head -n 1 from_start | grep -Eq '^ +0\.000000000: *$' || fail "$(head -n 1 from_start)"
fails 129 perf script -i b.data --reltime --deltatime 2>err
has err 'leave out one'
fails 129 perf script -i b.data --reltime --json 2>err
has err '^Error: --json has the times that were recorded'

# A chain ends behind the first function of the list; another sample's text is not taken for it.
perf script -i a.data -F ip,sym >whole
perf script -i a.data -F ip,sym --stop-bt workload_deep,no_such >stopped
awk '/^$/ { cut = 0; print; next } !cut { print } $2 == "workload_deep" { cut = 1 }' whole | cmp - stopped ||
	fail "$(head -n 20 stopped)"
has whole ' main$'
perf script -i a.data --json --stop-bt workload_deep >out
perf script -i a.data --json >all.json
[ "$(grep -o '"ip":' out | wc -l)" -lt "$(grep -o '"ip":' all.json | wc -l)" ] || fail "$(head -n 3 out)"
