#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: --sort syscall: in which call a thread waits and works, of a program whose threads say it
. "$PERF_TEST_DIR/shell/lib.sh"
need_root # for the kernel's functions
need_cmd gcc
need_event cpu-clock
need_event context-switches

cat >calls.c <<'END'
#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int fds[2];
#include <stdio.h>
static void name(const char *s) { pthread_setname_np(pthread_self(), s); }
static void *sleeper(void *a) { name("clock_nanosleep"); for (int i = 0; i < 20; i++) usleep(5000); return a; }
static void *locker(void *a) { name("futex"); for (int i = 0; i < 20; i++) { pthread_mutex_lock(&lock); pthread_mutex_unlock(&lock); } return a; }
static void *reader(void *a) { char c; name("read"); for (int i = 0; i < 20; i++) if (read(fds[0], &c, 1) != 1) break; return a; }
static void *toucher(void *a)
{
	name("touch");
	for (int i = 0; i < 40; i++) {
		char *p = mmap(NULL, 1 << 23, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		memset(p, 1, 1 << 23);
		munmap(p, 1 << 23);
	}
	return a;
}
int main(void)
{
	void *(*const f[])(void *) = { sleeper, locker, reader, toucher };
	pthread_t t[4];
	if (pipe(fds)) return 1;
	printf("fd %d\nfutex %p\n", fds[0], (void *)&lock);
	fflush(stdout);
	pthread_mutex_lock(&lock);
	for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, f[i], NULL);
	name("poll");
	for (int i = 0; i < 20; i++) {
		poll(NULL, 0, 5);
		if (write(fds[1], "x", 1) != 1) return 1;
	}
	name("joiner");
	pthread_mutex_unlock(&lock);
	for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
	return 0;
}
END
gcc -O1 -pthread -o calls calls.c
perf record -q -e cpu-clock -F 4000 --off-cpu -g --defer=copy -o c.data -- ./calls >objects

# Of the blocked time of a thread, nearly all is in the call of its name.
perf report -i c.data -q --off-cpu --no-children -g none -F period,comm,state,syscall -t, >waits
for name in clock_nanosleep futex read poll; do
	awk -F, -v name=$name '{ for (i = 1; i <= 4; i++) gsub(/^ *| *$/, "", $i) }
		$2 == name && $3 ~ /^blocked/ { all += $1; if ($4 == name) here += $1 }
		END { exit !(all > 0 && here > 0.9 * all) }' waits || { cat waits; fail "$name"; }
done
perf report -i c.data -q --no-children -g none -F period,syscall -t, --comms touch >works
has works ',page fault'
perf report -i c.data --off-cpu --json -s syscall >json
has json '"syscall":"futex"'

# What they wait for is what the program says, by the registers; other calls have no such thing.
perf report -i c.data -q --off-cpu --no-children -g none -F period,comm,object -t, >waits
for name in read futex poll; do
	what=$(grep -E "^${name/read/fd} " objects || true)
	awk -F, -v name=$name -v what="$what" '{ for (i = 1; i <= 3; i++) gsub(/^ *| *$/, "", $i) }
		$2 == name { all += $1; if ($3 == what) here += $1 }
		END { exit !(all > 0 && here > 0.9 * all) }' waits || { cat objects waits; fail "$name"; }
done
perf report -i c.data --off-cpu --json -s object >json
has json "\"object\":\"$(sed -n 1p objects)\""
