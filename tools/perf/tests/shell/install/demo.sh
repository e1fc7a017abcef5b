#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: make demo: shows whole stacks with names, beside what frame pointers give
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_source
need_cmd gcc
need_event cpu-clock

"$SOURCE/tools/build/demo" "$PERF" "$PWD" >out 2>&1 || fail "$(tail -n 3 out)"
has out '^\$ perf record -g --defer' ' samples, [0-9,]+ whole user stacks \((100\.0|9[89]\.[0-9]) %( of [0-9,]+)?\)' \
	'tfind +[0-9.]+%' 'parse_member' '\[\.\] handle_request$' 'The recording is'
# By frame pointers, main is out of reach.
share() { # FILE: percent of the samples whose stack has main
	perf script -i "$1" -F ip,sym |
		awk 'BEGIN { RS = "" } / main(\n|$)/ { n++ } END { printf "%d", NR ? 100 * n / NR : 0 }'
}
[ "$(share perf.data)" -ge 98 ] || fail "main is in $(share perf.data) % of the stacks"
[ "$(share fp.data)" -lt 10 ] || fail "main is in $(share fp.data) % of the stacks by frame pointers"
perf script -i perf.data -F ip,sym >lines
[ $(($(grep -c '\[unknown\]' lines) * 8)) -lt "$(grep -c . lines)" ] || fail "names are missing"
