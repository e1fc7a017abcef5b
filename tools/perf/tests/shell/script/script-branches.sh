#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script -F brstack, brstacksym, brstackoff, brstackinsn: as text, as JSON, as upstream prints them
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/script/lib-json.sh"
need_python
need_cmd gcc objdump

cat >loop.c <<'END'
volatile unsigned long n;
__attribute__((noinline)) void leaf(unsigned long v) { n += v; }
__attribute__((noinline)) void work(void) { for (unsigned long i = 0; i < 100; i++) leaf(i); }
int main(void) { work(); return 0; }
END
gcc -O1 -no-pie loop.c -o loop
python "$PERF_TEST_DIR/lib/made-recording.py" lbr x.data loop
made=$(nm loop | awk '$3 == "leaf" { print $1 }' | sed 's/^0*//')

perf script -i x.data -F brstack,dso 2>err >out
has out "^ *0x[0-9a-f]+\($PWD/loop\)/0x$made\($PWD/loop\)/P/-/-/3/CALL/-  0x"
perf script -i x.data -F brstacksym 2>err >out
has out '^work\+0x[0-9a-f]+/leaf\+0x0/P/-/-/3/CALL/- work\+0x[0-9a-f]+/work\+0x[0-9a-f]+/M/-/-/2/COND/- leaf\+0x'
perf script -i x.data -F brstackoff 2>err >out
has out "/0x${made#40}/P/-/-/3/CALL/-"
# Instructions between branches: a block ends with its branch, the last one with the sample.
perf script -i x.data -F ip,brstackinsn 2>err >out
has out '^	leaf:$' '^	work\+[0-9]+:$' '^	[0-9a-f]{16}	insn: c3  +	# PRED 5 cycles \[[0-9]+\] [0-9.]+ IPC$' \
	'^	[0-9a-f]{16}	insn: e8 .. .. .. ..  +	# PRED 3 cycles'
perf script -i x.data -F ip,brstackinsnlen 2>err >out
has out '	ilen: 1	# PRED 5 cycles'
perf script --json -i x.data -F ip,brstacksym,brstack,brstackoff,dso 2>err >json
fits script json >types
has json '"from_sym":"work",.*"to_sym":"leaf","to_symoff":0,.*"predicted":true,.*"branch_type":"CALL"'

# Of recordings that have none, or not all, it is said.
python "$PERF_TEST_DIR/lib/made-recording.py" names none.data
fails 1 perf script -i none.data -F brstack 2>err
has err "do not have BRANCH_STACK attribute set. Cannot print 'brstack' field"
python "$PERF_TEST_DIR/lib/made-recording.py" branches some.data
fails 1 perf script -i some.data -F brstackinsn 2>err
has err 'do not have all branches' 'perf record -b'

# Upstream up to 6.1 lacks the last part of a branch, which is '-' here. It takes a program whose path begins with
# /tmp/perf- for a map of a JIT compiler.
need_upstream
dir=$(mktemp -d /tmp/branches.XXXXXX)
trap 'rm -rf "$dir"' EXIT
cp loop "$dir"
python "$PERF_TEST_DIR/lib/made-recording.py" lbr x.data "$dir/loop"
for f in ip,brstack ip,brstacksym ip,brstackinsn ip,brstackinsnlen; do
	perf script -i x.data -F $f 2>err | sed 's,/- , ,g; s/^ *//' >ours
	"$UPSTREAM" script -f -i x.data -F $f 2>err | sed 's,/- , ,g; s/^ *//' >theirs
	cmp ours theirs || fail "$f: $(head -c 100 ours), $(head -c 100 theirs)"
done
