# SPDX-License-Identifier: GPL-2.0-only
"""A differential table: functions whose time differs most between two recordings.

The first one is summed up into a file by --save FILE; the second one is compared with that FILE.
"""
import argparse
import json
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
from Profile import CLOCKS, Functions, base_event, print_table

FORMAT = "perf function-diff 1"
parser = argparse.ArgumentParser(prog="function-diff", description=__doc__)
parser.add_argument("before", nargs="?", metavar="FILE", help="what --save has written")
parser.add_argument("--save", metavar="FILE", help="write the sums there, and compare nothing")
parser.add_argument("--self", dest="own", action="store_true", help="functions without callees")
parser.add_argument("--top", type=int, default=20, metavar="N", help="lines (20)")
args = parser.parse_args()
if bool(args.before) == bool(args.save):
    sys.exit("function-diff: either --save FILE, or a FILE that it has written")
now, clocks = Functions(), True


def load(path):
    """(Functions, whether periods are nanoseconds)"""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            saved = json.load(f)
        if saved["format"] != FORMAT:
            raise ValueError
        functions = Functions()
        functions.own, functions.total = dict(saved["self"]), dict(saved["total"])
        functions.all, functions.samples = saved["all"] + 0, saved["samples"] + 0
        sum(functions.own.values()) + sum(functions.total.values()) # they are numbers
        return functions, bool(saved["clocks"])
    except OSError as e:
        sys.exit("function-diff: cannot read '%s': %s" % (path, e.strerror))
    except (ValueError, KeyError, TypeError):
        sys.exit("function-diff: '%s' was not written by --save" % path)


before, before_clocks = load(args.before) if args.before else (None, True)
# Before the recording is opened: a script of root may not write where it likes behind that.
output = open(args.save, "w", encoding="utf-8", errors="surrogateescape") if args.save else None


def process_event(sample):
    global clocks
    clocks = clocks and base_event(sample["ev_name"]) in CLOCKS
    now.add(sample)


def save():
    with output:
        json.dump({"format": FORMAT, "clocks": clocks, "all": now.all, "samples": now.samples,
                   "self": now.own, "total": now.total}, output, ensure_ascii=False)
    print("%d samples of %d functions" % (now.samples, len(now.total)))


def compare():
    in_ms = clocks and before_clocks
    old, new = (f.own if args.own else f.total for f in (before, now))
    rows = sorted(((old.get(n, 0), new.get(n, 0), n) for n in set(old) | set(new)),
                  key=lambda r: (-abs(r[1] - r[0]), -r[1], r[2]))
    unit = "ms" if in_ms else "period"
    text = (lambda v: "%.1f" % (v / 1e6)) if in_ms else str
    print(", ".join("%s: %s %s in %d samples" % (what, text(f.all), unit, f.samples)
                    for what, f in (("before", before), ("now", now))))
    print_table((" before", " now", " change", " before %", " now %", "function"),
                [(text(a), text(b), ("+" if b >= a else "") + text(b - a),
                  "%.2f" % before.share(n, args.own), "%.2f" % now.share(n, args.own), n)
                 for a, b, n in rows[:args.top]])


def trace_end():
    if output:
        save()
    else:
        compare()
