#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: import perf: fields of tracepoints are attributes; what to wait for; sources of events
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_module

# Each kind of field, from a payload that is made for it.
python - <<'END'
import struct, sys
from perf._events import sample_event
from perf._formats import FIELD, field

text = """
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:char comm[8];	offset:8;	size:8;	signed:0;
	field:pid_t pid;	offset:16;	size:4;	signed:1;
	field:u32 flags;	offset:20;	size:4;	signed:0;
	field:unsigned int args[2];	offset:24;	size:8;	signed:0;
	field:__data_loc char[] name;	offset:32;	size:4;	signed:0;
	field:__rel_loc char[] other;	offset:36;	size:4;	signed:0;
	field:__data_loc u8[] bytes;	offset:40;	size:4;	signed:0;
"""
fields = {f.name: f for f in (field(d, int(o), int(s), b == "1") for d, o, s, b in FIELD.findall(text))}
assert list(fields) == ["common_type", "comm", "pid", "flags", "args", "name", "other", "bytes"], list(fields)
raw = struct.pack("=HHi8siI2IIII", 77, 0, 0, b"a\xffb\0junk", -5, 1 << 31, 3, 4, 6 << 16 | 44, 4 << 16 | 10,
                  2 << 16 | 54) + b"hello\0rel\0\1\2"
got = {n: f.value(raw) for n, f in fields.items()}
assert got["comm"] == "a\udcffb" and got["pid"] == -5 and got["flags"] == 1 << 31, got
assert got["args"] == bytearray(struct.pack("=2I", 3, 4)) and type(got["args"]) is bytearray
assert got["name"] == "hello" and got["other"] == "rel" and got["bytes"] == b"\1\2", got
# Places behind the end, and a payload that is cut off.
assert fields["name"].value(struct.pack("=32xI", 9 << 16 | 500)) == ""
for f in fields.values():
    for size in range(len(raw)):
        try:
            f.value(raw[:size])
        except struct.error:
            assert f.is_moved
event = sample_event(9, 0)
for name in "prev_comm", "_private":
    try:
        raise SystemExit(getattr(event, name))
    except AttributeError as e:
        assert name in str(e)
END

python - <<'END'
import perf

names = [p.name() for p in perf.pmus()]
assert "software" in names and all(e["name"] for p in perf.pmus() for e in p.events()), names
END

need_root
need_event sched:sched_process_exec
python - <<'END'
import os, select
import perf

cpus, threads = perf.cpu_map(), perf.thread_map()
event = perf.evsel(type=perf.TYPE_TRACEPOINT, config=perf.tracepoint("sched", "sched_process_exec"),
                   sample_period=1, wakeup_events=1, sample_id_all=1,
                   sample_type=perf.SAMPLE_TID | perf.SAMPLE_TIME | perf.SAMPLE_CPU | perf.SAMPLE_RAW)
events = perf.evlist(cpus, threads)
events.add(event)
try:
    raise SystemExit(events.get_pollfd())
except ValueError as e:
    assert "mmap" in str(e)
events.open()
events.mmap()
events.enable()
files = events.get_pollfd()
assert len(files) == len(cpus), files
child = os.fork()
if not child:
    os.execv("/bin/true", ["true"])
os.waitpid(child, 0)
got = []
while not got:
    assert select.select(files, [], [], 60)[0]
    got = [e for cpu in cpus for e in iter(lambda: events.read_on_cpu(cpu), None)
           if isinstance(e, perf.sample_event) and e.pid == child]
assert got[0].filename == "/bin/true" and got[0].common_pid == child, got
assert "filename" in dir(got[0]) and "raw_buf" in dir(got[0])
for f in files:
    f.close()
events.disable() # they were not ours to close
events.close()
END
