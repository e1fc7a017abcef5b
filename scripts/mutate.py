#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: mutate.py [OPTIONS] BUILD [FILE...]      (make mutate)

Changes one line of the program at a time, builds it, and runs the unit tests: a mutant that
survives shows what no test looks at. BUILD is a finished build (O=DIR); only the changed object is
compiled and linked again, below BUILD/mutate. FILE is a .c file of tools/perf/util or
tools/lib/unwind, or a glob of them; without one, those of CORE below.

A mutation is one of: relation (< and <=, == and !=), arithmetic (+ and -, << and >>, ++ and --,
...), logic (&& and ||, & and |, a dropped !), constant (one more, one less), condition (negated),
statement (deleted). Which of all possible ones are tried is decided by --seed, so a run can be
repeated.

Each mutant meets the tests that enter the function it is in, the cheapest first; a test that fails
has to fail twice. Which tests those are, and what CPU time each takes, is found by running each
test once; BUILD/mutate/seen.json keeps it until the file or the test changes.

Verdicts:
  killed      a test fails, or takes 10 s and 20 times its CPU time ("looping"), whatever the load
  survived    no test fails
  unclear     the tests do not end, and take no CPU time: look at it by hand
  equivalent  the compiler makes the same code of it; or it is listed in mutate.equivalent beside
              this script, with the reason why nothing can tell it from the program
What does not compile is not counted, and no free() is left out. A build with
SANITIZE=address,undefined also kills what leaks or reads too far. Exit status: 1 when some survived
or are unclear.

Options:
  --number N   how many mutants to try (100); 0: all
  --seed N     which ones (1)
  --jobs N     at a time (half the number of CPUs)
  --line N[-M] only those of these lines (of all FILEs)
  --list       show them, and try none
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
UNWIND = "../../lib/unwind/"
CORE = ("callchain-deferred.c", "callchain-deferred/*.c", "order/*.c", UNWIND + "rows/rows.c",
        UNWIND + "source/cfi-*.c", UNWIND + "source/sframe-rows.c", UNWIND + "walk/eval.c",
        "state/maps.c",
        "data/writer*.c", "data/reader*.c", "data/record.c", "data/record-end.c", "data/sample*.c")
MEMORY = 4 << 30    # what an endless loop may take
LOOPING = 10, 20    # seconds of CPU time, and how many times what the test takes
BATCHES = 0.5, 2, 8 # seconds of CPU time after which it is looked whether a test has failed

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
    def __init__(self, path, text, function, line, kind, new):
        self.path, self.text = path, text
        self.function = function # the line of its "{"
        self.line, self.kind, self.new = line, kind, new
        self.old = text[line - 1]

    def __str__(self):
        return "%s:%d: %s\n\t- %s\n\t+ %s" % (self.path, self.line, self.kind, self.old.strip(),
                                             self.new.strip() or "(nothing)")

    def mutated(self):
        return "\n".join(self.text[:self.line - 1] + [self.new] + self.text[self.line:])

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
    # What is not freed is for the leak sanitizer to see; to destroy a mutex does nothing on Linux.
    if statement and STATEMENT.match(code) and not DECLARATION.match(code) and \
            not re.match(r"\t+\w*(free|mutex_destroy)\(", code):
        yield "statement", re.match(r"\t+", line).group(0) + ";"


def mutants(path):
    text = contents(path)
    lines = text.split("\n")
    before, function = "", 0
    for nr, (line, code) in enumerate(zip(lines, blank(text).split("\n")), 1):
        code = code.rstrip()
        if code == "{":
            function = nr
        elif code == "}":
            function = 0
        elif function and code.startswith("\t") and "BUG_ON" not in code:
            # What a line begins with no statement before it goes on with.
            statement = re.search(r"[;{})]$|:$|else$", before)
            for kind, new in changes(line.rstrip(), code, statement):
                yield Mutant(path, lines, function, nr, kind, new)
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
            self.flags = f.read().split() + ["-w", "-g0"]
        with open(os.path.join(folder, "objects"), encoding="utf-8") as f:
            words = f.read().split()
        self.objects = [os.path.normpath(w) for w in words if w.endswith(".o")]
        # A sanitizer reserves far more than it uses.
        self.memory = 0 if any("-fsanitize" in f for f in self.flags) else MEMORY
        self.others = [os.path.join(folder, "libperf.a")]
        self.others += [w for w in words if not w.endswith(".o")]

    def own(self, path):
        """The object of @path in the build."""
        own = os.path.normpath(os.path.join(self.folder, path[:-2] + ".o"))
        if own not in self.objects:
            sys.exit("%s is not part of %s" % (path, self.folder))
        return own

    def compile(self, path, text, to):
        """@text, in the place of @path, to the object @to; its contents, None if it is no C."""
        with open(to[:-2] + ".c", "w", encoding="utf-8") as f:
            f.write(text)
        run = subprocess.run(self.flags + ["-iquote", os.path.dirname(path), "-c", "-o", to,
                                           to[:-2] + ".c"], stderr=subprocess.DEVNULL)
        if run.returncode:
            return None
        with open(to, "rb") as f:
            return f.read()

    def link(self, instead, work, more=()):
        """The perf in the folder @work, with the objects of @instead for those of the build."""
        objects = [instead.get(o, o) for o in self.objects]
        subprocess.run([self.flags[0], "-pthread", "-Wl,-S", "-o", work + "/perf"] + objects +
                       list(more) + self.others, check=True)
        for name, to in (("tests", "tools/perf/tests"), ("Documentation", "Documentation")):
            if not os.path.lexists(os.path.join(work, name)):
                os.symlink(os.path.abspath(to), os.path.join(work, name))


class Ran:
    """What came of some tests: {name: why} of those that failed, and the CPU time."""

    def __init__(self, text, status, usage):
        _, _, failed = text.partition("\nFailed:\n")
        self.failed = dict(re.findall(r"^  (\S+): (.*)$", failed, re.M))
        self.cpu = usage.ru_utime + usage.ru_stime
        if status and not self.failed:
            self.failed = {"(the runner)": "ended with status %#x" % status}

    def because(self, words):
        return [name for name, why in self.failed.items() if words in why]


def run_tests(work, tests, memory, cpu_limit=0, seen=None):
    """Runs @tests by the perf in @work. What is left running ends with it."""
    env = dict(os.environ, TMPDIR=work)
    if seen:
        env["MUTATE_SEEN"] = seen

    def limits():
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        if cpu_limit:
            resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_limit) + 1, int(cpu_limit) + 5))

    with open(work + "/log", "w+", encoding="utf-8", errors="replace") as out:
        p = subprocess.Popen([work + "/perf", "test", "-u", "-j", "1"] + tests, stdout=out,
                             stderr=out, stdin=subprocess.DEVNULL, env=env, preexec_fn=limits)
        _, status, usage = os.wait4(p.pid, 0)
        p.returncode = status
        out.seek(0)
        return Ran(out.read(), status, usage)


def contents(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def digest(text):
    return hashlib.sha256(text.encode()).hexdigest()


# The functions that are entered set a byte each in the file that the environment names.
PROBE = """
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
static unsigned char nowhere[%d];
unsigned char *mutate__seen = nowhere;
__attribute__((constructor)) static void mutate__begin(void)
{
	const char *path = getenv("MUTATE_SEEN");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at = mmap(NULL, sizeof(nowhere), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (fd >= 0)
		close(fd);
	if (at != MAP_FAILED)
		mutate__seen = at;
}
"""


class Suite:
    """The unit tests: which functions each enters, and what it costs."""

    def __init__(self, build, top):
        self.build, self.top = build, top
        self.store = os.path.join(top, "seen.json")
        self.states = self.find() # of each test: digest of the file that it is in
        # Test: {"state": of its file, "cpu": seconds, "ok": bool,
        #        "seen": {file: [its state, line of each function entered]}}
        self.tests = {}
        if os.path.exists(self.store):
            with open(self.store, encoding="utf-8") as f:
                self.tests = json.load(f)

    def find(self):
        names = subprocess.run([self.build.folder + "/perf", "test", "-u", "list"], check=True,
                               stdout=subprocess.PIPE, encoding="utf-8").stdout
        texts, files = [], {}
        for path in sorted(glob.glob("tools/perf/tests/*/*.c")):
            texts.append(contents(path))
            for name in re.findall(r"^TEST(?:_LIMIT)?\((\w+),", texts[-1], re.M):
                files[name] = digest(texts[-1])
        other = digest("".join(texts)) # those that a macro makes
        return {n: files.get(n, other) for n in re.findall(r"^ *\d+: (\S+)", names, re.M)}

    def stale(self, paths):
        """
        The tests of which it is not known what they enter in @paths as they are now. Those that did
        not enter a file are taken not to do so after it has changed.
        """
        want = {p: digest(contents(p)) for p in paths}
        for name, state in self.states.items():
            t = self.tests.get(name)
            if not t or t["state"] != state or \
                    any(self.is_old(t, p, now) for p, now in want.items()):
                yield name

    @staticmethod
    def is_old(test, path, now):
        was, *entered = test["seen"].get(path, [None, 0])
        return entered and was != now

    def observe(self, asked, paths, jobs):
        """Runs the tests that are stale for those @asked, and notes what they enter in @paths."""
        todo = list(self.stale(asked))
        if not todo:
            return
        print("running %d unit tests once, to see what they enter" % len(todo), flush=True)
        with tempfile.TemporaryDirectory(dir=self.top) as work:
            states = {p: digest(contents(p)) for p in paths}
            places = self.instrument(paths, work)
            with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
                for name, t in pool.map(lambda n: (n, self.watch(n, states, places, work)), todo):
                    self.tests[name] = t
        with open(self.store + ".new", "w", encoding="utf-8") as f:
            json.dump(self.tests, f)
        os.replace(self.store + ".new", self.store)

    def instrument(self, paths, work):
        """A perf that notes the functions entered. [(path, line)] of each."""
        places, instead = [], {}
        for nr, path in enumerate(paths):
            lines = contents(path).split("\n")
            for i, line in enumerate(lines):
                if line == "{":
                    lines[i] = "{ mutate__seen[%d] = 1;" % len(places)
                    places.append((path, i + 1))
            to = "%s/seen%d.o" % (work, nr)
            text = "extern unsigned char *mutate__seen;\n" + "\n".join(lines)
            if self.build.compile(path, text, to) is None:
                sys.exit("cannot compile %s with notes of what is entered" % path)
            instead[self.build.own(path)] = to
        self.build.compile("./probe.c", PROBE % len(places), work + "/probe.o")
        self.build.link(instead, work, [work + "/probe.o"])
        return places

    def watch(self, name, states, places, top):
        with tempfile.TemporaryDirectory(dir=top) as work:
            for entry in ("perf", "tests", "Documentation"):
                os.symlink(os.path.join(top, entry), os.path.join(work, entry))
            seen = os.path.join(work, "seen")
            with open(seen, "wb") as f:
                f.truncate(len(places))
            ran = run_tests(work, [name], self.build.memory, seen=seen)
            with open(seen, "rb") as f:
                hit = f.read()
        entered = {p: [state] for p, state in states.items()}
        for (path, line), byte in zip(places, hit):
            if byte:
                entered[path].append(line)
        return {"state": self.states[name], "cpu": ran.cpu, "ok": not ran.failed,
                "seen": entered}

    def broken(self):
        return [n for n in self.states if not self.tests[n]["ok"]]

    def of(self, mutant):
        """The tests that enter the function of @mutant, in batches."""
        names = [n for n in self.states if self.tests[n]["ok"] and
                 mutant.function in self.tests[n]["seen"][mutant.path][1:]]
        batch, total, ends = [], 0, list(BATCHES)
        for name in sorted(names, key=lambda n: self.tests[n]["cpu"]):
            total += self.tests[name]["cpu"]
            if batch and ends and total > ends[0]:
                yield batch
                batch = []
                while ends and total > ends[0]:
                    ends.pop(0)
            batch.append(name)
        if batch:
            yield batch

    def limit(self, names):
        """Of CPU time of each process, so that the longest test counts, and not all of them."""
        return LOOPING[0] + LOOPING[1] * max(self.tests[n]["cpu"] for n in names)


def attempt(build, suite, mutant, work):
    """(verdict, by what)."""
    was = build.compile(mutant.path, "\n".join(mutant.text), work + "/mutant.o")
    is_now = build.compile(mutant.path, mutant.mutated(), work + "/mutant.o")
    if is_now is None:
        return "invalid", ""
    if is_now == was:
        return "equivalent", "the same code"
    build.link({build.own(mutant.path): work + "/mutant.o"}, work)
    met = 0
    for names in suite.of(mutant):
        met += len(names)
        ran = run_tests(work, names, build.memory, suite.limit(names))
        looping = ran.because("CPU time limit exceeded")
        hanging = ran.because("still running after")
        for name in ran.failed:
            if name in hanging + looping:
                continue
            if name not in names or \
                    run_tests(work, [name], build.memory, suite.limit([name])).failed:
                return "killed", name
        if looping:
            return "killed", "looping in " + looping[0]
        if hanging:
            return "unclear", "no end of " + hanging[0]
    return "survived", "%d tests" % met if met else "no test: none enters the function"


def chosen(args):
    core = {os.path.normpath(p) for x in CORE for p in glob.glob("tools/perf/util/" + x)}
    asked = {os.path.normpath(p) for x in args.files for p in glob.glob(x)}
    if args.files and not asked:
        sys.exit("no file matches %s" % " ".join(args.files))
    first, _, last = args.line.partition("-")
    lines = range(int(first), int(last or first) + 1)
    found = [m for p in sorted(asked or core) for m in mutants(p) if m.line in lines]
    random.Random(args.seed).shuffle(found)
    return found, sorted(asked or core), sorted(core | asked)


class Results:
    """Hands out the mutants, and counts what becomes of them."""

    VERDICTS = ("killed", "survived", "unclear", "equivalent")

    def __init__(self, todo, number):
        self.todo, self.left = iter(todo), number or len(todo)
        self.lock, self.count = threading.Lock(), {}

    def next(self):
        with self.lock:
            self.left -= 1
            return next(self.todo, None) if self.left >= 0 else None

    def add(self, mutant, verdict, by):
        room = os.path.relpath(mutant.path, "tools/perf/util").replace("../../lib/", "")
        room = room.split("/")[0].replace(".c", "")
        with self.lock:
            if verdict == "invalid":
                self.left += 1
                return
            row = self.count.setdefault(room, dict.fromkeys(self.VERDICTS, 0))
            row[verdict] += 1
            words = str(mutant) if verdict in ("survived", "unclear") else "%s:%d: %s" % (
                mutant.path, mutant.line, mutant.new.strip())
            print("%s (%s): %s" % (verdict, by, words), flush=True)

    def total(self, verdict):
        return sum(row[verdict] for row in self.count.values())

    def table(self):
        line = "%-20s" + " %10s" * (len(self.VERDICTS) + 1)
        print(line % (("", "mutants") + self.VERDICTS))
        for room, row in sorted(self.count.items()):
            print(line % ((room, sum(row.values())) + tuple(row.values())))
        totals = [self.total(v) for v in self.VERDICTS]
        print(line % (("all", sum(totals)) + tuple(totals)))


def options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--number", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=max(1, os.cpu_count() // 2))
    parser.add_argument("--line", default="1-1000000")
    parser.add_argument("--list", action="store_true")
    return parser.parse_intermixed_args()


def main():
    args = options()
    (todo, asked, paths), known = chosen(args), equivalents()
    if args.list:
        print("\n".join(str(m) for m in todo[:args.number or None]))
        return 0
    os.nice(10)
    top = os.path.abspath(os.path.join(args.build, "mutate"))
    os.makedirs(top, exist_ok=True)
    build = Build(args.build)
    suite, results = Suite(build, top), Results(todo, args.number)
    suite.observe(asked, paths, args.jobs)
    if suite.broken():
        print("left out, failing as it is: " + " ".join(suite.broken()))

    def worker(_):
        with tempfile.TemporaryDirectory(dir=top) as work:
            for mutant in iter(results.next, None):
                listed = mutant.key() in known
                results.add(mutant, *(("equivalent", "listed") if listed else
                                      attempt(build, suite, mutant, work)))

    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(worker, range(args.jobs)))
    results.table()
    return 1 if results.total("survived") + results.total("unclear") else 0


if __name__ == "__main__":
    sys.exit(main())
