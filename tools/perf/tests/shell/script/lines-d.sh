#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: lines and inlined functions of D (gdc, ldc2) are those that other tools see
# limit: 400
. "$PERF_TEST_DIR/shell/script/lib-lines.sh"
same_lines "D, "
