// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Headers of .sframe, and the functions of a table in order of address. */
#include "sframe.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "../core/sorted.h"
#include "sframe-format.h"

#define MAX_TABLES (1U << 16)

/* By version: flags that it knows, bytes of an entry of the function table. */
static const u8 known_flags[] = { 0, 3, 7, 5 };
static const u8 entry_sizes[] = { 0, 17, SFRAME_V2_ENTRY, SFRAME_V3_ENTRY };

static const char *const flaw_texts[SFRAME_FLAW_NR] = {
	[SFRAME_OK] = "fine",
	[SFRAME_ABSENT] = "there is no .sframe",
	[SFRAME_SHORT] = "the table is shorter than its header",
	[SFRAME_MAGIC] = "it does not begin with the magic number",
	[SFRAME_BYTE_ORDER] = "the byte order is not that of the ELF file",
	[SFRAME_VERSION] = "unknown version",
	[SFRAME_FLAGS] = "unknown flags",
	[SFRAME_ABI] = "the ABI is not that of the ELF file",
	[SFRAME_LAYOUT] = "parts of the table reach beyond their end",
	[SFRAME_AMBIGUOUS] = "it is ambiguous what the addresses are relative to",
	[SFRAME_TOO_MANY] = "too many consecutive tables",
	[SFRAME_FDE_EMPTY] = "function without code bytes",
	[SFRAME_FDE_RANGE] = "function outside the code",
	[SFRAME_FDE_OVERLAP] = "function that overlaps the previous one",
	[SFRAME_FDE_TYPE] = "function of unknown type",
	[SFRAME_FDE_REPEAT] = "repeating pattern of unknown size",
	[SFRAME_FDE_ROWS] = "function whose rows reach beyond the table",
	[SFRAME_ROW_ORDER] = "function whose rows are not in order",
	[SFRAME_ROW_WORDS] = "function with a row of a wrong size",
	[SFRAME_ROW_RULE] = "function with an invalid row",
	[SFRAME_FDE_SIGNAL] = "signal trampoline without rows",
	[SFRAME_FIXED_SEVERAL] = "tables that the linker did not merge",
	[SFRAME_FIXED_BASE] = "table with self-relative addresses without the flag for them",
	[SFRAME_FIXED_ORDER] = "table flagged as sorted that is not sorted",
	[SFRAME_FIXED_PLT_GOT] = ".plt.got with a CFA that is 8 bytes too high",
	[SFRAME_FIXED_ENTRY] = "entry point that is not marked as outermost",
};

const char *sframe_flaw__text(enum sframe_flaw flaw)
{
	return flaw_texts[flaw];
}

/* What the first 4 bytes say. */
static enum sframe_flaw preamble__check(const struct sframe *s, struct cursor *c,
					struct sframe_table *t)
{
	u16 magic = cursor__u16(c);

	t->version = cursor__u8(c);
	t->flags = cursor__u8(c);
	if (c->bad)
		return SFRAME_SHORT;
	if (magic == __builtin_bswap16(SFRAME_MAGIC_NUMBER))
		return SFRAME_BYTE_ORDER;
	if (magic != SFRAME_MAGIC_NUMBER)
		return SFRAME_MAGIC;
	if (t->version < 1 || t->version > 3)
		return SFRAME_VERSION;
	if (t->flags & ~known_flags[t->version])
		return SFRAME_FLAGS;
	t->entry_size = entry_sizes[t->version];
	return cursor__u8(c) == sframe_abi(s->arch, s->big_endian) ? SFRAME_OK : SFRAME_ABI;
}

/* The header at the start of @data, and in *size the bytes that the whole table takes. */
static enum sframe_flaw table__parse(const struct sframe *s, struct bytes data, u64 vaddr,
				     struct sframe_table *t, u64 *size)
{
	struct cursor c = cursor__init(data.data, data.len, s->swap);
	u64 behind, functions, rows, rows_len, functions_len;
	enum sframe_flaw flaw;

	*t = (struct sframe_table){ .vaddr = vaddr };
	flaw = preamble__check(s, &c, t);
	if (flaw)
		return flaw;
	t->fixed_fp = cursor__u8(&c);
	t->fixed_ra = cursor__u8(&c);
	behind = SFRAME_HEADER_SIZE + cursor__u8(&c);
	t->nr_functions = cursor__u32(&c);
	t->nr_rows = cursor__u32(&c);
	rows_len = cursor__u32(&c);
	functions = cursor__u32(&c);
	rows = cursor__u32(&c);
	functions_len = (u64)t->nr_functions * t->entry_size;
	if (c.bad)
		return SFRAME_SHORT;
	if (functions > rows || functions_len > rows - functions ||
	    behind + rows + rows_len > data.len)
		return SFRAME_LAYOUT;
	t->functions = (struct bytes){ data.data + behind + functions, functions_len };
	t->functions_vaddr = vaddr + behind + functions;
	t->rows = (struct bytes){ data.data + behind + rows, rows_len };
	*size = behind + rows + rows_len;
	return SFRAME_OK;
}

struct cursor sframe_table__entry(const struct sframe *s, const struct sframe_table *t, u32 nr)
{
	return cursor__init(t->functions.data + (u64)nr * t->entry_size, t->entry_size, s->swap);
}

void sframe_table__range(const struct sframe *s, const struct sframe_table *t, u32 nr, u64 *start,
			 u64 *end)
{
	struct cursor c = sframe_table__entry(s, t, nr);
	u64 base = t->field_relative ? t->functions_vaddr + (u64)nr * t->entry_size : t->vaddr;

	*start = base + (t->version == 3 ? (s64)cursor__u64(&c) : (s32)cursor__u32(&c));
	*end = *start + cursor__u32(&c);
}

static bool range__is_code(const struct sframe *s, u64 start, u64 end)
{
	size_t nr = partition_point(s->code.nr, i, s->code.v[i].start <= start);

	return nr && start <= end && end <= s->code.v[nr - 1].end;
}

struct function {
	u64 start, end;
	u32 nr;
};

static int function__cmp(const void *a, const void *b)
{
	const struct function *x = a, *y = b;

	if (x->start != y->start)
		return compare_of(x->start, y->start);
	return compare_of(x->nr, y->nr);
}

/* Those in the code and not empty, by address; no two of them overlap. */
typedef VEC(struct function) function_vec;

static void table__collect(const struct sframe *s, const struct sframe_table *t,
			   function_vec *out, u32 *flaws)
{
	for (u32 i = 0; i < t->nr_functions; i++) {
		struct function f = { .nr = i }, *to;

		sframe_table__range(s, t, i, &f.start, &f.end);
		if (f.start == f.end)
			flaws[SFRAME_FDE_EMPTY]++;
		else if (!range__is_code(s, f.start, f.end))
			flaws[SFRAME_FDE_RANGE]++;
		else if ((to = vec__add(s->env, out)))
			*to = f;
	}
}

static void functions__sort(function_vec *f, u32 *flaws)
{
	size_t nr = 0;

	if (f->nr)
		qsort(f->v, f->nr, sizeof(*f->v), function__cmp);
	for (size_t i = 0; i < f->nr; i++) {
		if (nr && f->v[i].start < f->v[nr - 1].end)
			flaws[SFRAME_FDE_OVERLAP]++;
		else
			f->v[nr++] = f->v[i];
	}
	f->nr = nr;
}

/* All functions are in order and to be used as they stand, as in nearly every file. */
static bool table__is_in_order(const struct sframe *s, struct sframe_table *t, bool *ascends)
{
	u64 start, end, last_start = 0, last_end = 0;
	bool good = true;

	*ascends = true;
	for (u32 i = 0; i < t->nr_functions && *ascends; i++) {
		sframe_table__range(s, t, i, &start, &end);
		*ascends = start >= last_start;
		good &= start < end && start >= last_end && range__is_code(s, start, end);
		last_start = start;
		last_end = end;
	}
	return good && *ascends;
}

static void table__index(struct sframe *s, struct sframe_table *t)
{
	function_vec f = {};
	bool ascends;
	u64 unused;

	t->nr = t->nr_functions;
	if (!table__is_in_order(s, t, &ascends)) {
		table__collect(s, t, &f, s->flaws);
		functions__sort(&f, s->flaws);
		t->order = f.nr ? env__array(s->env, f.nr, sizeof(*t->order)) : NULL;
		t->nr = t->order ? f.nr : 0;
		for (size_t i = 0; i < t->nr; i++)
			t->order[i] = f.v[i].nr;
		vec__drop(s->env, &f);
	}
	if (!ascends && t->flags & SFRAME_F_SORTED)
		s->flaws[SFRAME_FIXED_ORDER]++;
	if (!t->nr)
		return;
	sframe_table__range(s, t, t->order ? t->order[0] : 0, &t->start, &unused);
	sframe_table__range(s, t, t->order ? t->order[t->nr - 1] : t->nr - 1, &unused, &t->end);
}

/* Does the table say what its addresses are relative to, in a way that can be believed? */
static bool table__knows_base(const struct sframe *s, struct sframe_table *t, bool relocated)
{
	bool ascends;

	t->field_relative = relocated || t->flags & SFRAME_F_PCREL;
	if (t->field_relative || t->version == 3)
		return true;
	return t->flags & SFRAME_F_SORTED && table__is_in_order(s, t, &ascends);
}

/* How many functions are impossible if addresses in the tables of @doubt are so. */
static u64 sframe__misfits(struct sframe *s, const bool *doubt, bool field_relative)
{
	u32 flaws[SFRAME_FLAW_NR] = {};
	function_vec f = {};

	for (size_t i = 0; i < s->tables.nr; i++) {
		struct sframe_table *t = &s->tables.v[i];

		if (!doubt[i])
			continue;
		t->field_relative = field_relative;
		table__collect(s, t, &f, flaws);
	}
	functions__sort(&f, flaws);
	vec__drop(s->env, &f);
	return (u64)flaws[SFRAME_FDE_RANGE] + flaws[SFRAME_FDE_OVERLAP];
}

/*
 * Assemblers before 2.45 write numbers relative to themselves, and a linker that merges makes
 * them relative to the section. One that only copies leaves them. So both are tried on all
 * such tables at once, and one must fit much better than the other.
 */
static void sframe__decide_base(struct sframe *s, bool relocated)
{
	bool *doubt = env__array(s->env, s->tables.nr, sizeof(*doubt));
	u64 section, field;
	u32 nr = 0;

	if (!doubt)
		return;
	for (size_t i = 0; i < s->tables.nr; i++)
		nr += doubt[i] = !table__knows_base(s, &s->tables.v[i], relocated);
	section = nr ? sframe__misfits(s, doubt, false) : 0;
	field = nr ? sframe__misfits(s, doubt, true) : 0;
	for (size_t i = 0; i < s->tables.nr; i++) {
		if (!doubt[i])
			continue;
		if (field < section && field <= section / 4) {
			s->flaws[SFRAME_FIXED_BASE]++;
		} else if (section < field && section <= field / 4) {
			s->tables.v[i].field_relative = false;
		} else {
			s->flaws[SFRAME_AMBIGUOUS]++;
			s->tables.v[i].nr_functions = 0;
		}
	}
	env__free(s->env, doubt);
}

static bool bytes__are_zero(struct bytes b)
{
	return !b.len || (!b.data[0] && !memcmp(b.data, b.data + 1, b.len - 1));
}

/* All tables of the section. What is behind the last one is zeros, or a flaw. */
static void sframe__parse(struct sframe *s, struct bytes data, u64 vaddr)
{
	struct sframe_table t, *table;
	enum sframe_flaw flaw;
	u64 size, seen = 0;

	for (u64 at = 0; at < data.len; at += align_up(size, 8)) {
		struct bytes rest = { data.data + at, data.len - at };

		if (seen && bytes__are_zero(rest))
			break;
		flaw = seen == MAX_TABLES ? SFRAME_TOO_MANY :
		       table__parse(s, rest, vaddr + at, &t, &size);
		if (flaw) {
			s->flaws[flaw]++;
			break;
		}
		s->flaws[SFRAME_FIXED_SEVERAL] += seen++ > 0;
		table = t.nr_functions ? vec__add(s->env, &s->tables) : NULL;
		if (table)
			*table = t;
	}
}

static enum sframe_flaw sframe__why_not(const struct sframe *s)
{
	for (int i = SFRAME_SHORT; i < SFRAME_FLAW_NR; i++)
		if (s->flaws[i] && i != SFRAME_FIXED_SEVERAL && i != SFRAME_FDE_EMPTY)
			return i;
	return SFRAME_ABSENT;
}

/* Keeps the tables that have functions; false: none has. */
static bool sframe__keep_useful(struct sframe *s)
{
	size_t nr = 0;

	for (size_t i = 0; i < s->tables.nr; i++)
		if (s->tables.v[i].nr)
			s->tables.v[nr++] = s->tables.v[i];
	s->tables.nr = nr;
	return nr;
}

static int range__cmp(const void *a, const void *b)
{
	const struct rows_range *x = a, *y = b;

	return compare_of(x->start, y->start);
}

/* Neighbours become one, since a function may reach from one section to the next. */
static void sframe__take_code(struct sframe *s, const struct rows_range *code, u32 nr)
{
	struct rows_range *v, *to;
	size_t out = 0;

	for (u32 i = 0; i < nr; i++)
		if (code[i].start < code[i].end && (to = vec__add(s->env, &s->code)))
			*to = code[i];
	v = s->code.v;
	if (s->code.nr)
		qsort(v, s->code.nr, sizeof(*v), range__cmp);
	for (size_t i = 0; i < s->code.nr; i++) {
		if (out && v[i].start <= v[out - 1].end)
			v[out - 1].end = max_of(v[out - 1].end, v[i].end);
		else
			v[out++] = v[i];
	}
	s->code.nr = out;
}

struct sframe *sframe__new(const struct sframe_input *in, enum sframe_flaw *why)
{
	u64 failures = env__failures(in->env);
	struct sframe *s = env__zalloc(in->env, sizeof(*s));
	enum sframe_flaw flaw = SFRAME_OK;

	if (!s)
		return NULL;
	s->env = in->env;
	s->arch = in->arch;
	s->big_endian = in->big_endian;
	s->swap = in->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	s->entry = in->entry;
	sframe__take_code(s, in->code, in->nr_code);
	sframe__parse(s, in->data, in->vaddr);
	sframe__decide_base(s, in->relocated);
	for (size_t i = 0; i < s->tables.nr; i++)
		table__index(s, &s->tables.v[i]);
	if (!sframe__keep_useful(s) || failures != env__failures(in->env)) {
		flaw = sframe__why_not(s);
		sframe__free(s);
		s = NULL;
	}
	if (why)
		*why = flaw;
	return s;
}

void sframe__free(struct sframe *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->tables.nr; i++)
		env__free(s->env, s->tables.v[i].order);
	vec__drop(s->env, &s->tables);
	vec__drop(s->env, &s->code);
	env__free(s->env, s->owned);
	env__free(s->env, s);
}

bool sframe__is_trusted(const struct sframe *s)
{
	for (size_t i = 0; i < s->tables.nr; i++)
		if (s->tables.v[i].version < 3)
			return false;
	return true;
}

u32 sframe_table__first(const struct sframe *s, const struct sframe_table *t, u64 vaddr)
{
	u32 lo = 0, hi = t->nr;
	u64 start, end;

	while (lo < hi) {
		u32 mid = lo + (hi - lo) / 2;

		sframe_table__range(s, t, t->order ? t->order[mid] : mid, &start, &end);
		if (end <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}
