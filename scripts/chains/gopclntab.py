# SPDX-License-Identifier: GPL-2.0-only
"""The functions of a program of Go, which has them in .gopclntab even when it was stripped: Go 1.16
and later, as runtime/symtab.go of Go's source describes it."""
import struct

GO_1_16, GO_1_18, GO_1_20 = 0xfffffffa, 0xfffffff0, 0xfffffff1


def functions(table, text):
    """[(address, end, name)] of the bytes of the section; code without a known start is at
    @text."""
    magic, size = struct.unpack_from("<I3xB", table, 0)
    if magic not in (GO_1_16, GO_1_18, GO_1_20) or size != 8:
        return []
    new = magic != GO_1_16
    words = struct.unpack_from("<8Q" if new else "<7Q", table, 8)
    nr, names, entries = words[0], words[3 if new else 2], words[-1]
    start = (words[2] or text) if new else 0
    form = struct.Struct("<II" if new else "<QQ")
    rows = list(form.iter_unpack(table[entries:entries + form.size * nr]))
    last, = struct.unpack_from("<I" if new else "<Q", table, entries + form.size * nr)
    found = []
    for (at, info), (end, _) in zip(rows, rows[1:] + [(last, 0)]):
        name, = struct.unpack_from("<i", table, entries + info + (4 if new else 8))
        stop = table.find(b"\0", names + name)
        found.append((start + at, start + end, table[names + name:stop].decode(errors="replace")))
    return found
