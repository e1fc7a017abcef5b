#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: seeds.py TARGET DIR

Writes the inputs into DIR that a fuzz target begins with when nothing is known of it yet: from
tests/data, and made up. See README.md.
"""
import glob
import io
import os
import random
import struct
import subprocess
import sys
import tarfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DATA = os.path.join(TESTS, "data")
RECORDING_MAX = 30000
ELF_MAX = 20000


def unzstd(path):
    return subprocess.run(["zstd", "-dqc", path], stdout=subprocess.PIPE, check=True).stdout


def recordings():
    """(name, bytes) of the beginning of each, and in the other byte order where they are whole."""
    names = []
    for folder in ("deferred", "notes", "perf-5.10", "s390x", "vm"):
        names += sorted(glob.glob(os.path.join(DATA, folder, "*.data.zst")) +
                        glob.glob(os.path.join(DATA, folder, "*.pipe.zst")))
    for path in names:
        name = os.path.basename(path)[:-4]
        data = unzstd(path)[:RECORDING_MAX]
        yield name, data
        with open("whole", "wb") as f:
            f.write(data)
        swap = subprocess.run([sys.executable, os.path.join(TESTS, "lib", "swap-bytes.py"), "whole",
                               "swapped"], stderr=subprocess.DEVNULL, check=False)
        if not swap.returncode:
            with open("swapped", "rb") as f:
                yield name + ".swapped", f.read()
    for name in ("whole", "swapped"):
        if os.path.exists(name):
            os.unlink(name)


def elf_files():
    for path in sorted(glob.glob(DATA + "/sframe/*") + glob.glob(DATA + "/debug-frame/prog*") +
                       glob.glob(DATA + "/steps/*.elf.zst")):
        with open(path, "rb") as f:
            data = f.read()
        if path.endswith(".zst"):
            data = unzstd(path)
        if data[:4] == b"\x7fELF" and len(data) < ELF_MAX:
            yield os.path.basename(path), data


def section(elf, wanted):
    """The bytes of a section of a file of 64 bits."""
    order = ">" if elf[5] == 2 else "<"
    at, = struct.unpack_from(order + "Q", elf, 40)
    size, nr, names = struct.unpack_from(order + "HHH", elf, 58)
    heads = [struct.unpack_from(order + "IIQQQQ", elf, at + i * size) for i in range(nr)]
    for name, _, _, _, offset, length in heads:
        start = heads[names][4] + name
        if elf[start:elf.index(b"\0", start)] == wanted:
            return elf[offset:offset + length]
    return b""


def seeds_unwind():
    """In front: the architecture, registers, and a stack."""
    for name, data in elf_files():
        arch = 1 if "a64" in name else 2 if "s390x" in name else 0
        yield name, bytes([arch]) + bytes(511) + data
        for kind, what in ((8, b".eh_frame"), (12, b".debug_frame")):
            cfi = section(data, what)
            if cfi:
                yield name + what.decode(), bytes([arch | kind]) + bytes(511) + cfi


def seeds_code():
    for name, data in elf_files():
        if data[18] == 62:
            yield name, section(data, b".text")[:4000]
    yield "frame", bytes.fromhex("554889e54883ec10e8000000007405ffc9ebf1c95dc3f30f1efa4157415641"
                                 "55415455534881ec8800000085c00f84100000004881c4880000005b5d415c"
                                 "415d415e415fc3ff2500000000c5f877c362f17c48280490")


def seeds_rows_cache():
    """Changes of a good file: none, by page, and of its head."""
    for how in range(4):
        yield "good%d" % how, bytes([how])
        for at in range(96):
            yield "head%d-%d" % (how, at), bytes([how, 2, at, 0, 255])


def seeds_go_table():
    steps = bytes([0, 2, 4, 48, 0xf0, 1, 47, 8, 0]).ljust(16, b"\0")
    names = b"\0main.a\0main.b\0runtime.sigreturn".ljust(40, b"\0")
    for magic, flags_at in ((0xfffffff0, 37), (0xfffffff1, 41)):
        for text in (0x1000, 0):
            head = struct.pack("<IHBB8Q", magic, 0, 1, 8, 4, 0, text, 88, 0, 0, 72, 128)
            funcs, about = b"", b""
            for i in range(4):
                funcs += struct.pack("<II", 0x100 * i, 40 + 44 * i)
                one = bytearray(44)
                struct.pack_into("<I", one, 4, (1, 8, 0, 15)[i])
                struct.pack_into("<I", one, 16, 1)
                one[flags_at] = (0, 0, 1, 2)[i]
                about += one
            funcs += struct.pack("<II", 0x400, 0)
            yield "%x-%x" % (magic, text), b"\x10" + head + steps + names + funcs + about
            # Of the same length: function 1 is a closure of function 0's, and 3 is systemstack().
            stacks = b"\0x\0x.func1\0runtime.systemstack".ljust(40, b"\0")
            for i, name in enumerate((1, 3, 0, 11)):
                about = about[:44 * i + 4] + struct.pack("<I", name) + about[44 * i + 8:]
            yield "stack%x-%x" % (magic, text), b"\x10" + head + steps + stacks + funcs + about


def seeds_names():
    names = """_Z1fv _ZN3foo3barEv _ZNSt6vectorIiSaIiEE9push_backERKi _ZN1AC2ERKS_ _ZTV3foo _ZThn8_N1A1fEv
        _ZNKSt8functionIFvvEEclEv _ZZN1a1bEvENKUlvE_clEv _Z1fIJicdEEvDpT_ _ZdlPv _ZN12_GLOBAL__N_11fEv
        _ZN4core3fmt5write17h0123456789abcdefE _ZN4_$LT$a$u20$as$u20$b$GT$1c17h0123456789abcdefE.llvm.1
        _RNvC6_123foo3bar _RNvNtC3std3mem8align_of _RINvC1a1bINtC1c1dhEE _RNCNvC1a1b0 _RNvXC1aNtB2_1bNtB2_1c
        _RNvMs_C1aNtB4_1b1c _RINvC1a1bKj3_Kb1_Kc61_E _RINvC1a1bFUKCjEuRL_eTjlEAh4_ShOhPhDNtB2_1cEL_E
        _RINvC1a1bDG_INtC1c1dL0_p1eNtB2_1fEEL_E _RNvC1au9caf_dma1c.llvm.1 camlStdlib__List__map_123 camlA$20b"""
    for i, name in enumerate(names.split()):
        yield "name%d" % i, name.encode()


def seeds_symbol_text():
    yield "map", (b"400000 100 first\n0x400080 0x20 second name\n400000 10 again\n"
                  b"ffffffffffffff00 ff end\n7f0000000000 0 none\r\nx y z\n10 10")
    yield "kallsyms", (b"ffffffff81000000 T _text\nffffffff81000000 T _stext\nffffffff81000100 t f\n"
                       b"ffffffff81000100 W g\nffffffff82000000 D data\n0000000000000000 A zero\n"
                       b"ffffffffc0000000 t ext4_f\t[ext4]\nffffffffc0000010 t bpf_prog\t[bpf]\n")


def jitdump(order, padding=0, flags=0):
    """A jitdump file with one record of each kind, and two functions at one address."""
    def record(kind, time, body):
        return struct.pack(order + "IIQ", kind, 16 + len(body), time) + body

    def load(time, addr, index, name, code):
        return record(0, time, struct.pack(order + "IIQQQQ", 7, 7, addr, addr, len(code), index) +
                      name + b"\0" + code)
    at, code = 0x7f0000001000, bytes.fromhex("4883ec18ffc975fc4883c418c3")
    lines = b"".join(struct.pack(order + "QII", at + 4 * i, line, 0) + name + b"\0"
                     for i, (line, name) in enumerate(((7, b"a.js"), (8, b"\xff"), (3, b"b.js"))))
    frame = bytes.fromhex("1400000000000000017a5200017810011b0c070890010000140000001c000000"
                          "d0ffffff0d00000000440e20490e080000000000")
    return (struct.pack(order + "IIIIIIQQ", 0x4a695444, 1, 40, 62, padding, 7, 99, flags) +
            record(2, 100, struct.pack(order + "QQ", at, 3) + lines) +
            record(4, 101, struct.pack(order + "QQQ", len(frame), 0, len(frame)) + frame) +
            load(102, at, 1, b"first", code) + load(90, at + 4, 2, b"earlier", code * 3) +
            record(1, 110, struct.pack(order + "IIQQQQQ", 7, 7, at, at, at + 64, len(code), 1)) +
            record(99, 111, b"unknown") + record(3, 120, b""))


def seeds_gdb_object():
    yield from elf_files()


def seeds_jitdump():
    yield "little", jitdump("<")
    yield "big", jitdump(">")
    yield "v8", jitdump("<", 0xdeadbeef, 1)
    yield "cut", jitdump("<")[:-30]
    yield "zeros", jitdump("<")[:40] + bytes(100)


def tar_of(*members):
    out = b""
    for name, data, kind in members:
        head = bytearray(struct.pack("100s8s8s8s12s12s8sc100s6s2s", name, b"0000600", b"0000000",
                                     b"0000000", b"%011o" % len(data), b"00000000000", b" " * 8,
                                     kind, b"", b"ustar", b"00").ljust(512, b"\0"))
        head[148:156] = b"%06o\0 " % sum(head)
        out += bytes(head) + data + bytes(-len(data) % 512)
    return out


def seeds_bundle():
    members = ((b"perf.data", b"PERFILE2", b"0"), (b"elf/12", b"\x7fELF" * 100, b"0"),
               (b"../x", b"x", b"0"), (b"elf/34", b"", b"2"), (b"elf", b"", b"5"))
    yield "all", b"\0" + tar_of(*members) + bytes(1024)
    yield "twice", b"\0" + tar_of(*members[:2], *members[:2])
    yield "cut", b"\0" + tar_of(*members)[:700]
    packed = subprocess.run(["zstd", "-qc"], input=tar_of(*members), stdout=subprocess.PIPE,
                            check=True).stdout
    yield "packed", b"\1" + packed


def seeds_activity():
    """In front: what the rest is."""
    trace, span = bytes(range(16)), bytes(range(8))
    attributes = b"\4\3userbob\5\0empty"
    for kind, value in ((1, b""), (2, b""), (3, b"12345678"), (3, b"123")):
        head = struct.pack("<BBBBHH", 1, 1, kind, 1, len(value), 2) + trace + span
        item = head + value + attributes
        yield "side%d-%d" % (kind, len(value)), b"\0" + struct.pack(
            "<II", 0x7d5e0007, 3) + b"abc".ljust(8, b"\0") + struct.pack(
            "<II", 0x7d5e0001, len(item)) + item
        yield "swapped%d-%d" % (kind, len(value)), b"\0" + struct.pack(
            ">II", 0x7d5e0001, len(item)) + item
    strings = b"\0u32\0x\0y\0outer\0in\0"
    types = struct.pack("<III4s", 1, 1 << 24, 4, b" \0\0\0")
    types += struct.pack("<III", 0, 10 << 24, 1)
    types += struct.pack("<IIIIIIIII", 0, 5 << 24 | 2, 8, 5, 1, 0, 7, 2, 32)
    types += struct.pack("<IIIIIIIII", 9, 4 << 24 | 2, 16, 0, 3, 0, 15, 3, 64)
    yield "btf", b"\1" + struct.pack("<HBBIIIII", 0xeb9f, 1, 0, 24, 0, len(types), len(types),
                                     len(strings)) + types + strings
    def field(number, data):
        return bytes([number << 3 | 2, len(data)]) + data
    names = b"".join(field(1, field(1, n)) for n in (b"route", b"user", b""))
    yield "names", b"\2" + field(2, field(1, b"threadlocal.attribute_key_map") +
                                 field(2, field(5, names)))
    for name, data in elf_files():
        if len(data) < 40000:
            yield "elf" + name, b"\3" + data


def seeds_control():
    yield "all", b"enable\ndisable cycles\nevlist -v\nsnapshot\nping\nstop\nwhat\nenable  x y\0"
    yield "long", b"enable " + b"e" * 300 + b"\nping\n"


def seeds_config():
    yield "all", (b"# settings\n[core]\n\tpager = less -S\n[pager]\nreport = no\nscript\n"
                  b"[report]\n group = true\n percent-limit = 0.5 ; words\nchildren=off\n"
                  b"[call-graph]\nrecord-mode = dwarf\ndump-size = 8192\nprint-type=caller\n"
                  b"threshold=1\norder = callee\nsort-key=address\n[buildid]\ndir=/tmp/\\\nx\n"
                  b"[alias \"Sub \\\"x\"]\nname = \"a \\t b\"c\n[record]\ncall-graph = fp\n")


def seeds_expression():
    # breg7+8; deref; and: the rows of linkage tables by GNU ld
    yield "plt", bytes.fromhex("0377088000") + bytes.fromhex("3f1a3b2a3324")
    yield "deref", bytes.fromhex("037708069402")
    yield "branch", bytes.fromhex("02300128fdff2f0000161314151730319601080afe")
    yield "arithmetic", bytes.fromhex("02323334221c1e1d1b20211f1924252627292a2b2c2d2e2330")
    yield "constants", bytes.fromhex("010801090a0b0100c0c00d010000000c02000000100111020e01"
                                     "00000000000000030100000000000000")


def seeds_features():
    texts = b"".join(struct.pack("<I", 64) + t.ljust(64, b"\0") for t in (b"perf", b"record"))
    for number in range(34):
        yield "words%d" % number, bytes([number, 0]) + struct.pack("<I", 2) + texts
        yield "word%d" % number, bytes([number, 0]) + texts[:68]
        yield "numbers%d" % number, bytes([number, 1]) + struct.pack("<QQI", 1, 2, 3)
    path = b"/usr/bin/true".ljust(64, b"\0") + bytes(4)
    yield "build-id", bytes([2, 0]) + struct.pack("<IHHi24s", 0, 2, 36 + len(path), -1,
                                                  b"\xab" * 20 + b"\x14") + path
    event = bytes(64) + struct.pack("<II", 1, 64) + b"cycles".ljust(64, b"\0") + bytes(8)
    yield "events", bytes([12, 0]) + struct.pack("<II", 2, 64) + event * 2


def seeds_splice():
    """Parts of a sample, each with as much as it says, some of them in each input."""
    parts = ((16, b"ident ti"), (0, b"ip ip ip"), (1, b"pid tid "), (2, b"time tim"), (3, b"addr add"),
             (6, b"id id id"), (9, b"stream i"), (7, b"cpu cpu "), (8, b"period p"),
             (4, struct.pack("<Q", 7)), (5, struct.pack("<5Q", 4, 2**64 - 128, 1, 2**64 - 512, 2)),
             (10, struct.pack("<I4s", 4, b"raw!")), (11, struct.pack("<4Q", 1, 5, 6, 7)),
             (12, struct.pack("<3Q", 2, 8, 9)), (13, struct.pack("<Q16sQ", 16, b"stack!", 8)),
             (14, b"weight w"), (15, b"source s"), (17, b"transact"), (18, struct.pack("<2Q", 2, 3)),
             (19, b"physical"), (21, b"cgroup c"), (22, b"pagesize"), (23, b"codesize"),
             (20, struct.pack("<Q8s", 8, b"aux data")))
    for seed in range(60):
        rnd = random.Random(seed)
        some = [p for p in parts if rnd.random() < (1 if seed == 0 else 0.6)]
        kind = sum(1 << bit for bit, _ in some)
        yield "parts%d" % seed, struct.pack("<5Q4H", kind, 0, 0, 0x101, 0x8, 2, seed % 4,
                                            seed % 5, seed) + b"".join(p for _, p in some)


COMMON = """name: %s
ID: %d
format:
\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

%s
print fmt: %s
"""


def tracepoint_format(number, fields, text):
    lines, at = [], 8
    for kind, name, size in fields:
        lines.append("\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:0;" % (kind, name, at, size))
        at += size
    return (COMMON % ("event%d" % number, number, "\n".join(lines), text)).encode()


def seeds_tracepoint():
    formats = (
        ([("char", "comm[16]", 16), ("int", "pid", 4), ("long", "state", 8)],
         '"comm=%s pid=%d state=%s", REC->comm, REC->pid, __print_flags(REC->state & 255, "|", '
         '{ 1, "S" }, { 2, "D" }) ? "x" : "y"'),
        ([("long", "id", 8), ("unsigned long", "args[6]", 48)],
         '"NR %ld (%lx, %lx)", REC->id, REC->args[0], REC->args[5]'),
        ([("__data_loc char[]", "name", 4), ("__rel_loc u8[]", "rel", 4), ("u64", "addr", 8)],
         '"%s %s %pS", __get_str(name), __get_rel_str(rel), (void *)REC->addr'),
        ([("int", "len", 4), ("u8", "buf[8]", 8)],
         '"%s %*s %s", __print_hex(REC->buf, REC->len), REC->len, "a", '
         '__print_array(REC->buf, REC->len, 1)'),
        ([("u32", "a", 4), ("u32", "b", 4)],
         '"%u %s", REC->a / REC->b, __print_symbolic(REC->a % 3, { 0, "zero" }, { 1, "one" })'),
    )
    for i, (fields, text) in enumerate(formats):
        payload = struct.pack("<HBBi", 1 + i % 4, 0, 0, 7) + struct.pack("<IIQ", 4 << 16 | 24, 0, 1)
        payload += b"abc\0".ljust(64, b"\0")
        payload = payload[:len(payload) & -4]
        yield "format%d" % i, bytes([len(payload) // 4]) + payload + \
            tracepoint_format(1 + i % 4, fields, text)
    yield "whole", b"\0" + b"\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page\0" + bytes(8) + \
        b"header_event\0" + bytes(8) + bytes(8) + bytes(4) + bytes(4) + bytes(8)


def seeds_option_and_recording():
    for i, (name, data) in enumerate(recordings()):
        for option in range(10) if len(data) < 10000 else (i % 10,):
            yield "%s-%d" % (name, option), bytes([option]) + data


def cut_file(data):
    """A file of perf.data that ends with its last whole record; None: it is no such file."""
    if data[:8] != b"PERFILE2" or len(data) < 104:
        return None
    at, size = struct.unpack_from("=QQ", data, 40)
    if at + size <= len(data):
        return data
    end = at
    while end + 8 <= len(data):
        step, = struct.unpack_from("=H", data, end + 6)
        if step < 8 or end + step > len(data):
            break
        end += step
    return data[:48] + struct.pack("=Q", end - at) + data[56:72] + bytes(32) + data[104:end]


def seeds_meaning():
    """In front: the command, the number of changes, and the changes."""
    rnd = random.Random(1)
    with tarfile.open(fileobj=io.BytesIO(unzstd(DATA + "/fuzz/report.tar.zst"))) as tar:
        found = [(member.name, tar.extractfile(member).read()[1:]) for member in tar]
    for name, data in [*recordings(), *found[::3]]:
        data = cut_file(data)
        for turn in range(4 if data else 0):
            nr = (0, 1, 4, 20)[turn]
            yield "%s-%d" % (name, turn), bytes([rnd.randrange(256), nr]) + rnd.randbytes(8 * nr) + data


def seeds_dwarf_trees():
    """Bytes that choose: the longer, the more of a tree there is."""
    rnd = random.Random(1)
    for nr in range(200):
        yield "%d" % nr, rnd.randbytes(16 << nr % 9)


def seeds_cfa():
    programs = ("0e10860243 0d06410c0708", "440e18830300000000", "0a0e200b", "0f0377080602 1008",
                "160702770009060710", "0c0708900141 0e10 0206 0e18 0304000e20 0410000000c1",
                "1201780e10130214020811067f0506020603 0707 08062e10")
    for i, program in enumerate(programs):
        yield "program%d" % i, bytes([i]) + bytes.fromhex(program.replace(" ", ""))


def seeds_walk():
    stack = bytes((i * 37 + 9) & 0xff for i in range(64))
    for i, (_, program) in enumerate(seeds_cfa()):
        for arch, cie in ((0, "0c07089001"), (1, "0c1f00")):
            cie = bytes.fromhex(cie)
            yield "walk%d-%d" % (i, arch), bytes([arch, len(cie)]) + stack + cie + program[1:]


def seeds_agent():
    name = struct.pack("<IIIHH", 40, 7, 4, 4, 4) + b"nameb.py" + bytes.fromhex("d0008000")
    name = name.ljust(40, b"\0")
    for frames in 0, 1, 3:
        record = struct.pack("<IHHQQQQQ", 48 + 16 * frames, 0, frames, 1, 10, 11, 0x401000, 0x7fff0000)
        record += struct.pack("<IIQ", 1, 2, 0x7fff0100) * frames
        ring = struct.pack("<IIQQQ", 77, 0, 1, len(record), 0).ljust(64, b"\0")
        head = struct.pack("<QQI", len(name), 0, 1).ljust(64, b"\0")
        yield "frames%d" % frames, (head + ring).ljust(256, b"\0") + name.ljust(256, b"\0") + record


def seeds_bpf_lines():
    """In front: the program that is asked for, and the length of the types."""
    strings = b"\0/src/a.c\0b.c\0"
    types = struct.pack("<III", 1, 7, 24 + len(strings)) + struct.pack(
        "<HBBIIIII", 0xeb9f, 1, 0, 24, 0, 0, 0, len(strings)) + strings
    lines = b"".join(struct.pack("<4I", i, 1 + 9 * (i % 2), 1, (10 + i) << 10) for i in range(4))
    addrs = struct.pack("<4Q", 0x3000, 0x3010, 0x1008, 0x1020)
    starts, tags = struct.pack("<2Q", 0x3000, 0x1000), bytes(range(16))
    for kind, (size, bits, btf) in enumerate(((192, 0x1c8, 7), (256, 0x1c8, 7), (192, 0x1c8, 8),
                                              (192, 0x1c0, 7), (180, 0x1c8, 7))):
        info = bytearray(size)
        struct.pack_into("<I", info, 104, 2)
        struct.pack_into("<Q", info, 112, 0)                   # jited_ksyms
        struct.pack_into("<I", info, 128, btf)
        struct.pack_into("<IQQIII", info, 148, 4, 48, 16, 4, 16, 8)
        if size > 184:
            struct.pack_into("<IQ", info, 180, 2, 112)         # prog_tags
        one = struct.pack("<IIQ", size, 128, bits) + info + starts + addrs + lines + tags
        for number, nr in enumerate((1, 2, 0xffffffff)):
            for start, tag in ((0x3000, tags[:8]), (0x1000, tags[8:])):
                yield "program%d-%d-%x" % (kind, number, start), struct.pack(
                    "<Q8sH", start, tag, len(types)) + types + struct.pack("<I", nr) + one * 2


SEEDS = {
    "reader": recordings, "stitch": recordings, "copy": recordings, "whole": recordings,
    "report": seeds_option_and_recording, "script": seeds_option_and_recording,
    "export": seeds_option_and_recording,
    "live": seeds_option_and_recording,
    "sframe": elf_files, "symbols": elf_files, "lines": elf_files, "unwind": seeds_unwind,
}


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    target, folder = sys.argv[1], sys.argv[2]
    make = SEEDS.get(target) or globals()["seeds_" + target.replace("-", "_")]
    os.chdir(folder)
    for name, data in make():
        with open("seed-" + name, "wb") as f:
            f.write(data)


if __name__ == "__main__":
    main()
