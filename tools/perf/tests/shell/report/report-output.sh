#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: -D prints bytes; a reader that goes away, a full disk, --tui
. "$PERF_TEST_DIR/shell/report/lib-report.sh"

perf report -i x.data -D >out
has out '^0x[0-9a-f]+@x.data \[0x[0-9a-f]+\]: event: 9$' '^\.  0000:  09 00 00 00 ' 'FP chain: nr:[0-9]+$'
set +o pipefail
perf report -i x.data -D 2>err | head -n 1 >/dev/null
[ ! -s err ] || fail "$(cat err)"
set -o pipefail
fails 1 perf report -i x.data >/dev/full 2>err
has err 'No space left on device'
fails 1 perf report --tui -i x.data </dev/null 2>err
has err 'use --stdio'
