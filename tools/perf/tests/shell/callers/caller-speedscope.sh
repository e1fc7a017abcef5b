#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: speedscope reads perf script, and files made for it show where nothing ran
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_python
need_recording

perf script -i two.data >text 2>err
reads speedscope work_net text
# In the order of time, a wait is a gap: the profile is as long as the run.
cat >gap.c <<'END'
#include <unistd.h>
volatile unsigned long n;
__attribute__((noinline)) void burst(void) { for (long i = 0; i < 30000000; i++) n++; }
int main(void) { burst(); usleep(500000); burst(); return 0; }
END
gcc -O1 gap.c -o gap
perf record -q -e cpu-clock$U -F 999 -g -o gap.data -- ./gap 2>err
perf data convert -q --to speedscope -i gap.data -o gap.json
python - <<'END'
import json
p = json.load(open("gap.json"))["profiles"][0]
unit = {"nanoseconds": 1e-9, "microseconds": 1e-6, "milliseconds": 1e-3, "seconds": 1}[p["unit"]]
assert (p["endValue"] - p["startValue"]) * unit > 0.5, (p["startValue"], p["endValue"], p["unit"])
END
# The files of one name are two.
perf data convert -q --to speedscope -i two.data -o two.json
has two.json "\"$PWD/net/util.c\"" "\"$PWD/disk/util.c\""
