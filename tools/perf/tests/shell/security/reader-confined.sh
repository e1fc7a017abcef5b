#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: commands that read recordings open, connect to and run nothing by themselves
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd strace /usr/bin/python3 timeout
strace -f -o trace true 2>err || skip "strace cannot trace here: $(tail -n 1 err)"
perf check reader >out || skip "$(sed 's/.*# //' out)"
need_event cpu-clock
unset DEBUGINFOD_URLS

perf record -q -F 2000 --defer=copy --no-stitch -e cpu-clock$U -o in.data -- "$PERF" test -w deep 20 0.2

# COMMAND: what strace sees of it is that it is confined, and asks for nothing that it may not do.
confined() {
	timeout 60 strace -f -o trace "$PERF" "$@" >out 2>err || fail "$*: $? $(cat err)"
	/usr/bin/python3 "$PERF_TEST_DIR/shell/security/reader-confined.py" trace lines 2>why ||
		fail "$*: $(cat why)"
}

confined_apart() { # COMMAND: of which a process that it makes is
	local got=0
	timeout 60 strace -f -o trace "$PERF" "$@" >out 2>err || got=$?
	[ "$got" = "${STATUS:-0}" ] || fail "$*: $got $(cat err)"
	/usr/bin/python3 "$PERF_TEST_DIR/shell/security/reader-confined.py" trace lines --apart 2>why ||
		fail "$*: $(cat why)"
}

confined stitch -i in.data -o out.data
perf report --stdio -i out.data >report
has report deep
confined stitch -n --stats -i in.data
confined stitch -j 4 -n -i in.data
confined stitch -i - -o - <in.data
# What is done in place keeps the original.
cp in.data place.data
confined stitch -i place.data
cmp -s in.data place.data && fail "not stitched in place"
# A list of names in a file.
echo perf >names
confined stitch -n -i in.data -c file://names

# The others. Caches are empty, and then full.
mkdir home
export HOME=$PWD/home
some() { ! in_share 3 || confined "$@"; }
for i in 1 2; do
	some report --stdio -i in.data
	some report --stdio -s srcline,sym -i out.data
	some report -D -i out.data
	some script -i in.data
	some script --json -F +srcline -i out.data
	some evlist -v -i in.data
	some buildid-list -i in.data
	some buildid-list -H -i in.data
	some buildid-list -i "$PERF"
	some unwind stats -i in.data
	some unwind rows "$PERF"
done
[ -n "$(ls home/.debug/.unwind)" ] || fail "no rows were kept"
confined report --stdio -i - <out.data
confined script -i - <in.data
confined diff in.data out.data
confined diff --html diff.html in.data out.data
confined report --html page.html -i in.data
confined report --svg page.svg -i in.data
for to in folded pprof gecko speedscope otlp json perfetto; do
	in_share 3 || continue
	confined data convert --to $to -i in.data -o "x.$to"
	[ -s "x.$to" ] || fail "$to: nothing was written"
done
if type objdump >/dev/null 2>&1; then
	confined annotate --stdio -i out.data
	has out '\<ret'
fi
confined inject -i in.data -o injected.data
# Files by names of the recording or of the command; who keeps rights has it read by another process.
confined script -g python -i in.data
has perf-script.py def.process_event
confined script --per-event-dump -i in.data
[ -s "in.data.cpu-clock$U.dump" ] || fail "no dump: $(ls)"
if [ "$(uname -m)" = x86_64 ]; then
	perf record -q -k mono -F 500 -e cpu-clock:u -g -o jit.data -- \
		/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 0.2 >pid
	confined inject -j -i jit.data -o jitted.data
	[ -s "jitted-$(cat pid)-1.so" ] || fail "no code was written: $(ls)"
fi
confined_apart buildid-cache -a "$PERF"
confined buildid-cache -M in.data
has out 'libc'
has_not out '/perf$'
if type tar bzip2 >/dev/null 2>&1; then
	confined_apart archive in.data
	[ -s in.data.tar.bz2 ] || fail "no archive"
fi
confined_apart buildid-cache -r "$PERF"
# Nobody is there to take it.
STATUS=1 confined_apart data push --url http://127.0.0.1:9/ingest --retry 0 -i in.data
has err 'not sent to'
confined data bundle -i in.data -o in.bundle
confined report --stdio -i in.bundle
# Servers are asked by a process that was forked before.
DEBUGINFOD_URLS=http://127.0.0.1:9/ confined report --stdio -i out.data
# Text of tracepoints is tried and printed by other processes.
if [ $UID = 0 ] && [ -r /sys/kernel/tracing/events/sched/sched_switch/id ]; then
	perf record -q -e sched:sched_switch -a -o trace.data -- sleep 0.1
	confined script -i trace.data
	has out prev_comm
fi

sum=$(awk '{ n += $1 } END { print n }' lines)
[ "$sum" -gt 500 ] || fail "only $sum calls were seen"
