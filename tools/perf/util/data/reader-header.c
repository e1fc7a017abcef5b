// SPDX-License-Identifier: GPL-2.0-only
/* The header of a file: events with their ids, the data section, features. See reader-priv.h. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "byte-swap.h"
#include "feature.h"
#include "reader-priv.h"

/* The header of files written before there were features ends in front of their bitmap. */
#define OLD_HEADER_SIZE 72
#define MAX_EVENTS (1 << 20)

struct section {
	u64 offset, size;
};

struct file_header {
	u64 size, attr_size;
	struct section attrs, data, event_types;
	u64 features[FEAT_LAST / 64];
};

static struct section take_section(struct cursor *c)
{
	u64 offset = cursor__u64(c);

	return (struct section){ .offset = offset, .size = cursor__u64(c) };
}

static bool section__fits(const struct section *s, size_t file_size)
{
	return s->offset <= file_size && s->size <= file_size - s->offset;
}

/*
 * The bitmap consists of words of the recording machine: in the other byte order, bits of two words
 * of 32 bits are at other places than those of one word of 64. FEAT_HOSTNAME tells, since every
 * recorder writes it.
 */
static void read_bitmap(const struct reader *r, struct cursor *c, u64 *features)
{
	for (size_t i = 0; i < FEAT_LAST / 64; i++)
		features[i] = cursor__u64(c);
	if (!r->recording->swapped || features[0] & BIT_ULL(FEAT_HOSTNAME) ||
	    !(features[0] >> 32 & BIT_ULL(FEAT_HOSTNAME)))
		return;
	for (size_t i = 0; i < FEAT_LAST / 64; i++)
		features[i] = features[i] >> 32 | features[i] << 32;
}

static int parse_header(struct reader *r, struct file_header *h, struct error *err)
{
	struct cursor c = cursor__init(r->map.data, r->map.size, r->recording->swapped);

	memset(h, 0, sizeof(*h));
	cursor__take(&c, 8); /* the magic */
	h->size = cursor__u64(&c);
	h->attr_size = cursor__u64(&c);
	h->attrs = take_section(&c);
	h->data = take_section(&c);
	h->event_types = take_section(&c);
	if (h->size == FILE_HEADER_SIZE)
		read_bitmap(r, &c, h->features);
	else if (h->size != OLD_HEADER_SIZE)
		return error__set(err, -EINVAL, "%s: the header size at offset 8 is %" PRIu64 " "
				  "instead of %d", r->path, h->size, FILE_HEADER_SIZE);
	if (c.bad)
		return error__set(err, -EINVAL, "'%s' ends inside its header, at offset %zu",
				  r->path, r->map.size);
	return 0;
}

static struct section section_at(const struct reader *r, u64 offset)
{
	struct cursor c = cursor__init(r->map.data + offset, sizeof(struct section),
				       r->recording->swapped);

	return take_section(&c);
}

/*
 * The section of ids is behind the attr. Files rewritten by a newer program than the one that
 * recorded them leave room between the two: attr.size then tells where one ends, and
 * the entry's size where the other begins.
 */
static struct section ids_of(const struct reader *r, u64 at, u64 entry, u32 attr_size)
{
	struct section ids = section_at(r, at + entry - sizeof(ids));
	struct section near = section_at(r, at + attr_size);

	if (section__fits(&ids, r->map.size) && ids.size % sizeof(u64) == 0)
		return ids;
	if (section__fits(&near, r->map.size) && near.size % sizeof(u64) == 0)
		return near;
	return ids;
}

static u32 attr_size_at(const struct reader *r, u64 at)
{
	struct cursor c = cursor__init(r->map.data + at + offsetof(struct perf_event_attr, size),
				       sizeof(u32), r->recording->swapped);

	return cursor__u32(&c);
}

static struct evsel *add_event(struct reader *r, u64 at, u32 size, struct error *err)
{
	const u8 *p = r->map.data + at;
	struct evsel *ev;
	u8 *copy;

	if (!r->recording->swapped)
		return recording__add_event(r->recording, p, size, NULL, err);
	copy = xmemdup(p, size);
	attr_bytes__swap(copy, size);
	ev = recording__add_event(r->recording, copy, size, NULL, err);
	free(copy);
	return ev;
}

static int read_event(struct reader *r, u64 at, u64 entry, u64 *ids_left, struct error *err)
{
	u64 room = entry - sizeof(struct section);
	u32 size = attr_size_at(r, at);
	struct section ids;
	struct evsel *ev;
	struct cursor c;

	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size > room)
		return error__set(err, -EINVAL, "an attr of %u bytes does not fit into an entry of "
				  "%" PRIu64, size,
				  entry);
	ev = add_event(r, at, size, err);
	if (!ev)
		return -EINVAL;
	ids = ids_of(r, at, entry, size);
	if (!section__fits(&ids, r->map.size) || ids.size > *ids_left)
		return error__set(err, -EINVAL, "its ids, %" PRIu64 " bytes at offset %" PRIu64 ", "
				  "lie outside the file", ids.size, ids.offset);
	*ids_left -= ids.size;
	c = cursor__init(r->map.data + ids.offset, ids.size, r->recording->swapped);
	while (cursor__left(&c) >= sizeof(u64))
		recording__add_id(r->recording, ev, cursor__u64(&c));
	return 0;
}

static int read_events(struct reader *r, const struct file_header *h, struct error *err)
{
	u64 nr = h->attr_size ? h->attrs.size / h->attr_size : 0, at = h->attrs.offset;
	u64 ids_left = r->map.size; /* sections that overlap must not multiply the memory */

	if (!section__fits(&h->attrs, r->map.size))
		return error__set(err, -EINVAL, "%s: the attr section, %" PRIu64 " bytes at offset "
				  "%" PRIu64 ", lies outside the file (%zu bytes)", r->path,
				  h->attrs.size, h->attrs.offset, r->map.size);
	if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct section) || h->attr_size > 8192)
		return error__set(err, -EINVAL, "%s: impossible attr size %" PRIu64 " at offset 16",
				  r->path, h->attr_size);
	if (nr > MAX_EVENTS)
		return error__set(err, -EINVAL, "%s: more events than are possible: %" PRIu64,
				  r->path, nr);
	for (u64 i = 0; i < nr; i++, at += h->attr_size) {
		int ret = read_event(r, at, h->attr_size, &ids_left, err);

		if (ret) {
			error__prefix(err, "%s: event %" PRIu64 " at offset %" PRIu64, r->path,
				      i, at);
			return ret;
		}
	}
	return 0;
}

static void feature_damage(struct reader *r, u32 feat, u64 offset, const char *what)
{
	/* Without build-ids all samples are there, but replaced binaries are not noticed. */
	struct error *to = feat == FEAT_BUILD_ID ? &r->flaw : &r->damage;
	const char *name = feature__name(feat);
	char number[16];

	if (to->code)
		return;
	snprintf(number, sizeof(number), "%u", feat);
	error__set(to, -EINVAL, "%s: feature %s at offset %" PRIu64 " %s", r->path,
		   name ? name : number, offset, what);
}

static int read_feature(struct reader *r, u32 feat, const struct section *s)
{
	const u8 *p = r->map.data + s->offset;
	u8 *copy;
	int ret;

	if (!r->recording->swapped)
		return feature__decode(r->recording, feat, p, s->size);
	copy = xmemdup(p, s->size);
	feature__swap(r->recording, feat, copy, s->size);
	ret = feature__decode(r->recording, feat, copy, s->size);
	free(copy);
	return ret;
}

/* Behind the data: one section entry for each bit that is set, then the sections. */
static void read_features(struct reader *r, const struct file_header *h)
{
	u64 at = h->data.offset + h->data.size, left = r->map.size;

	for (u32 feat = 0; feat < FEAT_LAST; feat++) {
		struct section s;

		if (!(h->features[feat / 64] >> (feat % 64) & 1))
			continue;
		if (r->map.size - at < sizeof(s)) {
			feature_damage(r, feat, at, "lies behind the end of the file");
			return;
		}
		s = section_at(r, at);
		if (!section__fits(&s, r->map.size) || s.size > left)
			feature_damage(r, feat, s.offset, "lies outside the file");
		else if (read_feature(r, feat, &s))
			feature_damage(r, feat, s.offset, "does not fit its section");
		if (s.size <= left)
			left -= s.size;
		at += sizeof(s);
	}
}

/*
 * Features are written last; without them, the recorder was killed before. This program's files
 * then have no feature bits. Those of Linux perf have the bits that it was going to write, a data
 * size of 0, and records in place of the table of sections. The first word of a record is not an
 * offset in any file, since the size of the record is in its upper bits.
 */
static bool is_finished(const struct reader *r, const struct file_header *h)
{
	u64 at = h->data.offset;

	for (u32 feat = 0; feat < FEAT_LAST; feat++) {
		struct section s;

		if (!(h->features[feat / 64] >> (feat % 64) & 1))
			continue;
		if (h->data.size)
			return true;
		if (r->map.size - at < sizeof(s))
			return false;
		s = section_at(r, at);
		return s.offset > at && section__fits(&s, r->map.size);
	}
	return false;
}

/* The data section as a segment; -EINVAL when none of it is in the file. */
static int add_data(struct reader *r, struct file_header *h, struct error *err)
{
	u64 size = r->map.size, left;

	if (h->data.offset < h->size || h->data.offset > size)
		return error__set(err, -EINVAL, "%s: the data section at offset %" PRIu64 " lies "
				  "outside the file (%" PRIu64 " bytes)", r->path,
				  h->data.offset, size);
	left = size - h->data.offset;
	r->unfinished = left && !is_finished(r, h);
	if (!h->data.size && r->unfinished) {
		h->data.size = left;
		memset(h->features, 0, sizeof(h->features));
	} else if (h->data.size > left) {
		r->unread = h->data.size - left;
		error__set(&r->damage, -EINVAL, "'%s' is cut off at offset %" PRIu64 ": %" PRIu64
			   " bytes of data and all features are missing", r->path, size, r->unread);
		h->data.size = left;
		memset(h->features, 0, sizeof(h->features));
	}
	*vec__push(&r->segments) = (struct segment){
		.data = r->map.data + h->data.offset,
		.size = h->data.size,
		.offset = h->data.offset,
		.path = r->path,
	};
	return 0;
}

int reader__file_header(struct reader *r, struct error *err)
{
	struct file_header h;
	int ret = parse_header(r, &h, err);

	if (!ret)
		ret = read_events(r, &h, err);
	if (!ret)
		ret = add_data(r, &h, err);
	if (!ret)
		read_features(r, &h);
	return ret;
}
