#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report, inject: a jitdump file of another version is named by it, and read where its records are known
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/inject/lib-jit.sh"

perf record -q -k mono -F 500 -e cpu-clock:u -g -o raw -- \
	/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 1 version=2 >pid
perf report --stdio -i raw -g none >out 2>err
has out 'JIT. tid .*made_inner'
has err '^Warning: 1 jitdump files have version 2, and perf knows only version 1'
perf inject -j -i raw -o injected 2>err
has err 'have version 2'
perf script -i injected -F ip,sym >out 2>err
has out made_inner

# A record with something else between name and code: no names are made of that.
python - "jit-$(cat pid).dump" <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
out, at = data[:40], 40
while at + 16 <= len(data):
    kind, size = struct.unpack_from("<II", data, at)
    body = data[at + 16:at + size]
    if kind == 0:
        code = struct.unpack_from("<Q", body, 24)[0]
        body = body[:len(body) - code] + b"\7new\0" + body[len(body) - code:]
    out += struct.pack("<II", kind, 16 + len(body)) + data[at + 8:at + 16] + body
    at += size
open(sys.argv[1], "wb").write(out)
END
perf report --stdio -i raw -g none >out 2>err
has_not out made_
has err 'have version 2' 'up to where they are damaged'
