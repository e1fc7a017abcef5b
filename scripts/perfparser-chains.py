#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Prints what hotspot makes of a recording as `perf script` does, for compare-chains.py.

    hotspot-perfparser --input perf.data --output perf.parsed
    scripts/perfparser-chains.py perf.parsed > b.txt
    perf script -F pid,tid,time,ip,sym --ns -i perf.data > a.txt
    scripts/compare-chains.py a.txt b.txt

Its output is a stream of messages, each behind its size; numbers in them are big endian. Frames that
it guessed, because a stack copy ended early, are left out unless --guessed is given. Inlined
functions are one frame with the function that they are in.
"""
import argparse
import struct
import sys

LOCATION, SYMBOL, STRING, SAMPLE, TRACEPOINT_SAMPLE = 3, 4, 5, 13, 14


class Message:
    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        values = struct.unpack_from(">" + form, self.data, self.at)
        self.at += struct.calcsize(">" + form)
        return values[0] if len(values) == 1 else values


def messages(path):
    with open(path, "rb") as f:
        data = f.read()
    if data[:11] != b"QPERFSTREAM":
        sys.exit("%s: is not what hotspot-perfparser writes" % path)
    at = 16
    while at + 4 <= len(data):
        size, = struct.unpack_from("<I", data, at)
        yield Message(data[at + 4:at + 4 + size])
        at += 4 + size


class Profile:
    def __init__(self):
        self.strings, self.locations, self.symbols = {}, {}, {}

    def frame(self, location):
        """Its address, and the function that is not inlined: the last of its parents."""
        address = self.locations.get(location, (0, -1))[0]
        while self.locations.get(location, (0, -1))[1] != -1:
            location = self.locations[location][1]
        return address, self.symbols.get(location, "[unknown]")

    def sample(self, m, guessed):
        pid, tid, time, _, nr = m.take("iiQII")
        frames = [m.take("i") for _ in range(nr)]
        if not guessed:
            frames = frames[:len(frames) - m.take("B")]
        print("%d/%d %d.%09d:" % (pid, tid, time // 10**9, time % 10**9))
        for location in frames:
            print("\t%16x %s" % self.frame(location))
        print()


def main():
    parser = argparse.ArgumentParser(description="See the top of this file.")
    parser.add_argument("parsed")
    parser.add_argument("--guessed", action="store_true")
    args = parser.parse_args()
    p = Profile()
    for m in messages(args.parsed):
        kind = m.take("B")
        if kind == STRING:
            number, size = m.take("iI")
            p.strings[number] = m.data[m.at:m.at + size].decode(errors="replace")
        elif kind == LOCATION:
            number, address, _, _, _, _, parent = m.take("iQiIiii")
            p.locations[number] = address, parent
        elif kind == SYMBOL:
            number, name = m.take("ii")
            p.symbols[number] = p.strings.get(name, "[unknown]")
        elif kind in (SAMPLE, TRACEPOINT_SAMPLE):
            p.sample(m, args.guessed)


main()
