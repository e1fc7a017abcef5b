#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf stitch: stack copies and deferred callchains, files, pipes, in place
# limit: 180
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

perf record -q --call-graph dwarf -e cpu-clock -F 999 -o raw.data -- "$PERF" test -w deep 20 0.5
perf stitch -i raw.data -o out.data 2>err
has err '^\[ perf stitch: [0-9,]+ samples, [0-9,]+ whole user stacks' 'became .*: out\.data'
same raw.data out.data
[ "$(stat -c %s raw.data)" -gt $(($(stat -c %s out.data) * 5)) ] || fail "out.data is large"
[ "$(stat -c %a out.data)" = 600 ] || fail "mode $(stat -c %a out.data)"

# Again, in place, through pipes, compressed: the same bytes, or the same samples.
perf stitch -q -i out.data -o again.data
cmp out.data again.data
cp raw.data perf.data
chmod 640 perf.data
ln -s perf.data link
echo older >perf.data.old
perf stitch -i link 2>err
[ -L link ] && [ "$(stat -c %a perf.data)" = 640 ] || fail "the link or the mode is lost"
cmp out.data perf.data
has err "became .* MB: link; the original is $PWD/perf\.data\.old \]$"
cmp raw.data perf.data.old
[ "$(stat -c %a perf.data.old)" = 640 ] || fail "the mode of the old file is lost"
perf stitch -q -z1 -i raw.data -o z1.data
perf stitch -q -z -i raw.data -o z.data
cmp -s z.data z1.data && fail "-z is level 1, not fitted to recordings"
[ "$(stat -c %s z.data)" -lt "$(stat -c %s out.data)" ] || fail "z.data is large"
same raw.data z.data
perf stitch -q -i z.data -z -o z2.data
cmp z.data z2.data
perf stitch -q -i z.data
cmp z.data out.data

# A recording that was made whole at once has nothing more, whatever its attributes say.
perf record -q --defer=copy -e cpu-clock -o whole.data -- "$PERF" test -w deep 20 0.1
perf stitch -q -i whole.data
[ ! -e whole.data.old ] || fail "what is whole already is kept"
rm whole.data

# What was replaced is kept if it had more, and not by a stitch of what is stitched already.
[ ! -e z.data.old ] || fail "the same samples are kept twice"
perf stitch -i perf.data 2>err
has_not err 'original'
perf stitch -q -z -i perf.data
cmp raw.data perf.data.old
rm perf.data perf.data.old
cp raw.data perf.data
perf stitch -i perf.data --no-old 2>err
has_not err 'original'
cmp out.data perf.data
[ ! -e perf.data.old ] || fail "kept in spite of --no-old"
perf stitch -i perf.data --comms nobody 2>err
has err 'MB: perf\.data; the original is perf\.data\.old \]$'
cmp out.data perf.data.old
cp raw.data perf.data
ln -f perf.data perf.data.old # as a stitch leaves it that was killed there
perf stitch -q
cmp raw.data perf.data.old
cmp out.data perf.data
rm perf.data.old
mkdir perf.data.old
cp raw.data perf.data
fails 1 perf stitch 2>err
has err '^Error: cannot rename perf\.data to perf\.data\.old: Is a directory' 'with -o'
cmp raw.data perf.data
rmdir perf.data.old
rm perf.data
perf stitch -q -i raw.data -o - | perf stitch -q -i - -o - >pipe.data
same raw.data pipe.data
perf stitch -q -i - <pipe.data -o pipe2.data
same raw.data pipe2.data
perf record -q --call-graph dwarf -e cpu-clock -o - -- "$PERF" test -w deep 20 0.2 |
	perf stitch -q -i - -o live.data
text live.data >live.txt
has live.txt ' main'
perf script -D -i live.data >dump.txt
has_not dump.txt '\.\.\. ustack'
[ -z "$(find . -name '*.data.*')" ] || fail "left behind: $(find . -name '*.data.*')"

# Copies kept can be stitched later.
perf stitch -q --keep-copies -i raw.data -o kept.data
[ "$(stat -c %s kept.data)" -gt "$(stat -c %s out.data)" ] || fail "kept.data has no copies"
perf script --no-inline -i raw.data >raw.txt
perf script --no-inline -i kept.data >kept.txt
cmp raw.txt kept.txt
perf script -D -i kept.data >dump.txt
has dump.txt '\.\.\. ustack'
has_not dump.txt ' fffffffffffffe00$'
perf stitch -q --keep-copies -i kept.data -o again.data
cmp kept.data again.data
perf stitch -q -i kept.data
cmp kept.data out.data

# Filters; figures.
perf stitch -q -i raw.data --comms nobody -o none.data
[ "$(perf script -i none.data | wc -l)" = 0 ] || fail "samples of nobody"
perf stitch --dry-run --stats -i raw.data >stats 2>/dev/null
has stats '^samples +[0-9]+$' 'unwound from the stack copy' 'bytes in'
[ "$(stat -c %s raw.data)" = "$(awk '/bytes in/ { print $3 }' stats)" ]
perf stitch -n --json -i raw.data 2>/dev/null >stats.json
if [ -x /usr/bin/python3 ]; then
	python -c 'import json
f = json.load(open("stats.json"))
assert f["total"] == f["events"]["cpu-clock'"$U"'"] and f["total"]["samples"] > 50
assert sum(f["total"]["user part"].values()) == f["total"]["samples"]
assert f["total"]["stack copies"]["in samples"] == f["total"]["user stacks"]["to be completed"]
assert "threads" not in f'
	cp "$PERF" ÄÖÜÄÖÜÄÖÜ # of which the kernel keeps seven characters and a half
	perf record -q -g -e cpu-clock -o name.data -- ./ÄÖÜÄÖÜÄÖÜ test -w noploop 0.1
	perf stitch -n -v --json -i name.data 2>/dev/null >stats.json
	python -c 'import json
assert "ÄÖÜÄÖÜÄ\ufffd" in [t["comm"] for t in json.load(open("stats.json"))["threads"]]'
	perf stitch -n -v --json -i raw.data 2>/dev/null >stats.json
	python -c 'import json
f = json.load(open("stats.json"))
total, threads, binaries = f["total"], f["threads"], f["binaries"]
assert sum(t["samples"] for t in threads) == total["samples"]
assert all(t["samples"] == sum(t["user part"].values()) for t in threads)
for group in "frames", "unwinding ended":
    for name, n in total[group].items():
        assert sum(b[group][name] for b in binaries) == n, (group, name)
assert any(b["name"].endswith("/perf") for b in binaries)'
fi
perf stitch -n -v --stats -i raw.data >stats 2>/dev/null
has stats '^threads$' '^    perf [0-9]+/[0-9]+: [0-9]+ samples?, [0-9]+ whole user' ' total$'
has stats '^stack copies$' '    bytes reserved +[0-9]+$'
mkdir dir
cp raw.data dir/data
perf stitch -q -n -i dir
fails 1 perf stitch -i dir 2>err
has err 'cannot be stitched in place'
perf report --stdio -i raw.data >text
has text '^# User stacks: [0-9]+ samples, [0-9]+ whole user stacks'
perf report --stdio -i out.data >text
has_not text '^# User stacks' # nothing was to be completed
perf stitch -q -i raw.data -o part.data --drop-incomplete
[ "$(text part.data | grep -c cpu-clock)" -le "$(text raw.data | grep -c cpu-clock)" ]

# A record of a type that nobody knows yet is kept, and so is a recorder's directory read.
if [ -x /usr/bin/python3 ]; then
	python - raw.data strange.data <<'END'
import struct, sys
data = bytearray(open(sys.argv[1], "rb").read())
start, size = struct.unpack_from("=QQ", data, 40)
at = start
while struct.unpack_from("=I", data, at)[0] != 68: # FINISHED_ROUND
    at += struct.unpack_from("=H", data, at + 6)[0]
struct.pack_into("=I", data, at, 120)
open(sys.argv[2], "wb").write(data)
END
	perf stitch -i strange.data -o strange.out 2>err
	has err '1 records have unknown types \(the first is type 120\)'
	perf stitch -i strange.out 2>err
	has err 'the first is type 120'
	same strange.data strange.out
fi

# Without the binaries the copies are worth more than what can be made of them.
cp raw.data there.data
fails 1 perf stitch -i there.data --symfs /nowhere 2>err
has err 'was not replaced, because [0-9]+ of its stack copies' '--symfs'
cmp raw.data there.data
perf stitch -q -i there.data --symfs /nowhere -o poor.data
rm there.data

# A few copies without their binary are no loss as long as the original stays; without it they are.
cp "$PERF" gone
perf record -q -N --no-stitch --call-graph dwarf,1024 -e cpu-clock:u -F 2000 -o few.data -- sh -c \
	"'$PERF' test -w noploop 1; ./gone test -w noploop 0.01"
rm gone
cp few.data there.data
fails 1 perf stitch -i there.data --no-old 2>err
has err 'was not replaced, because [0-9]+ of its stack copies' 'leave out --no-old'
cmp few.data there.data
[ ! -e there.data.old ] || fail "--no-old: kept"
perf stitch -i there.data 2>err
has err 'unreadable binary' 'the original is there\.data\.old'
cmp few.data there.data.old
rm few.data there.data there.data.old

# Killed at any moment: the input is as it was or stitched, and nothing is beside it, unless that
# was between two system calls: then a whole one.
mkdir killed
for after in 0.01 0.02 0.03 0.05 0.08; do
	cp raw.data killed/perf.data
	"$PERF" stitch -q -i killed/perf.data & pid=$!
	sleep $after
	kill -KILL $pid 2>/dev/null || true
	wait $pid || true # what it was in is over
	cmp -s killed/perf.data raw.data || {
		cmp killed/perf.data out.data
		cmp killed/perf.data.old raw.data
	}
	for file in $(find killed -type f ! -name perf.data ! -name perf.data.old); do
		cmp -s "$file" raw.data || cmp -s "$file" out.data || fail "left behind: $file"
	done
	rm killed/*
done

# What cannot be: words, and nothing is touched.
fails 1 perf stitch -i nothing.data 2>err
has err 'nothing\.data'
fails 129 perf stitch -z 23 2>err
fails 129 perf stitch raw.data 2>err
fails 1 perf stitch -i raw.data -o no/dir 2>err
has err 'no/dir'
head -c 100000 raw.data >cut.data
cp cut.data cut2.data
fails 1 perf stitch -i cut.data 2>err
has err 'cut off' "'cut\.data' is damaged and was not replaced"
cmp cut.data cut2.data
fails 1 perf stitch -i cut.data -o saved.data 2>err
has err 'cut off'
text saved.data >saved.txt
[ "$(grep -c cpu-clock saved.txt)" -ge 5 ] || fail "what could be read was not saved"
(fails 1 perf stitch -i raw.data -o /dev/full) 2>err
has err 'No space left'
