#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data convert: with each format, each option changes it, is refused, or is documented to do nothing
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc
need_python
need_event cpu-clock

cat >a.c <<'END'
volatile unsigned long n;
static inline __attribute__((always_inline)) void turn(void) { n++; }
__attribute__((noinline)) void spin(long k) { for (long i = 0; i < k; i++) turn(); }
__attribute__((noinline)) void middle(long k) { spin(k); n++; }
int main(void) { middle(100000000); n++; return 0; }
END
gcc -O1 -g -o a a.c
perf record -q -e "cpu-clock$U" -F 1000 --call-graph dwarf -o w.data -- ./a
sqlite=
! perf check -q feature sqlite3 || sqlite=sqlite
cat >forms.py <<'END'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["PERF_TEST_DIR"], "lib"))
import option_forms
names = {"samples": None, "lines": False, "inline": False, "max-stack": "1", "comms": "none", "pid": "1",
         "tid": "1", "cpu": "4000", "activity": "x", "time": "0%-1%", "unwind": "fp", "symfs": "empty"}
fit = {"no-unwind-cache": None, "kallsyms": "/dev/null", "vmlinux": "/dev/null", "demangle": False, "force": None,
       "quiet": None, "verbose": None}
formats = ["folded", "pprof", "gecko", "speedscope", "otlp", "json", "perfetto", "html", "svg"] + sys.argv[1:]
option_forms.check(["data", "convert"], ["-i", "w.data", "-o", "out"], [["--to=" + f] for f in formats],
    {"input", "output", "to", "to-json"}, {**names, **fit}, set(fit),
    # Samples of which some are not whole, and recordings whose stacks are not walked yet.
    {"cut-only", "whole-only", "unwind"})
END
mkdir empty
python forms.py $sqlite
