# SPDX-License-Identifier: GPL-2.0-only
"""Events of this machine: counted, and sampled through ring buffers, by libperf."""
import ctypes
import errno
import itertools
import math
import os
import struct
import time

from . import _constants as c
from . import _perf
from ._events import HEADER, decode

_lib = ctypes.CDLL(_perf.__file__)
_P, _I, _S = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p
_ATTR = struct.Struct("=IIQQQQQIIQQQQIiQIHHIIQQ") # struct perf_event_attr of 136 bytes
_ATTR_ROOM = 512 # zeros behind it, for a libperf that knows more
_FLAGS = ("disabled", "inherit", "pinned", "exclusive", "exclude_user", "exclude_kernel",
          "exclude_hv", "exclude_idle", "mmap", "comm", "freq", "inherit_stat", "enable_on_exec",
          "task", "watermark", "precise_ip", None, "mmap_data", "sample_id_all", "exclude_host",
          "exclude_guest", "exclude_callchain_kernel", "exclude_callchain_user", "mmap2",
          "comm_exec", "use_clockid", "context_switch")
_SAMPLE_ID_ALL = 1 << _FLAGS.index("sample_id_all")


class _counts(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in ("val", "ena", "run", "id", "lost")]


def _declare(name, result, *args):
    function = getattr(_lib, name)
    function.restype = result
    function.argtypes = args
    return function


_cpu_map_new = _declare("perf_cpu_map__new", _P, _S)
_cpu_map_any = _declare("perf_cpu_map__new_any_cpu", _P)
_cpu_map_online = _declare("perf_cpu_map__new_online_cpus", _P)
_cpu_map_nr = _declare("perf_cpu_map__nr", ctypes.c_uint, _P)
_cpu_map_cpu = _declare("perf_cpu_map__cpu", ctypes.c_int16, _P, ctypes.c_uint)
_cpu_map_put = _declare("perf_cpu_map__put", None, _P)
_thread_map_array = _declare("perf_thread_map__new_array", _P, _I, _P)
_thread_map_pid = _declare("perf_thread_map__new_by_pid", _P, _I)
_thread_map_nr = _declare("perf_thread_map__nr", _I, _P)
_thread_map_at = _declare("perf_thread_map__pid", _I, _P, _I)
_thread_map_put = _declare("perf_thread_map__put", None, _P)
_evsel_new = _declare("perf_evsel__new", _P, _P)
_evsel_delete = _declare("perf_evsel__delete", None, _P)
_evsel_open = _declare("perf_evsel__open", _I, _P, _P, _P)
_evsel_close = _declare("perf_evsel__close", None, _P)
_evsel_read = _declare("perf_evsel__read", _I, _P, _I, _I, ctypes.POINTER(_counts))
_evsel_attr = _declare("perf_evsel__attr", _P, _P)
_evlist_new = _declare("perf_evlist__new", _P)
_evlist_delete = _declare("perf_evlist__delete", None, _P)
_evlist_add = _declare("perf_evlist__add", None, _P, _P)
_evlist_set_maps = _declare("perf_evlist__set_maps", None, _P, _P, _P)
_evlist_open = _declare("perf_evlist__open", _I, _P)
_evlist_close = _declare("perf_evlist__close", None, _P)
_evlist_enable = _declare("perf_evlist__enable", None, _P)
_evlist_disable = _declare("perf_evlist__disable", None, _P)
_evlist_set_leader = _declare("perf_evlist__set_leader", None, _P)
_evlist_mmap = _declare("perf_evlist__mmap", _I, _P, _I)
_evlist_munmap = _declare("perf_evlist__munmap", None, _P)
_evlist_poll = _declare("perf_evlist__poll", _I, _P, _I)
_evlist_pollfd = _declare("perf_evlist__pollfd", _I, _P, _I)
_evlist_next_mmap = _declare("perf_evlist__next_mmap", _P, _P, _P, ctypes.c_bool)
_mmap_init = _declare("perf_mmap__read_init", _I, _P)
_mmap_event = _declare("perf_mmap__read_event", _P, _P)
_mmap_consume = _declare("perf_mmap__consume", None, _P)
_mmap_done = _declare("perf_mmap__read_done", None, _P)


_ADVICE = {
    errno.EACCES: "; /proc/sys/kernel/perf_event_paranoid says what may be counted without "
                  "CAP_PERFMON: from 2 on nothing of the kernel (add ':u')",
    errno.ENOENT: "; the machine does not count that (virtual machines often lack the hardware)",
}


def _check(ret, what, advice={}):
    if ret < 0:
        raise _perf.error(-ret, "cannot %s: %s%s" % (what, os.strerror(-ret),
                                                     advice.get(-ret, "")))
    return ret


class _sequence:
    """A map of libperf: something like a list of numbers."""
    def __init__(self, pointer, put, what):
        if not pointer:
            raise ValueError(what)
        self._pointer = pointer
        self._put = put

    def __del__(self):
        if getattr(self, "_pointer", None):
            self._put(self._pointer)

    def __getitem__(self, i):
        if not -len(self) <= i < len(self):
            raise IndexError("index out of range")
        return self._at(i % len(self))

    def __iter__(self):
        return (self._at(i) for i in range(len(self)))

    def __repr__(self):
        return "%s(%r)" % (type(self).__name__, list(self))


class cpu_map(_sequence):
    """CPUs: all that are online, of a list like "0,2-3", or with -1 any that a thread runs on."""
    def __init__(self, cpustr=None):
        pointer = _cpu_map_online() if cpustr is None else _cpu_map_any() if cpustr == -1 else \
            _cpu_map_new(str(cpustr).encode())
        super().__init__(pointer, _cpu_map_put, "not a list of CPUs: %r" % (cpustr,))

    def __len__(self):
        return _cpu_map_nr(self._pointer)

    def _at(self, i):
        return _cpu_map_cpu(self._pointer, i)


def _thread_map_of(tids):
    return _thread_map_array(len(tids), (ctypes.c_int * len(tids))(*tids))


class thread_map(_sequence):
    """Threads: one by its tid, all of a process by its pid, all of a user by its uid without those
    of the process that asks, or -1, which stands for all."""
    def __init__(self, pid=-1, tid=-1, uid=None):
        if tid == -1 and pid == -1 and uid not in (None, 0xffffffff):
            pointer = _thread_map_of(_perf.threads_of_user(uid))
        elif tid == -1 and pid != -1:
            pointer = _thread_map_pid(pid)
        else:
            pointer = _thread_map_of([tid]) # 0 is the one that asks
        super().__init__(pointer, _thread_map_put, "no threads of process %d" % pid)

    def __len__(self):
        return _thread_map_nr(self._pointer)

    def _at(self, i):
        return _thread_map_at(self._pointer, i)


class counts_values:
    """What a counter says: val, ena and run (ns enabled, ns counted), id, lost."""
    def __init__(self, val=0, ena=0, run=0, id=0, lost=0):
        self.val, self.ena, self.run, self.id, self.lost = val, ena, run, id, lost

    @property
    def values(self):
        return [self.val, self.ena, self.run, self.id, self.lost]

    def __repr__(self):
        return "counts_values(val=%d, ena=%d, run=%d)" % (self.val, self.ena, self.run)


class evsel:
    """An event: perf_event_open(2) has the meaning of the arguments."""
    def __init__(self, type=c.TYPE_HARDWARE, config=c.COUNT_HW_CPU_CYCLES, sample_freq=0,
                 sample_period=0, sample_type=c.SAMPLE_PERIOD | c.SAMPLE_TID, read_format=0,
                 wakeup_events=0, bp_type=0, bp_addr=0, bp_len=0, idx=0, _attr=None, _name=None,
                 **flags):
        unknown = set(flags) - set(_FLAGS)
        if unknown:
            raise TypeError("evsel() has no argument %r" % sorted(unknown)[0])
        if sample_freq and sample_period:
            raise ValueError("either sample_freq or sample_period")
        if sample_freq:
            flags["freq"] = 1
        bits = sum(int(flags.get(name) or 0) << i for i, name in enumerate(_FLAGS) if name)
        attr = _attr or _ATTR.pack(type, _perf.ATTR_SIZE, config, sample_freq or sample_period,
                                   sample_type, read_format, bits, wakeup_events, bp_type, bp_addr,
                                   bp_len, *[0] * 12)
        self._room = ctypes.create_string_buffer(attr, max(_ATTR_ROOM, len(attr)))
        self._pointer = _evsel_new(self._room)
        if not self._pointer:
            raise MemoryError
        self.name = _name
        self._list = self._cpus = self._threads = None

    def __del__(self):
        if getattr(self, "_pointer", None) and not self._list:
            _evsel_delete(self._pointer)

    def _field(self, offset, layout, value=None):
        room = (ctypes.c_char * 64).from_address(_evsel_attr(self._pointer))
        if value is not None:
            struct.pack_into(layout, room, offset, value)
        return struct.unpack_from(layout, room, offset)[0]

    type = property(lambda self: self._field(0, "=I"), lambda self, v: self._field(0, "=I", v))
    size = property(lambda self: self._field(4, "=I"), lambda self, v: self._field(4, "=I", v))
    config = property(lambda self: self._field(8, "=Q"), lambda self, v: self._field(8, "=Q", v))
    sample_period = property(lambda self: self._field(16, "=Q"),
                             lambda self, v: self._field(16, "=Q", v))
    sample_type = property(lambda self: self._field(24, "=Q"),
                           lambda self, v: self._field(24, "=Q", v))
    read_format = property(lambda self: self._field(32, "=Q"),
                           lambda self, v: self._field(32, "=Q", v))
    wakeup_events = property(lambda self: self._field(48, "=I"),
                             lambda self, v: self._field(48, "=I", v))

    @property
    def tracking(self):
        """Whether it brings mappings, names and tasks."""
        return bool(self._field(40, "=Q") & sum(1 << _FLAGS.index(f) for f in
                                                ("mmap", "comm", "task")))

    @tracking.setter
    def tracking(self, on):
        bits = sum(1 << _FLAGS.index(f) for f in ("mmap", "comm", "task"))
        self._field(40, "=Q", self._field(40, "=Q") & ~bits | (bits if on else 0))

    def open(self, cpus=None, threads=None, group=0, inherit=0):
        """Opens it on all @cpus (default: any) for all @threads (default: this one)."""
        self._cpus = cpus or cpu_map(-1)
        self._threads = threads or thread_map(tid=0)
        if inherit:
            self._field(40, "=Q", self._field(40, "=Q") | 1 << _FLAGS.index("inherit"))
        _check(_evsel_open(self._pointer, self._cpus._pointer, self._threads._pointer),
               "open %s" % (self.name or "the event"), _ADVICE)

    def close(self):
        _evsel_close(self._pointer)

    def cpus(self):
        return self._cpus

    def threads(self):
        return self._threads

    def read(self, cpu, thread):
        """The count on a CPU for a thread, which are members of cpus() and threads()."""
        counts = _counts()
        try:
            place = list(self._cpus).index(cpu), list(self._threads).index(thread)
        except (ValueError, TypeError):
            raise ValueError("the event is not open on CPU %r for thread %r" % (cpu, thread))
        _check(_evsel_read(self._pointer, *place, ctypes.byref(counts)), "read the counter")
        return counts_values(*(getattr(counts, name) for name, _ in _counts._fields_))

    def __repr__(self):
        return "evsel(%s)" % (self.name or "type=%d, config=%d" % (self.type, self.config))


class evlist:
    """Events that are opened, enabled, mapped and polled together."""
    def __init__(self, cpus=None, threads=None):
        self._cpus = cpus or cpu_map(-1)
        self._threads = threads or thread_map(tid=0)
        self._events = []
        self._mapped = False
        self._metrics = {}  # name: (event, event or None for the time, factor)
        self._elapsed = 0   # ns that the events were enabled, without the time since _since
        self._since = None  # None: they are disabled
        self._pointer = _evlist_new()
        if not self._pointer:
            raise MemoryError

    def __del__(self):
        if getattr(self, "_pointer", None):
            for event in self._events:
                event._pointer = None # the list owned it
            _evlist_delete(self._pointer)

    def add(self, event):
        """Takes the event over. Returns how many there are."""
        if event._list:
            raise ValueError("the event is in a list")
        _evlist_add(self._pointer, event._pointer)
        event._list = self
        self._events.append(event)
        if event._cpus is None: # else it is open
            event._cpus, event._threads = self._cpus, self._threads
        _evlist_set_maps(self._pointer, self._cpus._pointer, self._threads._pointer)
        return len(self._events)

    def __len__(self):
        return len(self._events)

    def __getitem__(self, i):
        return self._events[i]

    def __iter__(self):
        return iter(self._events)

    def all_cpus(self):
        return self._cpus

    def open(self, group=0):
        if group:
            _evlist_set_leader(self._pointer)
        _check(_evlist_open(self._pointer), "open %s" % (
            ", ".join(e.name for e in self._events if e.name) or "the events"), _ADVICE)

    def close(self):
        if self._mapped:
            _evlist_munmap(self._pointer)
            self._mapped = False
        _evlist_close(self._pointer)

    def config(self):
        """Makes the events ready to be sampled: with the fields that tell their records apart."""
        for event in self._events:
            event.sample_type |= c.SAMPLE_IP | c.SAMPLE_TID | c.SAMPLE_TIME | c.SAMPLE_PERIOD | \
                c.SAMPLE_CPU | c.SAMPLE_ID
            event.read_format |= c.FORMAT_ID
            event._field(40, "=Q", event._field(40, "=Q") | _SAMPLE_ID_ALL)

    def enable(self):
        if self._since is None:
            self._since = time.monotonic_ns()
        _evlist_enable(self._pointer)

    def disable(self):
        _evlist_disable(self._pointer)
        self._elapsed = self._enabled_ns()
        self._since = None

    def _enabled_ns(self):
        return self._elapsed + (time.monotonic_ns() - self._since if self._since else 0)

    def metrics(self):
        """Names of the metrics for which parse_metrics() has made it."""
        return list(self._metrics)

    def compute_metric(self, metric, cpu, thread):
        """What a metric was on a CPU for a thread, as of evsel.read(), while the events were
        enabled; nan where that was no time, or nothing to divide by."""
        if metric not in self._metrics:
            raise ValueError("the list was not made for the metric %r" % (metric,))
        counted, base, factor = self._metrics[metric]
        number = counted.read(cpu, thread)
        by = base.read(cpu, thread) if base else counts_values(self._enabled_ns(), 1, 1)
        if not (by.val and number.run and by.run):
            return math.nan
        # What shared a counter with other events was counted for a part of the time.
        return factor * number.val * number.ena / number.run / (by.val * by.ena / by.run)

    def mmap(self, pages=128, overwrite=0):
        """Maps a ring buffer of so many pages, a power of two, for each CPU."""
        if overwrite:
            raise ValueError("ring buffers are not overwritten")
        _check(_evlist_mmap(self._pointer, pages), "map the ring buffers")
        self._mapped = True

    def _rings(self):
        ring = _evlist_next_mmap(self._pointer, None, False)
        while ring:
            yield ring
            ring = _evlist_next_mmap(self._pointer, ring, False)

    def poll(self, timeout=-1):
        """Waits for records, at most @timeout ms. Returns how many ring buffers have some."""
        waited = 0
        while True:
            step = 100 if timeout < 0 else min(100, timeout - waited) # so that ^C is heard
            ready = _evlist_poll(self._pointer, step)
            waited += step
            if ready == -4: # EINTR
                continue
            if _check(ready, "poll") or 0 <= timeout <= waited:
                return ready

    def get_pollfd(self):
        """Files whose fileno() is for select and poll: they are readable when records wait. They
        belong to this list, and closing them does nothing."""
        if not self._mapped:
            raise ValueError("the events are not mapped: mmap() first")
        fds = (_evlist_pollfd(self._pointer, i) for i in itertools.count())
        there = itertools.takewhile(lambda fd: fd != -errno.ENOENT, fds)
        return [open(fd, "rb", buffering=0, closefd=False) for fd in there if fd >= 0]

    def read_on_cpu(self, cpu, sample_id_all=1):
        """The next record of a CPU's ring buffer, or None."""
        if not self._mapped:
            raise ValueError("the events are not mapped: mmap() first")
        cpus = list(self._cpus)
        if cpu not in cpus:
            raise ValueError("CPU %r is none of this list" % (cpu,))
        ring = next((r for i, r in enumerate(self._rings()) if i == cpus.index(cpu)), None)
        if not ring or _mmap_init(ring):
            return None
        at, data = _mmap_event(ring), None
        if at:
            data = ctypes.string_at(at, HEADER.unpack(ctypes.string_at(at, HEADER.size))[2])
            _mmap_consume(ring)
        _mmap_done(ring)
        first = self._events[0]
        return decode(data, first.sample_type, sample_id_all and
                      first._field(40, "=Q") & _SAMPLE_ID_ALL,
                      first.type == c.TYPE_TRACEPOINT) if data else None

    def __repr__(self):
        return "evlist([%s])" % ",".join(map(repr, self._events))


def parse_events(text, cpus=None, threads=None):
    """A list of the events that -e of perf record would mean."""
    events = evlist(cpus, threads)
    for name, attr, _ in _perf.parse_event_names(text):
        events.add(evsel(_attr=attr, _name=name))
    for event in events:
        event.size = event.size or _perf.ATTR_SIZE
        event.read_format |= c.FORMAT_TOTAL_TIME_ENABLED | c.FORMAT_TOTAL_TIME_RUNNING
        event._field(40, "=Q", event._field(40, "=Q") | 1) # disabled
    return events


def tracepoint(sys, name):
    """The config of a tracepoint, for evsel(TYPE_TRACEPOINT, ...)."""
    (_, attr, _), = _perf.parse_event_names("%s:%s" % (sys, name))
    return struct.unpack_from("=Q", attr, 8)[0]
