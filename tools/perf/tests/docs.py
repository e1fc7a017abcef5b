#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: docs.py check PERF DOCUMENTATION     man pages against the program
          docs.py examples PERF DOCUMENTATION  runs what the man pages show

Tests that design/security.md names are there. Each command of `perf` has a page perf-NAME.txt, listed in perf.txt. Its SYNOPSIS is what
`perf NAME -h` prints as usage; its OPTIONS name the options of -h, no more and no fewer. In
EXAMPLES, every [source,sh] block is run, those of one page in one directory, and must succeed. A
line "// needs: PROGRAM... root" before a block leaves it out where that is not there; blocks that
record are left out where the kernel does not let us.
"""
import ctypes
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

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
    run = subprocess.run([perf, name, "-h"], capture_output=True, text=True, timeout=20)
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
    for name in names:
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
        if m and m.group(1) not in names:
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


def missing(needs, code):
    if "perf record" in code and not may_record():
        return "perf_event_open"
    for need in needs.split():
        if need == "root" and os.getuid():
            return "root"
        if need != "root" and not shutil.which(need):
            return need
    return None


def run_example(code, folder, env):
    """Its output goes to a file: perf record writes the recording into a pipe."""
    with tempfile.TemporaryFile(mode="w+", errors="replace") as out:
        run = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", code], cwd=folder, env=env,
                             stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT)
        out.seek(0)
        return run.returncode, out.read()


def examples(perf, folder):
    problems, nr = [], 0
    env = dict(os.environ, PATH=os.path.dirname(perf) + ":" + os.environ["PATH"])
    for page in sorted(os.listdir(folder)):
        if not re.fullmatch(r"perf.*\.txt", page):
            continue
        os.mkdir(page)
        unrecorded = None
        for needs, code in re.findall(
                r"(?:^// needs: ([^\n]*)\n)?^\[source,sh\]\n-{4}\n(.*?)^-{4}$", read(folder, page),
                re.M | re.S):
            lacking = missing(needs, code) or unrecorded
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


def main():
    verb, perf, folder = sys.argv[1:]
    problems = (check if verb == "check" else examples)(perf, folder)
    for p in problems:
        print(p)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
