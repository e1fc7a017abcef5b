#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: runs perf-NAME from PATH and --exec-path, and not itself by such a name
. "$PERF_TEST_DIR/shell/cli/lib-other-perf.sh"

printf '#!/bin/sh\necho "$0: $*"\n' >other/perf-trace
chmod +x other/perf-trace
run "$o" trace -a b >out
has out '/perf-trace: -a b$'
mkdir exec
printf '#!/bin/sh\necho "mine: $*"\n' >exec/perf-mine
chmod +x exec/perf-mine
run "$PWD/sys" --exec-path="$PWD/exec" mine 1 >out
has out '^mine: 1$'
ln -s "$PERF" own/perf-frob
fails 1 run "$PWD/own:$PWD/sys" frob 2>err
has err "'frob' is not a perf command"
mkdir perf-..
cp other/perf-trace perf-../x
fails 1 run "$PWD/sys" ../x 2>err
has err "'../x' is not a perf command"
