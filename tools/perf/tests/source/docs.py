#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: docs.py check PERF DOCUMENTATION     man pages against the program
          docs.py examples PERF DOCUMENTATION  runs what the man pages show
          docs.py sources TOP                  *.md pages against the sources

Tests that design/security.md names are there. Each command of `perf` has a page perf-NAME.txt,
listed in perf.txt. Its SYNOPSIS is what `perf NAME -h` prints as usage; its OPTIONS name the
options of -h, no more and no fewer. perf-NAME-TOPIC.txt tells more about one. In EXAMPLES, every
[source,sh] block is run, those of one page in one directory, and must succeed. A line "// needs:
PROGRAM... root built-in:NAME import:MODULE" before a block leaves it out where that is not there
(NAME: of `perf version --build-options`; MODULE: of Python); blocks that record are left out where
the kernel does not let us.

The *.md pages may name only files and functions that there are. Files are looked for from TOP, the
page's folder, tools/perf and some folders of that, and anywhere if the page gives no folder. Where
it says "`function()` in `file`", it must be in that file. Lines have at most 100 columns, except in
tables and in what is indented as code. Words that the last table of the glossary replaces are not in
pages, man pages and messages.
"""
import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

TOPICS = ("python",)  # pages of what is no command
# Pages of what has options of its own: `perf data convert -h`.
SUBCOMMANDS = ("data-convert", "data-push")
SECTIONS = ("NAME", "SYNOPSIS", "DESCRIPTION", "EXAMPLES", "SEE ALSO")
OPTION = re.compile(r"(?<![\w-])(--[a-z][\w-]*|-[A-Za-z])(?=$|[\s,:=<\[])")


def commands(perf):
    out = subprocess.run([perf, "help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"^   (\S+) +\S.*$", out, re.M)


def sections(text):
    parts = re.split(r"^([A-Z][A-Z ]+)\n-{3,}\n", text, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def usage_of(perf, name):
    """(usage lines, {option name}) as -h prints them."""
    command = name.split("-") if name in SUBCOMMANDS else [name]
    run = subprocess.run([perf, *command, "-h"], capture_output=True, text=True, timeout=20)
    lines = re.findall(r"^ *(?:Usage|or): (.+)$", run.stdout, re.M)
    options = set()
    for line in re.findall(r"^    (-\S.*)$", run.stdout, re.M):
        options.update(OPTION.findall(re.split(r"\s{2,}", line)[0]))
    return run.returncode, lines, options


def page_options(text):
    found = set()
    for term in re.findall(r"^(-\S.*)::$", text, re.M):
        found.update(OPTION.findall(term))
    return found


def normal(line):
    return " ".join(re.sub(r"['_`\\]", "", line).split())


def check_page(perf, name, text):
    parts = sections(text)
    for want in SECTIONS:
        if want not in parts:
            yield "there is no section %s" % want
    if not re.match(r"perf-%s\(1\)\n=+\n" % name, text):
        yield "the title is not perf-%s(1)" % name
    if not re.search(r"^perf-%s - \S" % name, parts.get("NAME", ""), re.M):
        yield "NAME is not 'perf-%s - ...'" % name
    status, usage, options = usage_of(perf, name)
    if status or not usage:
        yield "`perf %s -h` ends with status %d" % (name, status)
    synopsis = [normal(x) for x in parts.get("SYNOPSIS", "").split("\n")
                if x.strip() and x != "[verse]"]
    if synopsis != [normal(x) for x in usage]:
        yield "SYNOPSIS says %s, -h says %s" % (synopsis, usage)
    documented = page_options(text)
    plain = {re.sub("^--no-", "--", o) for o in documented}
    for o in sorted(options - documented - plain):
        yield "%s is in -h, not on the page" % o
    for o in sorted(documented - options):
        if re.sub("^--no-", "--", o) not in options:
            yield "%s is on the page, not in -h" % o
    if "[source,sh]" not in parts.get("EXAMPLES", ""):
        yield "EXAMPLES has no [source,sh] block for the test to run"


def read(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as f:
        return f.read()


def check_security(perf, text):
    """Each row of a table whose last column is "test" names tests that there are, or is open."""
    run = subprocess.run([perf, "test", "list"], capture_output=True, text=True, check=True)
    known = set(re.findall(r"^ *\d+: (\S+)", run.stdout, re.M))
    in_table = False
    for line in text.split("\n"):
        cells = [c.strip() for c in line.strip("|").split("|")]
        if not line.startswith("|"):
            in_table = False
        elif cells[-1] == "test":
            in_table = True
        elif in_table and not re.fullmatch("-+", cells[-1]):
            names = re.findall("`(.*?)`", cells[-1])
            if not names and not cells[-1].startswith("open: "):
                yield "'%s' names no test" % cells[0]
            for name in names:
                if name not in known:
                    yield "'%s': there is no test '%s'" % (cells[0], name)


def check(perf, folder):
    problems = []
    design = os.path.join(folder, "design")
    if os.path.isdir(design):  # an installed perf has none
        problems += ["security.md: " + p
                     for p in check_security(perf, read(design, "security.md"))]
    try:
        overview = read(folder, "perf.txt")
    except OSError as e:
        return ["perf.txt: %s" % e.strerror]
    names = commands(perf)
    if names != sorted(names) or "help" not in names:
        problems.append("`perf help` does not list sorted commands: %s" % names)
    for name in [*names, *SUBCOMMANDS]:
        page = "perf-%s.txt" % name
        if not re.search(r"perf-%s\b" % name, overview):
            problems.append("perf.txt: perf-%s is not mentioned" % name)
        try:
            text = read(folder, page)
        except OSError as e:
            problems.append("%s: %s" % (page, e.strerror))
            continue
        problems += ["%s: %s" % (page, p) for p in check_page(perf, name, text)]
    for page in sorted(os.listdir(folder)):
        m = re.fullmatch(r"perf-(.+)\.txt", page)
        if m and m.group(1) not in names and m.group(1).split("-")[0] not in names and \
                m.group(1) not in TOPICS:
            problems.append("%s: there is no such command" % page)
    return problems


def may_record():
    """Asks the kernel itself: a perf that cannot record where it might must fail."""
    attr = struct.pack("=IIQQQQQ", 1, 64, 0, 4000000, 0, 0, 1 | 1 << 5).ljust(64, b"\0")
    number = {"x86_64": 298, "aarch64": 241, "s390x": 331}.get(os.uname().machine)
    fd = ctypes.CDLL(None).syscall(number, attr, 0, -1, -1, 0) if number else 0
    if fd > 0:
        os.close(fd)
    return fd >= 0


def environment(perf):
    env = dict(os.environ, PATH=os.path.dirname(perf) + ":" + os.environ["PATH"])
    module = os.path.join(os.path.dirname(perf), "python")
    if os.path.isdir(os.path.join(module, "perf")): # an installed one is found without
        env["PYTHONPATH"] = module
    return env


def is_there(need, perf):
    if need == "root":
        return not os.getuid()
    if need.startswith("built-in:"):
        options = subprocess.run([perf, "version", "--build-options"], capture_output=True,
                                 text=True, check=True).stdout
        return re.search(r"^ *%s: \[ on" % re.escape(need[9:]), options, re.M)
    if need.startswith("import:"): # a module that is built with a sanitizer cannot be imported
        return not subprocess.run(["/usr/bin/python3", "-c", "import " + need[7:]],
                                  env=environment(perf), capture_output=True,
                                  check=False).returncode
    return shutil.which(need)


def missing(needs, code, perf):
    if "perf record" in code and not may_record():
        return "perf_event_open"
    return next((need for need in needs.split() if not is_there(need, perf)), None)


def run_example(code, folder, env):
    """Its output goes to a file: perf record writes the recording into a pipe."""
    with tempfile.TemporaryFile(mode="w+", errors="replace") as out:
        run = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", code], cwd=folder, env=env,
                             stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        out.seek(0)
        return run.returncode, out.read()


def examples(perf, folder):
    problems, nr = [], 0
    env = environment(perf)
    for page in sorted(os.listdir(folder)):
        if not re.fullmatch(r"perf.*\.txt", page):
            continue
        os.mkdir(page)
        unrecorded = None
        for needs, code in re.findall(
                r"(?:^// needs: ([^\n]*)\n)?^\[source,sh\]\n-{4}\n(.*?)^-{4}$", read(folder, page),
                re.M | re.S):
            lacking = missing(needs, code, perf) or unrecorded
            if lacking:
                if "perf record" in code:
                    unrecorded = "what was left out before it"
                print("%s: left out, needs %s: %s" % (page, lacking, code.split("\n")[0]))
                continue
            nr += 1
            status, out = run_example(code, page, env)
            if status not in (0, 128 + 13):  # `| head` may end a writer by SIGPIPE
                problems.append("%s: status %d\n%s%s" % (page, status, code, out[-2000:]))
    print("%d examples" % nr)
    return problems if nr else ["no examples"]


COLUMNS = 100
FILE = re.compile(r"[\w.+/-]*\w\.(?:c|h|py|sh|awk|mk|md|txt)")
PLACES = (".", "tools/lib", "tools/perf", "tools/perf/util", "tools/perf/tests",
          "tools/perf/tests/shell", "Documentation")
MADE_UP = re.compile(r"\bNAME\b|^O/|^object__verb")  # stand for others


class Sources:
    """All files below a folder, but for what a build has made; and their C sources' text."""

    def __init__(self, top):
        self.paths, self.names, self.code, self.messages = set(), {}, {}, {}
        for folder, dirs, names in os.walk(top):
            dirs[:] = [d for d in dirs if d != ".git"]
            if "features.mk" in names or folder == os.path.join(top, "build"):
                dirs[:] = []
                continue
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), top)
                self.paths.add(path)
                self.names.setdefault(name, []).append(path)
                if name.endswith((".c", ".h")):
                    with open(os.path.join(folder, name), encoding="utf-8") as f:
                        text = f.read()
                    self.code[path] = set(re.findall(r"\w+(?=\()", text))
                    if not path.startswith("tools/perf/tests/"):
                        text = re.sub(r'"\s*"', "", text)
                        self.messages[path] = " ".join(re.findall(r'"(?:\\.|[^"\\\n])*"', text))
        self.functions = set().union(*self.code.values())

    def find(self, name, page):
        """The path from top of what a page calls @name; None: there is no such file."""
        for place in (os.path.dirname(page),) + PLACES:
            path = os.path.normpath(os.path.join(place, name))
            if path in self.paths:
                return path
        paths = self.names.get(name, [])
        return paths[0] if len(paths) == 1 else name if paths else None


def prose(text):
    """The text of a page without what is indented as code."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return "\n".join(x for x in text.split("\n") if not x.startswith("    "))


def check_source_page(sources, page, text):
    words = [x for x in re.findall(r"`([^`]+)`", text) if not MADE_UP.search(x)]
    for name in words + re.findall(r"\]\(([^)#:]+)\)", text):
        if FILE.fullmatch(name) and not sources.find(name, page):
            yield "there is no file %s" % name
    walks = page.endswith(("a-samples-way.md", "/README.md"))
    for name in words:
        m = re.fullmatch(r"(\w+)\(\)", name)
        if m and (walks or "__" in name) and m.group(1) not in sources.functions:
            yield "there is no function %s" % name
    for name, file in re.findall(r"`(\w+)\(\)`\s(?:there\s)?(?:in\s|\()`([\w/.-]+\.[ch])`", text):
        path = sources.find(file, page)
        if path and name not in sources.code.get(path, {name}):
            yield "%s() is not in %s" % (name, file)
    for nr, line in enumerate(text.split("\n"), 1):
        if len(line) > COLUMNS and not line.startswith("|"):
            yield "more than %d columns: %s" % (COLUMNS, line[:60])


GLOSSARY = "Documentation/design/glossary.md"


def check_words(sources, top):
    """Replaced words, but for the table that has them."""
    if GLOSSARY not in sources.paths:
        return
    terms, table = read(top, GLOSSARY).split("\n## Words\n")
    rows = re.findall(r"^\|.*\|([^|]*)\|$", table, re.M)[2:]
    words = [w.strip() for cell in rows for w in cell.split(";") if w.strip()]
    replaced = re.compile(r"\b(%s)\b" % "|".join(map(re.escape, words)), re.I)
    texts = {p: read(top, p) for p in sources.paths if p.endswith(".md") or
             p.startswith("Documentation/") and p.endswith(".txt")}
    texts[GLOSSARY] = terms
    for path, text in sorted({**texts, **sources.messages}.items()):
        for word in replaced.findall(" ".join(text.split())):
            yield "%s: \"%s\" is a word that the glossary replaces" % (path, word)


def check_sources(top):
    sources = Sources(top)
    pages = sorted(p for p in sources.paths if p.endswith(".md"))
    problems = list(check_words(sources, top))
    for page in pages:
        problems += ["%s: %s" % (page, p)
                     for p in check_source_page(sources, page, prose(read(top, page)))]
    print("%d pages" % len(pages))
    return problems if pages else ["no pages"]


def main():
    verb = sys.argv[1]
    if verb == "sources":
        problems = check_sources(*sys.argv[2:])
    else:
        problems = (check if verb == "check" else examples)(*sys.argv[2:])
    for p in problems:
        print(p)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
