#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --html: names with markup and scripts are text, and the page loads nothing
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-page.sh"
need_python

python "$PERF_TEST_DIR/lib/made-recording.py" hostile h.data
perf report --html h.html -i h.data 2>err
[ "$(grep -c '<script' h.html)" = 2 ] || fail "more scripts than ours"
has_not h.html '<img' 'https?://'
has h.html "default-src 'none'"
perf report --svg h.svg -i h.data 2>err
python -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse("h.svg")' || fail "h.svg is no XML"
has_not h.svg '<img|<script'
has h.svg '&lt;img src=x onerror=boom\(\)&gt;'
perf report --html empty.html --comms no-such -i h.data 2>err
need_browser
in_browser hostile h.html empty empty.html
