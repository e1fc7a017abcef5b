// SPDX-License-Identifier: GPL-2.0-only
/*
 * Root writes into a folder of another user, who exchanges what is there for links all the time
 * (renameat2(2)), and opens what is new there. Nothing may appear or change outside.
 */
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/binary/id-cache.h"
#include "../../util/io/private-dir.h"
#include "../../util/io/privileges.h"
#include "../../util/io/replace-file.h"
#include "../../util/io/tempfile.h"
#include "../../util/jit/jit-dir.h"
#include "../../util/push/spool.h"
#include "../../util/record/recorder-file.h"
#include "../lib/no-openat2.h"
#include "../test.h"

#define USER 54321
#define SWAPS 10000
#define HELD 512 /* files that the attacker has open */

struct attack {
	_Atomic u32 swaps, opened, ended;
	_Atomic bool end;
	u32 roots; /* files of root's that he could write to */
	int held[HELD];
};

/* What he exchanges, and for a link to what. */
static const struct {
	const char *name, *target;
} swapped[] = {
	{ "x", "../root/kept" }, { "x.old", "../root/kept" }, { "x.jit", "../root" },
	{ "new", "../root/dangling" }, { "instead", "../root/kept" }, { "sub", "../root" },
	{ "cache", "../root" }, { ".debug", "../root" }, { "spool", "../root" },
};

static void swap(struct attack *a, int dir, const char *name, const char *target)
{
	char link[32];

	snprintf(link, sizeof(link), "%s-link", name);
	if (a->swaps % 5 == 0) /* both are links, once root has renamed what was there */
		unlinkat(dir, name, 0);
	if (!symlinkat(target, dir, name) ||
	    !syscall(SYS_renameat2, dir, name, dir, link, 2 /* RENAME_EXCHANGE */))
		++a->swaps;
}

/* Opens what is there while it is still his. */
static void hold(struct attack *a, int dir, const char *name)
{
	int *slot = &a->held[a->opened % HELD], fd;
	struct stat st;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode) ||
	    fchmodat(dir, name, 0666, 0))
		return;
	fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return;
	if (a->opened++ >= HELD)
		close(*slot);
	*slot = fd;
}

static void attack(struct attack *a, int dir)
{
	struct stat st;
	char link[32];

	for (size_t i = 0; i < ARRAY_SIZE(swapped); i++) {
		snprintf(link, sizeof(link), "%s-link", swapped[i].name);
		symlinkat(swapped[i].target, dir, link);
	}
	while (!a->end)
		for (size_t i = 0; i < ARRAY_SIZE(swapped); i++) {
			hold(a, dir, swapped[i].name);
			swap(a, dir, swapped[i].name, swapped[i].target);
		}
	for (u32 i = 0; i < min_of(a->opened, (u32)HELD); i++)
		a->roots += !fstat(a->held[i], &st) && !st.st_uid;
	_exit(0);
}

/* Whether nothing was made, removed or changed where only root may. */
static bool is_untouched(void)
{
	DIR *d = opendir("root");
	char text[16] = "";
	struct dirent *e;
	struct stat st;
	FILE *f;
	u32 nr = 0;

	while (d && (e = readdir(d)))
		nr += e->d_name[0] != '.' || !strcmp(e->d_name, ".debug");
	closedir(d);
	f = fopen("root/kept", "r");
	if (nr != 1 || !f || !fgets(text, sizeof(text), f) || fclose(f))
		return false;
	return !strcmp(text, "kept") && !stat("root/kept", &st) && !st.st_uid &&
	       (st.st_mode & 07777) == 0600 && st.st_nlink == 1;
}

static bool put(int fd)
{
	if (fd < 0)
		return false;
	TEST_EQ(write(fd, "data", 4), 4);
	close(fd);
	return true;
}

/* perf record -o theirs/x, list -o */
static bool write_output(void)
{
	return put(out_place__open_path("theirs/x", O_RDWR, 0600, NULL));
}

/* The same in a folder that is swapped itself. */
static bool write_below(void)
{
	return put(out_place__open_path("theirs/sub/x", O_RDWR, 0600, NULL));
}

/* perf record again, with --switch-output, and one that records nothing */
static bool write_recordings(void)
{
	struct out_place p;
	char name[64];
	bool kept;
	int ret = out_place__find(&p, "theirs/x", NULL);

	ret = ret ?: recorder_file__keep_old(&p, &kept, NULL);
	if (!ret && put(out_place__open(&p, O_RDWR, 0600, NULL))) {
		ret = recorder_file__stamp(&p, name, sizeof(name), NULL);
		recorder_file__remove(&p, name);
	} else if (!ret) {
		recorder_file__bring_back(&p, kept);
		ret = -ENOENT;
	}
	out_place__close(&p);
	return !ret;
}

/* OUTPUT.jit: code that programs register, perf maps of containers, names of agents */
static bool write_jit(void)
{
	struct jit_dir jit;
	struct out_place p;
	bool done = false;

	if (!out_place__find(&p, "theirs/x", NULL)) {
		jit_dir__init(&jit, &p);
		done = put(jit_dir__create(&jit, "jit-1.dump"));
		done |= put(jit_dir__create(&jit, "perf-1.map"));
		jit_dir__close(&jit);
	}
	out_place__close(&p);
	return done;
}

/* Exports, html pages, bundles, archives, stitch, inject, settings */
static bool write_replaced(void)
{
	struct replace_file f;
	u64 size;
	int ret = replace_file__open(&f, "theirs/x", NULL);

	f.keep = true;
	if (!ret && put(replace_file__fd(&f, NULL)))
		ret = replace_file__commit(&f, &size, NULL);
	replace_file__abort(&f);
	return !ret;
}

/* jitted-PID-N.so, script --dump; script -g, the browser's P */
static bool write_new(void)
{
	struct out_place p;
	bool done = false;

	if (!out_place__find(&p, "theirs/instead", NULL)) {
		done = put(out_folder__instead(&p.folder, p.name, O_WRONLY, 0644));
		put(out_folder__new(&p.folder, "new", O_WRONLY, 0644));
	}
	out_place__close(&p);
	return done;
}

/* Nobody else's folder is taken for a cache or a spool; temporary files have no name. */
static bool write_caches(void)
{
	struct binary_opts opts = { .buildid_dir = "theirs/.debug" };
	struct id_cache cache;
	struct tempfile t;
	struct spool s;
	int ret;

	TEST_TRUE(private_dir__open("theirs", "cache", NULL) < 0);
	TEST_TRUE(private_dir__open("theirs/sub", "cache", NULL) < 0);
	TEST_TRUE(id_cache__open(&cache, &opts, NULL));
	id_cache__close(&cache);
	TEST_TRUE(spool__open(&s, "theirs/spool", NULL) < 0);
	spool__close(&s);
	ret = setenv("TMPDIR", "theirs/sub", 1) ?: tempfile__open(&t, NULL);
	tempfile__close(&t);
	return !ret;
}

static bool (*const writers[])(void) = {
	write_output, write_below, write_recordings, write_jit, write_replaced, write_new,
	write_caches,
};

static struct attack *begin(pid_t *pid)
{
	struct attack *a = mmap(NULL, sizeof(*a), PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	FILE *f;
	int dir;

	TEST_TRUE(a != MAP_FAILED);
	TEST_EQ(mkdir("root", 0700) | mkdir("theirs", 0755) | mkdir("theirs/sub", 0755), 0);
	f = fopen("root/kept", "w");
	TEST_TRUE(f && fputs("kept", f) != EOF && !fclose(f) && !chmod("root/kept", 0600));
	TEST_EQ(chown("theirs/sub", USER, USER) | chown("theirs", USER, USER), 0);
	dir = open("theirs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	*pid = fork();
	if (!*pid) {
		if (!setgroups(0, NULL) && !setgid(USER) && !setuid(USER))
			attack(a, dir);
		_exit(1);
	}
	close(dir);
	return a;
}

static bool all_done(const u32 *done)
{
	for (size_t i = 0; i < ARRAY_SIZE(writers); i++)
		if (!done[i])
			return false;
	return true;
}

static void swap_and_write(u32 swaps)
{
	u32 done[ARRAY_SIZE(writers)] = {}, rounds = 0;
	struct attack *a;
	int status;
	pid_t pid;

	if (geteuid() || !(privileges__effective() & PRIVILEGE(CAP_SETUID)))
		TEST_SKIP("needs root");
	a = begin(&pid);
	while (a->swaps < swaps || rounds < 200 / test__share(4) || !all_done(done)) {
		for (size_t i = 0; i < ARRAY_SIZE(writers); i++) {
			done[i] += writers[i]();
			TEST_TRUE(is_untouched());
		}
		++rounds;
	}
	a->end = true;
	TEST_EQ(waitpid(pid, &status, 0), pid);
	TEST_EQ(status, 0);
	TEST_EQ(a->roots, 0);
}

TEST(out_swaps, "output: whoever swaps names for links, root writes nothing outside of his folder")
{
	swap_and_write(SWAPS / test__share(2));
}

TEST(out_swaps_by_parts, "output: the same where the kernel has no openat2()")
{
	no_openat2(ENOSYS);
	swap_and_write(SWAPS / 10);
}
