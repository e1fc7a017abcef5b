#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data convert: every format has the stacks and the periods of the recording
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-convert.sh"
need_event cpu-clock
need_python

record() { perf record -q -F 2000 -o "$@" -- "$PERF" test -w deep 20 0.3; }
record chains.data -g -e cpu-clock$U
record flat.data -e cpu-clock$U
record copies.data --no-stitch --call-graph dwarf,512 -e cpu-clock$U
for file in chains flat copies; do
	convert $file.data
	all_same $file.data
done

# Stacks that are not whole say so, in each format.
has folded.out '^[^;]*;\[not whole: copy too short\];'
for format in pprof gecko speedscope otlp sqlite; do
	words_of $format >words
	has words 'samples, .*copy too short'
done

# Without a chain, and several events: in lines of their own.
record two.data -g -e cpu-clock$U,task-clock$U
convert two.data
FORMATS='pprof gecko speedscope otlp json sqlite perfetto' all_same two.data
has folded.out '^cpu-clock[^;]*;' '^task-clock[^;]*;'
has_not folded.out '^(perf|deep)'

# By name, to stdout, and a part of it.
perf data convert --to folded -i chains.data 2>err
has err 'samples as folded: .* in chains.data.folded'
perf data convert -q --to folded -i chains.data -o - | cmp - chains.data.folded
perf data convert -q --to folded --samples -i chains.data -o - | awk '{ n += $NF } END { print n }' >n
[ "$(cat n)" = "$(samples chains.data)" ] || fail "$(cat n) samples of $(samples chains.data)"
perf data convert -q --to folded -c no-such -i chains.data -o none.out
[ ! -s none.out ] || fail "it has samples that were not asked for"

perf data convert -q --to-json=upstream.json -i chains.data
perf data convert -q --to json -i chains.data -o - | cmp - upstream.json
fails 129 perf data convert --to-json=a.json -o b.json -i chains.data 2>err
has err '--to-json names a file of its own'

fails 129 perf data convert -i chains.data 2>err
has err '^Error: --to needs a format: .*folded.*pprof'
fails 129 perf data convert --to pdf -i chains.data 2>err
has err "'pdf' is not a format"
for format in autofdo ctf parquet; do
	fails 129 perf data convert --to $format -i chains.data 2>err
	has err 'not written'
done
fails 129 perf data convert --to-ctf=dir -i chains.data 2>err
has err 'CTF is not written'
