#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: rows are kept on disk, used by the next command, and removed when asked for
. "$PERF_TEST_DIR/shell/unwind/lib-unwind-cache.sh"

perf stitch -q -o first.data
same first.data
perf unwind cache >list
has list '^ *[0-9]+ +[1-9][0-9]* +[1-9][0-9]*  [0-9a-f]{40}-[0-9a-f]{16}$' ' in [1-9][0-9]* files$'
[ "$(stat -c %a "$kept")" = 700 ] || fail "mode of the directory"

# Nothing new is compiled: nothing is written.
stat -c '%n %i' "$kept"/* >before
perf stitch -q -o second.data
same second.data
perf script >/dev/null
stat -c '%n %i' "$kept"/* >after
cmp before after || fail "the second run has made rows"

perf unwind cache clear >list
has list '^[1-9][0-9]* files of [0-9]+ kB removed$'
[ -z "$(ls -A "$kept")" ] || fail "cleared: $(ls -A "$kept")"
