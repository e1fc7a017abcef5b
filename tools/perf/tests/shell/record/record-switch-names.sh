#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --switch-output: ends with the first file that gets no name of its own
# limit: 240
. "$PERF_TEST_DIR/shell/record/lib-switch.sh"

long=$(printf '%0245d' 0).data
fails 1 perf record -g -e cpu-clock --switch-output=1s --switch-max-files 2 -o $long \
	-- "$PERF" test -w noploop 2.2 2>err
has err '^Error: cannot rename 0+\.data to .*: File name too long'
[ "$(perf script -i $long -F comm | wc -l)" -gt 20 ] || fail "the first file is lost"
[ ! -e $long.old ] || fail "files were begun under one name"
