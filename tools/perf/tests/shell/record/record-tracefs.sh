#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record of tracepoints: tracefs is found wherever it is, or mounted, or told of
. "$PERF_TEST_DIR/shell/lib.sh"
need_root
need_cmd unshare setpriv findmnt
own_mounts
usual=/sys/kernel/tracing
unmount() { # of all there are, those that mount themselves included
	local dir
	for dir in $(findmnt -rn -o TARGET -t tracefs,debugfs | tac) "$PWD/here" "$PWD/with blank"; do
		umount -l "$dir" 2>/dev/null || true
	done
	[ -z "$(findmnt -rn -o TARGET -t tracefs)" ] || fail "still mounted: $(findmnt -t tracefs)"
}
recorded() {
	"$PERF" record -e sched:sched_process_exec -o t.data -- sh -c '/bin/true; :' 2>err || fail "$* $(cat err)"
	perf script -i t.data >lines
	has lines 'sched:sched_process_exec: *filename=.*true pid='
}
mkdir here
unmount
mount -t tracefs tracefs here || skip "tracefs cannot be mounted"

# Where somebody else has put it: nothing is mounted besides.
recorded "elsewhere:"
[ "$(findmnt -rn -o TARGET -t tracefs)" = "$PWD/here" ] || fail "$(findmnt -t tracefs)"
unmount
if mount -t debugfs debugfs here 2>err; then
	recorded "below debugfs:"
	PERF_DEBUGFS_DIR=$PWD/here perf record -q -e sched:sched_process_exec -o t.data -- /bin/true
	unmount
fi

# A user is told what root can do, about the place where it is.
cp "$PERF" perf-copy
chmod 777 .
user() { setpriv --reuid=54321 --regid=54321 --clear-groups --inh-caps=-all ./perf-copy "$@"; }
fails 129 user record -e sched:sched_switch -o n.data -- true 2>err
has err '^Error: tracefs is not mounted' "As root, run: mount -t tracefs tracefs $usual"
mount -t tracefs -o mode=700 tracefs here
fails 129 user record -e sched:sched_switch -o n.data -- true 2>err
has err "no permission to read .*/here/events" "mount -o remount,mode=755 .*/here"
unmount

# By root it is mounted, at the usual place, and that once.
recorded "mounted:"
recorded "mounted already:"
[ "$(findmnt -rn -o TARGET -t tracefs)" = "$usual" ] || fail "$(findmnt -t tracefs)"
fails 129 perf record -e sched:sched_swich -o n.data -- true 2>err
has err 'Did you mean sched:sched_switch'
