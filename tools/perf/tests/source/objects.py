#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: objects.py DIR

What the compiler made of the program (all .o below DIR, but for tests) says of the source:

- There are no writable globals but those of GLOBALS, so that two pipelines can run in one process.
- Each function that other files may call is called by one of the program's; a part of PARTS by its
  own file and by tests. Nothing is there for tests only.

Nothing may be listed that is not there.
"""
import os
import re
import subprocess
import sys

SOURCES = os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../../..")
# What belongs to the process as a whole; design/pipeline.md says the same.
GLOBALS = {
    "log level_now": "the log level", "log level_least": "the log level",
    "broker broker": "the broker of a confined process (io/broker.h)",
    "mapfile guards": "mapped files, for the handler of SIGBUS",
    "pager pager_pid": "the pager behind stdout, for handlers of signals",
    "core print_fn": "how libperf prints, as its interface has it",
    "hash hash_seed": "set before main()",
    "mapfile handler_before": "of SIGBUS, in a process that is not ours",
    "fatal trap_now": "of each thread, where errors that nobody expects lead",
}
# Folders that may: Python's interface takes the tables of types and functions as writable.
OF_PYTHON = "/python/"
# What its own file calls, and tests have alone, without what is around it.
PARTS = {
    "attr__stitched", "bundle__open_limited", "btf__parse", "cgroup__mount", "defer_choice__judge",
    "number_list__add", "otel_names__decode", "probe_defer__judge",
    "probe_defer__try", "sframe_run__begin", "sframe_run__next", "student_t__beyond",
    "student_t__limit", "symbols__table_addr", "synth__ksymbols", "synth__modules",
    "tracepoints__name",
}
# Of libperf-unwind, for other programs.
PUBLIC = {"unwinder__new", "unwind__walk_prepared", "unwind_arch__native", "unwind_space__prepare",
          "unwind_regs__from_context"}
# Made by compilers for coverage and such.
MADE = ("__gcov", "__llvm", "__prof", "__odr_asan", "__asan", "__sancov")


def linked(top):
    """Paths of what perf is made of now, as far as that is known; else of all."""
    try:
        with open(top + "/objects", encoding="utf-8") as f:
            return {w[w.rindex("tools/"):] for w in f.read().split() if "tools/" in w}
    except FileNotFoundError:
        return None


def objects(top):
    """{path from @top: whether it is of the tests}. What was built of files that are gone is not."""
    found, now = {}, linked(top)
    for folder, dirs, names in os.walk(top):
        dirs[:] = sorted(d for d in dirs if d not in ("fuzz", "tests") or folder != top)
        for name in sorted(names):
            if name.endswith(".o"):
                path = os.path.relpath(os.path.join(folder, name), top)
                if now is None or path in now or "/python/" in path or path.startswith("libperf/"):
                    found[path] = "tests" in path.split("/")
    return found


def symbols(top, paths):
    """(path, name, nm's letter, section) of each symbol."""
    out = subprocess.run(["nm", "-A", "-f", "sysv"] + paths, cwd=top, check=True,
                         stdout=subprocess.PIPE, encoding="utf-8").stdout
    for line in out.split("\n"):
        cells = [c.strip() for c in line.split("|")]
        if len(cells) == 7:
            path, name = cells[0].split(":", 1)
            if not name.startswith(MADE):
                yield path, name, cells[2], cells[6]


def plain(name):
    """Without the number of a static variable of a function (gcc), or the function (clang)."""
    parts = name.split(".")
    return parts[0] if parts[-1].isdigit() else parts[-1]


def is_writable(kind, section):
    return kind in "bBdDC" and not section.startswith(".data.rel.ro") and \
        section.startswith((".data", ".bss", ".tdata", ".tbss", "*COM*"))


def is_library(path, name):
    """It is called by whoever uses the library. perf calls most of what the unwinder's has."""
    return not path.startswith(("tools/perf/", "tools/lib/unwind/")) or name in PUBLIC


def calls_itself(path, name):
    """Whether the source of the object @path uses @name, besides defining it."""
    with open(os.path.join(SOURCES, path[:-2] + ".c"), encoding="utf-8") as f:
        return len(re.findall(r"\b%s\b" % name, f.read())) > 1


def check(top):
    found = objects(top)
    defined, users, writable, problems = {}, {}, set(), []
    for path, name, kind, section in symbols(top, list(found)):
        if not found[path] and OF_PYTHON not in path and is_writable(kind, section):
            writable.add("%s %s" % (os.path.basename(path)[:-2], plain(name)))
        if kind == "T" and not found[path] and not is_library(path, name):
            defined[name] = path
        elif kind == "U":
            users.setdefault(name, set()).add(found[path])
    problems += ["%s: %s is a writable global" % tuple(g.split()) for g in
                 sorted(writable - set(GLOBALS))]
    unused = {n for n in defined if False not in users.get(n, ()) and n != "main" and
              not n.startswith("PyInit_")} # which Python calls
    for name in sorted(unused):
        if name not in PARTS or name not in users or not calls_itself(defined[name], name):
            problems.append("%s: %s() is called by %s" % (
                defined[name], name, "tests only" if name in users else "no other file"))
    if "tools/perf/perf.o" in found: # not for a part of the program
        problems += ["%s is not a writable global" % g for g in sorted(set(GLOBALS) - writable)]
        problems += ["%s() is not a part that tests have alone" % n for n in sorted(set(PARTS) - unused)]
    return len(found), problems


def main():
    nr, problems = check(sys.argv[1])
    for p in problems:
        print(p)
    print("%d objects, %d problems" % (nr, len(problems)))
    return 1 if problems or not nr else 0


if __name__ == "__main__":
    sys.exit(main())
