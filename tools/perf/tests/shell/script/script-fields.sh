#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script -F: fields that no sample has are empty
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

perf script -F comm,bpf-output -i x.data | sort -u >out
[ "$(cat out)" = perf ] || [ "$(tr -d ' \n' <out)" = "$(basename "$PERF")" ] || fail "$(head -n 3 out)"
