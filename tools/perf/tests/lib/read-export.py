#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: read-export.py same PERF RECORDING FORMAT=FILE...
       read-export.py words FORMAT FILE
       read-export.py starts FILE

Reads what `perf data convert` has written, by the descriptions of the formats. "same" compares, for
each event, thread name and stack, the sums of the periods with those of `perf script --json`;
"words" prints what a file says of its stacks, and fails if it is not valid. "starts" prints the
functions of a pprof file, each with the line that it begins with.
"""
import collections
import gzip
import json
import sqlite3
import subprocess
import sys


def without_marks(stack):
    return tuple(f for f in stack if not f.startswith("[not whole: "))


def fields(data):
    """The fields of a message of Protocol Buffers: (number, value)."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = varint()
        if key & 7 == 0:
            yield key >> 3, varint()
        elif key & 7 == 1:
            at += 8
            yield key >> 3, int.from_bytes(data[at - 8:at], "little")
        elif key & 7 == 2:
            size = varint()
            if at + size > len(data):
                raise ValueError("a field ends behind its message")
            yield key >> 3, data[at:at + size]
            at += size
        else:
            raise ValueError("type %d of a field" % (key & 7))


def packed(data):
    return [v for _, v in fields(b"".join(b"\x08" + v for v in split_varints(data)))]


def split_varints(data):
    start = 0
    for i, byte in enumerate(data):
        if byte < 128:
            yield data[start:i + 1]
            start = i + 1


class Pprof:
    def __init__(self, path):
        data = open(path, "rb").read()
        if data[:2] == b"\x1f\x8b":
            data = gzip.decompress(data)
        parts = collections.defaultdict(list)
        for number, value in fields(data):
            parts[number].append(value)
        strings = [s.decode() for s in parts[6]]  # must be UTF-8
        used = [s for s in strings if s]  # halves of a profile have empty ones where others were
        if strings[0] or len(set(used)) != len(used):
            raise ValueError("strings")
        functions = {f[1]: strings[f[2]] for f in map(dict, map(fields, parts[5]))}
        self.starts = {strings[f[2]]: f.get(5, 0) for f in map(dict, map(fields, parts[5]))}
        mappings = {m[1] for m in map(dict, map(fields, parts[3]))}
        self.locations = {}
        for data in parts[4]:
            location, lines = dict(fields(data)), []
            for number, value in fields(data):
                if number == 4:
                    lines.append(functions[dict(fields(value))[1]])
            if location.get(2, 0) and location[2] not in mappings:
                raise ValueError("mapping %d" % location[2])
            self.locations[location[1]] = lines
        self.types = [strings[dict(fields(t))[1]] for t in parts[1]]
        self.words = "\n".join(strings[c] for c in parts[13])
        self.samples = [self.sample(s, strings) for s in parts[2]]

    def sample(self, data, strings):
        stack, values, labels = [], [], {}
        for number, value in fields(data):
            if number == 1:
                for location in packed(value):
                    stack += self.locations[location]
            elif number == 2:
                values = packed(value)
            else:
                label = dict(fields(value))
                labels[strings[label[1]]] = strings[label[2]] if 2 in label else label.get(3, 0)
        return tuple(reversed(stack)), dict(zip(self.types, values)), labels


def read_pprof(path):
    p = Pprof(path)
    sums = collections.Counter()
    for stack, values, labels in p.samples:
        sums[labels["event"], labels["comm"], stack] += values[labels["event"]]
    return sums, p.words


def read_folded(path):
    sums = collections.Counter()
    for line in open(path, encoding="utf-8", newline="\n"):
        stack, value = line.rstrip("\n").rsplit(" ", 1)
        comm, *frames = stack.split(";")
        sums[None, comm, tuple(frames)] += int(value)
    return sums, ""


def read_speedscope(path):
    top = json.load(open(path, encoding="utf-8"))
    frames = [f["name"] for f in top["shared"]["frames"]]
    sums = collections.Counter()
    for p in top["profiles"]:
        thread, event = p["name"].rsplit(" ", 1)
        if len(p["samples"]) != len(p["weights"]) or p["endValue"] != sum(p["weights"]):
            raise ValueError("%s: weights" % p["name"])
        for stack, weight in zip(p["samples"], p["weights"]):
            if stack:  # else time without samples
                sums[event, thread.rsplit(" ", 1)[0], tuple(frames[f] for f in stack)] += weight
    return sums, top["name"]


def columns(table):
    for key, column in table.items():
        if isinstance(column, list) and len(column) != table["length"]:
            raise ValueError("column %s" % key)
    return table


def read_gecko(path):
    top = json.load(open(path, encoding="utf-8"))
    shared = top["shared"]
    stacks, frames, functions = (columns(shared[t]) for t in ("stackTable", "frameTable", "funcTable"))
    columns(shared["nativeSymbols"])
    columns(shared["resourceTable"])
    names = [shared["stringArray"][n] for n in functions["name"]]
    whole = []
    for i, (frame, prefix) in enumerate(zip(stacks["frame"], stacks["prefix"])):
        if prefix is not None and prefix >= i:
            raise ValueError("stack %d is in front of its caller" % i)
        whole.append((whole[prefix] if prefix is not None else ()) + (names[frames["func"][frame]],))
    sums = collections.Counter()
    for t in top["threads"]:
        samples = columns(t["samples"])
        event = t["name"][len(t["processName"]):].strip(" ()") or None
        if "threadCPUDelta" in samples:
            ms = [ns / 1e6 for ns in samples["threadCPUDelta"]]
            assert max((abs(a - b) for a, b in zip(ms, samples["weight"])), default=0) < 1e-5
        for stack, weight in zip(samples["stack"], samples["weight"]):
            sums[event, t["processName"], whole[stack]] += round(weight * 1e6)
    return sums, top["meta"]["extra"][0]["entries"][0]["value"]


class Otlp:
    """ProfilesData, as of 1.10."""

    def __init__(self, path):
        data = [v for _, v in sorted(fields(open(path, "rb").read()))]
        tables = collections.defaultdict(list)
        for number, value in fields(data[1]):
            tables[number].append(value)
        self.strings = [s.decode() for s in tables[5]]
        self.check_zero(tables)
        names = [self.strings[dict(fields(f)).get(1, 0)] for f in tables[3]]
        locations = [self.lines(v, names) for v in tables[2]]
        self.stacks = [[f for i in self.indices(s, 1) for f in locations[i]] for s in tables[7]]
        self.attributes = [self.attribute(a) for a in tables[6]]
        types = [(dict(fields(v)).get(1, 0), self.labels(self.indices(v, 4)).get("profile.frame.type"))
                 for v in tables[2][1:]]
        if not {t for _, t in types} <= {"kernel", "native", None} or any(
                t for module, t in types if not module) or not any(t for _, t in types):
            raise ValueError("types of frames: %r" % types)
        resource = dict(fields(data[0]))
        self.profiles = [v for n, v in fields(resource[2]) if n == 2]

    @staticmethod
    def check_zero(tables):
        for number in range(1, 8):
            if tables[number][0] != b"":
                raise ValueError("the first item of table %d is not empty" % number)

    @staticmethod
    def lines(data, names):
        return [names[dict(fields(v))[1]] for n, v in fields(data) if n == 3]

    @staticmethod
    def indices(data, number):
        return [i for n, v in fields(data) if n == number for i in packed(v)]

    def attribute(self, data):
        a = dict(fields(data))
        value = dict(fields(a.get(2, b"")))
        return self.strings[a.get(1, 0)], value[1].decode() if 1 in value else value.get(3)

    def labels(self, indices):
        return dict(self.attributes[i] for i in indices)


def read_otlp(path):
    o = Otlp(path)
    sums = collections.Counter()
    for data in o.profiles:
        kind = dict(fields(dict(fields(data))[1]))
        labels = o.labels(o.indices(data, 11))
        if o.strings[kind[1]] != labels["perf.event"]:
            continue  # the profile of the number of samples
        for sample in (v for n, v in fields(data) if n == 2):
            s = dict(fields(sample))
            stack = tuple(reversed(o.stacks[s.get(1, 0)]))
            comm = o.labels(o.indices(sample, 2))["thread.name"]
            sums[labels["perf.event"], comm, stack] += packed(s[4])[0]
    return sums, labels["perf.completeness"]


def read_json(path):
    """Without events and periods: the samples are counted."""
    top = json.load(open(path, encoding="utf-8"))
    sums = collections.Counter()
    for s in top["samples"]:
        stack = tuple(f.get("symbol") or name_of({"dso": f["dso"]} if "dso" in f else {})
                      for f in reversed(s["callchain"]))
        sums[None, s["comm"], stack] += 1
    return sums, ""


def read_sqlite(path):
    db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
    state = db.execute("PRAGMA integrity_check").fetchall()
    assert state == [("ok",)], state
    if db.execute("PRAGMA integrity_check").fetchone() != ("ok",):
        raise ValueError("damaged")
    names = dict(db.execute("SELECT r.id, f.name FROM frame r JOIN function f ON f.id = r.function"))
    whole = {0: ()}
    for node, caller, frame in db.execute("SELECT id, caller, frame FROM stack ORDER BY id"):
        whole[node] = whole[caller] + (names[frame],)
    sums = collections.Counter()
    for event, comm, stack, period in db.execute(
            "SELECT e.name, c.name, s.stack, s.period FROM sample s JOIN event e ON e.id = s.event"
            " JOIN comm c ON c.id = s.comm"):
        sums[event, comm, whole[stack]] += period
    check_views(db, sums)
    return sums, db.execute("SELECT value FROM about WHERE key = 'completeness'").fetchone()[0]


def check_views(db, sums):
    """The views have the same sums."""
    own, total = collections.Counter(), collections.Counter()
    for (event, _, stack), period in sums.items():
        own[event, stack[-1] if stack else None] += period
        for name in set(stack):
            total[event, name] += period
    for view, want in (("self", own), ("total", total)):
        have = collections.Counter()
        for event, function, period in db.execute("SELECT event, function, period FROM %s" % view):
            have[event, function] += period
        # Functions of one name in two binaries may be on one stack.
        if any(have[key] < value for key, value in want.items()) or \
           (view == "self" and have != want):
            raise ValueError("view %s" % view)
    if db.execute("SELECT SUM(period) FROM thread").fetchone()[0] != (sum(sums.values()) or None):
        raise ValueError("view thread")


class PerfettoSequence:
    """The packets of an event."""

    def __init__(self, name):
        self.name = name
        self.tables = collections.defaultdict(dict)

    def take(self, data):
        for number, value in fields(data):
            item = list(fields(value))
            key = dict(item)[1]
            if key in self.tables[number]:
                raise ValueError("number %d of table %d twice" % (key, number))
            self.tables[number][key] = item

    def stack(self, key):
        frames = [dict(self.tables[6][v]) for n, v in self.tables[7][key] if n == 2]
        for f in frames:
            mapping = dict(self.tables[19][f[3]]) if 3 in f else {}
            if mapping:
                dict(self.tables[17][mapping[7]])[2].decode()
        return tuple(dict(self.tables[5][f[2]])[2].decode() for f in frames)


def read_perfetto(path):
    sequences, threads, sums = {}, {}, collections.Counter()
    for number, data in fields(open(path, "rb").read()):
        packet = dict(fields(data))
        if number != 1:
            raise ValueError("field %d" % number)
        if 2 in packet:
            thread = dict(fields(dict(fields(packet[2]))[2]))
            threads[thread[1]] = thread[2].decode()
        if packet.get(13) == 1:
            base = dict(fields(dict(fields(dict(fields(packet[59]))[12]))[1]))
            sequences[packet[10]] = PerfettoSequence(base[10].decode())
        if 66 in packet:
            sequence, sample = sequences[packet[10]], dict(fields(packet[66]))
            sequence.take(packet.get(12, b""))
            stack = sequence.stack(sample[4]) if 4 in sample else ()
            sums[sequence.name, threads[sample[3]], stack] += sample.get(6, 0)
    return sums, ""


READERS = {"sqlite": read_sqlite, "perfetto": read_perfetto, "pprof": read_pprof,
           "folded": read_folded, "speedscope": read_speedscope, "gecko": read_gecko,
           "otlp": read_otlp, "json": read_json}


def name_of(frame):
    if "sym" in frame:
        return frame["sym"]
    if "dso" not in frame:
        return "[unknown]"
    base = frame["dso"].rsplit("/", 1)[-1]
    return base if base.startswith("[") else "[%s]" % base


def read_script(perf, recording, counts):
    run = subprocess.run([perf, "script", "--json", "-i", recording], check=False,
                         stdout=subprocess.PIPE)
    assert run.returncode in (0, 1), run.returncode  # 1: it is damaged
    sums = collections.Counter()
    for line in run.stdout.splitlines():
        s = json.loads(line)
        if s["type"] == "sample":
            stack = tuple(name_of(f) for f in reversed(s.get("frames") or [s]))
            sums[s["event"], s["comm"], stack] += 1 if counts else s["period"]
    return sums


def shown(sums, events, colons=False):
    """As a format can tell it: without events, or with no semicolons in names."""
    out = collections.Counter()
    for (event, comm, stack), period in sums.items():
        stack = without_marks(stack)
        if colons:
            comm, stack = comm.replace(";", ":"), tuple(f.replace(";", ":") for f in stack)
        out[event if events else None, comm, stack] += period
    return out


def same(perf, recording, files):
    wants = [read_script(perf, recording, counts) for counts in (False, True)]
    if not wants[0]:
        sys.exit("there are no samples")
    for name, path in files:
        have, _ = READERS[name](path)
        want = wants[name == "json"]
        events = all(e for e, _, _ in have)
        expected, have = shown(want, events, name == "folded"), shown(have, events)
        if have != expected:
            sys.exit("%s differs: more %s\nless %s" % (
                name, list((have - expected).items())[:3], list((expected - have).items())[:3]))
    print("%d stacks, %d" % (len(wants[0]), sum(wants[0].values())))


def main():
    if sys.argv[1] == "same":
        same(sys.argv[2], sys.argv[3], [f.split("=", 1) for f in sys.argv[4:]])
    elif sys.argv[1] == "starts":
        for name, line in Pprof(sys.argv[2]).starts.items():
            print(name, line)
    else:
        print(READERS[sys.argv[2]](sys.argv[3])[1])


if __name__ == "__main__":
    main()
