#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script -s: a script gets each sample, its arguments, and an end, whatever it does
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_scripts
need_event cpu-clock

perf record -q -e cpu-clock -F 999 -g -o x.data -- "$PERF" test -w noploop 0.3
samples=$(samples x.data)

# The same samples as the text has, in the same order, with the same frames.
cat >text.py <<'END'
import sys
print(sys.argv, __file__, __name__)

def trace_begin():
    print("begin")

def trace_end():
    print("end")

def process_event(d):
    s = d["sample"]
    print(d["comm"], s["pid"], s["tid"], s["time"], d["ev_name"])
    for f in d["callchain"]:
        name = f["sym"]["name"] + "+0x%x" % f["sym_off"] if "sym" in f else "[unknown]"
        print("\t%16x %s (%s)" % (f["ip"], name, f.get("dso", "[unknown]")))
    print()
END
perf script -i x.data --no-inline -s text.py one --two '3 3' >out
[ "$(head -n 2 out)" = "['text.py', 'one', '--two', '3 3'] text.py __main__
begin" ] || fail "$(head -n 2 out)"
[ "$(tail -n 1 out)" = end ] || fail "trace_end() was not called"
# Frames of inlined functions have the binary, too, and no mark.
perf script -i x.data -F comm,pid,tid,time,event,ip,sym,symoff,dso --ns --no-inline |
	sed -E 's/^(\S+) +([0-9]+)\/([0-9]+) +([0-9]+)\.([0-9]+): +(\S+): $/\1 \2 \3 \4\5 \6/' >want
sed '1,2d; $d' out | cmp - want

# By its language, behind --, from a pipe, with filters and without callchains.
perf script -i x.data -s python:text.py -- --two >out2
head -n 1 out2 | grep -qF "['text.py', '--two']"
perf script -i - --no-inline -s text.py one --two '3 3' <x.data | cmp - out
cat >count.py <<'END'
n = frames = 0

def process_event(d):
    global n, frames
    n += 1
    frames += len(d["callchain"])

def trace_end():
    print(n, frames)
END
[ "$(perf script -i x.data -s count.py --time 1000000000, | cut -d ' ' -f 1)" = 0 ] || fail "--time has no effect"
[ "$(perf script -i x.data --time 1000000000, -s count.py)" = "0 0" ] || fail "--time has no effect"
[ "$(perf script -i x.data -G -s count.py)" = "$samples 0" ] || fail "-G has no effect"
[ "$(perf script -i x.data --max-stack 1 --no-inline -s count.py)" = "$samples $samples" ] || fail "--max-stack has no effect"

# What a script does wrong is shown, with the sample; its exit status is ours.
printf 'def process_event(d):\n\traise ValueError("mine")\n\ndef trace_end():\n\tprint("end")\n' >raises.py
fails 1 perf script -i x.data -s raises.py >out 2>err
has err 'File "raises.py", line 2, in process_event' '^ValueError: mine$' \
	"^Error: the script failed on this sample: cpu-clock$U at [0-9]+\.[0-9]{9}, comm perf.*, pid [0-9]+, tid [0-9]+$"
has_not out end
printf 'def x(:\n' >syntax.py
fails 1 perf script -i x.data -s syntax.py 2>err
has err 'SyntaxError'
printf 'import sys\ndef process_event(d):\n\tprint("seen")\n\tsys.exit(7)\n' >exits.py
fails 7 perf script -i x.data -s exits.py >out 2>err
[ "$(cat out)" = seen ] || fail "$(cat out)"
[ ! -s err ] || fail "$(cat err)"
printf 'import sys\nsys.exit("words")\n' >words.py
fails 1 perf script -i x.data -s words.py 2>err
[ "$(cat err)" = words ] || fail "$(cat err)"
printf 'raise SystemExit\n' >zero.py
perf script -i x.data -s zero.py
# A module that needs a window says what to do without.
cat >gui.py <<'END'
import os, sys
sys.path.append(os.environ["PERF_EXEC_PATH"] + "/scripts/python/Perf-Trace-Util/lib/Perf/Trace")
from SchedGui import *
END
fails 1 perf script -i x.data -s gui.py >out 2>err
has err '^ImportError: SchedGui .*perf script report wakers'
for bad in 'no-such.py' '.' 'x.pl' 'x.lua'; do fails 1 perf script -i x.data -s "$bad" 2>err; has err '^Error: '; done
fails 1 perf script -i no-such.data -s text.py >out 2>err
has err no-such.data
[ ! -s out ] || fail "$(cat out)"

# What it changes and keeps is its own: the next sample does not have it.
cat >keeps.py <<'END'
kept = []
n = 0

def process_event(d):
    global n
    n += 1
    assert "mine" not in d and "mine" not in d["sample"] and len(d["callchain"]) > 0
    assert len({id(f) for f in d["callchain"]}) == len(d["callchain"])
    for f in d["callchain"]:
        assert "mine" not in f and ("sym" not in f or "mine" not in f["sym"])
    kept.append((d, d["sample"], d["callchain"], dict(d["sample"]), [dict(f) for f in d["callchain"]]))
    which = n % 7
    if which == 1: d["mine"] = 1
    if which == 2: d["sample"]["mine"] = 1
    if which == 3: d["callchain"][0]["mine"] = 1
    if which == 4: d["callchain"][-1].setdefault("sym", {})["mine"] = 1
    if which == 5: del d["callchain"][:]
    if which == 6: del d["sample"]["ip"]
    if which > 3: kept.pop()

def trace_end():
    assert len(kept) > n / 3
    for d, s, chain, was_s, was in kept:
        s.pop("mine", 0)
        for f in chain:
            f.pop("mine", 0)
        assert s == was_s and chain == was and d["sample"] is s, (s, was_s)
    print("kept")
END
[ "$(perf script -i x.data -s keeps.py)" = kept ] || fail "dictionaries are not the script's own"

# Lists and frames are handed out again only as they were: whatever is done to them, and whether
# or not it is kept, what is printed of each sample is the same as without.
perf record -q -e cpu-clock,page-faults -F 999 -g -o two.data -- sh -c '
	"$0" test -w deep 20 0.1 & "$0" test -w thloop 0.2; wait' "$PERF"
cat >changes.py <<'END'
exec(open("text.py").read().replace("print(sys.argv, __file__, __name__)", ""))
show, kept, lists, n, how = process_event, [], [], 0, int(sys.argv[1])

def process_event(d):
    global n
    show(d)
    n += 1
    chain = d["callchain"]
    for k, was in lists:
        assert repr(k) == was
    if n % 20 == 1:
        for k in kept:
            k.clear()
        kept.clear()
        lists.clear()
    if n % 3 == 0 or how == 0 or len(chain) < 2:
        return
    sym = chain[0].get("sym", {})
    which = how if how < 15 else n % 15
    if which == 1: chain.reverse()
    if which == 2: chain.pop()
    if which == 3: chain.append(chain[0])
    if which == 4: chain[0] = None
    if which == 5: kept.append(chain[1])
    if which == 6: lists.append((chain, repr(chain)))
    if which == 7: chain[0]["ip"] = 0
    if which == 8: chain[-1].clear()
    if which == 9: sym["name"] = "mine"
    if which == 10: d["callchain"] = []
    if which == 11: del d["callchain"]
    if which == 12: kept.append(sym)
    if which == 13: chain[0], chain[1] = chain[1], chain[0]
    if which == 14: kept.append(d)
END
perf script -i two.data -s changes.py 0 >want
for how in $(seq 15); do
	perf script -i two.data -s changes.py "$how" | cmp - want || fail "changes.py $how"
done

# perf itself must run where Python is not installed.
! ldd "$PERF" | grep -i python || fail "perf itself is linked with Python"
