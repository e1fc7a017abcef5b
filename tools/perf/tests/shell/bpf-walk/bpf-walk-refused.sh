#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: what cannot be is refused with words; a killed recorder leaves nothing
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_python
for with in --overwrite --per-thread --activity --no-stitch -n; do
	fails 129 perf record -q -e cpu-clock --defer=bpf $with -o refused.data -- true 2>err
	has err '\-\-defer=bpf excludes'
done
fails 129 perf record --defer=bpf,what -- true 2>err
has err 'known are auto, kernel, copy and bpf'
if offered sched:sched_switch; then
	fails perf record -q --defer=bpf -e sched:sched_switch -o refused.data -- true 2>err
	has err 'no event at whose samples'
fi
need_cmd setpriv
for caps in 'CAP_BPF and CAP_PERFMON:-all' 'CAP_BPF;:-bpf,-sys_admin' 'CAP_PERFMON;:-perfmon,-sys_admin'; do
	fails setpriv --bounding-set "${caps##*:}" --inh-caps "${caps##*:}" --no-new-privs \
		"$PERF" record -q -e cpu-clock:u --defer=bpf -o refused.data -- true 2>err
	grep -q "${caps%:*}" err || fail "$caps: $(cat err)"
done
# Programs of this name that the kernel has: by bpf(2), since nothing else tells.
cat >programs.py <<'END'
import ctypes, struct
libc, n, id = ctypes.CDLL(None), 0, 0
def bpf(command, attr):
    buf = ctypes.create_string_buffer(attr.ljust(128, b"\0"))
    return libc.syscall(321, command, buf, 128), buf.raw
while True:
    ret, raw = bpf(11, struct.pack("<II", id, 0)) # BPF_PROG_GET_NEXT_ID
    if ret:
        break
    id, = struct.unpack_from("<I", raw, 4)
    fd, _ = bpf(13, struct.pack("<I", id))
    if fd < 0:
        continue
    info = ctypes.create_string_buffer(256)
    bpf(15, struct.pack("<IIQ", fd, 256, ctypes.addressof(info)))
    n += info.raw[64:80].rstrip(b"\0") == b"perf_walk"
    libc.close(fd)
print(n)
END
before=$(python programs.py)
perf record -q -e cpu-clock:u --defer=bpf -o killed.data -a -- sleep 60 2>err &
pid=$!
more() { [ "$(python programs.py)" -gt "$before" ]; }
less() { [ "$(python programs.py)" -le "$before" ]; }
wait_until more
kill -9 $pid
wait $pid || true
wait_until less
