#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: documentation: the examples of the man pages run
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
python "$PERF_TEST_DIR/source/docs.py" examples "$PERF" \
	"$(dirname "$PERF_TEST_DIR")/Documentation"
