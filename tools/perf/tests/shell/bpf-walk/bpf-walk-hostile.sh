#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: rows that lead in circles or into the kernel, and 65,000 mappings, do no harm
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_cmd gcc
# What a function says of its frame is a lie: CFA stays, falls, is in the kernel's half, or nowhere.
lie() { # NAME CFI
	cat >$1.c <<END
__attribute__((naked)) static void spin_$1(void)
{
	__asm__(".cfi_endproc; .cfi_startproc; $2; mov \$400000000, %rcx; 1: dec %rcx; jnz 1b; ret");
}
int main(void) { spin_$1(); }
END
	gcc -O1 -o $1 $1.c || skip "this gcc does not make such functions"
	perf record -F 2000 -e cpu-clock:u --defer=bpf,check -o $1.data -- ./$1 2>err || fail "$1: $(cat err)"
	has err ', 0 different' '[0-9,]+ samples'
}
lie same '.cfi_def_cfa rsp, 0'
lie down '.cfi_def_cfa rsp, -4096'
lie kernel '.cfi_escape 0x0f, 9, 0x0e, 0, 0, 0, 0, 0, 0x88, 0xff, 0xff'
lie far '.cfi_def_cfa rsp, 0x7fffff00'
lie circle '.cfi_def_cfa rbp, 16; .cfi_offset rbp, -16'
lie undefined '.cfi_def_cfa rax, 8'

# More mappings than fit into the table of a process.
cat >many.c <<'END'
#include <sys/mman.h>
#include <fcntl.h>
#include <unistd.h>
volatile unsigned long n;
int main(int argc, char **argv)
{
	int fd = open(argv[0], O_RDONLY);
	for (int i = 0; i < 65000; i++) /* neighbours differ, so that they are not joined */
		mmap(0, 4096, PROT_READ | (i % 2 ? PROT_EXEC : 0), MAP_PRIVATE, fd, TEXT);
	for (unsigned long i = 0; i < 400000000; i++) {
		n += i;
		if (!(i % 2000000)) /* and one more each time that a sample comes */
			mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, TEXT);
	}
}
END
# Where its text lies in the file: mappings of something else have no rows.
gcc -O1 -DTEXT=4096 -o many many.c
perf record -F 500 -e cpu-clock:u --defer=bpf -o many.data -- ./many 2>err || fail "$(cat err)"
has err '[0-9,]+ whole user stacks'
