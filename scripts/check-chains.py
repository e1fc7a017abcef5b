#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the user callchains of recordings against the code of the programs.

    perf record -g --defer=copy --no-stitch -o perf.data -- PROGRAM
    scripts/check-chains.py perf.data

Each step of a chain, from a function to its caller, must be one that the code can do: in front of
the return address is a call, and what it calls is the function of the frame before, or jumps there.
Targets are followed through PLTs and GOTs to the binary that defines the symbol, through functions
that choose another one (ifunc), and through tail jumps. And a chain that is counted as whole must
end where a program or thread begins. Nothing of how the unwinder works is used for this: it is told
where the frames are, and looks at the instructions. For x86-64; the binaries must be those that
were recorded.

One line for each recording, and with several their sums:

    samples   with user frames
    whole     of them, as perf counts them; of chains that were not unwound by perf (frame
              pointers, deferred by the kernel) those that end where a thread begins
    steps     that were checked, in all samples
    direct    a call of the function, or of an alias of it
    plt       through a PLT or GOT, or to one of those that an ifunc chooses from
    tail      the called function jumps on to it
    other     the frame that a signal handler returns to, and where a thread or coroutine begins
    open      that cannot be told: a call through a pointer, or to a function that jumps through
              one; an address behind no call that code puts on a stack; or code without a file
    wrong     that the code cannot do
    ends?     whole chains that end in a function whose address is taken: a thread or coroutine may
              begin there, with 0 as return address
    false     whole chains with a wrong step or a wrong end

Where the chain was not called whole, a wrong step is no lie but a guess that failed: by frame
pointers, where there is no unwind information. The exit status is 1 when a whole chain is wrong, 2
when a recording cannot be read. -v shows each wrong step, with how often it occurs, and how the
unwinder found the caller; `perf unwind sample NUMBER` then tells how it went on.
"""
import argparse
import collections
import os
import subprocess
import sys

from chains.code import Code
from chains.edges import Edges, OPEN, VERIFIED, WRONG
from chains.elf import Binary

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WHOLE = "outermost"
AS_RECORDED = ("as recorded", "deferred by the kernel")


class Recording:
    """The chains of a recording, equal ones together."""

    def __init__(self, lines):
        self.binaries = {}                    # number -> (build-id or None, path)
        self.chains = collections.Counter()   # (end, (line of each frame...)) -> samples
        self.first = {}                       # the same -> the number of the first one
        end, frames, number = None, [], 0
        for line in lines:
            if line[0] == "\t":
                frames.append(line)
                continue
            self._add(end, frames, number)
            end, frames = None, []
            words = line.rstrip("\n").split(" ", 3)
            if words[0] == "sample":
                number, end = int(words[1]), words[3].split(": ", 1)[1]
            elif words[0] == "binary":
                self.binaries[words[1]] = None if words[2] == "-" else words[2], words[3]
            else:
                raise ValueError("what perf prints is not understood: %s" % line)
        self._add(end, frames, number)

    def _add(self, end, frames, number):
        if frames:
            self.chains[end, tuple(frames)] += 1
            self.first.setdefault((end, tuple(frames)), number)


def read(perf, path):
    command = [perf, "unwind", "chains", "-f", "-i", path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as child:
        recording = Recording(child.stdout)
    return recording if child.returncode == 0 or recording.chains else None


def open_binaries(recording):
    """number -> Binary, None for those that cannot be read, with the reasons."""
    found, reasons = {}, {}
    for number, (build_id, path) in recording.binaries.items():
        found[number] = None
        try:
            found[number] = Binary(path, build_id)
        except (OSError, ValueError) as error:
            reasons[number] = error.strerror if isinstance(error, OSError) else str(error)
    return found, reasons


GAP = 0x7ffffffffffff000  # stands for frames that were left out


class Check:
    def __init__(self, recording):
        self.binaries, self.reasons = open_binaries(recording)
        self.numbers = {binary: number for number, binary in self.binaries.items()}
        self.paths = {number: path for number, (_, path) in recording.binaries.items()}
        self.edges = Edges(Code(list(self.binaries.values())))
        self.frames, self.steps, self.ends, self.interrupting = {}, {}, {}, {}
        self.counts = collections.Counter()
        self.wrong = collections.Counter()  # (verdict, frames, whole or not) -> samples
        self.first = {}                     # the same -> the number of the first sample
        for (end, frames), nr in recording.chains.items():
            self._chain(end, frames, nr, recording.first[end, frames])

    def frame(self, line):
        """(method, number of the binary, Binary or None, address)"""
        if line not in self.frames:
            method, place = line.split()
            number, address = place.split("+")
            self.frames[line] = method, number, self.binaries.get(number), int(address, 16)
        return self.frames[line]

    def _step(self, callee, exact, caller):
        key = callee, exact, caller
        if key not in self.steps:
            self.steps[key] = self.edges.step(self.frame(callee)[2:], exact,
                                              self.frame(caller)[2:])
        return self.steps[key]

    def _end(self, line, exact):
        if (line, exact) not in self.ends:
            self.ends[line, exact] = self.edges.end(self.frame(line)[2:], exact)
        return self.ends[line, exact]

    def _interrupts(self, line, exact):
        if (line, exact) not in self.interrupting:
            self.interrupting[line, exact] = self.edges.is_interrupting(*self.frame(line)[2:], exact)
        return self.interrupting[line, exact]

    def _chain(self, end, lines, nr, first):
        exact, found = True, []
        for callee, caller in zip(lines, lines[1:]):
            if GAP in (self.frame(callee)[3], self.frame(caller)[3]):
                exact = False
                continue
            if self._interrupts(callee, exact):
                exact = True
                verdict = "signal"
            else:
                verdict = self._step(callee, exact, caller)
                exact = False
            self.counts[verdict] += nr
            self.counts["steps"] += nr
            if verdict in WRONG:
                found.append((verdict, (callee, caller)))
        last = self._end(lines[-1], exact) if end in (WHOLE,) + AS_RECORDED else None
        whole = end == WHOLE or last == "start"
        if end == WHOLE and last == "no end":
            found.append((last, lines[-2:]))
        self.counts["samples"] += nr
        self.counts["whole"] += nr * whole
        self.counts["ends?"] += nr * (whole and last == "open end")
        self.counts["false"] += nr * bool(whole and found)
        for verdict, frames in found:
            self.wrong[verdict, frames, whole] += nr
            self.first.setdefault((verdict, frames, whole), first)

    def lose_frames(self, recording):
        """Takes one frame out of each whole chain in turn, and tells what the step over the gap
        looks like, where both steps of that frame are verified; not one of a function that has
        called itself, which nobody can miss: the call behind it is the same."""
        for (end, frames), nr in recording.chains.items():
            for i in range(1, len(frames) - 1) if end == WHOLE else ():
                before, lost, behind = frames[i - 1:i + 2]
                steps = self._step(before, i == 1, lost), self._step(lost, False, behind)
                if set(steps) <= {"direct", "plt", "tail"} and \
                        not self._same_function(before, i == 1, lost):
                    yield self._step(before, i == 1, behind), nr

    def _same_function(self, callee, exact, caller):
        binary, address = self.frame(callee)[2:]
        other, return_address = self.frame(caller)[2:]
        piece = self.edges.code.piece(binary, address - (not exact))
        return binary is other and piece.holds(return_address - 1)

    def describe(self, line):
        method, number, binary, address = self.frame(line)
        if binary is None:
            return "%s  %x  %s" % (method, address, self.paths.get(number, "[%s]" % number))
        return "%s  %x  %s  %s" % (method, address, binary.name(address), binary.path)

    def show(self, limit):
        for number, reason in self.reasons.items():
            used = any(frame[1] == number for frame in self.frames.values())
            if used and self.paths[number] != "[vdso]":
                print("  %s: %s" % (self.paths[number], reason))
        for (verdict, frames, whole), nr in self.wrong.most_common(limit):
            print("  %d samples%s: %s, first in sample %d" %
                  (nr, ", whole" if whole else "", verdict, self.first[verdict, frames, whole]))
            for line in frames:
                print("      " + self.describe(line))
            if verdict == "other target":
                self._show_target(frames[1])

    def _show_target(self, caller):
        _, _, binary, address = self.frame(caller)
        for _, target in self.edges.code.calls_before(binary, address):
            print("      called is %x  %s" % (target, binary.slots.get(target) or
                                             binary.name(target)))


COLUMNS = ("samples", "whole", "steps", "direct", "plt", "tail", "other", "open", "wrong", "ends?", "false")


def row(counts):
    sums = dict(counts, other=counts["signal"] + counts["start"],
                open=sum(counts[k] for k in OPEN), wrong=sum(counts[k] for k in WRONG[:2]))
    return [sums.get(column, 0) for column in COLUMNS]


def print_row(name, values):
    print("%-24s" % name + "".join("%9s" % value for value in values), flush=True)


def name_of(path):
    return os.path.basename(path).removesuffix(".data")


def print_lost(checks):
    """How much the check sees at all."""
    seen = collections.Counter()
    for check, recording in checks:
        for verdict, nr in check.lose_frames(recording):
            seen["wrong" if verdict in WRONG else "open" if verdict in OPEN else "passed"] += nr
    total = max(sum(seen.values()), 1)
    print("one frame taken out of %d places: %s" %
          (total, ", ".join("%.1f %% %s" % (100 * seen[k] / total, k)
                            for k in ("wrong", "open", "passed"))))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("recordings", nargs="+", metavar="FILE")
    parser.add_argument("--perf", default=os.path.join(TOP, "build", "perf"),
                        help="this project's perf (%(default)s)")
    parser.add_argument("-v", "--verbose", action="store_true", help="show what is wrong")
    parser.add_argument("--show", type=int, default=20, metavar="N",
                        help="at most so many, with -v (%(default)s)")
    parser.add_argument("--lose-frames", action="store_true", help="show also how much of it would be"
                        " noticed if one frame of a chain were missing")
    args = parser.parse_args()
    checks = []
    total, unread = collections.Counter(), False
    print_row("", COLUMNS)
    for path in args.recordings:
        recording = read(args.perf, path)
        if recording is None:
            unread = True
            continue
        check = Check(recording)
        print_row(name_of(path), row(check.counts))
        if args.verbose:
            check.show(args.show)
        total.update(check.counts)
        if args.lose_frames:
            checks.append((check, recording))
    if len(args.recordings) > 1:
        print_row("total", row(total))
    verified = sum(total[k] for k in VERIFIED)
    print("%.1f %% of the steps are verified, %d of %d whole chains are wrong" %
          (100 * verified / max(total["steps"], 1), total["false"], total["whole"]))
    if args.lose_frames:
        print_lost(checks)
    return 2 if unread else int(total["false"] > 0)


if __name__ == "__main__":
    sys.exit(main())
