#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: frames that are aligned, and callers on a lower stack, at each instruction
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_cmd gcc
# What a child does is stepped through, as in bpf-walk-steps.sh. Names say who calls whom.
cat >step.h <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#define NI __attribute__((noinline, noclone))
#define BEHIND() __asm__ volatile("" ::: "memory")
static volatile unsigned long n;
static void work(void);
static int step(long steps)
{
	int status;
	pid_t pid = fork();
	if (!pid) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		for (;;)
			work();
	}
	waitpid(pid, &status, 0);
	while (steps-- > 0 && WIFSTOPPED(status)) {
		ptrace(PTRACE_SINGLESTEP, pid, 0, 0);
		waitpid(pid, &status, 0);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return !WIFSIGNALED(status);
}
END
# Arguments on the stack, and locals that are aligned: gcc finds the former by another register.
cat >drap.c <<'END'
#include "step.h"
static NI void leaf(double *a) { a[3] += n++; BEHIND(); }
#define LEVEL(name, callee, align) \
static NI double name(double d, int a, int b, int c, int e, int f, int g, int h, int i) \
{ \
	double v[8] __attribute__((aligned(align))); \
	for (int k = 0; k < 8; k++) \
		v[k] = d + h * i; \
	leaf(v); \
	d += callee; \
	leaf(v); \
	BEHIND(); \
	return d + v[a & 7] + h + i; \
}
LEVEL(aligned_3, 1, 32)
LEVEL(aligned_2, aligned_3(d, b, c, e, f, g, h, i, a), 128)
LEVEL(aligned_1, aligned_2(d, b, c, e, f, g, h, i, a), 64)
static NI void work(void) { n += aligned_1(1, 2, 3, 4, 5, 6, 7, 8, 9); BEHIND(); }
int main(int argc, char **argv) { return step(atol(argv[1])); }
END
# A thread, whose stack lies below that of main(), calls a function there.
cat >lower.c <<'END'
#include "step.h"
int on_stack(int (*f)(int), int n, void *sp);
__asm__(".text; .type on_stack, @function; on_stack: .cfi_startproc; push %rbp; .cfi_def_cfa_offset 16;"
	".cfi_offset 6, -16; mov %rsp, %rbp; .cfi_def_cfa_register 6; mov %rdx, %rsp; mov %rdi, %rax;"
	"mov %esi, %edi; call *%rax; mov %rbp, %rsp; pop %rbp; .cfi_def_cfa 7, 8; ret; .cfi_endproc;"
	".size on_stack, .-on_stack");
static char *up;
static NI int upper_2(int a) { for (int i = 0; i < 9; i++) n += i * a; return n; }
static NI int upper_1(int a) { int r = upper_2(a + 1); n++; return r; }
static NI int lower_2(int a) { int r = on_stack(upper_1, a, up); n++; return r; }
static NI int lower_1(int a) { int r = lower_2(a); n++; return r; }
static NI void work(void) { lower_1(3); BEHIND(); }
static void *thread(void *arg) { return (void *)(long)step(*(long *)arg); }
int main(int argc, char **argv)
{
	char big[1 << 16] __attribute__((aligned(64)));
	long steps = atol(argv[1]);
	pthread_t t;
	void *ret;
	up = big + sizeof(big);
	for (int i = 0; i < sizeof(big); i += 4096)
		big[i] = 1;
	pthread_create(&t, 0, thread, &steps);
	pthread_join(t, &ret);
	return (long)ret;
}
END
# chains FILE: the functions of each user stack, from the innermost one on, up to work().
chains() {
	perf script -i "$1" -F ip,sym | awk -v RS= '{
		line = ""
		for (i = 2; i <= NF; i += 2) {
			if ($(i - 1) ~ /^ffff/) continue
			line = line " " $i
			if ($i == "work") { print line; break }
		}
	}'
}
record() { # PROGRAM STEPS LEAST
	perf record -v -e context-switches -c 1 --defer=bpf,check -o $1.data -- ./$1 $2 2>err || fail "$1: $(cat err)"
	has err ' compared with copies, 0 different'
	[ "$(compared err)" -ge $3 ] || fail "$1: $(cat err)"
	chains $1.data >$1.chains
}

gcc -O2 -o drap drap.c || skip "this gcc does not make it"
./drap 10 || skip "processes cannot be traced here"
"$PERF" unwind rows ./drap aligned_2 | grep -q 'cfa=\*(rbp' || skip "this gcc aligns frames in another way"
record drap 6000 3000
! grep -vE '^( leaf)?( aligned_3)?( aligned_2)?( aligned_1)? work$' drap.chains || fail "drap: no such calls"
grep -q ' aligned_3 aligned_2 aligned_1 work' drap.chains

for flags in -fomit-frame-pointer -fno-omit-frame-pointer; do
	gcc -O1 -pthread $flags -o lower lower.c
	record lower 6000 3000
	! grep -vE '^( upper_2)?( upper_1)?( on_stack)?( lower_2)?( lower_1)? work$' lower.chains ||
		fail "lower: no such calls"
	# All of them, but for those of the time before the tables were there.
	[ "$(grep -cE 'upper_1 on_stack lower_2 lower_1 work$' lower.chains)" -ge 1000 ] ||
		fail "$(sort lower.chains | uniq -c | sort -n | tail)"
done
