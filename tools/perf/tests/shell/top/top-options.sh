#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: top -H, -w, --ignore-callees, --symbol-filter, --switch-on, --show-cpu-utilization: as those of report
. "$PERF_TEST_DIR/shell/top/lib-top.sh"
need_event task-clock:u

./w & w=$!
looks() { # REGEX OPTIONS...: perf top with them prints a line like this
	local regex=$1
	shift
	: >text
	"$PERF" top --stdio -d 0.2 -p $w "$@" >>text 2>err & top=$!
	shows text "$regex"
	kill -TERM $top
	wait $top || true
}
clock='-e cpu-clock:u -F 500'
# shellcheck disable=SC2086
{
	looks '^ +[0-9.]+% +w *$' $clock -H -s comm,dso,sym
	has text '^ +[0-9.]+% +w\b.*' '^ +[0-9.]+% +\[\.\] (leaf|one) *$'
	looks '^ +[0-9.]+%  w {5}  .*leaf$' $clock -w 8,6,10 -s comm,dso,sym
	looks '^ +[0-9.]+% .*\[\.\] one$' $clock -g --defer=copy --no-children --ignore-callees '^one$'
	has_not text '\[\.\] leaf$'
	looks '^ +[0-9.]+% .*\[\.\] leaf$' $clock --symbol-filter eaf
	has_not text '\[\.\] one$'
	looks '^# Overhead +sys +usr  Command' $clock --show-cpu-utilization
	looks "Samples: [0-9]+ .*of events 'cpu-clock:u, task-clock:u'" -e cpu-clock:u,task-clock:u -F 500 --group
	looks "Samples: [0-9]+ .*of event 'task-clock:u'" -e cpu-clock:u,task-clock:u -F 500 --switch-on task-clock:u
	fails 1 "$PERF" top --stdio $clock -p $w --switch-on sched:nothing >text 2>err
	has err "has no event 'sched:nothing'"
}
fails 129 "$PERF" top --tui -H -p $w 2>err
has err 'has no effect on what --tui shows' '^ +-H, --hierarchy ' # and the help of what it names
: >end
wait $w
