#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: the code of a BPF program that was loaded before has source lines
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-bpf.sh"
need_python
need_root
need_event cpu-clock
burns
grep -q 'with lines' out || skip "the kernel takes no types of programs"
perf record -q -e cpu-clock -F 999 -p $pid -o perf.data -- $(while_on_cpu $pid 0.3) 2>err
kill $pid
wait $pid || true
# @1: what is shown
count() { grep -c "$1" text || true; }
perf script -i perf.data -F ip,sym,srcline >text
all=$(count ' bpf_prog_[0-9a-f]*_burner')
[ $all -ge 20 ] || fail "$all samples of the program"
[ $(count '^ *burner.bpf.c:4[1-4]$') -eq $all ] || fail "not $all lines: $(tail text)"
[ $(count ':42$') -ge 5 ] && [ $(count ':43$') -ge 5 ] || fail "$(sort text | uniq -c)"
perf report -i perf.data --stdio -s sym,srcline >report
grep -q ' bpf_prog_[0-9a-f]*_burner *burner.bpf.c:42' report || fail "$(cat report)"
# From one file to another they are kept.
perf inject -i perf.data -o again.data
perf script -i again.data -F ip,sym,srcline | cmp - text
# Who wants no records of programs gets none of this either.
perf record -q -e cpu-clock --no-bpf-event -o none.data -- true 2>err
perf report -i none.data --header-only >header
! grep -q bpf_prog_info header || fail "it has what is said of programs"
