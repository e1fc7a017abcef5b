#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: of a file that ends early, what can be read is saved elsewhere
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

head -c 100000 raw.data >cut.data
cp cut.data cut2.data
fails 1 perf stitch -i cut.data 2>err
has err 'cut off' "'cut\.data' is damaged and was not replaced"
cmp cut.data cut2.data
fails 1 perf stitch -i cut.data -o saved.data 2>err
has err 'cut off'
text saved.data >saved.txt
[ "$(grep -c cpu-clock saved.txt)" -ge 5 ] || fail "what could be read was not saved"
