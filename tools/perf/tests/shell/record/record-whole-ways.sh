#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: what the kernel walks is at least as whole as copies, of workloads and programs that are installed
# limit: 600
# exclusive
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_event cpu-clock
need_cmd gcc g++ setsid timeout
need_python
need_source
"$PERF" record -q --defer=bpf -o probe.data -- true >out 2>&1 || skip "cannot walk stacks in the kernel here: $(head -n 1 out)"

names=deep,forker,otherstack,plugin,memorycode,python3,c++,c-ucontext least=5
options=(--seconds 0.6 --least 600 --freq 4999)
if [ -n "${PERF_TEST_THOROUGH:-}" ]; then
	names+=,thloop,inlineloop,faulter,movedtext,perl,bash,c-threads,c-dlopen least=9
	options=(--seconds 1 --least 2000 --freq 4999)
fi
TMPDIR=$PWD python "$SOURCE/tools/perf/bench/whole-ways" --perf "$PERF" --only "$names" --ways bpf,copy \
	"${options[@]}" >out || fail "$(cat out)"
cat out
[ "$(grep -c '^| [a-z]' out)" -ge $least ] || fail "few programs were recorded"
