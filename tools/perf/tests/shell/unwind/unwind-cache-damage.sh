#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: kept rows that are damaged, cut or of another build are made again
. "$PERF_TEST_DIR/shell/unwind/lib-unwind-cache.sh"

perf stitch -q -o first.data
for f in "$kept"/*; do
	size=$(stat -c %s "$f")
	printf 'damage' | dd of="$f" bs=1 seek=$((size - 100)) conv=notrunc status=none
done
fails 1 perf unwind cache >list 2>err
has list ': damaged$'
has err 'cannot be used; they will be rebuilt when needed'
perf stitch -q -o third.data
same third.data
perf unwind cache >list
for f in "$kept"/*; do
	printf 'x' | dd of="$f" bs=1 seek=30 conv=notrunc status=none
done
perf stitch -v -o fourth.data 2>err
has err 'kept rows .*: written by another build of perf'
same fourth.data
for f in "$kept"/*; do truncate -s 1000 "$f"; done
perf stitch -q -o fifth.data
same fifth.data
perf unwind cache >list
