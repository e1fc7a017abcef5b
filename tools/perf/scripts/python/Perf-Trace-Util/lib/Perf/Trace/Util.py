# SPDX-License-Identifier: GPL-2.0-only
"""Small things that scripts need: times, sums, names of system calls and of errors."""
import errno
import sys

NSECS_PER_SEC = 1000000000

# Operations of futex(2), in its argument "op".
FUTEX_WAIT = 0
FUTEX_WAKE = 1
FUTEX_PRIVATE_FLAG = 128
FUTEX_CLOCK_REALTIME = 256
FUTEX_CMD_MASK = ~(FUTEX_PRIVATE_FLAG | FUTEX_CLOCK_REALTIME)

# Until the first number had to do for a name: then it is said why.
audit_package_warned = False


def avg(total, n):
    return total / n


def nsecs(secs, nsecs):
    return secs * NSECS_PER_SEC + nsecs


def nsecs_secs(nsecs):
    return nsecs / NSECS_PER_SEC


def nsecs_nsecs(nsecs):
    return nsecs % NSECS_PER_SEC


def nsecs_str(nsecs):
    """A tuple of one string, as it has always been: for "%s" % nsecs_str(n)."""
    return ("%5d.%09d" % divmod(nsecs, NSECS_PER_SEC),)


def add_stats(dict, key, value):
    """Keeps (least, greatest, mean of the last mean and this, number) of what is added."""
    if key not in dict:
        dict[key] = (value, value, value, 1)
        return
    least, greatest, mean, count = dict[key]
    dict[key] = (min(least, value), max(greatest, value), (mean + value) / 2, count + 1)


def clear_term():
    """Empties the screen."""
    sys.stdout.write("\x1b[H\x1b[2J")
    sys.stdout.flush()


def _audit_names():
    """A function from numbers to names; None: the package python3-audit is not there."""
    try:
        import audit
    except ImportError:
        return None
    machine = audit.audit_detect_machine()
    return lambda number: audit.audit_syscall_to_name(number, machine)


_name_of = False # not looked for yet


def syscall_name(id):
    """The name of a system call of this machine; its number where names are not known."""
    global _name_of, audit_package_warned
    if _name_of is False:
        _name_of = _audit_names()
    name = _name_of(id) if _name_of else None
    if not _name_of and not audit_package_warned:
        audit_package_warned = True
        sys.stderr.write("System calls are shown as numbers: their names take the package "
                         "python3-audit.\n")
    return name or str(id)


def strerror(nr):
    """ENOENT for 2 and for -2."""
    return errno.errorcode.get(abs(nr), "Unknown %d errno" % nr)
