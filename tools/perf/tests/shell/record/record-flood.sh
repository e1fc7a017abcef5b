#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: ends with its command where records come as fast as they can be written
# limit: 200
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_event page-faults

# It takes 10 MB/s at most; page faults with their stacks make ten times as much.
cat >reader.py <<'END'
import os, time
left, data = 20 << 20, True
while data:
    data = os.read(0, 65536)
    left -= len(data)
    if left < 0:
        open("flooded", "w").close()
    time.sleep(0.006)
END
"$PERF" test -w faulter 600 & pid=$!
wait_until runs $pid perf
{
	timeout -k 1 60 "$PERF" record -q -m 256K -e page-faults -c 1 --call-graph dwarf,4096 -p $pid \
		-o - -- sh -c 'until [ -e flooded ]; do sleep 0.01; done; exit 7' 2>err || echo $? >status
} | python reader.py
end $pid
[ "$(cat status)" = 7 ] || fail "status $(cat status), 137: it did not end with its command: $(cat err)"
