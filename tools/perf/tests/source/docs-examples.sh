#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: documentation: the examples of the man pages run
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
! (need_scripts) >/dev/null || need_scripts # what Python keeps is no leak
python "$PERF_TEST_DIR/source/docs.py" examples "$PERF" \
	"$(dirname "$PERF_TEST_DIR")/Documentation"
