#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --latency, --no-buffering, --no-bpf-event: switches are recorded, BPF is not
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

work=("$PERF" test -w noploop 0.1)
attr() { perf report --header-only -i "$1" >header; has header "$2"; }
perf record -q --no-bpf-event --no-buffering --latency -e cpu-clock -o l.data -- "$PERF" test -w thloop 0.1 4
attr l.data 'context_switch = 1'
attr l.data 'wakeup'
has_not header bpf_event
perf report -D -i l.data >dump
has dump PERF_RECORD_SWITCH
fails 129 perf record --latency -a 2>err
has err 'not the entire system'
