#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: the code of a BPF program that was loaded and removed while recording has source lines
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-bpf.sh"
need_python
need_root
need_event cpu-clock
burns
kill $pid
wait $pid || true
grep -q 'with lines' out || skip "the kernel takes no types of programs"

# Loads it when the recording has begun; ends when the kernel has forgotten the program.
cat >load.sh <<'END_LOAD'
/usr/bin/python3 "$PERF_TEST_DIR/lib/bpf-burner.py" $1 >loaded 2>&1 &
pid=$!
until grep -q loaded loaded; do sleep 0.05; done
id=$(grep -hs '^prog_id:' /proc/$pid/fdinfo/* | awk '{ print $2; exit }')
"$PERF" test -w waiter $pid 1
kill $pid
wait $pid
while /usr/bin/python3 "$PERF_TEST_DIR/lib/bpf-programs.py" | grep -qx "$id"; do sleep 0.05; done
END_LOAD
# @1: of this recording: each sample of the program has a line of it
check() {
	perf script -i "$1" -F ip,sym,srcline >text
	all=$(grep -c ' bpf_prog_[0-9a-f]*_burner' text || true)
	[ "$all" -ge 20 ] || fail "$1: $all samples of the program"
	[ "$(grep -c '^ *burner.bpf.c:4[1-4]$' text)" -eq "$all" ] || fail "$1: not $all lines: $(tail text)"
}
perf record -q -e cpu-clock -F 999 -o once.data -- bash load.sh $bpf 2>err
check once.data
# With a file for each signal, the last one, too.
perf record -q -e cpu-clock -F 999 --switch-output -o files.data -- bash load.sh $bpf 2>err
check "$(ls files.data.*)"
