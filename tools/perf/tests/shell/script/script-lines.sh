#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script: every line is a head, a frame or empty; times do not go back
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

[ "$(grep -c "cpu-clock$U: \$" all)" -ge 10 ] || fail "too few samples"
! grep -Evn '^(\S.* +[0-9]+ +[0-9]+\.[0-9]{6}: +[0-9]+ cpu-clock(:u)?: |	 *[0-9a-f]+ .+ \(.+\)|)$' all ||
	fail "a line of no known form"

# Times do not go back.
perf script -i x.data -F time --ns >times
LC_ALL=C sort -c -n times
