#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch and script: pipes are read as they come, and what waits is bounded
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd zstd mkfifo

text() { perf script -F comm,pid,tid,time,event,ip -i "$1"; }

# A recorded pipe with deferred callchains: as a file, and through pipes, it gives the same.
zstd -qdc "$PERF_TEST_DIR/data/deferred/f4.pipe.zst" >f4
perf stitch -q -i f4 -o file.data
text file.data >want
cat f4 | text - >got
cmp want got
cat f4 | perf stitch -q -i - -o file2.data
text file2.data >got
cmp want got
cat f4 | perf stitch -i - -o - --stats 2>stats >stream
text stream >got
cmp want got
has stats 'deferred, joined +1391 +1391' 'in kernel at end'
for z in '' -z; do
	perf stitch -q $z -i stream -o - >again
	perf stitch -q $z -i - -o - <again >again2
	cmp again again2
done
perf stitch -q -i stream -o stream.data
cmp <(perf script -D -i stream.data | grep -c SAMPLE) <(perf script -D -i file.data | grep -c SAMPLE)

# What cannot wait passes, with its record, and is joined later.
for size in 1 10k 100k; do
	cat f4 | perf stitch -i - -o - --max-pending $size 2>err >tight
	has err 'passed unmerged'
	perf script -D -i tight >dump
	has dump CALLCHAIN_DEFERRED
	text tight >got
	cmp want got
	perf stitch -q -i tight -o tight.data
	text tight.data >got
	cmp want got
done
fails 129 perf stitch --max-pending none 2>err

# Cut off anywhere: what came is there, and the status tells.
for n in 100 5000 100001 400000; do
	head -c $n f4 >cut
	fails 1 perf stitch -q -i - -o - <cut >part 2>err
	has err 'cut off'
done

# Samples leave while the recorder runs: the first line ends the recording.
need_event cpu-clock
start=$SECONDS
perf record -q -e cpu-clock -g -o - -- bash -c '
		end=$((SECONDS + 60))
		while [ $SECONDS -lt $end ] && ! [ -e stop ]; do :; done' |
	perf stitch -q -i - -o - | perf script -F comm,time -i - |
	{ read -r line; touch stop; cat >rest; }
[ $((SECONDS - start)) -lt 50 ] || fail "the first sample came after the end"
