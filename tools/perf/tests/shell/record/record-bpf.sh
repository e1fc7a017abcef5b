#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: a BPF program that was loaded before has its name
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_root
need_event cpu-clock
case $(uname -m) in
x86_64) bpf=321 ;;
aarch64) bpf=280 ;;
*) skip "the number of the system call bpf is not known here" ;;
esac
[ "$(cat /proc/sys/net/core/bpf_jit_enable 2>/dev/null || echo 1)" != 0 ] || skip "programs are not compiled"

cat >burn.py <<'END'
import ctypes, os, struct, sys
libc = ctypes.CDLL(None, use_errno=True)
def bpf(command, attr):
    buf = ctypes.create_string_buffer(attr.ljust(160, b"\0"))
    return libc.syscall(int(sys.argv[1]), command, buf, 160)
# r0 = 7; r0 *= 3, 1000 times; exit
code = struct.pack("<BBhi", 0xb7, 0, 0, 7) + 1000 * struct.pack("<BBhi", 0x27, 0, 0, 3)
code = ctypes.create_string_buffer(code + struct.pack("<BBhi", 0x95, 0, 0, 0))
license = ctypes.create_string_buffer(b"GPL")
load = struct.pack("<IIQQIIQII", 1, 1002, ctypes.addressof(code), ctypes.addressof(license),
                   0, 0, 0, 0, 0) + b"burner"
program = bpf(5, load)
if program < 0:
    sys.exit("errno %d" % ctypes.get_errno())
print("loaded", flush=True)
data = ctypes.create_string_buffer(64)
run = struct.pack("<IIIIQQI", program, 0, 64, 0, ctypes.addressof(data), 0, 2000)
while bpf(10, run) == 0:
    pass
END
/usr/bin/python3 burn.py $bpf >out 2>why &
pid=$!
loaded() { grep -q loaded out || ! kill -0 $pid 2>/dev/null; }
wait_until loaded
grep -q loaded out || skip "no BPF program can be loaded: $(cat why)"
for target in "-p $pid" -a; do
	perf record -q -e cpu-clock -F 999 $target -o perf.data -- $(while_on_cpu $pid 0.3) 2>err
	perf script -f -i perf.data --comm python3 -F ip,sym,dso >text
	[ "$(grep -c ' bpf_prog_[0-9a-f]*_burner (bpf_prog_[0-9a-f]*_burner)' text)" -ge 20 ] ||
		fail "$target: $(sort text | uniq -c | sort -rn | head -5)"
done
kill $pid
wait $pid || true
