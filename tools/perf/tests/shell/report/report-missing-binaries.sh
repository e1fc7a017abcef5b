#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report, script, stitch: a binary that was deleted or replaced since is named, with what to do
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

cp "$PERF" gone
perf record -q -N --no-stitch --call-graph dwarf,2048 -e cpu-clock$U -F 2000 -o perf.data -- \
	./gone test -w deep 1 0.2
perf report --stdio -s sym -g none >there 2>err
has there workload_
has_not err 'since it was recorded'

all() { # REGEX: what each of them says
	perf report --stdio -s sym -g none >report 2>err
	has err "$1" 'buildid-cache -a FILE' '--symfs'
	[ "$(grep -c "$PWD/gone " err)" = 1 ] || fail "not once: $(cat err)"
	has_not report workload_
	perf script -F ip,sym >script 2>err
	has err "$1"
	has_not script 'workload_|cmd_'
	perf stitch -n 2>err
	has err "$1"
	perf report -q --stdio >report 2>err
	[ ! -s err ] || fail "-q: $(cat err)"
}
mv gone keep
all "$PWD/gone was deleted since it was recorded"
# Another program, and another build of the same one.
cp /bin/sh gone
all "$PWD/gone was replaced since it was recorded"
cp "$(command -v awk)" gone
all "$PWD/gone was replaced since it was recorded"
# The same file by another name is found where it is said to be.
mkdir -p "symfs$PWD"
cp keep "symfs$PWD/gone"
perf report --stdio -s sym -g none --symfs symfs >report 2>err
has report workload_
has_not err "$PWD/gone "
