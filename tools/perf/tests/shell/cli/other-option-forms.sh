#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: list, evlist, buildid-list: with each form of output, each option changes it, is refused, or has nothing to add
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_event cpu-clock
need_event page-faults

perf record -q -e "{cpu-clock$U,page-faults$U}" -e "cpu-clock$U" -o w.data -- "$PERF" test -w noploop 0.1
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
END
python forms.py
for line in "list --json --raw-dump" "evlist -i w.data --trace-fields -F" "evlist -i w.data -g --trace-fields" \
	"buildid-list -k -m" "buildid-list -k -i w.data" "buildid-list -m -H"; do
	fails 129 perf $line >out 2>err
	has err 'give one|leave out'
done
