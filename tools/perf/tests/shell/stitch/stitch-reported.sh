#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: of a stitched recording it says what was said when that was completed
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

# says RAW OUT: what was said of stitching RAW is what a report says of either.
says() {
	local said file
	perf stitch -i "$1" -o "$2" 2>err || fail "$(cat err)"
	said=$(sed -n 's/^\[ perf stitch: \([0-9].* samples, .*\) \]$/\1/p' err)
	[ "$said" ] || fail "stitch said: $(cat err)"
	for file; do
		perf report --stdio -g none -i "$file" >text 2>err
		[ "$(sed -n 's/^# User stacks: //p' text)" = "$said" ] ||
			fail "$file: $(grep '^# User' text), stitch: $said"
	done
}
says raw.data out.data
# Deferred callchains: joined, and missing for many reasons.
command -v zstd >/dev/null || exit 0
for name in a c d e4 f1 h32 ictx s2; do
	zstd -qdc "$PERF_TEST_DIR/data/deferred/$name.data.zst" >$name.data
	says $name.data $name.out
done
