#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: recordings of perf 5.10 read as it reads them, and are stitched
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd zstd

data=$PERF_TEST_DIR/data/perf-5.10
mkdir -p root/usr/bin
zstd -qdc "$data/deep.zst" >root/usr/bin/deep

# It printed the callers of an unwound chain one byte too low.
text() { perf script -F comm,pid,tid,time,event,ip,sym,dso "$@" | sed -E 's/^\s+[0-9a-f]+ / /'; }

for f in fp.data dwarf.data dwarf.pipe; do
	zstd -qdc "$data/$f.zst" >$f
	sed -E 's/^\s+[0-9a-f]+ / /; s/ +/ /g' "$data/$f.txt" >theirs
	text --symfs root -i $f | sed 's/ \+/ /g' >ours
	diff theirs ours
	perf stitch -q --symfs root -i $f -o stitched
	text --symfs root -i stitched | sed 's/ \+/ /g' >ours
	diff theirs ours
	perf script -D -i stitched >dump
	has_not dump '\.\.\. ustack'
done
perf stitch -n --stats --symfs root -i dwarf.pipe >stats 2>/dev/null
has stats 'whole +([0-9]+) +([0-9]+) +[0-9]+$' 'cpu-clock:u +page-faults:u +total'
