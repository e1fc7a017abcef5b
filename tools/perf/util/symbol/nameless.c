// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/arch/arch.h"
#include "../../../lib/unwind/source/cfi.h"
#include "../../../lib/unwind/source/sframe.h"
#include "../../../lib/unwind/walk/code-starts.h"
#include "../base/hash.h"
#include "../../../lib/unwind/core/sorted.h"
#include "../base/text.h"
#include "nameless.h"

#define GAP_MAX (1U << 16)    /* bytes of code between two entries that are looked through */
#define GAPS_WORK (64U << 20) /* bytes in all: entries of a hostile file may overlap */
#define ALIGNMENT 16          /* of functions, where only the code says that there is one */

struct range {
	u64 start, end;
};

struct sized {
	u64 size, start;
};

/* Code between two entries, and the functions in it. */
struct gap {
	struct range range;
	size_t first, nr; /* of .found */
};

struct nameless {
	const struct elf_image *img;
	struct arena *arena;
	char *file;
	const struct unwind_arch_info *arch; /* NULL: unknown, there is code alone */
	bool opened, code_opened;
	struct cfi *cfi;
	struct sframe *sframe;
	struct code_starts *code;
	struct map64 symbols;     /* by .start */
	struct map64 gaps;        /* by the start -> index + 1 of .gap */
	VEC(struct gap) gap;
	VEC(struct range) found;  /* functions in gaps */
	VEC(struct sized) sized;  /* all entries, by .size, then by .start */
	VEC(u64) starts;          /* of nameless__of_size() */
	u64 work;                 /* bytes of gaps that were looked through */
};

struct nameless *nameless__new(const struct elf_image *img, struct arena *arena, const char *file)
{
	struct nameless *n;

	if (!img->elf || img->ehdr.e_ident[EI_CLASS] != ELFCLASS64 ||
	    (img->ehdr.e_type != ET_EXEC && img->ehdr.e_type != ET_DYN))
		return NULL;
	n = xzalloc(sizeof(*n));
	n->img = img;
	n->arena = arena;
	n->file = xstrdup(file);
	n->arch = unwind_arch_info__by_machine(img->ehdr.e_machine);
	return n;
}

void nameless__free(struct nameless *n)
{
	if (!n)
		return;
	cfi__free(n->cfi);
	sframe__free(n->sframe);
	code_starts__free(n->code);
	map64__free(&n->symbols);
	map64__free(&n->gaps);
	vec__free(&n->gap);
	vec__free(&n->found);
	vec__free(&n->sized);
	vec__free(&n->starts);
	free(n->file);
	free(n);
}

/* Of two things around an address the nearer ones end the gap that it is in. */
static void narrow(struct range *gap, u64 addr, u64 before, u64 behind)
{
	if (before <= addr)
		gap->start = max_of(gap->start, before);
	if (behind > addr)
		gap->end = min_of(gap->end, behind);
}

static bool cfi__look_up(struct cfi *c, u64 addr, struct range *out, struct range *gap)
{
	u64 nr = cfi__nr(c), i = cfi__first(c, addr);
	struct cfi_fde fde;

	if (i < nr && cfi__start(c, i) <= addr) {
		if (cfi__fde(c, i, &fde)) {
			*out = (struct range){ fde.start, fde.end };
			if (fde.start <= addr && addr < fde.end)
				return true;
			narrow(gap, addr, fde.end, UINT64_MAX);
		}
		i++;
	}
	if (i < nr)
		narrow(gap, addr, 0, cfi__start(c, i));
	return false;
}

static bool sframe__look_up(const struct sframe *s, u64 addr, struct range *out, struct range *gap)
{
	struct sframe_fde fde;

	for (size_t i = 0; i < s->tables.nr; i++) {
		const struct sframe_table *t = &s->tables.v[i];
		u32 at = sframe_table__first(s, t, addr);

		if (at < t->nr) {
			sframe_table__range(s, t, t->order ? t->order[at] : at, &out->start,
					    &out->end);
			if (out->start <= addr && addr < out->end &&
			    sframe__fde(s, t, at, &fde) == SFRAME_OK)
				return true;
			narrow(gap, addr, 0, out->start);
		}
		if (at) {
			at--;
			sframe_table__range(s, t, t->order ? t->order[at] : at, &out->start,
					    &out->end);
			narrow(gap, addr, out->end, UINT64_MAX);
		}
	}
	return false;
}

/* The code of the section, or without sections of the segment, that @addr is in. */
static bool code_around(const struct elf_image *img, u64 addr, struct range *out)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	for (size_t i = 0; i < img->loads.nr; i++) {
		const struct elf_load *l = &img->loads.v[i];

		if (!l->exec || addr - l->vaddr >= l->filesz)
			continue;
		*out = (struct range){ l->vaddr, l->vaddr + l->filesz };
		while ((scn = elf_nextscn(img->elf, scn)) != NULL)
			if (gelf_getshdr(scn, &shdr) && shdr.sh_flags & SHF_EXECINSTR &&
			    addr - shdr.sh_addr < shdr.sh_size)
				narrow(out, addr, shdr.sh_addr, shdr.sh_addr + shdr.sh_size);
		return true;
	}
	return false;
}

static void end_function(struct nameless *n, struct range *f, u64 end)
{
	if (f->end)
		*vec__push(&n->found) = (struct range){ f->start, end };
	*f = (struct range){ end, end };
}

/*
 * Finds functions by their code: one begins behind padding, or behind an instruction that does not
 * go on, where none before it jumps to, and where compilers begin one.
 */
static void look_through(struct nameless *n, struct range gap)
{
	struct bytes code = elf_image__bytes_at(n->img, gap.start);
	struct range f = { 0, 0 }; /* .end 0: none yet */
	bool goes_on = false;
	u64 reach = 0;
	struct insn insn;

	code.len = min_of(code.len, (size_t)(gap.end - gap.start));
	for (size_t at = 0; at < code.len; at += insn.len ?: 1) {
		u64 addr = gap.start + at;
		bool known = n->arch->decode(code.data + at, code.len - at, &insn);

		if (!known) {
			insn.len = 1;
			continue;
		}
		if (n->arch->is_padding(code.data + at, insn.len))
			continue;
		if (!f.end || (!goes_on && addr >= reach && !(addr % ALIGNMENT)))
			end_function(n, &f, addr);
		if (insn.direct && insn.kind != INSN_CALL &&
		    insn.target < (s64)(gap.end - addr))
			reach = max_of(reach, addr + insn.target);
		goes_on = insn.kind == INSN_PLAIN || insn.kind == INSN_BRANCH ||
			  insn.kind == INSN_CALL;
	}
	end_function(n, &f, gap.start + code.len);
}

static const struct gap *gap_at(struct nameless *n, struct range range)
{
	size_t nr = (uintptr_t)map64__get(&n->gaps, range.start);
	struct gap *gap;

	if (!nr) {
		gap = vec__push(&n->gap);
		nr = n->gap.nr;
		*gap = (struct gap){ .range = range, .first = n->found.nr };
		n->work += range.end - range.start;
		if (n->work <= GAPS_WORK)
			look_through(n, range);
		gap->nr = n->found.nr - gap->first;
		map64__set(&n->gaps, range.start, (void *)(uintptr_t)nr);
	}
	return &n->gap.v[nr - 1];
}

static bool find_in_gap(struct nameless *n, u64 addr, struct range range, struct range *out)
{
	const struct gap *gap = gap_at(n, range);
	const struct range *v = n->found.v + gap->first;
	size_t nr = partition_point(gap->nr, i, v[i].start <= addr);

	if (!nr || addr >= v[nr - 1].end)
		return false;
	*out = v[nr - 1];
	return true;
}

static bool find_by_code(struct nameless *n, u64 addr, struct range gap, struct range *out)
{
	if (!n->arch->decode)
		return false;
	if ((n->cfi || n->sframe) && gap.end - gap.start <= GAP_MAX)
		return find_in_gap(n, addr, gap, out);
	if (!n->code_opened)
		n->code = code_starts__new(n->img, n->arch);
	n->code_opened = true;
	if (!n->code || !code_starts__find(n->code, addr, &out->start, &out->end))
		return false;
	narrow(out, addr, gap.start, gap.end);
	return addr < out->end;
}

static void open_tables(struct nameless *n)
{
	if (!n->opened) {
		n->cfi = cfi__open_eh_frame(n->img, n->arch);
		n->sframe = sframe__open(n->img, n->arch, NULL);
	}
	n->opened = true;
}

static bool find_range(struct nameless *n, u64 addr, const struct nameless_room *room,
		       struct range *out)
{
	struct range gap;

	if (!n->arch || !code_around(n->img, addr, &gap))
		return false;
	narrow(&gap, addr, room->start, room->end);
	open_tables(n);
	return (n->cfi && cfi__look_up(n->cfi, addr, out, &gap)) ||
	       (n->sframe && sframe__look_up(n->sframe, addr, out, &gap)) ||
	       find_by_code(n, addr, gap, out);
}

static const char *name_at(const struct nameless *n, u64 start)
{
	char *text = xasprintf("%s+0x%" PRIx64, n->file, start);
	const char *name;

	name__disarm(text, strlen(text));
	name = arena__intern(n->arena, text);
	free(text);
	return name;
}

const struct symbol *nameless__find(struct nameless *n, u64 addr, const struct nameless_room *room)
{
	struct symbol *sym;
	struct range range;

	if (!n || !find_range(n, addr, room, &range))
		return NULL;
	sym = map64__get(&n->symbols, range.start);
	if (sym)
		return sym;
	sym = arena__alloc(n->arena, sizeof(*sym));
	*sym = (struct symbol){
		.start = range.start, .end = range.end, .name = name_at(n, range.start),
		.binding = STB_LOCAL, .nameless = true,
	};
	map64__set(&n->symbols, range.start, sym);
	return sym;
}

static int by_size(const void *va, const void *vb)
{
	const struct sized *a = va, *b = vb;

	return compare_of(a->size, b->size) ?: compare_of(a->start, b->start);
}

static void measure_all(struct nameless *n)
{
	struct cfi_fde fde;

	open_tables(n);
	for (u64 i = 0; n->cfi && i < cfi__nr(n->cfi); i++)
		if (cfi__fde(n->cfi, i, &fde) && fde.end > fde.start)
			*vec__push(&n->sized) = (struct sized){ fde.end - fde.start, fde.start };
	if (n->sized.nr)
		qsort(n->sized.v, n->sized.nr, sizeof(*n->sized.v), by_size);
}

const u64 *nameless__of_size(struct nameless *n, u64 size, size_t *nr)
{
	size_t at;

	*nr = 0;
	if (!n || !n->arch)
		return NULL;
	if (!n->sized.nr)
		measure_all(n);
	n->starts.nr = 0;
	at = partition_point(n->sized.nr, i, n->sized.v[i].size < size);
	for (; at < n->sized.nr && n->sized.v[at].size == size; at++)
		*vec__push(&n->starts) = n->sized.v[at].start;
	*nr = n->starts.nr;
	return n->starts.v;
}
