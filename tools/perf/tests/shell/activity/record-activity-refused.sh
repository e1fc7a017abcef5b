#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity: what cannot be is refused with words; a killed recorder leaves nothing
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-bpf.sh"
. "$PERF_TEST_DIR/shell/activity/lib-activity.sh"
refused() { # WORDS OPTIONS...
	local words=$1
	shift
	fails 129 perf record -q "$@" -o refused.data -- true 2>err
	grep -q -- "$words" err || fail "$*: $(cat err)"
}
refused 'must be otel, labels' --activity=what
refused 'needs the name' --activity=tls:
refused 'from 1 to 64' --activity=tls:a,65
refused 'excludes --overwrite' --activity --overwrite
refused 'excludes --per-thread' --activity --per-thread
refused 'excludes --no-samples' --activity -n
if offered sched:sched_switch; then
	fails perf record -q --activity -e sched:sched_switch -o refused.data -- true 2>err
	grep -q 'no event at whose samples' err || fail "$(cat err)"
fi
need_cmd setpriv
for caps in 'CAP_BPF and CAP_PERFMON:-all' 'CAP_BPF;:-bpf,-sys_admin' 'CAP_PERFMON;:-perfmon,-sys_admin'; do
	fails setpriv --bounding-set "${caps##*:}" --inh-caps "${caps##*:}" --no-new-privs \
		"$PERF" record -q -e cpu-clock:u --activity -o refused.data -- true 2>err
	grep -q "${caps%:*}" err || fail "$caps: $(cat err)"
done

leaves_no_program -e cpu-clock:u --activity
