#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: many more programs than descriptors
# limit: 300
. "$PERF_TEST_DIR/shell/record/lib-lives.sh"

cat >many.sh <<'END'
for i in $(seq 230); do
	cp /bin/sh many$i; ./many$i -c 'i=0; while [ $i -lt 8000 ]; do i=$((i + 1)); done'
done
END
(ulimit -n 160; record many many 90 -- sh many.sh)
perf script -i many.data -F comm 2>/dev/null | sort -u | grep -c many >names
[ "$(cat names)" -gt 160 ] || fail "many: samples of $(cat names) programs"
has_not err 'unreadable binary'
rm many[0-9]*
