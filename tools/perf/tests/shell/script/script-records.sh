#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script --header-only, --show-*-events, --per-event-dump: the header, other records, files
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

perf script -i x.data --header-only >header
has header '^# hostname : ' '^# cmdline : .*record' '^# event : name = cpu-clock(:u)?, , id = \{ [0-9]'
perf script -i x.data --show-task-events --show-mmap-events >records
has records 'PERF_RECORD_COMM exec: ' 'PERF_RECORD_MMAP2 [0-9]+/[0-9]+: \[0x[0-9a-f]+\(0x[0-9a-f]+\) @ '

# -D is in the order of the file, and -I has nothing to add to the header.
perf script -i x.data -D >dump
has dump PERF_RECORD_SAMPLE
perf script -i x.data --dump-unsorted-raw-trace | cmp - dump
perf script -i x.data --header-only -I | cmp - header

perf script -i x.data -F comm --show-round-events >rounds
has rounds '^PERF_RECORD_FINISHED_ROUND$'

# A file for each event, with the lines that are printed without.
need_event task-clock
perf record -q -e cpu-clock,task-clock -F 499 -o two.data -- "$PERF" test -w noploop 0.3
perf script -i two.data -F comm,tid,time,event >both
perf script -i two.data -F comm,tid,time,event --per-event-dump --show-task-events >said
has said '^\[ perf script: Wrote 0\.[0-9]+ MB two\.data\.cpu-clock(:u)?\.dump \([0-9]+ samples\) \]$' \
	'two\.data\.task-clock(:u)?\.dump' 'PERF_RECORD_COMM exec: '
has_not said 'cpu-clock[:u]*: $'
for e in cpu-clock task-clock; do
	grep " $e$U:" both >want
	has want .
	cmp want "two.data.$e$U.dump"
done
# No link is followed: a file takes its place. What cannot be written is an error.
echo kept >target
mkdir sub
cp two.data sub/perf.data
ln -s ../target "sub/perf.data.cpu-clock$U.dump"
perf script -i sub/perf.data -F comm,tid,time,event --per-event-dump >said
[ ! -L "sub/perf.data.cpu-clock$U.dump" ] || fail "the link is still there"
cmp "two.data.cpu-clock$U.dump" "sub/perf.data.cpu-clock$U.dump"
[ "$(cat target)" = kept ] || fail "a link was followed"
rm "sub/perf.data.cpu-clock$U.dump"
mkdir "sub/perf.data.cpu-clock$U.dump"
fails 1 perf script -i sub/perf.data --per-event-dump >said 2>err
has err "^Error: cannot write sub/perf[.]data[.]cpu-clock$U[.]dump: "
fails 129 perf script -i two.data --per-event-dump --json 2>err
has err 'per-event-dump writes the text'
