#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script, report --json: every line fits its schema, and says what the text says
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-json.sh"
need_python
need_cmd zstd
count() { grep -c "^{\"type\":\"$2\"" "$1" || true; }

# The schema must be able to say no.
for bad in '{"type":"end","samples":-1,"complete":true}' '{"type":"sample","no such member":1}' \
	'{"type":"sample","ip":7}' '{"type":"nothing"}' '{"type":"sample","frames":[{"ip":"0x1"}]}'; do
	echo "$bad" | fails 1 fits script >out 2>err
done

# Recordings of other kernels and machines: deferred chains, joined and not.
for f in "$PERF_TEST_DIR"/data/deferred/{f1,s2}.data.zst; do
	zstd -dqf "$f" -o f.data
	for o in '' --no-merge-callchains '-G -F +srcline,+dsoff,+misc --show-task-events --show-mmap-events --show-lost-events'; do
		perf script --json -i f.data $o >json 2>err || true
		fits script json >counts
		perf script -i f.data $o -F tid >text 2>err || true
		has json '^\{"type":"header","format":"perf-script","version":1,' '^\{"type":"end","samples":[0-9]+,'
		n=$(count json sample)
		has json "^\\{\"type\":\"end\",\"samples\":$n,"
	done
	perf script --json -i f.data -G -F tid >json 2>err || true
	[ "$(count json sample)" = "$(perf script -i f.data -G -F tid 2>err | wc -l)" ] || fail "$f: other samples than the text"
	perf report --json -i f.data >json 2>err || true
	fits report json >counts
	has json '"graph":\[\{"parent":null,'
done

# The frames are those of the text.
frames() { python -c '
import json, sys
for line in sys.stdin:
    for f in json.loads(line).get("frames", ()):
        off = "+%#x" % f["off"] if "off" in f else ""
        print(f["ip"][2:], f.get("sym", "[unknown]") + off, "(%s)" % f.get("dso", "[unknown]"))'; }
zstd -dqf "$PERF_TEST_DIR/data/deferred/f1.data.zst" -o a.data
perf script --json -i a.data 2>err | frames >json
perf script -i a.data 2>err | sed -n 's/^\t *//p' >text
[ -s json ] && cmp json text

# Names are chosen by whoever ran: bytes that are no UTF-8, quotes, control characters.
need_event cpu-clock
name=$'a"\\\n\x7f\xc2\x9b\xff\xc3\xa9'
cp -- "$PERF" "$name"
perf record -q -e cpu-clock -g -o name.data -- "./$name" test -w noploop 0.2
perf script --json -i name.data >json
fits script json >counts
grep -aF '"comm":"a\"\\\u000a\u007f\u009b\ufffdé"' json >out || fail "$(grep -m 1 '"comm"' json)"
perf report --json -i name.data >json
fits report json >counts
grep -aF '"comm":"a\"\\\u000a\u007f\u009b\ufffdé"' json >out || fail "$(grep -m 1 '"comm"' json)"

# Unwound from copies: how, and why not.
perf record -q --no-stitch --defer=copy -e cpu-clock -o copy.data -- "$PERF" test -w deep 20 0.2 2>err
perf script --json -i copy.data >json
fits script json >counts
has json '"user_stack":\{"source":"unwound","whole":true,"by":\[\["start",1\],'
perf script --json -F ip,sym,uregs -i copy.data >json
fits script json >counts
has json '"uregs":\{"abi":[0-9]+,"'

# A group, sort keys, filters, and a file that ends early.
perf record -q -e "{cpu-clock,page-faults}" -d -g -o group.data -- "$PERF" test -w noploop 0.2
perf report --json --sort comm,pid,tid,cpu,dso,sym,srcline -i group.data >json
fits report json >counts
has json '"group":\[\{"event":"page-faults' '"srcline":"' '"pid":[0-9]'
perf script --json -i group.data >json
fits script json >counts
perf script --json -F +addr -G -i group.data >json && fits script json >counts
perf report --json -g none --comms nobody -i group.data >json 2>err
fits report json >counts
has json '"filtered_samples":[1-9]'
head -c $(($(stat -c %s group.data) / 2)) group.data >half.data
for c in script report; do
	fails 1 perf $c --json -i half.data >json 2>err
	fits $c json >counts
	has json '^\{"type":"end",.*"complete":false\}'
	fails 129 perf $c --json -D -i group.data >out 2>err
done
perf script --json --header-only -i group.data >json
fits script json >counts
[ "$(cat counts)" = header=1 ] || fail "$(cat counts)"
