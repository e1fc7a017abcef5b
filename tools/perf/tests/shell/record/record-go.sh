#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: stacks of Go go on behind its runtime's own stacks
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-go.sh"
need_event cpu-clock:u

for program in heap stripped; do
	perf record -F 2000 -e cpu-clock:u --defer=copy -o $program.data -- ./$program 2>err
	work_on_behalf $program.data ||
		fail "$program: no stack leads from runtime.systemstack to main.work: $(cat err)"
	python "$SOURCE/scripts/check-chains.py" --perf "$PERF" -v $program.data >checked ||
		fail "$program: $(cat checked)"
done

# It makes the difference: copies that are kept for other readers have no such chain.
perf evlist -v -i heap.data >attr
has_not attr 'exclude_callchain_user: 1'
perf record -F 2000 -e cpu-clock:u --defer=copy --no-stitch -o raw.data -- ./heap 2>err
perf evlist -v -i raw.data >attr
has attr 'exclude_callchain_user: 1'
! work_on_behalf raw.data || fail "main.work was found without a chain by frame pointers"
