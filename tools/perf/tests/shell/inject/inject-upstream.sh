#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf inject -j: another perf shows the same names in the result as in its own
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/inject/lib-jit.sh"
need_upstream

# It takes all files whose names begin with /tmp/perf- for perf maps.
here=$(mktemp -d /var/tmp/made-jit-XXXXXX)
trap 'rm -rf "$here"' EXIT
cd "$here"
names() { "$UPSTREAM" script --no-inline -F time,ip,sym -i "$1" 2>err | awk '/^\t/ { $1 = "" } { print }'; }
perf record -q -k mono -F 500 -e cpu-clock:u -g -o raw -- \
	/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 1 >pid
perf inject -j -i raw -o ours
names ours >our-names
[ "$(grep -c made_inner our-names)" -gt 50 ] || fail "names: $(head -n 20 our-names)"
has_not our-names made_before
rm jitted-*
"$UPSTREAM" inject -j -i raw -o theirs >out 2>&1 || skip "upstream cannot inject: $(tail -n 1 out)"
names theirs >their-names
[ "$(grep -c made_inner their-names)" -gt 50 ] || skip "upstream finds no code: $(head -n 5 their-names)"
cmp our-names their-names
