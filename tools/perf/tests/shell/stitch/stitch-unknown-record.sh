#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: a record of a type that nobody knows yet is kept
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

need_python
python - raw.data strange.data <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
start, size = struct.unpack_from("=QQ", data, 40)
at = start
while struct.unpack_from("=I", data, at)[0] != 68: # FINISHED_ROUND
    at += struct.unpack_from("=H", data, at + 6)[0]
struct.pack_into("=I", data, at, 120)
open(sys.argv[2], "wb").write(data)
END
perf stitch -i strange.data -o strange.out 2>err
has err '1 records have unknown types \(the first is type 120\)'
perf stitch -i strange.out 2>err
has err 'the first is type 120'
same strange.data strange.out
