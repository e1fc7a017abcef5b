#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -e PMU/.../, EVENT/.../: terms by event; a PMU that is not there
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

if [ -e /sys/bus/event_source/devices/software/type ]; then
	perf record -q -e software/config=0,period=1000000,name=mine/u -o s.data -- "$PERF" test -w noploop 0.1
	perf script -i s.data -F event,period | sort -u >events
	has events '^ *1000000 mine'
fi
# Terms of an event that needs no PMU to be named.
perf record -q -e cpu-clock/period=1000000,name=mine/u,cpu-clock/freq=500/ -o s.data -- "$PERF" test -w noploop 0.1
perf script -i s.data -F event,period | awk '/mine/ && $1 != 1000000 { exit 1 }' || fail "period=1000000"
perf report --header-only -i s.data >header
has header 'cpu-clock/freq=500/.*sample_freq } = 500'
fails 129 perf record -e no-such-pmu/config=1/ -- true 2>err
has err "no PMU 'no-such-pmu'" 'PMUs of this machine:'
