#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity --defer=bpf: one program reads ids and walks stacks, and both are true
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/activity/lib-activity.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
nm "$PERF" 2>/dev/null | grep perf_test_activity >/dev/null || skip "this perf has no symbols, or there is no nm"
regs=iregs
perf record -F 2000 -e cpu-clock:u --defer=bpf,check --intr-regs=r15 --activity=tls:perf_test_activity \
	-o perf.data -- "$PERF" test -w activity value 0.5 3 2>err || fail "$(cat err)"
has err 'samples with ids, of [0-9]+ processes' ' compared with copies, 0 different'
[ "$(compared err)" -ge 500 ] || fail "$(cat err)"
check_ids perf.data 1000 >said || fail "$(cat said)"
grep -q ' of 4 threads' said || fail "$(cat said)"
perf script -i perf.data -F ip,sym >text
grep -q workload_activity text || fail "$(head text)"

# Longer ones, behind chains of any length; an event without stacks has them, too.
perf record -F 1000 -e cpu-clock:u -e cpu-clock/call-graph=no/u --defer=bpf --intr-regs=r15 --activity=otel \
	-o otel.data -- "$PERF" test -w activity otel 0.5 2 2>err || fail "$(cat err)"
check_ids otel.data 500 >said || fail "$(cat said)"
grep -q '/0200000000000000 {route=/api, user=bob} ' ids.txt || fail "$(tail -n 3 ids.txt)"
[ "$(perf script -i otel.data -F event,activity -G | grep -c 'call-graph=no.*user=bob')" -ge 50 ] ||
	fail "$(perf script -i otel.data -F event,activity -G | tail -n 5)"

# --defer alone does so where it walks in the kernel, by one program.
"$PERF" test -w activity value 60 1 &
pid=$!
perf record -v -F 500 -e cpu-clock:u --defer --activity=tls:perf_test_activity -p $pid -o auto.data -- \
	bash -c '"$@"; cat /proc/$PPID/fdinfo/* >fdinfo 2>/dev/null' - $(while_on_cpu $pid 1) 2>err || fail "$(cat err)"
end $pid
grep -q '^--defer=copy' err || exit 0
[ "$(awk '/^prog_type:/ && $2 == 7' fdinfo | wc -l)" = 1 ] || fail "$(grep prog_ fdinfo)"
has err 'stacks walked in the kernel' 'samples with ids'
