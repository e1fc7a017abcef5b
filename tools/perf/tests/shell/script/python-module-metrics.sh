#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: import perf: metrics are what their two counts say; what is not known is refused in words
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_module

python - <<'END'
import errno
import math
import perf

known = {m["MetricName"]: m for m in perf.metrics()}
assert known["cs_per_second"]["MetricExpr"] == "1e+09 * context-switches / clock", known
assert all(m["BriefDescription"] and m["PMU"] in m["MetricGroup"] for m in known.values())
for name, metric in known.items():
    events = perf.parse_metrics(name) # all events that they need are known by name
    assert events.metrics() == [name] and 1 <= len(events) <= 2, (name, events)
    events = perf.parse_metrics(name, metric["PMU"])
software = [n for n, m in known.items() if m["PMU"] == "software"]
events = perf.parse_metrics("cs_per_second,software")
assert sorted(events.metrics()) == sorted(software), events.metrics()
assert [e.name for e in events].count("task-clock") == 1, events # each is counted once
for bad in ("IPC", ""), ("cs_per_second", "cpu"), ("insn_per_cycle,,", None):
    try:
        raise SystemExit(perf.parse_metrics(*bad))
    except perf.error as e:
        assert e.errno == errno.ENOENT and "metrics()" in str(e) and "parse_events()" in str(e), e
try:
    raise SystemExit(events.compute_metric("insn_per_cycle", -1, 0))
except ValueError as e:
    assert "insn_per_cycle" in str(e)

# What this machine cannot count says so.
events = perf.parse_metrics("insn_per_cycle")
try:
    events.open()
    events.close()
except perf.error as e:
    assert "instructions" in str(e) and e.errno in (errno.ENOENT, errno.EACCES), e
    assert ("hardware" if e.errno == errno.ENOENT else "perf_event_paranoid") in str(e), e
END

need_event page-faults
[ -z "$U" ] || skip "needs the right to count in the kernel"
python - <<'END'
import math
import time
import perf

# Of this thread: faults for each second, and a CPU that is at most busy all the time.
events = perf.parse_metrics("page_faults_per_second,CPUs_utilized,cs_per_second")
events.open()
assert math.isnan(events.compute_metric("page_faults_per_second", -1, 0)) # it had no time yet
events.enable()
pages = [bytes(4096) for _ in range(20000)]
for i in range(7):
    time.sleep(0.001)
events.disable()
count = {e.name: e.read(-1, 0).val for e in events}
now = {name: events.compute_metric(name, -1, 0) for name in events.metrics()}
assert count["page-faults"] >= 20 and count["context-switches"] >= 7, count
for name, event in ("page_faults_per_second", "page-faults"), ("cs_per_second", "context-switches"):
    assert math.isclose(now[name], 1e9 * count[event] / count["task-clock"]), (now, count)
assert 0 < now["CPUs_utilized"] <= 1.01, now
same = events.compute_metric("CPUs_utilized", -1, 0)
assert same == now["CPUs_utilized"] # no time passes while they are disabled
events.close()

# Of CPUs: the clock is that of the CPU, and runs all the time.
events = perf.parse_metrics("CPUs_utilized", None, perf.cpu_map(), perf.thread_map())
assert [e.name for e in events] == ["cpu-clock"], events
events.open()
events.enable()
time.sleep(0.05)
events.disable()
for cpu in events.all_cpus():
    assert 0 < events.compute_metric("CPUs_utilized", cpu, -1) < 2
END
