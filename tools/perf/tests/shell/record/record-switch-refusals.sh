#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --switch-output, --control: what is no size, time, or file is refused
. "$PERF_TEST_DIR/shell/record/lib-switch.sh"

for bad in 5 5x m -1M nosignal; do
	fails 129 perf record --switch-output=$bad -o b.data -- true 2>err
	has err 'signal, a size'
done
fails 129 perf record --switch-output -o - -- true 2>err >/dev/null
for bad in ctl fd:99 fd:x fifo:no-such pipe:1; do
	fails 129 perf record --control $bad -o b.data -- true 2>err
	has err '^Error: --control'
done
