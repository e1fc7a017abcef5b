#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Checks the names that perf gives to addresses against symbol tables and other tools.

    scripts/check-names.py [options] BINARY...
    scripts/check-names.py --programs            # those of all languages that are installed
    scripts/check-names.py --stripped ...        # where functions without a name begin

Makes a recording with a sample at each of some thousand addresses of each binary: where functions
begin, in their middle, their last byte, the byte behind them, and anywhere in the code. Then reads
it with perf and compares, address by address, the name and the offset with

    tables    what `readelf -s` lists, of the binary or its debug file: the name must be one of the
              innermost function around the address, as it is written in the file
    stubs     what `objdump -d` and `readelf -r` tell of linkage tables
    llvm      `llvm-symbolizer`, which knows debug information, too
    peer      another perf (--peer), which chooses one of several names of a function

Columns of what is printed for each binary:

    addresses that were looked at
    right     the name is in the tables, and the offset is right
    no size   the tables have no function with a size there: see the classes
    wrong     the name or the offset is not in the tables, though they have one; each is printed
    missing   the tables have a name, perf has none
    llvm=     as llvm-symbolizer: the same function, whatever alias
    peer=     as the peer: the same text, demangled
    peer+     differences from the peer, which are sorted into classes below the table

With --stripped, perf sees copies without symbol tables, debug files and build-ids, and what is
compared is where the function around an address begins: addresses are anywhere in the code that
the tables have a function for.

The exit status is 1 when a name is wrong. Binaries are copied to a folder of their own (--keep),
which the peer has to see under the same name. For x86-64 and other files of 64 bits, little endian.
"""
import argparse
import bisect
import collections
import glob
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

from chains.elf import code_segments

TOP = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(TOP, "tools/perf/tests/lib"))
made = __import__("made-recording")

PROGRAMS = """
/lib/x86_64-linux-gnu/libc.so.6 /lib/x86_64-linux-gnu/libm.so.6 /lib64/ld-linux-x86-64.so.2
/usr/lib/x86_64-linux-gnu/libstdc++.so.6 /usr/bin/python3 /usr/bin/bash /usr/bin/git /usr/bin/perl
/usr/bin/node /usr/lib/x86_64-linux-gnu/libnode.so.* /usr/lib/x86_64-linux-gnu/libLLVM-14.so.1
/usr/lib/x86_64-linux-gnu/libclang-cpp.so.14 /usr/lib/x86_64-linux-gnu/libcrypto.so.3
/usr/lib/x86_64-linux-gnu/libssl.so.3 /usr/lib/x86_64-linux-gnu/libgphobos.so.3
/usr/lib/x86_64-linux-gnu/libgdruntime.so.3 /usr/lib/x86_64-linux-gnu/libphobos2-ldc-shared.so.*
/usr/lib/x86_64-linux-gnu/libgnat-12.so /usr/lib/x86_64-linux-gnu/libgfortran.so.5
/usr/lib/ghc/lib/base-*/libHSbase-*.so /usr/lib/haskell-packages/ghc/lib/*/base-*/libHSbase-*.so
/usr/lib/ghc/lib/*/base-*/libHSbase-*.so /usr/bin/ocamlopt.opt /usr/bin/ocamlfind.opt
/usr/lib/go*/bin/go /usr/lib/go-*/bin/gofmt /usr/lib/go-*/pkg/tool/*/compile /usr/bin/rg
/usr/lib/x86_64-linux-gnu/librustc_driver-*.so /usr/lib/x86_64-linux-gnu/libgtk-3.so.0
/usr/bin/busybox /usr/lib/jvm/*/lib/server/libjvm.so /usr/bin/gdb /usr/lib/R/lib/libR.so
/usr/sbin/ldconfig /usr/bin/swift*
"""
FUNC, NOTYPE, IFUNC = "FUNC", "NOTYPE", "IFUNC"


class Table:
    """The functions of a binary and of its debug file, by readelf and objdump."""

    def __init__(self, path, debug):
        self.sections, self.go = self._sections(path)
        self.symbols = collections.defaultdict(set)  # (start, size) -> names
        self.loose = collections.defaultdict(set)    # start -> names of those without a size
        for file in filter(None, (path, debug)):
            self._read(file)
        self.plt = self._plt(path)
        self.starts = sorted(self.symbols)
        self.loose_starts = sorted(self.loose)
        self.reach = []  # the furthest end of those so far
        end = 0
        for start, size in self.starts:
            end = max(end, start + size)
            self.reach.append(end)

    @staticmethod
    def _sections(path):
        found = []
        out = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True,
                             errors="replace", check=True).stdout
        for line in out.splitlines():
            m = re.match(r"\s*\[\s*\d+\] (\S+)\s+\S+\s+([0-9a-f]{16}) \S+ ([0-9a-f]+) \S+ +([A-Z]*)",
                         line)
            if m and "A" in m.group(4) and "X" in m.group(4):
                start = int(m.group(2), 16)
                found.append((start, start + int(m.group(3), 16), m.group(1)))
        return sorted(found), ".gopclntab" in out

    def section(self, address):
        for start, end, name in self.sections:
            if start <= address < end:
                return name
        return None

    def _read(self, path):
        with subprocess.Popen(["readelf", "-sW", path], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, errors="surrogateescape") as p:
            for line in p.stdout:
                w = line.replace("<OS specific>: 10", IFUNC).split(None, 7)
                if len(w) < 8 or w[0][-1:] != ":" or w[6] in ("UND", "ABS", "COM"):
                    continue
                if w[3] not in (FUNC, NOTYPE, IFUNC, "OBJECT"):
                    continue
                start, size = int(w[1], 16), int(w[2], 0)
                if not self.section(start):
                    continue
                name = w[7].rstrip("\n")
                # In .dynsym readelf adds the version, in .symtab it may be part of the name.
                names = {name, re.sub(r"@@?[A-Za-z0-9_.]+( \(\d+\))?$", "", name)}
                if size:
                    self.symbols[start, size].update(names)
                else:
                    self.loose[start].update(names)

    def _plt(self, path):
        """Address of each stub's jump -> names, by the relocation of the slot it jumps through."""
        slots = {}
        out = subprocess.run(["readelf", "-rW", path], capture_output=True, text=True,
                             errors="replace", check=False).stdout
        for line in out.splitlines():
            w = line.split()
            if len(w) > 4 and re.fullmatch("[0-9a-f]{16}", w[0]) and w[3] != "0":
                slots[int(w[0], 16)] = {re.sub(r"@@?[A-Za-z0-9_.]+$", "", w[4])}
            if len(w) == 4 and w[2] == "R_X86_64_IRELATIVE":
                start = int(w[3], 16)
                slots[int(w[0], 16)] = set().union(*(names for (at, _), names
                                                     in self.symbols.items() if at == start))
        found = {}
        for section in ".plt", ".plt.sec", ".plt.got", ".iplt":
            out = subprocess.run(["objdump", "-Dw", "-j", section, path], capture_output=True,
                                 text=True, errors="replace", check=False).stdout
            for m in re.finditer(r"^ *([0-9a-f]+):.*jmp .*# ([0-9a-f]+)", out, re.M):
                if int(m[2], 16) in slots:
                    found[int(m[1], 16)] = slots[int(m[2], 16)]
        return found

    def stub(self, start):
        """The names of the stub that begins at @start, or None: there is none."""
        for jump in range(start, start + 6):
            if jump in self.plt:
                return self.plt[jump]
        return None

    def around(self, address):
        """Those with a size around @address, innermost first: (start, names)."""
        i = bisect.bisect_right(self.starts, (address, 1 << 64)) - 1
        found = {}
        while i >= 0 and self.reach[i] > address:
            start, size = self.starts[i]
            if start + size > address:
                found.setdefault(start, set()).update(self.symbols[start, size])
            i -= 1
        return sorted(found.items(), reverse=True)

    def before(self, address):
        """The nearest one without a size in the same section: (start, names), or None."""
        i = bisect.bisect_right(self.loose_starts, address) - 1
        if i < 0 or self.section(self.loose_starts[i]) != self.section(address):
            return None
        return self.loose_starts[i], self.loose[self.loose_starts[i]]


class Binary:
    def __init__(self, source, folder, nr, stripped):
        self.source = source
        self.path = os.path.join(folder, "%03d-%s" % (nr, os.path.basename(source)))
        shutil.copyfile(source, self.path)
        self.debug = self._debug_file(folder)
        self.stripped = stripped
        self.segments = code_segments(self.path)
        if not self.segments:
            raise ValueError("has no code that is loaded")
        self.table = Table(self.path, self.debug)
        if stripped:
            if len(self.table.starts) < 10:
                raise ValueError("has no symbols to compare with")
            subprocess.run(["objcopy", "--strip-all", "-R", ".gnu_debuglink", "-R", ".gnu_debugdata",
                            "-R", ".note.gnu.build-id", self.path], check=True)

    def _debug_file(self, folder):
        """Beside the copy, where every tool looks by the name in .gnu_debuglink."""
        out = subprocess.run(["readelf", "-nW", "--string-dump=.gnu_debuglink", self.path],
                             capture_output=True, text=True, errors="replace", check=False).stdout
        build_id = re.search(r"Build ID: ([0-9a-f]{6,})", out)
        link = re.search(r"\[ *0\]  (\S+)", out)
        if not build_id or not link:
            return None
        found = "/usr/lib/debug/.build-id/%s/%s.debug" % (build_id[1][:2], build_id[1][2:])
        if not os.path.exists(found):
            return None
        os.makedirs(os.path.join(folder, ".debug"), exist_ok=True)
        to = os.path.join(folder, ".debug", link[1])
        shutil.copyfile(found, to)
        return to

    def choose(self, number, rng):
        """At most @number addresses in files' code, each once."""
        wanted = set()
        if self.stripped:
            starts = self.table.starts
            for start, size in rng.choices(starts, [n for _, n in starts], k=number):
                wanted.add(start + rng.randrange(size))
            return sorted(a for a in wanted if self.table.section(a) and self.maps(a))
        places = [(s, n) for s, n in self.table.starts]
        for start, size in rng.sample(places, min(len(places), number)):
            wanted.update((start, start + size // 2, start + size - 1, start + size))
        wanted.update(self.table.loose_starts)
        wanted.update(a + k for a in self.table.plt for k in (-4, 0, 5, 9))
        for start, end, _ in self.table.sections:
            wanted.update((start, end - 1))
        weights = [end - start for start, end, _ in self.table.sections]
        for _ in range(number if weights else 0):
            start, end, _ = rng.choices(self.table.sections, weights)[0]
            wanted.add(rng.randrange(start, end))
        wanted = sorted(a for a in wanted if self.table.section(a) and self.maps(a))
        return sorted(rng.sample(wanted, min(len(wanted), number)))

    def maps(self, address):
        return any(v <= address < v + size for _, v, size in self.segments)


def recording(binaries):
    """A recording of a sample at each of their addresses, and (binary, address) in their order."""
    tail = struct.pack("=IIQ", made.PID, made.PID, 1)
    comm = struct.pack("=II", made.PID, made.PID) + b"names".ljust(16, b"\0")
    out = [made.record(made.EV_COMM, comm + tail)]
    order, base, time = [], 0x10000000000, 1000
    samples = []
    for binary in binaries:
        low = min(v for _, v, _ in binary.segments) & ~0xfff
        high = max(v + n for _, v, n in binary.segments)
        for offset, vaddr, size in binary.segments:
            cut = vaddr & 0xfff
            path = os.fsencode(binary.path) + b"\0"
            mmap = struct.pack("=IIQQQIIQQII", made.PID, made.PID, base + vaddr - cut - low,
                               (size + cut + 0xfff) & ~0xfff, offset - cut, 8, 1, 77, 0, 5, 2)
            out.append(made.record(made.EV_MMAP2,
                                   mmap + path.ljust((len(path) + 7) & ~7, b"\0") + tail, 2))
        for address in binary.addresses:
            samples.append(made.sample(time, ip=base + address - low))
            order.append((binary, address))
            time += 1
        base += (high - low + 0xffffff) & ~0xffffff
    return with_features(made.file_of([made.attr(made.BASE)], b"".join(out + samples))), order


def with_features(data):
    """What perf 7.2 does not go without: the release, the architecture, the number of CPUs."""
    def text(words):
        return struct.pack("=I", 64) + words.ljust(64, b"\0")

    features = {4: text(b"6.18.0"), 6: text(b"x86_64"), 7: struct.pack("=II", 4, 4)}
    at, table, bits = len(data) + 16 * len(features), b"", 0
    for bit, body in features.items():
        table += struct.pack("=QQ", at, len(body))
        at += len(body)
        bits |= 1 << bit
    return data[:72] + struct.pack("=Q", bits) + data[80:] + table + b"".join(features.values())


def names_of(command, path, options=()):
    """[(name or None, offset)] of the samples"""
    env = dict(os.environ, DEBUGINFOD_URLS="", PERF_PAGER="cat", LC_ALL="C.UTF-8")
    run = subprocess.run([*command, "script", "-i", path, "-f", "--no-inline", "-F", "ip,sym,symoff",
                          *options],
                         capture_output=True, text=True, errors="surrogateescape", env=env,
                         check=False)
    found = []
    for line in run.stdout.splitlines():
        m = re.match(r"\s*[0-9a-f]+ ?(.*)$", line)
        if not m:
            continue
        whole = re.match(r"(.*)\+0x([0-9a-f]+)$", m[1])
        found.append((whole[1], int(whole[2], 16)) if whole else (None, 0))
    if run.returncode:
        print("%s: exit status %d: %s" % (command[-1], run.returncode, run.stderr.strip()[-500:]),
              file=sys.stderr)
    return found


def llvm_names(tool, binary):
    """address -> (linkage name, start or None)"""
    lines = "".join("0x%x\n" % a for a in binary.addresses)
    run = subprocess.run([tool, "--obj=" + binary.path, "--functions=linkage", "--no-demangle",
                          "--no-inlines", "--output-style=JSON", "--relative-address"],
                         input=lines, capture_output=True, text=True, errors="surrogateescape",
                         check=False)
    found = {}
    for address, line in zip(binary.addresses, run.stdout.splitlines()):
        try:
            symbol = json.loads(line)["Symbol"][0]
        except (ValueError, KeyError, IndexError):
            continue
        start = symbol.get("StartAddress")
        found[address] = symbol["FunctionName"], int(start, 16) if start else None
    return found


# What a mangled name begins with, and the tool that reads it; libiberty's knows Rust and D.
DEMANGLERS = {"_R": ["rustfilt"], "_D": ["c++filt", "-s", "dlang"], "_Z": ["c++filt"]}


def compare_demanglers(sums, raw, shown):
    """Each distinct name that perf has demangled, beside what the tools make of it."""
    names = {r[0]: s[0] for r, s in zip(raw, shown) if r[0] and not r[0].endswith("@plt")}
    for prefix, command in DEMANGLERS.items():
        mangled = sorted(n for n in names if n.startswith(prefix) and "@" not in n)
        if not mangled or not shutil.which(command[0]):
            continue
        out = subprocess.run(command, input="\n".join(mangled) + "\n", capture_output=True,
                             text=True, errors="surrogateescape", check=False).stdout
        for name, plain in zip(mangled, out.splitlines()):
            ours = names[name]
            kind = "the same" if ours == plain else "the tool has none" if plain == name else \
                "we have none" if ours == name else "differs"
            sums.note("%s: %s" % (" ".join(command), kind), name, "\n               ", ours,
                      "\n               ", plain)


def is_right(names, address, got):
    """Is @got one of the @names, (start, names)?"""
    return got[0] in names[1] and address - names[0] == got[1]


def verdict(table, address, got):
    """What the tables say of (name, offset): a word of the columns, and a class."""
    around = table.around(address)
    if got[0] and got[0].endswith("@plt"):
        names = table.stub(address - got[1])
        return ("right", "") if names and got[0][:-4] in names else ("wrong", "linkage stub")
    if around:
        if got[0] is None or re.fullmatch(r".*\+0x%x" % (address - got[1]), got[0]):
            return "missing", "a function with a size"
        return ("right", "") if is_right(around[0], address, got) else ("wrong", "sized")
    if got[0] is None:
        return "nosize", "no name, and none in the tables"
    if re.fullmatch(r".*\+0x%x" % (address - got[1]), got[0]):
        return "nosize", "a function without a name, where the tables have none"
    if table.go:
        return "nosize", "of Go's own table"
    before = table.before(address)
    if before and is_right(before, address, got):
        return "nosize", "a function without a size"
    section = table.section(address)
    if section == got[0] and section.startswith((".plt", ".iplt")):
        return "nosize", "the head of a linkage table"
    return "wrong", "nothing in the tables"


def start_verdict(table, address, got):
    """The same of a stripped file: does the function begin where one of the tables does?"""
    around = table.around(address)
    if got[0] is None:
        return "missing", "no function"
    starts = [start for start, _ in around]
    if address - got[1] in starts:
        return "right", ""
    if is_stub(table, address):
        return "nosize", "a linkage table"
    return "wrong", "another start"


def is_stub(table, address):
    return (table.section(address) or "").startswith((".plt", ".iplt"))


def merged(binary, names):
    """Functions of perf's that have addresses of several functions without a name of the tables."""
    found = collections.defaultdict(set)
    for address, got in zip(binary.addresses, names):
        around = binary.table.around(address)
        if got[0] and around and not is_stub(binary.table, address):
            found[address - got[1]].add(around[-1][0])
    return [(start, sorted(of)) for start, of in sorted(found.items()) if len(of) > 1]


def peer_class(table, address, ours, other):
    """Why the texts of a peer differ."""
    if ours[0] is None:
        return "only the peer has a name"
    if other[0] is None:
        return "only we have a name"
    if ours[1] != other[1]:
        return "another function"
    names = next((n for s, n in table.around(address) if s == address - ours[1]), set())
    return "another alias" if len(names) > 1 else "the same name, written otherwise"


class Sums:
    def __init__(self, args):
        self.args = args
        self.rows, self.classes = [], collections.Counter()
        self.examples = collections.defaultdict(list)

    def note(self, kind, *what):
        self.classes[kind] += 1
        if len(self.examples[kind]) < self.args.examples:
            self.examples[kind].append(" ".join(map(str, what)))

    def binary(self, binary, raw, shown, peer):
        count = collections.Counter()
        llvm = llvm_names(self.args.llvm, binary) if self.args.llvm and not self.args.stripped \
            else {}
        name = os.path.basename(binary.path)
        for i, address in enumerate(binary.addresses):
            judge = start_verdict if self.args.stripped else verdict
            word, why = judge(binary.table, address, raw[i])
            count[word] += 1
            if word != "right":
                around = binary.table.around(address)
                self.note("tables: %s: %s" % (word, why), name, hex(address), raw[i],
                          around[:1] or binary.table.before(address))
            self._llvm(count, name, binary.table, address, raw[i], llvm)
            if peer:
                self._peer(count, name, binary.table, address, shown[i], peer[i])
        for start, of in merged(binary, raw) if self.args.stripped else ():
            count["wrong"] += 1
            self.note("merged: functions in one", name, hex(start), [hex(f) for f in of[:9]])
        self.rows.append((name, len(binary.addresses), count))

    def _llvm(self, count, name, table, address, ours, llvm):
        if address not in llvm:
            return
        other, start = llvm[address]
        same = [n for s, n in table.around(address) if s == address - ours[1]]
        if other == (ours[0] or "") or same and other in same[0]:
            count["llvm="] += 1
            return
        inner = table.around(address)
        if ours[0] and inner and is_right(inner[0], address, ours):
            kind = "ours is that of the tables"
        elif (table.section(address) or "").startswith((".plt", ".iplt")):
            kind = "a linkage table"
        else:
            kind = "none of llvm" if not other else "none of ours" if not ours[0] else "other"
        self.note("llvm: " + kind, name, hex(address), ours, other, start and hex(start))

    def _peer(self, count, name, table, address, ours, other):
        if ours == other:
            count["peer="] += 1
            return
        count["peer+"] += 1
        self.note("peer: " + peer_class(table, address, ours, other), name, hex(address), ours,
                  other)

    def print(self):
        columns = ["right", "nosize", "wrong", "missing", "llvm=", "peer=", "peer+"]
        total, counts = 0, collections.Counter()
        print("%-40s %9s" % ("", "addresses"), "".join("%9s" % c for c in columns))
        for name, number, count in self.rows:
            print("%-40s %9d" % (name[:40], number), "".join("%9d" % count[c] for c in columns))
            total += number
            counts.update(count)
        print("%-40s %9d" % ("all", total), "".join("%9d" % counts[c] for c in columns))
        print()
        for kind, number in sorted(self.classes.items()):
            print("%9d  %s" % (number, kind))
            for line in self.examples[kind]:
                print("           ", line)
        return counts["wrong"]


def parse():
    p = argparse.ArgumentParser(description=__doc__,
                                formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("binaries", nargs="*", metavar="BINARY")
    p.add_argument("--programs", action="store_true", help="those of all languages")
    p.add_argument("-n", type=int, default=5000, help="addresses of each binary (default 5000)")
    p.add_argument("--stripped", action="store_true", help="compare starts without symbols")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--perf", default=os.path.join(TOP, "build/perf"))
    p.add_argument("--peer", help="command of another perf")
    p.add_argument("--llvm", default=shutil.which("llvm-symbolizer"))
    p.add_argument("--examples", type=int, default=3, help="shown of each class (default 3)")
    p.add_argument("--keep", help="keep the recording and the copies in this folder")
    return p.parse_args()


def open_binaries(args, folder):
    paths = args.binaries[:]
    for pattern in PROGRAMS.split() if args.programs else ():
        paths += sorted(glob.glob(pattern))[:1]
    found, seen = [], set()
    for path in paths:
        real = os.path.realpath(path)
        if real in seen:
            continue
        seen.add(real)
        try:
            binary = Binary(path, folder, len(found), args.stripped)
        except (OSError, ValueError, struct.error, subprocess.CalledProcessError) as error:
            print("%s: left out: %s" % (path, error), file=sys.stderr)
            continue
        binary.addresses = binary.choose(args.n, random.Random(args.seed))
        found.append(binary)
    return found


def check(args, folder):
    binaries = open_binaries(args, folder)
    data, order = recording(binaries)
    path = os.path.join(folder, "perf.data")
    with open(path, "wb") as f:
        f.write(data)
    raw = names_of([args.perf], path, ["--no-demangle"])
    shown = names_of([args.perf], path)
    peer = []
    if args.peer:
        peer = names_of(args.peer.split(), path)
    for what, names in ("perf", raw), ("perf", shown), ("peer", peer):
        if len(names) != len(order) and (names or what == "perf"):
            sys.exit("%s printed %d lines for %d samples" % (what, len(names), len(order)))
    sums, at = Sums(args), 0
    for binary in binaries:
        end = at + len(binary.addresses)
        sums.binary(binary, raw[at:end], shown[at:end], peer[at:end])
        at = end
    compare_demanglers(sums, raw, shown)
    return 1 if sums.print() else 0


def main():
    args = parse()
    if not args.binaries and not args.programs:
        sys.exit("no binaries: see --help")
    folder = args.keep or tempfile.mkdtemp(prefix="check-names.")
    os.makedirs(folder, exist_ok=True)
    try:
        return check(args, folder)
    finally:
        if not args.keep:
            shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
