#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: of a stitched recording it says what was said when that was completed
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

perf stitch -i raw.data -o out.data 2>err
said=$(sed -n 's/^\[ perf stitch: \([0-9].* samples, .*\) \]$/\1/p' err)
[ "$said" ] || fail "stitch said: $(cat err)"
for file in raw.data out.data; do
	perf report --stdio -i $file >text
	[ "$(sed -n 's/^# User stacks: //p' text)" = "$said" ] || fail "$file: $(grep '^# User' text), stitch: $said"
done
