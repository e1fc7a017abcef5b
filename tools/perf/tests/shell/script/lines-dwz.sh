#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: lines and inlined functions whose debug information dwz moved into a common file
# limit: 400
. "$PERF_TEST_DIR/shell/lib.sh"
need_source
need_event cpu-clock
need_cmd g++ dwz readelf

for i in one two; do
	cp "$SOURCE/tools/perf/tests/data/lines/prog.cc" $i.cc
	g++ -g -O2 -o $i $i.cc
done
lines() { perf script -i x.data --no-unwind-cache -F ip,sym,srcline 2>err >"$1"; }
perf record -q -g -e cpu-clock:u -F 499 -o x.data -- ./one >/dev/null 2>err
lines before
has before '\(inlined\)$' '^  one\.cc:[0-9]+$' '^  stl_'

# Only debug information is moved: the same addresses have the same lines and functions.
dwz -m common.debug one two
readelf -SW one >sections
has sections gnu_debugaltlink
lines after
cmp before after

# Where the common file is missing, lines are in the file itself, and no name is wrong.
mv common.debug gone
lines without
has without '^  one\.cc:[0-9]+$'
grep -P '^\t' without | grep -v ' ??$' | LC_ALL=C sort -u >names
grep -P '^\t' before | LC_ALL=C sort -u >known
[ -z "$(LC_ALL=C comm -23 names known)" ] || fail "names from nowhere: $(LC_ALL=C comm -23 names known)"
mv gone common.debug

# Nor is another file of that name taken for it.
printf 'int main(void) { return 0; }' >other.c
gcc -g -o common.debug other.c
lines other
cmp without other
