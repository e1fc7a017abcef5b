#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: file-calls.py TOP

Lists calls that make, open for writing, rename or remove files by their names, outside of the module
for that (util/io/beneath.h, out-folder.h, out-place.h; security.md says why). Fails when there is one
that ALLOWED does not know, and when ALLOWED knows one that is not there.
"""
import os
import re
import sys

MODULE = {"tools/perf/util/io/beneath.c"}
# File: {call: (how often, why it may)}.
ALLOWED = {
    "tools/perf/util/io/out-place.c": {
        "openat": (1, "what a link of /proc has open"),
        "open": (1, "/proc/self/fd/N of what was looked at"),
    },
    "tools/perf/util/io/out-folder.c": {"open": (1, "/proc/self/fd/N of what was looked at")},
    "tools/perf/util/io/broker.c": {"open": (1, "for reading; the broker's rules are elsewhere")},
    "tools/perf/util/io/broker-files.c": {"open": (1, "for reading, or /dev/null")},
    "tools/perf/util/io/regular-file.c": {"openat2": (1, "O_PATH")},
    "tools/perf/util/data/writer-core.c": {"open": (1, "/proc/self/fd/1, standard output")},
    "tools/perf/util/record/agent-attach.c": {"open": (1, "/proc/self/fd/N of a memfd")},
    "tools/perf/util/record/agent-server.c": {
        "mkdtemp": (1, "a new folder in /tmp, of mode 0700, for a socket"),
        "unlink": (1, "the socket in it"),
        "rmdir": (1, "that folder"),
        "bind": (1, "the socket"),
    },
    # Where it runs is another program's process, with that program's rights.
    "tools/lib/perf-jvmti/dump.c": {
        "open": (1, "new, by O_EXCL and O_NOFOLLOW"),
        "unlink": (2, "never follows a link"),
    },
    # Measures; root has no reason to run them in a folder of others.
    "tools/perf/bench/stitch.c": {"mkstemp": (1, "new"), "unlink": (1, "its own")},
    "tools/perf/bench/unwind.c": {"mkdtemp": (1, "new"), "rmdir": (2, "its own")},
}
NAMES = ("creat", "mkostemps?", "mkstemps?", "mkdtemp", "tmpfile", "tempnam", "tmpnam", "rename",
         "renameat2?", "unlink", "unlinkat", "remove", "rmdir", "mkdir", "mkdirat", "mkfifo",
         "mkfifoat", "mknod", "mknodat", "symlink", "symlinkat", "link", "linkat", "truncate",
         "chmod", "fchmodat2?", "chown", "lchown", "fchownat", "utime", "utimes", "utimensat",
         "l?setxattr", "l?removexattr", "sqlite3_open(?:_v2)?", "gzopen", "bind")
OPENING = ("fopen", "open", "openat", "openat2", "freopen", "open_by_handle_at")
CALLS = re.compile(r"(?<![\w.>])(%s)(?=\()|syscall\(SYS_(%s)(?=,)" %
                   (("|".join(NAMES + OPENING),) * 2))
READS = re.compile(r"\bO_(RDONLY|PATH)\b")
WRITES = re.compile(r"\bO_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE|APPEND)\b")


def without_comments(text):
    """Strings stay, as they say how files are opened, but for what looks like a call in them."""
    def blank(m):
        return re.sub(r"[(,]" if m.group(0)[0] == '"' and len(m.group(0)) > 16 else
                      r"[^\n]" if m.group(0)[0] == "/" else r"\Z", " ", m.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def arguments(text, at):
    """What is between the parentheses of the call whose name ends at @at."""
    if text[at] != "(":  # syscall(SYS_name, ...)
        return text[at:text.find(";", at)]
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if not depth:
            return text[at + 1:i]
    return text[at:]


def writes(name, args):
    """Whether an open may write; of a variable nobody knows."""
    if '"/dev/null"' in args:
        return False
    if name in ("fopen", "freopen"):
        return not re.search(r',\s*"r[be]*"\s*(,|$)', args)
    return not READS.search(args) or bool(WRITES.search(args))


def is_declaration(text, start):
    """A declaration, or a member of a struct: a type stands in front of the name."""
    line = text[text.rfind("\n", 0, start) + 1:start]
    return bool(re.match(r"\s*(static |extern |const |unsigned )*(int|void|bool|u32|ssize_t|FILE|struct "
                         r"\w+|char)[ *]+$", line)) or line.endswith("(*")


def calls(text):
    text = without_comments(text)
    for m in CALLS.finditer(text):
        name, args = m.group(1) or m.group(2), arguments(text, m.end())
        if is_declaration(text, m.start()) or (name in OPENING and not writes(name, args)):
            continue
        # Other sockets have no names in folders; and a database in memory has none.
        if (name == "bind" and "sockaddr_un" not in text) or '"memdb"' in args:
            continue
        yield name, text.count("\n", 0, m.start()) + 1


def sources(top):
    for base in ("tools/perf", "tools/lib"):
        for folder, folders, names in os.walk(os.path.join(top, base)):
            folders[:] = [f for f in folders if f not in ("tests", "examples", "workloads", "bpf")]
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), top)
                if name.endswith((".c", ".h")) and not name.startswith("builtin-test"):
                    yield path


def main():
    top, problems, nr = sys.argv[1], 0, 0
    for path in sorted(sources(top)):
        nr += 1
        if path in MODULE:
            continue
        with open(os.path.join(top, path), encoding="utf-8") as f:
            found = {}
            for name, line in calls(f.read()):
                found.setdefault(name, []).append(line)
        allowed = ALLOWED.get(path, {})
        for name in sorted(set(found) | set(allowed)):
            there, may = len(found.get(name, ())), allowed.get(name, (0, ""))[0]
            if there == may:
                continue
            problems += 1
            if there > may:
                print("%s:%d: %s(): files are made, renamed and removed by io/out-place.h and "
                      "io/beneath.h only" % (path, found[name][-1], name))
            else:
                print("%s: %s() is allowed %d times, and there are %d" % (path, name, may, there))
    print("%d files, %d problems" % (nr, problems))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
