#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: options that change nothing that can be seen are taken
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

perf record -q -B -N --buildid-all -e cpu-clock -o b.data -- true
perf record -q --aio --aio=2 --proc-map-timeout 100 --num-thread-synthesize 2 -e cpu-clock -o a.data -- true
