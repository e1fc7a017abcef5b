#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: the distribution's perf reads what comes of its own recordings
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock

need_upstream

# One line a sample and one a frame. Where upstream finds no symbol it prints an offset into the
# file instead of the address, so of each only the place in its page is compared.
lines() {
	"$1" script --no-inline --max-stack 2000 -F comm,tid,time,period,event,ip,sym -i "$2" 2>err |
		awk '/^\t/ { print substr("000" $1, length($1) + 1); next } NF { $1 = $1; print }'
}

# same WHAT RAW STITCHED: as our perf shows the raw recording, theirs shows the stitched one.
same() {
	lines "$PERF" "$2" >ours
	lines "$UPSTREAM" "$3" >theirs
	grep -Ev "No kallsyms|^assertion failed at util/namespaces|$LOST" err >said || true
	[ ! -s said ] || fail "$1: upstream says: $(head -3 said)"
	cmp -s ours theirs || fail "$1: $(diff ours theirs | head -5 || true)"
	[ "$(wc -l <ours)" -gt 100 ] || fail "$1: only $(wc -l <ours) lines"
	"$UPSTREAM" evlist -v -i "$3" >/dev/null 2>err || fail "$1: $(cat err)"
	[ ! -s err ] || fail "$1: upstream says: $(head -3 err)"
}

deep=("$PERF" test -w deep 30 0.3)
i=0
# Large rings, as far as they are allowed.
large="-m 4M"
[ "$(id -u)" = 0 ] || large=
for how in "-e cpu-clock $large" "-e cpu-clock -e page-faults" "-z -e cpu-clock:u" "--sample-cpu -d -e cpu-clock" \
	"-c 500000 -e task-clock --call-graph dwarf,1024"; do
	in_share 2 || continue
	i=$((i + 1))
	upstream_record --call-graph dwarf $how -o raw$i -- "${deep[@]}" || continue
	perf stitch -q -i raw$i -o out$i
	same "record $how" raw$i out$i
	perf stitch -q -i out$i -o again
	cmp out$i again
	perf stitch -q -z -i raw$i -o z$i
	same "record $how, stitched with -z" raw$i z$i
done
[ -e out1 ] || cannot_record
# With its copies it shows each frame once.
perf stitch -q --keep-copies -i raw1 -o kept1
lines "$UPSTREAM" kept1 >theirs
if lines "$UPSTREAM" raw1 >ours; then
	cmp ours theirs
fi
if upstream_record --threads --call-graph dwarf -e cpu-clock -a -o dir -- "${deep[@]}"; then
	perf stitch -q -i dir -o dir.out
	same 'a directory' dir dir.out
fi
upstream_record -g -e cpu-clock -o plain -- "${deep[@]}" || cannot_record
perf stitch -q -i plain -o plain.out
same plain plain plain.out
upstream_record --call-graph dwarf -e cpu-clock -o - -- "${deep[@]}" >pipe || cannot_record
perf stitch -q -i pipe -o pipe.out
same pipe pipe pipe.out

# Pipe to pipe: upstream reads the stream.
cat pipe | perf stitch -q -i - -o - >stream
n=$("$UPSTREAM" script --no-inline -F comm,tid,time -i stream 2>err | grep -c '^ *[^	]' || true)
[ "$n" -gt 30 ] || fail "stream: $n samples, upstream says: $(head -3 err)"

# Deferred callchains, which upstream did not know.
command -v zstd >/dev/null || exit 0
for f in a e2 h32 hdeep ictx iu s2; do
	in_share 3 || continue
	zstd -qdc "$PERF_TEST_DIR/data/deferred/$f.data.zst" >$f.data
	perf stitch -q -i $f.data -o $f.out 2>/dev/null
	same $f $f.data $f.out
	perf stitch -q -i $f.out -o again
	cmp $f.out again
done
