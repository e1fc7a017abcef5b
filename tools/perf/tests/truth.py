#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: perf script -F comm,tid,time,ip,sym ... | truth.py [--threads-only] SYMBOLS PROGRAM

Checks callchains for truth. The programs (vm/programs/spell.h) name their threads
"WORD<id>.<round>" and spell id << 6 | round in sixteen calls of bit0() and bit1() below spell().
A chain that spells something else than the name of its sample belongs to another thread or to
another round: it is wrong. SYMBOLS has lines "PROGRAM START SIZE NAME" (hex), for recordings whose
programs are not at hand. Prints "N samples, N checked, N wrong, N bogus, N out of order".
"""
import re
import sys

HEADER = re.compile(r"^\s*(.{1,16}?)\s+(-?\d+)(?:/-?\d+)?(?:\s+\[\d+\])?(?:\s+(\d+\.\d+):|\s*$)")
NAME = re.compile(r"^[a-z](\d+)\.(\d+)$")
BITS = {"bit0": 0, "bit1": 1}
SPELL_BITS, ROUND_BITS = 16, 6
CPUS = 4  # of the guest


class Tally:
    """@rounds: compare rounds as well as threads (not where COMM records may be lost)."""

    def __init__(self, rounds=True, ranges=()):
        self.rounds = rounds
        self.ranges = ranges
        self.samples = 0      # with a callchain or without
        self.with_user = 0    # a frame below the kernel's half of the address space
        self.checked = 0      # both name and chain say a number
        self.wrong = 0
        self.bogus = 0        # a cookie printed as an address
        self.unordered = 0    # earlier than the line before
        self.deepest = 0
        self.examples = []
        self.last_time = 0.0

    def add(self, comm, time, frames):
        self.samples += 1
        self.unordered += time < self.last_time
        self.last_time = time
        user = [f for f in frames if f[0] < 1 << 63]
        self.with_user += bool(user)
        self.deepest = max(self.deepest, len(user))
        # An odd counter in the high half, CPU + 1 in the low one, in place of the user part.
        # Further out the same number can be what a chain of frame pointers ran into.
        if user and user[0][0] >> 32 & 1 and 0 < user[0][0] & 0xffffffff <= CPUS and \
                user[0][1] == "[unknown]":
            self.bogus += 1
        spelt, named = spelt_number(user, self.ranges), named_number(comm)
        if spelt is None or named is None:
            return
        self.checked += 1
        if not self.rounds:
            spelt, named = spelt >> ROUND_BITS << ROUND_BITS, named >> ROUND_BITS << ROUND_BITS
        if spelt != named:
            self.wrong += 1
            if len(self.examples) < 5:
                self.examples.append("%s at %.6f spells %d.%d" % (
                    comm, time, spelt >> ROUND_BITS, spelt & (1 << ROUND_BITS) - 1))


def named_number(comm):
    m = NAME.match(comm)
    return int(m.group(1)) << ROUND_BITS | int(m.group(2)) if m else None


def spelt_number(user, ranges=()):
    names = [next((name for start, end, name in ranges if start <= addr < end), sym)
             for addr, sym in user]
    if "spell" not in names:
        return None
    end = names.index("spell")
    bits = names[:end]
    while bits and bits[0] not in BITS:
        bits.pop(0)
    if len(bits) != SPELL_BITS or any(b not in BITS for b in bits):
        return None  # interrupted on the way down, or a frame is missing
    return sum(BITS[b] << i for i, b in enumerate(bits))


def check(lines, rounds=True, ranges=()):
    """Tally of the output of `perf script -F comm,tid,time,ip,sym`, or of that without times."""
    tally = Tally(rounds, ranges)
    comm, time, frames = None, 0.0, []
    for line in lines:
        if not line.strip():
            if comm is not None:
                tally.add(comm, time, frames)
            comm, frames = None, []
        elif line[0] == "\t" or (comm is not None and line.startswith("        ")):
            word = line.split(None, 1)
            try:
                frames.append((int(word[0], 16), word[1].strip() if len(word) > 1 else ""))
            except ValueError:
                pass  # "(cookie)" and the like
        else:
            m = HEADER.match(line)
            if m:
                if comm is not None:
                    tally.add(comm, time, frames)
                comm, time, frames = m.group(1), float(m.group(3) or 0), []
    if comm is not None:
        tally.add(comm, time, frames)
    return tally


def read_ranges(path, program):
    """[(start, end, name)] of a program's functions."""
    with open(path) as f:
        words = [line.split() for line in f]
    return [(int(w[1], 16), int(w[1], 16) + int(w[2], 16), w[3]) for w in words if w[0] == program]


def main(argv):
    rounds = "--threads-only" not in argv
    symbols, program = [a for a in argv[1:] if not a.startswith("--")]
    t = check(sys.stdin, rounds, read_ranges(symbols, program))
    print("%d samples, %d checked, %d wrong, %d bogus, %d out of order" % (
        t.samples, t.checked, t.wrong, t.bogus, t.unordered))
    return bool(t.wrong or t.bogus or t.unordered)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
