#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: its own commands stay its own; names near to either's are offered
. "$PERF_TEST_DIR/shell/cli/lib-other-perf.sh"

# What it does not have either is no command, and near names are offered of both.
fails 1 run "$o" stta 2>err
has err "^perf: 'stta' is not a perf command. Did you mean .*stat"
# Our own are ours.
run "$o" version >out
has_not out other
run "$o" --list-cmds >out
has out '^annotate archive bench .* record .* top .* newer *$'
[ "$(grep -o record out | wc -l)" = 1 ] || fail "$(cat out)"
fails 1 run "$o" >out
has out "are passed on to $PWD/other/perf"
