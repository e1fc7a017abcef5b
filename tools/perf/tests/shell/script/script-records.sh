#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script --header-only, --show-*-events: the header, and other records
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

perf script -i x.data --header-only >header
has header '^# hostname : ' '^# cmdline : .*record' '^# event : name = cpu-clock(:u)?, , id = \{ [0-9]'
perf script -i x.data --show-task-events --show-mmap-events >records
has records 'PERF_RECORD_COMM exec: ' 'PERF_RECORD_MMAP2 [0-9]+/[0-9]+: \[0x[0-9a-f]+\(0x[0-9a-f]+\) @ '

# -D is in the order of the file, and -I has nothing to add to the header.
perf script -i x.data -D >dump
has dump PERF_RECORD_SAMPLE
perf script -i x.data --dump-unsorted-raw-trace | cmp - dump
perf script -i x.data --header-only -I | cmp - header
