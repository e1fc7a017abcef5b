#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --switch-output-event: a file for each time that an event happens
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

fails 129 perf record --switch-output-event no-such-event -- true 2>err
has err "unknown event 'no-such-event'"
[ "$U" ] && skip "who sees user space only has no event that happens seldom"
mkdir event
perf record --switch-output-event context-switches -g -e cpu-clock -o event/perf.data \
	-- sh -c "'$PERF' test -w noploop 0.2; sleep 0.1; '$PERF' test -w noploop 0.2" 2>err
[ "$(ls event | wc -l)" -gt 3 ] || fail "--switch-output-event: $(ls event)"
has err 'Dump event/perf\.data'
perf script -i "$(ls event/* | tail -n 1)" -F event >lines
has_not lines context-switches
