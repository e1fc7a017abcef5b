#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf script: names of Swift are read by Swift's library, which may fail
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc objcopy

cat >names.c <<'END'
#define WORK(name)                                  \
	__attribute__((noinline)) int name(int n)   \
	{                                           \
		volatile int sum = 0;               \
		for (int i = 0; i < n; i++)         \
			sum += i;                   \
		return sum;                         \
	}
WORK(plain)
WORK(crash)
WORK(endless)
WORK(large)
WORK(other)
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += plain(500000) + crash(500000) + endless(500000) + large(500000) + other(500000);
	return sum == 1;
}
END
gcc -O1 -c names.c
mangled=('$s4main3fooyS2iF' '$s4main5crashyyF' '$s4main7endlessyyF' '$s4main5largeyyF' '$sneaky')
objcopy --redefine-sym plain="${mangled[0]}" --redefine-sym crash="${mangled[1]}" \
	--redefine-sym endless="${mangled[2]}" --redefine-sym large="${mangled[3]}" \
	--redefine-sym other="${mangled[4]}" names.o
gcc -o names names.o
perf record -q -e cpu-clock$U -F 2000 -o x.data -- ./names

# In the place of Swift's library, one that has every fault.
cat >library.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
size_t swift_demangle_getSimplifiedDemangledName(const char *mangled, char *out, size_t size)
{
	if (strstr(mangled, "crash"))
		abort();
	while (strstr(mangled, "endless"))
		;
	if (strstr(mangled, "large"))
		return size + 1000;
	return mangled[2] == '4' ? (size_t)snprintf(out, size, "foo(_:) of %s", mangled) : 0;
}
END
mkdir lib
gcc -shared -fPIC -o lib/libswiftDemangle.so library.c

has_name() {
	grep -qxF "$1" <(tr -d ' \t' <out) || fail "no $1: $(cat out err)"
}
names() { perf script -i x.data -F ip,sym "$@" 2>err | sed "s,^ *[0-9a-f]* ,," | sort -u >out; }
names --no-demangle
for name in "${mangled[@]}"; do
	has_name "$name"
done
LD_LIBRARY_PATH=$PWD/lib names
has out 'foo\(_:\) of \$s4main3fooyS2iF'
for name in "${mangled[@]:1}"; do
	has_name "$name"
done
has_not out 'of .*(crash|endless|large|neaky)'
