#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: perf script -F comm,tid,time,ip,sym ... | truth.py [--threads-only] SYMBOLS PROGRAM

Checks callchains for truth. The programs (vm/programs/spell.h) name their threads
"WORD<id>.<round>" and spell id << 6 | round in sixteen calls of bit0() and bit1() below spell().
A chain that spells something else than the name of its sample belongs to another thread or to
another round: it is wrong. SYMBOLS has lines "PROGRAM START SIZE NAME" (hex), for recordings whose
programs are not at hand. Prints "N samples, N checked, N wrong, N bogus, N out of order".

Signal handlers (vm/programs/signals.c) name the thread anew and spell their number below another
one, of what they interrupted. Between the name and its spell() a chain has the handler's name, and
the only number in it is the interrupted one's: such a chain is checked for the thread alone.

With "symoff,uregs" among the fields, where a chain begins is compared with the user's instruction
at the time of the sample. "N moved": a signal, or the way back from one, took the thread elsewhere
before the kernel read its stack (Documentation/design/callchain-deferred.md). Elsewhere for any
other reason is wrong.
"""
import re
import sys

HEADER = re.compile(r"^\s*(.{1,16}?)\s+(-?\d+)(?:/-?\d+)?(?:\s+\[\d+\])?(?:\s+(\d+\.\d+):|\s*$)")
NAME = re.compile(r"^[a-z](\d+)\.(\d+)$")
USER_IP = re.compile(r"\bIP:0x([0-9a-f]+)")
BITS = {"bit0": 0, "bit1": 1}
SPELL_BITS, ROUND_BITS = 16, 6
HANDLERS = 200  # a handler spells its thread's number and this for each handler it stands in
SIGNAL_FRAME = "__restore_rt"
HANDLER = re.compile(r"^on_\w+\+0x0$")  # at its first instruction
SYSCALL = 2  # bytes of the instruction; a system call that starts again begins there
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
        self.placed = 0       # begin where the user's registers say, or
        self.moved = 0        # where a signal took the thread
        self.in_handlers = 0  # checked chains with a signal frame
        self.deepest = 0
        self.examples = []
        self.last_time = 0.0

    def add(self, comm, time, frames, user_ip=None):
        self.samples += 1
        self.unordered += time < self.last_time
        self.last_time = time
        user = [(a, named_symbol(a, s, self.ranges)) for a, s in frames if a < 1 << 63]
        self.with_user += bool(user)
        self.deepest = max(self.deepest, len(user))
        # An odd counter in the high half, CPU + 1 in the low one, in place of the user part.
        # Further out the same number can be what a chain of frame pointers ran into.
        if user and user[0][0] >> 32 & 1 and 0 < user[0][0] & 0xffffffff <= CPUS and \
                user[0][1] == "[unknown]":
            self.bogus += 1
        if user and user_ip is not None:
            self.add_place(comm, time, user, user_ip)
        spelt, named = spelt_numbers([s for _, s in user]), named_number(comm)
        if not spelt or named is None:
            return
        self.checked += 1
        self.in_handlers += len(spelt) > 1
        if not agree(named, spelt, self.rounds):
            self.add_wrong("%s at %.6f spells %s" % (comm, time, ", ".join(
                "nothing" if n is None else "%d.%d" % (n >> ROUND_BITS, n & (1 << ROUND_BITS) - 1)
                for n in spelt)))

    def add_wrong(self, words):
        self.wrong += 1
        if len(self.examples) < 5:
            self.examples.append(words)

    def add_place(self, comm, time, user, ip):
        """Chains of programs that began after the sample, by exec, are no part of this."""
        (first, symbol), at = user[0], named_symbol(ip, "", self.ranges)
        if symbol.startswith("_start+"):
            return
        if first == ip:
            self.placed += 1
        elif HANDLER.match(symbol) or HANDLER.match(at) or plain(at) == SIGNAL_FRAME or \
                abs(first - ip) == SYSCALL:
            self.moved += 1
        else:
            self.add_wrong("%s at %.6f is at %#x %s, its chain begins at %#x %s" % (
                comm, time, ip, at, first, symbol))


def plain(symbol):
    return symbol.split("+0x")[0]


def named_symbol(address, symbol, ranges):
    return next(("%s+%#x" % (name, address - start) for start, end, name in ranges
                 if start <= address < end), symbol)


def named_number(comm):
    m = NAME.match(comm)
    return int(m.group(1)) << ROUND_BITS | int(m.group(2)) if m else None


def spelt_number(names):
    """The number spelt by frames between two signal frames; None if they do not spell one."""
    if "spell" not in names:
        return None
    bits = names[:names.index("spell")]
    while bits and bits[0] not in BITS:
        bits.pop(0)
    if len(bits) != SPELL_BITS or any(b not in BITS for b in bits):
        return None
    return sum(BITS[b] << i for i, b in enumerate(bits))


def signal_frames(names):
    """arm64 and s390x have them in the vdso, whose symbols are not at hand: behind a handler."""
    return [SIGNAL_FRAME if n == "[unknown]" and before.startswith("on_") else n
            for before, n in zip([""] + names, names)]


def spelt_numbers(symbols):
    """
    What a chain spells, innermost first, a number or None for the code of each handler and for
    what was interrupted last. Nothing if the innermost spell() cannot be read: it was interrupted
    on the way down, or a frame is missing.
    """
    names, parts = signal_frames([plain(s) for s in symbols]), []
    while SIGNAL_FRAME in names:
        end = names.index(SIGNAL_FRAME)
        parts.append(names[:end])
        names = names[end + 1:]
    parts.append(names)
    innermost = next((p for p in parts if "spell" in p), ())
    return [spelt_number(p) for p in parts] if spelt_number(innermost) is not None else []


def agree(named, spelt, rounds=True):
    """Are the name and all that is spelt of one thread, and of the right handlers in it?"""
    depth = next(i for i, n in enumerate(spelt) if n is not None)
    numbers = [n for n in spelt if n is not None]
    if not rounds:
        named, *numbers = (n >> ROUND_BITS << ROUND_BITS for n in (named, *numbers))
    who = [divmod(n >> ROUND_BITS, HANDLERS) for n in (named, *numbers)]
    if named != numbers[0] and (who[0][1] != who[1][1] or
                                not 0 < who[0][0] - who[1][0] <= depth):
        return False
    return all(inner[1] == outer[1] and inner[0] > outer[0]
               for inner, outer in zip(who[1:], who[2:]))


def check(lines, rounds=True, ranges=()):
    """Tally of the output of `perf script -F comm,tid,time,ip,sym`, or of that without times."""
    tally = Tally(rounds, ranges)
    comm, time, frames, ip = None, 0.0, [], None
    for line in lines:
        if not line.strip():
            if comm is not None:
                tally.add(comm, time, frames, ip)
            comm, frames, ip = None, [], None
        elif line[0] == "\t" or (comm is not None and line.startswith("        ")):
            word = line.split(None, 1)
            try:
                frames.append((int(word[0], 16), word[1].strip() if len(word) > 1 else ""))
            except ValueError:
                pass  # "(cookie)" and the like
        elif line.startswith(" ABI:"):
            m = USER_IP.search(line)
            ip = int(m.group(1), 16) if m else None
        else:
            m = HEADER.match(line)
            if m:
                if comm is not None:
                    tally.add(comm, time, frames, ip)
                comm, time, frames, ip = m.group(1), float(m.group(3) or 0), [], None
    if comm is not None:
        tally.add(comm, time, frames, ip)
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
        t.samples, t.checked, t.wrong, t.bogus, t.unordered) +
        (", %d placed, %d moved" % (t.placed, t.moved) if t.placed else ""))
    return bool(t.wrong or t.bogus or t.unordered)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
