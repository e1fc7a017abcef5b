#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: top on a terminal: live rows, keys meanwhile, z, annotate, other keys; until the process ends
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-tui.sh"
need_cmd gcc
need_event cpu-clock:u

cat >w.c <<'END'
#include <unistd.h>
volatile long x;
#define NOINLINE __attribute__((noinline, noclone))
NOINLINE void one(void) { for (int i = 0; i < 100000; i++) x += i; }
NOINLINE void two(void) { for (int i = 0; i < 100000; i++) x -= i; }
int main(void)
{
	while (access("end", F_OK))
		if (access("second", F_OK))
			one();
		else
			two();
	return 0;
}
END
gcc -O1 -g -o w w.c
./w & w=$!
trap 'kill $w 2>/dev/null || true; terminal kill-server 2>/dev/null || true' EXIT

rm -f status
terminal new-session -d -s perf -x 100 -y 30 \
	"\"$PERF\" top -g -e cpu-clock:u -F 500 -d 0.2 -p $w 2>messages; echo \$? >status; sleep 1000"
shows '\[\.\] one$'
shows '^Live '
: >second
shows '\[\.\] two$'
# Samples from now on.
keys z
shows 'samples from now on'
i=0
while screen | grep -q '\[\.\] one$'; do sleep 0.05; i=$((i + 1)); [ $i -lt 400 ] || fail "z keeps one()"; done
shows '\[\.\] two$'
# What needs another recording is refused; other keys are not.
keys o && answer 'Sort by' srcline
shows 'start perf top with --sort'
keys o && answer 'Sort by' sym
shows 'Children +Self +Symbol'
keys T && answer 'Time range' '0%-10%'
shows 'no time ranges'
if command -v objdump >/dev/null; then
	keys / && answer 'Functions whose names contain' two
	shows 'Symbol: two'
	keys Home
	keys a
	shows '^two  .*/w  [0-9]+ samples'
	keys q
fi
: >end
shows 'the recorder has ended'
keys q
ended 0
wait $w
