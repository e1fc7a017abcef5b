# SPDX-License-Identifier: GPL-2.0-only
"""Metrics: what two counts say together. Those of events that all processors have; there are no
tables of what single models have."""
import errno

from . import _perf
from ._live import parse_events

CLOCK = "clock"            # cpu-clock of CPUs, task-clock of threads: ns
ELAPSED = "duration_time"  # ns between enable() and disable()


class _metric:
    """@factor * @counted / @base"""
    def __init__(self, pmu, counted, base, factor, says):
        self.pmu, self.counted, self.base, self.factor, self.says = pmu, counted, base, factor, says

    def describe(self, name):
        factor = "%g * " % self.factor if self.factor != 1 else ""
        return {"MetricName": name, "MetricGroup": [self.pmu], "PMU": self.pmu,
                "MetricExpr": "%s%s / %s" % (factor, self.counted, self.base),
                "BriefDescription": self.says}


def _software(*rest):
    return _metric("software", *rest)


def _hardware(*rest):
    return _metric("cpu", *rest)


_METRICS = {
    "CPUs_utilized": _software(CLOCK, ELAPSED, 1, "CPUs that were busy"),
    "cs_per_second": _software("context-switches", CLOCK, 1e9,
                               "context switches per second of CPU time"),
    "migrations_per_second": _software("cpu-migrations", CLOCK, 1e9,
                                       "moves to another CPU per second of CPU time"),
    "page_faults_per_second": _software("page-faults", CLOCK, 1e9,
                                        "page faults per second of CPU time"),
    "insn_per_cycle": _hardware("instructions", "cycles", 1, "instructions per cycle"),
    "cycles_frequency": _hardware("cycles", CLOCK, 1, "cycles per ns of CPU time: GHz"),
    "frontend_cycles_idle": _hardware("stalled-cycles-frontend", "cycles", 1,
                                      "share of the cycles that waited for instructions"),
    "backend_cycles_idle": _hardware("stalled-cycles-backend", "cycles", 1,
                                     "share of the cycles that waited for data or units"),
    "branch_frequency": _hardware("branches", CLOCK, 1, "branches per ns of CPU time"),
    "branch_miss_rate": _hardware("branch-misses", "branches", 1,
                                  "share of the branches that were predicted wrong"),
    "l1d_miss_rate": _hardware("L1-dcache-load-misses", "L1-dcache-loads", 1,
                               "share of the loads that the first cache did not have"),
    "llc_miss_rate": _hardware("LLC-load-misses", "LLC-loads", 1,
                               "share of the loads of the last cache that it did not have"),
    "dtlb_miss_rate": _hardware("dTLB-load-misses", "dTLB-loads", 1,
                                "share of the loads whose page the dTLB did not know"),
    "itlb_miss_rate": _hardware("iTLB-load-misses", "iTLB-loads", 1,
                                "share of the fetches whose page the iTLB did not know"),
}


def metrics():
    """A list of dictionaries: "MetricName" is for parse_metrics(), "MetricExpr" and
    "BriefDescription" say what it is, "PMU" whose events it needs."""
    return [metric.describe(name) for name, metric in _METRICS.items()]


def _chosen(text, pmu):
    """The metrics that @text names, one by one or by their group."""
    names = []
    for word in text.split(","):
        found = [name for name, m in _METRICS.items() if word in (name, m.pmu) and
                 pmu in (None, "all", m.pmu)]
        if not found:
            raise _perf.error(errno.ENOENT, "no metric '%s'%s: metrics() lists those that there are; "
                              "of others count the events, with parse_events(), and compute them" %
                              (word, " of PMU '%s'" % pmu if pmu else ""))
        names += found
    return list(dict.fromkeys(names))


def parse_metrics(metrics, pmu=None, cpus=None, threads=None):
    """A list of the events that the @metrics need, names or groups behind each other with ','. When
    they have been opened and enabled, compute_metric() says what they are.
    @pmu: those of this one only"""
    names = _chosen(metrics, pmu)
    clock = "cpu-clock" if threads and list(threads) == [-1] else "task-clock"
    sides = {name: [clock if side == CLOCK else side for side in
                    (_METRICS[name].counted, _METRICS[name].base)] for name in names}
    needed = dict.fromkeys(side for pair in sides.values() for side in pair if side != ELAPSED)
    events = parse_events(",".join(needed), cpus, threads)
    by_name = dict(zip(needed, events))
    for name, (counted, base) in sides.items():
        events._metrics[name] = by_name[counted], by_name.get(base), _METRICS[name].factor
    return events
