# SPDX-License-Identifier: GPL-2.0-only
"""Who wakes whom, and how long it takes until they run.

Takes sched:sched_wakeup, sched:sched_wakeup_new and sched:sched_switch.
"""
import argparse
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
from Profile import print_table
from Util import nsecs

parser = argparse.ArgumentParser(prog="wakers", description=__doc__.split("\n\n")[0])
parser.add_argument("comm", nargs="?", help="only those who have this name, or wake one of it")
parser.add_argument("--top", type=int, default=20, metavar="N", help="lines (20)")
args = parser.parse_args()
woken, pairs = {}, {}


def wakeup(time, waker, wakee, pid):
    pairs.setdefault((waker, wakee), [0, []])[0] += 1
    woken.setdefault(pid, (time, (waker, wakee)))


def sched__sched_wakeup(event_name, context, cpu, s, ns, pid, comm, chain, wakee, wakee_pid, *rest):
    wakeup(nsecs(s, ns), comm if pid else "(interrupt)", wakee, wakee_pid)


def sched__sched_wakeup_new(event_name, context, cpu, s, ns, pid, comm, chain, wakee, wakee_pid,
                            *rest):
    wakeup(nsecs(s, ns), comm, wakee, wakee_pid)


def sched__sched_switch(event_name, context, cpu, s, ns, pid, comm, chain, prev_comm, prev_pid,
                        prev_prio, prev_state, next_comm, next_pid, *rest):
    if next_pid in woken:
        time, pair = woken.pop(next_pid)
        pairs[pair][1].append((nsecs(s, ns) - time) / 1000)


def trace_unhandled(event_name, context, fields):
    pass


def trace_end():
    rows = []
    for (waker, wakee), (count, us) in sorted(pairs.items(), key=lambda p: (-p[1][0], p[0])):
        if args.comm and args.comm not in (waker, wakee):
            continue
        rows.append((count, "%.1f" % (sum(us) / len(us)) if us else "-",
                     "%.1f" % max(us) if us else "-", waker, wakee))
    print("%d wakeups of %d pairs" % (sum(r[0] for r in rows), len(rows)))
    print_table((" wakeups", " mean us", " longest", "waker", "wakes"), rows[:args.top])
