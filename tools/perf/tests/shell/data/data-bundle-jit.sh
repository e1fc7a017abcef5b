#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf data bundle: jitdump files and packages of split debug information are in it
# limit: 200
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/inject/lib-jit.sh"

perf record -q -N -k mono -F 500 -e cpu-clock:u --call-graph dwarf,16384 -o raw -- \
	/usr/bin/python3 "$PERF_TEST_DIR/lib/made-jit.py" 1 >pid
perf script -i raw -F ip,sym,dso,srcline >before
all_whole before
has before 'up\.src:8'
perf data bundle -i raw 2>err
has err ' [1-9][0-9]* files of JIT code'
rm "jit-$(cat pid).dump"
perf script -i raw.bundle -F ip,sym,dso,srcline >after
cmp before after

need_cmd gcc dwp
cat >split.c <<'END'
volatile unsigned long sum;
int main(void) { for (unsigned long i = 0; i < 300000000; i++) sum += i; return 0; }
END
gcc -g -O1 -gdwarf-4 -gsplit-dwarf -c split.c
gcc -gsplit-dwarf -o split split.o
dwp -e split -o split.dwp
rm split.dwo split.c
perf record -q -N -F 500 -e cpu-clock:u -o split.data -- ./split
perf script -i split.data -F ip,sym,srcline >before
has before 'split\.c:2'
perf data bundle -i split.data 2>err
has err '[1-9][0-9]* debug files'
rm split split.dwp
perf script -i split.data.bundle -F ip,sym,srcline >after
cmp before after
# Files of units that nobody has packed: the names of two are equal, their ids are not.
mkdir other
printf 'int twice(int a)\n{\n\tfor (int i = 0; i < 300000000; i++)\n\t\ta += i * a;\n\treturn a;\n}\n' \
	>other/split.c
printf 'int twice(int);\nint main(int argc, char **argv) { return twice(argc); }\n' >split.c
gcc -g -O1 -gdwarf-5 -gsplit-dwarf -c split.c
(cd other && gcc -g -O1 -gdwarf-5 -gsplit-dwarf -c split.c)
gcc -gsplit-dwarf -o split split.o other/split.o
perf record -q -N -F 500 -g -e cpu-clock:u -o dwo.data -- ./split || [ $? -lt 128 ]
perf script -i dwo.data -F ip,sym,srcline >before
has before 'split\.c:4'
perf data bundle -i dwo.data 2>err
rm -r split split.dwo other
perf script -i dwo.data.bundle -F ip,sym,srcline >after
cmp before after
