#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: import perf: samples of recordings say what perf script says, and outlive the file's end
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_module
need_cmd zstd

cat >print.py <<'END'
import sys
import perf

def line(f):
    name = "%s+%#x" % (f.symbol, f.offset) if f.symbol else "[unknown]"
    if f.inlined:
        return "\t%16x %s (inlined)" % (f.ip, name)
    return "\t%16x %s (%s)" % (f.ip, name, f.module or "[unknown]")

for s in perf.recording(sys.argv[1]):
    print(s.comm, s.tid, s.time, s.period, s.event)
    for f in s.frames:
        print(line(f))
END
cat >late.py <<'END'
# Resolved when all has been read, and the recording is closed.
import sys
exec(open("print.py").read().split("for s in")[0])
with perf.recording(sys.argv[1]) as recording:
    samples = list(recording)
del recording
for s in samples:
    print(s.comm, s.tid, s.time, s.period, s.event)
    for f in s.frames:
        print(line(f))
END
check() { # FILE
	perf script -F comm,tid,time,period,event,ip,sym,symoff,dso --ns -i "$1" 2>err |
		sed -n -E 's/^\t *([0-9a-f]+)/\t\1/p' >text || true
	python print.py "$1" >now
	sed -n -E 's/^\t *([0-9a-f]+)/\t\1/p' now >frames
	[ -s frames ] && cmp text frames
	python late.py "$1" | cmp - now
	[ "$(grep -vc '^	' now)" = "$(perf script -G -F tid -i "$1" 2>err | wc -l)" ] || fail "$1: other samples"
}
for f in f1 s2; do # joined with deferred chains
	zstd -dqf "$PERF_TEST_DIR/data/deferred/$f.data.zst" -o $f.data
	check $f.data
done

need_event cpu-clock
# One process after the other in the same place, each with its own mappings.
perf record -q -e cpu-clock -F 499 --call-graph dwarf,8192 -o copy.data -- \
	sh -c "for i in 1 2 3 4; do '$PERF' test -w deep 10 0.1; ls -lR /usr/include >/dev/null; done"
check copy.data
python - <<'END'
import collections, os, threading
import perf

r = perf.recording("copy.data")
assert r.path == "copy.data" and r.command[1] == "record" and r.events[0].startswith("cpu-clock"), r.command
assert r.hostname == os.uname().nodename and r.arch == os.uname().machine
samples = list(r)
assert r.account["samples"] == len(samples) > 20, r.account
kinds = collections.Counter((s.user_stack, s.whole) for s in samples)
assert kinds["unwound", True] > 10, kinds
for s in samples:
    assert (s.reason is None) == (s.whole is not False), (s.whole, s.reason)
    assert s.ips == [f.ip for f in s.frames if not f.inlined]
    if s.methods:
        assert s.methods[0] == "start" and len(s.methods) <= len(s.frames), s.methods
assert r.account["whole_user_stacks"] == kinds["unwound", True]
deep = next(s for s in samples if any(f.symbol and "deep" in f.symbol for f in s.frames))
assert str(deep.frames[0].ip) and "perf.frame 0x" in repr(deep.frames[0]) and deep.comm in repr(deep)
assert {f.mode for s in samples for f in s.frames} <= {"user", "kernel"}
assert max(len([f for f in s.frames if not f.inlined])
           for s in perf.recording("copy.data", max_stack=3)) == 3

# An iteration belongs to one thread; what it gave out, to all.
r = perf.recording("copy.data")
got = [next(r)]
errors = []
def other():
    try:
        next(r)
    except RuntimeError as e:
        errors.append(e)
    for _ in range(200):
        for s in list(got):
            s.frames
thread = threading.Thread(target=other)
thread.start()
got.extend(r)
thread.join()
assert len(errors) == 1 and len(got) == len(samples)

# Ended early, in the midst of a pass, and used afterwards.
r = perf.recording("copy.data")
s = next(r)
r.close()
assert not list(r) and s.frames
END

# ^C interrupts, and no sample is lost by it.
python - <<'END'
import os, signal
import perf

hits, armed = [], []
def handler(*_):
    hits.append(1)
    if armed:
        armed.clear()
        raise KeyboardInterrupt
signal.signal(signal.SIGINT, handler)
parent = os.getpid()
r = perf.recording("copy.data")
child = os.fork()
while not child and os.getppid() == parent:
    os.kill(parent, signal.SIGINT)
if not child:
    os._exit(0)
try:
    armed.append(1)
    while True:
        sum(1 for s in perf.recording("copy.data"))
except KeyboardInterrupt:
    pass
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
n = sum(1 for s in r)
assert hits and n == sum(1 for s in perf.recording("copy.data"))
END

# What cannot be read raises, with file and offset, after what could be.
head -c $(($(stat -c %s copy.data) / 2)) copy.data >half.data
python - >out 2>err <<'END'
import errno, resource
import perf

for path, number in (("/none", errno.ENOENT), ("/dev/null", None), ("print.py", None), (".", None)):
    try:
        perf.recording(path)
        raise SystemExit("%s was read" % path)
    except perf.error as e:
        assert isinstance(e, OSError) and path in str(e) and (not number or e.errno == number), e
n = 0
try:
    for s in perf.recording("half.data"):
        n += 1
    raise SystemExit("half.data was read")
except perf.error as e:
    assert n and "half.data" in str(e) and "offset" in str(e), (n, e)
for bad in ({"max_stack": -1}, {"nothing": 1}):
    try:
        perf.recording("copy.data", **bad)
        raise SystemExit("%s was accepted" % bad)
    except (OverflowError, TypeError, ValueError):
        pass
# No memory is an exception, too, and not the end of the process.
taken = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
caught = 0
for room in range(1 << 20, 40 << 20, 3 << 20):
    resource.setrlimit(resource.RLIMIT_AS, (taken + room, -1))
    try:
        for s in perf.recording("copy.data", unwind_cache=False):
            s.frames
    except (MemoryError, perf.error):
        caught += 1
assert caught
END
[ ! -s err ] || fail "$(cat err)"
