# SPDX-License-Identifier: GPL-2.0-only
# For the tests of rows that are kept in $kept: perf.data has stack copies, plain.data their chains.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

kept=$HOME/.debug/.unwind

make_copies() { perf record -q -e cpu-clock -F 499 --call-graph dwarf -o copies.data -- "$PERF" test -w deep 20 0.3; }
shared copies.data make_copies
mv copies.data perf.data
perf stitch -q --no-unwind-cache -o plain.data
[ ! -e "$kept" ] || fail "--no-unwind-cache: $(ls "$kept")"

# same DATA: it has the stacks that were unwound without anything kept.
same() { cmp plain.data "$1" || fail "$1 is not as plain.data"; }
