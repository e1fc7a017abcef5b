# SPDX-License-Identifier: GPL-2.0-only
"""Recordings of perf, and its events.

    import perf

    for sample in perf.recording("perf.data"):
        print(sample.time, sample.comm, [frame.symbol for frame in sample.frames])

recording() reads what `perf record` wrote; the rest counts and samples here and now, with the names
of the module of Linux's own perf. See perf-python(1).
"""
from ._perf import error, frame, recording, sample
from ._constants import *
from ._events import (comm_event, lost_event, mmap_event, read_event, sample_event, switch_event,
                      task_event, throttle_event)
from ._live import counts_values, cpu_map, evlist, evsel, parse_events, thread_map, tracepoint
from ._metrics import metrics, parse_metrics
from ._pmus import pmus
