#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: import perf: events counted, sampled and named; types; the wheel
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_module

# What has a type is there, and the other way round.
python - <<'END'
import ast, inspect, os
import perf

folder = os.path.dirname(perf.__file__)
assert os.path.exists(os.path.join(folder, "py.typed"))
tree = ast.parse(open(os.path.join(folder, "__init__.pyi")).read())
typed = {}
for node in tree.body:
    if isinstance(node, ast.ClassDef):
        typed[node.name] = {n.name if isinstance(n, ast.FunctionDef) else n.target.id
                            for n in node.body if isinstance(n, (ast.FunctionDef, ast.AnnAssign))}
    elif isinstance(node, ast.FunctionDef):
        typed[node.name] = None
    elif isinstance(node, ast.AnnAssign):
        typed[node.target.id] = None
public = {n for n in dir(perf) if not n.startswith("_")}
assert public == {n for n in typed if not n.startswith("_")}, public ^ set(typed)
for name in "recording", "sample", "frame":
    members = {n for n in dir(getattr(perf, name)) if not n.startswith("_")}
    assert members == {n for n in typed[name] if not n.startswith("_")}, members ^ typed[name]
END

need_event cpu-clock
export U
python - <<'END'
import os
import threading
import perf

assert list(perf.cpu_map("0,2-3")) == [0, 2, 3] and len(perf.cpu_map()) >= 1
assert list(perf.thread_map(tid=os.getpid())) == [os.getpid()] and list(perf.thread_map()) == [-1]
# All threads of a user, also those that are not the first of their process, but not our own.
ready, done = threading.Event(), threading.Event()
tids = []
def wait():
    tids.append(threading.get_native_id())
    ready.set()
    done.wait()
out_r, out_w = os.pipe()
in_r, in_w = os.pipe()
child = os.fork()
if not child:
    os.close(in_w)
    threading.Thread(target=wait).start()
    ready.wait()
    os.write(out_w, b"%d" % tids[0])
    os.read(in_r, 1) # until the parent has looked, or ended
    os._exit(0)
second = int(os.read(out_r, 32))
of_user = list(perf.thread_map(uid=os.geteuid()))
os.close(in_w)
os.waitpid(child, 0)
assert {child, second} <= set(of_user) and os.getpid() not in of_user, (child, second, of_user)
assert list(perf.thread_map(uid=0xffffffff)) == [-1]
for uid in 0x7ffffff0, -1, "nobody at all":
    try:
        raise SystemExit(perf.thread_map(uid=uid))
    except perf.error as e:
        assert str(uid) in str(e) and "user" in str(e), e

events = perf.parse_events("task-clock%s,page-faults:u" % os.environ["U"], None, perf.thread_map(tid=0))
events.open()
events.enable()
pages = [bytes(4096) for _ in range(20000)]
events.disable()
clock, faults = (e.read(-1, 0) for e in events)
assert clock.val > 0 and clock.ena and clock.run and faults.val > 100, (clock, faults)
assert clock.values[0] == clock.val and len(events) == 2
for bad in "no-such-event", "sched:", "{cpu-clock":
    try:
        perf.parse_events(bad)
        raise SystemExit(bad)
    except perf.error as e:
        assert e.errno == 22 and e.strerror, e
for bad in (lambda: perf.cpu_map("x"), lambda: perf.evsel(nothing=1),
            lambda: perf.evsel(sample_freq=1, sample_period=1), lambda: clock and events[0].read(7, 7),
            lambda: events.read_on_cpu(0)):
    try:
        bad()
        raise SystemExit("was accepted")
    except (ValueError, TypeError):
        pass

# Tasks and names, as the example of Linux's own module has it, of this process.
cpus, threads = perf.cpu_map(), perf.thread_map(tid=os.getpid())
event = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_DUMMY, task=1, comm=1, mmap=0,
                   inherit=1, wakeup_events=1, watermark=1, sample_id_all=1, exclude_kernel=1,
                   sample_type=perf.SAMPLE_PERIOD | perf.SAMPLE_TID | perf.SAMPLE_CPU)
event.open(cpus=cpus, threads=threads)
events = perf.evlist(cpus, threads)
events.add(event)
events.mmap()
child = os.fork()
if not child:
    open("/proc/self/comm", "w").write("py-child\xe9")
    os._exit(0)
os.waitpid(child, 0)
assert events.poll(timeout=60000) > 0
got = [e for cpu in cpus for e in iter(lambda: events.read_on_cpu(cpu), None)]
kinds = {type(e) for e in got}
assert {perf.task_event, perf.comm_event} <= kinds, got
assert any(e.type == perf.RECORD_FORK and e.pid == child for e in got), got
assert any(isinstance(e, perf.comm_event) and e.comm.startswith("py-child") and e.tid == child and
           e.sample_tid == child for e in got), got

# Samples.
events = perf.evlist(cpus, threads)
event = perf.evsel(type=perf.TYPE_SOFTWARE, config=perf.COUNT_SW_CPU_CLOCK, sample_period=1000000,
                   exclude_kernel=1, disabled=1,
                   sample_type=perf.SAMPLE_IP | perf.SAMPLE_TID | perf.SAMPLE_TIME | perf.SAMPLE_CPU)
events.add(event)
events.open()
events.mmap()
events.enable()
got = []
while len(got) < 5:
    sum(i * i for i in range(100000))
    got += [e for cpu in cpus for e in iter(lambda: events.read_on_cpu(cpu), None)
            if isinstance(e, perf.sample_event)]
events.disable()
assert all(e.sample_pid == os.getpid() and e.sample_ip and e.sample_time for e in got), got
times = [e.sample_time for e in got if e.sample_cpu == got[0].sample_cpu]
assert times == sorted(times)
events.close()
END

# The wheel is made of the build, without the network, and says what is in it.
need_source
out=$(dirname "$PERF")
[ -e "$out/features.mk" ] || skip "the build is not there"
python "$SOURCE/tools/perf/python/make-wheel.py" "$out/python" . 1.2 >made
python "$SOURCE/tools/perf/python/make-wheel.py" "$out/python" again 1.2 >made 2>err || mkdir again
python "$SOURCE/tools/perf/python/make-wheel.py" "$out/python" again 1.2 >made
cmp perf-1.2-*.whl again/perf-1.2-*.whl
python - perf-1.2-*.whl <<'END'
import base64, csv, hashlib, io, sys, zipfile

z = zipfile.ZipFile(sys.argv[1])
assert not z.testzip()
rows = list(csv.reader(io.StringIO(z.read("perf-1.2.dist-info/RECORD").decode())))
assert {r[0] for r in rows} == set(z.namelist())
for name, digest, size in rows[:-1]:
    data = z.read(name)
    assert digest == "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    assert int(size) == len(data)
assert {"perf/_perf.abi3.so", "perf/__init__.py", "perf/__init__.pyi", "perf/py.typed"} <= set(z.namelist())
z.extractall("unpacked")
END
(cd / && PYTHONPATH="$OLDPWD/unpacked" python -c 'import perf; assert "unpacked" in perf.__file__')
