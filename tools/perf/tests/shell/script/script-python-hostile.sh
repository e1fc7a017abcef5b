#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script -s, import perf: names that are not UTF-8, and formats of tracepoints that lie
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_scripts
need_python
need_event cpu-clock

# A program and a thread with bytes of their own: as text and as scripts have them.
name=$'a\xff\xc3b'
cp /bin/ls "$name"
perf record -q -e cpu-clock -F 5000 -o name.data -- "./$name" -lR /usr/include >ls.text
cat >names.py <<'END'
def process_event(d):
    if "dso" in d and d["sample"]["cpumode"] == 2:
        assert d["comm"] == "a\udcff\udcc3b", ascii(d["comm"])
        print(d["comm"], d["dso"])
END
perf script -i name.data -s names.py >out
LC_ALL=C grep -qaF "$name $PWD/$name" out || fail "$(head -n 1 out | od -c | head -n 3)"

need_root
need_event sched:sched_process_exec
# And as the fields of tracepoints have them, whatever the bytes are.
odd=$'a\xff\e[1m\nb'
cp /bin/true "$odd"
perf record -q -e sched:sched_process_exit -o odd.data -- "./$odd"
cat >exits.py <<'END'
def sched__sched_process_exit(event, context, cpu, s, ns, pid, comm, chain, exiting, *rest):
    assert exiting == "a\udcff\x1b[1m\nb", ascii(exiting)
    print("exit of", exiting)
END
perf script -i odd.data -s exits.py >out
LC_ALL=C grep -qaF $'exit of a\xff\e[1m' out || fail "$(od -c out | head -n 3)"

perf record -q -o good.data -e sched:sched_process_exec,sched:sched_process_exit -e raw_syscalls:sys_enter \
	-- sh -c '/bin/true; /bin/true'
# Each of some places of the formats says something else: an offset, a size, a type.
cat >lie.py <<'END'
import os, re
data = open("good.data", "rb").read()
places = [m.span(1) for m in re.finditer(rb"(?:offset|size|signed):(\d+);", data)]
places += [m.span(1) for m in re.finditer(rb"field:(__data_loc|unsigned|char|int|long)", data)]
nr, step = 0, max(1, len(places) // (36 if os.environ.get("PERF_TEST_THOROUGH") else 12))
for start, end in places[::step]:
    for by in (b"9", b"0") if data[start:end].isdigit() else (b"_",):
        with open("lie%d.data" % nr, "wb") as f:
            f.write(data[:start] + by * (end - start) + data[end:])
        nr += 1
END
python lie.py
cat >take.py <<'END'
from perf_trace_context import *

def trace_unhandled(event, context, fields):
    common_pc(context), common_flags(context), common_lock_depth(context)
    assert len(repr(fields)) > 10
END
perf script -i good.data -s take.py
nr=0
for file in lie*.data; do
	got=0
	perf script -i "$file" -s take.py >out 2>err || got=$?
	[ $got -le 1 ] || fail "$file: status $got: $(cat err)"
	has_not err Traceback
	nr=$((nr + 1))
done
[ $nr -ge 12 ] || fail "$nr files only"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_module
python -X dev - lie*.data <<'END'
import sys
import perf

read = 0
for path in sys.argv[1:]:
    try:
        for s in perf.recording(path):
            for value in (s.fields or {}).values(): # is of the payload, not of what is behind it
                if isinstance(value, str):
                    value = value.encode("utf-8", "surrogateescape")
                assert isinstance(value, int) or value in s.raw, (path, s.fields, s.raw)
            assert s.trace is None or isinstance(s.trace, str)
            read += 1
    except perf.error as e:
        assert path in str(e), e
assert read > 100, read
END
