#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script --time: parts by time add up
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

n=0
for part in 0%-30% 30%-100%; do
	n=$((n + $(perf script -i x.data -F time --time $part | wc -l)))
done
[ "$n" = "$samples" ] || fail "$n samples in the parts, $samples in all"
