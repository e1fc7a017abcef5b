#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: import perf: of a stitched recording it tells what it tells of the one with copies
# limit: 60
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-python-module.sh"
need_event cpu-clock
need_module

perf record -q --no-stitch --defer=copy --stack-size 4096 -F 2000 -e cpu-clock$U -o copies.data -- \
	sh -c '"$0" test -w deep 3 0.2; "$0" test -w deep 60 0.2' "$PERF"
perf stitch -q -i copies.data -o stitched.data
python - <<'END'
import perf

def told(path):
    r = perf.recording(path)
    return [(s.time, s.user_stack, s.whole, s.reason, s.methods, s.ips) for s in r], r.account

copies, before = told("copies.data")
stitched, after = told("stitched.data")
assert copies == stitched
assert before == after, (before, after)
kinds = {(s[2], s[3]) for s in stitched}
assert (True, None) in kinds and (False, "copy too short") in kinds, kinds
assert any(s[4] and s[4][0] == "start" and "eh_frame" in s[4] for s in stitched)
END
