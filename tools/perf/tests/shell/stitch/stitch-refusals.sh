#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: what cannot be is said in words, and nothing is touched
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

mkdir dir
cp raw.data dir/data
perf stitch -q -n -i dir
fails 1 perf stitch -i dir 2>err
has err 'cannot be stitched in place'
fails 1 perf stitch -i nothing.data 2>err
has err 'nothing\.data'
fails 129 perf stitch -z 23 2>err
fails 129 perf stitch raw.data 2>err
fails 1 perf stitch -i raw.data -o no/dir 2>err
has err 'no/dir'
(fails 1 perf stitch -i raw.data -o /dev/full) 2>err
has err 'No space left'
