#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: recordings of perf 5.10, and of s390x, read as they do where they come from
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd zstd

# Perf prints callers of an unwound chain one byte too low, and relative to their file.
squeeze() { sed -E 's/^\s+[0-9a-f]+ / /; s/ +/ /g'; }

# as_there DIR FILE FIELDS: the text that perf made of it there is ours, too, of the recording and of
# what is stitched of it.
as_there() {
	local data=$PERF_TEST_DIR/data/$1 fields=comm,pid,tid,time,event,$3
	mkdir -p $1/usr/bin
	zstd -qdc "$data/deep.zst" >$1/usr/bin/deep
	zstd -qdc "$data/$2.zst" >$2
	squeeze <"$data/$2.txt" >theirs
	perf script --symfs $1 -F $fields -i $2 | squeeze >ours
	diff theirs ours
	perf stitch -q --symfs $1 -i $2 -o stitched
	perf script -F $fields --symfs $1 -i stitched | squeeze >ours
	diff theirs ours
	perf script -D -i stitched >dump
	has_not dump '\.\.\. ustack'
}

for f in fp.data dwarf.data dwarf.pipe; do
	as_there perf-5.10 $f ip,sym,dso
done
perf stitch -n --stats --symfs perf-5.10 -i dwarf.pipe >stats 2>/dev/null
has stats 'whole +([0-9]+) +([0-9]+) +[0-9]+$' 'cpu-clock:u +page-faults:u +total'

# From QEMU; see make.sh beside them.
for f in copy.data packed.data copy.pipe; do
	as_there s390x $f ip,sym,dso
done
as_there s390x trace.data trace,ip
perf script --header-only -i copy.data >header
has header '# arch : s390x' '# hostname : s390' '# nrcpus online : 1'
