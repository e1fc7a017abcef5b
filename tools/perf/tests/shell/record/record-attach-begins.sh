#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: perf record -p: threads that begin while it attaches are recorded, too
. "$PERF_TEST_DIR/shell/record/lib-control.sh"
need_event context-switches
[ -z "$U" ] || skip "switches are the kernel's, which may not be recorded here"
need_cmd gcc

# 200 threads make the attaching long; the last one begins 200 others meanwhile.
cat >begins.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <sys/prctl.h>
#include <fcntl.h>
#include <unistd.h>
#define NR 200
static sem_t released;
static void wait_for(const char *file) { while (access(file, F_OK)) usleep(200); }
static void *idle(void *p) { for (;;) pause(); return p; }
static void *young(void *p)
{
	prctl(PR_SET_NAME, "young");
	sem_wait(&released);
	for (int i = 0; i < 5; i++)
		usleep(1000);
	return p;
}
static void *mother(void *p)
{
	pthread_t t[NR];

	wait_for("go");
	for (int i = 0; i < NR; i++) {
		pthread_create(&t[i], NULL, young, NULL);
		usleep(500);
	}
	close(open("all", O_CREAT | O_WRONLY, 0600));
	wait_for("release");
	for (int i = 0; i < NR; i++)
		sem_post(&released);
	for (int i = 0; i < NR; i++)
		pthread_join(t[i], NULL);
	_exit(0);
	return p;
}
int main(void)
{
	pthread_t t;

	sem_init(&released, 0, 0);
	for (int i = 0; i < NR; i++)
		pthread_create(&t, NULL, idle, NULL);
	pthread_create(&t, NULL, mother, NULL);
	idle(NULL);
}
END
gcc -O1 -pthread -o begins begins.c
./begins & pid=$!
wait_until has_threads $pid 202
>go
"$PERF" record -e context-switches -c 1 --control fifo:ctl,ack -o b.data -p $pid 2>err & rec=$!
ask ping
wait_until test -e all
>release
wait $pid
wait $rec
! grep -q 'began while perf attached to the target' err || skip "threads began for too long: $(head -n 1 err)"
perf script -i b.data -F comm,tid | grep young | sort -u >young
[ "$(wc -l <young)" = 200 ] || fail "$(wc -l <young) of 200 threads were recorded: $(cat err)"
