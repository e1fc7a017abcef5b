#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: --stats and --tasks print what the kernel's perf prints of the same file
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock:u

perf record -q -e cpu-clock:u -o e.data -- sh -c '(true; sh -c "true; true") & sh -c "true | cat"; wait'
perf report -i e.data --stats >stats
perf report -i e.data --tasks >tasks

# What they say is in the file, by the words of script.
nr() { perf script -i e.data --show-task-events --show-mmap-events 2>/dev/null | grep -c "PERF_RECORD_$1"; }
[ "$(sed -n 's/^ *FORK events: *\([0-9]*\) .*/\1/p' stats)" = "$(nr FORK)" ] || fail "$(cat stats)"
[ "$(sed -n 's/^ *MMAP2 events: *\([0-9]*\) .*/\1/p' stats)" = "$(nr MMAP2)" ] || fail "$(cat stats)"
has stats '^ +TOTAL events: +[0-9]+$' '^cpu-clock:u stats:$'
has tasks '^# +pid +tid +ppid  comm$' '^ +0 +0 +-1 \|swapper$' '\|  sh$' '\|   sh$' '\|    cat$'

need_upstream
for o in --stats --tasks; do
	"$UPSTREAM" report -i e.data $o >theirs 2>/dev/null || skip "the other perf has no $o"
	"$PERF" report -i e.data $o >ours
	# The columns of 6.1 are narrower, and it does not indent who has no parent.
	for f in ours theirs; do sed -E 's/ +/ /g; s/^ //; s/[|] :/|:/' $f | grep -v '^$' >$f.text; done
	# In which order 6.1 prints the children of a process depends on their numbers modulo 256; who
	# has which parent is in the columns.
	[ $o = --stats ] || { sort -o theirs.text theirs.text; sort -o ours.text ours.text; }
	diff theirs.text ours.text || fail "$o differs from $("$UPSTREAM" version)"
done
fails 129 perf report --stats --json 2>err
has err 'leave out --json'
