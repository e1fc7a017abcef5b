#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: include-graph.py TOP

Fails when an #include points upward between rooms, when headers include each other in a cycle,
or when libperf knows of perf. The rooms, from the bottom: see ROOMS.
"""
import os
import re
import sys

ROOMS = ["base", "data", "live", "order", "state", "callchain-deferred", "unwind", "symbol",
         "complete", "report", "output", "cli", "bench", "builtin", "tests", "perf"]
GENERATED = {"perf-version.h", "perf-exec-dir.h", "build-options.h"}
LIBPERF = "tools/lib/perf/"
# What in tests/ the program itself uses: the runner and the workloads of `perf test`.
TESTS_API = {"tools/perf/tests/runner.h", "tools/perf/tests/workload.h"}


def room_of(path):
    """The room that @path (from the top) lies in; None when it lies in none."""
    if path.startswith(LIBPERF):
        return "libperf"
    rest = path[len("tools/perf/"):]
    if rest.startswith("util/"):
        part = rest.split("/")[1]
        if "/" in rest[len("util/"):]:
            return part
        # The only room without a folder: its files lie side by side at the top.
        return "callchain-deferred" if part.startswith("callchain-deferred") else part
    if rest.startswith(("tests/", "bench/")):
        return rest.split("/")[0]
    if rest.startswith("builtin"):
        return "builtin"
    return "perf" if rest == "perf.c" else None


def sources(top):
    for base in ("tools/perf", "tools/lib/perf"):
        for folder, _, names in os.walk(os.path.join(top, base)):
            for name in names:
                if name.endswith((".c", ".h")):
                    yield os.path.relpath(os.path.join(folder, name), top)


def includes(top, path):
    with open(os.path.join(top, path), encoding="utf-8") as f:
        for nr, line in enumerate(f, 1):
            m = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
            if m:
                yield nr, m.group(1) == '"', m.group(2)


def resolve(top, path, quoted, name):
    """The project's file that is meant, or None for one of the system or a generated one."""
    places = ["tools/lib/perf/include"]
    if quoted:
        places.insert(0, os.path.dirname(path))
    for place in places:
        found = os.path.normpath(os.path.join(place, name))
        if os.path.exists(os.path.join(top, found)):
            return found
    if quoted and name not in GENERATED:
        raise LookupError(name)
    return None


def check_edge(path, target):
    """Why @path must not include @target, or None."""
    here, there = room_of(path), room_of(target)
    if here == "libperf":
        return "libperf includes perf" if there != "libperf" else None
    if there == "libperf":
        # Recording draws rings in ways that libperf's public calls do not offer.
        if target.startswith(LIBPERF + "include/perf/") or here == "live":
            return None
        return "libperf's internal headers are for the room live only"
    if there == "tests" and here != "tests" and target not in TESTS_API:
        return "only tests include tests/"
    if here not in ROOMS or there not in ROOMS:
        return "'%s' is no room" % (here if here not in ROOMS else there)
    if ROOMS.index(there) > ROOMS.index(here) and target not in TESTS_API:
        return "%s must not know %s: includes point downward" % (here, there)
    return None


def cycles(graph):
    """Strongly connected components of more than one node (Tarjan)."""
    index, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on_stack.add(v)
        for w in graph.get(v, ()):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on_stack:
                low[v] = min(low[v], index[w])
        if low[v] != index[v]:
            return
        component = []
        while True:
            w = stack.pop()
            on_stack.discard(w)
            component.append(w)
            if w == v:
                break
        if len(component) > 1 or v in graph.get(v, ()):
            found.append(sorted(component))

    for v in sorted(graph):
        if v not in index:
            visit(v)
    return found


def check(top):
    problems, graph, nr_files = [], {}, 0
    for path in sorted(sources(top)):
        nr_files += 1
        for nr, quoted, name in includes(top, path):
            try:
                target = resolve(top, path, quoted, name)
            except LookupError:
                problems.append("%s:%d: there is no %s" % (path, nr, name))
                continue
            if not target:
                continue
            why = check_edge(path, target)
            if why:
                problems.append("%s:%d: %s: %s" % (path, nr, name, why))
            graph.setdefault(path, set()).add(target)
    for component in cycles(graph):
        problems.append("these include each other: " + ", ".join(component))
    return nr_files, problems


def main():
    nr_files, problems = check(sys.argv[1])
    for p in problems:
        print(p)
    print("%d files, %d problems" % (nr_files, len(problems)))
    return 1 if problems or not nr_files else 0


if __name__ == "__main__":
    sys.exit(main())
