#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a program in a file system that does not answer does not hold up root
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_python
need_cmd unshare
need_event cpu-clock
[ -c /dev/fuse ] || skip "there is no /dev/fuse"
unshare -m true || skip "no mount namespace can be made here"

# The file system goes with its namespace.
cat >inside.sh <<'END'
. "$PERF_TEST_DIR/shell/lib.sh"
target='' fs=''
trap 'kill -9 $target $fs || true' EXIT
rm -f hang fs.log # the last round said "mounted", too
mkdir -p mnt
python "$PERF_TEST_DIR/lib/hungfs.py" mnt "$PERF" hang $1 >fs.log 2>&1 & fs=$!
until grep -qs mounted fs.log; do
	kill -0 $fs || skip "FUSE does not work here: $(tail -n 1 fs.log)"
	sleep 0.02
done
mnt/program test -w deep 20 150 & target=$!
# Until it runs in its workload, all of which it has in memory then.
until [ "$(awk '{ print $14 }' /proc/$target/stat 2>/dev/null)" -gt 20 ] 2>/dev/null; do
	kill -0 $target 2>/dev/null || fail "the program has ended: $(wait $target; echo $?): $(cat fs.log)"
	sleep 0.02
done
touch hang

[ $1 = 0 ] && all=-a || all=''
for who in "-p $target" $all; do
	timeout -k 5 100 "$PERF" record -F 500 -g --defer=copy -e cpu-clock $who -o x.data -- \
		$(while_on_cpu $target 0.3) 2>err || fail "record $who: status $?: $(cat err)"
	has err 'took too long to open'
	perf script -i x.data --comm program -F ip,dso >script.out 2>err || fail "script: $(cat err)"
	[ "$(grep -c mnt/program script.out)" -gt 10 ] || fail "record $who: no samples of the program"
done
grep -q unanswered fs.log || fail "the file system was not asked: $(cat fs.log)"
END
# A kernel that remembers where the file is, and one that has to ask.
for seconds in 0 3600; do
	status=0
	unshare -m --propagation private bash inside.sh $seconds || status=$?
	[ $status = 0 ] || exit $status
done
