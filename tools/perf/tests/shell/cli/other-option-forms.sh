#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: commands with few options: in each form, each option changes what is done, is refused, or has nothing to add
# limit: 400
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_event cpu-clock
need_event page-faults

perf record -q -e "{cpu-clock$U,page-faults$U}" -e "cpu-clock$U" -o w.data -- "$PERF" test -w noploop 0.1
perf record -q -F 500 --call-graph dwarf -e "cpu-clock$U" -o s.data -- "$PERF" test -w deep 20 0.1
cp "$PERF" binary
mkdir empty
export HOME=$PWD
cat >forms.py <<'END'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["PERF_TEST_DIR"], "lib"))
import option_forms
# JSON has what these add, as has evlist -v; and --unit is of processors with such events.
option_forms.check(["list"], [], [["--", "cpu*"], ["--json", "--", "cpu*"], ["--raw-dump", "--", "cpu*"]],
    {"json", "raw-dump"}, {"output": "out", "unit": "none", "desc": False}, {"desc", "long-desc", "details"}, set())
reading = {"force": None, "verbose": None}
option_forms.check(["evlist"], ["-i", "w.data"], [[], ["--group"], ["--trace-fields"], ["--verbose"]],
    {"input", "verbose"}, reading, {"force", "freq"}, {"group", "trace-fields"})
option_forms.check(["buildid-list"], [], [["-i", "w.data"], ["--kernel"], ["--kernel-maps"]],
    {"input", "kernel", "kernel-maps"}, reading, {"force", "verbose"}, set())
# What is written, or looked at by several words. @elsewhere: stacks that are not whole, pipes, recordings
# of JIT compilers or without build-ids, and of kernels.
reading["quiet"] = None
option_forms.check(["stitch"], ["-i", "s.data", "--no-unwind-cache"],
    [["-o", "out"], ["-o", "out", "--stats"], ["--stats", "--dry-run"], ["--json", "--dry-run"], ["--dry-run"]],
    {"input", "output", "stats", "json", "dry-run"},
    {"jobs": "2", "unwind": "fp", "max-pending": "1", "comms": "none", "pid": "1", "tid": "1", "cpu": "4000",
     "activity": "x", "time": "0%-1%", "symfs": "empty", **reading},
    {"force", "verbose", "quiet", "no-unwind-cache", "jobs"}, {"drop-incomplete", "whole-only", "max-pending", "unwind", "no-old"})
option_forms.check(["inject"], ["-i", "s.data"], [["-o", "out"], ["-o", "out", "-j"], ["-o", "out", "-b"]],
    {"input", "output"}, reading, {"force", "verbose"}, {"jit", "build-ids"})
option_forms.check(["unwind"], [], [["rows", "--", "binary", "main"], ["check", "--", "binary"],
    ["sample", "-i", "s.data", "--", "3"], ["stats", "-i", "s.data"], ["chains", "-i", "s.data"], ["cache"],
    ["sframe", "-o", "out", "--", "binary"]], {"output"},
    {"input": "none", "unwind": "fp", "symfs": "empty", "format": "2"}, {"no-unwind-cache", "force"}, set())
option_forms.check(["check"], [], [["feature", "libdw"], ["reader"]], set(), {}, set(), set())
option_forms.check(["archive"], [], [["--", "s.data"]], set(), reading, {"force", "verbose"}, set())
option_forms.check(["data", "bundle"], ["-i", "s.data"], [["-o", "out"]], {"input", "output"},
    {"compression-level": "1", "symfs": "empty", "vmlinux": "/dev/null", **reading}, {"force", "verbose", "quiet"},
    {"vmlinux", "no-kernel-debug"})
option_forms.check(["buildid-cache"], [], [["--list"], ["--add=binary"], ["--update=binary"], ["--remove=binary"],
    ["--purge=binary"], ["--purge-all"], ["--missing=s.data"]],
    {"list", "add", "update", "remove", "purge", "purge-all", "missing"}, {"target-ns": "99999999", **reading},
    {"force", "verbose"}, {"debuginfod"})
END
python forms.py
for line in "list --json --raw-dump" "evlist -i w.data --trace-fields -F" "evlist -i w.data -g --trace-fields" \
	"buildid-list -k -m" "buildid-list -k -i w.data" "buildid-list -m -H" \
	"stitch -i s.data --dry-run -o out" "stitch -i s.data -o out --no-old" "unwind check --input s.data binary" \
	"bench --samples 10 unwind s.data" "bench --threads 3 stitch" "bench --unwind fp stitch s.data" \
	"bench --write out -r 2 stitch" "bench --write out stitch s.data" "bench --force stitch" \
	"top --stdio --objdump x" "top --stdio --asm-raw" "top --tui --entries 3" "top --tui --hierarchy" \
	"data push --url http://127.0.0.1:9/ingest --waiting -i s.data" \
	"data push --url http://127.0.0.1:9/ingest --waiting --comms x" \
	"data push --url http://127.0.0.1:9/ingest --waiting --no-lines" "buildid-cache -l --target-ns 1" \
	"buildid-cache -P --debuginfod"; do
	fails 129 perf $line >out 2>err
	has err 'leave out'
done
# Commands without options take none, and no words that nobody reads.
for line in "doctor --verbose" "doctor w.data" "whole --nonsense" "version w.data"; do
	fails perf $line >out 2>err
done
