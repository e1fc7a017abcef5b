// SPDX-License-Identifier: GPL-2.0-only
/*
 * lives SECONDS: how tasks end. Threads that exit inside a system call; exec by the leader and by
 * another thread; exit_group and SIGKILL with siblings asleep; signals; vfork; and children that
 * are asleep for good when the program ends.
 */
#include "spell.h"

static char self[256];
static pthread_attr_t small;
static volatile int signals;

static void on_signal(int sig)
{
	signals++;
	for (volatile int i = 0; i < 3000; i++)
		;
}

static NOINLINE void leaf_exit(int id)
{
	call3(SYS_exit, 0, 0, 0);
}

static NOINLINE void leaf_exit_group(int id)
{
	call3(SYS_exit_group, 0, 0, 0);
}

static NOINLINE void leaf_execve(int id)
{
	char *argv[] = { self, "execed", NULL }, *envp[] = { NULL };

	call3(SYS_execve, self, argv, envp);
	call3(SYS_exit_group, 9, 0, 0);
}

static NOINLINE void leaf_pause(int id)
{
	for (;;)
		call3(SYS_ppoll, 0, 0, 0);
}

static NOINLINE void leaf_kill_self(int id)
{
	call3(SYS_kill, getpid(), SIGKILL, 0);
}

static NOINLINE void leaf_signal_self(int id)
{
	call3(SYS_tgkill, getpid(), gettid(), SIGUSR1);
	KEEP_FRAME();
}

static void *thread_exit(void *arg)
{
	work("x", (long)arg, 0, leaf_exit);
	return NULL;
}

static void *thread_pause(void *arg)
{
	work("p", (long)arg, 0, leaf_pause);
	return NULL;
}

/*
 * Before the new program runs, the thread has its leader's tid, and no record says since when: so
 * it spells what its leader spells.
 */
static void *thread_exec(void *arg)
{
	work("e", (long)arg, 0, leaf_execve);
	return NULL;
}

/* The program after the exec: reads a little under a name of its own, then is gone. */
static int execed(void)
{
	for (int i = 0; i < 8; i++)
		work("n", 777, i, leaf_read);
	return 0;
}

static void child(int kind, int id)
{
	pthread_t t;

	if (kind == 1)
		work("e", id, 0, leaf_execve);
	for (long i = 0; i < 3; i++)
		pthread_create(&t, &small, thread_pause, (void *)(600 + i));
	usleep(2000);
	if (kind == 2)
		work("g", id, 0, leaf_exit_group);
	if (kind == 3)
		work("k", id, 0, leaf_kill_self);
	pthread_create(&t, &small, thread_exec, (void *)(long)id);
	work("l", id, 0, leaf_pause);
}

static void round_of_lives(int n)
{
	pthread_t t[4];

	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], &small, thread_exit, (void *)(100 + (n * 4 + i) % 400));
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	for (int kind = 1; kind <= 4; kind++) {
		pid_t pid = fork();

		if (!pid)
			child(kind, 700 + n % 50);
		waitpid(pid, NULL, 0);
	}
	for (int i = 0; i < 5; i++)
		work("s", 33, i, leaf_signal_self);
}

int main(int argc, char **argv)
{
	double end = now() + (argc > 1 ? atof(argv[1]) : 1);
	ssize_t len;

	if (argc > 1 && !strcmp(argv[1], "execed"))
		return execed();
	len = readlink("/proc/self/exe", self, sizeof(self) - 1);
	if (len < 0)
		return 1;
	signal(SIGUSR1, on_signal);
	small_stacks(&small);
	for (int i = 0; i < 20; i++)
		if (!fork()) {
			alarm((unsigned int)(end - now()) + 5);
			work("z", 500 + i, 0, leaf_pause);
		}
	for (int n = 0; now() < end; n++)
		round_of_lives(n);
	return 0;
}
