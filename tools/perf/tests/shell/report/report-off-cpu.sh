#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf report --off-cpu, --wall, --times, --sort state,waker: where the time of threads went
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
need_event context-switches
need_python

perf record --off-cpu -o c.data -- "$PERF" test -w chain 10 50 2>err || { cat err; fail "record"; }
perf report -i c.data --times thread >times
[ "$(grep -c '  link-[0-9]*$' times)" = 10 ] || { cat times; fail "not the ten threads"; }
has_not times "Call graphs:" "Total Lost Samples: 0"
perf report -i c.data -q --times process >process
# In two ranges of time that meet, the times are those of the whole.
middle=$(perf script -i c.data -F time | awk '{ t[NR] = $1 + 0 } END { printf "%.6f", t[int(NR / 2)] }')
perf report -i c.data -q --times process --time ",$middle" >first
perf report -i c.data -q --times process --time "$middle," >second
awk '/^#/ { next }
	{ for (i = 1; i <= 5; i++) left[i] += FILENAME == "process" ? $i : -$i; of[FILENAME] += $1 }
	END { for (i = 1; i <= 5; i++) bad += left[i] > 1e-5 || left[i] < -1e-5
		exit bad || !of["first"] || !of["second"] }' process first second ||
	fail "parts: $(cat process first second)"
perf report -i c.data -q --wall --no-children -g none -F period,comm,state -t, >wall
perf report -i c.data -q --off-cpu --no-children -g none -F sample,comm,state,waker -t, >wakers
perf report -i c.data --off-cpu >off
has off "of event 'offcpu-time'"
has_not off "of event 'cpu-clock"
# Wakes have no stacks, of which there is nothing to say. Left in the file, they are printed.
perf record --off-cpu --no-stitch -o raw.data -- "$PERF" test -w chain 2 5 2>err || { cat err; fail "raw"; }
perf script -i raw.data -F +whole >raw 2>err || { cat err; fail "script"; }
has raw '(whole)'
left=$(perf report -i c.data --wall --no-children -g none | sed -n 's/.*; in no sample: //p')
python - times process wall wakers "$left" <<'END'
import re, sys
rows = [l.split() for l in open(sys.argv[1]) if not l.startswith("#")]
total = [sum(float(r[i]) for r in rows) for i in range(5)]
process = [[float(x) for x in l.split()[:5]] for l in open(sys.argv[2]) if not l.startswith("#")]
for i in range(5):
    assert abs(total[i] - sum(p[i] for p in process)) < 1e-4, i
for r in rows: # the parts add up
    assert abs(float(r[0]) - sum(float(x) for x in r[1:5])) < 1e-5, r
# The tree of wall time has the same times, but for what ran behind the last sample, and for the
# first wait of a new thread, which has no stack.
wall = {}
for line in open(sys.argv[3]):
    f = [x.strip() for x in line.split(",")]
    if len(f) == 3:
        wall[f[2][:7]] = wall.get(f[2][:7], 0) + int(f[0]) / 1e9
print(total, wall)
assert abs(wall["blocked"] - total[3]) < 1e-3 and wall["on"] <= total[1] + 1e-3
assert wall.get("runnabl", 0) <= total[2] + 1e-3
left = dict((b, float(a)) for a, b in re.findall(r"([\d.]+) s (on a CPU|runnable)", sys.argv[5]))
print(left)
assert abs(wall.get("runnabl", 0) + left.get("runnable", 0) - total[2]) < 2e-3
assert abs(wall["on"] + left.get("on a CPU", 0) - total[1]) < 2e-3
# Each is woken by the one in front, if it is known who wakes whom.
good = bad = unknown = 0
for line in open(sys.argv[4]):
    f = [x.strip() for x in line.split(",")]
    m = re.match(r"link-(\d+)$", f[1]) if len(f) == 4 else None
    if not m or f[2] != "blocked":
        continue
    waker = f[3].split(":")[-1]
    k = int(m.group(1))
    if not waker:
        unknown += int(f[0])
    elif waker == ("perf" if k == 1 else "link-%d" % (k - 1)):
        good += int(f[0])
    else: # the recorder may hold a lock of the kernel that the thread needs
        bad += int(f[0])
print(good, bad, unknown)
assert bad <= (good + bad) / 100
END

# Who woke whom, from the last link to the first.
perf report -i c.data --off-cpu --wakers --no-children -g none -s comm,state >chains
if grep -q 'blocked.*link-1' chains; then
	has chains 'link-10 +blocked +link-9 < link-8 < link-7 < link-6 < link-5 < link-4 < link-3 < link-2 < link-1 < perf'
fi
perf report -i c.data --wakers --no-children -g none -s comm,state | cmp - chains || fail "--wakers is not of waits alone"

# Wall time of what runs: a part of the time on a CPU, since others ran at the same time or not.
perf report -i c.data --latency --no-children -g none -s comm,parallelism >latency
has latency '# +Latency +Command +Parallelism' ' perf +[0-9]'
fails 129 perf report -i c.data --latency --wall 2>err

# Samples by how many threads ran are each in one of the tables, which together have all of them.
for level in $(perf report -i c.data --stdio --no-children -g none -s parallelism | awk '/^ +[0-9.]+%/ { print $NF }'); do
	perf report -i c.data --no-children -g none -s parallelism --parallelism "$level" >out
	[ "$(awk '/^ +[0-9.]+%/ { print $NF }' out)" = "$level" ] || fail "--parallelism $level: $(cat out)"
	grep -E '^ +[0-9.]+%' out
done | sort >parts
perf report -i c.data --no-children -g none -s parallelism | grep -E '^ +[0-9.]+%' | sort | cmp - parts || fail "$(cat parts)"
fails 1 perf report -i c.data --parallelism x 2>err
has err "^Error: --parallelism: 'x' is not a list of numbers like 1,3-4\$"

fails 129 perf report -i c.data --parallelism 1 --html page.html 2>err
has err '^Error: --parallelism is for tables: leave out --html and --svg$'

# What was not recorded so has no wall time.
perf record -q -e cpu-clock -o plain.data -- "$PERF" test -w noploop 0.05
fails 1 perf report -i plain.data --parallelism 1 2>err
has err '^Error: --parallelism: plain.data has no switches: record with --latency$'
for view in --wall --off-cpu --wakers "--times thread"; do
	fails 1 perf report -i plain.data $view 2>err
	has err 'was not recorded with --off-cpu'
done
fails 1 perf report -i plain.data --latency 2>err
has err 'has no switches'
fails 129 perf report -i c.data --times cpu 2>err
fails 129 perf report -i c.data --wall --off-cpu 2>err

# As JSON: the same numbers.
. "$PERF_TEST_DIR/shell/script/lib-json.sh"
for of in thread process; do
	perf report -i c.data --times $of --json >$of.json
	perf report -i c.data --times $of >$of.text
	fits report $of.json >fit
	python - $of.json $of.text <<'END'
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
assert lines[0]["type"] == "header" and lines[-1]["type"] == "end", lines
keys = ("elapsed_ns", "on_ns", "runnable_ns", "blocked_ns", "unknown_ns")
table = [l.split(None, 7) for l in open(sys.argv[2]) if not l.startswith("#")]
assert len(table) == len(lines) - 2 > 0
for line, row in zip(lines[1:], table):
    assert line["type"] == "times"
    assert ["%.6f" % (line[k] / 1e9) for k in keys] == row[:5], (line, row)
    assert line["elapsed_ns"] == sum(line[k] for k in keys[1:])
    assert [str(line["pid"]), str(line.get("tid", line.get("threads"))), line["comm"]] == \
        [row[5], row[6], row[7].strip()], (line, row)
END
done
for how in --off-cpu --wall; do
	perf report -i c.data $how --json --no-children -g none --sort comm,state,waker >$how.json 2>err
	fits report ./$how.json >fit
	has ./$how.json '"state":"blocked"'
done
