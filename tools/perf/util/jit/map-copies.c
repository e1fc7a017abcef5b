// SPDX-License-Identifier: GPL-2.0-only
#include "map-copies.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/hash.h"
#include "../base/log.h"
#include "../base/vec.h"
#include "../io/mapfile.h"
#include "../io/memory-copy.h"
#include "../io/privileges.h"
#include "../io/procfile.h"
#include "../io/side-process.h"
#include "../io/write-all.h"

#define MAX_MAP (256u << 20)      /* bytes of one map */
/* A file may be a hole, of which the copy is none, and who makes one can make thousands. */
#define MAX_BYTES (2ull << 30)
#define MAX_FOLDERS 1024          /* that are held at a time */
#define LIMIT_MS 500              /* samples wait meanwhile */

enum map_op {
	HOLD, /* the folder of a process */
	COPY, /* what is in it, and let it go */
};

struct map_request {
	enum map_op op;
	u32 pid;
};

struct map_answer {
	int err;      /* 0, or why there is no copy */
	bool is_held; /* the folder of a process that has its map elsewhere */
};

/* What the other process knows of one that is being recorded. */
struct held {
	int folder;   /* an O_PATH descriptor of its /tmp */
	u32 number;   /* by which it calls itself */
	uid_t uid;
};

/* And what this one knows of it. */
enum state {
	HERE = 1, /* its map is where readers look; or nothing can be known */
	HELD,     /* its map will be copied */
	ANNOUNCED,
};

struct map_copies {
	struct map_copies_opts opts;
	struct map_copies_account account;
	struct side_process *process;
	struct map64 states;   /* pid -> enum state */
	struct budget bytes;   /* that may still be written */
	struct map64 copied;   /* pids; a copy before an execve() is replaced by a later one */
	u32 nr_held;           /* that are not ANNOUNCED */
	u32 nr_folders;
	struct map64 folders;  /* of the other process: pid -> struct held */
};

/* Its number in the innermost namespace, and the user id that its files have. */
static bool read_status(u32 pid, struct held *h)
{
	char path[64], *text;

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	if (procfile__read(path, &text, NULL))
		return false;
	h->number = procfile__last_number(text, "NSpid:");
	h->uid = procfile__last_number(text, "Uid:");
	free(text);
	return h->number;
}

static int hold(struct map_copies *c, u32 pid, struct map_answer *a)
{
	char path[64];
	struct stat theirs, ours;
	struct held *h;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/root/tmp", pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	h = xzalloc(sizeof(*h));
	h->folder = fd;
	if (!read_status(pid, h) || fstat(fd, &theirs) ||
	    (!stat("/tmp", &ours) && theirs.st_dev == ours.st_dev &&
	     theirs.st_ino == ours.st_ino && h->number == pid)) {
		close(fd);
		free(h);
		return 0;
	}
	map64__set(&c->folders, pid, h);
	a->is_held = true;
	return 0;
}

/* Opens what is no link: a regular file of root, of this user, or of the process's user. */
static int open_map(const struct held *h)
{
	char name[64];
	struct stat st;
	int where, fd, ret;

	snprintf(name, sizeof(name), "perf-%u.map", h->number);
	where = openat(h->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	if (where < 0)
		return -errno;
	ret = fstat(where, &st) ? -errno : !S_ISREG(st.st_mode) ? -EINVAL : 0;
	if (!ret && st.st_uid && st.st_uid != geteuid() && st.st_uid != h->uid)
		ret = -EPERM;
	snprintf(name, sizeof(name), "/proc/self/fd/%d", where);
	fd = ret ? ret : open(name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd == -1 && !ret)
		fd = -errno;
	close(where);
	return fd;
}

static int copy(struct map_copies *c, u32 pid)
{
	struct held *h = map64__del(&c->folders, pid);
	u64 copied;
	int fd;

	if (!h)
		return -ESTALE; /* it was known to a process that had to be left behind */
	fd = open_map(h);
	close(h->folder);
	free(h);
	return fd < 0 ? fd : memory_copy__take(fd, MAX_MAP, &copied);
}

/* In the other process. */
static int serve(void *ctx, const void *request, void *answer)
{
	struct map_copies *c = ctx;
	const struct map_request *r = request;
	struct map_answer *a = answer;
	int fd;

	*a = (struct map_answer){};
	if (r->op == HOLD) {
		a->err = hold(c, r->pid, a);
		return -1;
	}
	fd = copy(c, r->pid);
	a->err = min_of(fd, 0);
	return max_of(fd, -1);
}

struct map_copies *map_copies__new(const struct map_copies_opts *opts)
{
	static const struct sandbox_limits limits = { .opens = true };
	struct map_copies *c = xzalloc(sizeof(*c));
	const struct side_process_opts process = {
		.sandbox = &limits, .serve = serve, .ctx = c, .limit_ms = LIMIT_MS,
		.request_size = sizeof(struct map_request),
		.answer_size = sizeof(struct map_answer),
		.privileges = privileges__of_looking(),
	};

	c->opts = *opts;
	c->bytes.left = opts->max_bytes ?: MAX_BYTES;
	c->process = side_process__new(&process);
	return c;
}

void map_copies__free(struct map_copies *c)
{
	if (!c)
		return;
	side_process__free(c->process);
	map64__free(&c->states);
	map64__free(&c->copied);
	free(c);
}

static bool same_link(u32 pid, const char *name)
{
	char path[64], ours[PATH_MAX] = "", theirs[PATH_MAX] = "";

	snprintf(path, sizeof(path), "/proc/self/%s", name);
	if (readlink(path, ours, sizeof(ours) - 1) < 0)
		return true;
	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	/* Whose links may not be read, his files may not either. */
	return readlink(path, theirs, sizeof(theirs) - 1) < 0 || !strcmp(ours, theirs);
}

/* Nearly all processes see the same files as this one, by the same names. */
static bool is_elsewhere(u32 pid)
{
	return !same_link(pid, "ns/mnt") || !same_link(pid, "ns/pid") || !same_link(pid, "root");
}

void map_copies__note(struct map_copies *c, u32 pid)
{
	const struct map_request r = { HOLD, pid };
	enum state state = HERE;
	struct map_answer a;
	int fd;

	if (map64__get(&c->states, pid))
		return;
	if (is_elsewhere(pid) && c->nr_folders >= MAX_FOLDERS) {
		c->account.failed++;
	} else if (is_elsewhere(pid) && !side_process__ask(c->process, &r, &a, &fd) && a.is_held) {
		state = HELD;
		c->nr_held++;
		c->nr_folders++;
	}
	map64__set(&c->states, pid, (void *)(uintptr_t)state);
}

static void copy_name(u32 pid, char *name, size_t size)
{
	snprintf(name, size, "perf-%u.map", pid);
}

int map_copies__announce(struct map_copies *c, u32 pid, u64 time)
{
	char *path, name[32];
	int ret;

	if (!c->nr_held || (enum state)(uintptr_t)map64__get(&c->states, pid) != HELD)
		return 0;
	map64__set(&c->states, pid, (void *)(uintptr_t)ANNOUNCED);
	c->nr_held--;
	copy_name(pid, name, sizeof(name));
	path = xasprintf("%s/%s", c->opts.dir->path, name);
	ret = c->opts.on_file(c->opts.ctx, pid, path, time);
	free(path);
	return ret;
}

void map_copies__next_file(struct map_copies *c)
{
	map64__for_each(&c->states, slot)
		if ((enum state)(uintptr_t)slot->value == ANNOUNCED) {
			slot->value = (void *)(uintptr_t)HELD;
			c->nr_held++;
		}
}

static int save(struct map_copies *c, u32 pid, int from)
{
	struct mapfile file;
	char name[32];
	int fd, ret = mapfile__map(&file, from);

	if (ret)
		return ret;
	copy_name(pid, name, sizeof(name));
	fd = budget__take(&c->bytes, file.size) ? jit_dir__create(c->opts.dir, name) : -EFBIG;
	ret = fd < 0 ? fd : write_all(fd, file.data, file.size, NULL);
	if (fd >= 0)
		close(fd);
	mapfile__unmap(&file);
	return ret;
}

static void copy_map(struct map_copies *c, u32 pid)
{
	const struct map_request r = { COPY, pid };
	struct map_answer a = {};
	int fd = -1, ret = side_process__ask(c->process, &r, &a, &fd);

	ret = ret ?: a.err;
	if (!ret)
		ret = save(c, pid, fd);
	if (fd >= 0)
		close(fd);
	if (!ret)
		map64__set(&c->copied, pid, (void *)1);
	c->account.refused += ret == -EPERM;
	c->account.failed += ret && ret != -EPERM && ret != -ENOENT;
	if (ret && ret != -ENOENT)
		pr_debug("the perf map of process %u is not copied: %s\n", pid, strerror(-ret));
}

static void map_copies__end(struct map_copies *c, u32 pid)
{
	enum state state = (enum state)(uintptr_t)map64__del(&c->states, pid);

	c->nr_held -= state == HELD;
	if (state != HELD && state != ANNOUNCED)
		return;
	c->nr_folders--;
	copy_map(c, pid);
}

void map_copies__record(struct map_copies *c, const struct record *rec)
{
	if ((rec->hdr->type == PERF_RECORD_EXIT && rec->pid == rec->tid) ||
	    (rec->hdr->type == PERF_RECORD_COMM &&
	     rec->hdr->misc & PERF_RECORD_MISC_COMM_EXEC))
		map_copies__end(c, rec->pid);
}

const struct map_copies_account *map_copies__finish(struct map_copies *c)
{
	VEC(u32) pids = {};

	map64__for_each(&c->states, slot)
		*vec__push(&pids) = slot->key;
	for (size_t i = 0; i < pids.nr; i++)
		map_copies__end(c, pids.v[i]);
	vec__free(&pids);
	c->account.copied = c->copied.nr;
	return &c->account;
}
