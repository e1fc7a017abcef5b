#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity: records that lie, and ELF files with absurd offsets, do no harm
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/activity/lib-activity.sh"
for what in otel labels; do
	record_ids perf.data $what "$PERF" test -w activity hostile 0.4 1
	perf script -i perf.data -F tid,time,activity,ip >text
	[ "$(grep -c . text)" -ge 100 ] || fail "$(cat err)"
done
# Of an endless record of good addresses the first bytes are read; of bad ones nothing.
grep -q ' - ' text

# A program whose segment of thread-local variables says that it is huge, or anywhere.
need_cmd gcc
echo 'static __thread long victim; int main(void) { for (long i = 0; i < 200000000; i++) victim = i; return victim == 1; }' >victim.c
gcc -O0 -no-pie -o victim victim.c || skip "gcc makes no program"
python - <<'END'
import struct
data = bytearray(open("victim", "rb").read())
phoff, = struct.unpack_from("<Q", data, 32)
size, nr = struct.unpack_from("<HH", data, 54)
tls = next(phoff + i * size for i in range(nr) if struct.unpack_from("<I", data, phoff + i * size)[0] == 7)
for name, change in {
    "size": (40, 1 << 62), "all": (40, 2**64 - 1), "align": (48, 1 << 63), "odd": (48, 3), "addr": (16, 2**64 - 5),
}.items():
    bad = bytearray(data)
    struct.pack_into("<Q", bad, tls + change[0], change[1])
    open(name, "wb").write(bad)
END
# ld.so and the kernel may refuse to run them; perf has read them by then.
for bad in size all align odd addr; do
	chmod +x $bad
	perf record -q -e cpu-clock:u --activity=tls:victim -o bad.data -- ./$bad >out 2>err || true
	! grep -Ei 'segfault|sanitizer|BUG' err || fail "$bad: $(cat err)"
done
# A record of names that goes on for ever is read once more for each name that is not there.
record_ids perf.data otel "$PERF" test -w activity otel 0.2 1
check_ids perf.data 100
