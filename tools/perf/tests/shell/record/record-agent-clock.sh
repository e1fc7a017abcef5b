#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent --user-only-clock: user stacks where perf_event_open() is refused, as in containers
# limit: 200
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_python
[ "$(uname -m)" = x86_64 ] || skip "the agent is for x86-64"

# Runs a command to which the system call is refused, as container runtimes do it.
cat >without.py <<'END'
import ctypes
import os
import struct
import sys
PERF_EVENT_OPEN, EPERM = 298, 1
ALLOW, ERRNO = 0x7fff0000, 0x00050000
code = [(0x20, 0, 0, 0), (0x15, 0, 1, PERF_EVENT_OPEN), (0x06, 0, 0, ERRNO | EPERM), (0x06, 0, 0, ALLOW)]
filters = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *i) for i in code))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(code), ctypes.addressof(filters)))
libc = ctypes.CDLL(None, use_errno=True)
if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, ctypes.c_void_p(ctypes.addressof(program))):
    print("no seccomp: %s" % os.strerror(ctypes.get_errno()), file=sys.stderr)
    sys.exit(77)
os.execv(sys.argv[1], sys.argv[1:])
END
without() { python without.py "$PERF" "$@"; }
status=0
without --version >err 2>&1 || status=$?
[ $status != 77 ] || skip "$(cat err)"

cat >work.py <<'END'
import mmap
import os
import threading
import time
def leaf(n):
    s = 0
    for i in range(n):
        s += i * i
    return s
def key(x):
    return leaf(50)
def in_kernel():
    with mmap.mmap(-1, 1 << 20) as m:
        for i in range(0, 1 << 20, 4096):
            m[i] = 1
def work(f, seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        f()
def sorting():
    sorted(range(100), key=key)
def late():
    import hashlib
    hashlib.pbkdf2_hmac("sha256", b"a", b"b", 300000)
threads = [threading.Thread(target=work, args=(sorting, 0.5)) for i in range(2)]
for t in threads:
    t.start()
for t in threads:
    t.join()
late()
work(in_kernel, 0.5)
child = os.fork()
if not child:
    work(sorting, 0.4)
    os._exit(0)
os.waitpid(child, 0)
t = os.times()
print("%.3f" % (t.user + t.system + t.children_user + t.children_system))
END
fails 1 without record --agent -o r.data -- true >out 2>&1
has out 'user-only-clock'
without record --agent --user-only-clock -o c.data -- /usr/bin/python3 work.py >spent 2>err || fail "$(cat err)"
has err 'by timers, without perf events: .*those of the kernel are absent'
# All: each sample was made of its record.
all_matched err || fail "$(cat err)"
[ "$(matched err)" -gt 50 ] || fail "$(cat err)"

# What the samples stand for is what the program and its child say that they have used: all of it but
# the time before the agent is there, and less than a tick of each thread.
"$PERF" script -i c.data -F pid,tid,period | awk -v spent="$(cat spent)" '{ sum += $NF; tids[$1] = 1 }
	END { for (t in tids) n++; print n " threads", sum / 1e9, spent; exit !(n == 4 && sum > spent * 0.85e9 - 1e8 && sum < spent * 1.05e9 + 1e8) }' ||
	fail "CPU time"
# Whole stacks, with Python's functions, those of a library that was loaded later, and threads' ends.
"$PERF" report -i c.data --no-children -g none >out 2>&1
has out '^# Kernel stacks: absent' 'cpu-clock:u' '(99|100)\.[0-9] %'
"$PERF" script -i c.data --no-inline -F tid,ip,sym,dso >out
for f in leaf key sorting late in_kernel work; do
	has out " $f \(.*/python-[0-9]*-[0-9]*\)"
done
has out 'libcrypto'
! grep -q begin_thread out || fail "the agent is in stacks"
! grep -q 'kernel.kallsyms' out || fail "kernel functions"

# Another program in the process, and a rate below that of the kernel's clock.
without record --agent --user-only-clock -F 50 -o e.data -- /usr/bin/python3 -c \
	'import os; (lambda: sum(range(4 * 10**7)))(); os.execv("/usr/bin/python3", ["python3", "-c", "sum(i * i for i in range(2 * 10**7))"])' 2>err ||
	fail "$(cat err)"
[ "$(agent_of err processes)" = 2 ] || fail "$(cat err)"
"$PERF" script -i e.data --no-inline -F period,ip,sym >out
has out '<lambda>' '<genexpr>'
grep -q '20000000' out || fail "50 Hz: $(head -n 3 out)"

refused() { # WORDS OPTIONS...
	local words=$1
	shift
	fails 129 "$PERF" record --user-only-clock -o r.data "$@" >out 2>&1
	has out "$words"
}
refused 'needs --agent' -- true
refused 'excludes other events' --agent -e page-faults -- true
refused 'excludes -p' --agent -p $$
# Nothing is sampled where the agent is not loaded, and that is said.
without record --agent --user-only-clock -o s.data -- "$PERF" version >out 2>&1 || :
has out 'by timers'

# A recorder that comes late finds rings that were full: samples are missing, of which the next ones
# have the time. The program stops and continues it.
cat >late.py <<'END'
import os
import signal
import time
def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
spin(0.2)
recorder = os.getppid()
os.kill(recorder, signal.SIGSTOP)
spin(1.5)
os.kill(recorder, signal.SIGCONT)
spin(0.3)
t = os.times()
print("%.3f" % (t.user + t.system))
END
without record --agent --user-only-clock -o f.data -- /usr/bin/python3 late.py >spent 2>err || fail "$(cat err)"
has err "[0-9]+ samples without space, added to the next one's time"
all_matched err || fail "$(cat err)"
"$PERF" script -i f.data -F period | awk -v spent="$(cat spent)" '{ sum += $NF }
	END { print sum / 1e9, spent; exit !(sum > spent * 0.85e9 - 1e8 && sum < spent * 1.05e9 + 1e8) }' || fail "CPU time"

# What a program wrote at last is read, though the recorder finds it gone: it stands still until then, and
# for so long that it looks for ends as soon as it goes on.
cat >last.py <<'END'
import os
import signal
import time
def spin(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass
recorder = os.getppid()
child = os.fork()
if not child:
    spin(0.1)
    os.kill(recorder, signal.SIGSTOP)
    spin(0.05)
    os._exit(0)
os.waitpid(child, 0)
time.sleep(0.5)
os.kill(recorder, signal.SIGCONT)
spin(0.1)
END
without record --agent --user-only-clock -o n.data -- /usr/bin/python3 last.py 2>err || fail "$(cat err)"
has_not err 'were dropped'

# What the program's memory says is the program's: of other threads, other times and more time than it
# has had, nothing gets into the recording.
cat >liar.py <<'END'
import ctypes
import os
import struct
import time
base = next(int(l.split("-")[0], 16) for l in open("/proc/self/maps") if "memfd:perf-agent" in l)
def put(at, data):
    ctypes.memmove(base + at, data, len(data))
def lie(ring, tid, t, period, size=56 + 208, stack=0):
    record = struct.pack("=IHHQQQQQII", size, 16, 0, 1, t, t, 0x1234, 0x5678, 0, 0)
    put(4096 + 512 * 64 + ring * (256 << 10), record + struct.pack("=QII", period, 3, stack) + bytes(192))
    put(4096 + ring * 64, struct.pack("=IIQQQ", tid, 0, 1, size, 0))
now, me = time.monotonic_ns(), os.getpid()
lie(5, 1, now, 1)
lie(6, me, now + 10**15, 1)
lie(7, me, 1, 1)
lie(8, me, now, 1 << 62)
lie(9, me, now, 1, 56 + 208 + 64, 1 << 31)
put(56, struct.pack("=I", 10))
def is_read(ring):
    head, tail = struct.unpack("=QQ", ctypes.string_at(base + 4096 + ring * 64 + 16, 16))
    return head == tail
while not all(is_read(ring) for ring in range(5, 10)):
    time.sleep(0.01)
sum(i * i for i in range(10**6))
END
without record --agent --user-only-clock -o l.data -- /usr/bin/python3 liar.py 2>err || fail "$(cat err)"
has err '3 records of agents were dropped' '1 damaged record'
"$PERF" script -i l.data -F tid,period,ip >out
! awk '$1 == 1 || $2 > 20e9 { exit 1 }' out && fail "$(grep -c . out) lines: $(sort -k2n out | tail -n 1)"
[ "$(samples l.data)" -gt 5 ] || fail "$(cat err)"
