// SPDX-License-Identifier: GPL-2.0-only
#include "broker-files.h"

#include <ctype.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../base/mem.h"
#include "beneath.h"
#include "memory-copy.h"
#include "mounts.h"
#include "output-file.h"
#include "path-walk.h"
#include "private-dir.h"
#include "procfile.h"
#include "regular-file.h"
#include "side-process.h"
#include "tempfile.h"

#define LIMIT_MS 5000
#define MAX_COPIED (1ull << 30)

/* Of the system, for reading; what is /proc/self there is that of the reader. */
static const char *const of_system[] = {
	"/", "/dev/null", "/proc/kallsyms", "/proc/modules", "/proc/self/mountinfo",
	"/proc/self/pagemap", "/proc/self/statm", "/proc/sys/kernel/random/boot_id",
	"/proc/sys/vm/max_map_count", "/sys/kernel/notes",
};

static bool is_of_system(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(of_system); i++)
		if (!strcmp(path, of_system[i]))
			return true;
	return false;
}

static bool leads_up(const char *path)
{
	size_t len = strlen(path);

	return strstr(path, "/../") || (len > 2 && !strcmp(path + len - 3, "/.."));
}

static bool is_named(const struct broker_files *f, const char *path)
{
	for (size_t i = 0; i < f->nr_named; i++) {
		size_t len = strlen(f->named[i]);

		if (!strncmp(path, f->named[i], len) &&
		    (!path[len] || (path[len] == '/' && !leads_up(path + len))))
			return true;
	}
	return false;
}

/* What regular_file__open() finds, by a process that is left behind when it hangs. */
struct slow_answer {
	int err;
	u64 copied;
};

static int open_slowly(void *ctx __unused_arg, const void *request, void *answer)
{
	const struct broker_request *r = request;
	struct slow_answer *a = answer;
	struct mounts *mounts = mounts__new();
	int fd = regular_file__open(r->path);

	if (fd >= 0 && !regular_file__is_local(fd, mounts))
		fd = memory_copy__take(fd, r->number, &a->copied);
	mounts__free(mounts);
	a->err = min_of(fd, 0);
	return fd;
}

static int ask_slow(struct broker_files *f, const struct broker_request *r)
{
	static const struct sandbox_limits limits = { .opens = true };
	struct broker_request request = *r;
	struct slow_answer a = {};
	int fd, ret;

	if (!f->slow)
		f->slow = side_process__new(&(struct side_process_opts){
			.serve = open_slowly, .limit_ms = LIMIT_MS, .sandbox = &limits,
			.request_size = sizeof(request), .answer_size = sizeof(a),
			.privileges = ~0ull,
		});
	request.number = f->copies;
	ret = side_process__ask(f->slow, &request, &a, &fd);
	f->copies -= min_of(a.copied, f->copies);
	return ret ? ret : a.err ? a.err : fd;
}

/* A user without privileges can only be held up by programs of their own. */
static int find_regular(struct broker_files *f, const struct broker_request *r)
{
	int fd = is_named(f, r->path) ? path_walk__open(r->path, O_PATH) : -1;

	if (fd == -EREMOTE)
		return fd;
	if (fd >= 0)
		close(fd);
	if (geteuid())
		return regular_file__open(r->path);
	if (!f->mounts) {
		f->mounts = mounts__new();
		f->copies = MAX_COPIED;
	}
	fd = regular_file__open_at_once(r->path, f->mounts);
	return fd == -EAGAIN ? ask_slow(f, r) : fd;
}

/* /proc/kcore is an ELF file, too. */
static bool is_of_kernel(int fd)
{
	struct statfs fs;

	if (fstatfs(fd, &fs))
		return true;
	switch (fs.f_type) {
	case PROC_SUPER_MAGIC:
	case SYSFS_MAGIC:
	case DEBUGFS_MAGIC:
	case TRACEFS_MAGIC:
	case SECURITYFS_MAGIC:
		return true;
	}
	return false;
}

static bool has_wanted_magic(int fd)
{
	static const char wanted[][5] = { "\177ELF", "JiTD", "DTiJ" };
	char magic[4];

	if (pread(fd, magic, sizeof(magic), 0) != sizeof(magic))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!memcmp(magic, wanted[i], sizeof(magic)))
			return true;
	return false;
}

static bool is_perf_map(const char *path)
{
	const char *name = strrchr(path, '/'), *end;

	name = name ? name + 1 : path;
	if (strncmp(name, "perf-", 5))
		return false;
	for (end = name + 5; isdigit((unsigned char)*end);)
		end++;
	return end > name + 5 && !strcmp(end, ".map");
}

/* By the name that the kernel has of it, so that no link leads there. */
static bool is_in_cache(const struct broker_files *f, int fd)
{
	char link[64], name[PATH_MAX], *cache = f->cache ? realpath(f->cache, NULL) : NULL;
	bool is = false;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = cache ? readlink(link, name, sizeof(name) - 1) : -1;
	if (len > 0) {
		name[len] = '\0';
		is = !strncmp(name, cache, strlen(cache)) && name[strlen(cache)] == '/';
	}
	free(cache);
	return is;
}

static int empty_file(void)
{
	int fd = memfd_create("nothing", MFD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Returns @fd; or closes it, and returns what the reader gets in its place. */
static int judge(const struct broker_files *f, const struct broker_request *r, int fd)
{
	if (fd < 0 || is_named(f, r->path))
		return fd;
	if (!is_of_kernel(fd) && (has_wanted_magic(fd) || is_perf_map(r->path) || f->sources ||
				  is_in_cache(f, fd)))
		return fd;
	close(fd);
	return empty_file();
}

static int open_plainly(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* Of /proc/self/NAME that of the reader. */
static int open_of_system(const struct broker_request *r)
{
	static const char self[] = "/proc/self/";
	char path[PATH_MAX + 32];

	if (strncmp(r->path, self, strlen(self)))
		return open_plainly(r->path, r->flags);
	snprintf(path, sizeof(path), "/proc/%d/%s", r->reader, r->path + strlen(self));
	return open_plainly(path, r->flags);
}

static int serve_open(struct broker_files *f, const struct broker_request *r)
{
	const int reading = O_NONBLOCK | O_NOFOLLOW | O_DIRECTORY | O_PATH | O_CLOEXEC;
	bool writes = (r->flags & O_ACCMODE) != O_RDONLY;

	if (is_of_system(r->path) && (!writes || !strcmp(r->path, "/dev/null")))
		return open_of_system(r);
	/* Only what is written to directly, and there: replace_file__open() makes all others. */
	if (writes)
		return f->output && !strcmp(r->path, f->output) ?
		       out_place__open_special(r->path, O_WRONLY, NULL) : -EPERM;
	if (is_named(f, r->path) && r->flags & O_NOFOLLOW)
		return open_plainly(r->path, r->flags & reading);
	if (is_named(f, r->path) ||
	    (r->flags & O_PATH && f->output && !strcmp(r->path, f->output)))
		return path_walk__open(r->path, r->flags & reading);
	if (!(r->flags & O_NOFOLLOW))
		return judge(f, r, find_regular(f, r));
	return judge(f, r, open_plainly(r->path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK));
}

static int serve_temporary(struct error *words)
{
	struct tempfile t;
	int ret = tempfile__open(&t, words), fd;

	if (ret)
		return ret;
	fd = t.fd;
	t.fd = -1;
	tempfile__close(&t);
	return fd;
}

static int serve_private_dir(struct broker_files *f, const struct broker_request *r,
			     struct error *words)
{
	struct stat st;
	int fd;

	if (!f->cache || strcmp(r->path, f->cache) || r->name[0] != '.' ||
	    !isalpha((unsigned char)r->name[1]) || strchr(r->name, '/') ||
	    f->nr_folders == BROKER_FOLDERS)
		return error__set(words, -EPERM, "'%s' is not a folder of the cache", r->path);
	fd = private_dir__open(r->path, r->name, words);
	if (fd >= 0 && !fstat(fd, &st)) {
		f->folders[f->nr_folders].dev = st.st_dev;
		f->folders[f->nr_folders++].ino = st.st_ino;
	}
	return fd;
}

static bool is_private(const struct broker_files *f, int dir)
{
	struct stat st;

	if (dir < 0 || fstat(dir, &st))
		return false;
	for (u32 i = 0; i < f->nr_folders; i++)
		if (f->folders[i].dev == st.st_dev && f->folders[i].ino == st.st_ino)
			return true;
	return false;
}

static bool is_plain_name(const char *name)
{
	return *name && strcmp(name, "..") && !strchr(name, '/');
}

static int serve_beneath(const struct broker_files *f, const struct broker_request *r, int dir)
{
	int ret = -EPERM;

	if (!is_private(f, dir) || !is_plain_name(r->name))
		return -EPERM;
	switch (r->what) {
	case BROKER_RENAME:
		if (is_plain_name(r->path))
			ret = beneath__rename(dir, r->name, r->path);
		break;
	case BROKER_REMOVE:
		ret = beneath__remove(dir, r->name, 0);
		break;
	default:
		ret = beneath__open(dir, r->name, r->flags, 0600);
	}
	return ret;
}

static int serve_output(struct broker_files *f, const struct broker_request *r,
			struct broker_answer *a)
{
	int ret = -EPERM, fd;

	if (!f->output || strcmp(r->path, f->output))
		return error__set(&a->words, -EPERM, "'%s' is not the output", r->path);
	switch (r->what) {
	case BROKER_REPLACE:
		replace_file__abort(&f->file);
		ret = replace_file__open(&f->file, f->output, &a->words);
		a->number = !ret && f->file.fd >= 0;
		if (a->number) {
			fd = fcntl(f->file.fd, F_DUPFD_CLOEXEC, 3);
			ret = fd < 0 ? -errno : fd;
		}
		break;
	case BROKER_REPLACED:
		f->file.keep = r->number;
		f->file.program = r->flags;
		ret = replace_file__commit(&f->file, &a->number, &a->words);
		if (f->file.old)
			snprintf(a->name, sizeof(a->name), "%s", f->file.old);
		break;
	default:
		replace_file__abort(&f->file);
		ret = 0;
	}
	return ret;
}

static int serve_make(const struct broker_files *f, const struct broker_request *r,
		      struct error *words)
{
	if (!f->makes || !f->makes(f->makes_ctx, r->path))
		return error__set(words, -EPERM, "'%s' is not a file that this command makes",
				  r->path);
	return r->what == BROKER_UNMAKE ? output_file__remove(r->path) :
	       output_file__open(r->path, r->flags, r->number & 0666, words);
}

static int parent_of(pid_t pid)
{
	char path[32], *text, *behind;
	int ppid = 0;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (procfile__read(path, &text, NULL))
		return 0;
	behind = strrchr(text, ')');
	if (behind)
		sscanf(behind, ") %*c %d", &ppid);
	free(text);
	return ppid;
}

/*
 * By a descriptor, so that it is the process that was looked at. (Before Linux 5.3 there is none; a
 * number is not another's while the reader has not waited for the child.)
 */
static int serve_kill(const struct broker_request *r)
{
	int fd = syscall(SYS_pidfd_open, (pid_t)r->number, 0), ret = -EPERM;

	if (fd < 0 && errno != ENOSYS)
		return -errno;
	if (parent_of(r->number) == r->reader)
		ret = (fd < 0 ? kill(r->number, SIGKILL) :
				syscall(SYS_pidfd_send_signal, fd, SIGKILL, NULL, 0)) ? -errno : 0;
	if (fd >= 0)
		close(fd);
	return ret;
}

static int serve_run(struct broker_files *f, const struct broker_request *r, int passed,
		     struct broker_answer *a)
{
	pid_t pid;
	int ends[2];

	if (!f->run || f->running || passed < 0)
		return -EPERM;
	if (pipe2(ends, O_CLOEXEC))
		return -errno;
	pid = f->run(f->run_ctx, passed, r->range[0], r->range[1], ends[1]);
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return pid;
	}
	a->number = f->running = pid;
	return ends[0];
}

static int serve_wait(struct broker_files *f, const struct broker_request *r,
		      struct broker_answer *a)
{
	int status = 0;

	if (!f->running || r->number != f->running)
		return -ECHILD;
	while (waitpid(f->running, &status, 0) < 0 && errno == EINTR)
		;
	f->running = 0;
	a->number = status;
	return 0;
}

static int serve_one(struct broker_files *f, const struct broker_request *r, int passed,
		     struct broker_answer *a)
{
	switch (r->what) {
	case BROKER_OPEN:
		return serve_open(f, r);
	case BROKER_OPEN_REGULAR:
		return judge(f, r, find_regular(f, r));
	case BROKER_TEMPORARY:
		return serve_temporary(&a->words);
	case BROKER_PRIVATE_DIR:
		return serve_private_dir(f, r, &a->words);
	case BROKER_BENEATH:
	case BROKER_RENAME:
	case BROKER_REMOVE:
		return serve_beneath(f, r, passed);
	case BROKER_REPLACE:
	case BROKER_REPLACED:
	case BROKER_DROP:
		return serve_output(f, r, a);
	case BROKER_MAKE:
	case BROKER_UNMAKE:
		return serve_make(f, r, &a->words);
	case BROKER_RUN:
		return serve_run(f, r, passed, a);
	case BROKER_WAIT:
		return serve_wait(f, r, a);
	case BROKER_KILL:
		return serve_kill(r);
	}
	return -EPERM;
}

static bool hands_over(const struct broker_request *r, const struct broker_answer *a)
{
	switch (r->what) {
	case BROKER_RENAME:
	case BROKER_REMOVE:
	case BROKER_REPLACED:
	case BROKER_DROP:
	case BROKER_UNMAKE:
	case BROKER_KILL:
	case BROKER_WAIT:
		return false;
	case BROKER_REPLACE:
		return a->number;
	default:
		return true;
	}
}

int broker_files__serve(void *ctx, const struct broker_request *request, int passed,
			struct broker_answer *answer)
{
	struct broker_files *f = ctx;
	int ret;

	if (!request) { /* the reader has ended */
		replace_file__abort(&f->file);
		return -1;
	}
	ret = serve_one(f, request, passed, answer);
	answer->err = min_of(ret, 0);
	return ret >= 0 && hands_over(request, answer) ? ret : -1;
}
