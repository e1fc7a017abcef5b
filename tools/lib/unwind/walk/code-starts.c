// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "code-starts.h"

#include <stdlib.h>

#include "../core/sorted.h"
#include "../core/vec.h"

#define MOST_CODE (8U << 20)
#define NEAR (1U << 16) /* a function is not longer */

struct code_start {
	u64 at;
	bool called; /* else its address was taken */
	bool begins; /* what is in front of it does not go on there */
};

struct code_starts {
	const struct elf_image *img;
	const struct unwind_arch_info *arch;
	VEC(struct code_start) v; /* in order of address */
	bool failed;
};

static bool image__has_code(const struct elf_image *img, u64 vaddr)
{
	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];

		if (l->exec && vaddr - l->vaddr < l->filesz)
			return true;
	}
	return false;
}

static void starts__add(struct code_starts *s, u64 at, bool called)
{
	struct code_start *start;

	if (!image__has_code(s->img, at))
		return;
	start = vec__add(s->img->env, &s->v);
	if (start)
		*start = (struct code_start){ .at = at, .called = called };
	s->failed |= !start;
}

/* What the instruction at @at calls, or takes the address of. */
static void starts__find(struct code_starts *s, u64 at, const u8 *code, const struct insn *insn)
{
	u64 target;

	if (insn->kind == INSN_CALL && insn->direct && insn->target != insn->len)
		starts__add(s, at + insn->target, true);
	else if (s->arch->takes_address(code, insn->len, at, &target))
		starts__add(s, target, false);
}

/* Does the code go on behind this instruction, other than to come back from a call? */
static bool insn__goes_on(const struct insn *insn)
{
	return insn->kind == INSN_PLAIN || insn->kind == INSN_BRANCH;
}

/*
 * One pass over the code of a segment: finds starts, or marks those with an end in front. @next:
 * the first one that is not below the segment, when marking.
 */
static void starts__pass(struct code_starts *s, struct bytes code, u64 vaddr, bool mark)
{
	size_t next = partition_point(s->v.nr, i, s->v.v[i].at < vaddr);
	bool goes_on = false;
	struct insn insn;

	for (size_t at = 0; at < code.len && !s->failed; at += insn.len ?: 1) {
		bool known = s->arch->decode(code.data + at, code.len - at, &insn);

		for (; mark && next < s->v.nr && s->v.v[next].at <= vaddr + at; next++)
			s->v.v[next].begins = !goes_on && s->v.v[next].at == vaddr + at;
		if (known && !mark)
			starts__find(s, vaddr + at, code.data + at, &insn);
		/* Padding goes on as what is in front of it. */
		if (!known)
			insn.len = 0;
		else if (!s->arch->is_padding(code.data + at, insn.len))
			goes_on = insn__goes_on(&insn);
	}
}

static void starts__look_through(struct code_starts *s, bool mark)
{
	u64 left = MOST_CODE;

	for (size_t i = 0; i < s->img->loads.nr; i++) {
		const struct elf_load *l = &s->img->loads.v[i];
		struct bytes code = elf_image__bytes_at(s->img, l->vaddr);

		if (!l->exec)
			continue;
		code.len = min_of(code.len, (size_t)min_of((u64)l->filesz, left));
		left -= code.len;
		starts__pass(s, code, l->vaddr, mark);
	}
}

static int start__compare(const void *a, const void *b)
{
	const struct code_start *x = a, *y = b;

	return compare_of(x->at, y->at);
}

static void starts__sort(struct code_starts *s)
{
	if (s->v.nr > 1)
		qsort(s->v.v, s->v.nr, sizeof(*s->v.v), start__compare);
}

struct code_starts *code_starts__new(const struct elf_image *img,
				     const struct unwind_arch_info *arch)
{
	struct code_starts *s = env__zalloc(img->env, sizeof(*s));
	size_t kept = 0;

	if (!s)
		return NULL;
	s->img = img;
	s->arch = arch;
	starts__add(s, img->ehdr.e_entry, true);
	starts__look_through(s, false);
	starts__sort(s);
	starts__look_through(s, true);
	for (size_t i = 0; i < s->v.nr; i++)
		if (s->v.v[i].called || s->v.v[i].begins)
			s->v.v[kept++] = s->v.v[i];
	s->v.nr = kept;
	if (!s->failed)
		return s;
	code_starts__free(s);
	return NULL;
}

void code_starts__free(struct code_starts *s)
{
	if (!s)
		return;
	vec__drop(s->img->env, &s->v);
	env__free(s->img->env, s);
}

bool code_starts__find(const struct code_starts *s, u64 vaddr, u64 *start, u64 *end)
{
	size_t nr = partition_point(s->v.nr, i, s->v.v[i].at <= vaddr);

	*start = nr ? s->v.v[nr - 1].at : 0;
	*end = *start + NEAR;
	if (nr < s->v.nr)
		*end = min_of(*end, s->v.v[nr].at);
	return nr && vaddr - *start < NEAR;
}
