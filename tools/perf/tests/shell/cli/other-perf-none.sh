#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf: without another perf, one sentence for a command of Linux perf
. "$PERF_TEST_DIR/shell/cli/lib-other-perf.sh"

fails 1 run "$PWD/sys" trace 2>err
has err "^perf: 'trace' is a command of Linux perf that this perf does not have, and there is no other"
[ "$(wc -l <err)" = 1 ] || fail "$(cat err)"
has_not err 'Did you mean'
fails 1 run "$PWD/sys" help stat 2>err
has err "no manual page for 'stat'"
run "$PWD/sys" --list-cmds >out
has out '^annotate archive bench buildid-cache buildid-list check config data diff doctor evlist help inject list record report script stitch test top unwind version whole *$'
