#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: script -F insn, perf_sample_insn(), perf_sample_srccode(): the sample's instruction and source line
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc objdump

cat >loop.c <<'END'
volatile unsigned long sink;
__attribute__((noinline)) static void loop(void)
{
	for (unsigned long i = 0; i < 300000000; i++)
		sink += i % 1000003 * i;
}
int main(void) { loop(); return 0; }
END
case $(uname -m) in x86_64) ;; *) skip "instructions of $(uname -m) are not told" ;; esac

# check NAME FLAGS...: bytes of each sample in loop() are those that objdump shows there.
check() {
	local name=$1
	shift
	gcc -g -O1 -o "$name" "$@" loop.c
	objdump -dw --disassemble=loop "$name" | sed -En 's/^ *([0-9a-f]+):\t([0-9a-f ]+[0-9a-f]) *\t.*/\1 \2/p' >code
	perf record -q -e cpu-clock -F 500 -o "$name.data" -- "./$name"
	perf script -i "$name.data" -F ip,sym,symoff,insn,insnlen |
		sed -En 's/^ *[0-9a-f]+ loop\+0x([0-9a-f]+) ilen: ([0-9]+) insn: (.*)$/\1 \2 \3/p' >samples
	[ "$(wc -l <samples)" -gt 20 ] || fail "$name: too few samples: $(perf script -i "$name.data" -F ip,sym,insn | head -n 3)"
	first=$((0x$(head -n 1 code | cut -d' ' -f1)))
	sort -u samples | while read -r off len bytes; do
		grep -qx "$(printf %x $((first + 0x$off))) $bytes" code || fail "$name: $bytes at loop+0x$off"
		[ "$(wc -w <<<"$bytes")" = "$len" ] || fail "$name: $len bytes: $bytes"
	done
}
check pie -fPIE -pie
check fixed -fno-pie -no-pie
if gcc -fuse-ld=lld -o with-lld loop.c 2>/dev/null; then
	check lld -fuse-ld=lld -fPIE -pie
fi

# The same as JSON, and in scripts; the text of the source line as long as the file is there.
perf script -i pie.data --json -F ip,sym,insn,insnlen >json
perf script -i pie.data -F ip,sym,insn,insnlen | sed -En 's/.* loop ilen: ([0-9]+) insn: /\1 /p' | tr -d ' ' >text
sed -En 's/.*"sym":"loop".*"insnlen":([0-9]+),"insn":"([0-9a-f]+)".*/\1\2/p' json >same
cmp text same
perf script -i pie.data -F insn,comm --kallsyms /dev/null | grep -qE '^ *pie +insn:( [0-9a-f]{2})+$' || fail "no insn beside comm"

need_scripts
cat >ask.py <<'END'
from perf_trace_context import *

def process_event(d):
    if d.get("symbol") == "loop":
        print(len(perf_sample_insn(perf_script_context)), perf_sample_insn(perf_script_context).hex(),
              *perf_sample_srccode(perf_script_context))
    elif d["sample"]["cpumode"] == 1 and perf_sample_insn(perf_script_context) is not None:
        print("of the kernel")
END
perf script -i pie.data -s ask.py >out
cut -d' ' -f1,2 out | tr -d ' ' | cmp text -
has out ' loop\.c 5 	*sink \+= i % 1000003 \* i;$'
has_not out 'of the kernel' ' None'
mv loop.c moved.c
perf script -i pie.data -s ask.py >out
has out ' loop\.c 5 None$'
mv pie gone
perf script -i pie.data -F ip,dso,insn,insnlen >out 2>err
has out '/pie\) ilen: 0$'
has_not out '/pie\).* insn:' # those of the loader, at the start, have theirs
