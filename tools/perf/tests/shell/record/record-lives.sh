#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=copy: short lives, and binaries that are gone, hidden or made
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

# The leak sanitizer begins threads on stacks of their own.
export PERF ASAN_OPTIONS=detect_leaks=0
# record NAME COMM PERCENT WHAT...: of the samples in user space of COMM, a regex, all must have a
# known binary, and so many in a hundred of all stacks that there are must be whole. Lost records may
# be mappings. Between two programs there is no stack: how often depends on what an execve() costs.
record() {
	local name=$1 comm=$2 percent=$3 whole lost
	shift 3
	perf record -F 4000 -e cpu-clock --defer=copy -o "$name.data" "$@" >out 2>err </dev/null ||
		fail "$name: $(cat err)"
	lost=$(grep -c ' records lost' err || true)
	perf script -i "$name.data" -F comm,ip,sym,dso 2>/dev/null | awk -v comm="$comm" -v lost="$lost" '
		/^[^ \t]/ { is = $1 ~ comm; leaf = 1; next }
		is && leaf && NF && $1 !~ /^ffff/ { n++; unknown += /\(\[unknown\]\)/; leaf = 0 }
		END { printf "%d samples, %d of unknown binaries\n", n, unknown
		      exit !(n > 20 && (lost || !unknown)) }' >lines || fail "$name: $(cat lines)"
	whole=$(tr -d , <err | awk '/whole user stacks/ {
		for (i = 2; i <= NF; i++) {
			if ($i == "whole" && $(i + 1) == "user") whole = $(i - 1)
			if ($i == "not" && $(i + 1) ~ /^whole/) missing = $(i - 1)
			if ($i == "gone") missing -= $(i - 2)
		}
		print int(100 * whole / (whole + missing)) }')
	[ "$whole" -ge "$percent" ] || fail "$name: $(grep whole err)"
}

record true true 90 -- sh -c 'for i in $(seq 150); do /bin/true; done'
# All of them have a file, but those in execve(), some 50 of 500, which have a reason of their own.
grep -q ' records lost' err || has_not err 'no file behind the address'

# Gone when its first samples are read, and another program in its place, in its inode.
cat >reuse.sh <<'END'
for i in 1 2 3 4; do
	cp "$PERF" p; ./p test -w deep 20 0.1; rm p
	cp /bin/sh p; ./p -c 'i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done'; rm p
done
END
record reuse '^p$' 90 -- sh reuse.sh
cat >gone.sh <<'END'
up() { c=; until [ "$c" = "$2" ]; do sleep 0.01; read -r c <"/proc/$1/comm"; done; }
for i in 1 2 3; do
	cp "$PERF" gone; ./gone test -w deep 20 0.2 & up $! gone; rm gone; wait
	cp "$PERF" gone; ./gone test -w deep 20 0.2 & up $! gone; cp /bin/sh new; mv new gone; wait
done
END
record gone gone 90 -- sh gone.sh

if [ -x /usr/bin/python3 ]; then
	cat >memory.py <<'END'
import os
fd = os.memfd_create("prog", os.MFD_CLOEXEC)
with open(os.environ["PERF"], "rb") as f:
    os.write(fd, f.read())
os.execve(fd, ["prog", "test", "-w", "deep", "20", "0.3"], os.environ)
END
	record memory . 90 -- /usr/bin/python3 memory.py
fi
if [ -x /usr/bin/python3 ] && [ "$(uname -m)" = x86_64 ]; then
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
fi
if command -v git >/dev/null; then
	record git git 80 -- sh -c 'for i in $(seq 8); do rm -rf r; git init -q r; echo $i >r/a
		git -C r add a; git -C r -c user.name=x -c user.email=x@y commit -qm m
		git -C r log --oneline; git -C r status; done'
fi

# Many more programs than descriptors: those that ended give theirs back.
cat >many.sh <<'END'
for i in $(seq 300); do
	cp /bin/sh many$i; ./many$i -c 'i=0; while [ $i -lt 8000 ]; do i=$((i + 1)); done'
done
END
(ulimit -n 160; record many many 90 -- sh many.sh)
perf script -i many.data -F comm 2>/dev/null | sort -u | grep -c many >names
[ "$(cat names)" -gt 200 ] || fail "many: samples of $(cat names) programs"
has_not err 'unreadable binary'
rm many[0-9]*

need_root
# Who lived before the recording, and what starts meanwhile; other perfs may run on this machine.
cp "$PERF" of-test
./of-test test -w deep 20 600 & pid=$!
wait_until runs $pid of-test
record all '^of-test$' 50 -a -- sh -c 'for i in $(seq 30); do ./of-test test -w noploop 0.01; done'
end $pid
perf script -i all.data -F pid,comm,ip,sym | awk -v RS= -v pid=$pid '$2 == pid && /_start/ { n++ }
	END { exit n < 50 }' || fail "-a: no whole stacks of who was there before"

# In another mount namespace, on a file system that is seen only there.
cat >inside.sh <<'END'
c=
mount -t tmpfs none hidden || exit 77
cp "$PERF" hidden/inside
hidden/inside test -w deep 20 0.3
cp "$PERF" hidden/gone
hidden/gone test -w deep 20 0.3 &
until [ "$c" = gone ]; do sleep 0.01; read -r c <"/proc/$!/comm"; done
rm hidden/gone
wait
END
mkdir hidden
unshare -m sh -c 'mount -t tmpfs none hidden' 2>/dev/null || skip "no mount namespaces here"
record inside 'inside|gone' 90 -- unshare -m sh inside.sh
