#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: ~/.perfconfig: what is there for another perf is no reason for words
. "$PERF_TEST_DIR/shell/cli/lib-perfconfig.sh"

cat >"$conf" <<'END'
[colors]
	# percentages
	top = red, default
[tui]
	report = on
[annotate]
	hide_src_code = false
[ui]
	show-headers = true
[trace]
	show_zeros
[llvm]
	clang-opt = "-Wall -D X"
END
report
has_not err .
has out '^# Children +Self +Command'
