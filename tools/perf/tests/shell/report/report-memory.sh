#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --mem-mode and keys of memory: variables, levels, weights
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_cmd gcc nm

cat >prog.c <<'END'
int table[4096] = { 1 }, zero[8192];
static long other[512] = { 4 };
int main(void) { for (int i = 0; i < 4096; i++) table[i] += other[i & 511]; return zero[5]; }
END
gcc -O1 -no-pie -o prog prog.c 2>err || skip "no program that is linked for one address can be made: $(cat err)"
cat >make.py <<'END'
import importlib.machinery, importlib.util, struct, subprocess, sys
loader = importlib.machinery.SourceFileLoader("made", sys.argv[1])
made = importlib.util.module_from_spec(importlib.util.spec_from_loader("made", loader))
loader.exec_module(made)
nm = subprocess.run(["nm", "prog"], check=True, capture_output=True, text=True).stdout.splitlines()
at = {l.split()[2]: int(l.split()[0], 16) for l in nm if len(l.split()) == 3}
path, tail = sys.argv[2].encode(), struct.pack("=IIQ", made.PID, made.PID, 1)
path += b"\0" * (8 - len(path) % 8)
out = made.record(made.EV_COMM, struct.pack("=II", made.PID, made.PID) + b"made".ljust(16, b"\0") + tail)
for line in subprocess.run(["readelf", "-lW", "prog"], check=True, capture_output=True, text=True).stdout.splitlines():
    f = line.split()
    if f[:1] == ["LOAD"]:
        offset, addr, size = (int(f[i], 16) for i in (1, 2, 5))
        start, code = addr & ~4095, "E" in line[60:]
        body = struct.pack("=IIQQQIIQQII", made.PID, made.PID, start, addr + size + 4095 - start & ~4095,
                           offset & ~4095, 0, 0, 0, 0, 5 if code else 3, 2)
        out += made.record(made.EV_MMAP2, body + path + tail, 2 | (0 if code else 1 << 13))
L1 = 2 | (2 | 8) << 5 | 2 << 19 | 1 << 24 | (2 | 8) << 26       # load, hit, no snoop, L1 hit
L3 = 2 | (2 | 0x40) << 5 | 0x10 << 19 | 2 << 24 | (2 | 0x20) << 26 # hit, HitM, locked, walker hit
for n, (addr, weight, source) in enumerate([(at["table"] + 28, 300, L1), (at["other"] + 8, 40, L3),
        (at["zero"] + 20, 30, L1), (0, 20, 0), (0x7f0000001000, 10, 0), (at["main"] + 4, 0, L1)]):
    out += made.sample(1000 + n, struct.pack("=QQQ", addr, weight, source), ip=at["main"])
open("mem.data", "wb").write(made.file_of(
    [made.attr(made.BASE | made.SAMPLE_ADDR | made.SAMPLE_WEIGHT | made.SAMPLE_DATA_SRC)], out))
END
python make.py "$PERF_TEST_DIR/lib/made-recording.py" "$PWD/prog"

perf report --stdio --mem-mode -i mem.data >out 2>err
has out '^# Total weight : 401$'
has out '^# Sort order   : local_weight,mem,sym,dso,symbol_daddr,dso_daddr,snoop,tlb,locked,blocked$'
has out '74\.81%  300 +L1 hit +\[\.\] main +prog +\[\.\] table\+0x1c +prog +None +L1 hit +N/A +N/A'
has out ' 9\.98%  40 +L3 hit +\[\.\] main +prog +\[\.\] other\+0x8 +prog +HitM +Walker hit +Yes +N/A'
has out ' 7\.48%  30 +L1 hit .* \[\.\] zero\+0x14 +prog '
has out ' 4\.99%  20 +N/A .* \[\.\] 0000000000000000 +\[unknown\] '
has out ' 2\.49%  10 +N/A .* \[\.\] 0x00007f0000001000 +\[unknown\] '
has out ' 0\.25%  0 +L1 hit .* \[\.\] main +prog ' # one without a weight counts as 1
# Keys alone: each sample counts, as in other reports.
perf report --stdio -q -i mem.data -s mem,dso_daddr -F sample,mem,dso_daddr -t, >out 2>err
has out '^ *3 *,L1 hit *,prog'
has out '^ *1 *,L3 hit *,prog'
has out '^ *2 *,N/A *,\[unknown\]'
perf report --json -i mem.data -s symbol_daddr,locked >out 2>err
has out '"symbol_daddr": ?"\[\.\] table\+0x1c"'
has out '"locked": ?"Yes"'
# Every value that a CPU may write.
python "$PERF_TEST_DIR/lib/made-recording.py" memory x.data
perf report --stdio -q -i x.data --mem-mode -s mem,snoop,tlb,blocked -F mem,snoop,tlb,blocked -t';' >out 2>err
has out '^ *Remote L3 hit *;N/A'
has out ';HitM *;'
has out ';L1 or L2 or Walker miss *;'
has out 'RAM *;N/A'
