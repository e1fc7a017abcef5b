#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: report --json: each sort key has its member, which says what the text says, and the schema allows it
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_python
need_root
need_event sched:sched_process_exec

schema=$PERF_TEST_DIR/../../../Documentation/perf-report-json.schema.json
perf record -q -e cpu-clock,sched:sched_process_exec --off-cpu -g -- \
	sh -c 'for i in 1 2 3; do ls -R /usr/include | wc -l; done' >lines
# The text of a line is padded, and begins with the number of samples.
cat >same.py <<'END'
import json, re, sys
key, text = sys.argv[1], []
for line in open("text"):
    samples, value = line.rstrip("\n").split("|", 1)
    text.append((int(samples), value.strip()))
entries = [json.loads(line) for line in open("json")]
entries = [e for e in entries if e["type"] == "entry"]
def word(e):
    if key == "symoff":
        mode = "k" if e["mode"] == "kernel" else "."
        return "[%s] %s+%#x" % (mode, e["sym"], e["symoff"]) if "symoff" in e else "[%s] %s" % (mode, e["addr"])
    if key == "parent":
        return e[key] or "[other]"
    if key == "trace":
        return e[key] or "N/A"
    if key == "symbol_size":
        return str(e[key] or "unknown")
    return str(e[key])
found = [(e["samples"], word(e)) for e in entries]
if key == "symoff": # an address without a name is printed in another width
    text, found = ([(n, w) for n, w in l if "+" in w] for l in (text, found))
assert len(found) > 1 and sorted(text) == sorted(found), (
    key, sorted(set(text) - set(found))[:3], sorted(set(found) - set(text))[:3])
END
for key in comm srcfile srcline trace wakers waker state parallelism parent syscall time whole symoff \
	symbol_size tgid comm_nodigit addr; do
	in_share 3 || continue
	perf report -q --full-source-path --no-children -g none --percent-limit 0 -s $key -F sample,$key -t '|' 2>err | grep . >text
	perf report --json --no-children -g none --percent-limit 0 -s $key >json 2>err
	python same.py $key || fail "$key"
	[ ! -e "$schema" ] || python "$PERF_TEST_DIR/lib/json-schema.py" "$schema" json >types
done
