#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: precise events: their ip never stands on the callers of another function, anywhere
. "$PERF_TEST_DIR/shell/lib.sh"
need_python

python "$PERF_TEST_DIR/lib/made-recording.py" precise perf.data
why='registers of another function'
shown() { # shown FILE: the addresses of both samples, as perf script has them
	perf script -f -i "$1" -F ip | tr -s ' \t\n' ' '
}
# A sample a paragraph: the first has its callers, the second is alone.
perf script -f -i perf.data -F ip >out 2>err
[ "$(tr -s ' \t\n' ' ' <out)" = ' 400900 400a00 400b00 400100 ' ] || { cat out; fail "callers"; }

perf script -f -i perf.data --json >json
has json '"source":"deferred","whole":true' '"source":"unwound","whole":false,"reason":"'"$why"'"'
perf report -f -i perf.data --stdio >out
has out "^# User stacks: .*1 $why"
perf report -f -i perf.data --stdio --no-children -g folded -F overhead,sym -s sym >out 2>err
has_not out '400100.*400a00' '400a00.*400100'

perf stitch -f -i perf.data -o stitched.data 2>err
has err "1 $why"
[ "$(shown stitched.data)" = "$(shown perf.data)" ] || { shown stitched.data; fail "stitched"; }
perf stitch -f -i perf.data -o - 2>err | perf script -i - -F ip >out
has out '^[[:space:]]*400100'
