#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: source-style.py TOP

What a reviewer should not have to look for: sizes, licence tags, functions that nobody should
call, blanks, columns, promises, header guards, comments at the top, docstrings (see docstrings.py),
files at the top that nobody meant to commit.
"""
import os
import re
import shutil
import subprocess
import sys

import docstrings

FILE_MAX = 800
FUNCTION_MAX = 100
COLUMNS = 100
BANNED = re.compile(r"(?<![\w.>])(strcpy|strcat|strncpy|strncat|sprintf|vsprintf|strtok|gets|alloca"
                    r"|tmpnam|mktemp)\s*\(")
PROMISE = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
SPDX = re.compile(r"SPDX-License-Identifier: (.+?)(?: \*/|-->)?$")
UNSEEN = re.compile(r"\s*! (?!.*(\|\||&&|\\$))")  # what `set -e` does not look at
GPL = "GPL-2.0-only"
LIBRARY = "(LGPL-2.1-only OR BSD-2-Clause)"
TEXT = (".c", ".h", ".sh", ".py", ".mk", ".S", ".map", ".awk")
NAMES = {"Makefile", "probe", "fuzz", "packages", "install-deps", "version", "check", "demo", "run",
         "directories", "dist", "archive", "deb", "rpm", "release", "check-packages"}
ROOT = {".ci", ".clang-format", ".github", ".gitignore", ".gitlab-ci.yml", "CHANGELOG.md",
        "CONTRIBUTING.md", "Documentation", "LICENSE", "LICENSES", "Makefile", "README.md",
        "SECURITY.md", "VERSION", "packaging", "scripts", "tools"}
SKIP = {".git", "build", "data"}


def files(top):
    for folder, dirs, names in os.walk(top):
        dirs[:] = sorted(d for d in dirs if d not in SKIP or folder.endswith("perf/util"))
        if os.path.isfile(os.path.join(folder, "features.mk")):
            dirs[:] = []  # the output of a build
            continue
        for name in sorted(names):
            if name.endswith(TEXT) or name in NAMES:
                yield os.path.relpath(os.path.join(folder, name), top)


def without_comments(text):
    """The same number of lines, with comments and the contents of strings taken out."""
    def blank(m):
        s = m.group(0)
        return '""' if s[0] == '"' else "\n" * s.count("\n") or " "
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def check_functions(path, lines, problems):
    start = None
    for nr, line in enumerate(lines, 1):
        if line == "{":
            start = nr
        elif line == "}" and start:
            if nr - start - 1 > FUNCTION_MAX:
                problems.append("%s:%d: a function of %d lines (at most %d)" %
                                (path, start, nr - start - 1, FUNCTION_MAX))
            start = None


def guard_of(path):
    """PERF_ROOM_FILE_H for tools/perf/util/room/file.h; None: no rule for this header."""
    m = re.match(r"tools/perf/(?:util/)?(.+)\.h$", path)
    if m:
        return "PERF_%s_H" % re.sub(r"\W", "_", m.group(1)).upper()
    m = re.match(r"tools/lib/perf/(?:include/perf/|include/)?(.+)\.h$", path)
    if m:
        return "LIBPERF_%s_H" % re.sub(r"\W", "_", m.group(1).replace("/include", "")).upper()
    return None


def check_guard(path, text, problems):
    """A guard says where its header is, so that no two headers have the same one."""
    want = guard_of(path)
    m = re.search(r"^#ifndef (\w+)\n#define (\w+)\n", text, re.M)
    if want and (not m or m.groups() != (want, want)):
        problems.append("%s: the header guard should be %s, not %s" %
                        (path, want, m.group(1) if m else "missing"))


def check_heads(top, problems):
    """A .c file says at its top what it is for, unless there is a header of its name."""
    paths = list(files(top))
    headers = {os.path.basename(p)[:-2] for p in paths if p.endswith(".h")}
    for path in paths:
        name = re.sub(r"^test-", "", os.path.basename(path)[:-2])
        if not path.endswith(".c") or name in headers:
            continue
        with open(os.path.join(top, path), encoding="utf-8") as f:
            if not f.read().split("\n", 1)[-1].startswith("/*"):
                problems.append("%s:2: no comment says what this file is for" % path)


def check_c(path, text, problems):
    code = without_comments(text).split("\n")
    for nr, line in enumerate(code, 1):
        m = BANNED.search(line)
        if m:
            problems.append("%s:%d: %s() is not used here" % (path, nr, m.group(1)))
    for nr, line in enumerate(text.split("\n"), 1):
        if len(line.expandtabs(8)) > COLUMNS:
            problems.append("%s:%d: more than %d columns" % (path, nr, COLUMNS))
        if re.match(r" {8}", line) or re.match(r"\t* +\t", line):
            problems.append("%s:%d: indented with blanks" % (path, nr))
    check_functions(path, text.split("\n"), problems)


def check_file(top, path, problems):
    with open(os.path.join(top, path), encoding="utf-8") as f:
        text = f.read()
    lines = text.split("\n")
    tags = [m.group(1) for m in map(SPDX.search, lines[:3]) if m]
    want = LIBRARY if path.startswith("tools/lib/") else GPL
    if tags != [want]:
        problems.append("%s:1: the licence tag should be %s, not %s" % (path, want, tags))
    if len(lines) - 1 > FILE_MAX:
        problems.append("%s: %d lines (at most %d)" % (path, len(lines) - 1, FILE_MAX))
    if not text.endswith("\n") or text.endswith("\n\n"):
        problems.append("%s: should end with one newline" % path)
    for nr, line in enumerate(lines, 1):
        if line != line.rstrip():
            problems.append("%s:%d: blanks at the end" % (path, nr))
        if PROMISE.search(line) and not path.endswith("source-style.py"):
            problems.append("%s:%d: a promise: do it or leave it" % (path, nr))
        if path.endswith(".sh") and UNSEEN.match(line):
            problems.append("%s:%d: its failure is not seen: has_not, or ! ... || fail" % (path, nr))
    if path.endswith((".c", ".h")):
        check_c(path, text, problems)
    if path.endswith(".h"):
        check_guard(path, text, problems)


def check_root(top, problems):
    """What is committed at the top, where git can tell, is there for a purpose."""
    found = subprocess.run(["git", "-c", "safe.directory=*", "-C", top, "ls-files", "-z"],
                           capture_output=True, text=True) if shutil.which("git") else None
    for name in sorted({path.split("/")[0] for path in found.stdout.split("\0") if path}
                       if found and not found.returncode else ()):
        if name not in ROOT:
            problems.append("%s: nothing of this name belongs at the top" % name)


def main():
    problems, nr = [], 0
    if os.path.exists(os.path.join(sys.argv[1], ".git")):
        check_root(sys.argv[1], problems)
    for path in files(sys.argv[1]):
        nr += 1
        check_file(sys.argv[1], path, problems)
    check_heads(sys.argv[1], problems)
    docstrings.check_all(sys.argv[1], docstrings.FOLDERS, problems)
    for p in problems:
        print(p)
    print("%d files, %d problems" % (nr, len(problems)))
    return 1 if problems or not nr else 0


if __name__ == "__main__":
    sys.exit(main())
