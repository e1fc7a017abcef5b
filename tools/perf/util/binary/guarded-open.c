// SPDX-License-Identifier: GPL-2.0-only
#include "guarded-open.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../io/memory-copy.h"
#include "../io/mounts.h"
#include "../io/privileges.h"
#include "../io/regular-file.h"
#include "../io/side-process.h"

/*
 * A network file system that works answers in some 50 ms. While recording, samples wait meanwhile.
 */
#define LIVE_LIMIT_MS 500
#define LIMIT_MS 5000
#define MAX_COPIED (1ull << 30)

struct guarded_open {
	struct binary_opts opts;
	struct mounts *mounts;
	struct mounts *served;      /* the same in the other process, in its copy of this */
	struct side_process *process;
	struct budget copies;
};

/* The other process is a fork of this one: pointers that were set before are valid there. */
struct open_request {
	const struct binary_opts *opts;
	struct dso dso;             /* its name is in .path */
	char path[PATH_MAX];
	struct binary_use use;
	bool has_use;
	bool wants_debug;           /* the debug file, or else the binary */
	struct debug_wanted debug;
	u64 max_copy;               /* bytes that a copy may take */
	u64 checksums;              /* bytes that may be read for checksums */
};

struct open_answer {
	int err;                    /* 0, or why there is no descriptor */
	u64 copied;                 /* bytes; 0: it is the file itself */
	u64 checksums;              /* those that are left */
};

_Static_assert(sizeof(struct open_request) <= SIDE_PROCESS_MAX, "a request fits into a message");

static int serve_open(void *ctx, const void *request, void *answer)
{
	struct guarded_open *g = ctx;
	const struct open_request *r = request;
	struct budget checksums = { .left = r->checksums };
	struct open_answer *a = answer;
	struct dso dso = r->dso;
	int fd;

	if (!g->served)
		g->served = mounts__new();
	dso.name = dso.short_name = dso.path = r->path;
	if (r->wants_debug)
		fd = debug_wanted__open(&r->debug, r->opts, &checksums, NULL);
	else
		fd = binary__open(r->opts, &dso, r->has_use ? &r->use : NULL, NULL);
	if (fd >= 0 && !regular_file__is_local(fd, g->served))
		fd = memory_copy__take(fd, r->max_copy, &a->copied);
	a->err = min_of(fd, 0);
	a->checksums = checksums.left;
	return fd;
}

struct guarded_open *guarded_open__new(const struct binary_opts *opts)
{
	static const struct sandbox_limits limits = { .opens = true };
	struct guarded_open *g = xzalloc(sizeof(*g));
	const struct side_process_opts process = {
		.sandbox = &limits,
		.serve = serve_open, .ctx = g, .limit_ms = opts->live ? LIVE_LIMIT_MS : LIMIT_MS,
		.request_size = sizeof(struct open_request),
		.answer_size = sizeof(struct open_answer),
		.privileges = privileges__of_looking(),
	};

	g->opts = *opts;
	g->mounts = mounts__new();
	g->process = side_process__new(&process);
	g->copies.left = MAX_COPIED;
	return g;
}

/* The rest of @r is filled by the caller. */
static int guarded_open__ask(struct guarded_open *g, struct open_request *r, u64 *checksums,
			     u64 *copied)
{
	struct open_answer a;
	int fd, ret;

	r->opts = &g->opts;
	r->max_copy = g->copies.left;
	ret = side_process__ask(g->process, r, &a, &fd);
	if (ret)
		return ret;
	*copied = a.copied;
	budget__take(&g->copies, a.copied);
	if (checksums)
		*checksums = a.checksums;
	return a.err ? a.err : fd;
}

int guarded_open__binary(struct guarded_open *g, const struct dso *dso,
			 const struct binary_use *use, u64 *copied)
{
	const struct binary_use first = { dso->pid, dso->start, dso->end };
	struct open_request r = { .dso = *dso, .has_use = use };
	int fd = -ENOENT;

	*copied = 0;
	if (g->opts.live)
		fd = binary__open_mapped(dso, use ? use : &first, g->mounts);
	if (fd < 0)
		fd = binary__open(&g->opts, dso, use, g->mounts);
	if (fd != -EAGAIN)
		return fd;
	if (strlen(dso->path) >= sizeof(r.path))
		return -ENAMETOOLONG;
	memcpy(r.path, dso->path, strlen(dso->path));
	if (use)
		r.use = *use;
	return guarded_open__ask(g, &r, NULL, copied);
}

void guarded_open__drop(struct guarded_open *g, u64 copied)
{
	budget__give_back(&g->copies, copied);
}

int guarded_open__debug(struct guarded_open *g, const struct debug_wanted *want,
			struct budget *checksums)
{
	struct open_request r = {
		.wants_debug = true, .debug = *want, .checksums = checksums->left,
	};
	u64 copied; /* never given back: the user of the file does not say when it is closed */
	int fd = debug_wanted__open(want, &g->opts, checksums, g->mounts);

	if (fd != -EAGAIN)
		return fd;
	return guarded_open__ask(g, &r, &checksums->left, &copied);
}

u32 guarded_open__nr_given_up(const struct guarded_open *g)
{
	return side_process__nr_unanswered(g->process);
}

void guarded_open__free(struct guarded_open *g)
{
	if (!g)
		return;
	side_process__free(g->process);
	mounts__free(g->mounts);
	free(g);
}
