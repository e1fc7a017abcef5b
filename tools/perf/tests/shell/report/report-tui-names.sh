#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --tui: names command nothing, stay on their line and turn nothing around
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/report/lib-tui.sh"
need_python

python "$PERF_TEST_DIR/lib/made-recording.py" harmful w.data
browse -s comm,dso
shows 'ch\?\[2J\?FORGED\?+FORGED\?+31m\?+FORGED\?+k\?31m\?'
LC_ALL=C has_not screen.text '^ *FORGED' $'[\x01-\x08\x0b-\x1f\x7f]' $'\xc2[\x80-\x9f]' $'\xe2\x80[\xa8-\xae]'
keys Enter
shows 'ch\?\[2J\?FORGED'
LC_ALL=C has_not screen.text '^ *FORGED' $'[\x01-\x08\x0b-\x1f\x7f]' $'\xc2[\x80-\x9f]' $'\xe2\x80[\xa8-\xae]'
keys q
keys q
