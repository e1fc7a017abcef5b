#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: coverage.py [OPTIONS] BUILD      (make coverage)

Which lines of the program do its tests run? Builds with gcc --coverage into the folder BUILD, runs
`perf test` and its libraries' tests, as root a second time as the user nobody (who sees other messages
and other ways), and prints each file with its lines and the share of them that ran, lowest first,
then the folders. Lines that never ran are listed in BUILD/uncovered.txt.

Exit status: 1 when less than --least of a file ran that coverage.reasons, beside this script, does
not name. Tests that fail are no failure here, but what they leave out counts as not run.

Options:
  --least N    percent of the lines of each file (80)
  --jobs N     compilers and tests at a time (the number of CPUs)
  --once       not as nobody, too
  --vm SUITE   also in a virtual machine with the kernel of that suite of Debian, as make check-vm
               does (several times: several); BUILD/vm-only.txt: lines that ran nowhere else
  --report     only the table, of what ran before
"""
import argparse
import collections
import glob
import json
import os
import pwd
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
OTHER_USER = "nobody"
# Lines as they are written; no frame pointers, as in the builds that tests are meant for.
CFLAGS = "-O0 -g -fomit-frame-pointer --coverage -fprofile-update=atomic"
WRAP = "-Wl,--wrap=_exit,--wrap=raise,--wrap=kill,--wrap=prctl,--wrap=open"
NOT_PROGRAM = ("/tests/", "/examples/")
PER_GCOV = 40 # files for one run of gcov


def make(args, *goals):
    """The make of this build; under another make it has that one's share of the CPUs."""
    jobs = [] if "jobserver" in os.environ.get("MAKEFLAGS", "") else ["-j%d" % args.jobs]
    end = os.path.join(args.build, "coverage-end.o")
    return ["make", "--no-print-directory", *jobs, "O=" + args.build, "CC=gcc", "CFLAGS=" + CFLAGS,
            "LDFLAGS=--coverage %s %s" % (WRAP, end), "SANITIZE=", "DEBUG=", *goals]


def build(args):
    os.makedirs(args.build, exist_ok=True)
    subprocess.run(["gcc", "-O1", "-fPIC", "-c", "-o", args.build + "/coverage-end.o",
                    HERE + "/coverage-end.c"], check=True)
    subprocess.run(make(args, "programs", "libperf-tests", "libperf-examples", "unwind-tests",
                        "unwind-examples"), check=True)


def objects(args):
    """The paths, without suffix, of what is linked now: what was once may lie about, too."""
    with open(args.build + "/objects", encoding="utf-8") as f:
        linked = [word for word in f.read().split() if word.endswith(".o")]
    return sorted(os.path.splitext(path)[0] for path in linked + glob.glob(args.build + "/libperf/*.o")
                  if os.path.exists(os.path.splitext(path)[0] + ".gcno"))


def reset(args):
    """Empty files of counts, that every user may add to."""
    for path in (stem + ".gcda" for stem in objects(args)):
        with open(path, "wb"):
            pass
        os.chmod(path, 0o666)


def run(name, command, **how):
    print("\n== %s" % name, flush=True)
    return subprocess.run(command, stdin=subprocess.DEVNULL, **how).returncode == 0


def other_user(perf):
    """How to run @perf as an ordinary user; None where that cannot be."""
    if os.geteuid():
        return None
    try:
        user = pwd.getpwnam(OTHER_USER)
        how = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        subprocess.run([perf, "version"], check=True, stdout=subprocess.DEVNULL, **how)
    except (KeyError, OSError, subprocess.CalledProcessError) as e:
        print("\nnot run as %s: %s" % (OTHER_USER, e))
        return None
    return how


def run_machines(args):
    shutil.rmtree(args.build + "/vm", ignore_errors=True)
    return subprocess.run([TOP + "/tools/build/install-deps", "vm"]).returncode == 0 and \
        run("virtual machines", [sys.executable, TOP + "/tools/perf/tests/vm/run.py",
                                 args.build + "/perf", args.build + "/vm", *args.vm])


def run_tests(args):
    """The names of the runs in which a test failed."""
    perf = os.path.join(args.build, "perf")
    test = [perf, "test", "-j%d" % args.jobs]
    failed = [] if run("perf test", test) else ["perf test"]
    for library in ("libperf", "unwind"):
        if not run(library, make(args, library + "-check")):
            failed.append(library)
    how = None if args.once else other_user(perf)
    if how and not run("perf test as " + OTHER_USER, test, **how):
        failed.append("perf test as " + OTHER_USER)
    if args.vm and not run_machines(args):
        failed.append("virtual machines")
    return failed


def bring_notes(stems, folder):
    """What guests wrote below @folder, GCOV_PREFIX there, is read beside the notes of the compiler."""
    found = []
    for stem in stems:
        if os.path.exists(folder + stem + ".gcda"):
            shutil.copy(stem + ".gcno", folder + stem + ".gcno")
            found.append(folder + stem)
    return found


def count(stems):
    """How often each line ran: [path][number]."""
    lines = collections.defaultdict(lambda: collections.defaultdict(int))
    for stem in stems: # what nothing ran has an empty file, which gcov takes for a damaged one
        if os.path.exists(stem + ".gcda") and not os.path.getsize(stem + ".gcda"):
            os.unlink(stem + ".gcda")
    for i in range(0, len(stems), PER_GCOV):
        notes = [stem + ".gcno" for stem in stems[i:i + PER_GCOV]]
        gcov = subprocess.run(["gcov", "--json-format", "--stdout", *notes],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        for text in gcov.stdout.splitlines():
            for file in json.loads(text)["files"]:
                path = os.path.normpath(file["file"])
                if os.path.isabs(path) or any(part in path for part in NOT_PROGRAM):
                    continue
                if not os.path.exists(path):
                    sys.exit("%s: the sources have changed since the build" % path)
                for line in file["lines"]:
                    lines[path][line["line_number"]] += line["count"]
    return lines


def reasons():
    found = {}
    with open(HERE + "/coverage.reasons", encoding="utf-8") as f:
        for line in f:
            if not line.startswith("#") and line.strip():
                path, reason = line.rstrip("\n").split(maxsplit=1)
                found[path] = reason
    return found


def count_all(args):
    """With what ran in virtual machines; where only that did is in BUILD/vm-only.txt."""
    stems = objects(args)
    lines, only = count(stems), collections.defaultdict(list)
    for folder in glob.glob(args.build + "/vm/*/coverage"):
        for path, counts in count(bring_notes(stems, folder)).items():
            only[path] += [n for n, nr in counts.items() if nr and not lines[path][n]]
            for number, nr in counts.items():
                lines[path][number] += nr
    list_lines(args.build + "/vm-only.txt", only)
    return lines


def list_lines(name, numbers):
    with open(name, "w", encoding="utf-8") as out:
        for path in sorted(numbers):
            with open(path, encoding="utf-8") as f:
                text = f.read().split("\n")
            for number in sorted(set(numbers[path])):
                if number <= len(text): # else it was changed since
                    out.write("%s:%d:%s\n" % (path, number, text[number - 1]))


def percent(covered, total):
    return 100 * covered / total


def report(args, lines):
    """Prints the tables; the files that too little of ran without a reason."""
    known, low = reasons(), []
    files = [(sum(1 for n in counts.values() if n), len(counts), path)
             for path, counts in lines.items()]
    folders = collections.defaultdict(lambda: [0, 0])
    print("\n%7s %7s %6s" % ("lines", "ran", "%"))
    for covered, total, path in sorted(files, key=lambda f: (percent(*f[:2]), f[2])):
        why = known.get(path, "")
        print("%7d %7d %6.1f  %s%s" % (total, covered, percent(covered, total), path,
                                       why and "  (%s)" % why))
        if percent(covered, total) < args.least and not why:
            low.append(path)
        for folder in (os.path.dirname(path), "all"):
            folders[folder][0] += covered
            folders[folder][1] += total
    print()
    for folder, (covered, total) in sorted(folders.items(), key=lambda f: percent(*f[1])):
        print("%7d %7d %6.1f  %s" % (total, covered, percent(covered, total), folder))
    return low


def options():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--least", type=float, default=80)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--once", action="store_true")
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--vm", action="append", default=[])
    args = parser.parse_args()
    args.build = os.path.abspath(args.build)
    return args


def main():
    args, failed = options(), []
    if not args.report:
        build(args)
        reset(args)
        failed = run_tests(args)
    try:
        lines = count_all(args)
    except FileNotFoundError:
        lines = {}
    if not lines:
        sys.exit("%s: nothing was built with --coverage here" % args.build)
    list_lines(args.build + "/uncovered.txt",
               {path: [n for n, nr in counts.items() if not nr] for path, counts in lines.items()})
    low = report(args, lines)
    print()
    if failed:
        print("tests failed, and what they leave out was not run: %s" % ", ".join(failed))
    print("%d of %d files ran to less than %g %%%s; lines that never ran: %s/uncovered.txt" % (
        len(low), len(lines), args.least, "".join("\n\t" + path for path in low), args.build))
    return bool(low)


if __name__ == "__main__":
    sys.exit(main())
