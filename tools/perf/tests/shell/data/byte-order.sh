#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf.data of the other byte order reads, and stitches, as one of ours
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
own_mounts
need_event cpu-clock
need_python
need_cmd zstd

mkdir ours theirs packed

# same FILE: in each form it has the same text, and the same bytes when it is stitched. Files have
# the same name, which the dump shows.
same() {
	local form
	python "$PERF_TEST_DIR/lib/swap-bytes.py" "ours/$1" "theirs/$1"
	python "$PERF_TEST_DIR/lib/swap-bytes.py" "ours/$1" "packed/$1" --compress
	(cd ours && perf script --no-inline -i "$1" && perf script -D -i "$1") >text.txt 2>&1
	perf stitch -q -i "ours/$1" -o stitched.data
	[ "$(wc -l <text.txt)" -gt 500 ] || fail "$1: only $(wc -l <text.txt) lines"
	for form in theirs packed; do
		[ $form = theirs ] || in_share 3 || continue
		(cd $form && perf script --no-inline -i "$1" && perf script -D -i "$1") \
			>other.txt 2>&1
		cmp -s text.txt other.txt || fail "$form/$1: $(diff text.txt other.txt | head -5)"
		perf stitch -q -i "$form/$1" -o other.data
		cmp stitched.data other.data
	done
}

busy=("$PERF" test -w deep 20 0.2)
perf record -q --call-graph dwarf,2048 -F 499 -e cpu-clock -o ours/copies.data -- "${busy[@]}"
same copies.data
# perf 6.1 does not swap the records of BPF programs.
perf record -q --no-bpf-event -F 499 -e cpu-clock -e page-faults -d --switch-events -g \
	-o ours/some.data -- "${busy[@]}"
same some.data
perf record -q --call-graph dwarf,2048 -F 499 -e cpu-clock -o ours/pipe -- "${busy[@]}"
perf record -q --call-graph dwarf,2048 -F 499 -e cpu-clock -o - -- "${busy[@]}" >ours/pipe
same pipe
if (need_root && need_event sched:sched_switch) >/dev/null; then
	perf record -q --no-bpf-event -F 499 -e sched:sched_switch -e cpu-clock -g \
		-o ours/trace.data -- "${busy[@]}"
	same trace.data
fi
for f in iu f2; do
	zstd -qdc "$PERF_TEST_DIR/data/deferred/$f.data.zst" >$f.data 2>/dev/null || continue
	# Programs of BPF are not taken over from the other byte order.
	python - $f.data ours/$f.data <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
table = sum(struct.unpack_from("=QQ", data, 40))
features, = struct.unpack_from("=Q", data, 72)
struct.pack_into("=Q", data, 72, features & ~(1 << 25))
at = table + 16 * bin(features & (1 << 25) - 1).count("1")
behind = 16 * bin(features >> 26).count("1")
data[at:at + behind] = data[at + 16:at + 16 + behind]
open(sys.argv[2], "wb").write(data)
END
	same $f.data
done

# A stream with every type of record and every part of a sample, filled with anything: the dump
# shows each byte.
python - ours/all <<'END'
import random, struct, sys
rnd = random.Random(7)
some = lambda n: bytes(rnd.randrange(1, 255) for _ in range(n))
pack = lambda form, *v: struct.pack("=" + form, *v)
record = lambda kind, misc, body: pack("IHH", kind, misc, 8 + len(body)) + body
FORMAT = 0x1f # all, GROUP
FLAGS = 1 << 18 | 2 << 15 | 1 << 34 # sample_id_all, precise_ip 2, build_id
TYPE = (1 << 25) - 1 & ~(1 << 14) # either of the two weights
BRANCHES = 1 << 17 | 1 << 19
attr = pack("IIQQQQQIIQQQQIiQIHHIIQQQ", 1, 144, 0, 4000, TYPE, FORMAT, FLAGS, 1, 2, 3, 4,
            BRANCHES, 0xff, 64, 1, 0xf0, 5, 6, 0, 7, 0, 8, 9, 10)
head = pack("QQIIQQQQII", 77, 0x1234, 100, 101, 5000, 6, 77, 7, 2, 0) + some(8)
def sample():
    read = pack("QQQ", 2, 10, 20) + some(2 * 3 * 8)
    chain = pack("Q5Q", 5, -128 & 2**64 - 1, 0xffffffff81000000, -512 & 2**64 - 1, 0x401000, 0x402000)
    raw = pack("I", 20) + some(20)
    branches = pack("QQ", 3, 9) + some(3 * 24) + some(3 * 8)
    regs, intr = pack("Q", 2) + some(64), pack("Q", 2) + some(32)
    stack = pack("Q", 64) + some(64) + pack("Q", 40)
    return record(9, 2, head + read + chain + raw + branches + regs + stack + some(24) + intr +
                  some(32) + pack("Q", 16) + some(16))
trailer = pack("IIQQQIIQ", 100, 101, 5000, 77, 7, 2, 0, 77)
sizes = {2: 16, 3: 24, 4: 32, 5: 24, 6: 24, 7: 32, 8: 40, 11: 24, 12: 8, 13: 8, 14: 0, 15: 8,
         17: 24, 18: 16, 19: 24, 20: 24, 21: 8}
out = b"PERFILE2" + pack("Q", 16) + record(64, 0, attr + pack("QQ", 77, 78))
for _ in range(3):
    for kind, size in sizes.items():
        out += record(kind, rnd.choice([0, 2]), some(size - size % 3) + bytes(size % 3) + trailer)
    for kind, misc, numbers in ((1, 2, "IIQQQ"), (10, 2, "IIQQQIIQQII")):
        out += record(kind, misc, some(struct.calcsize("=" + numbers)) + b"/bin/any" * 2 + bytes(8) + trailer)
    out += record(10, 2 | 1 << 14, some(32 + 24 + 8) + b"/bin/id" + bytes(1) + trailer)
    out += record(16, 0, pack("IIQ", 1, 2, 2) + some(32) + trailer)
    out += record(22, 2, pack("QQ", 5, 4) + some(32) + trailer)
    out += sample()
for kind, size in {68: 0, 69: 72, 73: 56, 75: 40, 76: 40, 77: 16, 79: 48, 82: 0}.items():
    out += record(kind, 0, some(size))
out += record(74, 0, pack("HHHHHHH", 0, 4, 0, 1, 2, 3, 0) + bytes(2))
out += record(74, 0, pack("HHHIQ", 1, 1, 8, 0, 255) + bytes(6))
out += record(74, 0, pack("HHHIII", 1, 2, 4, 1, 2, 0) + bytes(6))
out += record(74, 0, pack("HBBHHII", 2, 1, 0, 3, 900, 0, 0))
for what, rest in ((0, b"msec\0\0\0\0"), (1, pack("d", 0.25)), (2, b"name\0\0\0\0"),
                   (3, pack("HBBHHII", 2, 1, 0, 3, 900, 0, 0))):
    out += record(78, 0, pack("QQ", what, 77) + rest)
out += record(67, 2, pack("i", -1) + some(20) + pack("I", 0) + b"/bin/thing" + bytes(2))
open(sys.argv[1], "wb").write(out)
END
same all

# Records that Linux made too large, whose sample_id is not at their end, in both byte orders.
python - <<'END'
import struct
def stream(order):
    pack = lambda form, *v: struct.pack(order + form, *v)
    record = lambda kind, body: pack("IHH", kind, 0, 8 + len(body)) + body
    flags = 1 << 18 if order == "<" else 1 << 63 - 18 # sample_id_all
    attr = pack("IIQQQQQ", 1, 136, 0, 4000, 0x10087, 4, flags) + bytes(88)
    trailer = pack("IIQIIQ", 100, 101, 5000000000, 2, 0, 77)
    stale = pack("4Q", *range(0x7ffd00001111, 0x7ffd00001115))
    poke = b"\xe8abcd\xe9efgh" + bytes(2)
    return ((b"PERFILE2" if order == "<" else b"2ELIFREP") + pack("Q", 16) +
            record(64, attr + pack("Q", 77)) +
            record(17, pack("QIHH", 0xffffffffc0001000, 64, 1, 0) + b"prog\0\0\0\0" + trailer + stale) +
            record(18, pack("HHI", 1, 0, 7) + b"tagtagta" + trailer + stale) +
            record(20, pack("QHH", 0xffffffff81000000, 5, 5) + poke + trailer + stale))
open("large.le", "wb").write(stream("<"))
open("large.be", "wb").write(stream(">"))
END
for f in large.le large.be; do
	perf script -D -i $f | grep PERF_RECORD >$f.txt
	[ "$(grep -c '^2 5000000000 ' $f.txt)" = 3 ] || { cat $f.txt; fail "$f: other times"; }
	perf script --show-bpf-events -i $f >$f.lines
done
diff large.le.txt large.be.txt
diff large.le.lines large.be.lines

# As a stream, and as a directory, whose records are in files without a header.
perf stitch -q -i ours/pipe -o - >a.pipe
perf stitch -q -i - -o - <theirs/pipe >b.pipe
cmp a.pipe b.pipe
mkdir dir
python - theirs/some.data dir <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
order = ">" if sys.byteorder == "little" else "<"
start, size = struct.unpack_from(order + "QQ", data, 40)
cut = start
for _ in range(100):
    cut += struct.unpack_from(order + "H", data, cut + 6)[0]
open(sys.argv[2] + "/data.0", "wb").write(data[cut:start + size])
struct.pack_into(order + "Q", data, 48, cut - start)
struct.pack_into("32x", data, 72) # the features move, and are not looked for
open(sys.argv[2] + "/data", "wb").write(data[:cut])
END
perf script -F comm,tid,time,event,ip -i ours/some.data >text.txt
perf script -F comm,tid,time,event,ip -i dir >other.txt
cmp text.txt other.txt

# Another perf takes them for the same, too, but for stack copies, of which it swaps the words, and
# the flags of mappings, which it does not swap. Frames are only counted: files of a busy machine may
# be there at one time and not at another.
theirs() {
	"$p" script --no-inline -F comm,tid,time,period,event,ip -i "$1" 2>/dev/null |
		sed -E 's/^\s+[0-9a-f]+$/frame/'
}
for p in /usr/bin/perf; do
	[ -x "$p" ] && [ ! "$p" -ef "$PERF" ] || continue
	for f in some trace; do
		[ -e theirs/$f.data ] || continue
		theirs ours/$f.data >text.txt || continue
		theirs theirs/$f.data >other.txt
		cmp text.txt other.txt
	done
done

# Behind a record without a size there are others.
python - theirs/copies.data <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
order = ">" if sys.byteorder == "little" else "<"
at, size = struct.unpack_from(order + "QQ", data, 40)
middle = at + size // 2
while at < middle or struct.unpack_from(order + "I", data, at)[0] != 9:
    at += struct.unpack_from(order + "H", data, at + 6)[0]
struct.pack_into(order + "H", data, at + 6, 0)
open("hurt.data", "wb").write(data)
END
perf script -F time,event -i theirs/copies.data >text.txt
fails 1 perf script -F time,event -i hurt.data >other.txt 2>err
has err 'a record of impossible size was skipped'
[ "$(wc -l <other.txt)" = "$(($(wc -l <text.txt) - 1))" ] || fail "$(wc -l other.txt) lines"

# Damage: words, not a crash.
python - theirs/copies.data theirs/pipe packed/copies.data <<'END'
import os, random, subprocess, sys
rnd = random.Random(1)
for path in sys.argv[1:]:
    good = open(path, "rb").read()
    for i in range(0, 24, 1 if os.environ.get("PERF_TEST_THOROUGH") else 5):
        data = bytearray(good)
        if i % 3 == 0:
            del data[rnd.randrange(len(data)):]
        else:
            data[rnd.randrange(len(data) if i % 3 == 1 else 4096)] ^= 1 << rnd.randrange(8)
        open("bad", "wb").write(data)
        for args in (["script", "-i", "bad"], ["stitch", "-q", "-i", "bad", "-o", "bad.out"]):
            p = subprocess.run([os.environ["PERF"]] + args, capture_output=True, timeout=60)
            if p.returncode not in (0, 1) or p.returncode and not p.stderr:
                sys.exit("%s %d: perf %s: %d" % (path, i, args[0], p.returncode))
END
