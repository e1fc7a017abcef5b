#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script: a reader that goes away ends it quietly, a full disk with words
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

set +o pipefail
perf script -i x.data 2>err | head -n 1 >/dev/null
case ${PIPESTATUS[0]} in 0 | 1 | 141) ;; *) fail "status ${PIPESTATUS[0]}" ;; esac
set -o pipefail
# Chains by frame pointers may be cut.
! grep -v 'stacks end at once' err || fail "$(cat err)"
fails 1 perf script -i x.data >/dev/full 2>err
has err 'cannot write to standard output: No space left on device'
