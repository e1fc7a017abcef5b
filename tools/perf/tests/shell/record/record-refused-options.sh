#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: options and events that it does not take, with words on what to do
. "$PERF_TEST_DIR/shell/lib.sh"

fails 129 perf record -e cycels -- true 2>err
has err "unknown event 'cycels'. Did you mean cycles\?"
fails 129 perf record -e cpu-clock:q -- true 2>err
has err "unknown modifier"
fails 129 perf record -F 0 -- true 2>err
fails 129 perf record -F x -- true 2>err
fails 129 perf record -F 100 -c 100 -- true 2>err
has err 'exclude each other'
fails 129 perf record -m 0 -- true 2>err
fails 129 perf record --stack-size 100000 -- true 2>err
has err '65528'
fails 129 perf record --call-graph lbr -- true 2>err
fails 129 perf record --defer=maybe -- true 2>err
has err 'auto, kernel, copy and bpf'
fails 129 perf record -p 12x 2>err
has err "'12x' is not a list"
fails 129 perf record -j no_such -- true 2>err
has err "'no_such' is not a branch filter" 'any_call'
fails 129 perf record --vmlinux x -- true 2>err
has err "vmlinux. of Linux perf is not supported: BPF"
for o in snapshot aux-sample kcore threads setup-filter; do
	fails 129 perf record --$o -- true 2>err
	has err "$o. of Linux perf is not supported"
done
