#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --activity=copy: a thread on a stack below that of another has not its ids; PID namespaces
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
need_event cpu-clock
need_cmd gcc
[ "$(uname -m)" = x86_64 ] || skip "thread-local variables are read on x86-64 only"

# The stack of the first thread, with its control block, lies right above the one that the second
# thread has changed to.
cat >prog.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
__thread volatile unsigned long id;
static volatile int done;
static ucontext_t before, made;
static void spin(double sec)
{
	struct timespec t;
	do {
		for (volatile int i = 0; i < 10000; i++)
			;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	} while (t.tv_sec + t.tv_nsec / 1e9 < sec);
}
static void elsewhere(void) { spin(1); }
static void *first(void *arg)
{
	id = 0xaaaa;
	spin(1);
	while (!done)
		;
	return arg;
}
static void *second(void *memory)
{
	id = 0xbbbb;
	getcontext(&made);
	made.uc_stack.ss_sp = memory;
	made.uc_stack.ss_size = 16384;
	made.uc_link = &before;
	makecontext(&made, elsewhere, 0);
	swapcontext(&before, &made);
	done = 1;
	return NULL;
}
int main(void)
{
	char *memory = mmap(NULL, 16384 + 65536, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attr;
	pthread_t a, b;
	for (int i = 0; i < 16384 + 65536; i += 4096)
		memory[i] = 1; /* pages that are not there end a copy */
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, memory + 16384, 65536 - 24576);
	pthread_create(&a, &attr, first, NULL);
	pthread_create(&b, NULL, second, memory);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
END
gcc -O1 -g -pthread -o prog prog.c
check() { # DATA: the first thread has its own number, and none has another one's
	perf script -i "$1" --no-inline -F tid,activity,ip,sym >out 2>err
	awk '/0xaaaa/ { whose = "a" } /0xbbbb/ { whose = "b" } / -[ \t]*$/ { whose = "none" }
		/ first$/ { nr["first", whose]++ } / elsewhere$/ { nr["elsewhere", whose]++ }
		END { for (k in nr) print k, nr[k]
		      exit nr["first", "a"] < 50 || nr["first", "b"] || nr["elsewhere", "a"] || !nr["elsewhere", "none"] }' SUBSEP=: out
}
"$PERF" record -e cpu-clock -F 1000 -g --defer=copy --stack-size 65528 --activity=copy+tls:id -o a.data -- ./prog 2>err
check a.data || fail "$(cat err)"
unshare -pf --mount-proc true 2>/dev/null || exit 0
"$PERF" record -e cpu-clock -F 1000 -g --defer=copy --stack-size 65528 --activity=copy+tls:id -o b.data -- \
	unshare -pf --mount-proc ./prog 2>err
check b.data || fail "in a PID namespace: $(cat err)"
