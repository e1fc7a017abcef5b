#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
"""Usage: reader-confined.py TRACE LINES [--apart]

Looks into what strace -f wrote of a command (TRACE): whether its process is confined, and asks for
nothing that it may not do from then on, nor do its threads and forks. Appends to LINES how many
calls these made. --apart: it is the first process with a filter that is meant, not the first of all.
"""
import re
import sys

# What opens, changes or looks for files by their name, connects, runs a program or looks into another.
WRONG = re.compile(r"(open\w*|creat|name_to_handle_at|unlink\w*|rename\w*|link|linkat|symlink\w*"
                   r"|mkdir\w*|mknod\w*|rmdir|chmod|fchmodat\w*|chown|lchown|fchownat|truncate"
                   r"|access|faccessat2?|chdir|mount|umount2|pivot_root|chroot|unshare|setns"
                   r"|socket|connect|bind|listen|accept4?|execve\w*|ptrace|process_vm_\w+|kill|tkill"
                   r"|pidfd_\w+|bpf|perf_event_open|io_uring_\w+|userfaultfd|keyctl|add_key)\(")
# What the malloc() of glibc asks for before it shrinks the memory of a thread; it does not mind.
BY_LIBC = '"/proc/sys/vm/overcommit_memory"'
LINE = re.compile(r"\s*(\d+) (.*)")
FORK = re.compile(r"(?:clone3?|v?fork)\(.*= (\d+)$|<\.\.\. (?:clone3?|v?fork) resumed>.*= (\d+)$")


def main():
    confined, calls, wrong = set(), 0, []
    main_pid, apart = None, "--apart" in sys.argv
    with open(sys.argv[1], encoding="utf-8", errors="replace") as trace:
        for line in trace:
            m = LINE.match(line)
            if not m:
                continue
            pid, call = m.groups()
            if not main_pid and not (apart and "SECCOMP_MODE_FILTER" not in call):
                main_pid = pid
            if pid in confined:
                calls += 1
                made = FORK.search(call)
                if made:
                    confined.add(made.group(1) or made.group(2))
                if (WRONG.match(call) or "= -1 EPERM" in call) and BY_LIBC not in call:
                    wrong.append(line)
            elif pid == main_pid and "SECCOMP_MODE_FILTER" in call:
                confined.add(pid)
    if not confined:
        sys.exit("no process was confined")
    if wrong:
        sys.exit("%d calls of what was given up, the first: %s" % (len(wrong), wrong[0]))
    with open(sys.argv[2], "a", encoding="utf-8") as lines:
        lines.write("%d\n" % calls)


main()
