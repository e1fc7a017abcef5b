// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/bytes.h"
#include "reader-priv.h"

static int bad_magic(const struct reader *r, const u8 *magic, struct error *err)
{
	if (!memcmp(magic, "2ELIFREP", 8))
		return error__set(err, -EOPNOTSUPP, "%s: was recorded on a machine of the other "
				  "byte order, which this perf cannot read", r->path);
	if (!memcmp(magic, "PERFFILE", 8) || !memcmp(magic, "ELIFFREP", 8))
		return error__set(err, -EOPNOTSUPP, "%s: has the perf.data format of before 2012, "
				  "which this perf cannot read", r->path);
	return error__set(err, -EINVAL, "%s: is not a perf.data file: it does not start with "
			  PERF_MAGIC, r->path);
}

/* A pipe stream, live or stored in a file; everything is taken in here. */
static int open_stream(struct reader *r, struct unpack_source *src, struct error *err)
{
	struct segment seg;
	int ret;

	r->pipe = true;
	src->offset = PIPE_HEADER_SIZE;
	src->path = r->path;
	ret = unpack(&seg, src, r->recording, &r->damage, &r->unread, err);
	if (ret)
		return ret;
	*vec__push(&r->segments) = seg;
	if (!r->recording->events.nr && r->damage.code) {
		if (err)
			*err = r->damage;
		return r->damage.code;
	}
	return 0;
}

static int open_fd_stream(struct reader *r, int fd, struct error *err)
{
	u8 head[PIPE_HEADER_SIZE];
	size_t have = 0;
	u64 size;

	while (have < sizeof(head)) {
		ssize_t n = read(fd, head + have, sizeof(head) - have);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error__set(err, -errno, "%s: %s", r->path, strerror(errno));
		if (!n)
			return error__set(err, -EINVAL, "%s: ends after %zu bytes: nothing was "
					  "recorded", r->path, have);
		have += n;
	}
	if (memcmp(head, PERF_MAGIC, 8))
		return bad_magic(r, head, err);
	memcpy(&size, head + 8, sizeof(size));
	if (size != PIPE_HEADER_SIZE)
		return error__set(err, -EINVAL, "%s: holds the file format, which cannot be read "
				  "from a pipe; give the file's name with -i", r->path);
	return open_stream(r, &(struct unpack_source){ .fd = fd }, err);
}

static int open_mapped(struct reader *r, struct error *err)
{
	u64 size;

	if (r->map.size < PIPE_HEADER_SIZE)
		return error__set(err, -EINVAL, "%s: is only %zu bytes long: nothing was recorded",
				  r->path, r->map.size);
	if (memcmp(r->map.data, PERF_MAGIC, 8))
		return bad_magic(r, r->map.data, err);
	memcpy(&size, r->map.data + 8, sizeof(size));
	if (size == PIPE_HEADER_SIZE)
		return open_stream(r, &(struct unpack_source){
			.mem = r->map.data + PIPE_HEADER_SIZE,
			.size = r->map.size - PIPE_HEADER_SIZE,
			.fd = -1,
		}, err);
	return reader__file_header(r, err);
}

/* As perf does: a recording of somebody else is not to be trusted unless the user says so. */
static int check_owner(const struct reader *r, const struct stat *st, struct error *err)
{
	if (r->force || !st->st_uid || st->st_uid == geteuid())
		return 0;
	error__set(err, -EPERM, "%s: belongs to neither you nor root", r->path);
	error__hint(err, "Use --force to read it nevertheless.");
	return -EPERM;
}

static int open_failed(const struct reader *r, int code, struct error *err)
{
	error__set(err, -code, "cannot open %s: %s", r->path, strerror(code));
	if (code == ENOENT && !strcmp(r->path, "perf.data"))
		error__hint(err, "Record one first: perf record -g --defer -- COMMAND");
	return -code;
}

static int open_path(struct reader *r, struct error *err)
{
	struct stat st;
	int fd, ret;

	if (!strcmp(r->path, "-"))
		fd = dup(STDIN_FILENO);
	else
		fd = open(r->path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return open_failed(r, errno, err);
	if (fstat(fd, &st))
		ret = open_failed(r, errno, err);
	else if (S_ISDIR(st.st_mode))
		ret = error__set(err, -EISDIR, "%s: is a directory (perf record --threads writes "
				 "such), which this perf cannot read", r->path);
	else if (!S_ISREG(st.st_mode) || (!strcmp(r->path, "-") && lseek(fd, 0, SEEK_CUR)))
		ret = open_fd_stream(r, fd, err);
	else
		ret = check_owner(r, &st, err);
	if (!ret && S_ISREG(st.st_mode) && !r->pipe) {
		ret = mapfile__map(&r->map, fd);
		ret = ret ? open_failed(r, -ret, err) : open_mapped(r, err);
	}
	close(fd);
	return ret;
}

int reader__open(struct reader **out, const char *path, bool force, struct error *err)
{
	struct reader *r = xzalloc(sizeof(*r));
	int ret;

	r->recording = recording__new();
	r->path = arena__intern(r->recording->arena, path ? path : "perf.data");
	r->force = force;
	r->map.slot = -1;
	ret = open_path(r, err);
	if (ret) {
		reader__close(r);
		r = NULL;
	} else {
		reader__rewind(r);
		r->scanned = false;
	}
	*out = r;
	return ret;
}

void reader__close(struct reader *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->segments.nr; i++)
		if (r->segments.v[i].map.data)
			mapfile__unmap(&r->segments.v[i].map);
	vec__free(&r->segments);
	mapfile__unmap(&r->map);
	recording__free(r->recording);
	free(r);
}

/*
 * The rest of a segment cannot be viewed in place: it holds COMPRESSED records, or records that
 * are not aligned. It becomes a segment of its own.
 */
static void unpack_rest(struct reader *r)
{
	struct segment *s = &r->segments.v[r->seg], unpacked;
	struct unpack_source src = {
		.mem = s->data + r->pos,
		.size = s->size - r->pos,
		.fd = -1,
		.offset = s->offset + r->pos,
		.path = r->path,
	};
	struct error err = {};
	u64 unread = 0;

	s->size = r->pos;
	if (unpack(&unpacked, &src, NULL, &r->damage, &unread, &err)) {
		r->unread += src.size;
		error__prefix(&err, "%s", r->path);
		if (!r->damage.code)
			r->damage = err;
	} else {
		r->unread += unread;
		vec__push(&r->segments);
		s = &r->segments.v[r->seg];
		memmove(s + 2, s + 1, (r->segments.nr - r->seg - 2) * sizeof(*s));
		s[1] = unpacked;
	}
	r->account.bytes_unread = max_of(r->account.bytes_unread, r->unread);
	if (!r->account.damage.code)
		r->account.damage = r->damage;
}

/* Reading ends in this segment: its rest makes no sense. */
static void leave_segment(struct reader *r, const char *why)
{
	struct segment *s = &r->segments.v[r->seg];

	if (!r->account.damage.code)
		error__set(&r->account.damage, -EINVAL, "%s: %s at offset %" PRIu64, r->path, why,
			   s->offset + r->pos);
	r->account.bytes_unread += s->size - r->pos;
	r->seg++;
	r->pos = 0;
}

static void note_malformed(struct reader *r, const struct record *rec)
{
	if (!r->account.malformed++)
		r->account.first_malformed_offset = rec->offset;
}

/* Bytes that follow an AUXTRACE record and belong to it. */
static u64 payload_of(const struct perf_event_header *hdr)
{
	struct cursor c = cursor__init(hdr + 1, hdr->size - sizeof(*hdr), false);

	return hdr->type == USER_RECORD_AUXTRACE ? cursor__u64(&c) : 0;
}

/*
 * Steps over the next record and shows it. False when there is none at this place; the
 * position has then moved on (to the next segment, or into what was unpacked).
 */
static bool step(struct reader *r, struct record *rec)
{
	struct segment *s = &r->segments.v[r->seg];
	const struct perf_event_header *hdr = (const void *)(s->data + r->pos);
	u64 left = s->size - r->pos, payload;

	if (!left) {
		r->seg++;
		r->pos = 0;
		return false;
	}
	if (!s->map.data && (s->offset + r->pos) % 8) {
		unpack_rest(r);
		return false;
	}
	if (left < sizeof(*hdr)) {
		leave_segment(r, "the data is cut off");
		return false;
	}
	if (hdr->size < sizeof(*hdr)) {
		leave_segment(r, "a record of impossible size is");
		return false;
	}
	if (hdr->size > left) {
		leave_segment(r, "the data is cut off inside a record");
		return false;
	}
	if (!s->map.data && (hdr->size % 8 || hdr->type == USER_RECORD_COMPRESSED ||
			     hdr->type == USER_RECORD_COMPRESSED2)) {
		unpack_rest(r);
		return false;
	}
	payload = payload_of(hdr);
	if (payload > left - hdr->size) {
		leave_segment(r, "the data is cut off inside AUX data");
		return false;
	}
	*rec = (struct record){ .hdr = hdr, .offset = s->offset + r->pos };
	r->pos += min_of(left, align_up(hdr->size, 8) + payload);
	return true;
}

/* What is not for the pipeline is dealt with here; false: not to be handed out. */
static bool accept(struct reader *r, struct record *rec)
{
	u32 type = rec->hdr->type;

	if (!record_type__name(type) || type == USER_RECORD_AUXTRACE) {
		if (!r->account.unknown_types++)
			r->account.first_unknown_type = type;
		return false;
	}
	if (header_record__is(type)) {
		/* Only names and units come in the data of a file; the rest is in its header. */
		if (!r->scanned && type == USER_RECORD_EVENT_UPDATE &&
		    header_record__apply(r->recording, rec->hdr) < 0)
			note_malformed(r, rec);
		return false;
	}
	if (record__identify(rec, r->recording)) {
		note_malformed(r, rec);
		return false;
	}
	if (!rec->event && type < USER_RECORD_FIRST) {
		r->account.unknown_events++;
		return type != PERF_RECORD_SAMPLE;
	}
	return true;
}

static void check_shrunk(struct reader *r)
{
	if (!mapfile__shrank(&r->map))
		return;
	error__set(&r->account.damage, -EIO, "%s: shrank while it was read", r->path);
}

int reader__next(struct reader *r, struct record *rec)
{
	while (r->seg < r->segments.nr) {
		if (!step(r, rec) || !accept(r, rec))
			continue;
		rec->seq = r->seq++;
		r->account.records++;
		return 1;
	}
	r->scanned = true;
	check_shrunk(r);
	return 0;
}

void reader__rewind(struct reader *r)
{
	r->seg = 0;
	r->pos = r->seq = 0;
	memset(&r->account, 0, sizeof(r->account));
	r->account.damage = r->damage;
	r->account.bytes_unread = r->unread;
	r->account.unfinished = r->unfinished;
}

struct recording *reader__recording(const struct reader *r)
{
	return r->recording;
}

const char *reader__path(const struct reader *r)
{
	return r->path;
}

u64 reader__size(const struct reader *r)
{
	u64 size = 0;

	for (size_t i = 0; i < r->segments.nr; i++)
		size += r->segments.v[i].size;
	return size;
}

bool reader__is_pipe(const struct reader *r)
{
	return r->pipe;
}

const struct reader_account *reader__account(const struct reader *r)
{
	return &r->account;
}
