#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report, script: without names of kernel functions, it is said why
. "$PERF_TEST_DIR/shell/lib.sh"

need_root
need_event cpu-clock

perf record -q -e cpu-clock:k -o k.data -- "$PERF" test -w faulter 0.2
echo '0000000000000000 T _text' >hidden
for c in report script; do
	perf $c --kallsyms hidden -i k.data >out 2>err
	has err '^Warning: no kernel symbols: hidden hides its addresses' 'kernel.kptr_restrict'
	perf $c --kallsyms hidden -q -i k.data >out 2>err
	[ ! -s err ] || fail "$c -q: $(cat err)"
done
perf script --kallsyms hidden -F comm -i k.data >out 2>err
[ ! -s err ] || fail "no symbols are asked for: $(cat err)"
