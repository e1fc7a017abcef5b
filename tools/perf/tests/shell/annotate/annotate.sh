#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: annotate: each instruction has the samples that script shows at it, among its source lines
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc objdump strip objcopy
need_python
need_event cpu-clock:u

cat >p.c <<'END'
#include <stdlib.h>
static inline int mix(int x) { return x * 7 ^ (x >> 3); }
__attribute__((noinline)) int work(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++) {
		if (i & 1)
			s += mix(i);
		else
			s ^= i / (s | 1);
	}
	return s;
}
__attribute__((noinline)) int other(int n)
{
	volatile int s = 0;

	while (n--)
		s += n;
	return s;
}
int main(int argc, char **argv)
{
	int t = 0;

	for (int i = 0; i < atoi(argv[1]); i++)
		t += work(1000000 + i) + other(400000);
	return t == 1;
}
END
gcc -O2 -g -pie -fPIE -o p p.c
gcc -O2 -g -no-pie -static -o fixed p.c

# What is printed of a function against the addresses of its samples.
cat >agree.py <<'END'
import collections, re, subprocess, sys
perf, data, function = sys.argv[1:4]
text = subprocess.run([perf, "annotate", "--stdio", "-n", "-i", data, function], check=True,
                      capture_output=True, text=True).stdout
lines = re.findall(r"^ *(\d+) : +([0-9a-f]+): +(\S.*)$", text, re.M)
starts = [int(addr, 16) for _, addr, _ in lines]
shown = collections.Counter({int(addr, 16): int(nr) for nr, addr, _ in lines if int(nr)})
expected = collections.Counter()
script = subprocess.run([perf, "script", "-i", data, "-G", "-F", "ip,sym,symoff"], check=True,
                        capture_output=True, text=True).stdout
for name, offset in re.findall(r"^ *[0-9a-f]+ (\S+)\+0x([0-9a-f]+)", script, re.M):
    if name == function:
        expected[starts[0] + int(offset, 16)] += 1
assert sum(expected.values()) >= 50, "too few samples: %s" % expected
assert shown == expected, "shown %s, expected %s" % (shown, expected)
assert starts == sorted(starts) and len(lines) > 10
# The same instructions as objdump's own, in the same words.
END

for program in p fixed; do
	perf record -q -e cpu-clock:u -F 2000 -o $program.data -- ./$program 40
	python agree.py "$PERF" $program.data work || fail "$program: samples at other instructions"
	perf annotate --stdio -n -i $program.data work >text
	start=$(sed -nE '0,/^ *[0-9]+ : +([0-9a-f]+):.*/s//\1/p' text)
	end=$(sed -nE 's/^ *[0-9]+ : +([0-9a-f]+):.*/\1/p' text | tail -n 1)
	objdump -d --no-show-raw-insn --start-address=0x$start --stop-address=$((0x$end + 1)) $program |
		sed -nE 's/^ *([0-9a-f]+):\t/\1 /p' >expected
	sed -nE 's/^ *[0-9]+ : +([0-9a-f]+): */\1 /p' text >shown
	diff <(sed 's/ *$//' expected) shown || fail "$program: other instructions than objdump's"
	# Source text: what is between 'int work' and its end, nothing twice in a row.
	has text '^ +: [0-9]+ +__attribute__\(\(noinline\)\) int work\(int n\)$' \
		'^ +: [0-9]+ +s \^= i / \(s \| 1\);$' '^ +: [0-9]+ +static inline int mix' '^ +: [0-9]+ +return s;$'
	has_not text 'int main'
done

# Percentages, of what; source lines with them; other numbers.
perf annotate --stdio -l -i p.data work >text
has text '^Sorted summary for file .*/p$' '^ +[0-9.]+ p\.c:11$' '^ Percent \|' \
	'Source code & Disassembly of p for cpu-clock:u \([0-9]+ samples, percent: local period\)$' \
	' : +[0-9a-f]+: .*// p\.c:11$'
sed -nE 's/^ *([0-9.]+) : .*/\1/p' text | awk '{ s += $1 } END { exit !(s > 99 && s < 101) }' ||
	fail "the percentages are not 100"
perf annotate --stdio --percent-type global-hits -i p.data other >text
sed -nE 's/^ *([0-9.]+) : .*/\1/p' text | awk '{ s += $1 } END { exit !(s > 1 && s < 90) }' ||
	fail "the percentages of all are not less than 100"
perf annotate --stdio --show-total-period -P --no-source --asm-raw -M intel -i p.data other >text
has text '^ Period +\|' "of $PWD/p for" ' : +[0-9a-f]+: +([0-9a-f]{2} )+ +mov +DWORD PTR'
has_not text 'volatile'

# Which functions: by name, binary, share.
perf annotate --stdio -i p.data -d p >text
has text '<work>:$' '<other>:$'
perf annotate --stdio -i p.data -s work --percent-limit 20 >text
[ "$(grep -c 'Source code' text)" = 1 ] || fail "-s shows others"
fails 1 perf annotate --stdio -i p.data nosuch 2>err
has err 'no samples in the function nosuch'
fails 1 perf annotate --stdio -i p.data -d nosuch 2>err
fails 129 perf annotate --stdio --percent-limit nine -i p.data 2>err
fails 129 perf annotate --stdio --percent-type some -i p.data 2>err

# Where the debug information is in a file of its own, and the sources have moved.
mkdir -p s moved/tree
objcopy --only-keep-debug p s/p.debug
(cd s && objcopy --strip-all --add-gnu-debuglink=p.debug ../p p)
perf record -q -e cpu-clock:u -F 2000 -o s.data -- s/p 20
perf annotate --stdio -i s.data work >text
has text '00 <work>:$|<work>:$' ' j[a-z]+ +[0-9a-f]+ <work\+0x[0-9a-f]+>$' 's \^= i / \(s \| 1\);$'
mv p.c moved/tree
perf annotate --stdio -i p.data work >text
has_not text 's \^= i'
perf annotate --stdio -i p.data --prefix "$PWD/moved/tree" --prefix-strip \
	"$(pwd -P | tr -cd / | wc -c)" work >text
has text 's \^= i'

# No program for it; another binary now; events side by side.
perf annotate --stdio --objdump /nonexistent/objdump -i p.data work >text 2>err && fail "without objdump"
has err 'cannot run .*objdump' 'binutils'
perf record -q -e '{cpu-clock:u,task-clock:u}' -F 999 -o g.data -- ./p 10
perf annotate --stdio -i g.data work >text
has text '^ Percent {9}\|' 'anon group \{ cpu-clock:u, task-clock:u \}' '^ +[0-9.]+ +[0-9.]+ : '
perf annotate --stdio --no-group -i g.data work >text
[ "$(grep -c 'Source code' text)" = 2 ] || fail "--no-group does not show both"
cp fixed p
fails 1 perf annotate --stdio -i g.data work >text 2>err
has err 'no samples in the function work' 'another build|replaced'
