#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a program in a file system that does not answer does not hold up root
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hung.sh"

cat >inside.sh <<'END'
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/lib-hung.sh"
target='' fs=''
trap 'kill -9 $target $fs || true' EXIT
rm -f hang fs.log # the last round said "mounted", too
mount_hung $1
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
	inside $seconds
done
