# SPDX-License-Identifier: GPL-2.0-only
"""Usage: made-recording.py {switches | branches | memory | names | hostile | stat |
                         precise} FILE

Makes small recordings of what this machine may not be able to record, in the format of
perf.data: branches, memory accesses, errors of hardware traces, counts at intervals.
"""
import struct
import sys

SAMPLE_IP, SAMPLE_TID, SAMPLE_TIME, SAMPLE_ADDR = 1, 2, 4, 8
SAMPLE_BRANCH_STACK, SAMPLE_DATA_SRC, SAMPLE_WEIGHT = 1 << 11, 1 << 15, 1 << 14
SAMPLE_CALLCHAIN = 1 << 5
SAMPLE_ID_ALL, DEFER_CALLCHAIN, DEFER_OUTPUT = 1 << 18, 1 << 38, 1 << 39
USER_DEFERRED, EXACT_IP = (1 << 64) - 640, 1 << 14
EV_MMAP2, EV_COMM, EV_LOST, EV_EXIT, EV_THROTTLE, EV_UNTHROTTLE, EV_FORK, EV_SAMPLE = \
    10, 3, 2, 4, 5, 6, 7, 9
EV_CALLCHAIN_DEFERRED = 22
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


def file_of(attrs, records):
    """The parts of a perf.data: header, attrs, records; no features."""
    ids_at = 104
    ids = b"".join(struct.pack("=Q", 100 + i) for i in range(len(attrs)))
    attrs_at = ids_at + len(ids)
    table = b"".join(a + struct.pack("=QQ", ids_at + 8 * i, 8) for i, a in enumerate(attrs))
    data_at = attrs_at + len(table)
    header = b"PERFILE2" + struct.pack("=QQ", 104, 128 + 16)
    header += struct.pack("=QQQQQQ", attrs_at, len(table), data_at, len(records), 0, 0)
    return header.ljust(104, b"\0") + ids + table + records


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
        "hostile": hostile, "stat": stat, "precise": precise}


def main():
    with open(sys.argv[2], "wb") as f:
        f.write(MADE[sys.argv[1]]())


if __name__ == "__main__":
    main()
