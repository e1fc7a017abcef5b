#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf diff --html: a page that shows what is gone and what is new, and what may be chance
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-page.sh"
need_event cpu-clock
need_python

record() { perf record -q -F 2000 --call-graph dwarf -e cpu-clock$U -o "$1" -- "$PERF" test -w "${@:2}"; }
record a1.data deep 20 0.3
record b1.data noploop 0.3
# Runs that do not differ at all, so that a busy machine is no reason to call it chance.
for i in 2 3; do cp a1.data a$i.data; cp b1.data b$i.data; done
perf diff a1.data b1.data >plain
perf diff --html two.html a1.data b1.data >out 2>err
cmp plain out || fail "the table differs"
has err 'perf diff: .* MB in two.html'
perf diff --runs --html runs.html a1.data a2.data a3.data -- b1.data b2.data b3.data >out 2>err
has runs.html '"name":"noploop".*"beyond":true'
fails 1 perf diff --html no/such/page.html a1.data b1.data >out 2>err
has err 'no/such/page.html'

# Names that would be markup are none; nothing is there to compare.
python "$PERF_TEST_DIR/lib/made-recording.py" hostile h.data
perf diff --html h.html h.data h.data >out 2>err
[ "$(grep -c '<script' h.html)" = 2 ] || fail "more scripts than ours"
has_not h.html '<img'
perf diff --html empty.html --comms no-such a1.data b1.data >out 2>err

need_browser
in_browser compare two.html runs runs.html hostile h.html empty empty.html
