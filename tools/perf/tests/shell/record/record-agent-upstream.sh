#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: another perf shows the functions of Python, too, with their lines
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent
need_upstream

cat >work.py <<'END'
def inner():
    s = 0
    for i in range(3000000):
        s += i
def outer():
    inner()
outer()
END
"$PERF" record --agent -F 500 -o u.data -- /usr/bin/python3 work.py 2>said || fail "$(cat said)"
"$UPSTREAM" script --no-inline -i u.data -F ip,sym,dso >out 2>err
grep -A 3 ' inner (.*/python-' out >inner || fail "it shows no function of Python: $(cat said; grep python- out || true)"
has inner ' outer \(.*/python-'
"$UPSTREAM" report -i u.data --stdio --children -g none >out 2>err
has out '\[\.\] inner' '\[\.\] outer'
