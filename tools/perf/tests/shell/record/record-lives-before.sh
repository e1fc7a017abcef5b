#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -a --defer=copy: who lived before the recording, and what starts meanwhile
# limit: 300
. "$PERF_TEST_DIR/shell/record/lib-lives.sh"

need_root

cp "$PERF" of-test
./of-test test -w deep 20 600 & pid=$!
wait_until runs $pid of-test
# At a rate that a recorder with the sanitizers keeps up with on a busy machine: what it does not
# unwind in time it writes, at 64 kB a sample.
record all '^of-test$' 50 -a -F 999 -- sh -c 'for i in $(seq 30); do ./of-test test -w noploop 0.01; done'
end $pid
perf script -i all.data -F pid,comm,ip,sym | awk -v RS= -v pid=$pid '$2 == pid && /_start/ { n++ }
	END { exit n < 50 }' || fail "-a: no whole stacks of who was there before"
