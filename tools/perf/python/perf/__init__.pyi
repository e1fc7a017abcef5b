# SPDX-License-Identifier: GPL-2.0-only
from os import PathLike
from types import TracebackType
from typing import Any, BinaryIO, Iterator, Literal, Sequence

class error(OSError): ...

class frame:
    """A function in a callchain."""
    @property
    def ip(self) -> int: ...
    @property
    def symbol(self) -> str | None: ...
    @property
    def offset(self) -> int | None: ...
    @property
    def module(self) -> str | None: ...
    @property
    def address(self) -> int: ...
    @property
    def line(self) -> str | None: ...
    @property
    def inlined(self) -> bool: ...
    @property
    def mode(self) -> Literal["user", "kernel", "other"]: ...
    @property
    def is_cookie(self) -> bool: ...

class sample:
    """A sample of a recording."""
    @property
    def time(self) -> int | None: ...
    @property
    def comm(self) -> str: ...
    @property
    def pid(self) -> int | None: ...
    @property
    def tid(self) -> int | None: ...
    @property
    def cpu(self) -> int | None: ...
    @property
    def event(self) -> str: ...
    @property
    def period(self) -> int: ...
    @property
    def ip(self) -> int: ...
    @property
    def addr(self) -> int | None: ...
    @property
    def raw(self) -> bytes | None: ...
    @property
    def trace(self) -> str | None: ...
    @property
    def fields(self) -> dict[str, int | str | bytes] | None: ...
    @property
    def activity(self) -> str | None: ...
    @property
    def frames(self) -> tuple[frame, ...]: ...
    @property
    def ips(self) -> list[int]: ...
    @property
    def user_stack(self) -> Literal["none", "recorded", "deferred", "unwound", "missing",
                                    "kept"]: ...
    @property
    def whole(self) -> bool | None: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def methods(self) -> tuple[str, ...] | None: ...

class recording:
    """Samples of a perf.data file, in the order of time."""
    def __init__(self, path: str | bytes | PathLike[str] = "perf.data", *, force: bool = False,
                 symfs: str | None = None, kallsyms: str | None = None,
                 vmlinux: str | None = None, demangle: bool = True, unwind_cache: bool = True,
                 inlines: bool = True,
                 max_stack: int = 0) -> None: ...
    def __iter__(self) -> Iterator[sample]: ...
    def __next__(self) -> sample: ...
    def __enter__(self) -> recording: ...
    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 trace: TracebackType | None) -> None: ...
    def close(self) -> None: ...
    @property
    def path(self) -> str: ...
    @property
    def hostname(self) -> str | None: ...
    @property
    def os_release(self) -> str | None: ...
    @property
    def arch(self) -> str | None: ...
    @property
    def events(self) -> list[str]: ...
    @property
    def command(self) -> list[str]: ...
    @property
    def account(self) -> dict[str, Any]: ...

class cpu_map(Sequence[int]):
    def __init__(self, cpustr: str | int | None = None) -> None: ...

class thread_map(Sequence[int]):
    def __init__(self, pid: int = -1, tid: int = -1, uid: int | None = None) -> None: ...

class counts_values:
    val: int
    ena: int
    run: int
    id: int
    lost: int
    @property
    def values(self) -> list[int]: ...

class _event:
    type: int
    misc: int
    sample_ip: int
    sample_pid: int
    sample_tid: int
    sample_time: int
    sample_addr: int
    sample_id: int
    sample_stream_id: int
    sample_period: int
    sample_cpu: int

class mmap_event(_event):
    pid: int
    tid: int
    start: int
    len: int
    pgoff: int
    filename: str

class task_event(_event):
    pid: int
    ppid: int
    tid: int
    ptid: int
    time: int

class comm_event(_event):
    pid: int
    tid: int
    comm: str

class throttle_event(_event):
    time: int
    id: int
    stream_id: int

class lost_event(_event):
    id: int
    lost: int

class read_event(_event):
    pid: int
    tid: int

class switch_event(_event):
    next_prev_pid: int
    next_prev_tid: int

class sample_event(_event):
    raw_buf: bytes
    def __getattr__(self, name: str) -> int | str | bytearray: ...

class evsel:
    name: str | None
    type: int
    size: int
    config: int
    sample_period: int
    sample_type: int
    read_format: int
    wakeup_events: int
    tracking: bool
    def __init__(self, type: int = 0, config: int = 0, sample_freq: int = 0,
                 sample_period: int = 0, sample_type: int = ..., read_format: int = 0,
                 wakeup_events: int = 0, bp_type: int = 0, bp_addr: int = 0, bp_len: int = 0,
                 idx: int = 0, **flags: int) -> None: ...
    def open(self, cpus: cpu_map | None = None, threads: thread_map | None = None,
             group: int = 0, inherit: int = 0) -> None: ...
    def close(self) -> None: ...
    def cpus(self) -> cpu_map: ...
    def threads(self) -> thread_map: ...
    def read(self, cpu: int, thread: int) -> counts_values: ...

class evlist(Sequence[evsel]):
    def __init__(self, cpus: cpu_map | None = None, threads: thread_map | None = None) -> None: ...
    def add(self, event: evsel) -> int: ...
    def all_cpus(self) -> cpu_map: ...
    def open(self, group: int = 0) -> None: ...
    def close(self) -> None: ...
    def config(self) -> None: ...
    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def mmap(self, pages: int = 128, overwrite: int = 0) -> None: ...
    def get_pollfd(self) -> list[BinaryIO]: ...
    def poll(self, timeout: int = -1) -> int: ...
    def read_on_cpu(self, cpu: int, sample_id_all: int = 1) -> _event | None: ...
    def metrics(self) -> list[str]: ...
    def compute_metric(self, metric: str, cpu: int, thread: int) -> float: ...

def parse_events(text: str, cpus: cpu_map | None = None,
                 threads: thread_map | None = None) -> evlist: ...
def tracepoint(sys: str, name: str) -> int: ...

class _pmu:
    def name(self) -> str: ...
    def events(self) -> list[dict[str, str]]: ...

def pmus() -> list[_pmu]: ...
def metrics() -> list[dict[str, str | list[str]]]: ...
def parse_metrics(metrics: str, pmu: str | None = None, cpus: cpu_map | None = None,
                  threads: thread_map | None = None) -> evlist: ...

COUNT_HW_BRANCH_INSTRUCTIONS: int
COUNT_HW_BRANCH_MISSES: int
COUNT_HW_BUS_CYCLES: int
COUNT_HW_CACHE_BPU: int
COUNT_HW_CACHE_DTLB: int
COUNT_HW_CACHE_ITLB: int
COUNT_HW_CACHE_L1D: int
COUNT_HW_CACHE_L1I: int
COUNT_HW_CACHE_LL: int
COUNT_HW_CACHE_MISSES: int
COUNT_HW_CACHE_OP_PREFETCH: int
COUNT_HW_CACHE_OP_READ: int
COUNT_HW_CACHE_OP_WRITE: int
COUNT_HW_CACHE_REFERENCES: int
COUNT_HW_CACHE_RESULT_ACCESS: int
COUNT_HW_CACHE_RESULT_MISS: int
COUNT_HW_CPU_CYCLES: int
COUNT_HW_INSTRUCTIONS: int
COUNT_HW_STALLED_CYCLES_BACKEND: int
COUNT_HW_STALLED_CYCLES_FRONTEND: int
COUNT_SW_ALIGNMENT_FAULTS: int
COUNT_SW_CONTEXT_SWITCHES: int
COUNT_SW_CPU_CLOCK: int
COUNT_SW_CPU_MIGRATIONS: int
COUNT_SW_DUMMY: int
COUNT_SW_EMULATION_FAULTS: int
COUNT_SW_PAGE_FAULTS: int
COUNT_SW_PAGE_FAULTS_MAJ: int
COUNT_SW_PAGE_FAULTS_MIN: int
COUNT_SW_TASK_CLOCK: int
FORMAT_GROUP: int
FORMAT_ID: int
FORMAT_LOST: int
FORMAT_TOTAL_TIME_ENABLED: int
FORMAT_TOTAL_TIME_RUNNING: int
RECORD_AUX: int
RECORD_COMM: int
RECORD_EXIT: int
RECORD_FORK: int
RECORD_ITRACE_START: int
RECORD_LOST: int
RECORD_LOST_SAMPLES: int
RECORD_MISC_SWITCH_OUT: int
RECORD_MMAP: int
RECORD_MMAP2: int
RECORD_READ: int
RECORD_SAMPLE: int
RECORD_SWITCH: int
RECORD_SWITCH_CPU_WIDE: int
RECORD_THROTTLE: int
RECORD_UNTHROTTLE: int
SAMPLE_ADDR: int
SAMPLE_CALLCHAIN: int
SAMPLE_CPU: int
SAMPLE_ID: int
SAMPLE_IDENTIFIER: int
SAMPLE_IP: int
SAMPLE_PERIOD: int
SAMPLE_RAW: int
SAMPLE_READ: int
SAMPLE_STREAM_ID: int
SAMPLE_TID: int
SAMPLE_TIME: int
TYPE_BREAKPOINT: int
TYPE_HARDWARE: int
TYPE_HW_CACHE: int
TYPE_RAW: int
TYPE_SOFTWARE: int
TYPE_TRACEPOINT: int
