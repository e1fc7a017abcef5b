#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: visits.py [OPTIONS] BUILD

How many files does one record, one stack copy, one frame visit on its way? Builds a source tree
with gcc --coverage -O0 into the folder BUILD, runs perf on a known load, and counts the functions
that ran at least once for (nearly) each of the items:

    record      perf record: a sample without a stack, from its ring to the file
    stack copy  perf record --defer=copy: a sample whose copy is unwound, from its ring to the file
    copy, read  perf stitch of copies that were left in a file, from file to file
    frame       perf script: a frame of a chain, from the file to its line
    in report   perf report: a frame of a chain, from the file to the tree

A file is visited when one of its functions is; a header, when one of its inline functions is.
Prints a Markdown table: items, functions, their files, the folders of these (rooms), and calls for
each item; with --files the files, too.

Options:
  --source TREE  of the program (this one): an older one, to compare with
  --share X      of the items that a function runs for, at least (0.9)
  --files        the names of the files
"""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from coverage import CFLAGS, NOT_PROGRAM, PER_GCOV, TOP

COLUMNS = ("items", "functions", "files", "rooms", "calls for each")


def build(args):
    subprocess.run(["make", "--no-print-directory", "-j%d" % os.cpu_count(), "O=" + args.build,
                    "CC=gcc", "CFLAGS=" + CFLAGS, "LDFLAGS=--coverage", args.build + "/perf"],
                   cwd=args.source, check=True, stdout=subprocess.DEVNULL)


def counts_of(args):
    """{(path, function): how often it ran} since forget()."""
    found = collections.Counter()
    notes = sorted(p[:-len("da")] + "no" for p in
                   glob.glob(args.build + "/**/*.gcda", recursive=True))
    for i in range(0, len(notes), PER_GCOV):
        gcov = subprocess.run(["gcov", "--json-format", "--stdout", *notes[i:i + PER_GCOV]],
                              cwd=args.source, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, check=True)
        for text in gcov.stdout.splitlines():
            for file in json.loads(text)["files"]:
                path = os.path.normpath(file["file"])
                if not os.path.isabs(path) and not any(part in path for part in NOT_PROGRAM):
                    for f in file["functions"]:
                        found[path, f["name"]] += f["execution_count"]
    return found


def forget(args):
    for path in glob.glob(args.build + "/**/*.gcda", recursive=True):
        os.unlink(path)


def run(args, *words):
    """What perf, or its load, said."""
    done = subprocess.run([args.build + "/perf", *words], stdin=subprocess.DEVNULL, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8",
                          env=dict(os.environ, PERF_PAGER="cat"))
    return done.stdout, done.stderr


def samples(said):
    return int(re.search(r"\((\d+) samples\)", said).group(1))


def record(args, name, load, *options):
    said = run(args, "record", "-e", "cpu-clock:u", "-o", name, *options, "--",
               args.build + "/perf", "test", "-w", *load)[1]
    return samples(said)


def frames(args, name):
    """Of a recording: the lines of `perf script` that are frames."""
    return sum(line.startswith("\t") for line in run(args, "script", "-i", name)[0].split("\n"))


def ways(args, work):
    """(name of the items, their number, what ran) of each way."""
    plain, whole, copies, out = (os.path.join(work, n) for n in ("plain", "whole", "copies", "out"))
    deep = ("deep", "20", "1")

    forget(args)
    yield "record", record(args, plain, ("noploop", "1"), "-F", "5000"), counts_of(args)
    forget(args)
    yield "stack copy", record(args, whole, deep, "-F", "2000", "--defer=copy"), counts_of(args)
    nr = record(args, copies, deep, "-F", "2000", "--call-graph", "dwarf", "--no-stitch")
    forget(args)
    run(args, "stitch", "-q", "-i", copies, "-o", out)
    yield "copy, read", nr, counts_of(args)
    nr = frames(args, whole)
    for name, command in ("frame", ["script"]), ("in report", ["report", "--stdio"]):
        forget(args)
        run(args, *command, "-i", whole)
        yield name, nr, counts_of(args)


def room(path):
    return os.path.dirname(path)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--source", type=os.path.abspath, default=TOP)
    parser.add_argument("--share", type=float, default=0.9)
    parser.add_argument("--files", action="store_true")
    args = parser.parse_args()
    build(args)
    print("| | %s |\n%s" % (" | ".join(COLUMNS), "|---" * (len(COLUMNS) + 1) + "|"))
    with tempfile.TemporaryDirectory() as work:
        os.environ["PERF_BUILDID_DIR"] = work # unwind tables of its own
        for name, nr, ran in ways(args, work):
            each = {f: n for f, n in ran.items() if n >= args.share * nr}
            files = sorted({path for path, _ in each})
            print("| %s | %d | %d | %d | %d | %.0f |" % (
                name, nr, len(each), len(files), len(set(map(room, files))),
                sum(each.values()) / nr), flush=True)
            if args.files:
                print("\n".join("    " + f for f in files))
    return 0


if __name__ == "__main__":
    sys.exit(main())
