#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares the user callchains that two tools make of one recording, frame by frame.

    perf script -F pid,tid,time,ip,sym --ns -i perf.data > a.txt
    other-perf script --no-inline -F pid,tid,time,ip,sym --ns -i perf.data > b.txt
    scripts/compare-chains.py a.txt b.txt

Samples are paired by thread and time. Linux perf prints the callers of a chain that it unwound
from a stack copy one byte too low (the address that it looked up); a recorded chain holds return
addresses. So callers that differ by one count as equal. The exit status is 1 when chains of more
than --tolerance percent of the samples disagree.
"""
import argparse
import collections
import re
import sys

KERNEL = 0xffff800000000000
HEAD = re.compile(r"^\s*(?:\S.*?\s+)?(\d+)/(\d+)\s+(?:\[\d+\]\s+)?(\d+\.\d+):")
FRAME = re.compile(r"^\s+([0-9a-f]+)(?:\s+(.*))?$")
ROOTS = {"_start", "_dl_start_user", "clone3", "__clone3", "clone", "__clone"}


def read(path):
    """{(tid, time): [user frames of each such sample]}; a frame is (address, symbol)."""
    samples = collections.defaultdict(list)
    chain = None
    with open(path, errors="replace") as text:
        for line in text:
            head = HEAD.match(line)
            frame = None if head else FRAME.match(line)
            if head:
                chain = []
                samples[int(head[2]), head[3]].append(chain)
            elif frame and chain is not None:
                address = int(frame[1], 16)
                if address < KERNEL:
                    chain.append((address, (frame[2] or "").split("+")[0].split(" (")[0]))
    return samples


def equal(a, b, is_leaf):
    return a == b or (not is_leaf and abs(a - b) == 1)


def classify(a, b):
    """How two chains differ, and from which frame on."""
    for i, (x, y) in enumerate(zip(a, b)):
        if not equal(x[0], y[0], i == 0):
            return "differ at the leaf" if i == 0 else "differ behind equal frames", i
    if len(a) > len(b):
        return "first goes on" if b else "second has no user part", len(b)
    if len(b) > len(a):
        return "second goes on" if a else "first has no user part", len(a)
    return "same", len(a)


def other_names(a, b):
    """Pairs of symbols that two chains give to the same address."""
    for i, (x, y) in enumerate(zip(a, b)):
        if equal(x[0], y[0], i == 0) and x[1] != y[1]:
            yield x[1] or "(none)", y[1] or "(none)"


def is_root(chain):
    return bool(chain) and chain[-1][1] in ROOTS


def show(title, chain, at):
    print(f"    {title}:")
    for i, (address, symbol) in enumerate(chain[:at + 3]):
        if i >= at - 2:
            print(f"      {'>' if i == at else ' '} {i:3} {address:16x} {symbol}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="examples of each class")
    parser.add_argument("--tolerance", type=float, default=100, metavar="PERCENT")
    args = parser.parse_args()
    first, second = read(args.first), read(args.second)
    classes = collections.Counter()
    examples = collections.defaultdict(list)
    only = [0, 0]
    frames = [0, 0]
    roots = [0, 0]
    names = collections.Counter()

    for key in sorted(first.keys() | second.keys()):
        a, b = first.get(key, []), second.get(key, [])
        only[0] += max(0, len(a) - len(b))
        only[1] += max(0, len(b) - len(a))
        for x, y in zip(a, b):
            kind, at = classify(x, y)
            classes[kind] += 1
            examples[kind].append((key, x, y, at))
            names.update(other_names(x, y))
            frames[0] += len(x)
            frames[1] += len(y)
            roots[0] += is_root(x)
            roots[1] += is_root(y)

    total = sum(classes.values())
    print(f"{total} samples in both, {only[0]} only in the first, {only[1]} only in the second")
    print(f"user frames: {frames[0]} and {frames[1]}; "
          f"chains that end at a root: {roots[0]} and {roots[1]}")
    for kind, nr in classes.most_common():
        print(f"{nr:10} {100 * nr / total:6.2f} %  {kind}")
        if kind != "same":
            for (tid, time), x, y, at in examples[kind][:args.show]:
                print(f"  thread {tid} at {time}")
                show("first", x, at)
                show("second", y, at)
    if names:
        print(f"{sum(names.values()):10}  equal addresses with other names, "
              f"{len(names)} pairs of names")
        for (x, y), nr in names.most_common(args.show):
            print(f"    {nr:10}  {x} | {y}")
    if not total:
        return 1
    return int(100 * (total - classes["same"]) / total > args.tolerance)


if __name__ == "__main__":
    sys.exit(main())
