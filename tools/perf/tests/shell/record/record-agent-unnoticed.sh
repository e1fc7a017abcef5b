#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: the program finds its signals, descriptors and calls as without it
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent

cat >quiet.py <<'END'
import ctypes
import faulthandler
import os
import resource
import select
import signal
import sys
import time
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
libc = ctypes.CDLL(None, use_errno=True)
def burn(ms):
    end = time.monotonic() + ms / 1000
    while time.monotonic() < end:
        pass
def child(f):
    pid = os.fork()
    if not pid:
        try:
            burn(2)
            f()
        finally:
            os._exit(0)
    status = os.waitpid(pid, 0)[1]
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
def handled(sig):
    got = []
    signal.signal(sig, lambda n, f: got.append(n))
    assert signal.getsignal(sig) is not signal.SIG_DFL
    for i in range(5):
        os.kill(os.getpid(), sig)
        burn(1)
    os._exit(len(got))
def ignored(sig):
    signal.signal(sig, signal.SIG_IGN)
    os.kill(os.getpid(), sig)
    burn(2)
    os._exit(9)
print("fds", sorted(os.listdir("/proc/self/fd"))[:-1])
print("trap", signal.getsignal(signal.SIGTRAP) == signal.SIG_DFL,
      "segv", signal.getsignal(signal.SIGSEGV) == signal.SIG_DFL)
print("blocked", sorted(signal.pthread_sigmask(signal.SIG_BLOCK, [])))
print("default", child(lambda: os.kill(os.getpid(), signal.SIGTRAP)),
      child(lambda: os.kill(os.getpid(), signal.SIGSEGV)), child(lambda: ctypes.string_at(1)))
print("handled", child(lambda: handled(signal.SIGTRAP)), child(lambda: handled(signal.SIGSEGV)))
print("ignored", child(lambda: ignored(signal.SIGTRAP)), child(lambda: ignored(signal.SIGBUS)))
def dump():
    faulthandler.enable(open("fault.txt", "w"))
    ctypes.string_at(1)
print("faulthandler", child(dump), "Segmentation fault" in open("fault.txt").read())
poll = libc.poll
eintr = 0
end = time.monotonic() + 1
while time.monotonic() < end:
    burn(0.05)
    if poll(None, 0, 1) < 0 and ctypes.get_errno() == 4:
        eintr += 1
print("eintr", eintr)
# By CPU time, which no load makes less: timers end once in a tick (clock 6 is
# CLOCK_MONOTONIC_COARSE, whose resolution that is), at half of the ticks at least.
end = time.process_time() + 0.4
while time.process_time() < end:
    pass
open("least", "w").write(str(int(0.2 / time.clock_getres(6))))
END
/usr/bin/python3 quiet.py >want
has want 'default -5 -11 -11' 'handled 5 5' 'ignored 9 9' 'faulthandler -11 True' 'eintr 0'
"$PERF" record --agent -F 10000 -o q.data -- /usr/bin/python3 quiet.py >got 2>err || fail "$(cat err)"
diff want got || fail "the program noticed something"
[ "$(matched err)" -gt 100 ] || fail "$(cat err)"
rm -f fault.txt
"$PERF" record --agent --user-only-clock -o t.data -- /usr/bin/python3 quiet.py >got 2>err || fail "$(cat err)"
diff want got || fail "the program noticed its timers"
[ "$(matched err)" -ge "$(cat least)" ] || fail "$(cat err)"
# A program that ends with a status, and what the recorder does not leave behind.
status=0
"$PERF" record --agent -q -o q.data -- /usr/bin/python3 -c 'import sys; sys.exit(7)' || status=$?
[ $status = 7 ] || fail "status $status"
