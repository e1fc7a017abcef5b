// SPDX-License-Identifier: GPL-2.0-only
/* Calls that may never return. */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/base/clock.h"
#include "../../util/binary/build-id.h"
#include "../../util/binary/guarded-open.h"
#include "../../util/io/mounts.h"
#include "../../util/io/regular-file.h"
#include "../../util/io/side-process.h"
#include "../test.h"

#define BUSY_MS 20

static void compute(u64 ns)
{
	u64 until = clock__now(CLOCK_PROCESS_CPUTIME_ID) + ns;

	while (clock__now(CLOCK_PROCESS_CPUTIME_ID) < until)
		;
}

/*
 * A number to be doubled; 0 is never answered, 1 ends the process, -2 is computed for BUSY_MS, and
 * -1 for ever.
 */
static int serve(void *ctx __unused_arg, const void *request, void *answer)
{
	int n = *(const int *)request;

	while (!n)
		pause();
	if (n < 0)
		compute(n == -1 ? UINT64_MAX / 2 : BUSY_MS * NSEC_PER_MSEC);
	if (n == 1)
		_exit(0);
	*(int *)answer = 2 * n;
	return n % 2 ? -1 : open("/dev/null", O_RDONLY);
}

static struct side_process *start(u32 limit_ms)
{
	return side_process__new(&(struct side_process_opts){
		.serve = serve, .request_size = sizeof(int), .answer_size = sizeof(int),
		.limit_ms = limit_ms,
	});
}

static int ask(struct side_process *p, int n)
{
	struct stat st;
	int answer, fd, ret = side_process__ask(p, &n, &answer, &fd);

	if (ret) {
		TEST_EQ(fd, -1);
		return ret;
	}
	TEST_EQ(answer, 2 * n);
	TEST_EQ(fd < 0, n % 2);
	if (fd >= 0) {
		TEST_TRUE(!fstat(fd, &st) && S_ISCHR(st.st_mode));
		close(fd);
	}
	return 0;
}

TEST(side_process_answers, "base: another process answers, and passes descriptors on")
{
	struct side_process *p = start(60000);

	for (int i = 2; i < 1000; i++)
		TEST_EQ(ask(p, i), 0);
	TEST_EQ(ask(p, 1), -EPIPE);
	TEST_EQ(ask(p, 2), 0);
	TEST_EQ(side_process__nr_unanswered(p), 1);
	side_process__free(p);
}

/* Without a limit of CPU time these would be waited for, 20 times as long as an answer. */
TEST(side_process_busy, "base: one that computes for too long is left behind, at any load")
{
	struct side_process *p = side_process__new(&(struct side_process_opts){
		.serve = serve, .request_size = sizeof(int), .answer_size = sizeof(int),
		.limit_ms = 600000, .cpu_ms = 10 * BUSY_MS,
	});

	for (u32 i = 0; i < SIDE_PROCESS_MAX_UNANSWERED; i++) {
		TEST_EQ(ask(p, -1), -ETIMEDOUT);
		TEST_TRUE(side_process__cpu_ns(p) >= BUSY_MS * NSEC_PER_MSEC);
		TEST_EQ(side_process__nr_unanswered(p), i + 1);
	}
	TEST_EQ(ask(p, 2), -EDQUOT);
	TEST_EQ(side_process__cpu_ns(p), 0);
	side_process__free(p);
}

TEST(side_process_all_busy, "base: what all requests compute is bounded, but for the small ones")
{
	struct side_process *p = side_process__new(&(struct side_process_opts){
		.serve = serve, .request_size = sizeof(int), .answer_size = sizeof(int),
		.limit_ms = 600000, .cpu_ms = 1000 * BUSY_MS, .all_cpu_ms = 3 * BUSY_MS,
	});
	int nr = 0;

	for (int i = 2; i < 1000; i++)
		TEST_EQ(ask(p, i), 0);
	while (!ask(p, -2)) {
		TEST_TRUE(side_process__cpu_ns(p) >= BUSY_MS * NSEC_PER_MSEC);
		nr++;
	}
	TEST_TRUE(nr >= 1 && nr <= 3);
	TEST_EQ(ask(p, 2), -EDQUOT);
	TEST_EQ(side_process__nr_unanswered(p), 0);
	side_process__free(p);
}

TEST(side_process_hangs, "base: one that does not answer is left behind, and has nothing open")
{
	struct side_process *p = start(1);
	struct pollfd end;
	int fds[2], nr = 0;

	TEST_EQ(pipe(fds), 0);
	while (ask(p, 0) == -ETIMEDOUT && side_process__nr_unanswered(p) > (u32)nr)
		nr++;
	TEST_TRUE(nr > 1 && nr < 100);
	TEST_EQ(ask(p, 2), -EDQUOT); /* it is not even tried */
	TEST_EQ(side_process__nr_unanswered(p), nr);
	close(fds[1]);
	end = (struct pollfd){ .fd = fds[0] };
	TEST_TRUE(poll(&end, 1, 60000) == 1 && end.revents & POLLHUP);
	side_process__free(p);
}

TEST(mounts_local, "base: devices of this machine are local, others and unknown ones are not")
{
	struct mounts *m = mounts__new();
	struct stat st;
	int fd;

	TEST_EQ(stat("/", &st), 0);
	TEST_TRUE(mounts__is_local(m, major(st.st_dev), minor(st.st_dev)));
	TEST_EQ(stat("/proc", &st), 0);
	TEST_TRUE(mounts__is_local(m, major(st.st_dev), minor(st.st_dev)));
	TEST_TRUE(!mounts__is_local(m, 0xabc, 0xdef));
	fd = regular_file__open_local("/proc/self/exe", m);
	TEST_TRUE(fd >= 0 && regular_file__is_local(fd, m));
	close(fd);
	fd = memfd_create("x", MFD_CLOEXEC);
	TEST_TRUE(fd >= 0 && regular_file__is_local(fd, m));
	close(fd);
	TEST_EQ(regular_file__open_local("/dev/null", m), -EINVAL);
	mounts__free(m);
}

/* The kernel may forget any name, and a link that was never followed has a time to be written. */
static int open_remembered(const char *path, struct mounts *m)
{
	struct stat st;
	int fd = -EAGAIN;

	for (int i = 0; fd == -EAGAIN && i < 100; i++) {
		(void)!stat(path, &st);
		fd = regular_file__open_at_once(path, m);
	}
	return fd;
}

static void need_cached_lookup(struct mounts *m)
{
	int fd = open("here", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

	TEST_TRUE(fd >= 0 && !close(fd));
	fd = open_remembered("here", m);
	if (fd < 0)
		TEST_SKIP("no local file system, or none that names are remembered of (openat2)");
	close(fd);
}

TEST(regular_file_at_once, "base: what the kernel remembers is opened at once")
{
	struct mounts *m = mounts__new();
	int fd;

	need_cached_lookup(m);
	fd = open("file", O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
	TEST_TRUE(fd >= 0 && write(fd, "text", 4) == 4 && !close(fd));
	TEST_TRUE(!mkfifo("fifo", 0600) && !symlink("file", "link"));
	for (int i = 0; i < 2; i++) {
		char text[8];

		fd = open_remembered(i ? "link" : "file", m);
		TEST_TRUE(fd >= 0);
		TEST_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
		TEST_EQ(read(fd, text, sizeof(text)), 4);
		close(fd);
	}
	TEST_EQ(open_remembered("fifo", m), -EINVAL);
	fd = open_remembered("none", m); /* tmpfs does not remember what is not there */
	TEST_TRUE(fd == -ENOENT || fd == -EAGAIN);
	TEST_EQ(open_remembered("/proc/self/exe", m), -EAGAIN); /* a link that leads anywhere */
	mounts__free(m);
}

static bool has_child(void)
{
	return waitpid(-1, NULL, WNOHANG) != -1;
}

/* @dso is opened, by another process if @asks. */
static void expect_opened(struct dso *dso, bool live, bool asks)
{
	const struct binary_opts opts = { .live = live, .buildid_dir = "none" };
	struct guarded_open *g = guarded_open__new(&opts);
	u64 copied;
	int fd = guarded_open__binary(g, dso, NULL, &copied);

	TEST_TRUE(fd >= 0);
	TEST_EQ(copied, 0);
	TEST_EQ(has_child(), asks);
	close(fd);
	guarded_open__free(g);
}

TEST(guarded_open_at_once, "base: a local file needs no other process to be opened")
{
	struct mounts *m = mounts__new();
	char path[PATH_MAX] = "";
	struct dso dso = { .path = path, .kind = DSO_USER, .pid = NO_ID };
	int fd;

	need_cached_lookup(m);
	TEST_TRUE(readlink("/proc/self/exe", path, sizeof(path) - 1) > 0);
	fd = open_remembered(path, m);
	if (fd < 0)
		TEST_SKIP("%s is on no local file system", path);
	(void)build_id__read_fd(fd, &dso.build_id);
	close(fd);
	expect_opened(&dso, false, false);
	/* Whose root it was in, nobody can say any more: only the build-id tells. */
	expect_opened(&dso, true, !dso.build_id.size);
	dso.path = "/proc/self/exe";
	expect_opened(&dso, false, true);
	mounts__free(m);
}
