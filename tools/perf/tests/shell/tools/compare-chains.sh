#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: scripts/compare-chains.py: tells equal chains from others, and how they differ
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_source
compare=$SOURCE/scripts/compare-chains.py

sed 's/001:$/& /' >a <<'END'
 100/101     1.000000001:
	ffffffff81000130 entry
	          401000 leaf
	          401101 caller
	          401201 _start

 100/102     2.000000001:
	          401000 leaf
	          401101 caller

 100/101     3.000000001:
	          401000 leaf
END
# Other kernel frames and callers that are one byte lower make no difference.
sed -e '/entry/d' -e 's/401101/401100/' -e 's/401201/401200/' a >b
python "$compare" --tolerance 0 a b >out
has out '^3 samples in both, 0 only in the first, 0 only' '3 100.00 %  same' 'at a root: 1 and 1'

sed -e '/_start/d' -e 's/2.000000001/2.000000002/' -e '$s/401000/401001/' a >b
fails 1 python "$compare" --tolerance 0 --show 1 a b >out
has out '^2 samples in both, 1 only in the first, 1 only' '1  50.00 %  first goes on' \
	'1  50.00 %  differ at the leaf' '> +2 +401201 _start'
python "$compare" a b >out

# The same from hotspot: the second function of thread 101 has another one inlined in it.
python - hotspot <<'END'
import struct, sys
def message(form, *values):
    body = struct.pack(">" + form, *values)
    return struct.pack("<I", len(body)) + body
out = b"QPERFSTREAM\0" + struct.pack("<I", 24)
for n, name in enumerate((b"leaf", b"caller", b"_start", b"inlined")):
    body = struct.pack(">BiI", 5, n, len(name)) + name
    out += struct.pack("<I", len(body)) + body
for n, address, parent in ((0, 0x401000, -1), (1, 0x401100, 3), (2, 0x401200, -1), (3, 0x401090, -1)):
    out += message("BiQiIiiiQ", 3, n, address, 0, 100, 1, 1, parent, 0)
for n, name in ((0, 0), (1, 3), (2, 2), (3, 1)):
    out += message("Bii", 4, n, name)
for tid, time, frames, guessed in ((101, 1000000001, (0, 1, 2), 0), (102, 2000000001, (0, 1, 2), 1),
                                   (101, 3000000001, (0,), 0)):
    out += message("BiiQII%diB" % len(frames), 13, 100, tid, time, 0, len(frames), *frames, guessed)
open(sys.argv[1], "wb").write(out)
END
python "$SOURCE/scripts/perfparser-chains.py" hotspot >b
python "$compare" --tolerance 0 a b >out
has out '^3 samples in both, 0 only in the first, 0 only' '3 100.00 %  same' 'at a root: 1 and 1'
has_not out 'other names'
python "$SOURCE/scripts/perfparser-chains.py" --guessed hotspot >b
has b '401200 _start'
[ "$(grep -c _start b)" = 2 ]
fails 1 python "$SOURCE/scripts/perfparser-chains.py" a

sed -e 's/caller/other/' a >b
python "$compare" --show 1 a b >out
has out '2  equal addresses with other names, 1 pairs' '2  caller [|] other'

# A profile of samply: its clock begins at the first sample, its binary at an address not told.
cat >a <<'EOF'
 100/101     1.000000001:
	          401000 leaf
	          401101 caller
	          401201 _start

 100/101     1.000500001:
	          401010 leaf
	          401101 caller
EOF
cat >profile.py <<'EOF'
import gzip, json, sys
frames = [0x1000, 0x1100, 0x1200, 0x1010, 0x20]
gzip.open("p.json.gz", "wt").write(json.dumps({
    "libs": [{"name": "prog"}, {"name": "[kernel.kallsyms]"}], "threads": [{
        "pid": "100", "tid": "101.1", "stringArray": ["x"],
        "resourceTable": {"lib": [0, 1]},
        "funcTable": {"resource": [0, 1], "name": [0, 0]},
        "frameTable": {"func": [0, 0, 0, 0, 1], "address": frames},
        "stackTable": {"frame": [2, 1, 0, 1, 3, 4], "prefix": [None, 0, 1, None, 3, 4]},
        "samples": {"timeDeltas": [0, 0.5], "stack": [2, int(sys.argv[1])]}}]}))
EOF
python profile.py 5
python "$compare" --tolerance 0 a p.json.gz >out
has out '^2 samples in both, 0 only in the first, 0 only' '^5 of the second.s frames are in the fi'
python profile.py 3
python "$compare" a p.json.gz >out
has out '1  50.00 %  same' '1  50.00 %  differ at the leaf'
