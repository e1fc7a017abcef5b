#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: gprof2dot -f perf: each line of a sample is a frame that ends with its binary
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_python
need_recording

perf script -i two.data >text 2>err
reads gprof2dot work_net text
if command -v gprof2dot >/dev/null; then
	gprof2dot -f perf text >dot
	has dot 'work_net.*%'
fi
