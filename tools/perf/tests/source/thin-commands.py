#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: thin-commands.py TOP

A command's file parses options and calls the room of its name: it has at most 150 lines, and no
header of its own beside it.
"""
import os
import sys

MAX = 150
HEADERS = {"builtin.h", "builtin-refused.h"}


def problem(folder, name):
    """What is wrong with the file, or None."""
    if name.endswith(".h"):
        return None if name in HEADERS else "a header of a command belongs into its room"
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        size = sum(1 for _ in f)
    if size <= MAX:
        return None
    return "%d lines, at most %d: what it does belongs into its room" % (size, MAX)


def main():
    folder, problems, nr_files = os.path.join(sys.argv[1], "tools/perf"), 0, 0
    for name in sorted(os.listdir(folder)):
        if name.startswith("builtin") and name.endswith((".c", ".h")):
            nr_files += 1
            what = problem(folder, name)
            problems += what is not None
            if what:
                print("tools/perf/%s: %s" % (name, what))
    print("%d files, %d problems" % (nr_files, problems))
    return 1 if problems or not nr_files else 0


if __name__ == "__main__":
    sys.exit(main())
