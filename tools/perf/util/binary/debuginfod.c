// SPDX-License-Identifier: GPL-2.0-only
#include "debuginfod.h"

#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/number.h"
#include "../io/secure-env.h"
#include "../io/side-process.h"
#include "build-id.h"

#define LIBRARY "libdebuginfod.so.1"
#define STALL_MS 20000
#define GRACE_MS 3000     /* in which the library can stop by itself, and clean up */
#define ALL_MS (5 * 60000)
#define MAX_FAILURES 2    /* of servers, behind which they are not asked any more */
#define MAX_BYTES (4ull << 30)

/* libdebuginfod(3). */
typedef struct debuginfod_client client;
typedef client *(*begin_fn)(void);
typedef int (*find_fn)(client *c, const unsigned char *id, int size, char **path);
typedef int (*progress_fn)(client *c, long done, long total);
typedef void (*set_progress_fn)(client *c, progress_fn fn);
typedef void (*set_data_fn)(client *c, void *data);
typedef void *(*get_data_fn)(client *c);

struct library {
	begin_fn begin;
	find_fn find[2]; /* enum debuginfod_kind */
	set_progress_fn set_progress;
	set_data_fn set_data;
	get_data_fn get_data;
};

/* What both processes see: how far a request is. */
struct shared {
	volatile u64 done, total, began_ns, moved_ns; /* bytes; times of CLOCK_MONOTONIC */
};

struct request {
	enum debuginfod_kind kind;
	struct build_id id;
};

struct answer {
	int err; /* 0, or why there is no descriptor */
};

struct debuginfod {
	struct debuginfod_opts opts;
	struct side_process *process;
	u32 nr_users;          /* how often it is to be freed */
	struct shared *shared;
	const char *name;      /* of what is being asked for */
	u64 stall_ns, left_ns; /* of all requests together */
	VEC(struct request) asked; /* and not found */
	u32 nr_wrong, nr_failed;
	int err;               /* of the last one that failed */
	struct library lib;    /* these three in the other process only */
	client *client;
	int stopped;           /* -errno: why the present request has no result */
};

static int note_progress(client *c, long done, long total)
{
	/* The library passes nothing else along: the data of the client. */
	struct debuginfod *d = NULL;
	get_data_fn get_data = (get_data_fn)dlsym(RTLD_DEFAULT, "debuginfod_get_user_data");
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (get_data)
		d = get_data(c);
	if (!d)
		return 1;
	if (done > 0 && (u64)done != d->shared->done)
		d->shared->moved_ns = now;
	d->shared->done = max_of(done, 0L);
	d->shared->total = max_of(total, 0L);
	if (done > (long)MAX_BYTES || total > (long)MAX_BYTES)
		d->stopped = -EFBIG;
	else if (now - d->shared->moved_ns > d->stall_ns ||
		 now - d->shared->began_ns > d->left_ns)
		d->stopped = -ETIMEDOUT;
	return d->stopped;
}

static int load(struct debuginfod *d)
{
	void *object = trusted_code__load(LIBRARY, RTLD_NOW | RTLD_GLOBAL, NULL);
	struct library *l = &d->lib;

	if (!object)
		return -ELIBACC;
	/* A file that may not be larger (ulimit -f) is an error, and the library cleans up. */
	signal(SIGXFSZ, SIG_IGN);
	l->begin = (begin_fn)dlsym(object, "debuginfod_begin");
	l->find[DEBUGINFOD_BINARY] = (find_fn)dlsym(object, "debuginfod_find_executable");
	l->find[DEBUGINFOD_DEBUG] = (find_fn)dlsym(object, "debuginfod_find_debuginfo");
	l->set_progress = (set_progress_fn)dlsym(object, "debuginfod_set_progressfn");
	l->set_data = (set_data_fn)dlsym(object, "debuginfod_set_user_data");
	if (!l->begin || !l->find[0] || !l->find[1] || !l->set_progress || !l->set_data)
		return -ELIBBAD;
	d->client = l->begin();
	if (!d->client)
		return -ENOMEM;
	l->set_data(d->client, d);
	l->set_progress(d->client, note_progress);
	return 0;
}

/* In the other process. */
static int serve_find(void *ctx, const void *request, void *answer)
{
	const struct request *r = request;
	struct debuginfod *d = ctx;
	struct answer *a = answer;
	char *path = NULL;
	int fd;

	if ((u32)r->kind > DEBUGINFOD_DEBUG || r->id.size > BUILD_ID_MAX)
		a->err = -EINVAL;
	else
		a->err = d->client ? 0 : load(d);
	if (a->err)
		return -1;
	d->stopped = 0;
	fd = d->lib.find[r->kind](d->client, r->id.data, r->id.size, &path);
	free(path);
	/* The library calls it -ENOENT. */
	a->err = fd < 0 && d->stopped ? d->stopped : min_of(fd, 0);
	return fd;
}

/* Not into the folders of another user, as those of who has called sudo. */
static bool may_keep_files(void)
{
	static const char *const names[] = { "DEBUGINFOD_CACHE_PATH", "XDG_CACHE_HOME", "HOME" };
	struct stat st;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *dir = secure_env__get(names[i]);

		if (dir && *dir)
			return stat(dir, &st) || st.st_uid == geteuid();
	}
	return false;
}

static bool is_waiting(void *ctx)
{
	struct debuginfod *d = ctx;
	const struct shared *s = d->shared;
	u64 now = clock__now(CLOCK_MONOTONIC), grace = GRACE_MS * NSEC_PER_MSEC;

	if (d->opts.progress)
		d->opts.progress(d->opts.ctx, d->name, s->done, s->total);
	return now < s->moved_ns + d->stall_ns + grace && now < s->began_ns + d->left_ns + grace;
}

struct debuginfod *debuginfod__new(const struct debuginfod_opts *opts)
{
	const char *urls = secure_env__get("DEBUGINFOD_URLS");
	const char *limit = secure_env__get("DEBUGINFOD_TIMEOUT");
	struct side_process_opts process = {
		.serve = serve_find, .tick = is_waiting, .limit_ms = UINT32_MAX,
		.request_size = sizeof(struct request), .answer_size = sizeof(struct answer),
	};
	struct debuginfod *d;
	struct shared *shared;
	u64 seconds;

	if (opts->started)
		opts->started->nr_users++;
	if (opts->started || !urls || !urls[strspn(urls, " ")])
		return opts->started;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		      -1, 0);
	if (shared == MAP_FAILED)
		return NULL;
	d = xzalloc(sizeof(*d));
	d->opts = *opts;
	d->nr_users = 1;
	d->shared = shared;
	d->stall_ns = STALL_MS * NSEC_PER_MSEC;
	if (limit && parse_u64(limit, &seconds) && seconds && seconds < ALL_MS / 1000)
		d->stall_ns = seconds * NSEC_PER_SEC;
	d->left_ns = ALL_MS * NSEC_PER_MSEC;
	process.ctx = d;
	d->process = side_process__new(&process);
	return d;
}

struct debuginfod *debuginfod__start(const struct debuginfod_opts *opts)
{
	struct debuginfod *d = debuginfod__new(opts);

	if (d)
		side_process__prepare(d->process, MAX_FAILURES);
	return d;
}

void debuginfod__free(struct debuginfod *d)
{
	if (!d || --d->nr_users)
		return;
	side_process__free(d->process);
	munmap(d->shared, sizeof(*d->shared));
	vec__free(&d->asked);
	free(d);
}

static bool was_asked(const struct debuginfod *d, const struct request *r)
{
	for (size_t i = 0; i < d->asked.nr; i++)
		if (d->asked.v[i].kind == r->kind && build_id__equal(&d->asked.v[i].id, &r->id))
			return true;
	return false;
}

/* Returns @fd; or closes it and returns -errno when it is not what was asked for. */
static int check_file(struct debuginfod *d, int fd, const struct build_id *id)
{
	struct build_id found;
	struct stat st;

	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && !build_id__read_fd(fd, &found) &&
	    build_id__equal(&found, id))
		return fd;
	close(fd);
	d->nr_wrong++;
	return -ENOENT;
}

static int ask(struct debuginfod *d, const struct request *r)
{
	u64 now = clock__now(CLOCK_MONOTONIC), took;
	struct answer a = {};
	int fd, ret;

	*d->shared = (struct shared){ .began_ns = now, .moved_ns = now };
	ret = side_process__ask(d->process, r, &a, &fd);
	if (d->opts.progress)
		d->opts.progress(d->opts.ctx, NULL, 0, 0);
	took = clock__now(CLOCK_MONOTONIC) - now;
	d->left_ns -= min_of(took, d->left_ns);
	return ret ? ret : a.err ? a.err : fd;
}

int debuginfod__find(struct debuginfod *d, enum debuginfod_kind kind, const struct build_id *id,
		     const char *name)
{
	struct request r = { .kind = kind, .id = *id };
	int fd;

	if (!d || id->size < 8 || d->nr_failed >= MAX_FAILURES || !d->left_ns || was_asked(d, &r))
		return -ENOENT;
	d->name = name;
	fd = may_keep_files() ? ask(d, &r) : -EPERM;
	if (fd >= 0)
		fd = check_file(d, fd, id);
	if (fd >= 0)
		return fd;
	*vec__push(&d->asked) = r;
	if (fd != -ENOENT) {
		d->err = fd;
		d->nr_failed = fd == -ELIBACC || fd == -EPERM ? MAX_FAILURES : d->nr_failed + 1;
	}
	return fd;
}

static const char *reason(int err)
{
	switch (err) {
	case -ELIBACC:
	case -ELIBBAD:
		return LIBRARY " cannot be loaded";
	case -EPERM:
		return "its cache would be in a folder of another user: with sudo, use sudo -H";
	case -ETIMEDOUT:
	case -EPIPE:
	case -EINTR:
	case -ETIME:
		return "nothing came in time";
	}
	return strerror(-err);
}

int debuginfod__error(const struct debuginfod *d, struct error *err)
{
	if (!d || (!d->nr_failed && !d->nr_wrong && d->left_ns))
		return 0;
	if (d->nr_failed)
		return error__set(err, d->err, "the servers of DEBUGINFOD_URLS did not send a "
					       "file: %s%s", reason(d->err),
				  d->nr_failed >= MAX_FAILURES ? "; they are not asked again" : "");
	if (!d->left_ns)
		return error__set(err, -ETIMEDOUT, "not all files were downloaded from the servers "
						   "of DEBUGINFOD_URLS: the limit of %d minutes is "
						   "used up", ALL_MS / 60000);
	return error__set(err, -ESTALE, "the servers of DEBUGINFOD_URLS sent %u files of other "
			  "build-ids, which were not used", d->nr_wrong);
}
