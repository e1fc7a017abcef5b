#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf --off-cpu: stacks of waits, which no program walks, are whole beyond 8 kB
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_cmd taskset
cpu=$(taskset -cp $$ | sed 's/.*[: ,-]//')

# Two threads take turns on a CPU; their stacks have more than 20 kB.
record_checked 300 --off-cpu -- bash -c \
	"taskset -c $cpu $PERF test -w deep 20 1 large & taskset -c $cpu $PERF test -w deep 20 1 large; wait"
perf script -F comm,event,ip,sym | awk -v RS= '
	/offcpu-time/ && /workload_large/ { n++; whole += /_start/ }
	END { printf "%d of %d\n", whole, n; exit n < 30 || whole < n }' >counts || fail "$(cat counts err)"
