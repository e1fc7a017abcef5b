#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: --brief --json: the page as an object that its schema allows, also of hostile and cut files
. "$PERF_TEST_DIR/shell/report/lib-report.sh"
need_python

schema=$PERF_TEST_DIR/../../../Documentation/perf-report-json.schema.json
check() { # FILE
	perf report --brief --json -i "$1" >out 2>err
	[ "$(wc -c <out)" -le 16000 ] || fail "$(wc -c <out) bytes"
	[ ! -e "$schema" ] || python "$PERF_TEST_DIR/lib/json-schema.py" "$schema" out >types
	has out '^\{"type":"brief","format":"perf-brief","version":1,' '^\{"type":"end","complete":true\}$'
}
check x.data
[ "$(grep -c '"type":"brief"' out)" = 2 ] || fail "not an object for each event: $(cat out)"
# The same facts as on the page: functions, notes and commands.
perf report --brief -i x.data >page
python - <<'END'
import json
lines = [json.loads(line) for line in open("out")][:2]
page = open("page").read()
for brief in lines:
    assert brief["functions"] and brief["next"], brief
    for item in brief["functions"]:
        assert item["name"] in page, item
    for line in brief["notes"] + brief["next"]:
        assert line in page, line
END
python "$PERF_TEST_DIR/lib/made-recording.py" precise made.data
check made.data
head -c $(($(stat -c %s x.data) * 3 / 4)) x.data >cut.data
status=0
perf report --brief --json -i cut.data >out 2>err || status=$?
[ $status = 1 ] || fail "status $status of a cut recording"
has out '"complete":false'
