// SPDX-License-Identifier: GPL-2.0-only
#include "walk-side.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "../data/sample-splice.h"

#define RECORD_SIZE_MAX 65528
#define NR_REGS 20 /* of sampling__all_regs() on x86-64 */
#define CODE_64 0x33
#define ROUNDS_TO_LEAVE 3 /* of the rings, until what came is put in order and walked */
/* Of a process, in a short time: most processes never have so many. */
#define COPIES_TO_HURRY 64
#define SHORT_TIME_NS 100000000

/* A program's record, taken apart; points into it. */
struct parts {
	struct walk_output head;
	const u8 *ips, *regs, *copy, *other, *python, *extra;
};

/* Takes @bytes of what is left of @size bytes; NULL: there are not so many. */
static const u8 *take(const u8 *data, size_t size, size_t *at, size_t bytes)
{
	const u8 *p = data + *at;

	if (*at > size || size - *at < bytes)
		return NULL;
	*at += bytes;
	return p;
}

/* Returns false when it is damaged. */
static bool parts__find(struct parts *p, const u8 *data, size_t size)
{
	const size_t chain = offsetof(struct walk_scratch, copy_out) -
			     offsetof(struct walk_scratch, ips);
	size_t at = sizeof(p->head);

	*p = (struct parts){};
	if (size < at)
		return false;
	memcpy(&p->head, data, sizeof(p->head));
	if (p->head.note.magic != WALK_NOTE_MAGIC ||
	    p->head.note.nr_calls > PYTHON_CALLS_MAX ||
	    p->head.note.nr_functions > PYTHON_FRAMES_MAX ||
	    (p->head.flags & WALK_HAS_CHAIN && p->head.nr > WALK_MAX_FRAMES) ||
	    !(p->head.flags & (WALK_HAS_CHAIN | WALK_HAS_COPY)) || p->head.note.other_size % 8)
		return false;
	if (p->head.flags & WALK_HAS_CHAIN) {
		p->ips = take(data, size, &at, p->head.nr * sizeof(u64));
		if (!p->ips)
			return false;
	}
	if (p->head.flags & WALK_HAS_COPY) {
		/* The program's memory is written as it is: a head of its own lies between. */
		if (p->ips)
			at = sizeof(p->head) + chain + sizeof(p->head);
		p->regs = take(data, size, &at, sizeof(struct walk_regs));
		p->copy = take(data, size, &at, p->head.copied);
		p->other = take(data, size, &at, p->head.note.other_size);
		if (!p->regs || !p->copy || !p->other)
			return false;
	}
	p->python = take(data, size, &at, walk_note__python_size(&p->head.note));
	p->extra = p->python ? take(data, size, &at, p->head.extra) : NULL;
	return p->extra;
}

/*
 * Puts side data in the place of what the program's other function has written. Returns the bytes
 * of all.
 */
static u32 make_extra(const struct walk_side *s, u32 pid, const struct parts *p, const u8 *raw,
		      u8 *payload)
{
	struct walk_output head = p->head;
	u32 at = p->extra - raw;

	head.extra = 0;
	if (s->extra.make && p->head.extra && p->head.extra <= WALK_EXTRA_MAX &&
	    at + WALK_SIDE_EXTRA_MAX <= WALK_SIDE_ROOM)
		head.extra = s->extra.make(s->extra.ctx, pid, p->extra, p->head.extra,
					   payload + at);
	memcpy(payload, &head, sizeof(head));
	return at + head.extra;
}

/* Whether the program would have walked the stack if it had known more. */
static bool lacks_tables(const struct parts *p, u32 pid)
{
	return p->head.note.stop == WALK_NO_PROCESS || p->head.note.stop == WALK_NO_PAGE ||
	       p->head.note.changed || (p->ips && p->head.note.owner != pid);
}

static void count_copy(struct walk_side *s, u32 pid, u64 time)
{
	struct walk_side_process *p = &s->processes[pid % ARRAY_SIZE(s->processes)];

	if (p->pid != pid || time - p->since > SHORT_TIME_NS)
		*p = (struct walk_side_process){ .pid = pid, .since = time };
	s->wanted |= ++p->copies >= COPIES_TO_HURRY;
}

u32 walk_side__make(void *ctx, const struct sample *output, u64 *ip, u8 *payload)
{
	struct walk_side *s = ctx;
	struct parts p;
	u64 *last;

	if (output->raw_size > WALK_SIDE_ROOM - 64 ||
	    !parts__find(&p, output->raw, output->raw_size))
		return 0;
	last = &s->last[output->cpu % ARRAY_SIZE(s->last)];
	if (*last && p.head.note.sequence > *last)
		s->lost += p.head.note.sequence - *last - 1;
	*last = p.head.note.sequence;
	if (lacks_tables(&p, output->pid))
		count_copy(s, output->pid, output->time);
	*ip = p.head.ip;
	memcpy(payload, output->raw, output->raw_size);
	return make_extra(s, output->pid, &p, output->raw, payload);
}

/* In the order of PERF_REG_X86_*. */
static void order_regs(const struct walk_regs *r, u64 out[NR_REGS])
{
	const u64 v[NR_REGS] = {
		r->ax, r->bx, r->cx, r->dx, r->si, r->di, r->bp, r->sp, r->ip, r->flags, r->cs,
		r->ss, r->r8, r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15,
	};

	memcpy(out, v, sizeof(v));
}

/*
 * What is below SP does not belong to it. More room than bytes says that the stack went no further,
 * as in copies of the kernel. @beside: a chain came with the copy
 */
static void find_stack(const struct parts *p, u64 sp, bool beside, u64 max,
		       struct splice_user *user)
{
	u32 most = (beside ? WALK_BESIDE_PAGES : p->head.note.other ?
		    WALK_COPY_PAGES - WALK_OTHER_PAGES : WALK_COPY_PAGES) * 4096;
	u64 skip = sp - p->head.copy_start;
	bool ends = p->head.copied < most;

	user->stack_used = skip < p->head.copied ? p->head.copied - skip : 0;
	if (user->stack_used > max) {
		user->stack_used = max;
		ends = false;
	}
	user->stack = p->copy + min_of(skip, (u64)p->head.copied);
	user->stack_room = user->stack_used & ~7ull;
	if (ends)
		user->stack_room = align_up(user->stack_used + 1, 8);
	user->stack_used = min_of(user->stack_used, user->stack_room);
}

static void find_user(const struct parts *p, u64 regs[NR_REGS], u64 max, struct splice_user *user)
{
	struct walk_regs r;

	if (p->ips) {
		user->ips = (const u64 *)p->ips;
		user->nr_ips = p->head.nr;
	}
	if (!p->regs)
		return;
	memcpy(&r, p->regs, sizeof(r));
	order_regs(&r, regs);
	user->abi = (r.cs & 0xffff) == CODE_64 ? PERF_SAMPLE_REGS_ABI_64 :
		    PERF_SAMPLE_REGS_ABI_32;
	user->regs = regs;
	user->nr_regs = NR_REGS;
	find_stack(p, r.sp, p->ips, max, user);
}

/* The part for side data, and what there is for it. Returns the size, or -ENOSPC. */
static int add_extra(const struct walk_side *s, const struct record *rec, const struct parts *p,
		     struct perf_event_header *copy, size_t max)
{
	int ret;

	if (!attr__has_side_data(&rec->event->attr))
		return copy->size;
	ret = side_data__begin(copy, max);
	if (ret < 0 || !p->extra || !p->head.extra)
		return ret;
	(void)side_data__add(copy, max, 0, s->extra.kind, p->extra, p->head.extra);
	return copy->size;
}

/* Puts the addresses in order: of a deep stack the outermost ones are in a ring. */
static void order_chain(u64 *to, const struct parts *p)
{
	const u8 *ring = p->ips + WALK_INNER_FRAMES * sizeof(*to);
	u64 first = p->head.note.cut % WALK_OUTER_FRAMES;
	u64 behind = WALK_OUTER_FRAMES - first;

	memcpy(to, p->ips, p->head.nr * sizeof(*to));
	if (!p->head.note.cut || p->head.nr != WALK_MAX_FRAMES)
		return;
	to += WALK_INNER_FRAMES;
	memcpy(to, ring + first * sizeof(*to), behind * sizeof(*to));
	memcpy(to + behind, ring, first * sizeof(*to));
}

/*
 * Of a chain that is too long both ends are kept, with CALLCHAIN_GAP between them; beside much
 * else, as what the kernel has of its own stack, there is room for less. An end that does not reach
 * the outermost frame, or lies behind a change of stacks that is not proved, is not kept.
 */
static void fit_chain(struct walk_side *s, struct parts *p, u64 room)
{
	struct walk_note *note = &p->head.note;
	u64 nr = p->head.nr, fits = min_of(nr, room / sizeof(u64)), outer = WALK_OUTER_FRAMES;

	if (!p->ips || (!note->cut && fits == nr))
		return;
	order_chain(s->ips, p);
	if (note->stop != WALK_WHOLE || fits < 2 * outer || note->lower > fits - outer)
		outer = 0;
	if (!outer && note->cut)
		fits = min_of(fits, (u64)WALK_INNER_FRAMES);
	memmove(s->ips + fits - outer, s->ips + nr - outer, outer * sizeof(u64));
	if (outer)
		s->ips[fits - outer] = CALLCHAIN_GAP;
	note->cut += nr - fits + !!outer;
	p->ips = (const u8 *)s->ips;
	p->head.nr = fits;
}

/* The sample as the kernel wrote it, and what the program found of its stack. */
static int add_user(struct walk_side *s, const struct record *rec, struct parts *p,
		    struct perf_event_header *copy, size_t max)
{
	struct splice_user user = {};
	struct evsel opened = *rec->event;
	struct record given = *rec;
	struct sample_spans spans;
	u64 regs[NR_REGS], other;

	opened.attr.sample_type &= ~(u64)(PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER);
	if (attr__has_side_data(&rec->event->attr))
		opened.attr.sample_type &= ~(u64)PERF_SAMPLE_AUX;
	given.event = &opened;
	if (sample__spans(&given, &spans))
		return -ENOSPC;
	/* So that all fits into a record; and side data needs two words more. */
	other = rec->hdr->size + 256 + sizeof(p->head.note) + p->head.extra + 2 * sizeof(u64) +
		p->head.note.other_size + walk_note__python_size(&p->head.note);
	fit_chain(s, p, RECORD_SIZE_MAX - min_of(other, (u64)RECORD_SIZE_MAX));
	other += p->ips ? p->head.nr * sizeof(u64) : 0;
	find_user(p, regs, (RECORD_SIZE_MAX - min_of(other, (u64)RECORD_SIZE_MAX)) & ~7ull, &user);
	return sample__add_user(&given, &spans, &user, copy, max);
}

/*
 * The note, and in front of it another stack and Python's frames, if there is room. @size: of the
 * sample. Returns its new size.
 */
static u32 add_note(const struct parts *p, struct perf_event_header *copy, u32 size, size_t max)
{
	struct walk_note note = p->head.note;
	u32 python = walk_note__python_size(&note);

	note.copied = p->ips && p->regs;
	if (!p->other)
		note.other_size = 0;
	if (size + note.other_size + python + sizeof(note) > max)
		python = note.nr_calls = note.nr_functions = 0;
	if (size + note.other_size + sizeof(note) > max)
		return size;
	if (note.other_size)
		memcpy((u8 *)copy + size, p->other, note.other_size);
	size += note.other_size;
	memcpy((u8 *)copy + size, p->python, python);
	size += python;
	memcpy((u8 *)copy + size, &note, sizeof(note));
	copy->size = size + sizeof(note);
	return copy->size;
}

int walk_side__add(void *ctx, const struct record *rec, const u8 *payload, u32 size,
		   struct perf_event_header *copy, size_t max)
{
	struct parts p = {};
	bool found = size && parts__find(&p, payload, size);
	int ret;

	if (!attr__has_copy(&rec->event->attr)) {
		if (max < rec->hdr->size)
			return -ENOSPC;
		memcpy(copy, rec->hdr, rec->hdr->size);
		return add_extra(ctx, rec, &p, copy, max);
	}
	ret = add_user(ctx, rec, &p, copy, max);
	if (ret >= 0)
		ret = add_extra(ctx, rec, &p, copy, max);
	if (ret < 0 || !found)
		return ret;
	return add_note(&p, copy, ret, min_of(max, (size_t)RECORD_SIZE_MAX));
}

bool walk_side__applies(const struct perf_event_attr *attr)
{
	return attr->type != PERF_TYPE_TRACEPOINT &&
	       (attr__has_copy(attr) || attr__has_side_data(attr));
}

bool walk_side__hurries(void *ctx, bool round)
{
	struct walk_side *s = ctx;

	if (s->wanted)
		s->hurries = ROUNDS_TO_LEAVE;
	s->wanted = false;
	if (!s->hurries)
		return false;
	s->hurries -= round;
	return true;
}
