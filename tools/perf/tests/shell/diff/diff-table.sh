#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf diff: parts of the first recording and changes in the others, in the columns of perf
. "$PERF_TEST_DIR/shell/diff/lib-diff.sh"

fails 1 perf diff 2>err
has err 'perf.data.old' 'perf diff OLD NEW'
counted perf.data.old 'top;grown=20' 'top;same=40' 'top;gone=10' 'top;shrunk=30' 'top;fresh=0'
counted perf.data 'top;grown=90' 'top;same=80' 'top;gone=0' 'top;shrunk=20' 'top;fresh=10'
counted third.data 'top;grown=20' 'top;same=40' 'top;gone=0' 'top;shrunk=40' 'top;fresh=0'

# check OPTIONS... <<END: the text is this.
check() {
	sed 's/ *$//' >want
	difference "$@" | sed 's/ *$//' >out
	diff want out || fail "$*"
}
check <<'END'
# Event 'cpu-clock'
#
# Baseline  Delta Abs  Shared Object      Symbol
# ........  .........  .................  ..........
#
    20.00%    +25.00%  [kernel.kallsyms]  [k] grown
    30.00%    -20.00%  [kernel.kallsyms]  [k] shrunk
               +5.00%  [kernel.kallsyms]  [k] fresh
    40.00%     +0.00%  [kernel.kallsyms]  [k] same
    10.00%             [kernel.kallsyms]  [k] gone
END
check -c ratio -p -s sym <<'END'
# Event 'cpu-clock'
#
# Baseline     Base period           Ratio          Period  Symbol
# ........  ..............  ..............  ..............  ..........
#
    20.00%              20        4.500000              90  [k] grown
    40.00%              40        2.000000              80  [k] same
    30.00%              30        0.666667              20  [k] shrunk
                         0             N/A              10  [k] fresh
    10.00%              10                                  [k] gone
END
check -q -c wdiff:2,1 -s sym <<'END'
    20.00%              50  [k] grown
    40.00%               0  [k] same
    30.00%             -40  [k] shrunk
                       N/A  [k] fresh
    10.00%                  [k] gone
END
difference -q -c wdiff:2,1 -F -s sym >out
has out '  50 {53}\(90 \* 1\) - \(20 \* 2\)  \[k\] grown$'
difference -q -F -s sym >out
has out ' {30}\(90 \* 100 / 200\) - \(20 \* 100 / 100\)  \[k\] grown$'
difference -q -F -c ratio -s sym >out
has out '  90 / 20  \[k\] grown$'
check -s sym -o 2 perf.data.old perf.data third.data <<'END'
# Event 'cpu-clock'
#
# Data files:
#  [0] perf.data.old (Baseline)
#  [1] perf.data
#  [2] third.data
#
# Baseline/0  Delta Abs/1  Delta Abs/2  Symbol
# ..........  ...........  ...........  ..........
#
      30.00%      -20.00%      +10.00%  [k] shrunk
      40.00%       +0.00%       +0.00%  [k] same
      20.00%      +25.00%       +0.00%  [k] grown
      10.00%                            [k] gone
                   +5.00%               [k] fresh
END
check -q -b -s sym <<'END'
    22.22%    +25.00%  [k] grown
    33.33%    -20.00%  [k] shrunk
    44.44%     +0.00%  [k] same
END
check -q -t, -s sym third.data perf.data <<'END'
40.00   ,-30.00%  ,[k] shrunk
20.00   ,+25.00%  ,[k] grown
        ,+5.00%   ,[k] fresh
40.00   ,+0.00%   ,[k] same
END
# One file is compared with perf.data.old; a filter leaves out its column.
check -q -S grown,shrunk,same --percentage relative third.data <<'END'
    33.33%     +6.67%  [kernel.kallsyms]  [k] shrunk
    44.44%     -4.44%  [kernel.kallsyms]  [k] same
    22.22%     -2.22%  [kernel.kallsyms]  [k] grown
END
check -q -S grown <<'END'
    20.00%    +25.00%  [kernel.kallsyms]
END
# Settings choose the defaults.
printf '[diff]\n\tcompute = ratio\n\torder = 0\n' >config
PERF_CONFIG=config difference -q -s sym | sed 's/ *$//' >out
head -n 2 out >first
has first '40.00%        2.000000  \[k\] same'

fails 129 perf diff -c cycles 2>err
has err '--compute is delta, delta-abs, ratio or wdiff:W1,W2'
fails 129 perf diff -c wdiff:1 2>err
fails 129 perf diff -o 7 2>err
has err 'there are only 2 recordings'
fails 129 perf diff -s state 2>err
has err "cannot sort by 'State'"
fails 1 perf diff no-such.data perf.data 2>err
has err 'no-such.data'
