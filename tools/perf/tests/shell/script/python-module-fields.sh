#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: import perf: the fields of a recorded tracepoint are what perf script prints of them
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_module
need_root
need_event sched:sched_process_exec

# Numbers, a string whose place is in the payload, strings in it, and an array of numbers.
perf record -q -o t.data -e sched:sched_process_exec,sched:sched_process_fork,raw_syscalls:sys_enter \
	-e sched:sched_process_exit,page-faults -c 1 -- sh -c '/bin/true; ls / >/dev/null'
perf script -i t.data -F event,trace >text
cat >fields.py <<'END'
import struct
import perf

FORMATS = {
    "sched:sched_process_exec": "filename={filename} pid={pid} old_pid={old_pid}",
    "sched:sched_process_fork":
        "comm={parent_comm} pid={parent_pid} child_comm={child_comm} child_pid={child_pid}",
}

def text(sample):
    f = sample.fields
    if sample.event == "raw_syscalls:sys_enter":
        assert list(f) == ["id", "args"] and type(f["args"]) is bytes, f
        return "NR %d (%s)" % (f["id"], ", ".join("%x" % a for a in struct.unpack("=6Q", f["args"])))
    return FORMATS[sample.event].format(**f)

kinds = set()
with perf.recording("t.data") as recording:
    samples = list(recording)
for s in samples: # also when the recording is closed
    if s.event == "page-faults":
        assert s.fields is None and s.trace is None and s.raw is None
    elif s.event == "sched:sched_process_exit":
        assert s.fields["pid"] == s.tid and s.fields["comm"] == s.comm, (s.fields, s.tid, s.comm)
        s.fields.clear() # it is the caller's own
        assert s.fields["comm"] == s.comm
    else:
        assert s.trace == text(s), (s.trace, s.fields)
        print("%s: %s" % (s.event, text(s)))
    kinds.add(s.event.partition(":u")[0])
assert len(kinds) == 5, kinds
END
python fields.py >now
sed -n -E 's/^ *(sched:sched_process_(exec|fork)|raw_syscalls:sys_enter): +(.*[^ ]) *$/\1: \3/p' text >wanted
[ "$(wc -l <now)" -gt 20 ] || fail "$(cat now)"
cmp now wanted

# The same as the engine hands to a script.
need_scripts
cat >unhandled.py <<'END'
def trace_unhandled(event, context, fields):
    own = {k: v for k, v in fields.items() if not k.startswith("common_")}
    print(event, {k: bytes(v) if isinstance(v, bytearray) else v for k, v in own.items()})
END
perf script -i t.data -s unhandled.py | sed -n '/^[a-z_]*__/p' >engine
python - >module <<'END'
import perf
for s in perf.recording("t.data"):
    if s.fields is not None:
        print(s.event.replace(":", "__"), s.fields)
END
[ -s engine ]
cmp engine module
