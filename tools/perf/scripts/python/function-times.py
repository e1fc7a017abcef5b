# SPDX-License-Identifier: GPL-2.0-only
"""Time per function and thread.

Of an event that is a clock (cpu-clock, task-clock) times are in milliseconds, of others the sum of
periods. "total" counts a function with all that it calls.
"""
import argparse
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
from Profile import CLOCKS, Functions, base_event, print_table

parser = argparse.ArgumentParser(prog="function-times", description=__doc__.split("\n\n")[0])
parser.add_argument("--top", type=int, default=10, metavar="N", help="functions of each thread (10)")
parser.add_argument("--by", choices=("total", "self"), default="total", help="what to sort by")
parser.add_argument("--all", action="store_true", help="all threads of a name together")
args = parser.parse_args()
threads, clocks = {}, True


def process_event(sample):
    global clocks
    clocks = clocks and base_event(sample["ev_name"]) in CLOCKS
    key = sample["comm"], 0 if args.all else sample["sample"]["tid"]
    if key not in threads:
        threads[key] = Functions()
    threads[key].add(sample)


def amount(period):
    return "%.1f" % (period / 1e6) if clocks else str(period)


def trace_end():
    unit = "ms" if clocks else "period"
    for (comm, tid), f in sorted(threads.items(), key=lambda t: -t[1].all):
        print("%s%s: %s %s in %d samples" %
              (comm, "" if args.all else " (%d)" % tid, amount(f.all), unit, f.samples))
        by = f.total if args.by == "total" else f.own
        rows = [(amount(f.total[name]), "%.1f" % f.share(name), amount(f.own.get(name, 0)),
                 "%.1f" % f.share(name, own=True), name)
                for name in sorted(f.total, key=lambda n: (-by.get(n, 0), n))[:args.top]]
        print_table((" total", " %", " self", " %", "function"), rows)
        print()
