// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/jit/map-copies.h: perf maps of processes that see another /tmp. */
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/jit/map-copies.h"
#include "../test.h"

/* A process with a /tmp of its own, and a map of @size bytes there. Returns its number; 0: none. */
static pid_t begin(size_t size)
{
	char path[64], c = 'r';
	int ready[2], fd;
	pid_t pid;

	TEST_EQ(pipe2(ready, O_CLOEXEC), 0);
	pid = fork();
	if (!pid) {
		snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)getpid());
		if (unshare(CLONE_NEWNS) || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
		    mount("none", "/tmp", "tmpfs", 0, NULL))
			_exit(77);
		fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0 || ftruncate(fd, size) || write(ready[1], &c, 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &c, 1) != 1)
		pid = 0;
	close(ready[0]);
	return pid;
}

static int on_file(void *ctx, u32 pid, const char *path, u64 time)
{
	++*(int *)ctx;
	return 0;
}

TEST(map_copies_budget, "jit: copies of perf maps of containers take a bounded part of the disk")
{
	int announced = 0;
	struct out_place place;
	struct jit_dir dir;
	const struct map_copies_opts opts = {
		.dir = &dir, .on_file = on_file, .ctx = &announced, .max_bytes = 10000,
	};
	struct map_copies *c = map_copies__new(&opts);
	const struct map_copies_account *a;
	pid_t pids[3];

	TEST_EQ(out_place__find(&place, "copies", NULL), 0);
	jit_dir__init(&dir, &place);
	for (int i = 0; i < 3; i++) {
		pids[i] = begin(4096);
		if (!pids[i])
			TEST_SKIP("no mount namespace can be made here");
		map_copies__note(c, pids[i]);
		TEST_EQ(map_copies__announce(c, pids[i], 1), 0);
	}
	TEST_EQ(announced, 3);
	a = map_copies__finish(c);
	TEST_EQ(a->copied, 2);
	TEST_EQ(a->failed, 1);
	map_copies__free(c);
	jit_dir__close(&dir);
	out_place__close(&place);
	for (int i = 0; i < 3; i++) {
		kill(pids[i], SIGKILL);
		TEST_EQ(waitpid(pids[i], NULL, 0), pids[i]);
	}
}
