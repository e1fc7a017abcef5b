#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script: each option, with good and bad values: no crash, no hang, no finding of a sanitizer
# limit: 400
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/modes/lib-modes.sh"

modes script
