// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/*
 * The caller of a frame whose code has no rows, or rows that need a frame pointer which is not
 * known: by the code itself as far as it proves where the return address is. Without rows also by
 * what is likely at an instruction, and at last by the frame pointer.
 */
#include "walk-steps.h"

/* So many words from SP on may be the return address that a direct call has put there. */
#define CANDIDATES 256
/* Its first instruction is not further away. */
#define NEAR (1U << 16)
/* The prologue of a function is looked for in so many bytes before an instruction of it. */
#define PROLOGUE_BYTES 4096

struct caller {
	u64 ra, sp, fp;
	bool fp_known;
};

static bool map__start(struct walk *w, const struct walk_map *m, u64 vaddr, u64 *start)
{
	u64 end;

	return walk__symbol(w, m, vaddr, start, &end);
}

/*
 * Is SP as far from the CFA at @pc on all ways that lead there? Of a function with alloca() the
 * path that was found may be one that leaves that out. Its parts elsewhere (.cold) have none.
 */
static bool map__keeps_sp(struct walk *w, const struct walk_map *m, struct code_paths *p,
			  u64 start, u64 pc)
{
	u64 first, end = 0;

	if (start == pc)
		return true;
	if (!walk__function(w, m, start, &first, &end))
		end = 0;
	return code_paths__keeps_sp(p, start, end > pc || pc < start ? end : pc, &w->code);
}

static struct code_path map__path(struct walk *w, const struct walk_map *m, u64 start, u64 pc)
{
	struct code_paths *p = walk__code_paths(w, m);
	struct code_path path;

	if (!p)
		return (struct code_path){};
	start -= m->bias;
	pc -= pc ? m->bias : 0;
	path = code_paths__from_start(p, start, pc, &w->code);
	if (path.result == PATH_FOUND && path.sp_known)
		path.sp_known = map__keeps_sp(w, m, p, start, pc);
	return path;
}

/* From the pc to where its function returns. */
static struct code_path map__path_to_return(struct walk *w, const struct walk_map *m)
{
	struct code_paths *p = walk__code_paths(w, m);

	if (!p)
		return (struct code_path){};
	return code_paths__to_return(p, w->pc - m->bias, &w->code);
}

/*
 * Where a path says that the CFA of the present frame is. False: it does not. FP goes first: each
 * call keeps it, while functions that pop their arguments (V8's) move SP.
 */
static bool path__cfa(const struct walk *w, const struct code_path *path, u64 *cfa)
{
	bool by_fp = path->fp_known && w->fp_known;

	if (path->result != PATH_FOUND)
		return false;
	*cfa = by_fp ? w->fp + path->fp : w->sp + path->sp;
	return by_fp || path->sp_known;
}

/* The caller, when the return address is where @path says. */
static bool path__caller(struct walk *w, const struct code_path *path, struct caller *c)
{
	u64 cfa;

	if (!path__cfa(w, path, &cfa) || cfa < w->sp + 8 || !walk__read(w, cfa - 8, &c->ra) ||
	    !walk__follows_call(w, c->ra))
		return false;
	c->sp = cfa;
	c->fp = w->fp;
	c->fp_known = w->fp_known && !path->fp_lost;
	if (path->saved_fp)
		c->fp_known = walk__read(w, cfa - path->saved_fp, &c->fp);
	return true;
}

/* Is the word at @at the return address of the present frame, as a direct call has put it there? */
static bool word__is_ra(struct walk *w, const struct walk_map *m, u64 at, struct caller *c)
{
	struct code_path path;
	struct walk_map *from;
	u64 ra, start, cfa;

	if (!walk__read(w, at, &ra) || !code_budget__take(&w->code))
		return false;
	from = walk__call_target(w, ra, &start);
	if (!from || from->um != m->um || from->bias != m->bias ||
	    (start < w->pc ? w->pc - start : start - w->pc) > NEAR)
		return false;
	path = map__path(w, m, start, w->pc);
	return path__cfa(w, &path, &cfa) && cfa == at + 8 && path__caller(w, &path, c);
}

/* False: the direct call before @ra certainly does not. */
static bool call__may_lead_here(struct walk *w, const struct walk_map *m, u64 ra)
{
	struct walk_map *from;
	u64 target;

	from = walk__call_target(w, ra, &target);
	if (!from)
		return true;
	return map__path(w, from, target, from->um == m->um ? w->pc : 0).result != PATH_NONE;
}

/*
 * The function does not return, so that it says nothing by how it would (and behind its last call
 * there is another one): it begins where the code seems to.
 */
static bool walk__by_code_start(struct walk *w, const struct walk_map *m, struct caller *c)
{
	u64 look = w->exact ? w->pc : w->pc - 1, start, end, target;
	const struct code_starts *s = w->prepared ? NULL : table__code_starts(m->table);
	struct code_path path;
	struct walk_map *from;

	if (!s || !code_starts__find(s, look - m->bias, &start, &end))
		return false;
	start += m->bias;
	path = map__path(w, m, start, w->pc);
	if (!path__caller(w, &path, c))
		return false;
	from = walk__call_target(w, c->ra, &target);
	return !from || (from == m && target == start) || call__may_lead_here(w, m, c->ra);
}

/* By the code from the function's first instruction on, or from the pc to where it returns. */
static bool walk__by_code(struct walk *w, const struct walk_map *m, struct caller *c)
{
	u64 look = w->exact ? w->pc : w->pc - 1, start;
	struct code_path path;

	if (!w->arch->decode || !m->table)
		return false;
	if (map__start(w, m, look - m->bias, &start)) {
		path = map__path(w, m, start + m->bias, w->pc);
		if (path__caller(w, &path, c))
			return true;
	}
	for (u64 i = 0; i < CANDIDATES && !w->code.spent; i++)
		if (word__is_ra(w, m, w->sp + 8 * i, c))
			return true;
	if (w->fp_known && w->fp >= w->sp && word__is_ra(w, m, w->fp + 8, c))
		return true;
	path = map__path_to_return(w, m);
	if (path__caller(w, &path, c) && call__may_lead_here(w, m, c->ra))
		return true;
	return walk__by_code_start(w, m, c);
}

/* Is it likely that a function begins at @code? @before: bytes that can be read in front of it. */
static bool starts_function(const u8 *code, u64 vaddr, u32 before)
{
	static const u8 endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	/* A return, traps, and padding. */
	static const u8 ends[] = { 0xc3, 0xcc, 0xf4, 0x0b, 0x90, 0x00 };

	if (before >= 4 && !memcmp(code - 4, endbr64, 4)) {
		code -= 4;
		vaddr -= 4;
		before -= 4;
	}
	return !(vaddr & 15) || (before && memchr(ends, code[-1], sizeof(ends)));
}

/* The path from where the function of the present frame seems to begin, with a frame record. */
static struct code_path path_from_record(struct walk *w, const struct walk_map *m)
{
	u64 pc = w->pc - m->bias;
	struct bytes code = {};
	u32 len = PROLOGUE_BYTES;

	for (; len && !code.len; len /= 2)
		code = elf_image__bytes_at(&m->um->m->image, pc - len);
	len = code.len ? 2 * len : 0;
	for (u32 at = min_of((size_t)len, code.len); at--;)
		if (w->arch->makes_record(code.data + at, code.len - at) &&
		    starts_function(code.data + at, pc - len + at, at))
			return map__path(w, m, w->pc - len + at, w->pc);
	return (struct code_path){ .result = PATH_NONE };
}

/* The path that the present function has come, by the best that is known of its beginning. */
static struct code_path path_to_here(struct walk *w, const struct walk_map *m, u64 ra)
{
	u64 look = w->exact ? w->pc : w->pc - 1, start;
	struct code_path path = {};
	struct walk_map *from;

	if (map__start(w, m, look - m->bias, &start))
		path = map__path(w, m, start + m->bias, w->pc);
	if (path.result == PATH_FOUND)
		return path;
	from = walk__call_target(w, ra, &start);
	if (from && from->um == m->um)
		path = map__path(w, from, start, w->pc);
	return path.result == PATH_FOUND ? path : path_from_record(w, m);
}

/*
 * Of code that cannot be looked at: it may have been interrupted where it has no frame record, if
 * its return address may be at SP, or above the frame pointer that it has just pushed. So it is of
 * one that has called a function which has made no record, either: V8's calls one for its prologue.
 */
static bool may_have_no_record(struct walk *w, u64 record)
{
	u64 top, next;

	if (!w->exact && w->fp != w->first_fp)
		return false;
	if (record == w->sp || !walk__read(w, w->sp, &top))
		return false;
	if (top == w->fp && walk__read(w, w->sp + 8, &next))
		top = next;
	return walk__follows_call(w, top);
}

/*
 * A frame record above SP is one of this stack, but of the present function only if that has made
 * it: else callers were left out. Is it certain that none was, as far as there is code to look at?
 */
static bool record__skips(struct walk *w, const struct walk_map *m, u64 record, u64 ra)
{
	struct code_path path;

	if (!w->arch->decode)
		return false;
	if (!call__may_lead_here(w, m, ra))
		return true;
	if (!m->table)
		return may_have_no_record(w, record);
	path = path_to_here(w, m, ra);
	if (path.result != PATH_FOUND)
		return path.result == PATH_NONE;
	return !(path.fp_known && w->fp + path.fp == record + 16) &&
	       !(path.sp_known && w->sp + path.sp == record + 16);
}

/*
 * The caller by a frame record, or by the back chain where the ABI has one. It must be plausible
 * in all of: the record lies above SP, the chain goes up, the address is in known code behind a
 * call instruction.
 */
static bool walk__by_fp(struct walk *w, const struct walk_map *m, enum unwind_stop why)
{
	const struct unwind_arch_info *arch = w->arch;
	u64 record = arch->fp_is_back_chain ? w->sp : w->fp, fp, ra, at;

	if ((!w->fp_known && !arch->fp_is_back_chain) ||
	    record & 7 || record < w->sp || !walk__read(w, record, &fp))
		return walk__stop(w, why);
	at = arch->fp_is_back_chain ? fp : record;
	if ((arch->fp_is_back_chain && fp <= w->sp) || !walk__read(w, at + arch->ra_slot, &ra))
		return walk__stop(w, why);
	ra &= arch->address_mask;
	if (!walk__follows_call(w, ra))
		return walk__stop(w, why);
	w->skips |= record__skips(w, m, record, ra);
	if (w->code.spent)
		return walk__stop(w, UNWIND_COSTLY);
	if (!w->guessed_at && (w->skips || !m->table)) {
		w->guessed_at = w->chain->nr;
		w->guessed_for = why;
	}
	w->fp_known = true;
	if (arch->fp_is_back_chain)
		w->fp_known = walk__read(w, at + arch->fp_slot, &w->fp);
	else
		w->fp = fp;
	if (!walk__arrive(w, ra, arch->fp_is_back_chain ? fp : record + 16, false, UNWIND_BY_FP))
		return false;
	walk__forget_regs(w);
	return true;
}

static bool walk__to_caller(struct walk *w, const struct caller *c)
{
	if (w->code.spent)
		return walk__stop(w, UNWIND_COSTLY);
	w->fp = c->fp;
	w->fp_known = c->fp_known;
	if (!walk__arrive(w, c->ra, c->sp, false, UNWIND_BY_LEAF))
		return false;
	walk__forget_regs(w);
	return true;
}

/*
 * Where a function with rows begins, if it is called there: a part of a function that was moved
 * away has rows of its own, and at the first of them the caller's address is somewhere else.
 */
static bool map__called_start(struct walk *w, const struct walk_map *m, u64 vaddr, u64 *start)
{
	const struct row_rule *rule;
	u64 end;

	if (!walk__function(w, m, vaddr, start, &end))
		return false;
	rule = walk__rule(w, m, *start);
	return rule && rule->flags & ROW_PLAIN_SP && rule->cfa_off == 8;
}

bool walk__without_fp(struct walk *w, const struct walk_map *m)
{
	u64 look = w->exact ? w->pc : w->pc - 1, start;
	struct code_path path = {};
	struct caller c;

	if (w->s->u->sources.fp && w->arch->decode && m->table &&
	    map__called_start(w, m, look - m->bias, &start))
		path = map__path(w, m, start + m->bias, w->pc);
	if (!path__caller(w, &path, &c) && !w->code.spent)
		return walk__stop(w, UNWIND_UNKNOWN_REG);
	return walk__to_caller(w, &c);
}

bool walk__by_guess(struct walk *w, const struct walk_map *m, enum unwind_stop why)
{
	struct caller c = { .fp = w->fp, .fp_known = w->fp_known };

	if (!w->s->u->sources.fp)
		return walk__stop(w, why);
	if (!walk__by_code(w, m, &c) && !w->code.spent && !walk__leaf(w, m, &c.ra, &c.sp)) {
		if (!walk__prologue(w, m, &c.ra, &c.sp))
			return walk__by_fp(w, m, why);
		c.fp_known = walk__read(w, c.sp + w->arch->fp_slot, &c.fp);
	}
	return walk__to_caller(w, &c);
}
