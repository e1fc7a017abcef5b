#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch --stats, --json, -v: the figures add up
. "$PERF_TEST_DIR/shell/stitch/lib-stitch.sh"

perf stitch --dry-run --stats -i raw.data >stats 2>/dev/null
has stats '^samples +[0-9]+$' 'unwound from the stack copy' 'bytes in'
[ "$(stat -c %s raw.data)" = "$(awk '/bytes in/ { print $3 }' stats)" ]
perf stitch -n --json -i raw.data 2>/dev/null >stats.json
if [ -x /usr/bin/python3 ]; then
	python -c 'import json
f = json.load(open("stats.json"))
assert f["total"] == f["events"]["cpu-clock'"$U"'"] and f["total"]["samples"] > 50
assert sum(f["total"]["user part"].values()) == f["total"]["samples"]
assert f["total"]["stack copies"]["in samples"] == f["total"]["user stacks"]["to be completed"]
assert "threads" not in f'
	cp "$PERF" ÄÖÜÄÖÜÄÖÜ # of which the kernel keeps seven characters and a half
	perf record -q -g -e cpu-clock -o name.data -- ./ÄÖÜÄÖÜÄÖÜ test -w noploop 0.1
	perf stitch -n -v --json -i name.data 2>/dev/null >stats.json
	python -c 'import json
assert "ÄÖÜÄÖÜÄ\ufffd" in [t["comm"] for t in json.load(open("stats.json"))["threads"]]'
	perf stitch -n -v --json -i raw.data 2>/dev/null >stats.json
	python -c 'import json
f = json.load(open("stats.json"))
total, threads, binaries = f["total"], f["threads"], f["binaries"]
assert sum(t["samples"] for t in threads) == total["samples"]
assert all(t["samples"] == sum(t["user part"].values()) for t in threads)
for group in "frames", "unwinding ended":
    for name, n in total[group].items():
        assert sum(b[group][name] for b in binaries) == n, (group, name)
assert any(b["name"].endswith("/perf") for b in binaries)'
fi
perf stitch -n -v --stats -i raw.data >stats 2>/dev/null
has stats '^threads$' '^    perf [0-9]+/[0-9]+: [0-9]+ samples?, [0-9]+ whole user' ' total$'
has stats '^stack copies$' '    bytes reserved +[0-9]+$'
