// SPDX-License-Identifier: GPL-2.0-only
/* Which threads and processes the options -p, -t and -u mean. */
#include <pthread.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/event/target.h"
#include "../test.h"

#define GONE 0x7ffffffe /* more than any kernel's largest pid */

static bool has(const id_vec *ids, u32 id)
{
	for (size_t i = 0; i < ids->nr; i++)
		if (ids->v[i] == id)
			return true;
	return false;
}

struct other {
	pthread_t thread;
	pthread_barrier_t started, end;
	u32 tid;
};

static void *be_there(void *ptr)
{
	struct other *o = ptr;

	o->tid = syscall(SYS_gettid);
	pthread_barrier_wait(&o->started);
	pthread_barrier_wait(&o->end);
	return NULL;
}

static void other__start(struct other *o)
{
	pthread_barrier_init(&o->started, NULL, 2);
	pthread_barrier_init(&o->end, NULL, 2);
	TEST_EQ(pthread_create(&o->thread, NULL, be_there, o), 0);
	pthread_barrier_wait(&o->started);
}

static void other__end(struct other *o)
{
	pthread_barrier_wait(&o->end);
	TEST_EQ(pthread_join(o->thread, NULL), 0);
}

TEST(target_ids, "target: lists of numbers, and what is none")
{
	static const char *const bad[] = { "", ",", "1,", "0", "-1", " 1", "+1", "1 2", "x", "1x",
					   "2147483648", "99999999999999999999" };
	struct error err = {};
	id_vec ids = {};

	TEST_EQ(target__parse_ids(&ids, "7", "process ids", &err), 0);
	TEST_EQ(target__parse_ids(&ids, "1,2147483647,3", "process ids", &err), 0);
	TEST_EQ(ids.nr, 4);
	TEST_TRUE(ids.v[0] == 7 && ids.v[1] == 1 && ids.v[2] == 2147483647 && ids.v[3] == 3);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		err = (struct error){};
		TEST_EQ(target__parse_ids(&ids, bad[i], "process ids", &err), -EINVAL);
		TEST_TRUE(strstr(err.text, "is not a list of process ids"));
	}
	vec__free(&ids);
}

TEST(target_threads, "target: threads of -t and -p, each once; those that are gone are left out")
{
	struct target t = {};
	struct error err = {};
	struct other other;
	id_vec tids = {};

	other__start(&other);
	TEST_EQ(target__parse_ids(&t.tids, "2147483646", "thread ids", &err), 0);
	*vec__push(&t.tids) = other.tid;
	*vec__push(&t.tids) = other.tid;
	TEST_EQ(target__threads(&t, &tids, &err), 0);
	TEST_TRUE(tids.nr == 1 && tids.v[0] == other.tid); /* not its siblings */

	vec__free(&tids);
	*vec__push(&t.pids) = getpid();
	TEST_EQ(target__threads(&t, &tids, &err), 0);
	TEST_EQ(tids.nr, 2);
	TEST_TRUE(has(&tids, other.tid) && has(&tids, getpid()));

	vec__free(&tids);
	*vec__push(&t.pids) = getppid();
	t.workload = 1;
	TEST_EQ(target__threads(&t, &tids, &err), 0);
	TEST_TRUE(has(&tids, 1) && has(&tids, other.tid) && has(&tids, getppid()));
	other__end(&other);
	vec__free(&tids);
	target__free(&t);
}

TEST(target_gone, "target: when nothing is left, the first that is missing is named")
{
	struct target t = {};
	struct error err = {};
	id_vec tids = {};

	*vec__push(&t.tids) = GONE - 1;
	*vec__push(&t.tids) = GONE;
	TEST_EQ(target__threads(&t, &tids, &err), -ESRCH);
	TEST_STR(err.text, "no process or thread 2147483645");
	*vec__push(&t.pids) = GONE;
	err = (struct error){};
	TEST_EQ(target__threads(&t, &tids, &err), -ESRCH);
	TEST_STR(err.text, "no process or thread 2147483646");
	target__free(&t);
}

TEST(target_processes, "target: the process of a thread, each once")
{
	struct target t = {}, all = { .system_wide = true };
	struct other other;
	id_vec pids = {};

	other__start(&other);
	*vec__push(&t.tids) = GONE;
	*vec__push(&t.tids) = other.tid;
	TEST_EQ(target__processes(&t, &pids), 0);
	TEST_TRUE(pids.nr == 1 && pids.v[0] == (u32)getpid());
	vec__free(&pids);
	*vec__push(&t.pids) = getppid();
	*vec__push(&t.pids) = getpid();
	*vec__push(&t.pids) = getppid();
	TEST_EQ(target__processes(&t, &pids), 0);
	TEST_TRUE(pids.nr == 2 && has(&pids, getpid()) && has(&pids, getppid()));
	other__end(&other);
	vec__free(&pids);
	TEST_EQ(target__processes(&all, &pids), 0);
	TEST_TRUE(has(&pids, getpid()) && has(&pids, getppid()));
	vec__free(&pids);
	target__free(&t);
}

TEST(target_user, "target: processes of a user, by name and number, but for ourselves")
{
	static const char *const bad[] = { "", "-1", "4294967295", "12x", "no such user" };
	struct target t = {};
	struct error err = {};
	char number[16];
	int ends[2];
	pid_t child;

	TEST_EQ(pipe(ends), 0);
	child = fork();
	if (!child) {
		char c;

		close(ends[1]);
		_exit(read(ends[0], &c, 1) != 0);
	}
	snprintf(number, sizeof(number), "%u", getuid());
	TEST_EQ(target__add_user(&t, number, &err), 0);
	TEST_TRUE(has(&t.pids, child) && !has(&t.pids, getpid()));
	if (!getuid()) {
		target__free(&t);
		t = (struct target){};
		TEST_EQ(target__add_user(&t, "root", &err), 0);
		TEST_TRUE(has(&t.pids, child));
	}
	target__free(&t);
	t = (struct target){};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		TEST_EQ(target__add_user(&t, bad[i], &err), -EINVAL);
		TEST_TRUE(strstr(err.text, "unknown user '"));
	}
	TEST_EQ(target__add_user(&t, "4294967290", &err), -ESRCH);
	TEST_STR(err.text, "user '4294967290' has no running processes");
	close(ends[1]);
	TEST_EQ(waitpid(child, NULL, 0), child);
}
