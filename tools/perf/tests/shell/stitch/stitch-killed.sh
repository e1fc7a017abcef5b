#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: killed at any moment, the input is as it was or stitched
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

stitched
# Killed at any moment: the input is as it was or stitched, and nothing is beside it, unless that
# was between two system calls: then a whole one.
mkdir killed
for after in 0.01 0.02 0.03 0.05 0.08; do
	cp raw.data killed/perf.data
	"$PERF" stitch -q -i killed/perf.data & pid=$!
	sleep $after
	kill -KILL $pid 2>/dev/null || true
	wait $pid || true # what it was in is over
	cmp -s killed/perf.data raw.data || {
		cmp killed/perf.data out.data
		cmp killed/perf.data.old raw.data
	}
	for file in $(find killed -type f ! -name perf.data ! -name perf.data.old); do
		cmp -s "$file" raw.data || cmp -s "$file" out.data || fail "left behind: $file"
	done
	rm killed/*
done
