// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names that a library reads which knows no limits, or may fail: another process does it, with
 * limits of time and memory, which all names of a language share. One that it does not survive
 * stays as it is.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/clock.h"
#include "../base/mem.h"
#include "../io/side-process.h"
#include "demangle.h"

#define APART_MEMORY (256UL << 20)
#define LEAST_WORK (NAME_MS_BYTES / 8) /* asking another process takes that long, or less */

struct name_request {
	char name[CXX_MAX_MANGLED];
};

struct name_answer {
	char plain[CXX_MAX_PLAIN]; /* "": it is not a mangled name, or too long */
};

struct name_apart {
	struct side_process *process;
	name_apart_fn demangle;
	void *ctx;
};

static int serve(void *ctx, const void *request, void *answer)
{
	const struct name_request *r = request;
	const struct name_apart *apart = ctx;
	struct name_answer *a = answer;

	apart->demangle(apart->ctx, r->name, a->plain);
	return -1;
}

static struct name_apart *name_apart__new(name_apart_fn demangle, void *ctx)
{
	static const struct sandbox_limits limits = { .memory = APART_MEMORY };
	struct name_apart *apart = xzalloc(sizeof(*apart));

	apart->demangle = demangle;
	apart->ctx = ctx;
	apart->process = side_process__new(&(struct side_process_opts){
		.serve = serve, .ctx = apart, .sandbox = &limits,
		.limit_ms = HEAVY_NAME_MS, .cpu_ms = HEAVY_NAME_MS,
		.request_size = sizeof(struct name_request),
		.answer_size = sizeof(struct name_answer),
	});
	return apart;
}

void name_apart__free(struct name_apart *apart)
{
	if (apart)
		side_process__free(apart->process);
	free(apart);
}

/* Takes the highest possible cost first, and gives back what was not needed. */
char *name_apart__demangle(struct name_apart **apart, name_apart_fn demangle, void *ctx,
			   const char *name, struct demangler *d)
{
	struct name_request *r;
	struct name_answer *a;
	char *plain = NULL;
	u64 bytes;
	int fd, ret;

	if (strlen(name) >= sizeof(r->name) || !demangler__take(d, HEAVY_NAME_WORK))
		return NULL;
	if (!*apart)
		*apart = name_apart__new(demangle, ctx);
	r = xzalloc(sizeof(*r));
	a = xmalloc(sizeof(*a));
	memcpy(r->name, name, strlen(name));
	ret = side_process__ask((*apart)->process, r, a, &fd);
	bytes = side_process__cpu_ns((*apart)->process) / NSEC_PER_MSEC * NAME_MS_BYTES +
		LEAST_WORK;
	if (!ret || ret == -EDQUOT)
		budget__give_back(&d->work, HEAVY_NAME_WORK - min_of(bytes, HEAVY_NAME_WORK));
	if (ret)
		d->nr_left++;
	else if (a->plain[0])
		plain = xstrdup(a->plain);
	free(a);
	free(r);
	return plain;
}
