// SPDX-License-Identifier: GPL-2.0-only
#include "jitdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/unwind/core/bytes.h"
#include "../base/mem.h"

#define MAGIC 0x4a695444u /* "JiTD" */
#define V8_PADDING 0xdeadbeef
#define HEADER 40         /* bytes, as the following ones; a record begins with a prefix */
#define PREFIX 16
#define LOAD_HEAD (PREFIX + 40)
#define MOVE_HEAD (PREFIX + 48)
#define LINES_HEAD (PREFIX + 16)
#define UNWINDING_HEAD (PREFIX + 24)
#define WINDOW (64 << 10)

int jitdump__read(const struct jitdump *d, u64 at, void *to, size_t size)
{
	u8 *p = to;

	if (at > (u64)INT64_MAX || size > (u64)INT64_MAX - at)
		return -EBADMSG;
	while (size) {
		ssize_t n = pread(d->fd, p, size, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? -errno : -EBADMSG;
		p += n;
		at += n;
		size -= n;
	}
	return 0;
}

/* The @size bytes at @at, which the file has; NULL: they cannot be read. @size: up to WINDOW. */
static const u8 *jitdump__bytes(struct jitdump *d, u64 at, size_t size)
{
	u64 skip = at - d->window_at;

	if (at >= d->window_at && skip <= d->window_len && size <= d->window_len - skip)
		return d->window + skip;
	d->window_len = 0;
	if (at > d->size || size > d->size - at)
		return NULL;
	if (!d->window)
		d->window = xmalloc(WINDOW);
	skip = min_of((u64)WINDOW, d->size - at);
	if (jitdump__read(d, at, d->window, skip))
		return NULL;
	d->window_at = at;
	d->window_len = skip;
	return d->window;
}

void jitdump__grow(struct jitdump *d)
{
	struct stat st;

	if (!fstat(d->fd, &st) && st.st_size >= 0)
		d->size = st.st_size;
}

static int jitdump__header(struct jitdump *d)
{
	const u8 *p = jitdump__bytes(d, 0, HEADER);
	struct cursor c;
	u32 magic, size, padding;

	if (!p)
		return -EBADMSG;
	c = cursor__init(p, HEADER, false);
	magic = cursor__u32(&c);
	d->swap = c.swap = magic == __builtin_bswap32(MAGIC);
	if (magic != MAGIC && !d->swap)
		return -EBADMSG;
	d->version = cursor__u32(&c);
	size = cursor__u32(&c);
	d->machine = cursor__u32(&c);
	padding = cursor__u32(&c);
	d->is_v8 = padding == V8_PADDING;
	d->is_jvm = padding == JITDUMP_JVM_PADDING;
	d->is_own = padding == JITDUMP_OWN_PADDING;
	d->pid = cursor__u32(&c);
	(void)cursor__u64(&c); /* of some compilers it is a time of day in ms, of others in ns */
	d->flags = cursor__u64(&c);
	if (size < HEADER)
		return -EBADMSG;
	d->at = size;
	return 0;
}

int jitdump__open(struct jitdump *d, int fd)
{
	int err;

	*d = (struct jitdump){ .fd = fd };
	jitdump__grow(d);
	err = jitdump__header(d);
	if (err) {
		jitdump__rest(d);
		d->fd = -1;
	}
	return err;
}

void jitdump__rest(struct jitdump *d)
{
	zfree(&d->window);
	d->window_len = 0;
}

void jitdump__close(struct jitdump *d)
{
	if (d->fd >= 0)
		close(d->fd);
	jitdump__rest(d);
	d->fd = -1;
}

static bool range_is_good(u64 addr, u64 size)
{
	u64 end;

	return size && !__builtin_add_overflow(addr, size, &end);
}

/* The name of a load is in front of the code, which is the end of the record. */
static int jitdump__load(struct jitdump *d, struct cursor *c, u64 total, struct jitdump_record *rec)
{
	size_t room;
	char *name;

	(void)cursor__u32(c);
	rec->tid = cursor__u32(c);
	(void)cursor__u64(c);
	rec->addr = cursor__u64(c);
	rec->size = rec->data_size = cursor__u64(c);
	rec->index = cursor__u64(c);
	if (rec->size > total - LOAD_HEAD || !range_is_good(rec->addr, rec->size ?: 1))
		return -EBADMSG;
	rec->data_at = d->at + total - rec->size;
	room = min_of(total - LOAD_HEAD - rec->size, (u64)JITDUMP_NAME_MAX);
	name = (char *)(uintptr_t)jitdump__bytes(d, d->at + LOAD_HEAD, room);
	if (!name)
		return -EBADMSG;
	if (strnlen(name, room) == room && room)
		name[room - 1] = 0; /* the window is ours */
	rec->name = room ? name : "";
	/* What else another version has between the parts is not known. */
	if (d->version != JITDUMP_VERSION && room < JITDUMP_NAME_MAX &&
	    strlen(rec->name) + 1 != room)
		return -EBADMSG;
	return 1;
}

static int jitdump__move(struct cursor *c, struct jitdump_record *rec)
{
	(void)cursor__u32(c);
	rec->tid = cursor__u32(c);
	(void)cursor__u64(c);
	(void)cursor__u64(c);
	rec->addr = cursor__u64(c);
	rec->size = cursor__u64(c);
	rec->index = cursor__u64(c);
	return range_is_good(rec->addr, rec->size ?: 1) ? 1 : -EBADMSG;
}

static int jitdump__debug_info(const struct jitdump *d, struct cursor *c, u64 total,
			       struct jitdump_record *rec)
{
	rec->addr = cursor__u64(c);
	rec->nr_lines = cursor__u64(c);
	rec->data_at = d->at + LINES_HEAD;
	rec->data_size = total - LINES_HEAD;
	return 1;
}

static int jitdump__unwinding(const struct jitdump *d, struct cursor *c, u64 total,
			      struct jitdump_record *rec)
{
	u64 hdr_size;

	rec->data_size = cursor__u64(c);
	hdr_size = cursor__u64(c);
	rec->data_at = d->at + UNWINDING_HEAD;
	if (rec->data_size > total - UNWINDING_HEAD || hdr_size > rec->data_size)
		return -EBADMSG;
	rec->hdr_size = hdr_size;
	return 1;
}

static int jitdump__decode(struct jitdump *d, u64 total, struct jitdump_record *rec)
{
	static const u8 heads[] = { LOAD_HEAD, MOVE_HEAD, LINES_HEAD, PREFIX, UNWINDING_HEAD };
	size_t head = rec->type < ARRAY_SIZE(heads) ? heads[rec->type] : PREFIX;
	const u8 *p = total >= head ? jitdump__bytes(d, d->at, head) : NULL;
	struct cursor c;

	if (!p)
		return -EBADMSG;
	c = cursor__init(p + PREFIX, head - PREFIX, d->swap);
	switch (rec->type) {
	case JITDUMP_LOAD:
		return jitdump__load(d, &c, total, rec);
	case JITDUMP_MOVE:
		return jitdump__move(&c, rec);
	case JITDUMP_DEBUG_INFO:
		return jitdump__debug_info(d, &c, total, rec);
	case JITDUMP_UNWINDING:
		return jitdump__unwinding(d, &c, total, rec);
	}
	return 1;
}

int jitdump__next(struct jitdump *d, struct jitdump_record *rec)
{
	const u8 *p;
	struct cursor c;
	u64 total;
	int ret;

	if (d->at > d->size || d->size - d->at < PREFIX)
		return 0;
	p = jitdump__bytes(d, d->at, PREFIX);
	if (!p)
		return -EBADMSG;
	c = cursor__init(p, PREFIX, d->swap);
	*rec = (struct jitdump_record){ .type = cursor__u32(&c) };
	total = cursor__u32(&c);
	rec->time = cursor__u64(&c);
	if (!total)
		return 0; /* room that was made in advance */
	if (total < PREFIX)
		return -EBADMSG;
	if (total > d->size - d->at) {
		d->window_len = 0; /* what is there may be read too early */
		return 0;
	}
	ret = jitdump__decode(d, total, rec);
	if (ret > 0)
		d->at += total;
	return ret;
}

void jitdump__lines(const void *data, size_t size, bool swap, u64 nr_lines,
		    bool (*fn)(void *ctx, const struct jit_line *line), void *ctx)
{
	struct cursor c = cursor__init(data, size, swap);
	struct jit_line line = { .file = "" };
	const char *file;

	while (nr_lines--) {
		line.addr = cursor__u64(&c);
		line.line = cursor__u32(&c);
		(void)cursor__u32(&c); /* the discriminator */
		file = cursor__str(&c);
		if (c.bad)
			return;
		if (strcmp(file, "\xff")) /* which stands for that of the entry before */
			line.file = file;
		if (!fn(ctx, &line))
			return;
	}
}
