#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: copies whose binaries are not there are not replaced by less
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

cp raw.data there.data
fails 1 perf stitch -i there.data --symfs /nowhere 2>err
has err 'was not replaced, because [0-9]+ of its stack copies' '--symfs'
cmp raw.data there.data
perf stitch -q -i there.data --symfs /nowhere -o poor.data
rm there.data

# A few copies without their binary are no loss as long as the original stays; without it they are.
cp "$PERF" gone
perf record -q -N --no-stitch --call-graph dwarf,1024 -e cpu-clock:u -F 2000 -o few.data -- sh -c \
	"'$PERF' test -w noploop 1; ./gone test -w noploop 0.01"
rm gone
cp few.data there.data
fails 1 perf stitch -i there.data --no-old 2>err
has err 'was not replaced, because [0-9]+ of its stack copies' 'leave out --no-old'
cmp few.data there.data
[ ! -e there.data.old ] || fail "--no-old: kept"
perf stitch -i there.data 2>err
has err 'unreadable binary' 'the original is there\.data\.old'
cmp few.data there.data.old
rm few.data there.data there.data.old
