#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: Go's runtime on another stack, and who has called it
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
. "$PERF_TEST_DIR/shell/lib-go.sh"

for program in heap stripped; do
	perf record -F 2000 -e cpu-clock:u --defer=bpf -o $program.data -- ./$program 2>err
	work_on_behalf $program.data ||
		fail "$program: no stack leads from runtime.systemstack to main.work: $(cat err)"
	python "$SOURCE/scripts/check-chains.py" --perf "$PERF" -v $program.data >checked ||
		fail "$program: $(cat checked)"
done
