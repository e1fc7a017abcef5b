#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: env-calls.py TOP

Lists calls that ask for the environment, load code or run programs, outside of the module for that
(util/io/secure-env.h; security.md says why). Fails when there is one that ALLOWED does not know, and
when ALLOWED knows one that is not there.
"""
import os
import re
import sys

MODULE = {"tools/perf/util/io/secure-env.c"}
# What lives in other programs' processes, or is an example, is not perf.
SKIP = ("tools/perf/tests/", "tools/lib/perf-agent/", "tools/lib/perf-jvmti/",
        "tools/lib/perf/examples/", "tools/perf/bench/")
# File: {call: (how often, why it may)}. execve(2) leaves out the capabilities of perf's own file.
ALLOWED = {
    "tools/perf/util/annotate/objdump.c": {"execvp": (1, "without perf's capabilities")},
    "tools/perf/util/record/workload.c": {"execvp": (1, "the user's command, without them")},
    "tools/perf/util/record-command/push-rounds.c": {"posix_spawn": (2, "perf itself")},
    "tools/perf/util/record-command/stitch-rest.c": {"posix_spawn": (1, "perf itself")},
    "tools/perf/util/cli/manual.c": {"execl": (1, "man, without perf's capabilities")},
    "tools/perf/util/cli/pager.c": {"execlp": (1, "the pager, without perf's capabilities")},
    "tools/perf/util/build-ids/tar-file.c": {"posix_spawnp": (1, "tar, without them")},
    "tools/perf/util/cli/other-perf.c": {"execv": (3, "another perf, without this one's")},
    "tools/perf/util/script/named-run.c": {
        "execv": (2, "perf itself, or a script's, without capabilities"),
        "popen": (1, "perf itself"),
    },
}
CALLS = re.compile(r"(?<![\w.>])(getenv|secure_getenv|dlopen|dlmopen|execv[pe]*|execl[pe]*|execveat|"
                   r"fexecve|popen|system|posix_spawnp?|wordexp)\(")


def without_comments(text):
    def blank(m):
        return "\n" * m.group(0).count("\n")
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def files(top):
    for folder, dirs, names in os.walk(os.path.join(top, "tools")):
        dirs.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), top)
            if name.endswith((".c", ".h")) and not path.startswith(SKIP) and path not in MODULE:
                yield path


def main():
    top, problems, nr = sys.argv[1], [], 0
    found = {}
    for path in files(top):
        with open(os.path.join(top, path), errors="replace") as f:
            for line_nr, line in enumerate(without_comments(f.read()).split("\n"), 1):
                for call in CALLS.findall(line):
                    nr += 1
                    found.setdefault(path, {}).setdefault(call, []).append(line_nr)
    for path, calls in sorted(found.items()):
        for call, lines in sorted(calls.items()):
            times = ALLOWED.get(path, {}).get(call, (0,))[0]
            if len(lines) > times:
                problems.append("%s:%d: %s(): what io/secure-env.h offers decides that" %
                                (path, lines[-1], call))
    for path, calls in sorted(ALLOWED.items()):
        for call, (times, _) in sorted(calls.items()):
            if os.path.exists(os.path.join(top, path)) and \
                    len(found.get(path, {}).get(call, ())) < times:
                problems.append("%s: %s() is called less often than ALLOWED says" % (path, call))
    for p in problems:
        print(p)
    print("%d calls, %d problems" % (nr, len(problems)))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
