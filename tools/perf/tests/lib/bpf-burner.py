# SPDX-License-Identifier: GPL-2.0-only
"""Usage: bpf-burner.py NUMBER-OF-BPF

Loads a BPF program, "burner", says so, and runs it until this program is killed. Its code has
source lines: 501 multiplications in line 42 of /src/burner.bpf.c, 499 in line 43.
"""
import ctypes
import struct
import sys

PROG_LOAD, PROG_TEST_RUN, BTF_LOAD = 5, 10, 18
libc = ctypes.CDLL(None, use_errno=True)


def bpf(command, attr):
    buf = ctypes.create_string_buffer(attr.ljust(160, b"\0"))
    return libc.syscall(int(sys.argv[1]), command, buf, 160)


def types():
    """BTF of `int burner(void)`; where its strings for lines are."""
    strings = b"\0int\0burner\0/src/burner.bpf.c\0r *= 3\0"
    kinds = struct.pack("<IIII", strings.index(b"int"), 1 << 24, 4, 1 << 24 | 32)
    kinds += struct.pack("<III", 0, 13 << 24, 1)
    kinds += struct.pack("<III", strings.index(b"burner"), 12 << 24, 2)
    head = struct.pack("<HBBIIIII", 0xeb9f, 1, 0, 24, 0, len(kinds), len(kinds), len(strings))
    return head + kinds + strings, strings.index(b"/src"), strings.index(b"r *=")


def main():
    btf, file, text = types()
    data = ctypes.create_string_buffer(btf)
    btf = bpf(BTF_LOAD, struct.pack("<QQI", ctypes.addressof(data), 0, len(btf)))
    # r0 = 7; r0 *= 3, 1000 times; exit
    code = struct.pack("<BBhi", 0xb7, 0, 0, 7) + 1000 * struct.pack("<BBhi", 0x27, 0, 0, 3)
    code = ctypes.create_string_buffer(code + struct.pack("<BBhi", 0x95, 0, 0, 0))
    licence = ctypes.create_string_buffer(b"GPL")
    func = ctypes.create_string_buffer(struct.pack("<II", 0, 3))
    lines = ctypes.create_string_buffer(b"".join(
        struct.pack("<IIII", insn, file, text, line << 10) for insn, line in (
            (0, 41), (1, 42), (502, 43), (1001, 44))))
    load = struct.pack("<IIQQIIQII16sII", 1, 1002, ctypes.addressof(code),
                       ctypes.addressof(licence), 0, 0, 0, 0, 0, b"burner", 0, 0)
    if btf >= 0:
        load += struct.pack("<IIQIIQI", btf, 8, ctypes.addressof(func), 1, 16,
                            ctypes.addressof(lines), 4)
    program = bpf(PROG_LOAD, load)
    if program < 0:
        sys.exit("errno %d" % ctypes.get_errno())
    print("loaded" if btf < 0 else "loaded with lines", flush=True)
    data = ctypes.create_string_buffer(64)
    run = struct.pack("<IIIIQQI", program, 0, 64, 0, ctypes.addressof(data), 0, 2000)
    while bpf(PROG_TEST_RUN, run) == 0:
        pass


main()
