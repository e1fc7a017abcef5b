#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: swap-bytes.py IN OUT [--compress]

Makes of a recording of this machine what a machine of the other byte order would have written: a
file or a pipe's stream, without COMPRESSED records; with --compress (needs the zstd command) its
records are put into such. It shares no code with the program, so that it can test it.

Stack copies and payloads of tracepoints stay as they are: their order is that of the recorded
architecture, and of the tracing data, which stay, too.
"""
import struct
import subprocess
import sys

SAMPLE = {name: 1 << bit for bit, name in enumerate(
    "IP TID TIME ADDR READ CALLCHAIN ID CPU PERIOD STREAM_ID RAW BRANCH_STACK REGS_USER "
    "STACK_USER WEIGHT DATA_SRC IDENTIFIER TRANSACTION REGS_INTR PHYS_ADDR AUX CGROUP "
    "DATA_PAGE_SIZE CODE_PAGE_SIZE WEIGHT_STRUCT".split())}

ATTR = "II" "QQQQ" "Q" "II" "QQQQ" "I" "i" "Q" "I" "HH" "II" "QQQ"
FLAGS_AT = 40
FLAGS = [1] * 15 + [2] + [1] * 47
BRANCH_FLAGS = [1, 1, 1, 1, 16, 4, 2, 4, 3] + [1] * 31

RECORDS = { # what is in front of strings and other bytes; lower case: up to the end
    1: "IIQQQ", 2: "QQ", 3: "II", 4: "IIIIQ", 5: "QQQ", 6: "QQQ", 7: "IIIIQ", 8: "IIq",
    10: "IIQQQIIQQII", 11: "QQQ", 12: "II", 13: "Q", 15: "II", 16: "IIq", 17: "QIHH", 18: "HHI",
    19: "Q", 20: "QHH", 21: "Q", 22: "q",
    66: "I", 67: "I", 69: "q", 73: "Q", 75: "q", 76: "QIIQQQ", 77: "QQ", 79: "QQQQQ",
}


class Swapper:
    """Walks over bytes and writes what it passes in the other byte order."""

    def __init__(self, data, at=0):
        self.data, self.at, self.out = data, at, bytearray()

    def take(self, code):
        size = struct.calcsize("=" + code)
        value, = struct.unpack_from("=" + code, self.data, self.at)
        self.out += self.data[self.at:self.at + size][::-1]
        self.at += size
        return value

    def each(self, codes):
        return [self.take(code) for code in codes]

    def bytes(self, size):
        self.out += self.data[self.at:self.at + size]
        self.at += size

    def words(self, nr):
        for _ in range(nr):
            self.take("Q")

    def string(self):
        self.bytes(self.take("I"))

    def fields(self, widths):
        """Bit fields of a u64: from its other end, each with its bits in their order."""
        value, = struct.unpack_from("=Q", self.data, self.at)
        value_out, at = 0, 0
        for width in widths:
            field = value >> at & (1 << width) - 1
            at += width
            value_out |= field << 64 - at
        self.out += value_out.to_bytes(8, "big" if sys.byteorder == "little" else "little")
        self.at += 8


class Attr:
    def __init__(self, data, at):
        self.size, = struct.unpack_from("=I", data, at + 4)
        self.sample_type, self.read_format, self.flags = struct.unpack_from("=QQQ", data, at + 24)
        self.id_all = self.flags >> 18 & 1
        self.branch_type, self.regs_user = struct.unpack_from("=QQ", data, at + 72)
        self.regs_intr, = struct.unpack_from("=Q", data, at + 96) if self.size >= 104 else (0,)
        self.ids = []

    def id_pos(self):
        if self.sample_type & SAMPLE["IDENTIFIER"]:
            return 0
        before = SAMPLE["IP"] | SAMPLE["TID"] | SAMPLE["TIME"] | SAMPLE["ADDR"]
        return bin(self.sample_type & before).count("1")


def swap_attr(s, size):
    start = s.at
    for code in ATTR:
        if s.at - start == FLAGS_AT:
            s.fields(FLAGS)
        elif s.at - start + struct.calcsize("=" + code) <= size:
            s.take(code)
    assert s.at - start <= size
    s.words((size - (s.at - start)) // 8)


class Recording:
    def __init__(self):
        self.attrs = []

    def attr_of(self, data, sample_at=None, end=None):
        if len(self.attrs) == 1 or not self.attrs:
            return self.attrs[0] if self.attrs else None
        first = self.attrs[0]
        if sample_at is not None:
            at = sample_at + 8 * first.id_pos()
        else:
            behind = 0 if first.sample_type & SAMPLE["IDENTIFIER"] else bin(
                first.sample_type & (SAMPLE["STREAM_ID"] | SAMPLE["CPU"])).count("1")
            at = end - 8 * (behind + 1)
        number, = struct.unpack_from("=Q", data, at)
        for attr in self.attrs:
            if number in attr.ids:
                return attr
        return first

    def sample(self, s, end):
        attr = self.attr_of(s.data, sample_at=s.at)
        has = lambda name: attr.sample_type & SAMPLE[name]
        for name in ("IDENTIFIER IP TID TIME ADDR ID STREAM_ID CPU PERIOD").split():
            if has(name):
                s.each("II" if name in ("TID", "CPU") else "Q")
        if has("READ"):
            values = s.take("Q") if attr.read_format & 8 else 1
            s.words(bin(attr.read_format & 3).count("1"))
            s.words(values * (1 + bin(attr.read_format & 0x14).count("1")))
        if has("CALLCHAIN"):
            s.words(s.take("Q"))
        if has("RAW"):
            s.bytes(s.take("I"))
        if has("BRANCH_STACK"):
            nr = s.take("Q")
            if attr.branch_type & 1 << 17:
                s.take("Q")
            for _ in range(nr):
                s.words(2)
                s.fields(BRANCH_FLAGS)
            if attr.branch_type & 1 << 19:
                s.words(nr)
        if has("REGS_USER") and s.take("Q"):
            s.words(bin(attr.regs_user).count("1"))
        if has("STACK_USER"):
            size = s.take("Q")
            if size:
                s.bytes(size)
                s.take("Q")
        if has("WEIGHT") or has("WEIGHT_STRUCT"):
            s.take("Q")
        for name in ("DATA_SRC", "TRANSACTION"):
            if has(name):
                s.take("Q")
        if has("REGS_INTR") and s.take("Q"):
            s.words(bin(attr.regs_intr).count("1"))
        for name in ("PHYS_ADDR", "CGROUP", "DATA_PAGE_SIZE", "CODE_PAGE_SIZE"):
            if has(name):
                s.take("Q")
        if has("AUX"):
            s.bytes(s.take("Q"))
        assert s.at == end, (s.at, end)

    def trailer(self, s, attr):
        for name in "TID TIME ID STREAM_ID CPU IDENTIFIER".split():
            if attr.sample_type & SAMPLE[name]:
                s.each("II" if name in ("TID", "CPU") else "Q")

    def cpu_map(self, s, end):
        what = s.take("H")
        if what == 0:
            s.each("H" * ((end - s.at) // 2))
        elif what == 1:
            long_size = s.each("HH")[1]
            if long_size == 8:
                s.bytes(4)
            s.each(("Q" if long_size == 8 else "I") * ((end - s.at) // long_size))
        else:
            s.bytes(2)
            s.each("HH")

    def body(self, s, kind, misc, end):
        layout = RECORDS.get(kind, "")
        # Of others the kernel may say so, too, when somebody else asked for build-ids.
        asked = any(attr.flags >> 34 & 1 for attr in self.attrs)
        if kind == 10 and misc & 1 << 14 and (asked or s.data[s.at + 32] in (16, 20)):
            s.each("IIQQQ")
            s.bytes(24)
            layout = "II"
        for code in layout:
            if code.islower():
                s.words((end - s.at) // 8)
            else:
                s.take(code)
        while kind == 73 and s.at < end: # THREAD_MAP
            s.take("Q")
            s.bytes(16)
        if kind == 74: # CPU_MAP
            self.cpu_map(s, end)
        s.bytes(end - s.at)

    def record(self, s):
        start = s.at
        kind, misc, size = s.each("IHH")
        end = start + size
        if kind == 9:
            self.sample(s, end)
        elif kind == 64: # ATTR
            attr = Attr(s.data, s.at)
            swap_attr(s, attr.size)
            attr.ids = [s.take("Q") for _ in range((end - s.at) // 8)]
            self.attrs.append(attr)
        elif kind == 78: # EVENT_UPDATE
            what = s.each("QQ")[0]
            if what == 1:
                s.take("Q")
            elif what == 3:
                self.cpu_map(s, end)
            s.bytes(end - s.at)
        elif kind == 80: # FEATURE
            feature(s, s.take("Q"), end, self)
        else:
            attr = self.attr_of(s.data, end=end) if kind < 64 else None
            trailer = 0
            if attr and attr.id_all:
                trailer = 8 * bin(attr.sample_type & sum(SAMPLE[n] for n in (
                    "TID", "TIME", "ID", "STREAM_ID", "CPU", "IDENTIFIER"))).count("1")
            self.body(s, kind, misc, end - trailer)
            if trailer:
                self.trailer(s, attr)
            if kind == 66: # TRACING_DATA
                size, = struct.unpack_from("=I", s.data, start + 8)
                s.bytes(size + (-size & 7))
        assert kind not in (71, 81, 83), "cannot swap AUX or compressed data"

    cpus = 0


def feature(s, number, end, recording):
    strings = lambda nr: [s.string() for _ in range(nr)]
    if end == s.at:
        return
    if number == 2: # BUILD_ID
        while s.at < end:
            start = s.at
            size = s.each("IHH")[2]
            s.take("I")
            s.bytes(start + size - s.at)
    elif number in (3, 4, 5, 6, 8, 9):
        s.string()
    elif number == 7:
        recording.cpus = s.each("II")[0]
    elif number in (10, 23, 24):
        s.take("Q")
    elif number == 11:
        strings(s.take("I"))
    elif number == 12: # EVENT_DESC
        nr, size = s.each("II")
        for _ in range(nr):
            swap_attr(s, size)
            ids = s.take("I")
            s.string()
            s.words(ids)
    elif number == 13: # CPU_TOPOLOGY
        strings(s.take("I"))
        strings(s.take("I"))
        if s.at < end:
            s.each("II" * recording.cpus)
        if s.at < end:
            strings(s.take("I"))
            s.each("I" * recording.cpus)
    elif number == 14:
        for _ in range(s.take("I")):
            s.each("IQQ")
            s.string()
    elif number == 16:
        for _ in range(s.take("I")):
            s.take("I")
            s.string()
    elif number == 17:
        for _ in range(s.take("I")):
            s.string()
            s.each("II")
    elif number == 20: # CACHE
        for _ in range(s.each("II")[1]):
            s.each("IIII")
            strings(3)
    elif number in (21, 22):
        s.words((end - s.at) // 8)
    elif number == 26: # BPF_BTF
        for _ in range(s.take("I")):
            s.take("I")
            s.string()
    elif number == 27:
        s.each("IIIII")
    elif number in (28, 30):
        strings(2 * s.take("I"))
    elif number == 29:
        s.each("IIQQ")
    elif number == 31:
        for _ in range(s.take("I")):
            strings(2 * s.take("I"))
            s.string()
    elif number == 32: # CPU_DOMAIN_INFO
        s.each("II")
        while s.at < end:
            for _ in range(s.each("II")[1]):
                s.take("I")
                strings(3)
    elif number in (33, 34):
        s.each("I" * ((end - s.at) // 4))
    s.bytes(end - s.at) # what is not swapped: TRACING_DATA, for one


def compress(records):
    packed = subprocess.run(["zstd", "-qc1"], input=bytes(records), check=True,
                            stdout=subprocess.PIPE).stdout
    out = bytearray()
    for at in range(0, len(packed), 50000):
        part = packed[at:at + 50000]
        out += struct.pack(OTHER + "IHH", 81, 0, 8 + len(part)) + part
    return out


OTHER = ">" if sys.byteorder == "little" else "<"


def swap_file(data, packed):
    s = Swapper(data)
    s.take("Q") # the magic
    header_size, entry, attrs, attrs_size, start, size = s.each("QQQQQQ")
    s.words((header_size - s.at) // 8)
    r = Recording()
    out = bytearray(data)
    out[:header_size] = s.out
    for at in range(attrs, attrs + attrs_size, entry):
        attr = Attr(data, at)
        s = Swapper(data, at)
        swap_attr(s, attr.size)
        s.words((entry - 16 - attr.size) // 8)
        ids, ids_size = s.each("QQ")
        out[at:at + entry] = s.out
        s = Swapper(data, ids)
        attr.ids = [s.take("Q") for _ in range(ids_size // 8)]
        out[ids:ids + ids_size] = s.out
        r.attrs.append(attr)
    s = Swapper(data, start)
    while s.at < start + size:
        r.record(s)
    out[start:start + size] = s.out
    bits = [b for b in range(256) if data[72 + b // 8] >> b % 8 & 1]
    table = Swapper(data, start + size)
    for bit in bits:
        offset, length = table.each("QQ")
        s = Swapper(data, offset)
        feature(s, bit, offset + length, r)
        out[offset:offset + length] = s.out
    out[start + size:start + size + len(table.out)] = table.out
    if not packed:
        return out
    # The sections of features move: their places are behind the data and in the table.
    records = compress(out[start:start + size])
    moved = len(records) - size
    behind = bytearray(out[start + size:])
    for i in range(len(bits)):
        offset, = struct.unpack_from(OTHER + "Q", behind, 16 * i)
        struct.pack_into(OTHER + "Q", behind, 16 * i, offset + moved)
    struct.pack_into(OTHER + "Q", out, 48, len(records))
    return out[:start] + records + behind


def swap_pipe(data, packed):
    s = Swapper(data)
    s.each("QQ")
    r = Recording()
    front = None
    while s.at < len(data):
        if front is None and struct.unpack_from("=I", data, s.at)[0] < 64:
            front = len(s.out)
        r.record(s)
    return s.out[:front] + compress(s.out[front:]) if packed else s.out


def main():
    with open(sys.argv[1], "rb") as f:
        data = f.read()
    pipe = struct.unpack_from("=Q", data, 8)[0] == 16
    with open(sys.argv[2], "wb") as f:
        f.write((swap_pipe if pipe else swap_file)(data, "--compress" in sys.argv[3:]))


main()
