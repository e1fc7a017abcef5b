#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf.data: the distribution's perf reads ours without a warning, and we read its
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

need_upstream

# One line for each sample, blanks squeezed: enough to see that nothing is lost or moved.
fields=comm,tid,time,period,event
lines() { "$1" script --no-inline -F $fields -i "$2" 2>err.txt | tr -s ' ' | sed 's/^ //; s/ $//'; }

# What both show of a header; versions differ in how they spell attrs.
header() {
	sed -En 's/, type = .*//; /^# (data|feat|hostname|os rel|perf ver|arch|nrcpus|cpudesc|cpuid|total)/p
		/^# (cmdline|event|time of|sample dur|compressed)/p'
}

# @1: what recorded it, @2: the file. Upstream must have nothing to say about it.
same() {
	lines "$UPSTREAM" "$2" >theirs
	grep -Ev "$LOST" err.txt >said || true
	[ ! -s said ] || fail "$1, $2: upstream says: $(head -3 said)"
	lines "$PERF" "$2" >ours
	[ "$(grep -c . ours)" -gt 50 ] || fail "$1, $2: only $(grep -c . ours) samples"
	cmp -s ours theirs || fail "$1, $2: $(diff ours theirs | head -5 || true)"
	"$UPSTREAM" evlist -v -i "$2" >/dev/null 2>err.txt
	[ ! -s err.txt ] || fail "$1, $2: upstream says: $(head -3 err.txt)"
	"$UPSTREAM" report --header-only -i "$2" 2>err.txt | header >theirs
	[ ! -s err.txt ] || fail "$1, $2: upstream says: $(head -3 err.txt)"
	"$PERF" report --header-only -i "$2" 2>err.txt | header >ours
	cmp -s ours theirs || fail "$1, $2: $(diff ours theirs | head -5 || true)"
}

busy=("$PERF" test -w noploop 0.2)
tracepoint=
[ -r /sys/kernel/tracing/events/sched/sched_switch/id ] && [ "$(id -u)" = 0 ] &&
	tracepoint="-e sched:sched_wakeup"

ours_record() { perf record -q "$@" 2>err.txt || fail "$(cat err.txt)"; }
for who in ours upstream; do
	${who}_record -e cpu-clock -g -o g.data -- "${busy[@]}" || cannot_record
	same $who g.data
	${who}_record -e cpu-clock -e page-faults $tracepoint -o e.data -- "${busy[@]}" || cannot_record
	same $who e.data
	${who}_record -e cpu-clock --call-graph dwarf -o d.data -- "${busy[@]}" || cannot_record
	same $who d.data
done
"$PERF" record -q -e cpu-clock --defer=copy -o defer.data -- "${busy[@]}" 2>/dev/null
same perf defer.data

# Samples of a pipe; upstream shows the callchains of one whatever fields are asked for.
count() { "$1" script --no-inline -F comm,tid,time -i "$2" 2>err.txt | grep -c $'^[^\t]' || true; }

"$PERF" record -q -e cpu-clock -g -o - -- "${busy[@]}" 2>/dev/null >ours.pipe
n=$(count "$UPSTREAM" ours.pipe)
[ ! -s err.txt ] || fail "ours.pipe: upstream says: $(head -3 err.txt)"
[ "$n" -gt 50 ] && [ "$n" = "$(count "$PERF" ours.pipe)" ] || fail "ours.pipe: $n"
upstream_record -e cpu-clock -g -o - -- "${busy[@]}" >theirs.pipe || cannot_record
n=$(count "$UPSTREAM" theirs.pipe)
[ "$n" -gt 50 ] && [ "$n" = "$(count "$PERF" theirs.pipe)" ] || fail "theirs.pipe: $n"

# Compressed, and a directory.
if upstream_record -z -e cpu-clock -g -o z.data -- "${busy[@]}"; then
	same upstream z.data
fi
if upstream_record --threads -e cpu-clock -g -a -o dir.data -- "${busy[@]}"; then
	n=$(count "$UPSTREAM" dir.data)
	[ "$n" = "$(count "$PERF" dir.data)" ] || fail "dir.data: $n"
fi
