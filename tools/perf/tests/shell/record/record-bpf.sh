#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a BPF program that was loaded before has its name
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-bpf.sh"
need_python
need_root
need_event cpu-clock
burns
for target in "-p $pid" -a; do
	perf record -q -e cpu-clock -F 999 $target -o perf.data -- $(while_on_cpu $pid 0.3) 2>err
	perf script -f -i perf.data --comm python3 -F ip,sym,dso >text
	[ "$(grep -c ' bpf_prog_[0-9a-f]*_burner (bpf_prog_[0-9a-f]*_burner)' text)" -ge 20 ] ||
		fail "$target: $(sort text | uniq -c | sort -rn | head -5)"
done
kill $pid
wait $pid || true
