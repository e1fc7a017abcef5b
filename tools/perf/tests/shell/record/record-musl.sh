#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record: programs of musl, whose C library has no rows, have whole stacks
# limit: 180
. "$PERF_TEST_DIR/shell/lib.sh"

need_event cpu-clock
[ "$(uname -m)" = x86_64 ] || skip "code without rows is followed on x86-64 only"
need_cmd musl-gcc strip

cat >nest.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
static volatile unsigned long n;
__attribute__((noinline)) void inner(void) { for (int i = 0; i < 100000; i++) n += i; n++; }
static int compare(const void *a, const void *b) { inner(); return *(const int *)a - *(const int *)b; }
__attribute__((noinline)) void middle(int k) { char room[k]; int v[4] = { 3, 1, k, 2 }; room[0] = k; qsort(v, 4, sizeof(*v), compare); n += room[0]; }
__attribute__((noinline)) void outer(void) { middle(20); n++; }
static void *thread(void *p) { for (int i = 0; i < 100; i++) outer(); return p; }
int main(int argc, char **argv)
{
	pthread_t t;

	if (argc > 1)
		return pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL);
	thread(NULL);
	return 0;
}
END
ways=copy
[ -z "$U" ] && ways="copy bpf"
no_rows="-fno-asynchronous-unwind-tables -fno-unwind-tables"

# check HOW COMMAND...: 99 % of the samples are whole, but for two of its first moments, and each of
# these has all callers.
check() {
	local how=$1
	shift
	in_share 3 || return 0
	perf record -e "cpu-clock:u" -F 4000 -g --defer="$how" -o r.data -- "$@" 2>err || fail "$how $*: $(cat err)"
	perf data convert --to folded -i r.data -o - -q >folded
	awk -v names="$names" '
		{ all += $NF }
		!/not whole/ { whole += $NF }
		!/not whole/ && /inner/ && names && $0 !~ /;outer;middle;.*;inner/ { print "wrong: " $0; wrong = 1 }
		END { print whole / all; exit wrong || whole < 0.99 * all - 2 * 250000 }' folded >found ||
		{ cat folded err; fail "$how $*: $(cat found)"; }
}

for build in -O0 -O2 "-O2 -static" "-O2 -static-pie"; do
	musl-gcc $build $no_rows -o nest nest.c 2>err || skip "musl-gcc: $(head -n 1 err)"
	strip -o bare nest
	for how in $ways; do
		names=1 check "$how" ./nest in a thread
		names='' check "$how" ./bare
	done
done

# Programs of an assembler, with frame pointers and without, which never return.
command -v nasm >/dev/null && command -v ld >/dev/null || exit 0
cat >last.asm <<'END'
global main
extern exit
section .text
spin:	mov rcx, 200000
.on:	dec rcx
	jnz .on
	ret
main:	sub rsp, 40
	mov r12, 2000
.again:	call spin
	dec r12
	jnz .again
	xor edi, edi
	call exit wrt ..plt
next:	sub rsp, 8
	add rsp, 8
	ret
END
if nasm -f elf64 -o last.o last.asm && gcc -o last last.o 2>err; then
	strip -o bare last
	for how in $ways; do
		names='' check "$how" ./last
		names='' check "$how" ./bare
	done
fi
for frame in 0 1; do
	cat >main.asm <<END
global _start
section .text
spin:
%if $frame
	push rbp
	mov rbp, rsp
%endif
	mov rcx, 200000
.on:	dec rcx
	jnz .on
%if $frame
	pop rbp
%endif
	ret
work:	sub rsp, 72
	call spin
	add rsp, 72
	ret
run:	sub rsp, 1032
	mov r12, 2000
.again:	call work
	dec r12
	jnz .again
	mov eax, 60
	xor edi, edi
	syscall
_start:	call run
END
	nasm -f elf64 -o main.o main.asm && ld -s -o main main.o || fail "nasm makes no program"
	for how in $ways; do
		names='' check "$how" ./main
	done
done
exit 0
