#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: code that a program registers for debuggers has names, lines and rows
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc ld objcopy

# Two functions without frame pointers, linked for an address where nothing else is.
cat >made.c <<'END'
volatile unsigned long made_sink;
__attribute__((noinline)) int made_inner(int n) { for (int i = 0; i < n; i++) made_sink += i * i; return n; }
int made_outer(int n) { int m = made_inner(n); made_sink++; return m + made_inner(n / 2); }
END
gcc -g -O1 -fomit-frame-pointer -fno-pic -fcf-protection=none -mcmodel=large -c made.c 2>/dev/null || gcc -g -O1 -fomit-frame-pointer -fno-pic -c made.c
ld -N -Ttext=0x20000000 -e made_outer -o made made.o 2>ld.out
outer=$(nm made | awk '/made_outer/ { print "0x" $1 }')
cat >run.c <<'END'
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
struct entry { struct entry *next, *prev; const char *file; uint64_t size; };
struct { uint32_t version, action; struct entry *relevant, *first; } __jit_debug_descriptor = { 1, 0, 0, 0 };
void __attribute__((noinline)) __jit_debug_register_code(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	if (argc > 3) /* its files in /proc become root's */
		prctl(PR_SET_DUMPABLE, 0);
	int fd = open(argv[1], O_RDONLY);
	struct stat st;
	fstat(fd, &st);
	char *file = malloc(st.st_size);
	if (read(fd, file, st.st_size) != st.st_size)
		return 1;
	Elf64_Ehdr *e = (void *)file;
	Elf64_Phdr *p = (void *)(file + e->e_phoff);
	char *at = mmap((void *)0x20000000, 1 << 20, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (int i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_LOAD)
			memcpy(at + (p[i].p_vaddr - 0x20000000), file + p[i].p_offset, p[i].p_filesz);
	struct entry large = { 0, 0, file, 65 << 20 }, wrong = { &large, 0, (void *)16, 1 << 20 };
	struct entry good = { &wrong, 0, file, st.st_size };
	__jit_debug_descriptor.first = __jit_debug_descriptor.relevant = &good;
	__jit_debug_descriptor.action = 1;
	__jit_debug_register_code();
	int (*outer)(int) = (void *)strtoul(argv[2], 0, 16);
	while (clock() < CLOCKS_PER_SEC)
		outer(100000);
	return 0;
}
END
gcc -O1 -o run run.c
whole() { awk -v RS= '/made_inner/ && /made_outer/ && /main/ && /_start/ { n++ } END { print n + 0 }' out; }
for how in "--defer=copy" "-k mono --call-graph dwarf,4096"; do
	rm -rf recording*
	perf record -F 500 -e cpu-clock:u $how -o recording -- ./run made "$outer" 2>err
	has err 'generated code of 1 programs is in recording\.jit'
	has err '1 objects that programs registered for debuggers are larger than 64 MB'
	perf script -i recording -F ip,sym >out
	[ "$(whole)" -gt 50 ] || fail "$(whole) whole stacks: $(head -n 30 out)"
	perf script -i recording -F ip,sym,srcline >lined
	has lined 'made\.c:2$'
	has lined 'made\.c:3$'
	awk -v RS= '/made_(inner|outer)/ && !/_start/ { n++ } END { exit n > 3 }' out ||
		fail "cut off: $(awk -v RS= '/made_/ && !/_start/' out | head -n 20)"
done

# The folder goes with the recording.
mkdir moved
mv recording recording.jit moved
perf script -i moved/recording -F ip,sym >out 2>moved.err
! grep -q 'was deleted' moved.err || fail "$(cat moved.err)"
[ "$(whole)" -gt 50 ] || fail "moved: $(whole) whole stacks: $(head -n 30 out)"
mv moved/* .

# The file is nobody else's; other programs leave none.
[ "$(stat -c %a recording.jit recording.jit/jit-*.dump | tr '\n' ' ')" = "700 600 " ] || fail "$(ls -lR recording.jit)"
perf record -q -e cpu-clock:u -g -o other -- "$PERF" test -w deep 10 0.1
[ ! -e other.jit ]
# A folder that is a link is not written to.
mkdir elsewhere
ln -s elsewhere linked.jit
perf record -q -F 500 -e cpu-clock:u -g -o linked -- ./run made "$outer"
[ -z "$(ls elsewhere)" ] || fail "$(ls elsewhere)"

# Whose memory may never answer: root reads none of another user's program, also of one that looks
# like root's.
[ "$(id -u)" = 0 ] && command -v setpriv >/dev/null || exit 0
chmod 755 .
for how in '' hidden; do
	perf record -q -F 500 -e cpu-clock:u --defer=copy -o user -- \
		setpriv --reuid=65534 --regid=65534 --clear-groups ./run made "$outer" $how 2>err ||
		fail "status $?: $(cat err)"
	[ ! -e user.jit ] || fail "$how: $(ls -l user.jit)"
done
