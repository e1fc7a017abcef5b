#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: mutate.py [OPTIONS] BUILD [FILE...]      (make mutate)

Changes one line of the program at a time, builds it, and runs the unit tests: a mutant that
survives shows what no test looks at. BUILD is a finished build (O=DIR); only the changed object is
compiled and linked again, below BUILD/mutate. FILE is a .c file of tools/perf/util, or a glob of
them; without one, those of CORE below.

A mutation is one of: relation (< and <=, == and !=), arithmetic (+ and -, << and >>, ++ and --, ...),
logic (&& and ||, & and |, a dropped !), constant (one more, one less), condition (negated), statement
(deleted). Which of all possible ones are tried is decided by --seed, so a run can be repeated. The
tests that include a header of the changed room run first; the others only when those pass. A mutant
that takes four times as long as the tests did, and ten seconds, has an endless loop.

Mutants that do the same as the program are listed in mutate.equivalent beside this script, each
with the reason. Exit status: 1 when others survived.

Options:
  --number N   how many mutants to try (100); 0: all
  --seed N     which ones (1)
  --jobs N     at a time (the number of CPUs)
  --line N     only those of that line (of all FILEs)
  --near       only the tests of the room: quicker, but some survivors would not survive all of them
  --list       show them, and try none
"""
import argparse
import concurrent.futures
import glob
import os
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CORE = ("callchain-deferred.c", "callchain-deferred/*.c", "order/*.c", "unwind/rows.c", "unwind/cfi-rows.c", "state/maps.c",
        "data/writer*.c", "data/reader*.c", "data/record.c", "data/sample*.c")
MEMORY = 8 << 30 # what an endless loop may take

SWAPS = (
    ("relation", r"(?<![-<=>!+*/%&|^])(<=|>=|==|!=|<|>)(?![=<>])(?=\s)",
     {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}),
    ("arithmetic", r"(?<=\s)(\+|-|\*|/|%|<<|>>|\+=|-=|\*=|/=|<<=|>>=)(?=\s)",
     {"+": "-", "-": "+", "*": "/", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "+=": "-=",
      "-=": "+=", "*=": "/=", "/=": "*=", "<<=": ">>=", ">>=": "<<="}),
    ("arithmetic", r"(\+\+|--)", {"++": "--", "--": "++"}),
    ("logic", r"(?<=\s)(&&|\|\||&|\||&=|\|=)(?=\s)",
     {"&&": "||", "||": "&&", "&": "|", "|": "&", "&=": "|=", "|=": "&="}),
    ("logic", r"(!)(?=[\w(])", {"!": ""}),
)
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)(?![\w.])")
STATEMENT = re.compile(r"\t+(?:(?:break|continue|goto \w+)|(?:[+-]{2})?[\w>.\[\]()*+/ -]+(?:\+\+|--)|"
                       r"\w[\w>.\[\]()*+/ -]*\s(?:[-+*/%&|^]|<<|>>)?=\s.*|\w+\(.*\));$")
DECLARATION = re.compile(r"\t+(?:static |const |struct |union |enum |unsigned |bool |int |char |void |size_t |"
                         r"ssize_t |[us]\d+ |double |off_t |pid_t |VEC\()")


class Mutant:
    def __init__(self, path, line, kind, old, new):
        self.path, self.line, self.kind, self.old, self.new = path, line, kind, old, new

    def __str__(self):
        return "%s:%d: %s\n\t- %s\n\t+ %s" % (self.path, self.line, self.kind, self.old.strip(),
                                             self.new.strip() or "(nothing)")

    def key(self):
        return self.path, self.old.strip(), self.new.strip() or "(nothing)"


def blank(text):
    """The same length without comments, strings and characters."""
    return re.sub(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'",
                  lambda m: re.sub(r"[^\n]", " ", m.group(0)), text, flags=re.S)


def changes(line, code, statement):
    """(kind, new line) of each mutation of a line, whose blanked text is @code."""
    if "__builtin_prefetch" in code:
        return
    for kind, pattern, swap in SWAPS:
        for m in re.finditer(pattern, code):
            yield kind, line[:m.start(1)] + swap[m.group(1)] + line[m.end(1):]
    for m in NUMBER.finditer(code):
        if re.fullmatch(r"0\d+", m.group(1)): # octal: a mode
            continue
        n = int(m.group(1), 0)
        for other in (n + 1, n - 1):
            if other >= 0:
                yield "constant", line[:m.start()] + str(other) + m.group(2) + line[m.end():]
    m = re.match(r"(\t+(?:\} else )?if )(\(.*\))( \{|)$", code)
    if m and m.group(2).count("(") == m.group(2).count(")"):
        yield "condition", m.group(1) + "(!" + line[m.start(2):m.end(2)] + ")" + m.group(3)
    # What is not freed is for the leak sanitizer to see.
    if statement and STATEMENT.match(code) and not DECLARATION.match(code) and \
            not re.match(r"\t+\w*free\(", code):
        yield "statement", re.match(r"\t+", line).group(0) + ";"


def mutants(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    before, inside = "", False
    for nr, (line, code) in enumerate(zip(text.split("\n"), blank(text).split("\n")), 1):
        code = code.rstrip()
        if code == "{":
            inside = True
        elif code == "}":
            inside = False
        elif inside and code.startswith("\t") and "BUG_ON" not in code:
            # What a line begins with no statement before it goes on with.
            statement = re.search(r"[;{})]$|:$|else$", before)
            for kind, new in changes(line.rstrip(), code, statement):
                yield Mutant(path, nr, kind, line, new)
        before = code or before


def equivalents():
    """{(path, old, new)} of the file: a path, then groups of "- old", "+ new" and the reason."""
    found, path, old = set(), None, None
    with open(os.path.join(HERE, "mutate.equivalent"), encoding="utf-8") as f:
        for line in f:
            line = line.rstrip("\n")
            if line.startswith("\t- "):
                old = line[3:]
            elif line.startswith("\t+ "):
                found.add((path, old, line[3:]))
            elif line and not line.startswith(("#", "\t")):
                path = line
    return found


class Build:
    """How a changed file becomes a perf: as the Makefile has done it."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "flags"), encoding="utf-8") as f:
            self.compile = f.read().split() + ["-w"]
        with open(os.path.join(folder, "objects"), encoding="utf-8") as f:
            words = f.read().split()
        self.objects = [w for w in words if w.endswith(".o")]
        self.others = [os.path.join(folder, "libperf.a")] + [w for w in words if not w.endswith(".o")]

    def make(self, path, text, work):
        """The perf in the folder @work with @path changed to @text; False if it is no C."""
        with open(work + "/mutant.c", "w", encoding="utf-8") as f:
            f.write(text)
        run = subprocess.run(self.compile + ["-iquote", os.path.dirname(path), "-c", "-o",
                                             work + "/mutant.o", work + "/mutant.c"],
                             stderr=subprocess.DEVNULL)
        if run.returncode:
            return False
        own = os.path.join(self.folder, path[:-2] + ".o")
        objects = [work + "/mutant.o" if os.path.normpath(o) == os.path.normpath(own) else o
                   for o in self.objects]
        if objects == self.objects:
            sys.exit("%s is not part of %s" % (path, self.folder))
        subprocess.run([self.compile[0], "-pthread", "-Wl,-S", "-o", work + "/perf"] + objects + self.others,
                       check=True)
        for name, to in (("tests", "tools/perf/tests"), ("Documentation", "Documentation")):
            if not os.path.lexists(os.path.join(work, name)):
                os.symlink(os.path.abspath(to), os.path.join(work, name))
        return True


class Suite:
    """The unit tests, by the file that they are in."""

    def __init__(self, near):
        self.tests, self.includes, self.near = {}, {}, near
        for path in sorted(glob.glob("tools/perf/tests/*.c")):
            with open(path, encoding="utf-8") as f:
                text = f.read()
            self.tests[path] = re.findall(r"^TEST(?:_LIMIT)?\((\w+),", text, re.M)
            self.includes[path] = re.findall(r'^#include "\.\./util/(.*)"$', text, re.M)
        self.broken, self.took = set(), {}

    def split(self, path):
        """(tests of the room of @path, all others)."""
        room = os.path.relpath(path, "tools/perf/util")
        room = room.split("/")[0] + "/" if "/" in room else "callchain-deferred"
        near = [p for p in self.tests if any(i.startswith(room) for i in self.includes[p])]
        first = [t for p in near for t in self.tests[p] if t not in self.broken]
        others = [t for p in self.tests if p not in near for t in self.tests[p]]
        return first, [t for t in others if t not in self.broken and not self.near]

    def run(self, work, tests, limit):
        """Names of those that failed; None when time is up. What is left running ends with it."""
        if not tests:
            return []
        env = dict(os.environ, TMPDIR=work)
        with open(work + "/log", "w+", encoding="utf-8", errors="replace") as out:
            p = subprocess.Popen([work + "/perf", "test", "-u", "-j", "1"] + tests, stdout=out,
                                 stderr=out, stdin=subprocess.DEVNULL, env=env,
                                 preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS,
                                                                       (MEMORY, MEMORY)))
            try:
                p.wait(limit)
            except subprocess.TimeoutExpired:
                p.terminate() # the supervisors of the tests follow, and end them
                p.wait()
                return None
            out.seek(0)
            text = out.read()
        failed = re.findall(r"^ *\d+: (\S+) +: FAILED!", text, re.M)
        return failed if failed or not p.returncode else ["(the runner)"]


def baseline(build, suite, path, work):
    """Notes what fails without any change, and how long the tests take."""
    with open(path, encoding="utf-8") as f:
        build.make(path, f.read(), work)
    for part in suite.split(path):
        start = time.time()
        suite.broken.update(suite.run(work, part, None))
        suite.took[tuple(part)] = time.time() - start


def attempt(build, suite, mutant, work):
    """("killed", by what), ("survived", "") or ("invalid", "")."""
    with open(mutant.path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    lines[mutant.line - 1] = mutant.new
    if not build.make(mutant.path, "\n".join(lines), work):
        return "invalid", ""
    for part in suite.split(mutant.path):
        failed = suite.run(work, part, 10 + 4 * suite.took.get(tuple(part), 10))
        if failed is None:
            return "killed", "time"
        if failed:
            return "killed", failed[0]
    return "survived", ""


def chosen(args):
    patterns = args.files or ["tools/perf/util/" + p for p in CORE]
    paths = sorted({os.path.normpath(p) for x in patterns for p in glob.glob(x)})
    if not paths:
        sys.exit("no file matches %s" % " ".join(patterns))
    found = [m for p in paths for m in mutants(p) if args.line in (0, m.line)]
    random.Random(args.seed).shuffle(found)
    return found[:args.number] if args.number else found


def options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--line", type=int, default=0)
    parser.add_argument("--near", action="store_true")
    parser.add_argument("--list", action="store_true")
    return parser.parse_intermixed_args()


def main():
    args = options()
    todo, known = chosen(args), equivalents()
    if args.list:
        print("\n".join(str(m) for m in todo))
        return 0
    os.nice(5)
    build, suite = Build(args.build), Suite(args.near)
    count = dict.fromkeys(("killed", "survived", "equivalent", "invalid"), 0)
    top = os.path.abspath(os.path.join(args.build, "mutate"))
    os.makedirs(top, exist_ok=True)
    folders, own = [], threading.local()

    def one(mutant):
        if mutant.key() in known:
            return "equivalent", ""
        if not hasattr(own, "work"):
            own.work = tempfile.mkdtemp(dir=top)
            folders.append(own.work)
        return attempt(build, suite, mutant, own.work)

    work = tempfile.mkdtemp(dir=top)
    try:
        for path in sorted({m.path for m in todo}):
            if tuple(suite.split(path)[0]) not in suite.took:
                baseline(build, suite, path, work)
        if suite.broken:
            print("left out, failing as it is: " + " ".join(sorted(suite.broken)))
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            futures = {pool.submit(one, m): m for m in todo}
            for future in concurrent.futures.as_completed(futures):
                mutant, (verdict, by) = futures[future], future.result()
                count[verdict] += 1
                words = str(mutant) if verdict == "survived" else "%s:%d: %s" % (
                    mutant.path, mutant.line, mutant.new.strip())
                print("%s%s: %s" % (verdict, " by " + by if by else "", words), flush=True)
    finally:
        for folder in folders + [work]:
            shutil.rmtree(folder, ignore_errors=True)
    print("%(killed)d killed, %(survived)d survived, %(equivalent)d equivalent, "
          "%(invalid)d did not compile" % count)
    return 1 if count["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
