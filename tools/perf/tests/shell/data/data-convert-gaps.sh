#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data convert --to speedscope: time without samples is there, and adds nothing to a function
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_python

spin='i=0; while [ $i -lt 60000 ]; do i=$((i+1)); done'
perf record -q -e cpu-clock$U -F 1000 -g -o w.data -- sh -c "$spin; sleep 1; $spin"
perf data convert -q --to speedscope -i w.data -o w.speedscope
perf script -i w.data --json -F comm,period >script.json 2>err
python - <<'END'
import json
want = sum(s["period"] for s in map(json.loads, open("script.json")) if s.get("comm") == "sh")
profiles = [p for p in json.load(open("w.speedscope"))["profiles"] if p["name"].startswith("sh ")]
p = max(profiles, key=lambda p: len(p["samples"]))
assert p["unit"] == "nanoseconds" and p["endValue"] == sum(p["weights"]), p["name"]
gaps = [w for s, w in zip(p["samples"], p["weights"]) if not s]
assert max(gaps) > 9e8, gaps
assert p["endValue"] > 1e9
got = sum(w for q in profiles for s, w in zip(q["samples"], q["weights"]) if s)
assert got == want, (got, want)
longest = gaps.index(max(gaps))
at = [i for i, s in enumerate(p["samples"]) if not s][longest]
assert 0 < at < len(p["samples"]) - 1, "the wait is between what runs"
END
