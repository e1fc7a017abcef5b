#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Steps foreign programs instruction by instruction and writes down what an unwinder needs.

    tools/perf/tests/data/steps/make.py

A program for aarch64 or s390x runs under qemu-user; gdb, over the stub of qemu, steps it from
_start to its end. At every instruction registers and stack are noted as far as they have changed,
with the calls that have not returned, which are known from the call and return instructions
themselves, and, where gdb sees another stack than that, with gdb's. README.md has the format.

Needs (Debian): gdb-multiarch qemu-user gcc-aarch64-linux-gnu gcc-s390x-linux-gnu zstd.
"""
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))

try:
    import gdb
except ImportError:
    gdb = None

# name: architecture, CPU, program or compiler's options for frames.c
RECORDINGS = {
    "a64": ("aarch64", "cortex-a57", ["-O2"]),
    "a64-nofp": ("aarch64", "cortex-a57", ["-O2", "-fomit-frame-pointer"]),
    "a64-pac": ("aarch64", "max,sve=off,sme=off", ["-O2", "-mbranch-protection=standard"]),
    "a64-pac-off": ("aarch64", "cortex-a57", ["-O2", "-mbranch-protection=standard"]),
    "a64-sframe2-pac": ("aarch64", "max,sve=off,sme=off", "steps_a64_v2p_pac"),
    "a64-sframe3": ("aarch64", "cortex-a57", "steps_a64_v3"),
    "a64-sframe3-pac": ("aarch64", "max,sve=off,sme=off", "steps_a64_v3_pac"),
    "s390x": ("s390x", "max", ["-O2"]),
    "s390x-backchain": ("s390x", "max", ["-O2", "-mbackchain"]),
    "s390x-norows": ("s390x", "max", ["-O2", "-mbackchain", "-fno-asynchronous-unwind-tables"]),
    "s390x-sframe2": ("s390x", "max", "steps_s390x_v2p"),
    "s390x-sframe3": ("s390x", "max", "steps_s390x_v3"),
    "s390x-sframe3-fp": ("s390x", "max", "steps_s390x_v3_fp"),
}

REPEATS = 1        # of one instruction with one stack: in loops
LIMIT = 200000     # instructions
STACK = 256        # bytes above SP at _start


class Aarch64:
    name = "aarch64"
    order = "little"
    regs = [f"x{i}" for i in range(31)] + ["sp", "pc"]
    sp, link = 31, 30
    mask = (1 << 48) - 1

    @staticmethod
    def length(_code):
        return 4

    @staticmethod
    def is_call(code):
        insn = int.from_bytes(code[:4], "little")
        return insn >> 26 == 0x25 or insn & 0xfefff000 == 0xd63f0000

    @staticmethod
    def is_syscall(code):
        return code[:4] == b"\x01\x00\x00\xd4"


class S390x:
    name = "s390x"
    order = "big"
    regs = [f"r{i}" for i in range(16)] + [f"f{i}" for i in range(16)] + ["pswm", "pc"]
    sp, link = 15, 14
    mask = (1 << 64) - 1

    @staticmethod
    def length(code):
        return (2, 4, 4, 6)[code[0] >> 6]

    @staticmethod
    def is_call(code):
        return code[0] == 0x0d and code[1] >> 4 == 14 and code[1] & 15 != 0 or \
            code[:2] == b"\xa7\xe5" or code[:2] == b"\xc0\xe5"

    @staticmethod
    def is_syscall(code):
        return code[0] == 0x0a


class Stepper:
    """Inside gdb: one program from its entry to its end."""

    def __init__(self, arch, stacks, out):
        self.arch = arch
        self.stacks = stacks
        self.out = out
        self.inferior = gdb.selected_inferior()
        self.calls = []      # (return address, SP at the call)
        self.returned = set()
        self.regs = {}
        self.words = {}
        self.seen = {}
        self.nr = self.unlike = 0
        self.signal = self.stopped_by_signal = False
        gdb.events.stop.connect(self.note_stop)

    def note_stop(self, event):
        self.stopped_by_signal = isinstance(event, gdb.SignalEvent) and \
            event.stop_signal != "SIGTRAP"

    def read_regs(self):
        frame = gdb.newest_frame()
        floats = [name for name in self.arch.regs if name[0] == "f"]
        raw = {}
        if floats:
            text = gdb.execute("info registers " + " ".join(floats), to_string=True)
            raw = dict(re.findall(r"^(f\d+)\s.*\(raw (0x[0-9a-f]+)\)", text, re.M))
        return [int(raw[name], 16) if name in raw else
                int(frame.read_register(name)) & (1 << 64) - 1 for name in self.arch.regs]

    def note(self, regs):
        """What has changed since the last note."""
        for i, value in enumerate(regs):
            if self.regs.get(i) != value:
                self.out.write(f"r {i} {value:x}\n")
                self.regs[i] = value
        sp = regs[self.arch.sp] & ~7
        top = next((end for start, end in self.stacks if start <= sp < end), sp)
        data = bytes(self.inferior.read_memory(sp, top - sp)) if top > sp else b""
        for i in range(0, len(data), 8):
            value = int.from_bytes(data[i:i + 8], self.arch.order)
            if self.words.get(sp + i, 0) != value:
                self.out.write(f"w {sp + i:x} {value:x}\n")
                self.words[sp + i] = value

    @staticmethod
    def gdb_chain():
        chain = []
        frame = gdb.newest_frame()
        try:
            while frame is not None and len(chain) < 200:
                chain.append(frame.pc())
                frame = frame.older()
        except gdb.error:
            pass
        return chain

    def follow(self, code, before, after):
        """What the instruction that ran has done to the calls."""
        arch = self.arch
        pc, sp = after[-1], after[arch.sp]
        behind = before[-1] + arch.length(code)
        if self.signal and sp != before[arch.sp]:
            self.calls.append((before[-1], before[arch.sp]))
            # Where it returns to; qemu may have signed that already.
            self.calls.append((after[arch.link] & arch.mask, sp))
        elif arch.is_syscall(code) and pc != behind:
            # Out of a signal handler; or qemu has done one instruction more.
            left = [i for i, c in enumerate(self.calls) if c[1] == sp and 0 <= pc - c[0] <= 6]
            if left:
                del self.calls[left[-1]:]
        elif arch.is_call(code):
            self.calls.append((behind, sp))
        elif self.calls and self.calls[-1][0] == pc and sp >= self.calls[-1][1]:
            # The first instruction of a signal handler may have moved SP before it was noted.
            self.returned.add(self.calls.pop())
        elif (pc, sp) in self.calls:
            while self.calls[-1] != (pc, sp):
                self.calls.pop()
            self.returned.add(self.calls.pop())
        elif pc != behind and (pc, sp) in self.returned:
            # longjmp(), to where setjmp() has returned to before
            while self.calls and self.calls[-1][1] <= sp:
                self.calls.pop()

    def compare(self, regs):
        chain = [regs[-1]] + [c[0] for c in reversed(self.calls)]
        key = tuple(chain)
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.seen[key] > REPEATS:
            return
        self.note(regs)
        self.out.write("c " + " ".join(f"{a:x}" for a in chain[1:]) + "\n")
        other = self.gdb_chain()
        if other != chain:
            self.unlike += 1
            self.out.write("g " + " ".join(f"{a:x}" for a in other[1:]) + "\n")

    def run(self):
        regs = self.read_regs()
        while self.nr < LIMIT:
            self.compare(regs)
            code = bytes(self.inferior.read_memory(regs[-1], 6))
            self.signal = self.stopped_by_signal
            try:
                gdb.execute("stepi", to_string=True)
            except gdb.MemoryError:
                pass         # behind the step: in the stack as gdb believes it to be
            if not self.inferior.threads():
                break
            before, regs = regs, self.read_regs()
            self.follow(code, before, regs)
            self.nr += 1
        print(f"{self.nr} instructions, {len(self.seen)} stacks, gdb's unlike: {self.unlike}")


def inside_gdb():
    arch = {"aarch64": Aarch64, "s390x": S390x}[os.environ["STEPS_ARCH"]]
    for command in ("set confirm off", "set pagination off", "set backtrace past-main on",
                    "set debuginfod enabled off", "set sysroot " + os.environ["STEPS_SYSROOT"],
                    "handle all stop print pass", "handle SIGTRAP nopass", "file " + os.environ["STEPS_PROGRAM"],
                    "target remote " + os.environ["STEPS_SOCKET"]):
        gdb.execute(command, to_string=True)
    auxv = gdb.execute("info auxv", to_string=True)
    entry = int(re.search(r"AT_ENTRY.*(0x[0-9a-f]+)", auxv)[1], 16)
    gdb.execute(f"tbreak *{entry}", to_string=True)
    gdb.execute("continue", to_string=True)
    sp = int(gdb.newest_frame().read_register(arch.regs[arch.sp])) & (1 << 64) - 1
    stacks = [(sp - (1 << 18), sp + STACK)]
    try:
        other = gdb.parse_and_eval("(unsigned long)&other_stack")
        stacks.append((int(other), int(other) + 16384))
    except gdb.error:
        pass
    with open(os.environ["STEPS_OUT"], "w") as out:
        out.write(f"{arch.name}\nentry {entry:x}\n")
        for start, end in stacks:
            out.write(f"stack {start:x} {end:x}\n")
        for start, name in re.findall(r"^(0x[0-9a-f]+) .* (/\S+)$",
                                      gdb.execute("info sharedlibrary", to_string=True), re.M):
            out.write(f"text {start[2:]} {name}\n")
        Stepper(arch, stacks, out).run()


class Elf:
    """As much of an ELF file as is needed to map it and to keep a part of it."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.order = "<" if self.data[5] == 1 else ">"
        (self.entry, phoff, shoff, _flags, _size, phsize, phnum, shsize, shnum, names) = \
            struct.unpack_from(self.order + "QQQIHHHHHH", self.data, 24)
        self.heads = [(0, phoff + phsize * phnum), (shoff, shsize * shnum)]
        self.code = []
        for i in range(phnum):
            kind, flags, offset, vaddr, _, size = \
                struct.unpack_from(self.order + "IIQQQQ", self.data, phoff + i * phsize)
            if kind == 1 and flags & 1:
                self.code.append((vaddr, vaddr + size, offset))
        sections = [struct.unpack_from(self.order + "IIQQQQ", self.data, shoff + i * shsize)
                    for i in range(shnum)]
        self.sections = {}
        for name, _kind, _flags, vaddr, offset, size in sections:
            at = sections[names][4] + name
            name = self.data[at:self.data.index(b"\0", at)].decode()
            self.sections[name] = (vaddr, offset, size)

    def part(self, addresses):
        """The headers, the unwind information, and the bytes around those addresses."""
        keep = self.heads + [self.sections[name][1:] for name in
                             (".shstrtab", ".plt", ".eh_frame_hdr", ".eh_frame")]
        for vaddr, end, offset in self.code:
            keep += [(max(a - 8, vaddr) - vaddr + offset, 16) for a in addresses
                     if vaddr <= a < end]
        data = bytearray(len(self.data))
        for offset, size in keep:
            data[offset:offset + size] = self.data[offset:offset + size]
        return bytes(data)


def page_of_code(order, machine, code):
    """An ELF file of one page: the trampoline that qemu has no file for."""
    head = b"\x7fELF\2" + (b"\1" if order == "<" else b"\2") + b"\1" + bytes(9)
    head += struct.pack(order + "HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
    head += struct.pack(order + "IIQQQQQQ", 1, 5, 4096, 0, 0, 16, 16, 4096)
    return head.ljust(4096, b"\0") + code.ljust(16, b"\0")


SIGRETURN = { # the page that qemu makes
    "aarch64": ("<", 183, bytes.fromhex("681180d2010000d4")),
    "s390x": (">", 22, bytes.fromhex("0a770aad")),
}


def record(name, work):
    arch, cpu, program = RECORDINGS[name]
    sysroot = f"/usr/{arch}-linux-gnu"
    path = os.path.join(work, name + ".elf")
    if isinstance(program, str):
        shutil.copyfile(os.path.join(HERE, "../sframe", program), path)
        os.chmod(path, 0o755)
    else:
        subprocess.run([arch + "-linux-gnu-gcc", "-g0", "-Wl,--build-id=none", "-Wl,-z,lazy",
                        *program, "-o", path, os.path.join(HERE, "frames.c")], check=True)
    socket = os.path.join(work, name + ".sock")
    out = os.path.join(work, name)
    qemu = subprocess.Popen(["qemu-" + arch, "-cpu", cpu, "-seed", "1", "-g", socket, "-L", sysroot,
                             path], env={}, stdout=subprocess.DEVNULL)
    while not os.path.exists(socket):
        time.sleep(0.1)
    env = dict(os.environ, STEPS_ARCH=arch, STEPS_SYSROOT=sysroot, STEPS_PROGRAM=path,
               STEPS_SOCKET=socket, STEPS_OUT=out)
    text = subprocess.run(["gdb-multiarch", "-nx", "-batch", "-x", os.path.abspath(__file__)],
                          env=env, stdout=subprocess.PIPE, text=True, check=True).stdout
    if qemu.wait() != 42:
        sys.exit(f"{name}: the program has not ended as it should")
    print(f"{name}: " + text.strip().split("\n")[-1])
    return path, out


def addresses_of(lines):
    for line in lines:
        if line[0] in "cg":
            yield from (int(a, 16) for a in line.split()[1:])
        elif line.startswith("r 32 ") or line.startswith("r 33 "):
            yield int(line.split()[2], 16)


def pack(name, data):
    subprocess.run(["zstd", "-q", "-f", "-19", "-o", os.path.join(HERE, name + ".zst")],
                   input=data, check=True)


def finish(name, path, out, kept):
    """Mappings in the place of what gdb said, and the files that they are of."""
    arch, _, program = RECORDINGS[name]
    lines = open(out).read().splitlines()
    elf = Elf(path)
    bias = int(next(l for l in lines if l.startswith("entry")).split()[1], 16) - elf.entry
    own = "sframe/" + program if isinstance(program, str) else f"steps/{name}.elf"
    modules = [(bias, elf, own)]
    for line in lines:
        if line.startswith("text"):
            start, file = line.split()[1:]
            lib = Elf(file)
            modules.append((int(start, 16) - lib.sections[".text"][0], lib,
                            f"steps/{arch}-{os.path.basename(file)}"))
    addresses = set(addresses_of(lines))
    maps = []
    for bias, elf, file in modules:
        for vaddr, end, offset in elf.code:
            maps.append((bias + vaddr, bias + end, offset, file))
            inside = {a - bias for a in addresses if bias + vaddr <= a < bias + end}
            kept.setdefault(file, (elf, set()))[1].update(inside)
    # What gdb believes to be an address may be none: those of the calls alone.
    for a in addresses_of(l for l in lines if l[0] == "c"):
        if not any(start <= a < end for start, end, _, _ in maps):
            maps.append((a & ~4095, (a & ~4095) + 4096, 4096, f"steps/{arch}-sigreturn"))
    if not isinstance(program, str):
        subprocess.run([arch + "-linux-gnu-strip", path], check=True)
        pack(name + ".elf", open(path, "rb").read())
    text = [lines[0]] + [l for l in lines if l.startswith("stack")]
    text += [f"map {s:x} {e:x} {o:x} {f}" for s, e, o, f in sorted(set(maps))]
    text += [l for l in lines if l[0] in "rwcg" and l[1] == " "]
    pack(name, "\n".join(text + [""]).encode())


def main():
    kept = {}
    with tempfile.TemporaryDirectory() as work:
        for name in RECORDINGS:
            path, out = record(name, work)
            finish(name, path, out, kept)
    for file, (elf, addresses) in kept.items():
        if file.startswith("steps/") and not file.endswith(".elf"):
            pack(os.path.basename(file), elf.part(addresses))
    for arch, (order, machine, code) in SIGRETURN.items():
        pack(arch + "-sigreturn", page_of_code(order, machine, code))


if gdb:
    inside_gdb()
else:
    main()
