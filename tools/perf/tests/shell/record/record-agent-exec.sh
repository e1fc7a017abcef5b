#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: no kind of exec kills a program, and each child is recorded
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent
: "${EXECS:=${PERF_TEST_THOROUGH:+15}}" "${EXECS:=6}" # processes of each kind

cat >execs.py <<'END'
import ctypes
import os
import subprocess
import sys
import time
TRUE = "/bin/true"
libc = ctypes.CDLL(None, use_errno=True)
def burn(ms):
    end = time.monotonic() + ms / 1000
    while time.monotonic() < end:
        pass
def raw():
    argv = (ctypes.c_char_p * 2)(b"true", None)
    libc.syscall(59, TRUE.encode(), argv, None)
def failing():
    for i in range(10):
        try:
            os.execv("/nonexistent", ["x"])
        except OSError:
            burn(0.3)
    os._exit(0)
def forking():
    pid = os.fork()
    if not pid:
        burn(2)
        os.execv(TRUE, ["true"])
    os._exit(os.waitpid(pid, 0)[1] != 0)
def ending(f):
    def run():
        burn(2)
        status = f()
        burn(1)
        os._exit(status != 0)
    return run
c_null = ctypes.c_char_p(None)
KINDS = {
    "execve": lambda: os.execve(TRUE, ["true"], os.environ),
    "execv": lambda: os.execv(TRUE, ["true"]),
    "fexecve": lambda: os.execve(os.open(TRUE, os.O_RDONLY), ["true"], os.environ),
    "execvp": lambda: libc.execvp(b"true", (ctypes.c_char_p * 2)(b"true", None)),
    "execl": lambda: libc.execl(b"/bin/true", b"true", b"x", c_null),
    "execlp": lambda: libc.execlp(b"true", b"true", b"x", c_null),
    "execle": lambda: libc.execle(b"/bin/true", b"true", c_null, None),
    "posix_spawn": ending(lambda: os.waitpid(os.posix_spawn(TRUE, ["true"], os.environ), 0)[1]),
    "system": ending(lambda: os.system("true")),
    "vfork": ending(lambda: subprocess.call([TRUE])),
    "fork": forking,
    "failing": failing,
    "raw": raw,
}
for name in sys.argv[2:]:
    killed = failed = 0
    for i in range(int(sys.argv[1])):
        pid = os.fork()
        if not pid:
            burn(2)
            KINDS[name]()
            os._exit(77)
        status = os.waitpid(pid, 0)[1]
        killed += os.WIFSIGNALED(status)
        failed += not os.WIFSIGNALED(status) and os.WEXITSTATUS(status) != 0
    print("%s killed %d failed %d" % (name, killed, failed), flush=True)
END
"$PERF" record --agent -e cpu-clock -F 10000 -o e.data -- /usr/bin/python3 execs.py $EXECS execve execv fexecve execvp execl execlp \
	execle posix_spawn system vfork fork failing >out 2>err || fail "$(cat out err)"
[ "$(grep -c 'killed 0 failed 0$' out)" = 12 ] || fail "$(cat out)"
# One agent for each process that runs Python after a fork, and for each program.
[ "$(agent_of err process)" -gt $((EXECS * 16)) ] || fail "$(cat err)"
# At 10 kHz, samples hit the agent and other handlers, too: the more of them, the busier the machine.
# And fork() of glibc 2.41 blocks all signals while it is at work.
mostly_matched err 25 'agent blocked' || fail "$(cat err)"
# Nor do timers, whose signal is the same.
"$PERF" record --agent --user-only-clock -o t.data -- /usr/bin/python3 execs.py $EXECS execve execv fexecve execvp execl \
	execlp execle posix_spawn system vfork fork failing >out 2>err || fail "$(cat out err)"
[ "$(grep -c 'killed 0 failed 0$' out)" = 12 ] || fail "timers: $(cat out)"
[ "$(agent_of err process)" -gt $((EXECS * 16)) ] || fail "$(cat err)"
# The kernel's own call knows nothing of the agent: this is what it guards against. Samples of user
# code alone send no signal from there.
"$PERF" record --agent -e cpu-clock -F 10000 -o e.data -- /usr/bin/python3 execs.py 15 raw >out 2>err || fail "$(cat out err)"
[ "$U" ] || has out 'raw killed ([1-9]|1[0-5]) failed'
"$PERF" record --agent -e cpu-clock:u -F 10000 -o e.data -- /usr/bin/python3 execs.py 15 raw >out 2>err || fail "$(cat out err)"
has out 'raw killed 0 failed 0'
# Others may record at the same time, with sockets of their own.
for d in /tmp/perf-agent-*; do
	[ ! "$d" -nt execs.py ] || [ -S "$d/agent" ] || fail "$d is left"
done
