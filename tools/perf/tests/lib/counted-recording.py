# SPDX-License-Identifier: GPL-2.0-only
"""Usage: counted-recording.py FILE PATH=COUNT...

Makes a recording with so many samples of each path of kernel functions ("outer;inner"), and beside
it, in FILE.kallsyms, where these functions are: for --kallsyms. In names, backslashes begin an
escape of Python: blanks and what ends a line cannot be in a file of this form.
"""
import importlib.util
import os
import struct
import sys

spec = importlib.util.spec_from_file_location(
    "made", os.path.join(os.path.dirname(os.path.abspath(__file__)), "made-recording.py"))
made = importlib.util.module_from_spec(spec)
spec.loader.exec_module(made)

TEXT, STEP, CONTEXT_KERNEL, KERNEL, EV_MMAP = 0xffffffff81000000, 0x1000, (1 << 64) - 128, 1, 1


def bytes_of(name):
    return name.encode().decode("unicode_escape").encode("latin-1")


def main():
    path, wanted = sys.argv[1], [a.rsplit("=", 1) for a in sys.argv[2:]]
    functions = sorted({f for names, _ in wanted for f in names.split(";")} | {"_text"})
    address = {f: TEXT + STEP * i for i, f in enumerate(["_text"] + [f for f in functions if f != "_text"])}
    mmap = struct.pack("=iIQQQ", -1, 0, TEXT, STEP * (len(functions) + 1), TEXT)
    tail = struct.pack("=IIQ", 0, 0, 0)
    records = [made.record(EV_MMAP, mmap + b"[kernel.kallsyms]_text".ljust(24, b"\0") + tail, KERNEL), made.task()]
    time = 10
    for names, count in wanted:
        ips = [address[f] + 0x10 for f in reversed(names.split(";"))]
        chain = struct.pack("=QQ%dQ" % len(ips), len(ips) + 1, CONTEXT_KERNEL, *ips)
        for _ in range(int(count)):
            records.append(made.sample(time, chain, ips[0], KERNEL))
            time += 1000
    with open(path, "wb") as f:
        f.write(made.file_of([made.attr(made.BASE | made.SAMPLE_CALLCHAIN)], b"".join(records)))
    with open(path + ".kallsyms", "wb") as f:
        for name, at in sorted(address.items(), key=lambda item: item[1]):
            f.write(b"%016x T %s\n" % (at, bytes_of(name)))
        f.write(b"%016x T _end\n" % (TEXT + STEP * (len(functions) + 1)))


main()
