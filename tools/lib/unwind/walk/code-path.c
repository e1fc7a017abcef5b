// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "code-path.h"

#include <string.h>

#include "../core/hash.h"

#define MAX_INSNS 4096 /* of one question */
#define MAX_BRANCHES 256
#define MAX_SCANNED (1 << 16) /* bytes of a function */
#define MAX_RETURNS 8  /* that agree are enough */
#define FEW_SLOTS 256  /* most questions are about fewer instructions */
#define NR_ANSWERS 16384
/* An answer is packed into one word, the distances as words of 8 bytes, with a part of the key. */
#define DISTANCE_BITS 11
#define KEY_SHIFT (6 + 3 * DISTANCE_BITS)
#define MAX_DISTANCE (((1 << DISTANCE_BITS) - 1) * 8)

struct code_paths {
	u64 seed;
	const struct elf_image *img;
	const struct unwind_arch_info *arch;
	u64 answers[NR_ANSWERS]; /* see answer__pack(); 0: none */
};

/* What a register or a slot on the stack is, by what SP and FP were in the beginning. */
enum base { BASE_NONE, BASE_SP, BASE_FP };

struct place {
	enum base base;
	s64 off;
};

/*
 * Where the return address is; or 1 + the number of the register that it was popped into. On a path
 * to a return each word that is popped may be it.
 */
enum { RA_IN_PLACE = 0, RA_PUSHED = 0xfe, RA_UNKNOWN = 0xff };

/* Where a path is, and what it has done so far. */
struct point {
	u64 at;
	u8 ra;                /* see above */
	struct place ra_from; /* where it was popped from, on a path to a return */
	struct place sp, fp;
	struct place slot;    /* where FP was pushed and not popped again, or .base NONE */
	struct place popped;  /* where it was popped from */
	bool fp_lost;
};

struct follower {
	const struct code_paths *paths;
	u64 pc;               /* where to; 0: to all returns */
	bool unknown;         /* a path was lost */
	bool no_room;         /* because memory ran out */
	bool prepared;
	u32 nr_insns, max_insns, nr_branches, nr_returns;
	struct code_path found;
	u64 *seen;            /* nr_slots, half of them used at most; .few at first */
	u32 nr_slots;
	u64 few[FEW_SLOTS];
	struct point branches[MAX_BRANCHES]; /* nr_branches of them are set */
};

struct code_paths *code_paths__new(const struct elf_image *img,
				   const struct unwind_arch_info *arch)
{
	struct code_paths *p = env__zalloc(img->env, sizeof(*p));

	if (!p)
		return NULL;
	p->seed = env__seed();
	p->img = img;
	p->arch = arch;
	return p;
}

void code_paths__free(struct code_paths *p)
{
	if (p)
		env__free(p->img->env, p);
}

/* A slot has an instruction's address + 1, and where SP was there: see sp__pack(). */
#define SLOT_BITS 48
#define SLOT_ADDRESS ((1ULL << SLOT_BITS) - 1)

static u64 sp__pack(const struct place *sp)
{
	u64 words = (u64)(sp->off / 8) & ((2U << DISTANCE_BITS) - 1);

	return (sp->base ? words << 2 | sp->base : 0) << SLOT_BITS;
}

/* The slot of @at, or the free one where it belongs. */
static u64 *follower__slot(const struct follower *f, u64 at)
{
	u64 h = hash_mix(at ^ f->paths->seed), *slot;

	do
		slot = &f->seen[h++ & (f->nr_slots - 1)];
	while (*slot && (*slot & SLOT_ADDRESS) != at + 1);
	return slot;
}

/* False: out of memory, or none may be taken. */
static bool follower__grow(struct follower *f)
{
	const struct unwind_env *env = f->paths->img->env;
	u64 *old = f->seen, *seen;
	u32 nr = f->nr_slots;

	seen = f->prepared ? NULL : env__array(env, 4 * nr, sizeof(*seen));
	if (!seen)
		return false;
	f->nr_slots = 4 * nr;
	f->seen = seen;
	for (u32 i = 0; i < nr; i++)
		if (old[i])
			*follower__slot(f, (old[i] & SLOT_ADDRESS) - 1) = old[i];
	if (old != f->few)
		env__free(env, old);
	return true;
}

/* False: it was seen, there is no room to note that, or no code is so far up. */
static bool follower__visits(struct follower *f, const struct point *p)
{
	u64 *slot;

	if (p->at >= SLOT_ADDRESS) {
		f->unknown = true;
		return false;
	}
	slot = follower__slot(f, p->at);
	if (*slot)
		return false;
	*slot = (p->at + 1) | sp__pack(&p->sp);
	if (++f->nr_insns * 2 <= f->nr_slots || follower__grow(f))
		return true;
	f->unknown = f->no_room = true;
	return false;
}

/*
 * A branch back to where SP was somewhere else: each round moves it, as where a large frame is made
 * page by page (-fstack-clash-protection). So nothing is known of it.
 */
static void point__rounds(struct point *p, const struct follower *f, u64 to)
{
	u64 slot = to < SLOT_ADDRESS ? *follower__slot(f, to) : 0;

	if (slot && slot >> SLOT_BITS != sp__pack(&p->sp) >> SLOT_BITS)
		p->sp = (struct place){};
}

static void follower__branch(struct follower *f, const struct point *p, u64 to)
{
	if (f->nr_branches == MAX_BRANCHES) {
		f->unknown = true;
		return;
	}
	f->branches[f->nr_branches] = *p;
	f->branches[f->nr_branches++].at = to;
}

static struct place place__add(struct place p, s64 off)
{
	p.off += off;
	/* No sane function is there. */
	return p.off & 7 || p.off > MAX_DISTANCE || p.off < -MAX_DISTANCE ? (struct place){} : p;
}

static void point__moves(struct point *p, const struct insn *insn)
{
	struct place sp = p->sp;

	switch (insn->sp) {
	case SP_MOVED:
		p->sp = place__add(sp, insn->move);
		break;
	case SP_FROM_FP:
		p->sp = place__add(p->fp, insn->move);
		break;
	case SP_LOST:
		p->sp = (struct place){};
		break;
	}
	switch (insn->fp) {
	case FP_PUSHED:
		if (!p->slot.base)
			p->slot = p->sp;
		break;
	case FP_FROM_SP:
		p->fp = place__add(sp, insn->fp_move);
		p->fp_lost = true;
		break;
	case FP_POPPED:
		p->popped = place__add(p->sp, -8);
		p->fp = p->slot = (struct place){};
		p->fp_lost = false;
		break;
	case FP_LOST:
		p->fp = (struct place){};
		p->fp_lost = true;
		break;
	}
}

/* The return address was pushed again: distances are from there now. */
static void point__measures_anew(struct point *p)
{
	s64 by = -8 - p->sp.off;

	if (p->sp.base == BASE_SP) {
		p->sp.off += by;
		p->fp = p->fp.base == BASE_SP ? place__add(p->fp, by) : p->fp;
		p->slot = p->slot.base == BASE_SP ? place__add(p->slot, by) : p->slot;
	} else {
		p->fp_lost |= p->fp.base == BASE_SP || p->slot.base;
		p->sp = (struct place){ BASE_SP, -8 };
		p->fp = p->slot = (struct place){};
	}
	p->ra = RA_IN_PLACE;
}

static bool ra__is_in_reg(u8 ra)
{
	return ra != RA_IN_PLACE && ra < RA_PUSHED;
}

/*
 * One instruction. Code that takes or leaves words in front of its return address (arguments) pops
 * that first, and pushes it again: the builtins of V8.
 */
static void follower__moves(const struct follower *f, struct point *p, const struct insn *insn)
{
	struct place sp = p->sp;
	bool in_reg = ra__is_in_reg(p->ra);

	point__moves(p, insn);
	if (in_reg && insn->pushes == p->ra) {
		if (f->pc)
			point__measures_anew(p);
		else
			p->ra = RA_PUSHED;
	} else if (insn->pops && sp.base && (!f->pc || (!p->ra && sp.off == -8))) {
		p->ra = insn->pops;
		p->ra_from = sp;
	} else if ((in_reg && insn->writes >> (p->ra - 1) & 1) ||
		   (p->ra == RA_PUSHED && insn->sp)) {
		p->ra = f->pc ? RA_UNKNOWN : RA_IN_PLACE;
	}
}

/* Nothing is known when there are two answers. */
static void follower__returns(struct follower *f, const struct point *p)
{
	struct code_path path = { .result = PATH_FOUND, .fp_lost = p->fp_lost };
	struct place sp = p->ra == RA_PUSHED ? p->ra_from : p->sp;
	s64 below = sp.off + 8 - p->popped.off;

	if (!sp.base || sp.off < 0 || sp.off + 8 > MAX_DISTANCE)
		return;
	path.sp_known = sp.base == BASE_SP;
	path.fp_known = sp.base == BASE_FP;
	*(path.sp_known ? &path.sp : &path.fp) = sp.off + 8;
	/* What was popped from below SP was pushed on the way. */
	if (p->popped.base == sp.base && (p->popped.base == BASE_FP || p->popped.off >= 0))
		path.saved_fp = below > 0 ? below : 0;
	if (path.saved_fp > MAX_DISTANCE)
		return;
	if (f->nr_returns++ && (f->found.sp_known != path.sp_known || f->found.sp != path.sp ||
				f->found.fp != path.fp))
		f->unknown = true;
	f->found = path;
}

/* One instruction. False: the path ends here. */
static bool follower__step(struct follower *f, struct point *p)
{
	struct bytes code = elf_image__bytes_at(f->paths->img, p->at);
	u64 at = p->at;
	struct insn insn;

	if (!follower__visits(f, p))
		return false;
	if (f->nr_insns > f->max_insns || !f->paths->arch->decode(code.data, code.len, &insn)) {
		f->unknown |= f->pc;
		return false;
	}
	follower__moves(f, p, &insn);
	p->at = at + insn.len;
	switch (insn.kind) {
	case INSN_BRANCH:
		point__rounds(p, f, at + insn.target);
		follower__branch(f, p, at + insn.target);
		return true;
	case INSN_JUMP:
		p->at = at + insn.target;
		return true;
	case INSN_LEAVE:
		f->unknown |= f->pc;
		return false;
	case INSN_RETURN:
		if (!f->pc)
			follower__returns(f, p);
		return false;
	case INSN_END:
		return false;
	}
	return true;
}

/* Offsets are from the CFA. Code above it has lost its return address. */
static bool is_in_frame(const struct place *p)
{
	return p->base && p->off <= 0;
}

static struct code_path point__path(const struct point *p)
{
	struct code_path path = {
		.result = PATH_FOUND,
		.sp_known = is_in_frame(&p->sp) && !p->ra,
		.fp_known = is_in_frame(&p->fp) && !p->ra,
		.fp_lost = p->fp_lost && !is_in_frame(&p->slot),
	};

	path.sp = path.sp_known ? -p->sp.off : 0;
	path.fp = path.fp_known ? -p->fp.off : 0;
	path.saved_fp = is_in_frame(&p->slot) ? -p->slot.off : 0;
	return path;
}

static void follower__run(struct follower *f, struct point p)
{
	follower__branch(f, &p, p.at);
	while (f->nr_branches && f->nr_returns < MAX_RETURNS && !f->no_room) {
		p = f->branches[--f->nr_branches];
		do {
			if (f->pc && p.at == f->pc) {
				f->found = point__path(&p);
				f->unknown = false;
				return;
			}
		} while (follower__step(f, &p));
	}
	if (f->unknown)
		f->found = (struct code_path){};
	else if (!f->found.result)
		f->found.result = f->pc ? PATH_NONE : PATH_UNKNOWN;
}

/* A 1, the result, three flags, three distances, and bits by which the question is known. */
static u64 answer__pack(const struct code_path *c, u64 key)
{
	u64 v = c->result | c->sp_known << 2 | c->fp_known << 3 | c->fp_lost << 4;

	v |= (u64)(c->sp / 8) << 5 | (u64)(c->fp / 8) << (5 + DISTANCE_BITS);
	v |= (u64)(c->saved_fp / 8) << (5 + 2 * DISTANCE_BITS);
	return v << 1 | 1 | key >> KEY_SHIFT << KEY_SHIFT;
}

static struct code_path answer__unpack(u64 v)
{
	const u32 mask = (1U << DISTANCE_BITS) - 1;

	v >>= 1;
	return (struct code_path){
		.result = v & 3, .sp_known = v >> 2 & 1, .fp_known = v >> 3 & 1,
		.fp_lost = v >> 4 & 1,
		.sp = (v >> 5 & mask) * 8, .fp = (v >> (5 + DISTANCE_BITS) & mask) * 8,
		.saved_fp = (v >> (5 + 2 * DISTANCE_BITS) & mask) * 8,
	};
}

/* The answer, if @b has been enough for it. */
static struct code_path paths__follow(const struct code_paths *p, const struct point *from, u64 pc,
				      struct code_budget *b)
{
	struct follower f;

	if (b->left < MAX_INSNS)
		code_budget__extend(b);
	f.paths = p;
	f.pc = pc;
	f.unknown = f.no_room = false;
	f.prepared = b->prepared;
	f.nr_insns = f.nr_branches = f.nr_returns = 0;
	f.max_insns = min_of(b->left, (u32)MAX_INSNS);
	f.found = (struct code_path){};
	f.seen = memset(f.few, 0, sizeof(f.few));
	f.nr_slots = FEW_SLOTS;
	follower__run(&f, *from);
	if (f.seen != f.few)
		env__free(p->img->env, f.seen);
	b->spent |= f.no_room;
	b->spent |= f.nr_insns > f.max_insns && f.max_insns < MAX_INSNS;
	b->left -= min_of(f.nr_insns, b->left);
	return f.found;
}

/* The answer to a question of two numbers, when it is known. False: it is not. */
static bool paths__knows(const struct code_paths *p, u64 key, struct code_path *found)
{
	u64 v = __atomic_load_n(&p->answers[key & (NR_ANSWERS - 1)], __ATOMIC_RELAXED);

	if (!v || v >> KEY_SHIFT != key >> KEY_SHIFT)
		return false;
	*found = answer__unpack(v);
	return true;
}

static void paths__learn(struct code_paths *p, u64 key, const struct code_path *found)
{
	__atomic_store_n(&p->answers[key & (NR_ANSWERS - 1)], answer__pack(found, key),
			 __ATOMIC_RELAXED);
}

static struct code_path paths__ask(struct code_paths *p, const struct point *from, u64 pc,
				   struct code_budget *b)
{
	u64 key = hash_mix(from->at ^ hash_mix(pc ^ p->seed) ^ p->seed);
	struct code_path found;

	if (!p->arch->decode || !code_budget__take(b))
		return (struct code_path){};
	if (paths__knows(p, key, &found))
		return found;
	found = paths__follow(p, from, pc, b);
	if (b->spent)
		return (struct code_path){};
	paths__learn(p, key, &found);
	return found;
}

#define NOWHERE 1 /* an address that no path comes to */

struct code_path code_paths__from_start(struct code_paths *p, u64 start, u64 pc,
					struct code_budget *b)
{
	struct point from = { .at = start, .sp = { BASE_SP, -8 } };

	return paths__ask(p, &from, pc ? pc : NOWHERE, b);
}

/* Questions about all instructions from .start to before .end. */
struct code_range {
	u64 start, end;
	bool (*holds)(const struct code_range *r, u64 at, const struct insn *insn);
	bool or_leaves; /* it need not hold for an instruction with a jump to elsewhere behind it */
};

static bool insn__keeps_sp(const struct code_range *r __unused_arg, u64 at __unused_arg,
			   const struct insn *insn)
{
	return insn->sp != SP_LOST;
}

static bool insn__stays(const struct code_range *r, u64 at, const struct insn *insn)
{
	u64 to = at + insn->target;

	switch (insn->kind) {
	case INSN_RETURN:
	case INSN_LEAVE:
		return false;
	case INSN_JUMP:
	case INSN_BRANCH:
		return to >= r->start && to < r->end;
	}
	return true;
}

static bool range__holds(const struct code_range *r, const struct code_paths *p,
			 struct code_budget *b)
{
	bool holds = true;
	struct bytes code;
	struct insn insn;

	if (r->end <= r->start || r->end - r->start > MAX_SCANNED)
		return false;
	for (u64 at = r->start; at < r->end; at += insn.len) {
		code = elf_image__bytes_at(p->img, at);
		if (!code_budget__take(b) || !p->arch->decode(code.data, code.len, &insn) ||
		    (!holds && insn.kind != INSN_LEAVE))
			return false;
		holds = r->holds(r, at, &insn);
		if (!holds && !r->or_leaves)
			return false;
	}
	return holds;
}

/* @kind: tells one question about a range from another. */
static bool paths__ask_range(struct code_paths *p, const struct code_range *r, u64 kind,
			     struct code_budget *b)
{
	u64 key = hash_mix(r->start ^ hash_mix(~r->end ^ p->seed) ^ p->seed ^ kind);
	struct code_path found;

	if (!p->arch->decode || !code_budget__take(b))
		return false;
	if (!paths__knows(p, key, &found)) {
		found = (struct code_path){
			.result = range__holds(r, p, b) ? PATH_FOUND : PATH_NONE,
		};
		if (!b->spent)
			paths__learn(p, key, &found);
	}
	return found.result == PATH_FOUND && !b->spent;
}

bool code_paths__keeps_sp(struct code_paths *p, u64 start, u64 end, struct code_budget *b)
{
	const struct code_range r = { start, end, insn__keeps_sp, true };

	return paths__ask_range(p, &r, 0, b);
}

bool code_paths__never_return(struct code_paths *p, u64 start, u64 end, struct code_budget *b)
{
	const struct code_range r = { start, end, insn__stays, false };

	return paths__ask_range(p, &r, 1ULL << 63, b);
}

struct code_path code_paths__to_return(struct code_paths *p, u64 pc, struct code_budget *b)
{
	struct point from = { .at = pc, .sp = { BASE_SP, 0 }, .fp = { BASE_FP, 0 } };

	return paths__ask(p, &from, 0, b);
}
