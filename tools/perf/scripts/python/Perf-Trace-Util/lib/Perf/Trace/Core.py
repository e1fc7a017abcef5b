# SPDX-License-Identifier: GPL-2.0-only
"""Names of flags and of numbers in tracepoints, and the header that handlers get.

perf calls the define_*() functions of a script that has them (`from Core import *`) when it meets
the first sample of an event, with what the format of the event says. flag_str() and symbol_str()
look there. Events are named as handlers are: "sched__sched_switch".
"""
from collections import defaultdict


def autodict():
    """A dictionary that makes what it does not have: nested ones, to any depth."""
    return defaultdict(autodict)


flag_fields = autodict()
symbolic_fields = autodict()


def define_flag_field(event_name, field_name, delim):
    flag_fields[event_name][field_name]["delim"] = delim


def define_flag_value(event_name, field_name, value, field_str):
    flag_fields[event_name][field_name]["values"][value] = field_str


def define_symbolic_field(event_name, field_name):
    symbolic_fields[event_name][field_name] # from now on it is there


def define_symbolic_value(event_name, field_name, value, field_str):
    symbolic_fields[event_name][field_name]["values"][value] = field_str


def _values(fields, event_name, field_name):
    field = fields.get(event_name, {}).get(field_name, {})
    return field, field.get("values", {})


def flag_str(event_name, field_name, value):
    """The names of the bits of @value, "A | B"; bits without a name are left out."""
    field, names = _values(flag_fields, event_name, field_name)
    if not value:
        return names.get(0, "")
    found = []
    for bits in sorted(names):
        if bits and value & bits == bits:
            found.append(names[bits])
            value &= ~bits
    delim = field.get("delim")
    return (" %s " % delim if delim else "").join(found)


def symbol_str(event_name, field_name, value):
    """The name of the number @value, or ""."""
    return _values(symbolic_fields, event_name, field_name)[1].get(value, "")


# What common_flags() returns: the bits of include/linux/trace_events.h.
trace_flags = {
    0x00: "NONE",
    0x01: "IRQS_OFF",
    0x02: "IRQS_NOSUPPORT",
    0x04: "NEED_RESCHED",
    0x08: "HARDIRQ",
    0x10: "SOFTIRQ",
}


def trace_flag_str(value):
    if not value:
        return trace_flags[0]
    return " | ".join(trace_flags[bit] for bit in sorted(trace_flags) if bit and value & bit)


def taskState(state):
    """The letter of a state of sched_switch."""
    return {0: "R", 1: "S", 2: "D", 64: "DEAD"}.get(state, "Unknown")


class EventHeaders:
    """What all tracepoints begin with."""

    def __init__(self, common_cpu, common_secs, common_nsecs, common_pid, common_comm,
                 common_callchain):
        self.cpu = common_cpu
        self.secs = common_secs
        self.nsecs = common_nsecs
        self.pid = common_pid
        self.comm = common_comm
        self.callchain = common_callchain

    def ts(self):
        """In nanoseconds."""
        return self.secs * 10 ** 9 + self.nsecs

    def ts_format(self):
        """In seconds, to the microsecond."""
        return "%d.%d" % (self.secs, self.nsecs // 1000)
