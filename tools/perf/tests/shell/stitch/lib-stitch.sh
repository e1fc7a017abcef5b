# SPDX-License-Identifier: GPL-2.0-only
# For the tests of perf stitch: raw.data is a recording with stack copies.
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock

text() { perf script --no-inline -F comm,pid,tid,time,event,period,ip,sym -i "$1" 2>err.txt; }

# same RAW STITCHED: the same samples and chains, all in the file itself.
same() {
	text "$1" >raw.txt
	text "$2" >stitched.txt
	cmp -s raw.txt stitched.txt || fail "$1, $2: $(diff raw.txt stitched.txt | head -5 || true)"
	perf script -D -i "$2" >dump.txt
	has_not dump.txt 'CALLCHAIN_DEFERRED' '\.\.\. ustack' '\.\.\. user regs'
}

make_raw() { perf record -q --call-graph dwarf -e cpu-clock -F 999 -o raw.data -- "$PERF" test -w deep 20 0.3; }
shared raw.data make_raw

# out.data: what raw.data becomes.
stitched() { perf stitch -q -i raw.data -o out.data; }
