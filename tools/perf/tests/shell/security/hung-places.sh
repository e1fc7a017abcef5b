#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: outputs and inputs in a file system that another user's program serves (FUSE) are refused unasked
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hung.sh"

perf record -q -e cpu-clock -g -o ok.data -- "$PERF" test -w noploop 0.1
cat >inside.sh <<'END'
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hung.sh"
fs='' target='' top=$PWD
trap 'kill -9 $fs $target 2>/dev/null || true' EXIT
ended() { ! kill -0 $pid 2>/dev/null || grep -q unanswered "$top/fs.log"; }
# refused WORDS ARGUMENT...: by perf at once, and nothing was asked. (A function would run a trap that looks here.)
refused() {
	local words=$1 status=0
	shift
	"$PERF" "$@" >"$top/out" 2>"$top/err" </dev/null & pid=$!
	wait_until ended
	! grep -q unanswered "$top/fs.log" || { kill -9 $fs; fail "$*: it was asked: $(cat "$top/fs.log")"; }
	wait $pid || status=$?
	[ $status = 1 ] || fail "$*: status $status: $(cat "$top/err")"
	has "$top/err" "$words"
}
writes='cannot open mnt/.* for writing: a program of another user serves its file system' reads='cannot open mnt/.*: a program of another user'

# All in it is root's, as it says: so are its links, but not for perf.
mount_hung 3600 54321
[ "$(stat -c %u mnt/link)" = 0 ] || fail "it is not root's: $(ls -ln mnt)"
refused "$writes" record -q -e cpu-clock -o mnt/link -- true
refused "$writes" stitch -i ok.data -o mnt/link
[ ! -e led-to ] || fail "the link of another user was followed"
(cd mnt && touch "$top/hang" && refused 'cannot open x for writing: a program' record -q -e cpu-clock -o x -- true)
for file in mnt/x mnt/program mnt/below/x mnt/link; do
	refused "$writes" record -q -e cpu-clock -o $file -- true
done
refused "$writes" record -q -e cpu-clock --switch-output=1M -o mnt/x -- true
refused "$writes" stitch -i ok.data -o mnt/x
refused "$writes" data convert -i ok.data --to folded -o mnt/x
refused "$writes" report -i ok.data --html mnt/x
refused "$writes" diff --html mnt/x ok.data ok.data
refused "$writes" data bundle -i ok.data -o mnt/x
refused "$writes" inject -i ok.data -o mnt/x
refused 'another user' unwind sframe -o mnt/x "$PERF"
for command in "report --stdio" script stitch "data convert --to folded -o x" evlist buildid-list annotate "inject -o x" "data bundle -o x"; do
	refused "$reads" $command -i mnt/x
done
refused "$reads" diff mnt/x ok.data
refused "$reads" diff ok.data mnt/x
kill -9 $fs
wait $fs || true

# A file in the place of an output, and the folder beside it.
touch over.data
rm hang
mount_hung 0 54321 over.data
touch hang
refused 'cannot open over.data for writing: a program' record -q -e cpu-clock -o over.data -- true
refused 'cannot open over.data for writing: a program' data convert -i ok.data --to folded -o over.data
refused 'cannot open over.data: a program' report --stdio -i over.data
kill -9 $fs
wait $fs || true

# Where code in memory can be made.
if [ "$(uname -m)" = x86_64 ]; then
	rm hang
	mount_hung 0 54321 x.data.jit
	touch hang
	# perf itself may lie below /tmp.
	unshare -m sh -c 'exec 5<"$PERF"; mount -t tmpfs none /tmp; echo "1 2 name" >/tmp/perf-$$.map
		exec /proc/self/fd/5 test -w memorycode 100 1' & target=$!
	is_there() { [ -s "/proc/$target/root/tmp/perf-$target.map" ]; }
	wait_until is_there
	"$PERF" record -e cpu-clock -o x.data -p $target -- $(while_on_cpu $target 0.1) 2>err & pid=$!
	wait_until ended
	! grep -q unanswered fs.log || { kill -9 $fs; fail "x.data.jit was asked: $(cat fs.log)"; }
	wait $pid || fail "status $?: $(cat err)"
	kill $target
	has err 'perf maps of 1 programs in containers belong to other users: they were not copied'
	kill -9 $fs
	wait $fs || true
fi

# One's own is used, as before.
rm hang
mount_hung 3600
perf script -i mnt/program >out 2>err && fail "it is no recording"
has err 'is not a perf.data file'
END
inside
