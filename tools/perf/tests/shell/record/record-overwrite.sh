#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --overwrite: what came last, at the end, at signals, events and on command
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

span() { # FILE: first and last time, and how many samples
	perf script -i "$1" -F time | awk '{ t = $1 + 0 } NR == 1 { first = t }
		END { printf "%.6f %.6f %d\n", first, t, NR }'
}

# The rings are far too small for all of it, and nothing is lost but what is older.
perf record -q -F 5000 -g -m 4 -k mono --overwrite -e cpu-clock -o end.data -- "$PERF" test -w deep 12 2
read -r first last nr <<<"$(span end.data)"
[ "$nr" -gt 50 ] && [ "$nr" -lt 5000 ] || fail "$nr samples in rings of 4 pages"
perf script -i end.data -F comm,ip,sym,dso >lines
has lines workload_spin
has_not lines '^ *:[0-9]+'
perf report -D -i end.data >dump
has_not dump FINISHED_ROUND 'PERF_RECORD_LOST '
has dump 'PERF_RECORD_COMM exec: perf'
perf report --header-only -i end.data >header
has header 'write_backward = 1'
# Copies are unwound with the mappings of their time, as ever.
# (Without the threads that the leak sanitizer begins at the end, on stacks of their own.)
perf record -F 5000 -m 64 --overwrite --defer=copy -e cpu-clock -o copy.data -- \
	env ASAN_OPTIONS=detect_leaks=0 "$PERF" test -w deep 12 1 2>err
has err ' whole user stacks \((100|9[5-9])\.'
perf record -q --overwrite --per-thread -z -e cpu-clock -o thread.data -- "$PERF" test -w noploop 0.2
perf script -i thread.data -F time | awk '{ if ($1 + 0 < t) exit 1; t = $1 + 0 }' || fail "not in order"
fails 129 perf record --overwrite --defer=kernel -- true 2>err
has err 'defer=copy'

# At a command, into the same file; at SIGUSR2, into one of its own.
"$PERF" test -w noploop 600 & pid=$!
mkfifo ctl ack
exec 7<>ctl 8<>ack
ask() { echo "$1" >&7; read -r -t 60 answer <&8 || fail "no answer to $1"; [ "$answer" = ack ]; }
# With registers, so that a page does not last through a gap where the CPU is shared with many.
"$PERF" record -m 1 -F 5000 -g -I --user-regs --overwrite --control fifo:ctl,ack -e cpu-clock -o c.data \
	-p $pid 2>err & rec=$!
ask ping
for _ in 1 2; do
	sleep 1 # a gap, which is long beside what a page holds
	$(while_on_cpu $pid 0.2)
	ask snapshot
done
$(while_on_cpu $pid 0.2)
ask stop
wait $rec
perf script -i c.data -F time | awk '{ t = $1 + 0; if (l && t > l + 0.3) gaps++; l = t }
	END { exit gaps < 1 }' || fail "snapshots: no gaps in $(span c.data)"
mkdir signal
"$PERF" record -m 4 -F 5000 -g --overwrite --switch-output -e cpu-clock -o signal/perf.data -p $pid 2>err & rec=$!
at_work() { ls -l /proc/$rec/fd | grep -q perf_event; }
wait_until at_work
$(while_on_cpu $pid 0.3)
dumped() { [ "$(grep -c Dump err)" = "$1" ]; }
for n in 1 2; do
	kill -USR2 $rec
	wait_until dumped $n
	$(while_on_cpu $pid 0.3)
done
kill -INT $rec
wait $rec || true
[ "$(ls signal | wc -l)" = 3 ] || fail "SIGUSR2: $(ls signal)"
end=0
for f in signal/*; do
	read -r first last nr <<<"$(span "$f")"
	awk "BEGIN { exit !($first > $end && $nr > 10) }" || fail "$f: $first to $last behind $end"
	end=$last
	perf script -i "$f" -F comm,ip,sym >lines
	has lines workload_spin
done

# By time, and whenever an event happens.
mkdir time event
timeout 120 "$PERF" record -q --overwrite --switch-output=1s -e cpu-clock -o time/perf.data -p $pid -- \
	sh -c 'until [ "$(ls time | wc -l)" -gt 1 ]; do sleep 0.1; done' || fail "--switch-output=1s: $(ls time)"
end $pid
fails 129 perf record --switch-output-event no-such-event -- true 2>err
has err "unknown event 'no-such-event'"
[ "$U" ] && skip "who sees user space only has no event that happens seldom"
perf record --switch-output-event context-switches -g -e cpu-clock -o event/perf.data \
	-- sh -c "'$PERF' test -w noploop 0.2; sleep 0.1; '$PERF' test -w noploop 0.2" 2>err
[ "$(ls event | wc -l)" -gt 3 ] || fail "--switch-output-event: $(ls event)"
has err 'Dump event/perf\.data'
perf script -i "$(ls event/* | tail -n 1)" -F event >lines
has_not lines context-switches
