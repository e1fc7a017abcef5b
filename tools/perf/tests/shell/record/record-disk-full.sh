#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: on a full disk what fitted reads, in each file, and it is said how much it is
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_root
need_event cpu-clock

mkdir tiny
mount -t tmpfs -o size=300k tmpfs tiny 2>/dev/null || skip "cannot mount a tmpfs"
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
