#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: code that was made while it ran, named by perf-PID.map
# limit: 300
. "$PERF_TEST_DIR/shell/record/lib-lives.sh"

need_python
[ "$(uname -m)" = x86_64 ] || skip "the code that it makes is for x86_64"
cat >jit.py <<'END'
import ctypes, mmap, os, sys
# push rbp; mov rbp, rsp; mov ecx, 100000000; l: dec ecx; jnz l; pop rbp; ret
code = bytes.fromhex("554889e5b900e1f505ffc975fc5dc3")
fd = os.memfd_create("jit") if sys.argv[1] == "file" else -1
if fd >= 0:  # as some do that never have memory which can be written and executed
    os.write(fd, bytes(64) + code + bytes(4096))
mem = mmap.mmap(fd, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
mem.seek(64)
mem.write(code)
at = 64 + ctypes.addressof(ctypes.c_char.from_buffer(mem))
print(os.getpid(), flush=True)
with open("/tmp/perf-%d.map" % os.getpid(), "w") as f:
    f.write("%x %x made_up\n" % (at, len(code)))
for _ in range(4):
    ctypes.CFUNCTYPE(None)(at)()
END
for memory in none file; do
	trap 'rm -f "/tmp/perf-$(cat out).map"' EXIT
	record jit python 80 -- /usr/bin/python3 jit.py $memory
	perf script -i jit.data -F comm,ip,sym,dso | awk -v RS= '/made_up/ && /_start/ { n++ }
		END { exit n < 50 }' || fail "code that was made: $(perf report --stdio -i jit.data | head -n 20)"
	has_not err 'unreadable binary'
	rm -f "/tmp/perf-$(cat out).map"
done
