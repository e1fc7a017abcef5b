#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""strip-notes.py IN OUT: a recording without its stack notes (Documentation/design/stack-notes.md).

Shares no code with perf. Works on files in this machine's byte order, not compressed, of events
whose samples end in their callchain, or in user registers and a stack copy. Prints what it found.
"""
import struct
import sys

MARK, SAMPLE, NOTE = 65, 9, 0x1ff << 3
FIXED = {1 << 16, 1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 6, 1 << 9, 1 << 7, 1 << 8}
CALLCHAIN, REGS, STACK = 1 << 5, 1 << 12, 1 << 13


def word(record, at):
    return struct.unpack_from("<Q", record, at)[0]


def main(source, target):
    data = open(source, "rb").read()
    attr_size, attrs, attrs_size, start, size = struct.unpack_from("<5Q", data, 16)
    sample_type, = struct.unpack_from("<Q", data, attrs + 24)
    regs, = struct.unpack_from("<Q", data, attrs + 80)
    known = sum(FIXED) | CALLCHAIN | REGS | STACK
    assert not sample_type & ~known and sample_type & CALLCHAIN
    chain_at = 8 + 8 * sum(bool(sample_type & bit) for bit in FIXED)
    out, at, marks, notes, extra = bytearray(), start, 0, 0, 0
    while at < start + size:
        kind, misc, length = struct.unpack_from("<IHH", data, at)
        record = bytearray(data[at:at + length])
        at += length
        if kind == MARK:
            marks += 1
            continue
        if kind == SAMPLE:
            end = chain_at + 8 + 8 * word(record, chain_at)
            if sample_type & REGS:
                end += 8 + 8 * bin(regs).count("1") * bool(word(record, end))
            if sample_type & STACK:
                room = word(record, end)
                end += 8 + (room + 8 if room else 0)
            notes += misc & NOTE != 0
            extra += length - end
            record = record[:end]
            struct.pack_into("<IHH", record, 0, kind, misc & ~NOTE, end)
        out += record
    head, rest = bytearray(data[:start]), bytearray(data[start + size:])
    struct.pack_into("<Q", head, 48, len(out))
    for i in range(sum(bin(byte).count("1") for byte in data[72:104])):
        offset, = struct.unpack_from("<Q", rest, 16 * i)
        struct.pack_into("<Q", rest, 16 * i, offset - size + len(out))
    open(target, "wb").write(head + out + rest)
    print("%d mark, %d notes, %d bytes behind samples" % (marks, notes, extra))


main(*sys.argv[1:])
