#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script -F srcline: the line of each frame, or the binary and the address
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
grep -q -a '\.debug_line' "$PERF" || skip "this perf was built without line numbers"

perf record -q --defer=copy -e cpu-clock -o x.data -- "$PERF" test -w noploop 0.2 2>err
perf script -i x.data -F ip,sym,srcline 2>err >out
# Below each frame stands its line.
awk '/ noploop$/ { getline; print }' out | sort | uniq -c >lines
has lines '^ +[0-9]+ +(.*/)?sought\.c:[1-9][0-9]*$'
has_not lines '\['
# Without the binaries there are no lines.
perf script -i x.data --symfs "$PWD/nowhere" -F ip,srcline 2>err >out
has out '^ +perf\[[0-9a-f]+\]$'
has_not out 'sought\.c'

# Both inlined functions are in the twenties of the file, and the one around them in the thirties.
perf record -q --defer=copy -e cpu-clock$U -o inline.data -- "$PERF" test -w inlineloop 0.2 2>err
perf script -i inline.data -F ip,sym,srcline >inline 2>err
at='[^ ]*inlineloop\.c'
tr '\n' ' ' <inline | grep -Eq "inlined_leaf +$at:2. \(inlined\)[^(]* inlined_middle +$at:2. \(inlined\)[^(]* inlined_into +$at:3. " ||
	fail "$(head -n 20 inline)"
