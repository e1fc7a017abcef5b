#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: what happens when something goes wrong is said, and costs little
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

captured() { sed -n 's/.*(\([0-9]*\) samples).*/\1/p' err; }

# What cannot be started leaves no file, and the recording that was there before.
perf record -q -e cpu-clock -o x.data -- true
cp x.data before.data
fails 127 perf record -e cpu-clock -o x.data -- ./no-such 2>err
has err '^Error: \./no-such: cannot be run: No such file'
echo nothing >plain
fails 126 perf record -e cpu-clock -o x.data -- ./plain 2>err
has err '^Error: \./plain: cannot be run: Permission denied'
cmp x.data before.data
[ ! -e x.data.old ] || fail "x.data.old is left"

# A target that ends at once, before or while it is recorded, is no error; none at all is.
perf record -q -e cpu-clock -o once.data -- true
perf script -i once.data >/dev/null
"$PERF" test -w noploop 0.2 &
perf record -q -e cpu-clock -o gone.data -p $!
perf script -i gone.data >/dev/null
wait $!
fails 1 perf record -e cpu-clock -o gone.data -p $! 2>err
has err '^Error: no process or thread'

# Where nothing can be written.
fails 1 perf record -e cpu-clock -o no/where.data -- true 2>err
has err '^Error: cannot open no/where\.data for writing: No such file'
mkdir dir
fails 1 perf record -e cpu-clock -o dir -- true 2>err
has err '^Error: cannot open dir for writing: Is a directory'
[ -z "$(ls dir)" ] || fail "in dir: $(ls dir)"
fails 1 perf record -e cpu-clock -o /dev/full -- true 2>err
has err '^Error: cannot write /dev/full after 0 bytes: No space left' '^Write to another disk'
has_not err 'Captured' 'kept'
[ -c /dev/full ] && [ ! -e /dev/full.old ] || fail "/dev/full is not what it was"

# Signals: those that ask for the end get it, the others change nothing.
"$PERF" test -w deep 20 300 & load=$!
for sig in INT:130 TERM:143 HUP:129 PIPE:130 USR2:130; do
	rm -f sig.data
	"$PERF" record --defer=copy -e cpu-clock -o sig.data -p $load 2>err & rec=$!
	wait_until has_samples sig.data 1
	kill -"${sig%:*}" $rec
	case $sig in PIPE*|USR2*)
		wait_until has_samples sig.data $(($(samples sig.data) + 1))
		kill -INT $rec ;;
	esac
	status=0
	wait $rec || status=$?
	[ "$status" = "${sig#*:}" ] || fail "$sig: status $status: $(cat err)"
	[ "$(samples sig.data)" = "$(captured)" ] || fail "$sig: $(samples sig.data) samples: $(cat err)"
done

# kill -9, of several files too: each reads, with what was written until the last moment.
for z in "" -z; do
	rm -rf killed
	mkdir killed
	"$PERF" record -q --defer=copy $z -e cpu-clock --switch-output=1s -o killed/p -p $load & rec=$!
	two() { [ "$(ls killed | wc -l)" -ge 2 ] && has_samples killed/p 11; }
	wait_until two
	kill -KILL $rec
	wait $rec 2>/dev/null || true
	[ "$(ls killed | wc -l)" -ge 2 ] || fail "kill -9 $z: $(ls killed)"
	for f in killed/*; do
		[ "$(samples "$f")" -gt 10 ] || fail "kill -9 $z: $f has $(samples "$f") samples"
	done
done

# Few descriptors and little memory: said, or done with what there is.
"$PERF" test -w thloop 200 20 & many=$!
wait_until has_threads $many 21
(ulimit -n 16; fails 1 perf record -e cpu-clock -o n.data -p $many -- true 2>err)
has err '^Error: too many open files: .* are needed, the limit is 16' '^Raise it \(ulimit -n'
(ulimit -Sn 16; perf record -q --defer=copy -e cpu-clock -o n.data -p $many -- $(while_on_cpu $many 0.1))
[ "$(samples n.data)" -gt 10 ] || fail "ulimit -Sn 16: $(samples n.data) samples"
if ! is_sanitized; then # whose shadow memory does not fit
	for kb in 20000 40000 60000 80000 100000; do
		status=0
		(ulimit -v $kb; exec "$PERF" record --defer=copy -e cpu-clock -o v.data -p $many -- \
			sleep 0.2) 2>err || status=$?
		[ "$status" -le 1 ] || fail "ulimit -v $kb: status $status: $(cat err)"
		[ "$status" = 0 ] || has err '^Error: .*([Mm]emory|unavailable)'
	done
fi
end $many

# A pipe that nobody reads: the first signal ends it all the same. One that is slow gets it all.
at_work() { ls -l "/proc/$(cat pid)/fd" 2>/dev/null | grep -q perf_event; } # the recorder in `pid`
(status=0; "$PERF" record -e cpu-clock -F 10000 --call-graph dwarf -o - -p $load 2>err & echo $! >pid
 wait $! || status=$?; echo $status >status) | (sleep 1000 & echo $! >sleeper; wait) & pipe=$!
wait_until [ -s pid ]
wait_until at_work
$(while_on_cpu $load 0.3)
kill -INT "$(cat pid)"
wait_until [ -s status ]
end "$(cat sleeper)"
wait $pipe || true
has status '^1$'
has err 'has stopped reading'
rm pid status
(status=0; "$PERF" record -e cpu-clock -F 10000 --call-graph dwarf -o - -p $load 2>err & echo $! >pid
 wait $! || status=$?; echo $status >status) | (until [ -e read ]; do sleep 0.1; done; cat) >slow.data & pipe=$!
wait_until [ -s pid ]
wait_until at_work
$(while_on_cpu $load 0.3)
touch read
wait_until [ -s slow.data ]
kill -INT "$(cat pid)"
wait $pipe || true
has status '^130$'
[ "$(perf script -F comm -i - <slow.data 2>/dev/null | wc -l)" = "$(captured)" ] || fail "slow: $(cat err)"
end $load

# A full disk: what fitted reads, in each file, and it is said how much it is.
need_root
# Few descriptors for all CPUs: what is missing is said, be it of the events or of the binaries.
(ulimit -n 12; fails 1 perf record -a -e cpu-clock,page-faults,cs,faults -o all.data -- true 2>err)
has err '^Error: .*[Tt]oo many open files' '^Raise (it|the limit) \(ulimit -n'
"$PERF" test -w deep 20 200 & load=$!
(ulimit -n $((20 + 3 * $(nproc)))
 perf record -a --defer=copy -e cpu-clock -o few.data -- sh -c 'for i in 1 2 3 4 5; do
	cp /bin/sh few$i; ./few$i -c "sleep 1; i=0; while [ \$i -lt 100000 ]; do i=\$((i + 1)); done" &
 done; wait' 2>err)
end $load
has err 'unreadable binary' '^Warning: some stacks are cut off: .*ulimit -n'
[ "$(samples few.data)" = "$(captured)" ] || fail "few: $(samples few.data) samples: $(cat err)"

mkdir tiny
mount -t tmpfs -o size=600k tmpfs tiny 2>/dev/null || skip "cannot mount a tmpfs"
trap 'umount tiny' EXIT
for with in --defer=copy "--call-graph dwarf -z" "--defer=copy --switch-output=100K"; do
	fails 1 perf record -F 20000 $with -e cpu-clock -o tiny/p -- "$PERF" test -w deep 40 3 2>err
	has err 'No space left on device'
	# It may be a new file of several for which there is no room at all.
	grep -q ' after 0 bytes: ' err || has err '^The recording up to there is kept'
	last=$(ls tiny/* | tail -n 1)
	[ "$(samples "$last")" = "$(captured)" ] || fail "$with: $(samples "$last") in $last: $(cat err)"
	for f in tiny/*; do
		[ "$f" = "$last" ] || [ "$(samples "$f")" -gt 10 ] ||
			fail "$with: $f has $(samples "$f") samples"
	done
	rm tiny/*
done

# A file system that is read only: nothing is lost that was there.
perf record -q -e cpu-clock -o tiny/p -- true
mount -o remount,ro tiny
cp tiny/p before.data
fails 1 perf record -e cpu-clock -o tiny/new -- true 2>err
has err '^Error: cannot open tiny/new for writing: Read-only file system'
fails 1 perf record -e cpu-clock -o tiny/p -- true 2>err
has err '^Error: cannot rename the existing tiny/p to tiny/p\.old: Read-only file system' 'another output file with -o'
cmp tiny/p before.data
[ "$(ls tiny)" = p ] || fail "on tiny: $(ls tiny)"
