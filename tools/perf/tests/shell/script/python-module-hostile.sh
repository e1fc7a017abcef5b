#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: import perf: what fuzzing has found raises exceptions, and neither crashes nor prints
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_module
need_cmd zstd tar

for corpus in reader stitch features; do
	mkdir $corpus
	zstd -dqc "$PERF_TEST_DIR/data/fuzz/$corpus.tar.zst" | tar -x -C $corpus
done
cat >read.py <<'END'
import os, sys
import perf

read = raised = 0
for folder, _, names in os.walk(sys.argv[1]):
    for name in names:
        try:
            for s in perf.recording(os.path.join(folder, name), unwind_cache=False):
                read += 1
                s.time, s.comm, s.pid, s.cpu, s.event, s.addr, s.raw, s.trace, s.fields, s.whole, s.methods
                for f in s.frames:
                    f.symbol, f.offset, f.module, f.line
        except OSError as e:
            assert isinstance(e, perf.error) and e.errno and name in str(e), e
            raised += 1
print(read, raised)
END
for corpus in reader stitch features; do
	python -X dev read.py $corpus >out 2>err || fail "$corpus: $(tail -n 3 err)"
	[ ! -s err ] || fail "$corpus: $(cat err)"
	echo "$corpus: $(cat out)" >>all
done
cat all
has all 'reader: [1-9][0-9]* [1-9]'
