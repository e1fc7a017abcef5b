#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: what it writes is read by Linux perf, without a warning
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
# The leak sanitizer begins threads, whose values of a group perf 6.1 takes for the other's.
export ASAN_OPTIONS=detect_leaks=0
need_event cpu-clock

need_upstream
export DEBUGINFOD_URLS=

# Same samples with the same chains: addresses without leading zeros, one line for each.
lines() { # READER FILE
	"$1" script --no-inline -i "$2" -F comm,tid,time,event 2>>err | sed -E 's/ +/ /g; s/^ //; s/ $//'
}
same() { # FILE
	: >err
	lines "$PERF" "$1" >ours
	lines "$UPSTREAM" "$1" >theirs
	[ -s ours ] || fail "$1: no samples"
	cmp ours theirs || fail "$1: $(diff ours theirs | head -n 5)"
	grep -Ev "$LOST" err >said || true
	[ ! -s said ] || fail "$1: $(head -n 5 said)"
	"$UPSTREAM" report --stdio -i "$1" >report 2>err </dev/null
	grep -Ev "$LOST" err >report.err || true
	has_not report.err 'nknown|arning|unexpected|malformed|[Ff]ailed'
}
reach_start() { # FILE: samples in deep() whose chain ends in _start, in %, as the other perf has it
	"$UPSTREAM" script --no-inline -i "$1" -F comm,ip,sym 2>/dev/null | awk -v RS= '
		/deep/ { n++; if (/_start/) w++ }
		END { if (!n) exit 1; printf "%d\n", 100 * w / n }'
}

work=("$PERF" test -w deep 12 0.4)
perf record -q --defer=copy -e cpu-clock -o stitched.data -- "${work[@]}"
same stitched.data
[ "$(reach_start stitched.data)" -ge 95 ] || fail "stitched: $(reach_start stitched.data) %"
perf record -q --call-graph dwarf -e cpu-clock -o raw.data -- "${work[@]}"
same raw.data
[ "$(reach_start raw.data)" -ge 90 ] || fail "raw: $(reach_start raw.data) %"

# What a killed recorder leaves is read as it is, and compressed once it is rewritten.
"$PERF" test -w noploop 300 & pid=$!
for z in "" -z; do
	rm -f killed.data
	"$PERF" record -q $z -g -e cpu-clock -o killed.data -p $pid & rec=$!
	wait_until has_samples killed.data 20
	kill -KILL $rec
	wait $rec 2>/dev/null || true
	[ ! "$z" ] || perf stitch -i killed.data 2>/dev/null
	"$UPSTREAM" script --no-inline -F comm,tid,time -i killed.data >theirs 2>/dev/null
	perf script -F comm,tid,time -i killed.data >ours 2>/dev/null
	[ -s ours ] && [ "$(wc -l <ours)" = "$(wc -l <theirs)" ] ||
		fail "killed $z: $(wc -l <ours) lines of ours, $(wc -l <theirs) of the other perf's"
done
end $pid
all=(-z '-z --defer=copy' '--per-thread -T' --switch-events '-d -P --data-page-size' '-k mono -W --code-page-size'
	'-D 20 -s' '-I --user-regs' '--overwrite -m 64' '--tail-synthesize' '--synth=task' '--group -R')
[ "$U" ] || all+=('--switch-events --all-cgroups' '-d -P --phys-data')
[ "$U" ] || [ "$(id -u)" != 0 ] || all+=(--namespaces)
for with in "${all[@]}"; do
	in_share 3 || continue
	perf record -q $with -g -e '{cpu-clock,page-faults}' -o with.data -- "$PERF" test -w thloop 0.2 3
	same with.data
done
periods() { "$@" script -i with.data -F tid,time,event,period 2>/dev/null | sed -E 's/ +/ /g; s/^ //; s/ $//'; }
for with in '{cpu-clock,page-faults}:S' 'cpu-clock:S' '{cpu-clock,page-faults,minor-faults}:S --running-time'; do
	perf record -q -e $with -o with.data -- "$PERF" test -w faulter 0.2
	periods "$PERF" >ours
	periods "$UPSTREAM" >theirs
	[ -s ours ] || fail "$with: no samples"
	cmp ours theirs || fail "$with: $(diff ours theirs | head -n 5)"
done
# Chains without a single entry are still chains.
perf record -q -g --kernel-callchains -e cpu-clock -o with.data -- "${work[@]}"
chains() { "$1" script -F comm,time,ip -i with.data 2>/dev/null | sed -E "s/ +/ /g; s/ \$//"; }
chains "$PERF" >ours
chains "$UPSTREAM" >theirs
cmp ours theirs || fail "--kernel-callchains: $(diff ours theirs | head -n 5)"
perf record -q -z -e cpu-clock -o - -- "${work[@]}" >pipe.data
"$UPSTREAM" script --no-inline -F comm -i - <pipe.data >theirs 2>err
[ "$(wc -l <theirs)" = "$(perf script -F comm -i - <pipe.data | wc -l)" ] || fail "-z -o -: $(cat err)"
perf record -q -e cpu-clock,page-faults -g -o two.data -- "$PERF" test -w faulter 0.2
same two.data
