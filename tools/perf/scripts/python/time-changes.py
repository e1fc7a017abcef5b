# SPDX-License-Identifier: GPL-2.0-only
"""What changed from one part of a recording to another: functions with the largest change.

Ranges are of seconds since the first sample, or of percent of the recording: 0-1.5, 20%-40%.
Without them the first half is compared with the second.
"""
import argparse
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
from Profile import Functions, print_table, sample_frames

parser = argparse.ArgumentParser(prog="time-changes", description=__doc__.replace("%", "%%"))
parser.add_argument("first", nargs="?", default="0%-50%", help="a range of time")
parser.add_argument("second", nargs="?", default="50%-100%", help="another one")
parser.add_argument("--self", dest="own", action="store_true", help="functions without callees")
parser.add_argument("--top", type=int, default=20, metavar="N", help="lines (20)")
args = parser.parse_args()
samples = [] # (time, what Functions.add() needs of it)


def bound(text, start, end):
    """In nanoseconds."""
    if text.endswith("%"):
        return start + (end - start) * float(text[:-1]) / 100
    return start + float(text) * 1e9


def limits(text, start, end):
    low, high = text.split("-", 1)
    return bound(low or "0", start, end), bound(high or "100%", start, end)


try:
    for text in args.first, args.second:
        limits(text, 0, 1)
except ValueError:
    sys.exit("time-changes: '%s' is not a time range" % text)


def process_event(sample):
    frames = [{"sym": {"name": n}} for n in sample_frames(sample)]
    samples.append((sample["sample"]["time"],
                    {"callchain": frames, "sample": {"period": sample["sample"]["period"]}}))


def part(text, start, end):
    low, high = limits(text, start, end)
    functions = Functions()
    for time, sample in samples:
        # The last sample belongs to the range that ends with it.
        if low <= time < high or time == high == end:
            functions.add(sample)
    return functions


def trace_end():
    if not samples:
        print("no samples")
        return
    start, end = min(samples, key=lambda s: s[0])[0], max(samples, key=lambda s: s[0])[0]
    a, b = part(args.first, start, end), part(args.second, start, end)
    shares = [(a.share(n, args.own), b.share(n, args.own), n) for n in set(a.total) | set(b.total)]
    shares.sort(key=lambda s: (-abs(s[1] - s[0]), s[2]))
    print("%s: %d samples, %s: %d samples" % (args.first, a.samples, args.second, b.samples))
    print_table((" first %", " second %", " change", "function"),
                [("%.2f" % x, "%.2f" % y, "%+.2f" % (y - x), n) for x, y, n in shares[:args.top]])
