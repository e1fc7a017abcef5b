// SPDX-License-Identifier: GPL-2.0-only
/* Opens a file, pipe or directory, and closes it: see reader.h. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/unwind/core/bytes.h"
#include "../base/version.h"
#include "../io/named-file.h"
#include "byte-swap.h"
#include "reader-priv.h"
#include "stack-notes.h"
#include "tracepoint.h"

static int bad_magic(const struct reader *r, const u8 *magic, struct error *err)
{
	if (!memcmp(magic, "PERFFILE", 8) || !memcmp(magic, "ELIFFREP", 8))
		return error__set(err, -EOPNOTSUPP, "'%s' has the perf.data format from before "
				  "2012, which is not supported", r->path);
	return error__set(err, -EINVAL, "'%s' is not a perf.data file: it does not start with "
			  "PERFILE2", r->path);
}

static int open_failed(const struct reader *r, int code, struct error *err)
{
	named_file__failed(r->path, -code, err);
	if (code == ENOENT && !strcmp(r->path, "perf.data"))
		error__hint(err, "Record one first: %s record -g --defer -- COMMAND",
			    perf__typed());
	if (code == ENOENT && !strcmp(r->path, "perf.data.old"))
		error__hint(err, "perf record renames perf.data to this name before it writes a "
				 "new one; for recordings of other names: perf diff OLD NEW");
	return -code;
}

static bool take_magic(struct reader *r, const u8 *magic)
{
	u64 number;

	memcpy(&number, magic, sizeof(number));
	r->recording->swapped = number == __builtin_bswap64(ABI_FILE_MAGIC);
	return r->recording->swapped || number == ABI_FILE_MAGIC;
}

/* Damage in front of the first event: nothing can be read. */
static int check_events(const struct reader *r, struct error *err)
{
	if (r->recording->events.nr || !r->damage.code)
		return 0;
	if (err)
		*err = r->damage;
	return r->damage.code;
}

/* A pipe stream, live or stored in a file. Unless it is wanted live, all of it is read here. */
static int open_stream(struct reader *r, struct unpack_source *src, struct error *err)
{
	struct segment seg;
	int ret;

	r->pipe = true;
	src->offset = PIPE_HEADER_SIZE;
	src->path = r->path;
	src->swap = r->recording->swapped ? r->recording : NULL;
	if (r->live && src->fd >= 0) {
		/*
		 * A copy, since open_path() closes the original. Not 0, which means that there is
		 * none.
		 */
		src->fd = fcntl(src->fd, F_DUPFD_CLOEXEC, 3);
		if (src->fd < 0)
			return open_failed(r, errno, err);
		r->stream_fd = src->fd;
		ret = stream__open(&r->stream, src, r->recording, &r->damage);
		return ret ? ret : check_events(r, err);
	}
	ret = unpack(&seg, src, r->recording, &r->damage, &r->unread, err);
	if (ret)
		return ret;
	*vec__push(&r->segments) = seg;
	return check_events(r, err);
}

static int open_fd_stream(struct reader *r, int fd, struct error *err)
{
	u8 head[PIPE_HEADER_SIZE];
	size_t have = 0;
	struct cursor c;

	while (have < sizeof(head)) {
		ssize_t n = read(fd, head + have, sizeof(head) - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error__set(err, -errno, "%s: %s", r->path, strerror(errno));
		if (!n)
			return error__set(err, -EINVAL, "'%s' ends after %zu bytes: nothing was "
					  "recorded", r->path, have);
		have += n;
	}
	if (!take_magic(r, head))
		return bad_magic(r, head, err);
	c = cursor__init(head + 8, sizeof(u64), r->recording->swapped);
	if (cursor__u64(&c) != PIPE_HEADER_SIZE)
		return error__set(err, -EINVAL, "'%s' is a recording in the file format, which "
				  "cannot be read from a pipe: name the file with -i", r->path);
	return open_stream(r, &(struct unpack_source){ .fd = fd }, err);
}

static int open_mapped(struct reader *r, struct error *err)
{
	struct cursor c;

	if (r->map.size < PIPE_HEADER_SIZE)
		return error__set(err, -EINVAL, "'%s' is only %zu bytes long: nothing was recorded",
				  r->path, r->map.size);
	if (!take_magic(r, r->map.data))
		return bad_magic(r, r->map.data, err);
	c = cursor__init(r->map.data + 8, sizeof(u64), r->recording->swapped);
	if (cursor__u64(&c) == PIPE_HEADER_SIZE)
		return open_stream(r, &(struct unpack_source){
			.mem = r->map.data + PIPE_HEADER_SIZE,
			.size = r->map.size - PIPE_HEADER_SIZE,
			.fd = -1,
		}, err);
	return reader__file_header(r, err);
}

/* As in perf: a recording of another user is trusted only if the user says so. */
static int check_owner(const struct reader *r, const char *path, const struct stat *st,
		       struct error *err)
{
	if (r->force || !st->st_uid || st->st_uid == geteuid())
		return 0;
	error__set(err, -EPERM, "'%s' belongs to neither you nor root", path);
	error__hint(err, "Use --force to read it.");
	return -EPERM;
}

static int open_path(struct reader *r, struct error *err);

static int map_thread_file(const struct reader *r, struct segment *seg, int fd, struct error *err)
{
	struct stat st;
	int ret = fstat(fd, &st) ? -errno : 0;

	if (!ret && check_owner(r, seg->path, &st, err))
		return -EPERM;
	if (!ret)
		ret = mapfile__map(&seg->map, fd);
	return ret ? error__set(err, ret, "cannot read %s: %s", seg->path, strerror(-ret)) : 0;
}

/* DIR/data.N: nothing but records. 1 when there is no such file. */
static int add_thread_file(struct reader *r, const char *dir, int n, struct error *err)
{
	char *name = xasprintf("%s/data.%d", dir, n);
	struct segment seg = { .path = arena__intern(r->recording->arena, name) };
	int fd = named_file__open(seg.path, O_RDONLY | O_NONBLOCK), ret; /* waits for no FIFO */

	free(name);
	if (fd < 0)
		return fd == -ENOENT ? 1 : error__set(err, fd, "cannot read %s: %s",
						      seg.path, strerror(-fd));
	ret = map_thread_file(r, &seg, fd, err);
	close(fd);
	if (ret)
		return ret;
	seg.data = seg.map.data;
	seg.size = seg.map.size;
	if (seg.size)
		*vec__push(&r->segments) = seg;
	return 0;
}

/*
 * What `perf record --threads` writes: DIR/data is an ordinary file, and the records of the
 * threads' rings are in data.0, data.1, ... These are read one after the other; their times put
 * them in order.
 */
static int open_directory(struct reader *r, struct error *err)
{
	const char *dir = r->path;
	char *name = xasprintf("%s/data", dir);
	struct stat st;
	int ret;

	r->path = arena__intern(r->recording->arena, name);
	free(name);
	if (named_file__stat(r->path, &st) || !S_ISREG(st.st_mode))
		return error__set(err, -EISDIR, "'%s' is a directory, but not a recording of perf "
				  "record --threads: it has no file \"data\"", dir);
	ret = open_path(r, err);
	for (int n = 0; !ret; n++)
		ret = add_thread_file(r, dir, n, err);
	return ret < 0 ? ret : 0;
}

static int dup_of(int from)
{
	int fd = fcntl(from, F_DUPFD_CLOEXEC, 0);

	return fd < 0 ? -errno : fd;
}

static int open_path(struct reader *r, struct error *err)
{
	struct stat st;
	int fd, ret;

	if (r->given_fd >= 0)
		fd = dup_of(r->given_fd);
	else if (!strcmp(r->path, "-"))
		fd = dup_of(STDIN_FILENO);
	else
		fd = named_file__open(r->path, O_RDONLY);
	if (fd < 0)
		return open_failed(r, -fd, err);
	if (fstat(fd, &st))
		ret = open_failed(r, errno, err);
	else if (S_ISDIR(st.st_mode))
		ret = open_directory(r, err);
	else if (!S_ISREG(st.st_mode) || (!strcmp(r->path, "-") && lseek(fd, 0, SEEK_CUR)))
		ret = open_fd_stream(r, fd, err);
	else
		ret = check_owner(r, r->path, &st, err);
	if (!ret && S_ISREG(st.st_mode) && !r->pipe) {
		ret = mapfile__map(&r->map, fd);
		ret = ret ? open_failed(r, -ret, err) : open_mapped(r, err);
	}
	close(fd);
	return ret;
}

/*
 * The mark of stack notes is the first record of a file. Who copies the recording wants to know of
 * it before the records are read.
 */
static void find_mark(struct reader *r)
{
	const struct segment *s = r->segments.v;
	_Alignas(8) u8 copy[STACK_NOTES_MARK_SIZE];
	struct perf_event_header *hdr = (void *)copy;

	if (!r->segments.nr || s->size < sizeof(copy))
		return;
	memcpy(copy, s->data, sizeof(copy));
	if (r->recording->swapped && !s->unpacked)
		record_header__swap(hdr);
	if (hdr->size != sizeof(copy))
		return;
	if (r->recording->swapped && !s->unpacked)
		record__swap(hdr, r->recording);
	r->recording->stack_notes |= stack_notes__is_mark(hdr);
}

static int reader__new(struct reader **out, const char *path, int fd, bool force, bool live,
		       struct error *err)
{
	struct reader *r = xzalloc(sizeof(*r));
	int ret;

	r->recording = recording__new();
	r->path = arena__intern(r->recording->arena, path ? path : "perf.data");
	r->given_fd = fd;
	r->force = force;
	r->live = live;
	ret = open_path(r, err);
	if (ret) {
		reader__close(r);
		r = NULL;
	} else {
		recording__name_tracepoints(r->recording);
		find_mark(r);
		reader__rewind(r);
		r->scanned = false;
	}
	*out = r;
	return ret;
}

int reader__open(struct reader **out, const char *path, bool force, struct error *err)
{
	return reader__new(out, path, -1, force, false, err);
}

int reader__open_live(struct reader **out, const char *path, bool force, struct error *err)
{
	return reader__new(out, path, -1, force, true, err);
}

int reader__open_fd(struct reader **out, int fd, const char *name, struct error *err)
{
	return reader__new(out, name, fd, true, false, err);
}

int reader__open_live_fd(struct reader **out, int fd, const char *name, int (*idle)(void *ctx),
			 void *ctx, struct error *err)
{
	int ret = reader__new(out, name, fd, true, true, err);

	if (!ret && (*out)->stream)
		stream__on_idle((*out)->stream, idle, ctx);
	return ret;
}

int reader__unpack_stream(struct reader *r, struct error *err)
{
	struct segment seg;
	int ret = stream__unpack(r->stream, &seg, &r->unread, err);

	r->stream = NULL;
	if (ret)
		return ret;
	*vec__push(&r->segments) = seg;
	recording__name_tracepoints(r->recording);
	reader__rewind(r);
	return 0;
}

void reader__close(struct reader *r)
{
	if (!r)
		return;
	stream__close(r->stream);
	if (r->stream_fd)
		close(r->stream_fd);
	for (size_t i = 0; i < r->segments.nr; i++)
		if (r->segments.v[i].map.data)
			mapfile__unmap(&r->segments.v[i].map);
	vec__free(&r->segments);
	mapfile__unmap(&r->map);
	recording__free(r->recording);
	free(r);
}
