#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf2bolt (LLVM BOLT) makes a profile of recordings with and without branch stacks, by this perf
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_python
need_cmd gcc objdump

cat >loop.c <<'END'
volatile unsigned long n;
__attribute__((noinline)) void leaf(unsigned long v) { n += v; }
__attribute__((noinline)) void work(void) { for (unsigned long i = 0; i < 50000000UL; i++) leaf(i); }
int main(void) { work(); return 0; }
END
gcc -O1 -no-pie -fno-omit-frame-pointer -Wl,-q loop.c -o loop
python "$PERF_TEST_DIR/lib/made-recording.py" lbr lbr.data loop

# What it asks for, and the words that it looks for in a refusal.
perf script -F pid,brstack -f -i lbr.data >branches 2>err
has branches '^ *4711  (0x[0-9a-f]+/0x[0-9a-f]+/[PM-]/-/-/[0-9]+/[A-Z]*/-  ?){16}$'
perf script --show-mmap-events --no-itrace -f -i lbr.data >mmaps 2>err
has mmaps "[0-9]+\.[0-9]{6}: PERF_RECORD_MMAP2 4711/4711: \[0x[0-9a-f]+\(0x[0-9a-f]+\) @ (0x)?[0-9a-f]+ .*\]: r-xp /.*loop$"
perf script --show-task-events --no-itrace -f -i lbr.data >tasks 2>err
has tasks 'PERF_RECORD_COMM exec: loop:4711/4711'
fails 1 perf script -F pid,event,addr,ip -f -i lbr.data >out 2>err
has err "Samples for '.*' event do not have ADDR attribute set. Cannot print 'addr' field\."
fails 129 perf script -F pid,brstack --itrace=bl -f -i lbr.data 2>err
has err 'hardware traces are not decoded'

# The program itself runs perf from the PATH.
bolt=$(installed /usr/bin/perf2bolt /usr/lib/llvm-*/bin/perf2bolt)
[ -n "$bolt" ] || skip "its grammar is right; perf2bolt is not installed (Debian: bolt-19)"
"$bolt" -p lbr.data -o lbr.fdata loop >bolt 2>&1 || fail "$(tail -n 3 bolt)"
has bolt 'read 200 samples and 3200' 'traces mismatching disassembled function contents: 0'
has lbr.fdata '^1 work [0-9a-f]+ 1 leaf 0 0 1067$' '^1 work [0-9a-f]+ 1 work [0-9a-f]+ 1067 1067$'
need_event cpu-clock:u
perf record -q -e cpu-clock:u -F 999 -o clock.data -- ./loop 2>err
"$bolt" -nl -p clock.data -o clock.fdata loop >bolt 2>&1 || fail "$(tail -n 3 bolt)"
has clock.fdata '^no_lbr cpu-clock:u:?$' '^1 (work|leaf) [0-9a-f]+ [0-9]+$'
