# SPDX-License-Identifier: GPL-2.0-only
"""Fields of tracepoints of this machine, by their formats in tracefs."""
import functools
import glob
import os
import re
import struct
import sys

PLACES = ("/sys/kernel/tracing/events", "/sys/kernel/debug/tracing/events")
FIELD = re.compile(r"field:([^;]*);\s*offset:(\d+);\s*size:(\d+);\s*signed:([01]);")


class field:
    """Where a field lies in the payload, and what it is."""
    def __init__(self, declaration, offset, size, signed):
        self.name = re.findall(r"\w+", re.sub(r"\[.*?\]", "", declaration))[-1]
        self.place = slice(offset, offset + size)
        self.is_signed = signed
        self.is_moved = declaration.startswith(("__data_loc", "__rel_loc")) # it says where it is
        self.is_relative = declaration.startswith("__rel_loc")
        self.is_array = self.is_moved or "[" in declaration
        self.is_string = self.is_array and re.search(r"\bchar\b", declaration) is not None

    def value(self, raw):
        """A number, a string, or the bytes of another array."""
        data = raw[self.place]
        if not self.is_array:
            return int.from_bytes(data, sys.byteorder, signed=self.is_signed)
        if self.is_moved:
            where, = struct.unpack("=I", data)
            start = (where & 0xffff) + (self.place.stop if self.is_relative else 0)
            data = raw[start:start + (where >> 16)]
        if self.is_string:
            return data.split(b"\0")[0].decode("utf-8", "surrogateescape")
        return bytearray(data)


@functools.cache
def _folders():
    """{id: folder} of all tracepoints: some thousand files, which are read once."""
    found = {}
    for path in glob.glob(PLACES[0] + "/*/*/id") or glob.glob(PLACES[1] + "/*/*/id"):
        try:
            with open(path, encoding="ascii") as f:
                found[int(f.read())] = os.path.dirname(path)
        except (OSError, ValueError):
            pass # it has just gone
    return found


@functools.cache
def fields(number):
    """{name: field} of the tracepoint with that number; empty: it is not there, or not for us."""
    try:
        with open(_folders()[number] + "/format", encoding="ascii", errors="replace") as f:
            text = f.read()
    except (KeyError, OSError):
        return {}
    found = [field(d, int(o), int(s), b == "1") for d, o, s, b in FIELD.findall(text)]
    return {f.name: f for f in found}
