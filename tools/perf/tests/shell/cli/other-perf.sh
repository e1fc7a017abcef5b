#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: a command that this perf lacks is run by another one, as it was typed
. "$PERF_TEST_DIR/shell/cli/lib-other-perf.sh"

# As it was typed, options of all commands included, and its exit status.
fails 3 run "$o" stat -e 'a b' -- ls >out
has out '^other: stat -e a b -- ls$'
fails 3 run "$o" --no-pager --debug verbose=2 trace -p 1 >out
has out '^other: --no-pager --debug verbose=2 trace -p 1$'
fails 3 run "$o" newer x >out
has out '^other: newer x$'
fails 3 run "$o" help trace >out
has out '^other: help trace$'
fails 3 run "$o" sched record >out
has out '^other: sched record$'
