// SPDX-License-Identifier: GPL-2.0-only
/*
 * signals SECONDS THREADS: threads that work while signals rain on them, from timers, from one
 * another and from faults. Handlers spell numbers of their own, are interrupted by others, make
 * system calls, stand on an alternate stack, and leave by siglongjmp().
 *
 * A thread spells its number + HANDLERS for each handler that it is in. A handler gives the thread
 * its former name back before it returns, so that at any moment the name says what the innermost
 * spell() spells; between a name and its spell(), code stands in work(), spell() or a handler.
 */
#include <setjmp.h>
#include "spell.h"

#define HANDLERS 200 /* added to the number in each handler; as in truth.py */
#define LEVELS 4     /* the thread's own work, and handlers inside each other */
#define DEPTH 6      /* handlers that stand on a stack before more are held off */
#define STACK (512 << 10)
/* Of none of the signals can more than one wait: real-time signals would pile up frames at once. */
#define SIG_ALT SIGHUP
#define SIG_JUMP SIGIO

struct thread {
	pthread_t handle;
	pid_t tid;
	int id;
	int pipe[2];		/* somebody else writes to it now and then */
};

static struct thread *threads;
static int nr_threads;
static volatile int stop;
static __thread struct thread *self;
static __thread volatile int level, depth;
static __thread volatile unsigned int entries;
static __thread volatile int may_jump, rang;
static __thread timer_t timer;
static __thread sigjmp_buf landing;

static void storm(unsigned int n)
{
	static const int kinds[] = { 0, 1, 0, 2, 1, 3 };
	const int signals[] = { SIGUSR1, SIGUSR2, SIG_ALT, SIG_JUMP };
	struct thread *to = &threads[n * 7919 % nr_threads];

	if (to->tid)
		call3(SYS_tgkill, getpid(), to->tid, signals[kinds[n % 6]]);
}

/* A system call that starts again behind a handler. */
static NOINLINE void leaf_wait(int id)
{
	char c;

	call3(SYS_read, self->pipe[0], &c, 1);
	KEEP_FRAME();
}

/* Two signals at once for this thread: their frames stand on each other before either runs. */
static NOINLINE void leaf_raise(int id)
{
	sigset_t both, before;

	sigemptyset(&both);
	sigaddset(&both, SIGUSR1);
	sigaddset(&both, SIG_ALT);
	call6(SYS_rt_sigprocmask, SIG_BLOCK, (long)&both, (long)&before, 8, 0, 0);
	call3(SYS_tgkill, getpid(), self->tid, SIGUSR1);
	call3(SYS_tgkill, getpid(), self->tid, SIG_ALT);
	call6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
	KEEP_FRAME();
}

/* A fault that on_fault() mends. */
static NOINLINE void leaf_forbidden(int id)
{
	volatile char *p = (char *)call6(SYS_mmap, 0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
					 -1, 0);

	*p = 1;
	call3(SYS_munmap, p, 4096, 0);
	KEEP_FRAME();
}

static NOINLINE void leaf_send(int id)
{
	static unsigned int turn;
	unsigned int n = __sync_fetch_and_add(&turn, 1);
	char c = 0;

	storm(n);
	call3(SYS_write, threads[n % nr_threads].pipe[1], &c, 1);
	KEEP_FRAME();
}

static void hold_off(void)
{
	sigset_t all;

	sigfillset(&all);
	call6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, 8, 0, 0);
}

static void work_in_handler(leaf_fn leaf)
{
	char before[16];

	if (++depth >= DEPTH)
		hold_off();
	if (level + 1 < LEVELS) {
		level++;
		prctl(PR_GET_NAME, before);
		work("h", self->id + HANDLERS * level, entries++, leaf);
		prctl(PR_SET_NAME, before);
		level--;
	}
	depth--;
}

static NOINLINE void on_info(int sig, siginfo_t *info, void *context)
{
	static const leaf_fn leaves[] = { leaf_getppid, leaf_nap, leaf_spin, leaf_map };

	work_in_handler(leaves[entries % 4]);
	if (sig == SIGALRM)
		rang = 1;
	KEEP_FRAME();
}

/* SA_NODEFER: is interrupted by its own signal. */
static NOINLINE void on_nested(int sig)
{
	work_in_handler(entries % 2 ? leaf_raise : leaf_spin);
	KEEP_FRAME();
}

static NOINLINE void on_alternate(int sig)
{
	work_in_handler(entries % 2 ? leaf_fault : leaf_spin);
	KEEP_FRAME();
}

static NOINLINE void on_jump(int sig)
{
	work_in_handler(leaf_getppid);
	if (may_jump && level == 0)
		siglongjmp(landing, 1);
	KEEP_FRAME();
}

static NOINLINE void on_fault(int sig, siginfo_t *info, void *context)
{
	work_in_handler(leaf_getppid);
	call3(SYS_mprotect, info->si_addr, 4096, PROT_READ | PROT_WRITE);
	KEEP_FRAME();
}

static void handle(int sig, void (*handler)(int), int flags)
{
	struct sigaction act = { .sa_handler = handler, .sa_flags = flags };

	sigaction(sig, &act, NULL);
}

static void handle_info(int sig, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction act = { .sa_sigaction = handler, .sa_flags = flags | SA_SIGINFO };

	sigaction(sig, &act, NULL);
}

/* One stretch of work, which a handler may leave for good. */
static NOINLINE void round_of_work(unsigned int round)
{
	static const leaf_fn leaves[] = { leaf_spin, leaf_send, leaf_read, leaf_nap,
					  leaf_wait, leaf_raise, leaf_getppid, leaf_map,
					  leaf_send, leaf_fault, leaf_forbidden };

	depth = 0;
	if (!sigsetjmp(landing, 1)) {
		may_jump = 1;
		work("s", self->id, round, leaves[round % (sizeof(leaves) / sizeof(leaves[0]))]);
	}
	may_jump = depth = 0;
	KEEP_FRAME();
}

static void make_timer(int sig)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = sig };

	event._sigev_un._tid = self->tid;
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		_exit(1);
	rang = 1;
}

/* Once only, so that a slow machine does something else as well. */
static void wind_timer(unsigned int round)
{
	struct itimerspec once = { .it_value = { 0, 100000 + round % 20 * 50000 } };

	rang = 0;
	timer_settime(timer, 0, &once, NULL);
}

static void *thread(void *arg)
{
	stack_t alternate = { .ss_sp = malloc(STACK), .ss_size = STACK };
	sigset_t all, none;

	self = arg;
	sigfillset(&all);
	sigemptyset(&none);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	sigaltstack(&alternate, NULL);
	leaf_read(0); /* allocates */
	self->tid = gettid();
	make_timer(SIGALRM);
	pthread_sigmask(SIG_SETMASK, &none, NULL);
	for (unsigned int round = 0; !stop; round++) {
		if (rang)
			wind_timer(round);
		round_of_work(round);
	}
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	return NULL;
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);
	pthread_attr_t attr;
	char c = 0;

	nr_threads = argc > 2 ? atoi(argv[2]) : 8;
	threads = calloc(nr_threads, sizeof(*threads));
	handle_info(SIGALRM, on_info, SA_RESTART);
	handle_info(SIGUSR1, on_info, 0);
	handle(SIGUSR2, on_nested, SA_NODEFER | SA_RESTART);
	handle(SIG_ALT, on_alternate, SA_ONSTACK | SA_RESTART);
	handle(SIG_JUMP, on_jump, SA_NODEFER);
	handle_info(SIGSEGV, on_fault, 0);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK);
	for (int i = 0; i < nr_threads; i++) {
		threads[i].id = i + 1;
		if (pipe(threads[i].pipe) || fcntl(threads[i].pipe[1], F_SETFL, O_NONBLOCK) ||
		    pthread_create(&threads[i].handle, &attr, thread, &threads[i]))
			return 1;
	}
	for (unsigned int n = 0; now() < end; n++) {
		usleep(2000);
		storm(n);
	}
	stop = 1;
	for (int i = 0; i < nr_threads; i++) {
		(void)!write(threads[i].pipe[1], &c, 1);
		pthread_join(threads[i].handle, NULL);
	}
	return 0;
}
