#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script -s: records that are not samples: each goes to its function
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_scripts
need_python
make_it() { python "$PERF_TEST_DIR/lib/made-recording.py" "$1" "$1.data"; }
run() { # KIND SCRIPT: into out
	perf script -i "$1.data" -s "$2" >out 2>err || fail "$(cat err)"
}

cat >records.py <<'END'
def show(name):
    def f(*args):
        print(name, *args)
    return f

for name in "throttle", "unthrottle", "auxtrace_error", "stat__interval", "stat__cpu-clock", "stat__context-switches":
    globals()[name] = show(name)

def process_event(d):
    print("sample", d["sample"]["time"])
END
make_it switches
run switches records.py
cat >want <<'END'
sample 999
throttle 1000 100 7 -1 4711 4711
unthrottle 1000 100 7 -1 4711 4711
auxtrace_error 1 5 2 4711 4711 4194595 0 lost data 0 0
sample 1003
END
diff want out

# Counts of perf stat are what was added since the last interval.
make_it stat
run stat records.py
cat >want <<'END'
stat__cpu-clock 0 -1 1000000000 0 5 4
stat__context-switches 0 -1 1000000000 1 5 4
stat__interval 1000000000
stat__cpu-clock 0 -1 2000000000 10 0 0
stat__context-switches 0 -1 2000000000 10 0 0
stat__interval 2000000000
END
diff want out

make_it branches
cat >branches.py <<'END'
def process_event(d):
    for b, s in zip(d["brstack"], d["brstacksym"]):
        print(hex(b["from"]), hex(b["to"]), b["mispred"], b["predicted"], b["in_tx"], b["abort"], b["cycles"],
              b["from_dsoname"], s["from"], s["pred"], s["in_tx"], s["abort"])
    print(len(d["brstack"]), len(d["brstacksym"]))
END
run branches branches.py
[ "$(grep -c '^0x' out)" = 6 ] || fail "$(cat out)"
has out '^0x400200 0xffffffff81000000 True False False False 0 /bin/true \[unknown\] M - -$' \
	'^0x400210 0xffffffff81000001 False True False False 0 /bin/true \[unknown\] P - -$' '^3 3$'

# Each value has words.
make_it memory
printf 'def process_event(d):\n\ts = d["sample"]\n\tprint(hex(s["datasrc"]), s["weight"], hex(s["addr"]), s["datasrc_decode"])\n' >memory.py
run memory memory.py
has out '^0x68100142 [0-9]+ 0x400300 \|OP LOAD\|LVL L1 hit\|SNP None\|TLB L1 or L2 hit\|LCK No\|BLK  N/A$' \
	'^0x82200000000 .*\|LVL Remote core, same node L1 \|' '^0x2c00000000 .*\|LVL Remote Memory-side Cache \|' \
	'^0x60000000000 .*\|BLK  Data Addr$' '^0xc000f80000 .*\|SNP N/A or None or Hit or Miss or HitM or Fwd or Peer\|'

# A name that is not UTF-8 comes out as it came in.
make_it names
printf 'def process_event(d):\n\tprint(d["comm"], ascii(d["comm"]))\n' >names.py
run names names.py
[ "$(od -An -tx1 -N5 out | tr -d ' ')" = 6effc36d65 ] || fail "$(od -c out)"
has out "'n.udcff.udcc3me'"
perf script -i names.data -F comm | grep -q "$(printf 'n\377\303me')" || fail "text and script differ"

# The same words as text and in JSON.
perf script -i memory.data -F data_src >text
perf script -i memory.data --json -F data_src | sed -n 's/.*"data_src":"0x\(.*\)","data_src_text":"\(.*\)"}/\1 \2/p' >json
sed 's/^ *//; s/ *$//' text | cmp - json
has text '^ +68100142 \|OP LOAD\|LVL L1 hit\|SNP None\|TLB L1 or L2 hit\|LCK No\|BLK  N/A *$'
