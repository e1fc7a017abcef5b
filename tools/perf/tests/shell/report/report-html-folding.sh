#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --html: the page leaves out recursion as report does, but for functions of an interpreter
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd node
need_source

html=$SOURCE/tools/perf/html
node "$PERF_TEST_DIR/lib/page-folding.cjs" "$html/data.js" "$html/tree.js" 2>err || fail "$(head -n 3 err)"
