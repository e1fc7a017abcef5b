// SPDX-License-Identifier: GPL-2.0-only
#include "dumps.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/text.h"
#include "../io/output-file.h"

#define DUMP ".dump"

/* The name comes from the recording, and must not lead into another folder. */
static char *path_of(const char *input, const char *event)
{
	char *path = xasprintf("%s.%s" DUMP, input, event);

	char *name = path + strlen(input) + 1;

	name__disarm(name, strlen(name));
	for (char *p = name; *p; p++)
		if (*p == '/' || *p == '?')
			*p = '_';
	return path;
}

bool event_dumps__is_path(const char *input, const char *path)
{
	size_t head = strlen(input), len = strlen(path), tail = strlen(DUMP);

	return len > head + 1 + tail && !strncmp(path, input, head) && path[head] == '.' &&
	       !strchr(path + head, '/') && !strcmp(path + len - tail, DUMP);
}

static struct event_dump *find(const struct event_dumps *d, const char *path)
{
	for (size_t i = 0; i < d->files.nr; i++)
		if (d->files.v[i] && !strcmp(d->files.v[i]->path, path))
			return d->files.v[i];
	return NULL;
}

static void fail(struct event_dumps *d, int err, const char *path)
{
	d->error = error__set(&d->why, err, "cannot write %s: %s", path, strerror(-err));
}

static struct event_dump *open_dump(struct event_dumps *d, const char *input, const char *event)
{
	char *path = path_of(input, event);
	struct event_dump *f = find(d, path);
	int fd;

	if (f) {
		free(path);
		return f;
	}
	fd = output_file__open(path, OUTPUT_FILE_INSTEAD, 0666, NULL);
	if (fd < 0) {
		fail(d, fd, path);
		free(path);
		return NULL;
	}
	f = xzalloc(sizeof(*f));
	f->path = path;
	textbuf__init(&f->tb, fd);
	return f;
}

struct textbuf *event_dumps__sample(struct event_dumps *d, const char *input,
				    const struct evsel *ev)
{
	struct event_dump *f;

	while (d->files.nr <= ev->idx)
		*vec__push(&d->files) = NULL;
	f = d->files.v[ev->idx];
	if (!f)
		f = d->files.v[ev->idx] = open_dump(d, input, ev->name);
	if (!f)
		return NULL;
	f->nr++;
	return &f->tb;
}

static void close_dump(struct event_dumps *d, struct event_dump *f)
{
	struct stat st = {};

	textbuf__flush(&f->tb);
	if (f->tb.error && !d->error)
		fail(d, f->tb.error, f->path);
	fstat(f->tb.fd, &st);
	if (!f->tb.error)
		printf("[ perf script: Wrote %.3f MB %s (%" PRIu64 " samples) ]\n",
		       st.st_size / 1024.0 / 1024.0, f->path, f->nr);
	close(f->tb.fd);
	textbuf__free(&f->tb);
	free(f->path);
	free(f);
}

int event_dumps__close(struct event_dumps *d, struct error *err)
{
	int ret;

	for (size_t i = 0; i < d->files.nr; i++) {
		struct event_dump *f = d->files.v[i];

		for (size_t k = i; f && k < d->files.nr; k++)
			if (d->files.v[k] == f)
				d->files.v[k] = NULL;
		if (f)
			close_dump(d, f);
	}
	vec__free(&d->files);
	ret = d->error;
	if (ret)
		*err = d->why;
	*d = (struct event_dumps){};
	return ret;
}
