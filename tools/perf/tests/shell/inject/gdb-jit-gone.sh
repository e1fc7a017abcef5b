#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: code that a program takes back from debuggers loses its name, and a place gets the next one's
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc ld
[ "$(uname -m)" = x86_64 ] || skip "its code is that of x86-64"

# Four functions for one place, whose loops lie at different distances from its start: an address
# tells which of them runs. All files, entries and names have one size, and lie in one place, too;
# each time a function has another name.
for i in 0 1 2 3; do
	cat >fn$i.s <<-END
		.globl fn_${i}_r000
		.type fn_${i}_r000, @function
		fn_${i}_r000:
		jmp 1f
		.org fn_${i}_r000 + $((i * 64 + 64))
		1: dec %rdi
		jnz 1b
		ret
		.org fn_${i}_r000 + 512
		.size fn_${i}_r000, . - fn_${i}_r000
		.section .note.GNU-stack,"",@progbits
	END
	gcc -c fn$i.s
	ld -N -Ttext=0x20000000 -e fn_${i}_r000 -o fn$i fn$i.o
done
cat >run.c <<'END'
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
struct entry { struct entry *next, *prev; const char *file; uint64_t size; };
struct { uint32_t version, action; struct entry *relevant, *first; } __jit_debug_descriptor = { 1, 0, 0, 0 };
void __attribute__((noinline)) __jit_debug_register_code(void) { __asm__ volatile(""); }
static char files[4][16384], file[16384];
static void announce(int action, struct entry *first)
{
	__jit_debug_descriptor.action = action;
	__jit_debug_descriptor.first = first;
	__jit_debug_register_code();
}
static void run_for(char *at, double seconds)
{
	clock_t end = clock() + seconds * CLOCKS_PER_SEC;
	while (clock() < end)
		((void (*)(long))at)(100000);
}
int main(int argc, char **argv)
{
	struct entry e = { 0, 0, file, 0 };
	char digits[16];
	char *at = mmap((void *)0x20000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	for (int i = 0; i < 4; i++) {
		int fd = open((char[]){ 'f', 'n', '0' + i, 0 }, O_RDONLY);
		e.size = read(fd, files[i], sizeof(files[i]));
		close(fd);
	}
	__jit_debug_descriptor.relevant = &e;
	for (int round = 0; round < atoi(argv[1]); round++)
		for (int i = 0; i < 4; i++) {
			Elf64_Phdr *p = (void *)(files[i] + ((Elf64_Ehdr *)files[i])->e_phoff);
			memcpy(at, files[i] + p->p_offset + (0x20000000 - p->p_vaddr), 1024);
			char *name = memmem(files[i], e.size, "_r", 2);
			sprintf(digits, "%03d", round);
			memcpy(name + 2, digits, 3);
			memcpy(file, files[i], e.size);
			if (i) /* the first one is not registered */
				announce(1, &e);
			run_for(at, 0.4);
			if (i)
				announce(2, 0);
		}
	return 0;
}
END
gcc -O1 -o run run.c
[ "$(stat -c %s fn? | sort -u | wc -l)" = 1 ]

# What is registered counts as having been there since the last look: so code that is not registered
# may be taken for the function that has its place next, never for the one before.
cat >judge.py <<'END'
import sys
named = wrong = nameless = early = 0
for line in sys.stdin:
    ip, name = line.split()[:2]
    truth, inside = divmod(int(ip, 16) - 0x20000000 - 64, 64)
    if not (0 <= truth < 4 and inside < 8):
        continue
    if name == "[unknown]":
        nameless += not truth
    elif name[:4] == "fn_1" and not truth:
        early += 1
    else:
        named += 1
        wrong += not truth or name[:4] != "fn_%d" % truth
print(named, wrong, nameless, early)
END
for how in "--defer=copy" "-k mono -g"; do
	rm -rf recording*
	perf record -F 1000 -e cpu-clock:u $how -o recording -- ./run 2 2>err
	perf script -i recording -F ip,sym -G >out
	read -r named wrong nameless early < <(python3 judge.py <out)
	echo "$how: $named named, $wrong wrong; not registered: $nameless without a name, $early early"
	[ "$wrong" = 0 ] && [ "$named" -gt 100 ] && [ "$nameless" -gt 50 ] ||
		fail "$(sort out | uniq -c)"
	# As other readers are given it.
	perf inject -j -i recording -o injected
	perf script -i injected -F ip,sym -G >out
	read -r other wrong nameless early < <(python3 judge.py <out)
	[ "$wrong" = 0 ] && [ "$other" -gt $((named * 9 / 10)) ] && [ "$nameless" -gt 50 ] ||
		fail "inject: $other of $named named, $wrong wrong: $(sort out | uniq -c)"
done
