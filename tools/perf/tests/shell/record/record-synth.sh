#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: what is told of the state at the start, or at the end
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

cp "$PERF" target # once it has another name than its shell, it runs
./target test -w noploop 600 & pid=$!
wait_until runs $pid target
rec() { perf record -q -g -e cpu-clock -o s.data "$@" -p $pid -- $(while_on_cpu $pid 0.1); perf report -D -i s.data >dump; }
symbols() { perf script -i s.data -F comm,ip,sym | grep -c ' noploop$' || true; }

rec --synth=no
has_not dump "PERF_RECORD_COMM.*$pid" "PERF_RECORD_MMAP2 $pid"
[ "$(symbols)" = 0 ] || fail "--synth=no: symbols are known"
rec --synth=task
has dump "PERF_RECORD_COMM: target:$pid"
has_not dump "PERF_RECORD_MMAP2 $pid"
for parts in mmap all cgroup,mmap; do
	rec --synth=$parts
	has dump "PERF_RECORD_COMM: target:$pid" "PERF_RECORD_MMAP2 $pid"
	[ "$(symbols)" -gt 10 ] || fail "--synth=$parts: $(symbols) symbols"
done
for bad in '' x all, task:mmap; do
	fails 129 perf record --synth=$bad -- true 2>err
	has err 'no, all, or a list'
done

# At the end of the file, and known all the same; no reader may go on before it.
rec --tail-synthesize
[ "$(symbols)" -gt 10 ] || fail "--tail-synthesize: $(symbols) symbols"
has_not dump FINISHED_ROUND
fails 129 perf record --tail-synthesize --defer=copy -p $pid 2>err
has err '--no-stitch'

# Namespaces are those that /proc shows.
if perf record -q --namespaces -e cpu-clock -o n.data -- true 2>err; then
	rec --namespaces
	has dump "PERF_RECORD_NAMESPACES $pid/$pid.* 7"
	printf -v mnt '%x' "$(stat -Lc %i /proc/$pid/ns/mnt)"
	has dump "mnt: [0-9a-f]+/0x$mnt"
fi
end $pid
