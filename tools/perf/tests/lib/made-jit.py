#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: made-jit.py SECONDS [late] [version=N]

A program that makes code at run time (x86-64) and runs it: made_outer() calls made_inner(), which
spins. Neither keeps a frame pointer. It tells of its code by a jitdump file in the present folder:
names, call frame information, lines; first of another function at the same place. With "late" most
of the file is written in the end, as by compilers that collect what they write. "version=N" is what
the file says of itself. Prints its pid.
"""
import ctypes
import mmap
import os
import struct
import sys
import time

# sub rsp, 24; mov ecx, 20000000; l: dec ecx; jnz l; add rsp, 24; ret
INNER = bytes.fromhex("4883ec18b9002d3101ffc975fc4883c418c3")


def outer(at, inner):
    """The code of made_outer() at the address @at: it has 0 in rbp while it calls @inner."""
    # push rbx; push rbp; xor ebp, ebp; push rax; call INNER; pop rax; pop rbp; pop rbx; ret
    head = bytes.fromhex("535531ed50e8")
    return head + struct.pack("<i", inner - (at + len(head) + 4)) + bytes.fromhex("585d5bc3")


def uleb(v):
    return bytes([v]) if v < 128 else bytes([v & 127 | 128]) + uleb(v >> 7)


def eh_frame(size, program):
    """.eh_frame of one function of @size bytes, to be put at the next multiple of 8 behind it."""
    def entry(body):
        body += b"\0" * (-(len(body) + 4) % 8)
        return struct.pack("<I", len(body)) + body
    cie = entry(struct.pack("<IB", 0, 1) + b"zR\0" + uleb(1) + b"\x78" + uleb(16) +
                uleb(1) + b"\x1b" + bytes([0x0c, 7, 8, 0x80 | 16, 1]))
    start = -((size + 7) // 8 * 8)
    fde = entry(struct.pack("<IiI", len(cie) + 4, start - (len(cie) + 8), size) + uleb(0) + program)
    return cie + fde + struct.pack("<I", 0)


# The CFA by rsp, advanced as the instructions above move it; rbp is saved at the CFA - 24.
INNER_CFI = bytes([0x44, 0x0e, 32, 0x40 | 13, 0x0e, 8])
OUTER_CFI = bytes([0x41, 0x0e, 16, 0x41, 0x0e, 24, 0x80 | 6, 3, 0x43, 0x0e, 32, 0x46, 0x0e, 24,
                   0x41, 0x0e, 16, 0xc0 | 6, 0x41, 0x0e, 8])


class Dump:
    """A jitdump file."""
    def __init__(self):
        self.path = os.path.abspath("jit-%d.dump" % os.getpid())
        self.file = open(self.path, "wb+")
        version = int(next((a[8:] for a in sys.argv if a.startswith("version=")), "1"))
        self.file.write(struct.pack("<IIIIIIQQ", 0x4a695444, version, 40, 62, 0, os.getpid(),
                                    time.monotonic_ns(), 0))
        self.file.flush()
        libc = ctypes.CDLL(None)
        libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + [ctypes.c_int] * 3 + \
            [ctypes.c_long]
        libc.mmap(None, 4096, mmap.PROT_READ | mmap.PROT_EXEC, mmap.MAP_PRIVATE,
                  self.file.fileno(), 0)
        self.number = 0

    late = "late" in sys.argv

    def record(self, kind, body):
        self.file.write(struct.pack("<IIQ", kind, 16 + len(body), time.monotonic_ns()) + body)
        if not self.late:
            self.file.flush()

    def load(self, at, code, name, cfi, lines=()):
        if lines:
            body = struct.pack("<QQ", at, len(lines))
            for offset, line in lines:
                body += struct.pack("<QII", at + offset, line, 0) + b"made/up.src\0"
            self.record(2, body)
        if cfi:
            frame = eh_frame(len(code), cfi)
            self.record(4, struct.pack("<QQQ", len(frame), 0, len(frame)) + frame)
        self.record(0, struct.pack("<IIQQQQ", os.getpid(), os.getpid(), at, at, len(code),
                                   self.number) + name.encode() + b"\0" + code)
        self.number += 1


def main():
    seconds = float(sys.argv[1])
    mem = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    base = ctypes.addressof(ctypes.c_char.from_buffer(mem))
    codes = (64, INNER), (256, outer(base + 256, base + 64))
    print(os.getpid(), flush=True)
    dump = Dump()
    dump.load(base + 64, INNER, "made_before", INNER_CFI)
    for at, code in codes:
        mem[at:at + len(code)] = code
    dump.load(base + 64, INNER, "made_inner", INNER_CFI, ((0, 7), (9, 8), (13, 9)))
    dump.load(base + 256, codes[1][1], "made_outer", OUTER_CFI)
    run = ctypes.CFUNCTYPE(None)(base + 256)
    while time.process_time() < seconds:  # of CPU time: samples are counted
        run()


main()
