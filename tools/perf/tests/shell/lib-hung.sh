# SPDX-License-Identifier: GPL-2.0-only
# For tests of a file system that does not answer. Outside: "inside [ARGUMENT]..." runs the file
# inside.sh of the test in a mount namespace of its own, with which the file system goes. In there:
# "mount_hung [SECONDS [USER [PLACE]]]" has it at PLACE (mnt), with PLACE/program and PLACE/link, in
# process $fs, and its words in fs.log; it hangs as soon as there is a file "hang". SECONDS: how long
# the kernel remembers where files are. USER: who serves it (0).
inside() {
	local status=0
	unshare -m --propagation private bash inside.sh "$@" || status=$?
	[ $status = 0 ] || exit $status
}

mount_hung() {
	local place=${3:-mnt}
	[ -e "$place" ] || mkdir "$place"
	python "$PERF_TEST_DIR/lib/hungfs.py" "$place" "$PERF" hang "${1:-0}" "${2:-0}" >fs.log 2>&1 & fs=$!
	until grep -qs mounted fs.log; do
		kill -0 $fs || skip "FUSE does not work here: $(tail -n 1 fs.log)"
		sleep 0.02
	done
}

need_root
need_python
need_cmd unshare
need_event cpu-clock
[ -c /dev/fuse ] || skip "there is no /dev/fuse"
[ -e inside.sh ] || unshare -m true || skip "no mount namespace can be made here"
