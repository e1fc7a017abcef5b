#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a command that ignores SIGTERM is waited for until a second signal
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

# It says its number, and runs until the file "end" is there.
cat >stubborn.sh <<'END'
trap '' TERM INT
echo $$ >pid
until [ -e end ]; do :; done
END
"$PERF" record -e cpu-clock -o x.data -- bash stubborn.sh 2>err & rec=$!
wait_until has_samples x.data 1
kill -TERM $rec
blocked() { grep -q '^State:.*S' /proc/$rec/status; }
wait_until blocked
kill -0 $rec || fail "the recorder did not wait: $(cat err)"
# The first may come while it still writes.
gone() { kill -INT $rec 2>/dev/null && sleep 0.05; ! kill -0 $rec 2>/dev/null; }
wait_until gone
status=0
wait $rec || status=$?
[ $status = 143 ] || [ $status = 130 ] || fail "status $status: $(cat err)"
has err "process $(cat pid) is left running"
kill -0 "$(cat pid)" || fail "the command was ended"
[ "$(samples x.data)" = "$(captured)" ] || fail "$(samples x.data) samples: $(cat err)"
touch end
