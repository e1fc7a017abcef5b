#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: module for Python: perf.recording() reads a bundle, with the names that it has
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_module
need_event cpu-clock

cp "$PERF" prog
perf record -q -N -g -e cpu-clock$U -F 2000 -o x.data -- ./prog test -w deep 20 0.2
cat >names.py <<'END'
import perf, sys
with perf.recording(sys.argv[1], symfs=sys.argv[2] or None) as r:
    for s in r:
        print(s.pid, [f.symbol for f in s.frames])
END
python names.py x.data "" >before
has before workload_
perf data bundle -q -i x.data
rm prog x.data
python names.py x.data.bundle "$PWD/nowhere" >after
cmp before after
head -c 1000 x.data.bundle >cut.bundle
fails 1 python names.py cut.bundle "" 2>err
has err 'cut\.bundle|damaged|cut off'
