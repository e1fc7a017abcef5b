#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: unwind: perf unwind sframe makes sections that say the same as .eh_frame, in copies that run
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc objcopy readelf

# Programs and libraries of several forms: all that can be said is said, and nothing else.
cat >program.c <<'END'
#include <math.h>
#include <stdio.h>
int main(int argc, char **argv) { char a[argc * 9000]; a[0] = argc; return printf("%g %d\n", cos(argc + a[0]), a[0]) < 0; }
END
gcc -O2 -o pie program.c -lm
gcc -O2 -no-pie -o fixed program.c -lm
gcc -O2 -static -o static program.c -lm
gcc -O2 -static-pie -o static-pie program.c -lm
gcc -O2 -o stripped program.c -lm && strip stripped
gcc -O2 -shared -fPIC -o library.so program.c -lm
gcc -O2 -Wl,-z,noseparate-code,-z,lazy -o lazy program.c -lm
cat >spin.c <<'END'
#include <stdlib.h>
#include <time.h>
__attribute__((noinline)) static unsigned long work(unsigned long n)
{
	volatile unsigned long sum = 0;
	while (n--)
		sum += n * n;
	return sum;
}
int main(void)
{
	unsigned long sum = 0;
	while (clock() < CLOCKS_PER_SEC / 5)
		sum += work(10000);
	return sum == 1;
}
END
gcc -O2 -fomit-frame-pointer -o spin spin.c
perf unwind sframe -o spin.copy spin >out
for version in 3 2; do
	for program in pie fixed static static-pie stripped library.so lazy; do
		perf unwind sframe --format "$version" -o "$program.copy" "$program" >out
		has out "^$program: .sframe version $version, [0-9]+ functions, [0-9]+ bytes "
		left=$(awk '/ left out: / { n += $3 } END { print n + 0 }' out)
		perf unwind check "$program.copy" >check || fail "$(cat check)"
		has check " version $version, 1 table," " 0 rows +0 bytes wrong$" " $left bytes missing$"
		has_not check ' times: '
		readelf -lSW "$program.copy" >headers 2>err
		[ ! -s err ] || fail "$(cat err)"
		has headers "\.sframe .* A +0 +0 +8$" 'GNU_SFRAME|LOOS\+0x474e554'
		[ "$program" != library.so ] || continue
		[ "$("./$program.copy")" = "$("./$program")" ] || fail "$program.copy does not run as $program"
	done
done

# One that had a section: the empty segment that objcopy leaves is not in the way.
objcopy -R .sframe pie.copy without
perf unwind sframe -o again without >out
perf unwind check again >check || fail "$(cat check)"
[ "$(readelf -lW again | grep -cE 'GNU_SFRAME|LOOS\+0x474e554')" = 1 ] || fail "$(readelf -lW again)"
rm again

# Libraries of the system, and a program that is loaded with copies of them.
ldd pie | awk '/=> \// { print $3 }' >libraries
mkdir copies
while read -r library; do
	perf unwind sframe -o "copies/${library##*/}" "$library" >out
	perf unwind check "copies/${library##*/}" >check || fail "$(cat check)"
done <libraries
LD_LIBRARY_PATH=copies ./pie.copy >out
./pie | cmp - out
# The copy's stacks are unwound by its .sframe.
if (need_event cpu-clock) >why; then
	perf record -q -e cpu-clock -F 997 --call-graph dwarf -o data -- ./spin.copy
	perf unwind stats -i data --no-unwind-cache >out
	has out '^ +start +eh_frame +sframe ' '^ +[0-9]+ +0 +[1-9][0-9]* .*/spin\.copy$'
else
	cat why
fi

# The section alone, for objcopy, by the words that are printed.
perf unwind sframe --section -o pie.sframe pie >out
sed -n '/^objcopy/,$p' out | sed 's/COPY$/by-objcopy/' >command
sh ./command
perf unwind check by-objcopy >check || fail "$(cat check)"
has check " 0 rows +0 bytes wrong$"
perf unwind sframe --section -o - pie | cmp - pie.sframe
perf unwind sframe -o - pie >piped
perf unwind sframe -o again pie >out
cmp piped again
rm again

# What cannot be done.
fails 1 perf unwind sframe -o again pie.copy 2>err
has err "has a section .sframe already"
echo no >text
fails 1 perf unwind sframe text 2>err
has err "'text' is not a"
gcc -c -o object.o program.c
fails 1 perf unwind sframe object.o 2>err
has err "'object.o' is not a"
fails 129 perf unwind sframe --format 1 pie 2>err
has err "the versions 2 and 3"
for option in '-o x' --section '--format 3'; do
	fails 129 perf unwind check $option pie 2>err
	has err 'has no effect on what (check|rows) shows'
done
[ ! -e again ] && [ ! -e x ]

# Cut files: words, or a copy that is sane, never a crash.
size=$(stat -c %s stripped)
for ((cut = 1; cut < size; cut += size / 40)); do
	head -c "$cut" stripped >cut
	perf unwind sframe -o cut.copy cut >out 2>err || [ $? = 1 ]
	[ ! -e cut.copy ] || perf unwind check cut.copy >check 2>&1 || [ $? = 1 ]
	rm -f cut.copy
done

# A file of a few bytes that says to be huge does not fill the disk.
cp pie hollow
truncate -s 1500M hollow
fails 1 perf unwind sframe -o hollow.copy hollow 2>err
has err 'hollow. has holes of more than 1 GB'
[ ! -e hollow.copy ] || fail "there is a copy: $(ls -ls hollow.copy)"
