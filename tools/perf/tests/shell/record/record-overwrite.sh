#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --overwrite: the end of a recording, in order, and nothing lost but what is older
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-overwrite.sh"

# The rings are far too small for all of it, and nothing is lost but what is older.
perf record -q -F 5000 -g -m 4 -k mono --overwrite -e cpu-clock -o end.data -- "$PERF" test -w deep 12 1
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
