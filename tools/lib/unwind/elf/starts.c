// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "starts.h"

#include <stdlib.h>
#include <string.h>

#include "../core/sorted.h"

struct start {
	u64 start, end;
};

struct starts {
	const struct unwind_env *env;
	bool failed;
	VEC(struct start) v; /* in order of address */
};

static void starts__add(struct starts *s, const struct elf_image *img, const u8 *data)
{
	bool swap = elf_image__is_swapped(img);
	struct start *start;
	Elf64_Sym sym;

	memcpy(&sym, data, sizeof(sym));
	if (swap) {
		sym.st_shndx = __builtin_bswap16(sym.st_shndx);
		sym.st_value = __builtin_bswap64(sym.st_value);
		sym.st_size = __builtin_bswap64(sym.st_size);
	}
	if (sym.st_shndx == SHN_UNDEF || sym.st_size > UINT32_MAX ||
	    (ELF64_ST_TYPE(sym.st_info) != STT_FUNC &&
	     ELF64_ST_TYPE(sym.st_info) != STT_GNU_IFUNC))
		return;
	start = vec__add(s->env, &s->v);
	if (start)
		*start = (struct start){ sym.st_value, sym.st_value + sym.st_size };
	s->failed |= !start;
}

static void starts__add_table(struct starts *s, const struct elf_image *img, u32 type)
{
	struct bytes table;
	GElf_Shdr shdr;

	if (!elf_image__section(img, NULL, type, &shdr))
		return;
	table = elf_image__bytes(img, &shdr);
	for (size_t at = 0; table.len - at >= sizeof(Elf64_Sym) && !s->failed;
	     at += sizeof(Elf64_Sym))
		starts__add(s, img, table.data + at);
}

static int start__compare(const void *a, const void *b)
{
	const struct start *x = a, *y = b;

	if (x->start != y->start)
		return compare_of(x->start, y->start);
	return compare_of(x->end, y->end);
}

static void sort(struct start *v, size_t nr)
{
	if (nr > 1)
		qsort(v, nr, sizeof(*v), start__compare);
}

/*
 * Puts them in order of address by as many buckets of equal width as there are starts, and in order
 * in these: of a large library that takes a fraction of the time of a sort, and walks wait
 * meanwhile. Returns: false when out of memory.
 */
static bool starts__sort(struct starts *s)
{
	u64 low = UINT64_MAX, high = 0, width;
	size_t nr = s->v.nr, *at = env__array(s->env, nr + 1, sizeof(*at));
	struct start *v = at ? env__array(s->env, nr, sizeof(*v)) : NULL;

	if (!v) {
		env__free(s->env, at);
		return false;
	}
	for (size_t i = 0; i < nr; i++) {
		low = min_of(low, s->v.v[i].start);
		high = max_of(high, s->v.v[i].start);
	}
	width = (high - low) / nr + 1; /* the last bucket is below nr */
	for (size_t i = 0; i < nr; i++)
		at[(s->v.v[i].start - low) / width + 1]++;
	for (size_t b = 0; b < nr; b++)
		at[b + 1] += at[b];
	for (size_t i = 0; i < nr; i++)
		v[at[(s->v.v[i].start - low) / width]++] = s->v.v[i];
	/* Each is where the next one begins now. */
	for (size_t b = 0, from = 0; b < nr; from = at[b++])
		sort(v + from, at[b] - from);
	env__free(s->env, at);
	env__free(s->env, s->v.v);
	s->v.v = v;
	s->v.max = nr;
	return true;
}

struct starts *starts__new(const struct elf_image *img)
{
	struct starts *s = env__zalloc(img->env, sizeof(*s));

	if (!s)
		return NULL;
	s->env = img->env;
	starts__add_table(s, img, SHT_SYMTAB);
	starts__add_table(s, img, SHT_DYNSYM);
	if (!s->failed && (!s->v.nr || starts__sort(s)))
		return s;
	starts__free(s);
	return NULL;
}

void starts__free(struct starts *s)
{
	if (!s)
		return;
	vec__drop(s->env, &s->v);
	env__free(s->env, s);
}

bool starts__find(const struct starts *s, u64 vaddr, u64 *start, u64 *end)
{
	size_t nr = partition_point(s->v.nr, i, s->v.v[i].start <= vaddr);

	if (!nr)
		return false;
	*start = s->v.v[nr - 1].start;
	*end = max_of(s->v.v[nr - 1].end, *start + 1);
	return vaddr < *end;
}
