// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../../../lib/unwind/core/bytes.h"
#include "sample-splice.h"

#define RECORD_SIZE_MAX 65528

/* Fields of one u64 each, in front of those of variable size. */
#define FIXED_BEFORE                                                                       \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |    \
	 PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |     \
	 PERF_SAMPLE_PERIOD)

static void skip_words(struct cursor *c, u64 nr)
{
	if (nr > cursor__left(c) / sizeof(u64))
		nr = cursor__left(c) / sizeof(u64) + 1; /* fails in take() */
	cursor__take(c, nr * sizeof(u64));
}

static void skip_read(struct cursor *c, u64 format)
{
	u64 per_event = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	u64 times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 nr = 1;

	if (format & PERF_FORMAT_GROUP)
		nr = min_of(cursor__u64(c), (u64)RECORD_SIZE_MAX);
	skip_words(c, times + nr * per_event);
}

static void skip_branches(struct cursor *c, u64 branch_sample_type)
{
	u64 nr = min_of(cursor__u64(c), (u64)RECORD_SIZE_MAX);

	if (branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		skip_words(c, 1);
	skip_words(c, nr * 3);
	if (branch_sample_type & ABI_BRANCH_COUNTERS)
		skip_words(c, nr);
}

static void take_stack(struct cursor *c, struct sample_spans *out)
{
	u64 room, used;

	out->stack.start = c->pos;
	room = cursor__u64(c);
	if (room) {
		if (room > cursor__left(c))
			c->bad = true;
		cursor__take(c, min_of(room, (u64)cursor__left(c)));
		used = cursor__u64(c);
		out->stack_room = room;
		out->stack_used = min_of(used, room);
	}
	out->stack.end = c->pos;
}

int sample__spans(const struct record *rec, struct sample_spans *out)
{
	const struct perf_event_attr *attr;
	struct cursor c;
	u64 type;

	*out = (struct sample_spans){};
	if (!rec->event || rec->hdr->type != PERF_RECORD_SAMPLE)
		return -EINVAL;
	attr = &rec->event->attr;
	type = attr->sample_type;
	c = cursor__init(rec->hdr, rec->hdr->size, false);
	cursor__take(&c, sizeof(*rec->hdr));
	skip_words(&c, __builtin_popcountll(type & FIXED_BEFORE));
	if (type & PERF_SAMPLE_READ)
		skip_read(&c, attr->read_format);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		out->chain.start = c.pos;
		skip_words(&c, cursor__u64(&c));
		out->chain.end = c.pos;
	}
	if (type & PERF_SAMPLE_RAW)
		cursor__take(&c, cursor__u32(&c));
	if (type & PERF_SAMPLE_BRANCH_STACK)
		skip_branches(&c, attr->branch_sample_type);
	out->regs_at = c.pos;
	if (type & PERF_SAMPLE_REGS_USER) {
		out->regs.start = c.pos;
		if (cursor__u64(&c))
			skip_words(&c, __builtin_popcountll(attr->sample_regs_user));
		out->regs.end = c.pos;
	}
	if (type & PERF_SAMPLE_STACK_USER)
		take_stack(&c, out);
	return c.bad ? -EINVAL : 0;
}

/* The rewritten record, while its parts are appended. .full: a part did not fit. */
struct record_out {
	u8 *p;
	size_t size, max;
	bool full;
};

static void record_out__put(struct record_out *o, const void *p, size_t size)
{
	if (size > o->max - o->size) {
		o->full = true;
		return;
	}
	if (size)
		memcpy(o->p + o->size, p, size);
	o->size += size;
}

/* @used bytes of the stack, and zeros up to @room. */
static u32 sample__fit_stack(const struct record *rec, const struct sample_spans *spans, u64 used,
			     u64 room, void *dst)
{
	const u8 *src = (const u8 *)rec->hdr;
	struct record_out o = { .p = dst, .max = rec->hdr->size };
	u32 data = spans->stack.start + sizeof(u64);

	if (room >= spans->stack_room) {
		memcpy(dst, src, rec->hdr->size);
		return rec->hdr->size;
	}
	record_out__put(&o, src, spans->stack.start);
	record_out__put(&o, &room, sizeof(room));
	record_out__put(&o, src + data, used);
	record_out__put(&o, "\0\0\0\0\0\0\0", room - used);
	record_out__put(&o, &used, sizeof(used));
	record_out__put(&o, src + spans->stack.end, rec->hdr->size - spans->stack.end);
	((struct perf_event_header *)dst)->size = o.size;
	return o.size;
}

u32 sample__trim_stack(const struct record *rec, const struct sample_spans *spans, void *dst)
{
	u64 used = spans->stack_used;

	/* More than is used: so readers see that the kernel had room for more. */
	return sample__fit_stack(rec, spans, used, align_up(used + 1, sizeof(u64)), dst);
}

u32 sample__cut_stack(const struct record *rec, const struct sample_spans *spans, u32 bytes,
		      void *dst)
{
	if (spans->stack_used <= bytes)
		return sample__trim_stack(rec, spans, dst);
	return sample__fit_stack(rec, spans, bytes, bytes, dst);
}

/* Copies from @pos up to @span; returns the position behind @span. */
static u32 copy_until(struct record_out *o, const u8 *src, u32 pos, const struct sample_span *span)
{
	if (span->start == span->end)
		return pos;
	record_out__put(o, src + pos, span->start - pos);
	return span->end;
}

static u32 replace_part(struct record_out *o, const u8 *src, u32 pos,
			const struct sample_span *span, enum splice_parts parts)
{
	static const u64 nothing; /* no ABI, no room */
	u32 end = copy_until(o, src, pos, span);

	if (end != pos && parts == SPLICE_EMPTY)
		record_out__put(o, &nothing, sizeof(nothing));
	return end;
}

static void put_chain(struct record_out *o, const struct splice_chain *chain)
{
	u64 nr = chain->nr_kept + (chain->nr_user ? 1 + chain->nr_user : 0);
	u64 marker = ABI_CONTEXT_USER;

	record_out__put(o, &nr, sizeof(nr));
	record_out__put(o, chain->kept, chain->nr_kept * sizeof(u64));
	if (!chain->nr_user)
		return;
	record_out__put(o, &marker, sizeof(marker));
	record_out__put(o, chain->user, chain->nr_user * sizeof(u64));
}

int sample__stitch(const struct record *rec, const struct sample_spans *spans,
		   const struct splice_chain *chain, enum splice_parts parts, void *dst,
		   size_t max)
{
	const u8 *src = (const u8 *)rec->hdr;
	struct record_out o = { .p = dst, .max = min_of(max, (size_t)RECORD_SIZE_MAX) };
	u32 pos = 0;

	if (max_of(chain->nr_kept, chain->nr_user) > RECORD_SIZE_MAX / sizeof(u64))
		return -ENOSPC;
	if (spans->chain.end) {
		pos = copy_until(&o, src, pos, &spans->chain);
		put_chain(&o, chain);
	}
	pos = replace_part(&o, src, pos, &spans->regs, parts);
	pos = replace_part(&o, src, pos, &spans->stack, parts);
	record_out__put(&o, src + pos, rec->hdr->size - spans->dropped - pos);
	if (o.full || o.size < sizeof(*rec->hdr))
		return -ENOSPC;
	((struct perf_event_header *)dst)->size = o.size;
	return o.size;
}

static void put_zeros(struct record_out *o, u64 nr)
{
	static const u64 zero;

	for (; nr; nr -= min_of(nr, (u64)sizeof(zero)))
		record_out__put(o, &zero, min_of(nr, (u64)sizeof(zero)));
}

static void put_user(struct record_out *o, const struct splice_user *user)
{
	record_out__put(o, &user->abi, sizeof(user->abi));
	if (user->abi)
		record_out__put(o, user->regs, user->nr_regs * sizeof(u64));
	record_out__put(o, &user->stack_room, sizeof(user->stack_room));
	if (!user->stack_room)
		return;
	record_out__put(o, user->stack, user->stack_used);
	put_zeros(o, user->stack_room - user->stack_used);
	record_out__put(o, &user->stack_used, sizeof(user->stack_used));
}

int sample__add_user(const struct record *rec, const struct sample_spans *spans,
		     const struct splice_user *user, void *dst, size_t max)
{
	const u8 *src = (const u8 *)rec->hdr;
	struct record_out o = { .p = dst, .max = min_of(max, (size_t)RECORD_SIZE_MAX) };
	const u32 head = spans->chain.start + sizeof(u64);
	const struct splice_chain chain = {
		.kept = (const u64 *)(src + head), .user = user->ips, .nr_user = user->nr_ips,
		.nr_kept = (spans->chain.end - head) / sizeof(u64),
	};

	if (!spans->chain.end)
		return -ENOSPC;
	record_out__put(&o, src, spans->chain.start);
	put_chain(&o, &chain);
	record_out__put(&o, src + spans->chain.end, spans->regs_at - spans->chain.end);
	put_user(&o, user);
	record_out__put(&o, src + spans->regs_at, rec->hdr->size - spans->regs_at);
	if (o.full)
		return -ENOSPC;
	((struct perf_event_header *)dst)->size = o.size;
	return o.size;
}

void attr__stitched(struct perf_event_attr *attr)
{
	attr->sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	attr->sample_regs_user = 0;
	attr->sample_stack_user = 0;
	attr->exclude_callchain_user = 0;
}

bool attr__has_copy(const struct perf_event_attr *attr)
{
	u64 needed = PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;

	return (attr->sample_type & needed) == needed;
}

void attr__completed(struct perf_event_attr *attr, bool keep_copies)
{
	attr__set_bit(attr, ATTR_BIT_DEFER_CALLCHAIN, false);
	attr__set_bit(attr, ATTR_BIT_DEFER_OUTPUT, false);
	if (!attr__has_copy(attr))
		return;
	attr->exclude_callchain_user = 0;
	if (!keep_copies)
		attr__stitched(attr);
}
