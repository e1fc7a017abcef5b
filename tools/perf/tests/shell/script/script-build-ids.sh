#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script: build-ids that cannot be read take no sample away
. "$PERF_TEST_DIR/shell/script/lib-script.sh"

/usr/bin/python3 - 2>/dev/null <<'END' || cp x.data ids.data
import struct
data = bytearray(open("x.data", "rb").read())
at, size = struct.unpack_from("<QQ", data, 40)
at += size  # the table of features: TRACING_DATA is number 1, BUILD_ID number 2
assert data[72] & 6 == 4
offset, size = struct.unpack_from("<QQ", data, at)
data[offset:offset + size] = b"\xa5" * size
open("ids.data", "wb").write(data)
END
perf script -i ids.data >out 2>err
cmp -s x.data ids.data || has err '^Warning: ids.data: feature BUILD_ID at offset [0-9]+ does not fit'
[ "$(grep -c "cpu-clock$U: \$" out)" = "$samples" ] || fail "samples are missing without build-ids"
