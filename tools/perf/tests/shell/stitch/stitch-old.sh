#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: what is replaced is kept as FILE.old if it had more, and not lost by the next
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

stitched
# A recording that was made whole at once has nothing more, whatever its attributes say.
perf record -q --defer=copy -e cpu-clock -o whole.data -- "$PERF" test -w deep 20 0.1
perf stitch -q -i whole.data
[ ! -e whole.data.old ] || fail "what is whole already is kept"
rm whole.data

cp raw.data perf.data
perf stitch -q -i perf.data
# Stitched already: nothing more to keep.
perf stitch -i perf.data 2>err
has_not err 'original'
perf stitch -q -z -i perf.data
cmp raw.data perf.data.old
rm perf.data perf.data.old
cp raw.data perf.data
perf stitch -i perf.data --no-old 2>err
has_not err 'original'
cmp out.data perf.data
[ ! -e perf.data.old ] || fail "kept in spite of --no-old"
perf stitch -i perf.data --comms nobody 2>err
has err 'MB: perf\.data; the original is perf\.data\.old \]$'
cmp out.data perf.data.old
cp raw.data perf.data
ln -f perf.data perf.data.old # as a stitch leaves it that was killed there
perf stitch -q
cmp raw.data perf.data.old
cmp out.data perf.data
rm perf.data.old
mkdir perf.data.old
cp raw.data perf.data
fails 1 perf stitch 2>err
has err '^Error: cannot rename perf\.data to perf\.data\.old: Is a directory' 'with -o'
cmp raw.data perf.data
rmdir perf.data.old
rm perf.data
