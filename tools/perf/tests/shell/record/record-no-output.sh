#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: an output that cannot be written is named, and nothing is left
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

fails 1 perf record -e cpu-clock -o no/where.data -- true 2>err
has err '^Error: cannot open no/where\.data for writing: No such file'
mkdir dir
fails 1 perf record -e cpu-clock -o dir -- true 2>err
has err '^Error: cannot open dir for writing: Is a directory'
[ -z "$(ls dir)" ] || fail "in dir: $(ls dir)"
fails 1 perf record -e cpu-clock -o /dev/full -- true 2>err
has err '^Error: cannot write /dev/full after 0 bytes: No space left' '^Write to another disk'
has_not err 'Captured' 'kept'
[ -c /dev/full ] && [ ! -e /dev/full.old ] || fail "/dev/full is not what it was"
