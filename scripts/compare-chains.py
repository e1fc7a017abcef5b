#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Compares the user callchains that two tools make of one recording, frame by frame.

    perf script -F pid,tid,time,ip,sym --ns -i perf.data > a.txt
    other-perf script --no-inline -F pid,tid,time,ip,sym --ns -i perf.data > b.txt
    scripts/compare-chains.py a.txt b.txt

    samply import perf.data --save-only -o b.json.gz
    scripts/compare-chains.py a.txt b.json.gz

Samples are paired by thread and time. Linux perf prints the callers of a chain that it unwound
from a stack copy one byte too low (the address that it looked up); a recorded chain holds return
addresses. So callers that differ by one count as equal. samply keeps neither absolute times nor
absolute addresses: its clock begins at the first sample, and where its binaries lie is taken from
the first chains, by what most frames say. The exit status is 1 when chains of more
than --tolerance percent of the samples disagree.
"""
import argparse
import collections
import gzip
import json
import re
import sys

KERNEL = 0xffff800000000000
HEAD = re.compile(r"^\s*(?:\S.*?\s+)?(\d+)/(\d+)\s+(?:\[\d+\]\s+)?(\d+\.\d+):")
FRAME = re.compile(r"^\s+([0-9a-f]+)(?:\s+(.*))?$")
ROOTS = {"_start", "_dl_start_user", "clone3", "__clone3", "clone", "__clone"}


def read(path):
    """{(tid, time in ns): [user frames of each such sample]}; a frame is (address, symbol)."""
    samples = collections.defaultdict(list)
    chain = None
    with open(path, errors="replace") as text:
        for line in text:
            head = HEAD.match(line)
            frame = None if head else FRAME.match(line)
            if head:
                chain = []
                seconds, fraction = head[3].split(".")
                samples[int(head[2]), int(seconds + fraction.ljust(9, "0"))].append(chain)
            elif frame and chain is not None:
                address = int(frame[1], 16)
                if address < KERNEL:
                    chain.append((address, (frame[2] or "").split("+")[0].split(" (")[0]))
    return samples


def samply_frames(thread, libs):
    """Of each entry of the frame table: (library or None, address); None for the kernel's."""
    strings = thread["stringArray"]
    funcs, resources = thread["funcTable"], thread["resourceTable"]
    frames = []
    for func, address in zip(thread["frameTable"]["func"], thread["frameTable"]["address"]):
        resource = funcs["resource"][func]
        lib = None if resource in (None, -1) else resources["lib"][resource]
        name = strings[funcs["name"][func]]
        if lib is None:
            address = int(name, 16) if name.startswith("0x") else -1
        kernel = lib is not None and libs[lib]["name"].startswith("[kernel")
        frames.append(None if kernel or lib is None and not 0 <= address < KERNEL
                      else (lib, address))
    return frames


def samply_chains(thread, libs):
    """The user part of each entry of the stack table, innermost first."""
    frames = samply_frames(thread, libs)
    chains = []
    for prefix, frame in zip(thread["stackTable"]["prefix"], thread["stackTable"]["frame"]):
        own = [frames[frame]] if frames[frame] else []
        chains.append(own + (chains[prefix] if prefix is not None else []))
    return chains


def read_samply(path, first):
    """The same as read(), of a profile that samply has made."""
    with gzip.open(path) as file:
        profile = json.load(file)
    start = min(time for _, time in first)
    found = []
    for thread in profile["threads"]:
        chains = samply_chains(thread, profile["libs"])
        table = thread["samples"]
        now = 0
        for delta, stack in zip(table["timeDeltas"], table["stack"]):
            now += delta
            key = int(str(thread["tid"]).split(".")[0]), start + round(now * 1e6)
            found.append((key, str(thread["pid"]), [] if stack is None else chains[stack]))
    votes = collections.defaultdict(collections.Counter)
    for key, pid, chain in found:
        for (address, _), (lib, offset) in zip(first[key][0] if key in first else [], chain):
            votes[pid, lib][(address - offset + 2048) & ~4095] += lib is not None
    base = {where: count.most_common(1)[0][0] for where, count in votes.items()}
    names = {address: name for chains in first.values() for c in chains for address, name in c}
    samples = collections.defaultdict(list)
    for key, pid, chain in found:
        chain = [offset if lib is None else base.get((pid, lib), 0) + offset
                 for lib, offset in chain]
        samples[key].append([(a, names.get(a) or names.get(a + 1, "")) for a in chain])
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
    first = read(args.first)
    second = read_samply(args.second, first) if args.second.endswith(".json.gz") else \
        read(args.second)
    classes = collections.Counter()
    examples = collections.defaultdict(list)
    only = [0, 0]
    frames = [0, 0]
    same_frames = 0
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
            same_frames += at
            frames[0] += len(x)
            frames[1] += len(y)
            roots[0] += is_root(x)
            roots[1] += is_root(y)

    total = sum(classes.values())
    print(f"{total} samples in both, {only[0]} only in the first, {only[1]} only in the second")
    print(f"user frames: {frames[0]} and {frames[1]}; "
          f"chains that end at a root: {roots[0]} and {roots[1]}")
    print(f"{same_frames} of the second's frames are in the first, at the same place: "
          f"{100 * same_frames / max(frames[1], 1):.4f} %")
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
