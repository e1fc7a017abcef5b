#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: flamegraph-rs and inferno: their command lines, and samples as inferno reads them
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_python
need_event cpu-clock
need_program

perf --help >out 2>&1 || true
has out perf
perf record -F 997 --call-graph dwarf,64000 -g -z=3 -o perf.data ./two >out 2>err
perf script --force --no-inline -i perf.data >text 2>err
reads collapse work_net text
perf script --force -i perf.data >text 2>err
reads collapse work_disk text
# inferno-flamegraph asks for fields, and for the header.
perf script --header -F comm,pid,tid,time,event,ip,sym,dso -i perf.data >text 2>err
reads collapse work_disk text
if command -v inferno-collapse-perf >/dev/null; then
	inferno-collapse-perf text >folded
	has folded '^two;.*main;work_net [0-9]+$'
fi
