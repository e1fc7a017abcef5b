# SPDX-License-Identifier: GPL-2.0-only
"""Usage: made-recording.py {switches | branches | lbr | memory | names | hostile | harmful | formulas |
                         stat | precise} FILE [PROGRAM]

Makes small recordings of what this machine may not be able to record, in the format of
perf.data: branches, memory accesses, errors of hardware traces, counts at intervals.
"""
import os
import struct
import sys

SAMPLE_IP, SAMPLE_TID, SAMPLE_TIME, SAMPLE_ADDR = 1, 2, 4, 8
SAMPLE_BRANCH_STACK, SAMPLE_DATA_SRC, SAMPLE_WEIGHT = 1 << 11, 1 << 15, 1 << 14
SAMPLE_CALLCHAIN, SAMPLE_IDENTIFIER, SAMPLE_CGROUP = 1 << 5, 1 << 16, 1 << 21
SAMPLE_ID_ALL, DEFER_CALLCHAIN, DEFER_OUTPUT = 1 << 18, 1 << 38, 1 << 39
USER_DEFERRED, EXACT_IP = (1 << 64) - 640, 1 << 14
EV_MMAP2, EV_COMM, EV_LOST, EV_EXIT, EV_THROTTLE, EV_UNTHROTTLE, EV_FORK, EV_SAMPLE = \
    10, 3, 2, 4, 5, 6, 7, 9
EV_KSYMBOL, EV_BPF_EVENT, EV_CGROUP, EV_CALLCHAIN_DEFERRED = 17, 18, 19, 22
EV_AUXTRACE_ERROR, EV_STAT_CONFIG, EV_STAT, EV_STAT_ROUND, EV_THREAD_MAP, EV_CPU_MAP = \
    72, 75, 76, 77, 73, 74
PID = 4711


def record(kind, body, misc=0):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("=IHH", kind, misc, 8 + len(body)) + body


def attr(sample_type, **more):
    """cpu-clock; a task's, with sample_id in all records."""
    a = bytearray(128)
    struct.pack_into("=IIQQQQQ", a, 0, more.get("type", 1), 128, more.get("config", 0), 1,
                     sample_type, more.get("read_format", 0), SAMPLE_ID_ALL | more.get("flags", 0))
    return bytes(a)


def file_of(attrs, records, features=()):
    """The parts of a perf.data: header, attrs, records, and features by the number of their bit."""
    ids_at = 104
    ids = b"".join(struct.pack("=Q", 100 + i) for i in range(len(attrs)))
    attrs_at = ids_at + len(ids)
    table = b"".join(a + struct.pack("=QQ", ids_at + 8 * i, 8) for i, a in enumerate(attrs))
    data_at = attrs_at + len(table)
    header = b"PERFILE2" + struct.pack("=QQ", 104, 128 + 16)
    header += struct.pack("=QQQQQQ", attrs_at, len(table), data_at, len(records), 0, 0)
    bits = sum(1 << bit for bit in features)
    header += struct.pack("=Q", bits)
    at = data_at + len(records) + 16 * len(features)
    parts = b""
    for bit in sorted(features):
        records += struct.pack("=QQ", at + len(parts), len(features[bit]))
        parts += features[bit]
    return header.ljust(104, b"\0") + ids + table + records + parts


def task(comm=b"made"):
    """One process, which maps /bin/true at 0x400000."""
    tail = struct.pack("=IIQ", PID, PID, 1)
    out = record(EV_COMM, struct.pack("=II", PID, PID) + comm.ljust(16, b"\0") + tail)
    mmap = struct.pack("=IIQQQIIQQII", PID, PID, 0x400000, 0x10000, 0, 8, 1, 77, 0, 5, 2)
    return out + record(EV_MMAP2, mmap + b"/bin/true".ljust(16, b"\0") + tail, 2)


def sample(time, behind=b"", ip=0x400100, misc=2):
    return record(EV_SAMPLE, struct.pack("=QIIQ", ip, PID, PID, time) + behind, misc)


BASE = SAMPLE_IP | SAMPLE_TID | SAMPLE_TIME


def switches():
    tail = struct.pack("=IIQ", PID, PID, 1000)
    throttle = struct.pack("=QQQ", 1000, 100, 7)
    error = struct.pack("=IIIIIIQQ", 1, 5, 2, PID, PID, 0, 0x400123, 1002)
    error += b"lost data".ljust(64, b"\0")
    return file_of([attr(BASE)], task() + sample(999) + record(EV_THROTTLE, throttle + tail) +
                   record(EV_UNTHROTTLE, throttle + tail) + record(EV_AUXTRACE_ERROR, error) +
                   sample(1003))


def branches():
    out = task()
    flags = (1, 2, 0, 1 | 4 | 8 | 77 << 4, 2)
    for n in range(4):
        stack = b"".join(struct.pack("=QQQ", 0x400200 + 16 * i, 0xffffffff81000000 + i, flags[i])
                         for i in range(n))
        out += sample(1000 + n, struct.pack("=Q", n) + stack)
    return file_of([attr(BASE | SAMPLE_BRANCH_STACK)], out)


def lbr(program):
    """Of a program, at the addresses that it was linked at: the branches of a loop that calls leaf().

    As objdump(1) shows its code; 200 samples with 16 branches each, the latest first.
    """
    import re
    import subprocess
    program = os.path.realpath(program)
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", program], check=True,
                          capture_output=True, text=True).stdout
    insns = {}
    for block in re.findall(r"<(work|leaf)>:\n((?:.+\n)+)", code):
        insns[block[0]] = [(int(a, 16), text) for a, text in
                           re.findall(r"^ *([0-9a-f]+):\t(.*)$", block[1], re.M)]
    call, after = [(insns["work"][i][0], insns["work"][i + 1][0])
                   for i, (_, text) in enumerate(insns["work"]) if text.startswith("call")][0]
    jump, to = [(a, int(text.split()[1], 16)) for a, text in insns["work"] if text[0] == "j"][-1]
    leaf = insns["leaf"][0][0]
    ret = [a for a, text in insns["leaf"] if text.startswith("ret")][0]
    # A call, the return of what it called, and the jump back: type, predicted, cycles.
    cycle = [(call, leaf, 4, True, 3), (ret, after, 6, True, 5), (jump, to, 1, False, 2)]
    base = min(leaf, to) & ~0xfff
    tail = struct.pack("=IIQ", PID, PID, 1)
    comm = os.path.basename(program).encode()[:15]
    out = record(EV_COMM, struct.pack("=II", PID, PID) + comm.ljust(16, b"\0") + tail, 1 << 13)
    path = program.encode() + b"\0"
    path += b"\0" * (-len(path) % 8)
    offset = base & 0xfffff if base >= 0x400000 else base # of programs linked at 0x400000, or at 0
    out += record(EV_MMAP2, struct.pack("=IIQQQIIQQII", PID, PID, base, 0x1000, offset, 8, 1, 77, 0,
                                        5, 2) + path + tail, 2)
    for n in range(200):
        stack = b""
        for i in range(16):
            source, target, kind, predicted, cycles = cycle[(2 + n - i) % 3]
            flags = (2 if predicted else 1) | cycles << 4 | kind << 20
            stack += struct.pack("=QQQ", source, target, flags)
        last = cycle[(2 + n) % 3]
        out += sample(1000 + n, struct.pack("=Q", 16) + stack, ip=last[1])
    any_user = attr(BASE | SAMPLE_BRANCH_STACK)
    any_user = any_user[:72] + struct.pack("=Q", 1 | 8) + any_user[80:]
    return file_of([any_user], out)


def memory():
    """Each bit of perf_mem_data_src alone, values of its numbers, and some that real CPUs give."""
    values = [0] + [1 << bit for bit in range(46)]
    values += [n << 33 for n in range(16)] + [n << 33 | 1 << 37 for n in range(16)]
    values += [n << 43 for n in range(8)] + [n << 43 | 1 << 37 | 1 << 33 for n in range(8)]
    values += [0x1e05080021, 0x68100142, 0x68100242, 0x6a100142, 0x1051a08, 0x5080021]
    # Hits and misses of one and of two levels, beside a number of a level, and remote ones.
    values += [a | b << 5 | c << 33 | d << 37 for a in (2, 6) for b in (2, 4, 6, 10, 12, 42, 74, 11)
               for c in (0, 1, 3, 15) for d in (0, 1)]
    values += [s << 19 | x << 38 for s in (0, 1, 2, 6, 20, 30, 31) for x in range(4)]
    values += [t << 26 for t in range(0, 128, 5)] + [k << 40 for k in range(8)]
    values += [2 | k << 24 for k in range(4)]
    out = task()
    for n, v in enumerate(values):
        out += sample(1000 + n, struct.pack("=QQQ", 0x400300, n, v))
    # In the order of a sample: address, then weight, then data_src.
    return file_of([attr(BASE | SAMPLE_ADDR | SAMPLE_WEIGHT | SAMPLE_DATA_SRC)], out)


def names():
    return file_of([attr(BASE)], task(b"n\xff\xc3me") + sample(999))


def hostile():
    """A thread and a binary whose names break quotes, lines, markup and UTF-8."""
    out = task(b'"\\</s;\xff\n\x1b>')
    path = b'/"\\</script><img src=x onerror=boom()>\xfe\n\r\x07;\xe2\x80\xa8\''
    path = path.ljust(64, b"\0")
    mmap = struct.pack("=IIQQQIIQQII", PID, PID, 0x500000, 0x10000, 0, 8, 1, 78, 0, 5, 2)
    out += record(EV_MMAP2, mmap + path + struct.pack("=IIQ", PID, PID, 1), 2)
    return file_of([attr(BASE)], out + sample(999, ip=0x500100) + sample(1000, ip=0x500100))


# Erases the screen, begins a line (also as Unicode and other encodings have it), turns text around.
HARM = b"h\x1b[2J\nFORGED\r\x85\xc2\x85FORGED\t\xc2\x9b31m\xe2\x80\xa8FORGED\xe2\x80\xaek\x9b31m\x7f"


# What a spreadsheet computes, or takes for a quoted cell, at the begin of a cell.
FORMULAS = b",-cmd|'C'!A0;\"@2\",\"=3\"; +x;\xef\xbc\x9d4"


def harmful(head=b"", harm=HARM):
    """Whatever has a name in a recording has one that does harm: threads, binaries, events, ..."""
    def text(what):
        b = head + what + harm + b"\0"
        b += b"\0" * (-len(b) % 4)
        return struct.pack("=I", len(b)) + b

    def texts(*whats):
        return struct.pack("=I", len(whats)) + b"".join(text(w) for w in whats)

    def comm(pid, what, misc=0):
        name = (head + what + harm)[:63] + b"\0"
        name += b"\0" * (-len(name) % 8)
        return record(EV_COMM, struct.pack("=II", pid, pid) + name + end, misc)

    end = struct.pack("=IIQQ", PID, PID, 1, 100)  # tid, time and identifier
    kinds = BASE | SAMPLE_CALLCHAIN | SAMPLE_CGROUP | SAMPLE_IDENTIFIER
    attrs = [attr(kinds), attr(kinds, config=1)]
    name = b"/" + head + b"b" + harm + b"\0"
    name += b"\0" * (-len(name) % 8)
    out = comm(PID, b"c", 1 << 13)
    out += record(EV_FORK, struct.pack("=IIIIQ", PID + 1, PID, PID + 1, PID, 1) + end)
    out += comm(PID + 1, b"d")
    mmap = struct.pack("=IIQQQIIQQII", PID, PID, 0x500000, 0x10000, 0, 8, 1, 78, 0, 5, 2)
    out += record(EV_MMAP2, mmap + name + end, 2)
    out += record(EV_CGROUP, struct.pack("=Q", 9) + name + end)
    out += record(EV_KSYMBOL, struct.pack("=QIHH", 0xffffffffa0000000, 64, 1, 0) + name + end)
    out += record(EV_BPF_EVENT, struct.pack("=HHI8s", 1, 0, 7, b"12345678") + end)
    for n in range(8):
        for pid in (PID, PID + 1):
            chain = (2, 0x500100 + n, 0x500200) if n % 2 else (2, (1 << 64) - 512, 0x500200)
            body = struct.pack("=QQIIQ", 100 + n % 2, 0x500100 + n, pid, pid, 1000 + n)
            body += struct.pack("=QQQQ", *chain, 9)
            out += record(EV_SAMPLE, body, 2)
    described = struct.pack("=II", 2, 128)
    for n in range(2):
        described += attrs[n] + struct.pack("=I", 1) + text(b"e%d" % n)
        described += struct.pack("=Q", 100 + n)
    ids = name.ljust(128, b"\0")
    features = {
        2: struct.pack("=IHHi24s", 67, 2, 36 + len(ids), PID, b"\1" * 20) + ids,
        3: text(b"host"), 4: text(b"release"), 5: text(b"version"), 6: text(b"x86_64"),
        8: text(b"cpu"), 9: text(b"id"), 11: texts(b"perf", b"record"), 12: described,
        13: texts(b"0-1") + texts(b"0"),
        16: struct.pack("=II", 1, 9) + text(b"pmu"),
        17: struct.pack("=I", 1) + text(b"g") + struct.pack("=II", 0, 2),
    }
    return file_of(attrs, out, features)


def formulas():
    return harmful(b"=", FORMULAS)


def precise():
    """As with PEBS: the second sample's ip is not where the registers of its callchain were."""
    out = task()
    for n, ip in enumerate((0x400900, 0x400100)):
        marked = struct.pack("=QQQ", 2, USER_DEFERRED, 5 + n)
        chain = struct.pack("=QQQQQ", 5 + n, 3, 0x400900, 0x400a00, 0x400b00)
        out += sample(1000 + 2 * n, marked, ip, 2 | EXACT_IP)
        out += record(EV_CALLCHAIN_DEFERRED, chain + struct.pack("=IIQ", PID, PID, 1001 + 2 * n))
    return file_of([attr(BASE | SAMPLE_CALLCHAIN, flags=DEFER_CALLCHAIN | DEFER_OUTPUT)], out)


def stat():
    out = record(EV_STAT_CONFIG, struct.pack("=QQQQQ", 2, 0, 0, 1, 2))
    for n in range(2):
        for event in range(2):
            out += record(EV_STAT, struct.pack("=QIIQQQ", 100 + event, 0, 0, 10 * n + event, 5, 4))
        out += record(EV_STAT_ROUND, struct.pack("=QQ", 1, 10 ** 9 * (n + 1)))
    read = {"read_format": 1 | 2 | 4}
    return file_of([attr(BASE, **read), attr(BASE, config=3, **read)], out)


MADE = {"switches": switches, "branches": branches, "memory": memory, "names": names,
        "hostile": hostile, "harmful": harmful, "formulas": formulas, "stat": stat,
        "precise": precise}


def main():
    with open(sys.argv[2], "wb") as f:
        f.write(lbr(sys.argv[3]) if sys.argv[1] == "lbr" else MADE[sys.argv[1]]())


if __name__ == "__main__":
    main()
