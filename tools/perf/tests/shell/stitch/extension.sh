#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch as an extension of the perf that the distribution installed
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

# What `make install-extension` installs: the same program under the names of the commands.
mkdir bin
ln -s "$PERF" bin/perf-stitch
ln -s "$PERF" bin/perf-unwind
bin/perf-stitch -h >help
has help 'Usage: perf stitch'
fails 129 bin/perf-stitch --nonsense 2>err
has err 'nonsense'
bin/perf-unwind -h >help
has help 'perf unwind'

if [ -e "$PERF_TEST_DIR/../../../Makefile" ] && [ -w "$PERF_TEST_DIR/../../../Makefile" ]; then
	make -n -C "$PERF_TEST_DIR/../../.." install-extension DESTDIR="$PWD/root" prefix=/usr >make.out
	has make.out 'perf-' 'stitch unwind'
fi

need_upstream

PATH=$PWD/bin:$PATH
upstream_record -e cpu-clock --call-graph dwarf -F 500 -m 4M -- "$PERF" test -w deep 20 0.3 ||
	cannot_record
before=$(stat -c %s perf.data)
"$UPSTREAM" stitch 2>err
has err 'whole user stacks'
[ "$(stat -c %s perf.data)" -lt $((before / 5)) ] || fail "from $before to $(stat -c %s perf.data)"
"$UPSTREAM" script --no-inline -F comm,ip,sym 2>err >lines
grep -Ev "$LOST" err >said || true
has_not said .
has lines ' main'
"$UPSTREAM" report --stdio --no-inline 2>err >report
grep -Ev "$LOST" err >said || true
has_not said .
has report 'test|perf'
