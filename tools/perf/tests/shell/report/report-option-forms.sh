#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report: with each form of output, each option changes it, is refused, or is documented to do nothing
# limit: 400
. "$PERF_TEST_DIR/shell/lib.sh"
need_python

perf record -q --off-cpu -F 1000 -g -o w.data -- sh -c '
	i=0; while [ $i -lt 20 ]; do sleep 0.005; i=$((i+1)); done; while [ $i -lt 30000 ]; do i=$((i+1)); done' 2>err ||
	skip "cannot record time off the CPU here: $(head -n 1 err)"
perf script -i w.data -F sym,ip --no-inline >out 2>err
grep -q ' schedule$' out || skip "no functions of the kernel here"
mkdir empty
cat >forms.py <<'END'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["PERF_TEST_DIR"], "lib"))
import option_forms
names = {"sort": "tid", "fields": "period,sym", "children": False, "call-graph": "none", "percent-limit": "30",
         "percentage": ("relative", "-c", "sleep"), "parallelism": "99", "comms": "none", "pid": "1", "tid": "1",
         "cpu": "4000", "activity": "x", "time": "50%/1", "dsos": "none", "symbols": "none", "max-stack": "1",
         "field-separator": ";", "parent": ("schedule", "-x"), "inverted": ("", "--no-children"),
         "exclude-other": ("", "-p", "clock"), "socket-filter": "7", "pretty": ("raw", "-T"), "ns": ("", "-s", "time"),
         "time-quantum": ("1us", "-s", "time"), "switch-on": "offcpu-time", "switch-off": "offcpu-time",
         "show-on-off-events": ("", "--switch-on", "offcpu-time"), "ignore-callees": "do_syscall_64|invoke_syscall",
         "symbol-filter": "schedule", "source-url": "vscode://file%f:%l", "column-widths": "30,30", "group-sort-idx": "0", "samples": "1"}
# Where binaries and names are, and how code looks: no form that shows none is hurt by these. What they
# do is in the tests of their own.
fit = {"symfs": "empty", "kallsyms": "/dev/null", "vmlinux": "/dev/null", "unwind": "fp", "unwind-style": "libdw",
       "no-unwind-cache": None, "inline": None, "full-source-path": None, "demangle": None, "demangle-kernel": None, "disassembler-style": "intel",
       "asm-raw": None, "objdump": "objdump", "source": None, "prefix": "/x", "prefix-strip": "1",
       "percent-type": "local-hits", "force": None, "verbose": None, "quiet": None, "stdio-color": "never",
       "show-nr-samples": None, "show-total-period": None, "addr2line": "x", "addr2line-style": "libdw"}
option_forms.check(["report"], ["-i", "w.data"],
    [["--stdio"], ["--json"], ["--hierarchy"], ["--brief"], ["--about=schedule"], ["--html=out.file"],
     ["--svg=out.file"], ["--times=thread"], ["--stats"], ["--tasks"], ["--mmaps"], ["-D"], ["--header-only"]],
    {"html", "svg", "tui", "stdio", "json", "hierarchy", "brief", "about", "times", "stats", "tasks", "mmaps",
     "dump-raw-trace", "header-only", "input"},
    {**names, **fit}, set(fit),
    # What takes other recordings.
    {"raw-trace", "group", "group-sort-idx", "threads", "pretty", "whole-only", "cut-only", "mem-mode", "latency",
     "socket-filter", "hide-unresolved", "show-on-off-events", "max-stack", "fold-recursion"})
END
python forms.py
