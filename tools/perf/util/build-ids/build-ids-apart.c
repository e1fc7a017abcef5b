// SPDX-License-Identifier: GPL-2.0-only
/* The build-ids of a recording, read by a process of its own. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "build-ids.h"
#include "../cli/reader-confine.h"
#include "../text/textbuf.h"

struct question {
	const char *input;
	bool force;
	const struct symbols_opts *symbols;
	struct textbuf found; /* struct found, one behind the other */
};

struct found {
	struct build_id id;
	char name[256];
};

static void put(void *ctx, const struct build_ids_item *item)
{
	struct question *q = ctx;
	struct found f = { .id = *item->id };

	snprintf(f.name, sizeof(f.name), "%s", item->name);
	if (item->id->size)
		textbuf__put(&q->found, (const char *)&f, sizeof(f));
}

/* In a process of its own. @result: a struct error */
static int visit(void *ctx, void *result)
{
	struct question *q = ctx;
	struct error *err = result;
	int ret;

	reader__confine(&(struct reader_names){ .input = q->input }, q->symbols);
	ret = build_ids__visit(q->input, q->force, BUILD_IDS_HITS, q->symbols, put, q, err);
	if (!ret && textbuf__flush(&q->found))
		ret = error__set(err, q->found.error, "cannot keep the list: %s",
				 strerror(-q->found.error));
	return !!ret;
}

int build_ids__visit_apart(const char *input, bool force, const struct symbols_opts *symbols,
			   void (*fn)(void *ctx, const struct build_id *id, const char *name),
			   void *ctx, struct error *err)
{
	struct question q = { .input = input, .force = force, .symbols = symbols };
	int fd = memfd_create("build-ids", MFD_CLOEXEC), status;
	struct found f;

	if (fd < 0)
		return error__set(err, -errno, "cannot keep the list: %s", strerror(errno));
	textbuf__init(&q.found, fd);
	status = reader__apart(visit, &q, err, sizeof(*err));
	for (off_t at = 0; !status && pread(fd, &f, sizeof(f), at) == sizeof(f); at += sizeof(f)) {
		f.name[sizeof(f.name) - 1] = '\0';
		if (f.id.size <= BUILD_ID_MAX)
			fn(ctx, &f.id, f.name);
	}
	textbuf__free(&q.found);
	close(fd);
	err->text[sizeof(err->text) - 1] = '\0';
	return !status ? 0 : err->code ?: -EIO;
}
