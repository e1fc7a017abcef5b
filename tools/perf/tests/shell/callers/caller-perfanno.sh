#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perfanno.nvim reads lines with their folders: flat, and as call graphs with counts
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_recording

perf report -g folded,0,caller,srcline,branch,count --no-children --full-source-path --stdio -i two.data >graph 2>err
# A number, then frames "FUNCTION FILE:LINE", outermost first, apart by semicolons.
for d in net:2 disk:3; do
	grep -E "^[0-9]+ (.*;)?main $PWD/two\.c:${d#*:};work_${d%:*} $PWD/${d%:*}/util\.c:2$" graph >path ||
		fail "$(grep -v '^#' graph | head)"
	# All addresses of a line are one: one path has nearly all samples.
	awk '{ n += $1; if ($1 > most) most = $1 } END { exit most < 0.8 * n }' path || fail "$(cat path)"
done
perf report -g none -F sample,srcline --stdio --full-source-path -i two.data >flat 2>err
has flat "^# Samples: [0-9]+[KMB]?.* of event '.*'" "^ +[0-9]+ +$PWD/net/util\.c:2$" "^ +[0-9]+ +$PWD/disk/util\.c:2$"
perf report -F overhead,srcline -g none --stdio --full-source-path -i two.data >flat 2>err
has flat "^ +[0-9]+\.[0-9]+% +$PWD/net/util\.c:2$"
# Without the folders, the two lines are two rows still.
perf report -F sample,srcline -g none --stdio -i two.data >flat 2>err
[ "$(grep -cE '^ +[0-9]+ +util\.c:2$' flat)" = 2 ] || fail "$(cat flat)"
# Branch stacks are asked for; that they make no callers is said where there are some.
python "$PERF_TEST_DIR/lib/made-recording.py" branches lbr.data
perf report -g folded,0,caller,srcline,branch,count --no-children --stdio -i lbr.data >graph 2>err
has err 'branch stacks are not shown as callers'
