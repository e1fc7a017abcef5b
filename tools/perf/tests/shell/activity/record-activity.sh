#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity: the main thread and others have the id of the moment in each sample
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/activity/lib-activity.sh"
nm "$PERF" 2>/dev/null | grep perf_test_activity >/dev/null || skip "this perf has no symbols, or there is no nm"
record_ids perf.data tls:perf_test_activity "$PERF" test -w activity value 0.5 3
grep -Eq 'samples with ids, of [0-9]+ processes' err || fail "$(cat err)"
check_ids perf.data 1000
grep -q ' of 4 threads' <<<"$(check_ids perf.data 1000)" || fail "$(check_ids perf.data 1000)"

# What it is for: by which the samples are divided, and one of them.
perf report -i perf.data --stdio --sort activity 2>/dev/null >report
grep -Eq '^ +[0-9.]+% +0xa5[0-9a-f]{14} *$' report || fail "$(head -n 20 report)"
id=$(awk '$NF ~ /^R15:0xa5/ && $4 ~ /^0xa5/ { print $4 }' ids.txt | tail -n 1)
for form in "$id" "${id#0x}" "$(tr a-f A-F <<<"${id#0x}"),00"; do
	[ "$(perf script -i perf.data --activity "$form" -F tid | wc -l)" = 1 ] || fail "$form"
done
perf report -i perf.data --stdio --activity "$id" --sort comm 2>/dev/null >report
grep -q 'Samples: 1  *of event' report || fail "$(head report)"
[ "$(perf script -i perf.data --activity 12 -F tid | wc -l)" = 0 ]
perf script -i perf.data --json -F tid,activity | grep -q "\"activity\":\"$id\"" || fail "JSON"

# With stack copies that are unwound meanwhile, stitched again, in a pipe, and compressed.
perf record -q -F 2000 -e cpu-clock:u --call-graph dwarf --no-stitch --user-regs=r15 --activity=tls:perf_test_activity \
	-z -o raw.data -- "$PERF" test -w activity value 0.2 1 2>err
perf stitch -q -i raw.data -o whole.data 2>err
perf script -i raw.data -F tid,time,activity -G >raw.txt
perf script -i whole.data -F tid,time,activity -G >whole.txt
cmp raw.txt whole.txt
grep -c 0xa5 whole.txt >nr
[ "$(cat nr)" -gt 100 ]
perf record -q -F 2000 -e cpu-clock:u -g --defer=copy --activity=tls:perf_test_activity -o - -- \
	"$PERF" test -w activity value 0.2 1 2>err | perf script -i - -F tid,activity,ip,sym >text
grep -q 0xa5 text || fail "$(head text)"
grep -q workload_activity text || fail "$(head text)"

# Scripts in Python, and the module.
cat >ids.py <<'END'
ids = []
def process_event(d):
    ids.append(d.get("activity", "-"))
def trace_end():
    print("\n".join(ids))
END
if "$PERF" version --build-options | grep -q "python3: \[ on" && ! is_sanitized; then
	perf script -i perf.data -F activity | tr -d ' ' >expected
	perf script -i perf.data -s ids.py >got
	cmp got expected
	built=$(dirname "$PERF")/python
	[ ! -e "$built/perf/_perf.abi3.so" ] || PYTHONPATH=$built python - >got <<'END'
import perf
for s in perf.recording("perf.data"):
    print(s.activity or "-")
END
	cmp got expected
fi
