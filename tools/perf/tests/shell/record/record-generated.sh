#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: chains of generated programs are those that their functions spell; bpf has as many as copy
# limit: 600
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc g++ clang clang++ strip
need_python
need_source
[ "$(uname -m)" = x86_64 ] || skip "the programs are for x86-64"

# A share of the programs, with as many ways of recording as there are here.
numbers=0,8,26
[ -z "${PERF_TEST_THOROUGH:-}" ] || numbers+=,7,14,43,$(seq -s, 3 10 149)
# Of program 113 a copy reaches the end of one stack in twenty: some 50 in this time.
ways=copy
[ "$(id -u)" != 0 ] || ways=bpf,copy
TMPDIR=$PWD python "$SOURCE/tools/perf/bench/generated-programs" --perf "$PERF" --only "$numbers" --ways "$ways" \
	--seconds 0.3 --least 20 >out || fail "$(cat out)"
cat out
