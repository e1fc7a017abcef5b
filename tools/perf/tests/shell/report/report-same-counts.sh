#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: one recording has the same samples, sums and largest functions in every text, picture and format
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/data/lib-convert.sh"
need_python

perf record -q --off-cpu -e cpu-clock -F 1000 -g -o w.data -- \
	sh -c "'$PERF' test -w switcher; i=0; while [ \$i -lt 100000 ]; do i=\$((i+1)); done" 2>err ||
	skip "cannot record time off the CPU here: $(head -n 1 err)"
FORMATS='pprof gecko speedscope otlp json sqlite perfetto folded'
convert w.data
FORMATS=${FORMATS% folded} all_same w.data

# Of functions that are inlined, formats show more than tables do.
convert w.data --no-inline
perf script -i w.data --no-inline --json -F event,period,comm,sym,ip,dso >script.json 2>err
for view in '' --off-cpu --wall; do
	name=view${view#--}
	perf report -i w.data $view --no-inline --json --no-children -g none -s sym -n >$name.json 2>err
	perf report -i w.data $view --no-inline --stdio --no-children -g none -s sym -F sample,period,sym -t '	' >$name.text 2>err
	perf report -i w.data $view --brief --json >$name.brief 2>err
	perf report -i w.data $view --stdio --no-children -g none -s state -n --json >$name.state 2>err
	perf report -i w.data $view --html $name.html -q 2>err
done
perf report --svg view.svg -q -i w.data 2>err
perf report --svg off-cpu.svg --off-cpu -q -i w.data 2>err
python - <<'END'
import collections, json, re

def lines(path):
    return [json.loads(line) for line in open(path) if line.startswith("{")]

# What the samples say, one by one.
samples, sums = collections.Counter(), collections.Counter()
functions = collections.defaultdict(collections.Counter)
for s in lines("script.json"):
    if s.get("type") != "sample":
        continue
    event = s["event"]
    samples[event] += 1
    sums[event] += s["period"]
    leaf = (s.get("frames") or [s])[0]
    functions[event][leaf.get("sym", "?")] += s["period"]
waits = "offcpu-time"
runs = [e for e in samples if e != waits]
assert len(runs) == 1 and samples[waits] > 20 and samples[runs[0]] > 20, samples

def named(rows):
    """Functions of one name in two binaries, or without a name, are one here."""
    out = collections.Counter()
    for sym, period in rows:
        out["?" if sym is None or sym.startswith(("0x", "[")) else sym.removesuffix(" (inlined)")] += period
    return out

def largest(counter):
    return sorted(((v, k) for k, v in counter.items() if k != "?" and v), reverse=True)[:20]

def check(what, event, nr, period):
    assert nr == samples[event], (what, event, nr, samples[event])
    if period is not None:
        assert period == sums[event], (what, event, period, sums[event])

for view, events in (("", runs + [waits]), ("off-cpu", [waits])):
    seen, rows = [], {}
    for o in lines("view%s.json" % view):
        if o["type"] == "event":
            (e,) = o["events"]
            seen.append(e["event"])
            check("json", e["event"], e["samples"], e["period"])
            rows[e["event"]] = []
        elif o["type"] == "entry":
            rows[seen[-1]].append((o.get("sym"), o["period"]))
            assert o["samples"] <= samples[seen[-1]]
    assert sorted(seen) == sorted(events), seen
    for e in events:
        assert largest(named(rows[e])) == largest(functions[e]), (view, e, largest(named(rows[e])),
                                                                  largest(functions[e]))
    # The table: samples and periods of its rows are those of the event.
    event, nr, period = None, collections.Counter(), collections.Counter()
    for line in open("view%s.text" % view):
        m = re.match(r"# Samples: \S+ +of event '(.*)'", line)
        if m:
            event = m[1]
        elif re.match(r" *\d+ *\t", line):
            a, b, _ = line.split("\t", 2)
            nr[event] += int(a)
            period[event] += int(b)
    for e in events:
        check("text", e, nr[e], period[e])
    briefs = [o for o in lines("view%s.brief" % view) if "event" in o and "samples" in o]
    assert sorted(o["event"] for o in briefs) == sorted(events), briefs
    for o in briefs:
        check("brief", o["event"], o["samples"], None)
    # By state, a wait that was blocked and then runnable is in two entries, and is one sample.
    for o in lines("view%s.state" % view):
        if o["type"] == "event":
            (e,) = o["events"]
            check("state", e["event"], e["samples"], e["period"])
(e,) = [o["events"][0] for o in lines("viewwall.json") if o["type"] == "event"]
assert e["event"] == "wall time" and samples[waits] < e["samples"] <= sum(samples.values()), (e, samples)
(o,) = [o for o in lines("viewwall.brief") if "samples" in o and "event" in o]
assert o["event"] == "wall time" and o["samples"] == e["samples"], (o, e)

# Pictures say of which event they are, and what is not drawn.
text = open("view.svg").read()
assert "%s: %d samples; not drawn: %d of %s<" % (runs[0], samples[runs[0]], samples[waits], waits) in text
assert ">%s: %d samples<" % (waits, samples[waits]) in open("off-cpu.svg").read()
first = {}
for view in ("", "off-cpu", "wall"):
    page = open("view%s.html" % view).read()
    data, _ = json.JSONDecoder().raw_decode(page[page.index('{"version":1'):])
    for e in data["events"]:
        if e["samples"]:
            check("page", e["name"], e["samples"], e["period"])
    first[view] = data.get("first")
    names = [e["name"] for e in data["events"]]
assert first == {"": None, "off-cpu": str(names.index(waits)), "wall": "all"}, first

# Lines of stacks begin with their event.
folded = collections.Counter()
leaves = collections.defaultdict(collections.Counter)
for line in open("folded.out"):
    stack, _, period = line.rstrip("\n").rpartition(" ")
    frames = stack.split(";")
    folded[frames[0]] += int(period)
    leaves[frames[0]][frames[-1]] += int(period)
assert folded == sums, (folded, sums)
for e in sums:
    assert largest(named(leaves[e].items())) == largest(functions[e]), e
END
