#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report, script: what to do for more whole stacks is said once, whatever the form of output
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

# Stacks that copies are too short for.
perf record -q -e "cpu-clock$U" -F 2000 -g --defer=copy --stack-size 1024 -o w.data -- "$PERF" test -w deep 300 0.4 2>err
for form in "report --stdio" "report --json" "report --brief" "report --brief --json" "script"; do
	perf $form -i w.data >out 2>&1
	[ "$(grep -c 'copies up to 64 kB' out)" = 1 ] || fail "$form: $(grep -n 'copies up to 64 kB' out)"
done
