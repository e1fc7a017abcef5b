// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records about the recording itself, as pipes have them in place of a header: ATTR, EVENT_UPDATE,
 * FEATURE, BUILD_ID. See reader-priv.h.
 */
#include <string.h>

#include "feature.h"
#include "reader-priv.h"
#include "stack-notes.h"

bool header_record__is(u32 type)
{
	return type == USER_RECORD_ATTR || type == USER_RECORD_EVENT_TYPE ||
	       type == USER_RECORD_EVENT_UPDATE || type == USER_RECORD_BUILD_ID ||
	       type == USER_RECORD_HEADER_FEATURE;
}

/* An attr, whose size is in it, then ids up to the end of the record. */
static int apply_attr(struct recording *rec, struct cursor *c)
{
	struct evsel *ev;
	u32 size = PERF_ATTR_SIZE_VER0;

	if (cursor__left(c) < PERF_ATTR_SIZE_VER0)
		return -EINVAL;
	memcpy(&size, c->data + c->pos + offsetof(struct perf_event_attr, size), sizeof(size));
	if (!size)
		size = PERF_ATTR_SIZE_VER0;
	if (size > cursor__left(c))
		return -EINVAL;
	ev = recording__add_event(rec, cursor__take(c, size), size, NULL, NULL);
	if (!ev)
		return -EINVAL;
	while (cursor__left(c) >= sizeof(u64))
		recording__add_id(rec, ev, cursor__u64(c));
	return 0;
}

struct update {
	u64 type, id;
	u64 scale;        /* the bits of a double */
	const char *text; /* the name or the unit */
};

/* What is not for us has no length that we know. */
static int take_update(struct update *u, struct cursor *c)
{
	*u = (struct update){ .type = cursor__u64(c), .id = cursor__u64(c) };
	if (u->type == EVENT_UPDATE_SCALE)
		u->scale = cursor__u64(c);
	else if (u->type < EVENT_UPDATE_CPUS)
		u->text = cursor__str(c);
	return c->bad ? -EINVAL : 0;
}

static int apply_update(struct recording *rec, struct cursor *c)
{
	struct evsel *ev;
	struct update u;

	if (take_update(&u, c))
		return -EINVAL;
	ev = map64__get(&rec->event_by_id, u.id);
	if (!ev)
		return 0;
	switch (u.type) {
	case EVENT_UPDATE_SCALE:
		memcpy(&ev->scale, &u.scale, sizeof(ev->scale));
		break;
	case EVENT_UPDATE_NAME:
		evsel__set_name(rec, ev, u.text);
		break;
	case EVENT_UPDATE_UNIT:
		ev->unit = arena__intern(rec->arena, u.text);
		break;
	}
	return 0;
}

static int apply_feature(struct recording *rec, struct cursor *c)
{
	u64 feat = cursor__u64(c);

	if (c->bad)
		return -EINVAL;
	/* An empty feature with a number behind those that the writer knows ends the list. */
	if (!cursor__left(c))
		return 0;
	if (feat >= FEAT_LAST)
		return -EINVAL;
	return feature__decode(rec, feat, c->data + c->pos, cursor__left(c));
}

/* EVENT_TYPE: names of before 2012, but for ours. */
static int apply_event_type(struct recording *rec, const struct perf_event_header *hdr)
{
	rec->stack_notes |= stack_notes__is_mark(hdr);
	return 0;
}

static int apply(struct recording *rec, const struct perf_event_header *hdr)
{
	struct cursor c = cursor__init(hdr + 1, hdr->size - sizeof(*hdr), false);

	switch (hdr->type) {
	case USER_RECORD_ATTR:           return apply_attr(rec, &c);
	case USER_RECORD_EVENT_UPDATE:   return apply_update(rec, &c);
	case USER_RECORD_HEADER_FEATURE: return apply_feature(rec, &c);
	case USER_RECORD_BUILD_ID:       return feature__decode_build_id(rec, hdr);
	default:                         return apply_event_type(rec, hdr);
	}
}

bool header_record__is_whole(const struct perf_event_header *hdr)
{
	struct cursor c = cursor__init(hdr + 1, hdr->size - sizeof(*hdr), false);
	struct update u;

	return hdr->type != USER_RECORD_EVENT_UPDATE || !take_update(&u, &c);
}

int header_record__apply(struct recording *rec, const struct perf_event_header *hdr)
{
	if (!header_record__is(hdr->type))
		return 0;
	return apply(rec, hdr) ? -EINVAL : 1;
}
