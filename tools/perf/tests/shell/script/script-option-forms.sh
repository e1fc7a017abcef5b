#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script: with each form of output, each option changes it, is refused, or is documented to do nothing
# limit: 400
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_scripts

perf record -q -F 1000 -g --sample-cpu --switch-events -o w.data -- sh -c '
	i=0; while [ $i -lt 20 ]; do sleep 0.005; i=$((i+1)); done; while [ $i -lt 30000 ]; do i=$((i+1)); done' 2>err ||
	skip "cannot record here: $(head -n 1 err)"
perf script -i w.data -F ip,sym --no-inline >out 2>err
function=$(awk '{ if (NF > 1 && last != "" && !n++) print last; last = $2 ~ /^[a-z_]+$/ ? $2 : "" }' out)
[ -n "$function" ] || fail "no functions"
event=$(perf evlist -i w.data | sed -n 's/^\([a-z][^# ]*\)$/\1/p' | head -n 1)
cat >s.py <<'END'
def process_event(e):
    print(e["comm"], e["sample"]["time"], len(e["callchain"]), e["callchain"])
END
mkdir empty
cat >forms.py <<'END'
import os, sys
sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.environ["PERF_TEST_DIR"], "lib"))
import option_forms
function, event = sys.argv[1:]
names = {"comms": "none", "pid": "1", "tid": "1", "cpu": "4000", "activity": "x", "time": "50%/1", "dsos": "none",
         "symbols": "none", "switch-on": "dummy", "switch-off": event, "show-on-off-events": ("", "--switch-on", event),
         "fields": "+srcline", "max-stack": "1", "head": "1", "stop-bt": function, "merge-callchains": False}
fit = {"symfs": "empty", "kallsyms": "/dev/null", "vmlinux": "/dev/null", "unwind": "fp", "unwind-style": "libdw",
       "no-unwind-cache": None, "inline": False, "full-source-path": None, "demangle": False, "demangle-kernel": None, "force": None,
       "verbose": None, "quiet": None, "addr2line": "x"}
option_forms.check(["script"], ["-i", "w.data"],
    [[], ["--json"], ["--per-event-dump"], ["-D"], ["--header-only"], ["--json", "--header-only"], ["-s", "s.py"],
     ["-g", "out.py"], ["--", "function-times"], ["--", "report", "function-times"]],
    {"input", "json", "per-event-dump", "dump-raw-trace", "dump-unsorted-raw-trace", "header-only", "script",
     "gen-script", "list"},
    {**names, **fit}, set(fit),
    # Samples whose chains are deferred or known to be whole, and records of other events.
    {"merge-callchains", "cut-only", "show-lost-events", "show-namespace-events", "show-bpf-events", "show-cgroup-events",
     "hide-call-graph"})
END
python forms.py "$function" "$event"

# Forms exclude each other; the list of scripts reads nothing.
for pair in "--json -D" "--json -s s.py" "--json -g out.py" "-D --header-only" "-D -s s.py" "-s s.py --header-only" \
	"--per-event-dump --json" "--per-event-dump -D" "--per-event-dump --header-only" "--per-event-dump -s s.py" \
	"--list -i w.data" "--list --json" "-s s.py -F comm" "--show-on-off-events"; do
	fails 129 perf script $pair >out 2>err
	has err 'leave|needs'
done
[ ! -e out.py ] || fail "a script was written"
