// SPDX-License-Identifier: GPL-2.0-only
#include "binary-apart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../binary/id-cache.h"
#include "../cli/reader-confine.h"
#include "../io/parcel.h"

struct question {
	const char *file;
	const struct symbols_opts *opts;
	int socket; /* where the descriptors go */
};

/* Is shared with the process that reads. */
struct answer {
	char path[PATH_MAX];
	struct build_id id;
	struct error err;
};

static int find_path(const struct question *q, char *path, struct error *err)
{
	if (q->opts->binary.symfs && *q->opts->binary.symfs)
		snprintf(path, PATH_MAX, "%s", q->file);
	else if (!realpath(q->file, path))
		return error__set(err, -errno, "%s: %s", q->file, strerror(errno));
	return 0;
}

static int parse(const struct question *q, struct binaries *b, struct answer *a)
{
	const struct dso dso = {
		.kind = DSO_USER, .name = a->path, .path = a->path, .short_name = a->path,
		.pid = NO_ID,
	};
	int fd = binaries__fd(b, &dso), debug, ret;

	if (fd < 0)
		return error__set(&a->err, fd, "%s: %s", q->file, fd == -EINVAL ?
				  "it is not a regular file" : strerror(-fd));
	ret = build_id__read_fd(fd, &a->id);
	if (ret)
		return error__set(&a->err, ret, "%s %s", q->file, ret == -ENOENT ?
				  "has no build-id" : "is not an ELF file");
	debug = id_cache__find_debug(b, &dso, fd);
	parcel__send(q->socket, &ret, sizeof(ret), fd);
	parcel__send(q->socket, &ret, sizeof(ret), max_of(debug, -1));
	return 0;
}

/* In a process of its own. @result: a struct answer */
static int read_apart(void *ctx, void *result)
{
	const struct question *q = ctx;
	struct answer *a = result;
	struct machine *m = machine__new(&(struct machine_opts){});
	struct binaries *b = binaries__new(&q->opts->binary, m);
	int ret = find_path(q, a->path, &a->err);

	reader__confine(&(struct reader_names){ .input = a->path }, q->opts);
	if (!ret)
		ret = parse(q, b, a);
	binaries__free(b);
	machine__free(m);
	return !!ret;
}

int binary_apart__read(struct binary_apart *f, const char *file, const struct symbols_opts *opts,
		       struct error *err)
{
	struct question q = { .file = file, .opts = opts };
	struct answer a = {};
	int ends[2], word, status;

	*f = (struct binary_apart){ .fd = -1, .debug = -1 };
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return error__set(err, -errno, "%s: %s", file, strerror(errno));
	q.socket = ends[1];
	status = reader__apart(read_apart, &q, &a, sizeof(a));
	close(ends[1]);
	if (!status && parcel__receive(ends[0], &word, sizeof(word), &f->fd))
		parcel__receive(ends[0], &word, sizeof(word), &f->debug);
	close(ends[0]);
	a.path[sizeof(a.path) - 1] = a.err.text[sizeof(a.err.text) - 1] = '\0';
	snprintf(f->path, sizeof(f->path), "%s", a.path);
	f->id = a.id;
	if (!status && f->fd >= 0 && f->id.size <= BUILD_ID_MAX)
		return 0;
	return error__set(err, -EINVAL, "%s", *a.err.text ? a.err.text : file);
}

void binary_apart__close(struct binary_apart *f)
{
	if (f->fd >= 0)
		close(f->fd);
	if (f->debug >= 0)
		close(f->debug);
}
