#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# description: --brief names the function and what it waits for, of programs with one planted wait each
# limit: 240
. "$PERF_TEST_DIR/shell/lib.sh"
need_cmd gcc

cat >waits.c <<'END'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline, noclone))
#define AFTER() __asm__ volatile("" ::: "memory") /* no tail call */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t sem;
static int fds[2], fd, queue, woken;
static pthread_t main_thread;
static char c;
#define WAIT 200000 /* us */
/* What the helper does, 0.2 s later, to end the wait. */
static void give_lock(void) { pthread_mutex_lock(&lock); usleep(WAIT); pthread_mutex_unlock(&lock); }
static void give_rwlock(void) { pthread_rwlock_wrlock(&rwlock); usleep(WAIT); pthread_rwlock_unlock(&rwlock); }
static void give_cond(void) { usleep(WAIT); pthread_mutex_lock(&lock); woken = 1; pthread_cond_signal(&cond); pthread_mutex_unlock(&lock); }
static void give_sem(void) { usleep(WAIT); sem_post(&sem); }
static void give_barrier(void) { usleep(WAIT); pthread_barrier_wait(&barrier); }
static void give_byte(void) { usleep(WAIT); if (write(fds[1], "x", 1) < 0) abort(); }
static void take_byte(void) { usleep(WAIT); char b[65536]; if (read(fds[0], b, sizeof(b)) < 0) abort(); }
static void give_event(void) { unsigned long long one = 1; usleep(WAIT); if (write(fd, &one, 8) < 0) abort(); }
static void give_signal(void) { usleep(WAIT); pthread_kill(main_thread, SIGUSR1); }
static void give_message(void) { struct { long type; char c; } m = { 1, 'x' }; usleep(WAIT); if (msgsnd(queue, &m, 1, 0)) abort(); }
static void give_semop(void) { struct sembuf b = { 0, 1, 0 }; usleep(WAIT); if (semop(queue, &b, 1)) abort(); }
static void give_nothing(void) { usleep(WAIT); }
static void give_flock(void) { int f = open("locked", O_RDWR); flock(f, LOCK_EX); usleep(WAIT); flock(f, LOCK_UN); close(f); }
static void connect_to(void) { struct sockaddr_in a = { .sin_family = AF_INET }; socklen_t n = sizeof(a); int s = socket(AF_INET, SOCK_STREAM, 0); getsockname(fd, (void *)&a, &n); usleep(WAIT); if (connect(s, (void *)&a, n)) abort(); }
static void send_to(void) { struct sockaddr_in a = { .sin_family = AF_INET }; socklen_t n = sizeof(a); int s = socket(AF_INET, SOCK_DGRAM, 0); getsockname(fd, (void *)&a, &n); usleep(WAIT); sendto(s, "x", 1, 0, (void *)&a, n); }
/* The waits. */
NOINLINE void take_lock(void) { pthread_mutex_lock(&lock); AFTER(); pthread_mutex_unlock(&lock); AFTER(); }
NOINLINE void read_locked(void) { pthread_rwlock_rdlock(&rwlock); AFTER(); pthread_rwlock_unlock(&rwlock); AFTER(); }
NOINLINE void await_condition(void) { pthread_mutex_lock(&lock); while (!woken) pthread_cond_wait(&cond, &lock); pthread_mutex_unlock(&lock); AFTER(); }
NOINLINE void await_semaphore(void) { sem_wait(&sem); AFTER(); }
NOINLINE void meet_others(void) { pthread_barrier_wait(&barrier); AFTER(); }
NOINLINE void await_worker(void) { pthread_t t; pthread_create(&t, NULL, (void *(*)(void *))(void *)give_nothing, NULL); pthread_join(t, NULL); AFTER(); }
NOINLINE void take_nap(void) { usleep(WAIT); AFTER(); }
NOINLINE void read_pipe(void) { if (read(fds[0], &c, 1) < 0) abort(); AFTER(); }
NOINLINE void fill_pipe(void) { static char b[131072]; if (write(fds[1], b, 65536 + 4096) < 0) abort(); AFTER(); }
NOINLINE void read_socket(void) { if (recv(fds[0], &c, 1, 0) < 0) abort(); AFTER(); }
NOINLINE void accept_client(void) { if (accept(fd, NULL, NULL) < 0) abort(); AFTER(); }
NOINLINE void receive_packet(void) { if (recv(fd, &c, 1, 0) < 0) abort(); AFTER(); }
NOINLINE void poll_descriptors(void) { struct pollfd p = { fds[0], POLLIN, 0 }; if (poll(&p, 1, -1) < 0) abort(); AFTER(); }
NOINLINE void await_epoll(void) { struct epoll_event e = { .events = EPOLLIN }; int ep = epoll_create1(0); epoll_ctl(ep, EPOLL_CTL_ADD, fds[0], &e); if (epoll_wait(ep, &e, 1, -1) < 0) abort(); AFTER(); }
NOINLINE void read_events(void) { unsigned long long n; if (read(fd, &n, 8) < 0) abort(); AFTER(); }
NOINLINE void await_child(void) { int pid = fork(); if (!pid) { usleep(WAIT); _exit(0); } waitpid(pid, NULL, 0); AFTER(); }
NOINLINE void await_signal(void) { sigset_t s; int n; sigemptyset(&s); sigaddset(&s, SIGUSR1); sigwait(&s, &n); AFTER(); }
NOINLINE void lock_file(void) { int f = open("locked", O_RDWR); flock(f, LOCK_EX); AFTER(); close(f); }
NOINLINE void receive_message(void) { struct { long type; char c; } m; if (msgrcv(queue, &m, 1, 0, 0) < 0) abort(); AFTER(); }
NOINLINE void take_semaphore(void) { struct sembuf b = { 0, -1, 0 }; if (semop(queue, &b, 1)) abort(); AFTER(); }
static const struct { const char *name; void (*wait)(void), (*give)(void); bool late; } all[] = {
	{ "take_lock", take_lock, give_lock, true }, { "read_locked", read_locked, give_rwlock, true },
	{ "await_condition", await_condition, give_cond }, { "await_semaphore", await_semaphore, give_sem },
	{ "meet_others", meet_others, give_barrier }, { "await_worker", await_worker, NULL },
	{ "take_nap", take_nap, NULL }, { "read_pipe", read_pipe, give_byte }, { "fill_pipe", fill_pipe, take_byte },
	{ "read_socket", read_socket, give_byte }, { "accept_client", accept_client, connect_to },
	{ "receive_packet", receive_packet, send_to }, { "poll_descriptors", poll_descriptors, give_byte },
	{ "await_epoll", await_epoll, give_byte }, { "read_events", read_events, give_event },
	{ "await_child", await_child, NULL }, { "await_signal", await_signal, give_signal },
	{ "lock_file", lock_file, give_flock, true }, { "receive_message", receive_message, give_message },
	{ "take_semaphore", take_semaphore, give_semop },
};
static void *helper(void *give) { ((void (*)(void))give)(); return NULL; }
int main(int argc, char **argv)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	const char *name = argc > 1 ? argv[1] : "";
	sigset_t s;
	pthread_t t;

	sigemptyset(&s);
	sigaddset(&s, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &s, NULL);
	main_thread = pthread_self();
	sem_init(&sem, 0, 0);
	pthread_barrier_init(&barrier, NULL, 2);
	if (strstr(name, "socket") ? socketpair(AF_UNIX, SOCK_STREAM, 0, fds) : pipe(fds))
		return 1;
	if (strstr(name, "client") || strstr(name, "packet")) {
		fd = socket(AF_INET, strstr(name, "client") ? SOCK_STREAM : SOCK_DGRAM, 0);
		if (bind(fd, (void *)&a, sizeof(a)) || (strstr(name, "client") && listen(fd, 1)))
			return 77;
	} else {
		fd = eventfd(0, 0);
	}
	if (strstr(name, "message"))
		queue = msgget(IPC_PRIVATE, 0600);
	if (strstr(name, "take_semaphore"))
		queue = semget(IPC_PRIVATE, 1, 0600);
	for (unsigned int i = 0; i < sizeof(all) / sizeof(*all); i++) {
		if (argc < 2)
			puts(all[i].name);
		if (strcmp(all[i].name, name))
			continue;
		if (all[i].give)
			pthread_create(&t, NULL, helper, (void *)all[i].give);
		if (all[i].late)
			usleep(20000); /* until it has what is to be waited for */
		all[i].wait();
		if (all[i].give)
			pthread_join(t, NULL);
	}
	if (strstr(name, "message"))
		msgctl(queue, IPC_RMID, NULL);
	if (strstr(name, "take_semaphore"))
		semctl(queue, 0, IPC_RMID);
	return 0;
}
END
sed -i 's/#include <unistd.h>/#include <unistd.h>\n#include <stdbool.h>/' waits.c
gcc -O1 -g -pthread waits.c -o waits
touch locked
perf record -q --off-cpu -F 99 -o first.data -- ./waits take_nap >out 2>err || skip "cannot record waits here: $(head -n 1 err)"
perf script -i first.data -F sym,ip >out 2>err
grep -q ' schedule$' out || skip "no functions of the kernel here"

# Of each: what it waits for, in the words of the page.
words() {
	case $1 in
	take_lock | read_locked) echo 'a lock' ;;
	await_condition) echo 'a condition' ;;
	await_semaphore | take_semaphore) echo 'a semaphore' ;;
	meet_others) echo 'a barrier' ;;
	await_worker) echo 'the end of a thread' ;;
	take_nap) echo 'time to pass \(sleep\)' ;;
	read_pipe | fill_pipe) echo 'a pipe' ;;
	read_socket) echo 'a local socket' ;;
	accept_client | receive_packet) echo 'the network' ;;
	poll_descriptors | await_epoll) echo 'events of descriptors \(poll\)' ;;
	read_events) echo 'a notice of the kernel' ;;
	await_child) echo 'a child process' ;;
	await_signal) echo 'a signal' ;;
	lock_file) echo 'a lock on a file' ;;
	receive_message) echo 'a message queue' ;;
	esac
}
named=0 tried=0 missed=
for name in $(./waits); do
	in_share 3 || continue
	got=0
	perf record -q --off-cpu -F 99 -o p.data -- ./waits "$name" >out 2>err || got=$?
	[ $got != 77 ] || continue
	tried=$((tried + 1))
	perf report --brief --off-cpu -i p.data >page 2>err
	has page '^Time of all threads: .*[0-9.]+ s blocked'
	has_not page '__schedule|Kinds of work|record with --off-cpu'
	if grep -Eq "^ +[0-9]+\.[0-9]{3} s  $name for $(words "$name")[,; (]" page; then
		named=$((named + 1))
	else
		missed+=" $name: $(grep -E ' s  ' page | head -n 3 | tr '\n' '|')"
	fi
done
[ -z "$missed" ] || fail "$named of $tried named, but not$missed"
[ $tried -ge 6 ] || fail "only $tried could be tried"

# Who ran instead, where whole CPUs were recorded.
if [ "$(id -u)" = 0 ] && command -v taskset >/dev/null; then
	cpu=$(taskset -pc $$ | sed 's/.*: *//; s/[,-].*//')
	perf record -q --off-cpu -F 99 -C "$cpu" -o cpu.data -- \
		taskset -c "$cpu" sh -c '"$0" test -w noploop 0.4 & "$0" test -w noploop 0.4; wait' "$PERF" >out 2>err
	perf report --brief --off-cpu -i cpu.data >page 2>err
	has page '^  the CPUs went to .+ \([0-9.]+ s\)'
fi

# Who held the lock; what became of it in a file for programs; and of one function.
perf record -q --off-cpu -F 99 -o p.data -- ./waits take_lock >out 2>err
perf report --brief --off-cpu -i p.data >page 2>err
has page 'take_lock for a lock \(futex 0x[0-9a-f]+\), held by thread [0-9]+:waits;' '^  - [0-9]+ % of the blocked time is '
perf report --about take_lock --off-cpu -i p.data >about 2>err
has about '^Blocked for 0\.[0-9]+ s' 'take_lock for a lock'
perf report --brief --off-cpu --json -i p.data >json 2>err
has json '"state":"blocked","for":"a lock","ns":[0-9]+,"times":[0-9]+,"function":"take_lock","object":"futex 0x'
