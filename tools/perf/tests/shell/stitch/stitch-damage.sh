#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: damaged recordings, cut off anywhere, with flipped bits; a full disk
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd zstd
need_python

# Each damaged file, by name and as a pipe: no crash, no hang, and what is written can be read.
cat >damage.py <<'END'
import os, random, re, subprocess, sys

perf, path, pipe = sys.argv[1], sys.argv[2], sys.argv[3] == "pipe"
good = open(path, "rb").read()
rnd = random.Random(len(good))
whole, part = 0, 0

def run(args, data=None):
    p = subprocess.run([perf] + args, input=data, capture_output=True, timeout=60)
    if p.returncode not in (0, 1):
        sys.exit("perf %s: status %d\n%s" % (" ".join(args), p.returncode, p.stderr[-2000:]))
    return p

def check(what, data):
    global whole, part
    open("bad", "wb").write(data)
    if os.path.exists("out"):
        os.remove("out")
    p = run(["stitch", "-q", "-i", "bad", "-o", "out"])
    if p.returncode and not p.stderr:
        sys.exit("%s: no words for status 1" % what)
    if open("bad", "rb").read() != data:
        sys.exit("%s: the input changed" % what)
    if os.path.exists("out"):
        q = run(["script", "-i", "out", "-F", "comm,ip"])
        if re.search(b"cut off|impossible|outside the file", q.stderr):
            sys.exit("%s: what was written is damaged, too: %s" % (what, q.stderr))
        whole += p.returncode == 0
        part += p.returncode == 1
    if pipe:
        run(["stitch", "-q", "-i", "-", "-o", "-"], data)

share = 1 if os.environ.get("PERF_TEST_THOROUGH") else 4
for i in range(0, 40, share):
    n = len(good) * i // 40 + rnd.randrange(64)
    check("cut at %d" % n, good[:n])
for i in range(0, 60, share):
    data = bytearray(good)
    for k in range(1 + i % 3):
        at = rnd.randrange(len(data) if i // share % 2 else 4096)
        data[at] ^= 1 << rnd.randrange(8)
    check("flip %d" % i, bytes(data))
left = [f for f in os.listdir(".") if f.startswith("out.")]
if left:
    sys.exit("left behind: %s" % left)
print("%s: %d written as whole, %d in part" % (path, whole, part))
if not part:
    sys.exit("nothing was saved")
END
zstd -qdc "$PERF_TEST_DIR/data/deferred/iu.data.zst" >iu.data
python damage.py "$PERF" iu.data file
zstd -qdc "$PERF_TEST_DIR/data/deferred/f4.pipe.zst" >f4
head -c 60000 f4 >f4.pipe
python damage.py "$PERF" f4.pipe pipe
if "$PERF" record -q -e cpu-clock --call-graph dwarf,1024 -F 500 -o dwarf.data -- \
	"$PERF" test -w deep 5 0.1 2>/dev/null; then
	python damage.py "$PERF" dwarf.data file
fi

# A full disk costs the result, not the input; a reader that goes away is told.
need_root
mkdir small
mount -t tmpfs -o size=400k tmpfs small 2>/dev/null || skip "cannot mount a tmpfs"
trap 'umount small' EXIT
zstd -qdc "$PERF_TEST_DIR/data/deferred/iu.data.zst" >small/perf.data
head -c 330000 /dev/zero >small/filler
cp small/perf.data before
fails 1 perf stitch -i small/perf.data 2>err
has err 'No space left on device' 'The recording was not changed'
cmp small/perf.data before
[ "$(ls small)" = "filler
perf.data" ] || fail "left behind: $(ls small)"
set +o pipefail
"$PERF" stitch -i f4 -o - 2>err | head -c 10 >/dev/null
status=${PIPESTATUS[0]}
[ "$status" = 1 ] || fail "status $status"
has err 'Broken pipe'
