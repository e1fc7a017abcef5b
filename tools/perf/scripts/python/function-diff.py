# SPDX-License-Identifier: GPL-2.0-only
"""Functions of two recordings beside each other: of which is there more in the second?

The first one is summed up into a small file (--save), the second is compared with it (--with).
"""
import argparse
import json
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
from Profile import Functions, print_table

parser = argparse.ArgumentParser(prog="function-diff", description=__doc__.split("\n\n")[0])
what = parser.add_mutually_exclusive_group(required=True)
what.add_argument("--save", metavar="FILE", help="sum up this recording into FILE")
what.add_argument("--with", dest="other", metavar="FILE", help="compare with what was saved there")
parser.add_argument("--self", dest="own", action="store_true", help="functions without callees")
parser.add_argument("--top", type=int, default=20, metavar="N", help="lines (20)")
args = parser.parse_args()
now, before = Functions(), Functions()
if args.other:
    with open(args.other, encoding="utf-8", errors="surrogateescape") as f:
        before.__dict__.update(json.load(f))
process_event = now.add


def save():
    with open(args.save, "w", encoding="utf-8", errors="surrogateescape") as f:
        json.dump(now.__dict__, f)
    print("%d functions of %d samples" % (len(now.total), now.samples))


def compare():
    shares = [(before.share(n, args.own), now.share(n, args.own), n)
              for n in set(before.total) | set(now.total)]
    shares.sort(key=lambda s: (-abs(s[1] - s[0]), s[2]))
    print("%d samples before, %d now; %s" % (before.samples, now.samples,
                                             "self" if args.own else "with callees"))
    print_table((" before %", " now %", " change", "function"),
                [("%.2f" % a, "%.2f" % b, "%+.2f" % (b - a), n) for a, b, n in shares[:args.top]])


def trace_end():
    if args.save:
        save()
    else:
        compare()
