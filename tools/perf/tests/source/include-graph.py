#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: include-graph.py TOP

Fails when a room includes or calls one that it is not allowed to know, or need not know; when the
allowed edges make a cycle; when headers include each other, or source files call each other, in a
cycle; when libperf knows of perf; or when the Makefile makes a part of other rooms than those.
"""
import os
import re
import sys

# Each room, and the rooms that it may include; base, io and data are what all above them stand on.
# Nothing may be listed that is not used: the table is the map of the house.
ROOMS = {
    # The library of the unwinder, tools/lib/unwind: its public header, and its folders.
    "unwind/api": "",
    "unwind/core": "unwind/api",
    "unwind/elf": "unwind/core",
    "unwind/arch": "unwind/api unwind/core",
    "unwind/rows": "unwind/core unwind/arch",
    "unwind/source": "unwind/core unwind/elf unwind/arch unwind/rows",
    "unwind/space": "unwind/core unwind/elf unwind/arch unwind/rows unwind/source",
    "unwind/walk": "unwind/core unwind/elf unwind/arch unwind/rows unwind/source"
                   " unwind/space",
    "unwind": "unwind/core unwind/elf unwind/arch unwind/rows unwind/source unwind/space"
              " unwind/walk",
    "unwind/tests": "unwind/api", # and examples: as other programs use it
    # What is loaded into programs, tools/lib/perf-agent; of it perf knows one header.
    "perf-agent": "",
    # What is loaded into Java virtual machines, tools/lib/perf-jvmti; perf has its names.
    "perf-jvmti": "",
    # tools/perf/util.
    "base": "unwind/core",
    "io": "base",
    "elf": "io unwind/elf",
    "unwinder": "base elf unwind/api unwind/core unwind/elf unwind/arch unwind/source unwind/space"
                " unwind",
    "data": "base io",
    "bpf": "base io",
    "bpf-walk": "base data bpf state unwind/core unwind/elf unwind/rows unwind/space unwind/walk"
                " perf-agent",
    "activity": "data",
    "tls": "base io elf unwind/elf bpf activity",
    "event": "base io data",
    "live": "base io data event libperf",
    "order": "base data",
    "state": "base data unwind/core",
    "callchain-deferred": "base io data",
    "binary": "base io elf data state unwind/arch unwind/elf unwind/source",
    "jit": "base io elf dwarf data state binary unwind/elf",
    "runtime": "base io data state jit unwind/core unwind/arch perf-agent perf-jvmti",
    "dwarf": "base io elf unwind/elf",
    "symbol": "base io elf state binary dwarf unwind/elf unwind/arch unwind/source unwind/walk",
    "sample": "base data state callchain-deferred unwind/api unwind/core",
    "complete": "base io data state callchain-deferred unwind/core unwind/space unwind unwinder binary sample",
    "off-cpu": "base data state sample",
    "sink": "base data state binary symbol sample",
    "agent": "base data state jit sink perf-agent",
    "pipeline": "base io data order state callchain-deferred binary jit runtime symbol sample complete"
                " off-cpu sink",
    "record": "base io elf data bpf bpf-walk activity tls event live state complete binary jit symbol"
              " unwind/source sample off-cpu agent sink pipeline perf-agent",
    "inject": "base io data live jit sink pipeline text cli",
    "stack": "base io data state symbol sample activity",
    "profile": "base symbol stack",
    "text": "base io data state unwind/core unwind/arch symbol sample off-cpu stack profile",
    # .sframe sections for binaries that have none.
    "sframe": "base io elf text unwind/arch unwind/elf unwind/source unwind/walk",
    "browser": "base io symbol profile text",
    # objdump's output, and source text; how they look.
    "annotate": "base io elf data binary jit symbol pipeline stack profile text browser"
                " unwind/elf cli",
    "export": "base io data binary jit symbol sample off-cpu activity pipeline stack text cli",
    # Profiles that are sent to a store.
    "push": "base io export text cli",
    # script/python is a shared object of its own, and the only folder that knows Python.
    "script": "base io data activity state unwind/core jit symbol sample pipeline stack annotate text cli",
    "cli": "base io data binary jit symbol text",
    "list": "base cli event live text io data",
    "build-ids": "base binary cli io symbol text pipeline sink live state data",
    "bundle": "base binary build-ids cli jit symbol data",
    "record-command": "base cli jit record runtime event text live sample agent data",
    "stitch": "base io data unwinder sample sink pipeline stack text cli unwind/core"
              " callchain-deferred",
    "unwind-show": "base elf io unwind/rows text symbol unwind/source binary unwind/walk cli"
                   " complete pipeline sframe stack unwind/arch unwind/elf data unwinder"
                   " unwind/core state",
    "report": "base data activity event state binary jit symbol sample off-cpu pipeline stack"
              " profile text browser annotate export cli",
    "doctor": "base io event live record cli",
    "top": "base cli report",
    "diff": "base data symbol pipeline stack profile text export cli",
    "bench": "base io data unwind/core complete pipeline",
    "builtin": "base event pipeline inject stitch annotate export push script"
               " cli list unwind-show report diff doctor top bench tests unwind-show build-ids"
               " bundle record-command",
    "perf": "base io event cli builtin",
    "python": "base io data binary activity event unwind/core symbol sample pipeline stack",
    "tests": "",  # whatever they test
}
GENERATED = {"perf-version.h", "perf-exec-dir.h", "build-options.h"}
LIBPERF = "tools/lib/perf/"
LIBUNWIND = "tools/lib/unwind/"
LIBAGENT = "tools/lib/perf-agent/"
LIBJVMTI = "tools/lib/perf-jvmti/"
# What in tests/ the program itself uses: the runner and the workloads of `perf test`.
TESTS_API = {"tools/perf/tests/runner.h", "tools/perf/tests/workloads/workload.h"}


def room_of(path):
    """The room that @path (from the top) lies in; None when it lies in none."""
    if path.startswith(LIBPERF):
        return "libperf"
    if path.startswith(LIBAGENT):
        return "perf-agent"
    if path.startswith(LIBJVMTI):
        return "perf-jvmti"
    if path.startswith(LIBUNWIND):
        folder = path[len(LIBUNWIND):].split("/")[0]
        return {"include": "unwind/api", "tests": "unwind/tests", "examples": "unwind/tests"}.get(
            folder, "unwind" if "." in folder else "unwind/" + folder)
    rest = path[len("tools/perf/"):]
    if rest.startswith("util/"):
        part = rest.split("/")[1]
        if "/" in rest[len("util/"):]:
            return part
        # The only room without a folder: its files lie side by side at the top.
        return "callchain-deferred" if part.startswith("callchain-deferred") else part
    if rest.startswith(("tests/", "bench/", "python/")):
        return rest.split("/")[0]
    if rest.startswith("builtin"):
        return "builtin"
    return "perf" if rest == "perf.c" else None


def sources(top):
    for base in ("tools/perf", "tools/lib/perf", "tools/lib/unwind", "tools/lib/perf-agent",
                 "tools/lib/perf-jvmti"):
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
    places = ["tools/lib/perf/include", "tools/lib/unwind/include"]
    if quoted:
        places.insert(0, os.path.dirname(path))
    for place in places:
        found = os.path.normpath(os.path.join(place, name))
        if os.path.exists(os.path.join(top, found)):
            return found
    if quoted and name not in GENERATED:
        raise LookupError(name)
    return None


def check_edge(path, target, used):
    """Why @path must not include @target, or None. Adds the edge to @used."""
    here, there = room_of(path), room_of(target)
    if here == "libperf":
        return "libperf includes perf" if there != "libperf" else None
    # Recording draws rings in ways that libperf's public calls do not offer.
    if target.startswith(LIBPERF) and target.endswith(".h") and here != "live" and \
            not target.startswith(LIBPERF + "include/perf/"):
        return "libperf's internal headers are for the room live only"
    if there == "tests" and here != "tests" and target not in TESTS_API:
        return "only tests include tests/"
    for room in here, there:
        if room not in ROOMS and room != "libperf":
            return "'%s' is not a room" % room
    if here in (there, "tests"):
        return None
    used.add((here, there))
    # Types and containers are the library's; who may know base may know those that base adds to.
    if there == "unwind/core" and "base" in ROOMS[here].split():
        return None
    if there not in ROOMS[here].split():
        return "%s must not know %s" % (here, there)
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


def code_of(text):
    """C without comments, strings and preprocessor lines."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r'"(\\.|[^"\\\n])*"', '""', text)
    return re.sub(r"(?m)^\s*#(.*\\\n)*.*$", "", text)


DEFINITION = re.compile(r"^((?!typedef\b|extern\b)[A-Za-z_][^;{}#=]*?)\b(\w+)\([^;{}]*\)\s*\n\{", re.M)


def calls(top, paths):
    """For each .c file of @paths the files that define functions which it names."""
    defined, words = {}, {}
    for path in paths:
        if path.endswith(".c") and room_of(path) not in ("tests", "unwind/tests"):
            with open(os.path.join(top, path), encoding="utf-8") as f:
                code = code_of(f.read())
            words[path] = set(re.findall(r"\w+", code))
            for before, name in DEFINITION.findall(code):
                # What takes the place of the C library's in a program is not called by name.
                if not {"static", "AGENT_API"} & set(before.split()):
                    defined[name] = path
    defined.pop("main", None)
    return {path: {defined[w] for w in names if w in defined} - {path}
            for path, names in words.items()}


def check_table(used):
    """What is wrong with ROOMS itself, given the edges that are @used."""
    allowed = {room: set(may.split()) for room, may in ROOMS.items()}
    for component in cycles(allowed):
        yield "these rooms may include each other: " + ", ".join(component)
    for room in sorted(allowed):
        for other in sorted(allowed[room]):
            if (room, other) not in used:
                yield "%s may know %s, and need not" % (room, other)


def known(room):
    """The rooms of tools/perf/util that @room may know, and those that they may."""
    found, todo = set(), [room]
    while todo:
        new = set(ROOMS[todo.pop()].split()) & set(ROOMS) - found
        found |= new
        todo += new
    return {r for r in found if not r.startswith(("unwind/", "perf-")) and r != "unwind"}


def check_makefile(top):
    """What is wrong with the lists of rooms there."""
    with open(os.path.join(top, "Makefile"), encoding="utf-8") as f:
        lists = re.findall(r"(?m)^(\w+)_ROOMS := ((?:.*\\\n)*.*)", f.read())
    listed = {name: set(rooms.replace("\\\n", " ").split()) for name, rooms in lists}
    for room in sorted(listed.get("PYMODULE", set()) ^ known("python")):
        yield "Makefile: PYMODULE_ROOMS %s %s" % (
            "lacks" if room in known("python") else "need not have", room)
    for room in sorted(listed.get("RECORDER", set()) - set(ROOMS)):
        yield "Makefile: RECORDER_ROOMS: '%s' is not a room" % room


def check(top):
    problems, graph, used, rooms, nr_files = [], {}, set(), set(), 0
    for path in sorted(sources(top)):
        nr_files += 1
        rooms.add(room_of(path))
        for nr, quoted, name in includes(top, path):
            try:
                target = resolve(top, path, quoted, name)
            except LookupError:
                problems.append("%s:%d: there is no %s" % (path, nr, name))
                continue
            if not target:
                continue
            why = check_edge(path, target, used)
            if why:
                problems.append("%s:%d: %s: %s" % (path, nr, name, why))
            graph.setdefault(path, set()).add(target)
    called = calls(top, sorted(sources(top)))
    for path, targets in sorted(called.items()):
        for target in sorted(targets):
            why = check_edge(path, target, used)
            if why:
                problems.append("%s calls %s: %s" % (path, target, why))
    for component in cycles(called):
        problems.append("these call each other: " + ", ".join(component))
    for component in cycles(graph):
        problems.append("these include each other: " + ", ".join(component))
    if rooms.issuperset(ROOMS): # not for a part of the tree
        problems += check_table(used)
        problems += check_makefile(top)
    return nr_files, problems


def main():
    nr_files, problems = check(sys.argv[1])
    for p in problems:
        print(p)
    print("%d files, %d problems" % (nr_files, len(problems)))
    return 1 if problems or not nr_files else 0


if __name__ == "__main__":
    sys.exit(main())
