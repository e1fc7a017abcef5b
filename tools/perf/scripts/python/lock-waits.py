# SPDX-License-Identifier: GPL-2.0-only
"""Waits for locks: who waited in futex(2), for how long, and where it was called.

Takes syscalls:sys_enter_futex and syscalls:sys_exit_futex, with callchains. A call that only wakes
others is not counted.
"""
import argparse
import os
import sys

sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
from Profile import frame_name, print_table
from Util import FUTEX_CMD_MASK, nsecs

# Operations of futex(2) that wait: WAIT, LOCK_PI, WAIT_BITSET, WAIT_REQUEUE_PI, LOCK_PI2.
WAITING = (0, 6, 9, 11, 13)
# Functions of libc and of runtimes that every lock goes through.
INNER = ("futex", "lll_lock", "__pthread", "pthread_", "___pthread", "syscall", "do_syscall",
         "entry_SYSCALL", "__x64_sys", "__lll", "__GI_", "__new_sem", "sem_", "__futex")

parser = argparse.ArgumentParser(prog="lock-waits", description=__doc__.split("\n\n")[0])
parser.add_argument("--top", type=int, default=20, metavar="N", help="lines (20)")
parser.add_argument("--min", type=float, default=0, metavar="US", help="leave out shorter waits")
args = parser.parse_args()
waiting, waits = {}, {}


def place(chain):
    """The first function outside libc's locking, or the innermost one."""
    names = [frame_name(f) for f in chain if f["ip"] < 1 << 63]
    for name in names:
        if not name.startswith(INNER) and not name.startswith("["):
            return name
    return names[0] if names else "(no callchain)"


def syscalls__sys_enter_futex(event_name, context, cpu, s, ns, pid, comm, chain,
                              nr, uaddr, op, *rest):
    if op & FUTEX_CMD_MASK in WAITING:
        waiting[pid] = nsecs(s, ns), uaddr, place(chain)


def syscalls__sys_exit_futex(event_name, context, cpu, s, ns, pid, comm, chain, nr, ret, *rest):
    if pid not in waiting:
        return
    start, uaddr, where = waiting.pop(pid)
    us = (nsecs(s, ns) - start) / 1000
    if us >= args.min:
        waits.setdefault((comm, pid, uaddr, where), []).append(us)


def trace_end():
    rows = []
    for (comm, pid, uaddr, where), us in sorted(waits.items(), key=lambda w: -sum(w[1])):
        rows.append(("%.1f" % sum(us), len(us), "%.1f" % (sum(us) / len(us)), "%.1f" % max(us),
                     "%s (%d)" % (comm, pid), "0x%x" % uaddr, where))
    print("%d waits, %.1f us in all" % (sum(map(len, waits.values())),
                                        sum(map(sum, waits.values()))))
    print_table((" us", " waits", " mean", " longest", "thread", "lock", "called by"),
                rows[:args.top])
    if waiting:
        print("%d were still blocked at the end" % len(waiting))
