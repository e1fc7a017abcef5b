#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: room-purposes.py TOP

Compares the last table of Documentation/design/dependencies.md with the folders that are there: each
room is listed once, and one that is an extra has no more lines than the table allows. Each room of
tools/perf/util also has a row in the table of Documentation/design/pipeline.md.
"""
import os
import re
import sys

KINDS = ("purpose", "compatibility", "extra")
SOURCE = (".c", ".h", ".py", ".js", ".css", ".html", ".S")
IN_PIPELINE = re.compile(r"\| `([\w-]+)` \|")
ROW = re.compile(r"\| `(tools/[\w/.-]+)` \| (\w+) \| ([\d,]*) ?\|$")


def rooms(top):
    util = os.listdir(os.path.join(top, "tools/perf/util"))
    found = {"tools/perf/util/" + name for name in util
             if os.path.isdir(os.path.join(top, "tools/perf/util", name))}
    found |= {"tools/lib/" + name for name in os.listdir(os.path.join(top, "tools/lib"))}
    return found | {"tools/perf/" + name for name in ("html", "mcp", "python", "scripts")}


def lines(folder):
    count = 0
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith(SOURCE):
                with open(os.path.join(path, name), errors="replace") as f:
                    count += sum(1 for _ in f)
    return count


def main():
    top, problems, listed = sys.argv[1], [], set()
    with open(os.path.join(top, "Documentation/design/dependencies.md")) as f:
        rows = [m.groups() for m in map(ROW.match, f.read().splitlines()) if m]
    for room, kind, limit in rows:
        limit = int(limit.replace(",", "")) if limit else None
        if kind not in KINDS:
            problems.append("%s: '%s' is not a kind of room" % (room, kind))
        if room in listed:
            problems.append("%s: listed twice" % room)
        listed.add(room)
        if (kind == "extra") != (limit is not None):
            problems.append("%s: an extra has a limit of lines, and nothing else has" % room)
        size = lines(os.path.join(top, room))
        if limit is not None and size > limit:
            problems.append("%s: %d lines, at most %d" % (room, size, limit))
    for room in sorted(rooms(top) - listed):
        problems.append("%s: what is it for? dependencies.md does not say" % room)
    for room in sorted(listed - rooms(top)):
        problems.append("%s: listed, and not there" % room)
    with open(os.path.join(top, "Documentation/design/pipeline.md")) as f:
        explained = {m.group(1) for m in map(IN_PIPELINE.match, f) if m}
    for room in sorted(rooms(top)):
        if os.path.dirname(room) == "tools/perf/util" and os.path.basename(room) not in explained:
            problems.append("%s: pipeline.md does not say what it knows" % room)
    for p in problems:
        print(p)
    print("%d rooms, %d problems" % (len(listed), len(problems)))
    return 1 if problems or not listed else 0


if __name__ == "__main__":
    sys.exit(main())
