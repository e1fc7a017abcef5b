#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record, report: where the code of a runtime cuts stacks off, what to run it with
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_event cpu-clock
[ "$(uname -m)" = x86_64 ] || skip "the code that it makes is for x86_64"

cat >jit.py <<'END'
import ctypes, mmap, sys
# 1: dec %rdi; jnz 1b; ret, and the same behind push %rbp; mov %rsp,%rbp
lost = bytes.fromhex("48ffcf75fbc3")
plain = bytes.fromhex("554889e548ffcf75fb5dc3")
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(lost if sys.argv[1] == "lost" else plain)
at = ctypes.addressof(ctypes.c_char.from_buffer(code))
ctypes.CFUNCTYPE(None, ctypes.c_uint64)(at)(500000000)
END
advice='[0-9]+ stacks end in code made by a python program, .* -X perf_jit'
perf record -N -F 500 -e cpu-clock:u --defer=copy -o lost.data -- /usr/bin/python3 jit.py lost 2>err
has err "Warning: $advice"
perf record -N -F 500 -e cpu-clock:u --no-stitch --call-graph dwarf -o raw.data -- /usr/bin/python3 jit.py lost 2>err
perf report --stdio -i raw.data >out 2>err
has err "Warning: $advice"
perf record -N -F 500 -e cpu-clock:u --defer=copy -o plain.data -- /usr/bin/python3 jit.py plain 2>err
has_not err 'code made by'
