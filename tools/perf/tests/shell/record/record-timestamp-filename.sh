#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --timestamp-filename: the file has the time in its name, and its end says so
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

mkdir names
perf record --timestamp-filename -e cpu-clock -o names/perf.data -- true 2>err
ls names >list
has list "^perf\.data\.$(date +%Y)[0-9]{12}\$"
has err "Captured and wrote .* names/perf\.data\.$(date +%Y)[0-9]{12} "
