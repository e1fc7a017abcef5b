#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Whether chains of a program of spelt_programs.py are true: its functions spell their callers.

read() takes `perf script --no-inline -F comm,pid,whole,ip,sym`. The innermost function of the
program tells by its name which ones must follow, with nothing between them but what the way of each
call brings along. All of them must be there, and behind the last one a start of a program,
thread or coroutine. Only chains that are counted as whole are looked at.
"""
import collections
import re

OWN = re.compile(r"(?<![\w.@:~])((?:by_)?[nt]0(?:_\d+)*)(?![\w@])")
SIGNAL = re.compile(r"^(__restore_rt|__restore)\b")
PLT = "@plt"
# A jump of these has changed the registers that their rows still tell of, or they are about to
# return to the first instruction of a coroutine, behind another function.
JUMPS = ("swapcontext", "__swapcontext", "setcontext", "__setcontext",
         "longjmp", "__longjmp", "_longjmp", "siglongjmp", "__libc_siglongjmp", "____longjmp_chk")
HELPED = ("qsort", "bsearch", "raise", "altstack", "thread", "context", "clone", "virtual", "tick")
# musl's clone() has no name of its own: it lies behind memset, which has no size.
BEGINS = re.compile(r"^(_start|_start_c|__libc_start|start_thread|clone|__clone|clone3|__clone3|memset$|"
                    r"start|__start_context|libc_start_main_stage2|_dl_start_user|_dl_start|\[unknown\])")
NOTE = re.compile(r"\(([^()]*(?:\([^()]*\))?[^()]*)\)\s*$")
LIB, SIG = "lib", "signal"


class Tally:
    """What was found in the chains of one recording."""

    def __init__(self):
        self.samples = self.whole = self.checked = self.wrong = 0
        self.reasons = collections.Counter()
        self.wrongs = collections.Counter()  # words, with the chain

    def percent(self):
        return 100 * self.whole / self.samples if self.samples else 0.0


def tokens(symbols):
    """A function of the program by its name; LIB; SIG."""
    found = []
    for symbol in symbols:
        own = OWN.search(symbol)
        found.append(own[1] if own and PLT not in symbol else SIG if SIGNAL.match(symbol) else LIB)
    return found


class Chain:
    """@rules: of the program; @symbols: of the frames, innermost first. error(): why it is wrong."""

    def __init__(self, rules, symbols):
        self.rules, self.symbols = rules, symbols
        self.tokens, self.at = tokens(symbols), 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def libs(self):
        """Skips functions of libraries. Returns how many."""
        begin = self.at
        while self.peek() == LIB:
            self.at += 1
        return self.at - begin

    def error(self):
        self.libs()
        if self.peek() is None:
            return None  # of the loader, the C library, or the program's own main()
        if any(s.split("@")[0] in JUMPS for s in self.symbols[:self.at]):
            return None
        first, name = True, self.peek()
        while name is not None:
            if name == SIG:  # that comes at any place
                self.at += 1
                self.libs()
                name, first = self.peek(), True
                continue
            if name not in self.rules and name[3:] not in self.rules:
                return "a function that is not there: %s" % name
            words, name = self.step(name, first)
            if words:
                return words
            first = False
        return None

    def step(self, name, first):
        """
        From a function at .at to its caller. @first: it was at work, or was interrupted.
        Returns: why that is wrong, or None, and the caller's name, None behind the root
        """
        helper = name.startswith("by_")
        place = name[3:] if helper else name
        rule, parent, depth, link = self.rules[place]
        depth = 1 if helper else depth
        count = 0
        while self.peek() == name:
            self.at, count = self.at + 1, count + 1
        if count > max(depth, 2 if link == "coroutine" else 1) or count < depth and not first:
            return "%d frames of %s, which has %d" % (count, name, depth), None
        if not helper and self.is_helped(link):
            if self.peek() != "by_" + place:
                return "%s is called by by_%s, not by %s" % (name, place, self.peek()), None
            return None, self.peek()
        return self.leave(name, rule, parent)

    @staticmethod
    def is_helped(link):
        return link in HELPED or link.startswith("asm")

    def leave(self, name, rule, parent):
        libs = 0 if rule in ("direct", "tail") else self.libs()
        if rule in ("main", "root"):
            return self.root(name, rule, libs)
        if rule in ("signal", "tick"):
            if self.peek() != SIG:
                return "no frame of a signal behind %s" % name, None
            if rule == "tick":
                return None, SIG
            self.at += 1
            libs += self.libs()
        if rule == "libs" and not libs:
            return "no function of a library behind %s" % name, None
        if rule == "tail" and self.peek() != parent:
            return self.leave(parent, self.rules[parent][0], self.rules[parent][1])
        if self.peek() != parent:
            return "%s is called by %s, not by %s" % (name, parent, self.peek() or "nothing"), None
        return None, parent

    def root(self, name, rule, libs):
        libs += self.libs()
        if self.peek() is not None:
            return "%s behind %s, where nothing is" % (self.peek(), name), None
        if not libs:
            return "%s is the last function" % name, None
        if not BEGINS.match(self.symbols[-1]):
            return "%s behind %s, where nothing begins" % (self.symbols[-1], name), None
        return None, None


def samples(lines):
    """(comm, pid, note, [symbol]) of each sample."""
    head, symbols = None, []
    for line in lines:
        if line[0] in "\t " and line.strip() and head and line.startswith(("\t", "        ")):
            words = line.split(None, 1)
            symbols.append(words[1].strip() if len(words) > 1 else "[unknown]")
        elif line.strip():
            if head:
                yield head + (symbols,)
            note = NOTE.search(line)
            words = line.split()
            head = words[0], words[1] if len(words) > 1 else "", note[1] if note else "-"
            symbols = []
    if head:
        yield head + (symbols,)


def read(lines, rules, comm="program"):
    """Tally of the chains of @comm."""
    tally, known = Tally(), {}
    for name, _, note, symbols in samples(lines):
        if name != comm or not symbols:
            continue
        tally.samples += 1
        whole = note == "whole"
        tally.whole += whole
        if not whole:
            tally.reasons[note] += 1
            continue
        key = tuple(symbols)
        if key not in known:
            known[key] = Chain(rules, symbols).error()
        tally.checked += LIB not in tokens(symbols[:1]) or bool(set(tokens(symbols)) - {LIB, SIG})
        if known[key]:
            tally.wrong += 1
            tally.wrongs["%s:\n\t%s" % (known[key], "\n\t".join(symbols))] += 1
    return tally
