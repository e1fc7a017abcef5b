#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -a: descriptors that are missing for events or binaries are said
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_root
need_event cpu-clock

(ulimit -n 12; fails 1 perf record -a -e cpu-clock,page-faults,cs,faults -o all.data -- true 2>err)
has err '^Error: .*[Tt]oo many open files' '^Raise (it|the limit) \(ulimit -n'
"$PERF" test -w deep 20 200 & load=$!
(ulimit -n $((20 + 3 * $(nproc)))
 perf record -a --defer=copy -e cpu-clock -o few.data -- sh -c 'for i in 1 2 3 4 5; do
	cp /bin/sh few$i; ./few$i -c "sleep 1; i=0; while [ \$i -lt 100000 ]; do i=\$((i + 1)); done" &
 done; wait' 2>err)
end $load
has err 'unreadable binary' '^Warning: some stacks are cut off: .*ulimit -n'
[ "$(samples few.data)" = "$(captured)" ] || fail "few: $(samples few.data) samples: $(cat err)"
