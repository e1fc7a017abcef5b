#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: row tables and libdw make the same chains; what perf unwind says of them
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_python

record() { perf record -q -e cpu-clock -F 1999 --no-stitch -g --defer=copy "$@" >record.log 2>&1; }

# compare: libdw may stop where a row for a popped register is left standing; never the tables.
compare() {
	perf script -F pid,tid,time,ip --ns -q >table.txt
	perf script --unwind=libdw -F pid,tid,time,ip --ns -q >libdw.txt
	python - <<-'END'
		a, b = (open(f).read().split("\n\n") for f in ("table.txt", "libdw.txt"))
		assert len(a) == len(b) and len(a) > 50, (len(a), len(b))
		differ = [(x, y) for x, y in zip(a, b) if x != y]
		shorter = [(x, y) for x, y in differ if not x.startswith(y.rstrip())]
		print("%d samples, %d differ" % (len(a), len(differ)))
		assert not shorter, "table:%s\nlibdw:%s" % shorter[0]
		assert len(differ) * 50 <= len(a), differ[0]
	END
}

record -- "$PERF" test -w deep 20 0.3
compare
perf unwind stats >stats
has stats ' start +eh_frame .* outermost' "^ .* $(readlink -f "$PERF")$" ' total$'
perf unwind sample 5 >sample
has sample '^sample 5: perf ' '^#0 ' ' eh_frame row ' ' caller by eh_frame$' 'frames; end: '
perf unwind sample --unwind=libdw 5 >sample
has sample 'frames; end: '
fails 1 perf unwind sample 1000000 2>err
has err 'there is no sample 1000000'
fails 1 perf unwind rows /etc/passwd 2>err
has err "'/etc/passwd' is not a program or library"
fails 1 perf unwind rows "$PERF" no_such_function 2>err
has err "have no function 'no_such_function'"
perf unwind rows "$PERF" main >rows
has rows '^main:$' ' eh_frame +cfa=rsp\+8 ra=\*\(cfa-8\)$'
perf unwind rows "$PERF" "0x$(awk '/eh_frame/ { print substr($1, 1, 16); exit }' rows)" >row
[ "$(wc -l <row)" = 2 ] || fail "one address is $(wc -l <row) lines"
fails 129 perf unwind 2>err
fails 129 perf unwind sample 0 2>err
fails 1 perf script --unwind=nosuch 2>err
has err "'nosuch' is not a list of unwind sources"

# Interpreters and JITs are the worst that people have.
command -v python3 >/dev/null || exit 0
record -- /usr/bin/python3 -c '
def f(n): return n if n < 2 else sum(map(f, (n - 1, n - 2)))
f(26)'
compare
