#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record --agent: programs of Go, under seccomp, with small signal stacks go on as without
# limit: 120
. "$PERF_TEST_DIR/shell/lib.sh"
. "$PERF_TEST_DIR/shell/record/lib-agent.sh"
need_agent
[ "$(type -P gcc)" ] || skip "needs gcc"

cat >burn.h <<'END'
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
/* Of CPU time, without system calls at its end. */
static void burn(void) { for (volatile long i = 0; i < 150000000; i++); }
END
# What Go's linker leaves in its binaries.
cat >go.c <<'END'
#include "burn.h"
asm(".pushsection .note.go.buildid, \"a\", @note\n.long 4, 4, 4\n.asciz \"Go\"\n.byte 0\n.long 1\n.popsection");
int main(void) { burn(); return 3; }
END
gcc -O1 -o go go.c
status=0
"$PERF" record --agent -F 1000 -o g.data -- ./go 2>err || status=$?
[ $status = 3 ] || fail "status $status: $(cat err)"
has err '1 programs of Go were sampled without the agent' 'without an agent'
[ "$(samples g.data)" -gt 20 ] || fail "$(cat err)"

# Strict seccomp allows read, write and _exit, and no clock: anything of that in the handler would kill.
case $(cat /sys/devices/system/clocksource/clocksource0/current_clocksource) in
tsc | kvm-clock | hyperv_clocksource_tsc_page)
	cat >strict.c <<'END'
#include "burn.h"
#include <linux/seccomp.h>
#include <sys/prctl.h>
__thread volatile long perf_test_activity = 5;
int main(void)
{
	burn();
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT))
		return 77;
	burn();
	syscall(SYS_exit, 4);
}
END
	gcc -O1 -o strict strict.c
	status=0
	"$PERF" record --agent --activity=tls:perf_test_activity -F 1000 -o s.data -- ./strict 2>err || status=$?
	[ $status = 4 ] || fail "status $status: $(cat err)"
	# Strict mode takes the processor's clock away, too: samples from there have no record.
	[ "$(matched err)" -gt 20 ] || fail "$(cat err)"
	;;
esac

# An alternate stack that has room for a signal's frame, and little else.
cat >small.c <<'END'
#include "burn.h"
#include <pthread.h>
#include <sys/auxv.h>
static int handled;
static char *stack;
static size_t size;
static void on_usr1(int sig)
{
	char here[256];
	memset(here, sig, sizeof(here));
	burn();
	handled++;
}
static void *work(void *arg)
{
	stack_t ss = { .ss_sp = arg, .ss_size = size }, old;
	struct sigaction sa = { .sa_handler = on_usr1, .sa_flags = SA_ONSTACK };
	if (sigaltstack(&ss, NULL) || sigaltstack(NULL, &old) || old.ss_sp != arg || old.ss_size != size)
		return NULL;
	sigaction(SIGUSR1, &sa, NULL);
	burn();
	raise(SIGUSR1);
	ss.ss_flags = SS_DISABLE;
	if (sigaltstack(&ss, &old) || old.ss_sp != arg)
		return NULL;
	if (sigaltstack(NULL, &old) || !(old.ss_flags & SS_DISABLE))
		return NULL;
	burn();
	return arg;
}
int main(void)
{
	pthread_t t;
	void *ret;
	size = getauxval(51);
	size = (size > 2048 ? size : 4096) + 1024;
	/* What is in front of it must stay as it is. */
	stack = malloc(size + 65536);
	memset(stack, 0x5a, size + 65536);
	if (!work(stack + 65536))
		return 1;
	if (pthread_create(&t, NULL, work, stack + 65536) || pthread_join(t, &ret) || !ret)
		return 2;
	for (int i = 0; i < 65536; i++)
		if (stack[i] != 0x5a)
			return 3;
	return handled == 2 ? 5 : 6;
}
END
gcc -O1 -pthread -o small small.c
status=0
./small || status=$?
[ $status = 5 ] || fail "alone: status $status"
status=0
"$PERF" record --agent --activity=tls:no_such_variable -F 5000 -o a.data -- ./small 2>err || status=$?
[ $status = 5 ] || fail "status $status: $(cat err)"
mostly_matched err || fail "$(cat err)"

# Waits that signals would interrupt.
cat >polls.c <<'END'
#include "burn.h"
#include <errno.h>
#include <poll.h>
int main(void)
{
	int interrupted = 0;
	for (int i = 0; i < 20000; i++) {
		interrupted += poll(NULL, 0, i % 20 == 0) < 0 && errno == EINTR;
		for (volatile int k = 0; k < 3000; k++);
	}
	return interrupted ? 1 : 6;
}
END
gcc -O1 -o polls polls.c
status=0
"$PERF" record --agent -F 20000 -o i.data -- ./polls 2>err || status=$?
[ $status = 6 ] || fail "status $status: $(cat err)"
[ "$(matched err)" -gt 100 ] || fail "$(cat err)"

# With --buildid-cache the names of Python's functions are where all perfs look for them.
HOME=$PWD "$PERF" record --agent --buildid-cache -F 1000 -o c.data -- /usr/bin/python3 -c 'sum(i * i for i in range(10**6))' 2>err || fail "$(cat err)"
rm -r c.data.jit
HOME=$PWD "$PERF" script -i c.data -F ip,sym >out 2>&1
has out '<genexpr>'
