#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --defer=bpf: a stack that vfork() has given back to the parent is not walked
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/bpf-walk/lib-bpf-walk.sh"
[ "$(type -P gcc)" ] || skip "needs gcc"
# The kernel wakes the parent in the middle of the child's execve(): it writes what the child had.
cat >borrower.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern char **environ;
static volatile unsigned long n;
static __attribute__((noinline)) void scribble(int what)
{
	volatile char a[4096];
	memset((void *)a, what, sizeof(a));
	for (int i = 0; i < 20000; i++)
		n += a[i % 4096];
}
static __attribute__((noinline)) pid_t start(char **argv)
{
	pid_t p = vfork();
	if (!p) {
		execve("/bin/true", argv, environ);
		_exit(1);
	}
	return p;
}
int main(int argc, char **argv)
{
	char *names[] = { argv[0], NULL };
	for (int i = 0; i < 150; i++) {
		pid_t p = start(names);
		scribble(i);
		waitpid(p, NULL, 0);
	}
	return argc > 1;
}
END
gcc -O1 -o borrower borrower.c || fail "gcc"
# Which moment a sample meets is a matter of luck: some in a hundred of these. Where stacks are kept
# before that, nearly none needs to be refused (bpf-walk-execve looks at those): two tries are enough.
kept() { ! grep -q '^stacks of samples in execve() are unknown' err; }
for try in {1..10}; do
	record_checked 0 -v -F 20000 -- ./borrower
	! grep -Eq '^stack given back to the parent +[1-9]' err || exit 0
	! kept || [ "${PERF_TEST_THOROUGH:-}" ] || [ $try -lt 2 ] || exit 0
done
kept || fail "$(cat err)"
