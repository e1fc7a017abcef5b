// SPDX-License-Identifier: GPL-2.0-only
/* A directory whose files nobody else can have written. Every test has a directory of its own. */
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "../../util/base/mem.h"
#include "../../util/io/private-dir.h"
#include "../test.h"

#define NOBODY 65534

/* Root may do everything: what permissions forbid is tested as somebody else. */
static void become_nobody(void)
{
	if (geteuid())
		return;
	TEST_EQ(chown(".", NOBODY, NOBODY), 0);
	TEST_EQ(setresuid(NOBODY, NOBODY, NOBODY), 0);
	TEST_EQ(prctl(PR_SET_DUMPABLE, 1), 0); /* or the leak sanitizer cannot look at us */
}

static int open_in(const char *parent)
{
	return private_dir__open(parent, "kept", NULL);
}

static void check_text(int dir, const char *name, const char *want)
{
	char buf[32] = {};
	int fd = private_dir__load(dir, name);

	TEST_TRUE(fd >= 0);
	TEST_TRUE(read(fd, buf, sizeof(buf) - 1) >= 0);
	TEST_STR(buf, want);
	close(fd);
}

TEST(private_dir_saves, "private dir: what is saved is there, whole, and replaced at once")
{
	struct stat st;
	int dir, old;
	char c;

	become_nobody();
	dir = open_in("parent");
	TEST_TRUE(dir >= 0);
	TEST_EQ(private_dir__load(dir, "a"), -ENOENT);
	TEST_EQ(private_dir__save(dir, "a", "first", 5), 0);
	check_text(dir, "a", "first");
	TEST_TRUE(!stat("parent/kept/a", &st) && (st.st_mode & 07777) == 0600);
	TEST_TRUE(!stat("parent/kept", &st) && (st.st_mode & 07777) == 0700);
	/* Whoever reads the old one goes on with it. */
	old = private_dir__load(dir, "a");
	TEST_EQ(private_dir__save(dir, "a", "2", 1), 0);
	check_text(dir, "a", "2");
	TEST_TRUE(read(old, &c, 1) == 1 && c == 'f');
	close(old);
	close(dir);
	dir = open_in("parent");
	check_text(dir, "a", "2");
	TEST_EQ(private_dir__remove(dir, "a"), 0);
	TEST_EQ(private_dir__load(dir, "a"), -ENOENT);
	close(dir);
}

TEST(private_dir_refuses, "private dir: what others can have written is not read")
{
	int dir;

	become_nobody();
	dir = open_in("parent");
	TEST_EQ(private_dir__save(dir, "a", "x", 1), 0);
	TEST_EQ(fchmodat(dir, "a", 0620, 0), 0);
	TEST_EQ(private_dir__load(dir, "a"), -EPERM);
	TEST_EQ(fchmodat(dir, "a", 0602, 0), 0);
	TEST_EQ(private_dir__load(dir, "a"), -EPERM);
	TEST_EQ(fchmodat(dir, "a", 0644, 0), 0);
	check_text(dir, "a", "x");
	TEST_EQ(symlinkat("a", dir, "link"), 0);
	TEST_EQ(private_dir__load(dir, "link"), -ELOOP);
	TEST_EQ(mkfifoat(dir, "fifo", 0600), 0);
	TEST_EQ(private_dir__load(dir, "fifo"), -EINVAL);
	TEST_EQ(mkdirat(dir, "dir", 0700), 0);
	TEST_EQ(private_dir__load(dir, "dir"), -EINVAL);
	close(dir);

	TEST_EQ(chmod("parent/kept", 0770), 0);
	TEST_EQ(open_in("parent"), -EPERM);
	TEST_EQ(chmod("parent/kept", 0700), 0);
	TEST_EQ(rename("parent/kept", "elsewhere"), 0);
	TEST_EQ(symlink("../elsewhere", "parent/kept"), 0);
	TEST_TRUE(open_in("parent") < 0);
	/* A parent that group members can write to is one as umask 002 makes it. */
	TEST_EQ(unlink("parent/kept"), 0);
	TEST_EQ(chmod("parent", 0775), 0);
	dir = open_in("parent");
	TEST_TRUE(dir >= 0);
	close(dir);
}

TEST(private_dir_owner, "private dir: another user's home, directory and files are left alone")
{
	struct error err = {};
	struct stat st;
	int dir;

	if (geteuid())
		TEST_SKIP("only root can make files of two users");
	TEST_EQ(mkdir("home", 0755), 0);
	TEST_EQ(chown("home", NOBODY, NOBODY), 0);
	/* A root who has kept the user's HOME: nothing is made there. */
	TEST_EQ(private_dir__open("home/.debug", "kept", &err), -EPERM);
	TEST_STR(err.text, "'home' belongs to another user");
	TEST_TRUE(stat("home/.debug", &st));
	TEST_EQ(mkdir("home/.debug", 0755), 0);
	TEST_EQ(chown("home/.debug", NOBODY, NOBODY), 0);
	TEST_EQ(private_dir__open("home/.debug", "kept", NULL), -EPERM);
	TEST_TRUE(stat("home/.debug/kept", &st));

	dir = open_in("parent");
	TEST_EQ(private_dir__save(dir, "a", "x", 1), 0);
	TEST_EQ(fchownat(dir, "a", NOBODY, NOBODY, 0), 0);
	TEST_EQ(private_dir__load(dir, "a"), -EPERM);
	TEST_EQ(private_dir__save(dir, "a", "y", 1), 0);
	check_text(dir, "a", "y");
	close(dir);
	TEST_EQ(chown("parent/kept", NOBODY, NOBODY), 0);
	TEST_EQ(open_in("parent"), -EPERM);
}

static int count_file(void *ctx, const char *name __unused_arg, const struct stat *st __unused_arg)
{
	++*(int *)ctx;
	return 0;
}

static int count_files(int dir)
{
	int nr = 0;

	TEST_EQ(private_dir__for_each(dir, count_file, &nr), 0);
	return nr;
}

TEST(private_dir_full, "private dir: where nothing can be written, nothing is left behind")
{
	struct rlimit limit;
	int dir;

	become_nobody();
	dir = open_in("parent");
	TEST_EQ(private_dir__save(dir, "a", "x", 1), 0);
	TEST_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = 4;
	TEST_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
	TEST_EQ(private_dir__save(dir, "a", "12345", 5), -EFBIG);
	limit.rlim_cur = limit.rlim_max;
	TEST_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
	TEST_EQ(fchmod(dir, 0500), 0);
	TEST_EQ(private_dir__save(dir, "a", "y", 1), -EACCES);
	check_text(dir, "a", "x");
	TEST_EQ(fchmod(dir, 0700), 0);
	/* The name is taken by a directory: the file cannot get it. */
	TEST_EQ(mkdirat(dir, "d", 0700), 0);
	TEST_TRUE(private_dir__save(dir, "d", "y", 1) < 0);
	TEST_EQ(unlinkat(dir, "d", AT_REMOVEDIR), 0);
	TEST_EQ(unlinkat(dir, "a", 0), 0);
	TEST_EQ(rmdir("parent/kept"), 0); /* is empty, then */
	TEST_EQ(private_dir__save(dir, "a", "y", 1), -ENOENT);
	close(dir);
}

static void make_aged(int dir, const char *name, size_t size, time_t age)
{
	struct timespec then = { .tv_sec = time(NULL) - age }, times[2] = { then, then };
	void *data = xzalloc(size);

	TEST_EQ(private_dir__save(dir, name, data, size), 0);
	TEST_EQ(utimensat(dir, name, times, 0), 0);
	free(data);
}

TEST(private_dir_prune, "private dir: what was not used for longest goes first")
{
	int dir = open_in("parent");
	struct stat st;

	make_aged(dir, "old", 1000, 5 * 86400);
	make_aged(dir, "older", 1000, 9 * 86400);
	make_aged(dir, "new", 1000, 60);
	TEST_EQ(private_dir__prune(dir, 3000), 0);
	TEST_EQ(count_files(dir), 3);
	/* Reading counts as use. */
	close(private_dir__load(dir, "older"));
	TEST_EQ(private_dir__prune(dir, 2999), 0);
	TEST_EQ(count_files(dir), 2);
	TEST_EQ(private_dir__load(dir, "old"), -ENOENT);
	TEST_EQ(private_dir__prune(dir, 0), 0);
	TEST_EQ(count_files(dir), 0);
	/* What a killed process has left; another one may still be writing. */
	make_aged(dir, ".0123", 10, 2 * 3600);
	make_aged(dir, ".4567", 10, 60);
	TEST_EQ(private_dir__prune(dir, 3000), 0);
	TEST_TRUE(fstatat(dir, ".0123", &st, 0) && !fstatat(dir, ".4567", &st, 0));
	TEST_EQ(count_files(dir), 0);
	close(dir);
}
