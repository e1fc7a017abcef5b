#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: create_llvm_prof (AutoFDO), perf_data_converter and samply: the parts of the file that they read
. "$PERF_TEST_DIR/shell/callers/lib-callers.sh"
need_python
need_recording

# They read the file themselves: magic, attributes, records of known sizes up to the end of the data, and build-ids
# and event names behind it.
cat >read.py <<'END'
import struct, sys
data = open(sys.argv[1], "rb").read()
magic, size, attr_size, attrs, attrs_len, at, length = struct.unpack_from("=8sQQQQQQ", data)
assert magic == b"PERFILE2" and size == 104 and attrs_len % attr_size == 0 and attr_size >= 64 + 16
assert at + length <= len(data)
features = struct.unpack_from("=4Q", data, 72)
kinds, sample_types, end = {}, [], at + length
for i in range(attrs_len // attr_size):
    kind, own = struct.unpack_from("=II", data, attrs + i * attr_size)
    assert own <= attr_size - 16
    sample_types.append(struct.unpack_from("=Q", data, attrs + i * attr_size + 24)[0])
while at < end:
    kind, misc, size = struct.unpack_from("=IHH", data, at)
    assert size >= 8 and size % 8 == 0 and at + size <= end, (at, kind, size)
    kinds[kind] = kinds.get(kind, 0) + 1
    if kind == 10: # MMAP2: pid, tid, start, len, pgoff, build-id or device, prot, flags, name
        name = data[at + 72:at + size].split(b"\0")[0]
        assert name, at
    at += size
section = end
names = {}
for bit in range(256):
    if features[bit // 64] >> bit % 64 & 1:
        names[bit] = struct.unpack_from("=QQ", data, section)
        section += 16
assert kinds.get(9, 0) > 10 and kinds.get(10, 0) and kinds.get(3, 0), kinds
assert 2 in names and 12 in names, names # build-ids and descriptions of events
at, length = names[2]
ids = []
while length > 0:
    kind, misc, size = struct.unpack_from("=IHH", data, at)
    ids.append(data[at + 36:at + size].split(b"\0")[0])
    at, length = at + size, length - size
assert any(i.endswith(b"/two") for i in ids), ids
print(len(sample_types), kinds[9])
END
python read.py two.data >counts || fail "$(cat counts)"
# AutoFDO needs branch stacks: of each, create_llvm_prof takes from, to.
if command -v create_llvm_prof >/dev/null && command -v objdump >/dev/null; then
	gcc -O1 -g -no-pie two.c net/util.c disk/util.c -o plain
fi
if command -v samply >/dev/null; then
	samply import two.data --save-only --no-open -o two.json >out 2>&1 || fail "$(tail -n 3 out)"
	has two.json 'work_net|two'
fi
if command -v perf_to_profile >/dev/null; then
	perf_to_profile -i two.data -o two.profile -f >out 2>&1 || fail "$(tail -n 3 out)"
	[ -s two.profile ] || fail "empty"
fi
