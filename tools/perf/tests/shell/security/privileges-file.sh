#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record with capabilities of its file: they count while events are opened, then go
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_cmd setpriv setcap
need_event cpu-clock
[ "$(cat /proc/sys/kernel/perf_event_paranoid)" -ge 2 ] || skip "kernel.perf_event_paranoid lets everybody see the kernel"

as=(setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all)
cp "$PERF" perf-copy
chmod 777 .
setcap cap_perfmon,cap_sys_ptrace=ep perf-copy || skip "files have no capabilities here"
"${as[@]}" ./perf-copy version >out || skip "a file with capabilities cannot be run here"

sets='^(Cap|NoNewPrivs|Seccomp:)'
"${as[@]}" grep -E "$sets" /proc/self/status >expected
"${as[@]}" ./perf-copy record --defer=copy -e cpu-clock -o x.data -- bash -c "
	grep -E '$sets' /proc/self/status >got
	grep -E '^(CapEff|CapPrm|NoNewPrivs)' /proc/\$PPID/status >recorder
	for ((i = 0; i < 200000; i++)); do :; done" 2>err || fail "$(cat err)"
has_not err 'user space only'
cmp expected got || fail "the command's: $(cat got)"
# What is left is for looking at others' programs.
has recorder '^CapEff:.0000000000080000$' '^CapPrm:.0000000000080000$' '^NoNewPrivs:.1$'
perf report -f --header-only -i x.data >header
has_not header 'exclude_kernel = 1'

# A program of another user.
setpriv --reuid=54322 --regid=54322 --clear-groups "$PERF" test -w deep 20 100 & target=$!
trap 'kill $target' EXIT
"${as[@]}" ./perf-copy record -q --defer=copy -e cpu-clock -p $target -o p.data -- \
	bash -c "$(while_on_cpu $target 0.3)" 2>err || fail "$(cat err)"
perf script -f -i p.data -F ip,sym >lines
has lines ' deep' ' main'
