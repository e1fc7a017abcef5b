#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: notes of stack accounts: the distribution's perf prints the same with and without them
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_upstream
need_python

perf record -q --defer=copy --stack-size 4096 -F 2000 -e cpu-clock$U -e page-faults$U -o noted.data -- \
	sh -c '"$0" test -w deep 3 0.2; "$0" test -w deep 60 0.2; ls /etc >/dev/null' "$PERF"
# The same file without: no mark, no bits, nothing behind samples; the first has some of all these.
python "$PERF_TEST_DIR/lib/strip-notes.py" noted.data plain.data >stripped
has stripped '^1 mark, [1-9][0-9]* notes'
perf report --stdio -i plain.data >report
has_not report '^# User stacks: .*whole'
for how in "script" "script -F comm,tid,time,event,misc,period,ip,sym,dso" "report --stdio" \
	"report --stdio --no-children -g caller --sort comm,dso,sym" "evlist -v"; do
	for file in noted plain; do
		"$UPSTREAM" $how -i $file.data 2>err | grep -v '^# (Tip:' >$file.out
		! grep -Ev "$LOST|No kallsyms|^assertion failed" err || fail "$how: $(cat err)"
	done
	cmp noted.out plain.out
	[ -s noted.out ] || fail "$how prints nothing"
done
# As a stream, and through its own inject.
perf stitch -q -i noted.data -o - | "$UPSTREAM" script -F comm,time,ip -i - >noted.out 2>err
perf stitch -q -i plain.data -o - | "$UPSTREAM" script -F comm,time,ip -i - >plain.out
cmp noted.out plain.out
if "$UPSTREAM" inject -b -i noted.data -o injected.data 2>err; then
	perf script -F comm,time,ip -i injected.data >/dev/null
fi
