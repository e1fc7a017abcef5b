// SPDX-License-Identifier: GPL-2.0-only
/* Decodes samples: see record.h. */
#include <string.h>

#include "../../../lib/unwind/core/bytes.h"
#include "record.h"

/*
 * Takes @nr items of @size bytes in place. A count that the record cannot hold is an error; so are
 * u64s that are not aligned because of a hostile size in front of them.
 */
static const void *take_array(struct cursor *c, u64 nr, size_t size)
{
	if (c->bad || nr > cursor__left(c) / size || (size > 1 && c->pos % sizeof(u64))) {
		c->bad = true;
		return NULL;
	}
	return cursor__take(c, nr * size);
}

static void take_pair(struct cursor *c, u32 *first, u32 *second)
{
	*first = cursor__u32(c);
	*second = cursor__u32(c);
}

static void parse_fixed(struct sample *s, struct cursor *c, u64 type)
{
	u32 reserved;

	if (type & PERF_SAMPLE_IDENTIFIER)
		s->id = cursor__u64(c);
	if (type & PERF_SAMPLE_IP)
		s->ip = cursor__u64(c);
	if (type & PERF_SAMPLE_TID)
		take_pair(c, &s->pid, &s->tid);
	if (type & PERF_SAMPLE_TIME)
		s->time = cursor__u64(c);
	if (type & PERF_SAMPLE_ADDR)
		s->addr = cursor__u64(c);
	if (type & PERF_SAMPLE_ID)
		s->id = cursor__u64(c);
	if (type & PERF_SAMPLE_STREAM_ID)
		s->stream_id = cursor__u64(c);
	if (type & PERF_SAMPLE_CPU)
		take_pair(c, &s->cpu, &reserved);
	if (type & PERF_SAMPLE_PERIOD)
		s->period = cursor__u64(c);
}

static void parse_read(struct sample *s, struct cursor *c, u64 format)
{
	u64 times = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		    !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u64 per_value = 1 + !!(format & PERF_FORMAT_ID) + !!(format & PERF_FORMAT_LOST);
	u64 nr = 1, head = 0;

	if (format & PERF_FORMAT_GROUP) {
		struct cursor peek = *c;

		nr = cursor__u64(&peek);
		head = 1;
		/* So that the sum below cannot overflow. */
		if (peek.bad || nr > cursor__left(&peek)) {
			c->bad = true;
			return;
		}
	}
	s->read = take_array(c, head + times + nr * per_value, sizeof(u64));
	if (s->read)
		s->read_size = (head + times + nr * per_value) * sizeof(u64);
}

static void parse_chain(struct sample *s, struct cursor *c)
{
	u64 nr = cursor__u64(c);

	s->chain = take_array(c, nr, sizeof(u64));
	s->nr_chain = s->chain ? nr : 0;
}

static void parse_raw(struct sample *s, struct cursor *c)
{
	u32 size = cursor__u32(c);

	/* The size does not include itself, and with it is a multiple of 8. */
	s->raw = cursor__take(c, size);
	s->raw_size = s->raw ? size : 0;
	if ((sizeof(u32) + size) % sizeof(u64))
		c->bad = true;
}

static void parse_branches(struct sample *s, struct cursor *c, u64 branch_type)
{
	u64 nr = cursor__u64(c);

	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		cursor__u64(c);
	s->branches = take_array(c, nr, sizeof(*s->branches));
	s->nr_branches = s->branches ? nr : 0;
	if (branch_type & ABI_BRANCH_COUNTERS)
		take_array(c, nr, sizeof(u64));
}

static void parse_regs(struct sample_regs *regs, struct cursor *c, u64 mask)
{
	u64 abi = cursor__u64(c);

	if (!abi || c->bad)
		return;
	regs->v = take_array(c, __builtin_popcountll(mask), sizeof(u64));
	regs->abi = abi;
	regs->mask = mask;
}

static void parse_stack(struct sample *s, struct cursor *c)
{
	u64 room = cursor__u64(c), used;
	const u8 *stack;

	if (!room)
		return;
	stack = take_array(c, room, 1);
	used = cursor__u64(c);
	if (c->bad)
		return;
	s->stack = stack;
	s->stack_room = room;
	s->stack_size = min_of(room, used);
}

static void parse_tail(struct sample *s, struct cursor *c, const struct perf_event_attr *attr)
{
	u64 type = attr->sample_type;

	if (type & PERF_SAMPLE_REGS_USER)
		parse_regs(&s->user_regs, c, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER)
		parse_stack(s, c);
	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		s->weight = cursor__u64(c);
	if (type & PERF_SAMPLE_DATA_SRC)
		s->data_src = cursor__u64(c);
	if (type & PERF_SAMPLE_TRANSACTION)
		s->transaction = cursor__u64(c);
	if (type & PERF_SAMPLE_REGS_INTR)
		parse_regs(&s->intr_regs, c, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		s->phys_addr = cursor__u64(c);
	if (type & PERF_SAMPLE_CGROUP)
		s->cgroup = cursor__u64(c);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		s->data_page_size = cursor__u64(c);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		s->code_page_size = cursor__u64(c);
	if (type & PERF_SAMPLE_AUX) {
		s->aux_size = cursor__u64(c);
		s->aux = take_array(c, s->aux_size, 1);
	}
}

/* Rare, so it is not inlined: samples without READ stay fast. See chain_at(). */
static __attribute__((noinline)) size_t end_of_read(const struct record *rec, size_t size)
{
	struct cursor c = cursor__init(rec->hdr, size, false);
	struct sample s = {};

	cursor__take(&c, rec->event->layout.sample_size);
	parse_read(&s, &c, rec->event->attr.read_format);
	return c.bad ? size : c.pos;
}

/* Behind the fields of fixed size and READ; the record's size when READ does not fit. */
static inline size_t chain_at(const struct record *rec, size_t size)
{
	if (unlikely(rec->event->attr.sample_type & PERF_SAMPLE_READ))
		return end_of_read(rec, size);
	return rec->event->layout.sample_size;
}

struct sample_weights sample__weights(const struct sample *s, u64 sample_type)
{
	if (!(sample_type & PERF_SAMPLE_WEIGHT_STRUCT))
		return (struct sample_weights){ .weight = s->weight };
	return (struct sample_weights){ (u32)s->weight, s->weight >> 32, s->weight >> 48 };
}

int sample__chain(const struct record *rec, const u64 **chain, u64 *nr)
{
	size_t size = rec->hdr->size, at;

	*chain = NULL;
	*nr = 0;
	if (!(rec->event->attr.sample_type & PERF_SAMPLE_CALLCHAIN))
		return 0;
	at = chain_at(rec, size);
	if (size < at + sizeof(*nr))
		return -EINVAL;
	memcpy(nr, (const u8 *)rec->hdr + at, sizeof(*nr));
	at += sizeof(*nr);
	*chain = (const u64 *)((const u8 *)rec->hdr + at);
	return *nr > (size - at) / sizeof(u64) ? -EINVAL : 0;
}

size_t sample__raw_at(const struct record *rec)
{
	const u64 *chain;
	u64 nr;

	if (sample__chain(rec, &chain, &nr))
		return rec->hdr->size;
	return chain ? (size_t)((const u8 *)(chain + nr) - (const u8 *)rec->hdr) :
		       chain_at(rec, rec->hdr->size);
}

int sample__parse(struct sample *s, const struct record *rec)
{
	const struct perf_event_attr *attr;
	size_t size = rec->hdr->size;
	struct cursor c;

	memset(s, 0, sizeof(*s));
	s->pid = s->tid = s->cpu = NO_ID;
	s->time = NO_TIME;
	if (!rec->event || rec->hdr->type != PERF_RECORD_SAMPLE)
		return -EINVAL;
	attr = &rec->event->attr;
	s->misc = rec->hdr->misc;
	s->cpumode = rec->hdr->misc & ABI_MISC_CPUMODE_MASK;
	c = cursor__init(rec->hdr + 1, size - min_of(size, sizeof(*rec->hdr)), false);

	parse_fixed(s, &c, attr->sample_type);
	if (attr->sample_type & PERF_SAMPLE_READ)
		parse_read(s, &c, attr->read_format);
	if (attr->sample_type & PERF_SAMPLE_CALLCHAIN)
		parse_chain(s, &c);
	if (attr->sample_type & PERF_SAMPLE_RAW)
		parse_raw(s, &c);
	if (attr->sample_type & PERF_SAMPLE_BRANCH_STACK)
		parse_branches(s, &c, attr->branch_sample_type);
	parse_tail(s, &c, attr);
	if (!(attr->sample_type & PERF_SAMPLE_PERIOD))
		s->period = attr->sample_period;
	s->rest_size = cursor__left(&c);
	s->rest = cursor__take(&c, s->rest_size);
	return c.bad ? -EINVAL : 0;
}
