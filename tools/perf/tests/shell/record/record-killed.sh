#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: killed by SIGKILL, each file reads, with what was written until then
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

"$PERF" test -w deep 20 300 & load=$!
for z in "" -z; do
	rm -rf killed
	mkdir killed
	"$PERF" record -q --defer=copy $z -e cpu-clock --switch-output=1s -o killed/p -p $load & rec=$!
	two() { [ "$(ls killed | wc -l)" -ge 2 ] && has_samples killed/p 11; }
	wait_until two
	kill -KILL $rec
	wait $rec 2>/dev/null || true
	[ "$(ls killed | wc -l)" -ge 2 ] || fail "kill -9 $z: $(ls killed)"
	for f in killed/*; do
		[ "$(samples "$f")" -gt 10 ] || fail "kill -9 $z: $f has $(samples "$f") samples"
	done
done

# Without a command to switch files, and chains by frame pointer.
pid=$load
for z in "" -z; do
	rm -f k.data
	"$PERF" record -q -g $z -e cpu-clock -o k.data -p $pid & rec=$!
	wait_until has_samples k.data 20
	kill -KILL $rec
	wait $rec || true
	perf script -i k.data -F comm >lines
	[ "$(wc -l <lines)" -ge 20 ] || fail "kill -9 $z: $(wc -l <lines) samples"
done
end $load
