#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: stackcollapse-perf.pl (FlameGraph), FlameScope and Netflix's scripts read perf script
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_python
need_recording

for fields in "" "-F +pid" "-F comm,pid,tid,time,event,ip,sym,dso" "-F comm,pid,tid,time,event,ip,sym,dso,trace"; do
	perf script --header $fields -i two.data >text 2>err
	reads collapse work_net text
done
# With --inline of a recording that has inlined functions.
perf record -q -e cpu-clock$U -F 999 -g -o inline.data -- "$PERF" test -w inlineloop 0.2 2>err
perf script --inline -i inline.data >text 2>err
reads collapse inlined_into text
if command -v stackcollapse-perf.pl >/dev/null; then
	perf script -i two.data | stackcollapse-perf.pl >folded
	has folded '^two;.*main;work_net [0-9]+$'
fi
