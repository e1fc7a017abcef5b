#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: rows are kept where --buildid-dir and PERF_BUILDID_DIR say
. "$PERF_TEST_DIR/shell/unwind/lib-unwind-cache.sh"

"$PERF" --buildid-dir "$PWD/named" stitch -q -o tenth.data
same tenth.data
[ -n "$(ls named/.unwind)" ] || fail "nothing is kept in --buildid-dir"
perf --buildid-dir /dev/null stitch -q -o eleventh.data
same eleventh.data
fails 129 perf --buildid-dir 2>err
has err 'needs a value'
PERF_BUILDID_DIR=$PWD/other perf stitch -q -o ninth.data
same ninth.data
[ -n "$(ls other/.unwind)" ] || fail "nothing is kept in PERF_BUILDID_DIR"
