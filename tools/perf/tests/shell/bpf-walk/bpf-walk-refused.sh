#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: what cannot be is refused with words; a killed recorder leaves nothing
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-bpf.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_python
for with in --overwrite --per-thread --no-stitch -n; do
	fails 129 perf record -q -e cpu-clock --defer=bpf $with -o refused.data -- true 2>err
	has err '\-\-defer=bpf excludes'
done
fails 129 perf record --defer=bpf,what -- true 2>err
has err 'known are auto, kernel, copy and bpf'
if offered sched:sched_switch; then
	fails perf record -q --defer=bpf -e sched:sched_switch -o refused.data -- true 2>err
	has err 'no event at whose samples'
fi
need_cmd setpriv
for caps in 'CAP_BPF and CAP_PERFMON:-all' 'CAP_BPF;:-bpf,-sys_admin' 'CAP_PERFMON;:-perfmon,-sys_admin'; do
	fails setpriv --bounding-set "${caps##*:}" --inh-caps "${caps##*:}" --no-new-privs \
		"$PERF" record -q -e cpu-clock:u --defer=bpf -o refused.data -- true 2>err
	grep -q "${caps%:*}" err || fail "$caps: $(cat err)"
done

leaves_no_program -e cpu-clock:u --defer=bpf
