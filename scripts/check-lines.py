#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the source lines and inlined functions of recordings against other tools.

    scripts/check-lines.py [options] PERF.DATA...
    scripts/check-lines.py --programs   # builds and records one of each language that is installed

Every distinct address of user space in the callchains (of a caller, that of its call) is looked up
with `llvm-symbolizer --inlines` and `addr2line -i`, as far as they are installed, in the same file:
names of inlined functions, as they are in the file, and file and line of each frame have to be
equal. Names of functions themselves are those of the symbol table, and not compared: see
scripts/check-names.py. Addresses of which no tool knows a line are left out.

Columns: distinct addresses with lines, and their frames; those in which perf and the tool are
equal; those that are not, by class:

    no line here, no line there     only one of them knows a line
    depth     another number of frames
    name      another inlined function
    line      another line or file
    alone     perf differs from all tools: each is printed

The exit status is 1 when there are such, 77 when there is nothing to compare with.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from chains.elf import code_segments

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SOURCES = os.path.join(TOP, "tools/perf/tests/data/lines")
PROGRAMS = (
    ("C++, g++", "g++ -g -O2 -o prog prog.cc"),
    ("C++, g++, LTO", "g++ -g -O2 -flto -o prog prog.cc"),
    ("C++, g++, split DWARF", "g++ -g -O2 -gsplit-dwarf -o prog prog.cc"),
    ("C++, clang++", "clang++ -g -O2 -o prog prog.cc"),
    # Behind rustup's, which needs its own HOME, may be the distribution's.
    ("Rust, rustc", "rustc -g -O -o prog prog.rs || /usr/bin/rustc -g -O -o prog prog.rs"),
    ("D, gdc", "gdc -g -O2 -o prog prog.d"),
    ("D, ldc2", "ldc2 -g -O2 -of=prog prog.d"),
    ("Go", "env GOCACHE=$PWD/cache GOFLAGS=-mod=mod HOME=$PWD go build -o prog prog.go"),
    ("Fortran, gfortran", "gfortran -g -O2 -o prog prog.f90"),
)
SIGNAL_RETURNS = "__restore_rt|__kernel_rt_sigreturn|__default_rt_sa_restorer|runtime.sigreturn"


def loads(path):
    try:
        return code_segments(path)
    except (OSError, ValueError):
        return []


def groups(chain):
    """The frames of each address: (its frame, whether it is a caller, [[name, line], ...])."""
    frames, caller, mode = [], False, None
    for f in chain:
        frames.append([f.get("sym", "??"), os.path.basename(f.get("srcline", "??:0"))])
        if f.get("inlined"):
            continue
        yield f, caller and f.get("mode") == mode, frames
        # What a signal has interrupted did not call the code that returns to it.
        frames, mode, caller = [], f.get("mode"), not re.match(SIGNAL_RETURNS, f.get("sym", ""))


def read_recording(args, path):
    """dso -> address in the file -> [[name, line], ...], innermost first; the number of samples."""
    out = subprocess.run([args.perf, "script", "--no-demangle", "--json", "-i", path,
                          "-F", "ip,sym,dso,dsoff,srcline"], stdout=subprocess.PIPE, check=True).stdout
    found, segments, samples = collections.defaultdict(dict), {}, 0
    for line in out.splitlines():
        sample = json.loads(line)
        if sample.get("type") != "sample":
            continue
        samples += 1
        for f, caller, frames in groups(sample.get("frames", ())):
            dso = f.get("dso", "")
            if f.get("mode") != "user" or not dso.startswith("/") or "dsoff" not in f:
                continue
            if dso not in segments:
                segments[dso] = loads(dso) if os.path.isfile(dso) else []
            offset = int(f["dsoff"], 16) - caller
            for start, addr, size in segments[dso]:
                if start <= offset < start + size:
                    found[dso][offset - start + addr] = frames
    return found, samples


def lines_of_pairs(text):
    """address -> [[name, line], ...] of tools that print name and line in turns."""
    found, frames, name = {}, None, None
    for line in text.splitlines():
        line = re.sub(r" \(discriminator \d+\)$", "", line)
        if re.match(r"0x[0-9a-f]+$", line):
            frames, name = found.setdefault(int(line, 16), []), None
        elif line and frames is not None and name is None:
            name = line
        elif line and frames is not None:
            frames.append([name, re.sub(r":\?$", ":0", os.path.basename(line))])
            name = None
    return found


def tools(args):
    known = {
        "llvm-symbolizer": ["--inlines", "--functions=linkage", "--no-demangle", "--basenames",
                            "--output-style=GNU", "-a", "--obj"],
        "addr2line": ["-f", "-i", "-s", "-a", "-e"],
    }
    return {name: [name] + known[name] for name in known
            if shutil.which(name) and name not in args.without}


def ask(command, dso, addrs):
    text = "".join("%#x\n" % a for a in addrs)
    if command[0] == "llvm-symbolizer":
        command = command[:-1] + [command[-1] + "=" + dso]
    else:
        command = command + [dso]
    out = subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=False)
    return lines_of_pairs(out.stdout)


def no_line(frames):
    """Where the debug information says nothing, llvm-symbolizer says line 0 of the symbol's file."""
    return not frames or all(re.search(r":[0?]$", f[1]) for f in frames)


def difference(a, b):
    """How perf's frames @a differ from @b; None: they are equal."""
    if no_line(a) or no_line(b):
        return None if no_line(a) and no_line(b) else "no line here" if no_line(a) else "no line there"
    if len(a) != len(b):
        return "depth"
    if [f[0] for f in a[:-1]] != [f[0] for f in b[:-1]]:
        return "name"
    return "line" if [f[1] for f in a] != [f[1] for f in b] else None


def show(dso, addr, ours, others):
    print("%s %#x" % (dso, addr), file=sys.stderr)
    for name, frames in [("perf", ours)] + sorted(others.items()):
        print("    %-16s %s" % (name, " < ".join("%s %s" % tuple(f) for f in frames)), file=sys.stderr)


def compare(args, title, path):
    """Prints a row for each tool. Returns how often perf is alone."""
    recording, samples = read_recording(args, path)
    kinds = {name: collections.Counter() for name in tools(args)}
    frames, alone = collections.Counter(), 0
    for dso, ours in sorted(recording.items()):
        if not re.search(args.dso, dso):
            continue
        theirs = {name: ask(command, dso, ours) for name, command in tools(args).items()}
        for addr, mine in sorted(ours.items()):
            others = {name: found.get(addr, []) for name, found in theirs.items()}
            if no_line(mine) and all(no_line(f) for f in others.values()):
                continue
            kind = {name: difference(mine, f) for name, f in others.items()}
            for name in kind:
                kinds[name][kind[name] or "equal"] += 1
                frames[name] += len(mine)
                if kind[name] and args.verbose:
                    show(dso, addr, mine, {name: others[name]})
            # Where a tool knows nothing, it says nothing against perf.
            if all(k and k != "no line there" for k in kind.values()):
                show(dso, addr, mine, others)
                alone += 1
    for name, counts in kinds.items():
        rest = ", ".join("%s %d" % k for k in sorted(counts.items()) if k[0] != "equal") or "none"
        print("| %s | %d | %s | %d | %d | %d | %s |" % (title, samples, name, sum(counts.values()),
                                                       frames[name], counts["equal"], rest), flush=True)
    if kinds and not any(kinds.values()):
        print("%s: no address has a line" % title, file=sys.stderr)
        return 1
    return alone


def build_and_record(args, title, command, folder):
    """Returns the recording; None: the compiler is not here."""
    for f in os.listdir(SOURCES):
        shutil.copy(os.path.join(SOURCES, f), folder)
    compiler = re.sub(r"^env (\S+=\S+ )*", "", command).split()[0]
    if not shutil.which(compiler):
        print("%s is not installed" % compiler, file=sys.stderr)
        return None
    built = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, check=False)
    if built.returncode:
        words = (built.stderr.strip() or "it says nothing").splitlines()[-1]
        print("%s cannot be built here: %s" % (title, words), file=sys.stderr)
        return None
    out = os.path.join(folder, "perf.data")
    subprocess.run([args.perf, "record", "-q", "-g", "-e", "cpu-clock:u", "-F", "1999", "-o", out, "--",
                    os.path.join(folder, "prog")], stdout=subprocess.DEVNULL, check=True)
    return out


def programs(args):
    alone, compared = 0, 0
    for title, command in PROGRAMS:
        if not re.search(args.only, title):
            continue
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            path = build_and_record(args, title, command, folder)
            if path:
                compared += 1
                alone += compare(args, title, path)
            subprocess.run(["chmod", "-R", "u+w", folder], check=False) # Go's cache
    return 77 if not compared else alone > 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--perf", default="build/perf")
    parser.add_argument("--programs", action="store_true")
    parser.add_argument("--only", default="", help="of the programs, those whose title has this regex")
    parser.add_argument("--dso", default="", help="only in binaries whose path has this regex")
    parser.add_argument("--without", action="append", default=[], help="a tool that is not asked")
    parser.add_argument("-v", "--verbose", action="store_true", help="print every difference")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    if not tools(args):
        print("neither llvm-symbolizer nor addr2line is installed", file=sys.stderr)
        return 77
    print("| program | samples | compared with | addresses | frames | equal | different |\n"
          "|---|---|---|---|---|---|---|")
    if args.programs:
        return programs(args)
    return sum(compare(args, os.path.basename(f), f) for f in args.files) > 0


if __name__ == "__main__":
    sys.exit(main())
