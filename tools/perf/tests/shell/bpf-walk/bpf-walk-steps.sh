#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: at each instruction of a single-stepped program the chain is that of a copy
# limit: 300
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
need_cmd gcc
# A program that another one steps through is switched away from after each instruction, and that is
# an event: prologues and epilogues, PLTs, the dynamic linker, alloca(), signal handlers.
cat >step.c <<'END'
#include <alloca.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long n;
static int order(const void *a, const void *b) { return *(int *)a - *(int *)b; }
static __attribute__((noinline)) int deep(int left)
{
	volatile char b[40 + left * 8 % 64];
	b[0] = left;
	return left ? deep(left - 1) + b[0] : 0;
}
static __attribute__((noinline)) void room(int size)
{
	char *p = alloca(size);
	memset(p, 1, size);
	n += p[size / 2];
}
static void handler(int sig) { n += deep(3) + sig; }
static void work(void)
{
	char text[64];
	int v[12];
	for (int i = 0; i < 12; i++)
		v[i] = i * 7919 % 13;
	qsort(v, 12, sizeof(v[0]), order);
	snprintf(text, sizeof(text), "%d %s %.3f", v[3], "text", n / 7.0);
	free(realloc(malloc(100), 5000));
	room(v[5] * 16 + 32);
	n += deep(6) + strtol(text, 0, 10);
	raise(SIGUSR1);
}
int main(int argc, char **argv)
{
	long steps = atol(argv[1]);
	int status;
	pid_t pid = fork();
	if (!pid) {
		signal(SIGUSR1, handler);
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		for (;;)
			work();
	}
	waitpid(pid, &status, 0);
	while (steps-- > 0 && WIFSTOPPED(status)) {
		int sig = WSTOPSIG(status);
		ptrace(PTRACE_SINGLESTEP, pid, 0, sig == SIGTRAP || sig == SIGSTOP ? 0 : sig);
		waitpid(pid, &status, 0);
	}
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return !WIFSIGNALED(status);
}
END
gcc -O2 -o step step.c || skip "this gcc does not make it"
./step 10 || skip "processes cannot be traced here"
perf record -v -e context-switches -c 1 --defer=bpf,check -o perf.data -- ./step 20000 2>err || fail "$(cat err)"
has err ' compared with copies, 0 different'
[ "$(compared err)" -ge 4000 ] || fail "$(cat err)"
# Most instructions of the program, not one again and again.
perf script -i perf.data -F ip,sym >chains
[ "$(awk -v RS= '{ for (i = 1; i < NF; i += 2) if ($i !~ /^ffff/) { print $i; break } }' chains | sort -u | wc -l)" -ge 500 ] ||
	fail "$(tail -n 20 chains)"
grep -q handler chains && grep -q deep chains
