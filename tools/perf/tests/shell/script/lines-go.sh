#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: lines and inlined functions of Go are those that other tools see
# limit: 400
. "$PERF_TEST_DIR/shell/script/lib-lines.sh"
need_cmd go
same_lines "Go"
