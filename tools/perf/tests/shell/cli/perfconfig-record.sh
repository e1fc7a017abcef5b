#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: ~/.perfconfig: what -g means to perf record
. "$PERF_TEST_DIR/shell/cli/lib-perfconfig.sh"

printf '[call-graph]\n\trecord-mode = dwarf\n\tdump-size = 4096\n' >"$conf"
perf record -q -g -e cpu-clock:u -o d.data -- true
perf report --header-only -i d.data >out
has out 'sample_stack_user = 4096'
perf record -q --call-graph fp -e cpu-clock:u -o d.data -- true
perf record -q -e cpu-clock:u -o d.data -- true
perf report --header-only -i d.data >out
has_not out 'sample_stack_user'
printf '[call-graph]\n\trecord-mode = lbr\n' >"$conf"
fails 129 perf record -g -o n.data -- true 2>err
has err 'lbr is not supported' "/.perfconfig:2: .*call-graph.record-mode"
