# SPDX-License-Identifier: GPL-2.0-only
"""Records of a ring buffer as objects."""
import struct

from . import _constants as c
from ._formats import fields

HEADER = struct.Struct("=IHH")
# The fields of a sample that have a fixed size, in their order; names as of the events.
FIELDS = ((c.SAMPLE_IDENTIFIER, "=Q", ("id",)), (c.SAMPLE_IP, "=Q", ("ip",)),
          (c.SAMPLE_TID, "=ii", ("pid", "tid")), (c.SAMPLE_TIME, "=Q", ("time",)),
          (c.SAMPLE_ADDR, "=Q", ("addr",)), (c.SAMPLE_ID, "=Q", ("id",)),
          (c.SAMPLE_STREAM_ID, "=Q", ("stream_id",)), (c.SAMPLE_CPU, "=II", ("cpu", None)),
          (c.SAMPLE_PERIOD, "=Q", ("period",)))
# The same of the sample_id behind other records.
TRAILER = ((c.SAMPLE_TID, "=ii", ("pid", "tid")), (c.SAMPLE_TIME, "=Q", ("time",)),
           (c.SAMPLE_ID, "=Q", ("id",)), (c.SAMPLE_STREAM_ID, "=Q", ("stream_id",)),
           (c.SAMPLE_CPU, "=II", ("cpu", None)), (c.SAMPLE_IDENTIFIER, "=Q", ("id",)))


class _event:
    """What all have: type, misc, and sample_* as far as they were recorded, else 0."""
    _body = "="
    _names = ()

    def __init__(self, kind, misc):
        self.type = kind
        self.misc = misc
        self.sample_ip = self.sample_pid = self.sample_tid = self.sample_time = 0
        self.sample_addr = self.sample_id = self.sample_stream_id = 0
        self.sample_period = self.sample_cpu = 0

    def _take(self, data, at, sample_type, fields):
        for bit, layout, names in fields:
            if sample_type & bit:
                values = struct.unpack_from(layout, data, at)
                at += struct.calcsize(layout)
                for name, value in zip(names, values):
                    if name:
                        setattr(self, "sample_" + name, value)
        return at

    def _fill(self, data, sample_type, has_trailer):
        for name, value in zip(self._names, struct.unpack_from(self._body, data, HEADER.size)):
            setattr(self, name, value)
        if has_trailer:
            size = sum(struct.calcsize(f[1]) for f in TRAILER if sample_type & f[0])
            self._take(data, len(data) - size, sample_type, TRAILER)
        self._rest(data)

    def _rest(self, data):
        pass

    def __repr__(self):
        return "{ %s }" % ", ".join("%s: %r" % pair for pair in sorted(vars(self).items())
                                      if not pair[0].startswith("_"))


def _text(data, at):
    return data[at:data.index(0, at)].decode("utf-8", "surrogateescape")


class mmap_event(_event):
    """A mapping of code: RECORD_MMAP."""
    _body = "=iiQQQ"
    _names = ("pid", "tid", "start", "len", "pgoff")

    def _rest(self, data):
        self.filename = _text(data, HEADER.size + struct.calcsize(self._body))


class task_event(_event):
    """RECORD_FORK or RECORD_EXIT."""
    _body = "=iiiiQ"
    _names = ("pid", "ppid", "tid", "ptid", "time")


class comm_event(_event):
    """A new name of a thread: RECORD_COMM."""
    _body = "=ii"
    _names = ("pid", "tid")

    def _rest(self, data):
        self.comm = _text(data, HEADER.size + struct.calcsize(self._body))


class throttle_event(_event):
    """RECORD_THROTTLE or RECORD_UNTHROTTLE."""
    _body = "=QQQ"
    _names = ("time", "id", "stream_id")


class lost_event(_event):
    """Records that found no room: RECORD_LOST."""
    _body = "=QQ"
    _names = ("id", "lost")


class read_event(_event):
    """RECORD_READ."""
    _body = "=II"
    _names = ("pid", "tid")


class switch_event(_event):
    """RECORD_SWITCH or RECORD_SWITCH_CPU_WIDE."""
    next_prev_pid = next_prev_tid = 0

    def _rest(self, data):
        if self.type == c.RECORD_SWITCH_CPU_WIDE:
            self.next_prev_pid, self.next_prev_tid = struct.unpack_from("=II", data, HEADER.size)


class sample_event(_event):
    """RECORD_SAMPLE; raw_buf is the payload of a tracepoint, if SAMPLE_RAW was asked for, and its
    fields are attributes."""
    raw_buf = b""
    _is_trace = False

    def _fields(self):
        return fields(*struct.unpack_from("=H", self.raw_buf)) if self._is_trace and \
            len(self.raw_buf) >= 2 else {}

    def __getattr__(self, name):
        field = None if name.startswith("_") else self._fields().get(name)
        if field is None:
            raise AttributeError("the sample has no %r: neither a field of its event nor of its "
                                 "tracepoint" % name)
        return field.value(self.raw_buf)

    def __dir__(self):
        return [*super().__dir__(), *self._fields()]

    def _fill(self, data, sample_type, has_trailer):
        at = self._take(data, HEADER.size, sample_type, FIELDS)
        if sample_type & c.SAMPLE_READ:
            return # of many layouts; what is behind it is not looked for
        if sample_type & c.SAMPLE_CALLCHAIN:
            at += 8 + 8 * struct.unpack_from("=Q", data, at)[0]
        if sample_type & c.SAMPLE_RAW:
            size, = struct.unpack_from("=I", data, at)
            self.raw_buf = data[at + 4:at + 4 + size]


_CLASSES = {c.RECORD_MMAP: mmap_event, c.RECORD_LOST: lost_event, c.RECORD_COMM: comm_event,
            c.RECORD_EXIT: task_event, c.RECORD_THROTTLE: throttle_event,
            c.RECORD_UNTHROTTLE: throttle_event, c.RECORD_FORK: task_event,
            c.RECORD_READ: read_event, c.RECORD_SAMPLE: sample_event,
            c.RECORD_SWITCH: switch_event, c.RECORD_SWITCH_CPU_WIDE: switch_event}


def decode(data, sample_type, has_trailer, is_trace=False):
    """The event of the bytes of a record; None for a type without a class.
    @is_trace: the payload of samples is that of a tracepoint"""
    kind, misc, _ = HEADER.unpack_from(data)
    if kind not in _CLASSES:
        return None
    event = _CLASSES[kind](kind, misc)
    event._is_trace = is_trace
    event._fill(data, sample_type, has_trailer)
    return event
