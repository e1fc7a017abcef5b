// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "sframe-write.h"

#include <elf.h>

#include "sframe-format.h"

#define V3_ROWS_MAX 65535
#define PLT_ENTRY 16
#define X86_RA (-8)

/* A function of the section. */
struct sframe_piece {
	u64 start;
	u32 size, nr_rows;
	u64 at; /* of its rows in writer.bytes */
	u8 info, info2, repeat;
};

/* The words of a row. A control word counts as unsigned, all others as signed. */
struct words {
	u32 nr;
	s64 v[SFRAME_WORDS_MAX];
	u8 controls; /* bitmap */
};

const char *sframe_left__text(enum sframe_left why)
{
	static const char *const texts[SFRAME_LEFT_NR] = {
		[SFRAME_LEFT_EVAL] = "call frame information that has to be evaluated",
		[SFRAME_LEFT_FORMAT] = "rules that SFrame cannot express",
		[SFRAME_LEFT_VERSION] = "rules that only version 3 can express",
	};

	return texts[why];
}

static bool is_x86(const struct sframe_writer *w)
{
	return w->of.arch->e_machine == EM_X86_64;
}

static bool is_s390x(const struct sframe_writer *w)
{
	return w->of.arch->e_machine == EM_S390;
}

static bool is_plain(u8 how)
{
	return ROW_KIND(how) == ROW_LOC_SAME || ROW_KIND(how) == ROW_LOC_AT_CFA;
}

static bool is_in_register(u8 how)
{
	return ROW_KIND(how) == ROW_LOC_AT_REG || ROW_KIND(how) == ROW_LOC_IS_REG;
}

/* What a row says of the return address without a word. */
static bool ra__is_implied(const struct sframe_writer *w, const struct row_rule *rule)
{
	if (is_x86(w))
		return rule->ra == ROW_HOW(ROW_LOC_AT_CFA, 0) && rule->ra_off == X86_RA;
	return ROW_KIND(rule->ra) == ROW_LOC_SAME ||
	       (rule->ra == ROW_HOW(ROW_LOC_IS_REG, w->of.arch->dwarf_ra) && !rule->ra_off);
}

/* s390x, version 2: words that are odd numbers are registers. */
static bool is_v2_register(const struct sframe_writer *w, u8 how, s32 off)
{
	return w->of.version == 2 && is_s390x(w) && ROW_KIND(how) == ROW_LOC_IS_REG && !off;
}

/* s390x: a plain word 0 says that RA was not saved; odd ones are registers in version 2. */
static bool is_ambiguous(const struct sframe_writer *w, const struct row_rule *rule)
{
	bool ra = ROW_KIND(rule->ra) == ROW_LOC_AT_CFA, fp = ROW_KIND(rule->fp) == ROW_LOC_AT_CFA;

	if (!is_s390x(w))
		return false;
	if (ra && !rule->ra_off)
		return true;
	return w->of.version == 2 && ((ra && rule->ra_off & 1) || (fp && rule->fp_off & 1));
}

/* Must it be said by control words? */
static bool rule__needs_flex(const struct sframe_writer *w, const struct row_rule *rule)
{
	const struct unwind_arch_info *arch = w->of.arch;
	bool ra = ra__is_implied(w, rule);

	if (ROW_KIND(rule->cfa) == ROW_CFA_END || ROW_KIND(rule->cfa) == ROW_CFA_PLT)
		return false;
	if (is_ambiguous(w, rule))
		return true;
	if (rule->cfa != ROW_HOW(ROW_CFA_REG, arch->dwarf_sp) &&
	    rule->cfa != ROW_HOW(ROW_CFA_REG, arch->dwarf_fp))
		return true;
	if (!ra && (is_x86(w) || ROW_KIND(rule->ra) != ROW_LOC_AT_CFA) &&
	    !is_v2_register(w, rule->ra, rule->ra_off))
		return true;
	/* Only on s390x is there a word for a return address that was not saved. */
	if (ra && arch->e_machine == EM_AARCH64 && ROW_KIND(rule->fp) != ROW_LOC_SAME)
		return true;
	return !is_plain(rule->fp) && !is_v2_register(w, rule->fp, rule->fp_off);
}

static bool cfa__can_be_said(const struct sframe_writer *w, const struct row_rule *rule, u64 start)
{
	s64 above = (s64)rule->cfa_off - SFRAME_S390X_CFA_BIAS;

	switch (ROW_KIND(rule->cfa)) {
	case ROW_CFA_REG:
		return !is_s390x(w) || !(above % SFRAME_S390X_CFA_SCALE);
	case ROW_CFA_DEREF: /* whether its offset is scaled on s390x, no source says */
		return !rule->cfa_add && !is_s390x(w);
	case ROW_CFA_PLT:
		return is_x86(w) && !(start % PLT_ENTRY) && ra__is_implied(w, rule) &&
		       ROW_KIND(rule->fp) == ROW_LOC_SAME && rule->cfa_add > 0 &&
		       rule->cfa_add < PLT_ENTRY &&
		       rule->cfa == ROW_HOW(ROW_CFA_PLT, w->of.arch->dwarf_sp);
	}
	return false;
}

/* Returns: SFRAME_LEFT_NR: @rule, valid from @start on, can be said; or why not. */
static enum sframe_left rule__left(const struct sframe_writer *w, const struct row_rule *rule,
				   u64 start)
{
	bool needs_v3;

	if (ROW_KIND(rule->cfa) == ROW_CFA_END)
		return SFRAME_LEFT_NR;
	if (ROW_KIND(rule->cfa) == ROW_CFA_EVAL)
		return SFRAME_LEFT_EVAL;
	if (!cfa__can_be_said(w, rule, start) || (!is_plain(rule->fp) && !is_in_register(rule->fp)))
		return SFRAME_LEFT_FORMAT;
	if (!ra__is_implied(w, rule) && ROW_KIND(rule->ra) != ROW_LOC_AT_CFA &&
	    !is_in_register(rule->ra))
		return SFRAME_LEFT_FORMAT;
	needs_v3 = rule__needs_flex(w, rule);
	/* Nobody reads or writes flexible rules on aarch64. */
	if (needs_v3 && w->of.arch->e_machine == EM_AARCH64)
		return SFRAME_LEFT_FORMAT;
	needs_v3 |= rule->flags & ROW_SIGNAL;
	return needs_v3 && w->of.version < 3 ? SFRAME_LEFT_VERSION : SFRAME_LEFT_NR;
}

#define put(w, vec, value, size)                                                            \
	do {                                                                                \
		u64 _value = (u64)(value);                                                  \
		u32 _size = (size);                                                         \
		if (vec__room((w)->of.env, vec, (vec)->nr + _size))                         \
			for (u32 _i = 0; _i < _size; _i++)                                  \
				(vec)->v[(vec)->nr++] =                                     \
					_value >> 8 * ((w)->of.big_endian ? _size - 1 - _i : _i); \
		else                                                                        \
			(w)->no_memory = true;                                              \
	} while (0)

static void words__add(struct words *words, s64 v)
{
	words->v[words->nr++] = v;
}

static void words__add_control(struct words *words, u32 v)
{
	words->controls |= 1 << words->nr;
	words__add(words, v);
}

static s64 cfa__word(const struct sframe_writer *w, const struct row_rule *rule)
{
	if (!is_s390x(w))
		return rule->cfa_off;
	return ((s64)rule->cfa_off - SFRAME_S390X_CFA_BIAS) / SFRAME_S390X_CFA_SCALE;
}

static s64 loc__word(u8 how, s32 off)
{
	return ROW_KIND(how) == ROW_LOC_IS_REG ? ROW_REG(how) << 1 | 1 : off;
}

static void words__plain(struct words *words, const struct sframe_writer *w,
			 const struct row_rule *rule)
{
	bool fp = ROW_KIND(rule->fp) != ROW_LOC_SAME;

	words__add(words, cfa__word(w, rule));
	if (!is_x86(w) && !ra__is_implied(w, rule))
		words__add(words, loc__word(rule->ra, rule->ra_off));
	else if (!is_x86(w) && fp)
		words__add(words, 0);
	if (fp)
		words__add(words, loc__word(rule->fp, rule->fp_off));
}

static void words__loc(struct words *words, u8 how, s32 off)
{
	u32 control = ROW_KIND(how) == ROW_LOC_IS_REG ? 0 : SFRAME_CTL_DEREF;

	if (is_in_register(how))
		control |= SFRAME_CTL_REG | ROW_REG(how) << SFRAME_CTL_REG_SHIFT;
	words__add_control(words, control);
	words__add(words, off);
}

static void words__flex(struct words *words, const struct sframe_writer *w,
			const struct row_rule *rule)
{
	u32 control = SFRAME_CTL_REG | ROW_REG(rule->cfa) << SFRAME_CTL_REG_SHIFT;

	if (ROW_KIND(rule->cfa) == ROW_CFA_DEREF)
		control |= SFRAME_CTL_DEREF;
	words__add_control(words, control);
	words__add(words, cfa__word(w, rule));
	if (!ra__is_implied(w, rule))
		words__loc(words, rule->ra, rule->ra_off);
	if (ROW_KIND(rule->fp) == ROW_LOC_SAME)
		return;
	if (ra__is_implied(w, rule))
		words__add(words, 0);
	words__loc(words, rule->fp, rule->fp_off);
}

/* Returns: 0, 1, 2: the words fit 1, 2, 4 bytes each. */
static u32 words__size(const struct words *words)
{
	u32 size = 0;

	for (u32 i = 0; i < words->nr; i++) {
		s64 v = words->v[i];

		if (words->controls >> i & 1) /* at most 31 << 3 | 3 */
			continue;
		size = max_of(size, v == (s8)v ? 0U : v == (s16)v ? 1U : 2U);
	}
	return size;
}

static void row__put(struct sframe_writer *w, const struct sframe_piece *p, u64 offset,
		     const struct row_rule *rule)
{
	u32 start_size = 1 << (p->info & SFRAME_INFO_ROW_TYPE), size;
	struct words words = {};
	u8 info = 0;

	if (ROW_KIND(rule->cfa) == ROW_CFA_END)
		/* A row of no words. */;
	else if (p->info2 & SFRAME_INFO2_FLEX)
		words__flex(&words, w, rule);
	else
		words__plain(&words, w, rule);
	size = words__size(&words);
	if (ROW_REG(rule->cfa) == w->of.arch->dwarf_sp || !words.nr)
		info |= SFRAME_ROW_BASE_SP;
	if (rule->flags & ROW_RA_SIGNED)
		info |= SFRAME_ROW_MANGLED;
	info |= words.nr << SFRAME_ROW_WORDS_SHIFT | size << SFRAME_ROW_SIZE_SHIFT;
	put(w, &w->bytes, offset, start_size);
	put(w, &w->bytes, info, 1);
	for (u32 i = 0; i < words.nr; i++)
		put(w, &w->bytes, words.v[i], 1 << size);
}

static void attribute__put(struct sframe_writer *w, const struct sframe_piece *p)
{
	if (w->of.version < 3)
		return;
	put(w, &w->bytes, p->nr_rows, 2);
	put(w, &w->bytes, p->info, 1);
	put(w, &w->bytes, p->info2, 1);
	put(w, &w->bytes, p->repeat, 1);
}

static u8 row_type(u64 size)
{
	return size <= UINT8_MAX ? 0 : size <= UINT16_MAX ? 1 : 2;
}

/* Begins a function whose rows follow. Its address is valid until the next one. */
static struct sframe_piece *piece__add(struct sframe_writer *w, u64 start, u64 end, u32 nr_rows)
{
	struct sframe_piece *p = vec__add(w->of.env, &w->pieces);

	if (!p) {
		w->no_memory = true;
		return NULL;
	}
	*p = (struct sframe_piece){
		.start = start, .size = end - start, .nr_rows = nr_rows, .at = w->bytes.nr,
		.info = row_type(end - start),
	};
	return p;
}

/* Completes the present function, of which .rows are the rows. */
static void sframe_writer__flush(struct sframe_writer *w)
{
	size_t nr = w->rows.nr;
	const struct row *rows = w->rows.v;
	struct sframe_piece *p;

	w->rows.nr = 0;
	p = nr ? piece__add(w, rows[0].start, rows[nr - 1].end, nr) : NULL;
	if (!p)
		return;
	if (w->b_key)
		p->info |= SFRAME_INFO_B_KEY;
	if (rows[0].rule->flags & ROW_SIGNAL)
		p->info |= SFRAME_INFO_SIGNAL;
	for (size_t i = 0; i < nr; i++)
		if (rule__needs_flex(w, rows[i].rule))
			p->info2 |= SFRAME_INFO2_FLEX;
	attribute__put(w, p);
	for (size_t i = 0; i < nr; i++)
		row__put(w, p, rows[i].start - p->start, rows[i].rule);
}

/* Entries of a PLT are a pattern: in each SP is 8 bytes lower from an offset on. */
static void sframe_writer__add_plt(struct sframe_writer *w, const struct row *row)
{
	struct row_rule rule = *row->rule;
	struct sframe_piece *p;

	sframe_writer__flush(w);
	p = piece__add(w, row->start, row->end, 2);
	if (!p)
		return;
	p->info |= SFRAME_INFO_MASK;
	p->repeat = PLT_ENTRY;
	attribute__put(w, p);
	row__put(w, p, 0, &rule);
	rule.cfa_off += 8;
	row__put(w, p, rule.cfa_add, &rule);
}

static void sframe_writer__add(struct sframe_writer *w, const struct row *row)
{
	const struct row *first = w->rows.v;
	struct row *next;

	if (w->rows.nr && (first[w->rows.nr - 1].end != row->start ||
			   (first->rule->flags ^ row->rule->flags) & ROW_SIGNAL ||
			   row->end - first->start > UINT32_MAX || w->rows.nr == V3_ROWS_MAX))
		sframe_writer__flush(w);
	next = vec__add(w->of.env, &w->rows);
	if (next)
		*next = *row;
	else
		w->no_memory = true;
}

static void sframe_writer__take(struct sframe_writer *w, const struct row *row)
{
	enum sframe_left why = rule__left(w, row->rule, row->start);
	struct sframe_count *count = why == SFRAME_LEFT_NR ? &w->said : &w->left[why];

	count->rows++;
	count->bytes += row->end - row->start;
	if (why != SFRAME_LEFT_NR)
		sframe_writer__flush(w);
	else if (ROW_KIND(row->rule->cfa) == ROW_CFA_PLT)
		sframe_writer__add_plt(w, row);
	else
		sframe_writer__add(w, row);
}

/* Returns: where a function begins or ends next, behind @at. */
static u64 sframe_writer__boundary(struct sframe_writer *w, u64 at)
{
	u64 boundary = ~0ULL;

	for (size_t i = 0; i < ARRAY_SIZE(w->of.cfi); i++) {
		struct cfi *cfi = w->of.cfi[i];
		struct sframe_function *f = &w->next[i];

		while (cfi && f->end <= at && f->nr < cfi__nr(cfi)) {
			struct cfi_fde fde;

			if (!cfi__fde(cfi, f->nr++, &fde) || fde.end <= at)
				continue;
			f->start = fde.start;
			f->end = fde.end;
			f->b_key = fde.cie->b_key;
		}
		if (f->end > at)
			boundary = min_of(boundary, f->start > at ? f->start : f->end);
		if (f->start <= at && at < f->end)
			w->b_key = f->b_key;
	}
	return boundary;
}

static void sframe_writer__take_all(struct sframe_writer *w)
{
	struct row row;

	for (u64 at = 0; !w->no_memory && rows__row(w->of.rows, at, &row); at = row.end) {
		u64 boundary;

		row.start = max_of(row.start, at);
		boundary = sframe_writer__boundary(w, row.start);
		row.end = min_of(row.end, boundary);
		if (ROW_KIND(row.rule->cfa) == ROW_CFA_NO_MEMORY)
			w->no_memory = true;
		else if (ROW_KIND(row.rule->cfa) == ROW_CFA_HOLE)
			sframe_writer__flush(w);
		else
			sframe_writer__take(w, &row);
		if (row.end == boundary)
			sframe_writer__flush(w);
	}
	sframe_writer__flush(w);
}

static void header__put(struct sframe_writer *w, u64 entries)
{
	bool v3 = w->of.version == 3;
	u64 nr_rows = 0;

	for (size_t i = 0; i < w->pieces.nr; i++)
		nr_rows += w->pieces.v[i].nr_rows;
	put(w, &w->section, SFRAME_MAGIC_NUMBER, 2);
	put(w, &w->section, w->of.version, 1);
	put(w, &w->section, SFRAME_F_SORTED | (v3 ? SFRAME_F_PCREL : 0), 1);
	put(w, &w->section, sframe_abi(w->of.arch, w->of.big_endian), 1);
	put(w, &w->section, 0, 1); /* no fixed place of the frame pointer */
	put(w, &w->section, is_x86(w) ? X86_RA : 0, 1);
	put(w, &w->section, 0, 1); /* no auxiliary header */
	put(w, &w->section, w->pieces.nr, 4);
	put(w, &w->section, nr_rows, 4);
	put(w, &w->section, w->bytes.nr, 4);
	put(w, &w->section, 0, 4);       /* functions, behind the header */
	put(w, &w->section, entries, 4); /* rows, behind the functions */
}

/* Returns: 0 or -ERANGE. */
static int piece__put(struct sframe_writer *w, const struct sframe_piece *p)
{
	u64 base = w->of.vaddr + (w->of.version == 3 ? w->section.nr : 0);
	s64 start = p->start - base;

	if (w->of.version == 3) {
		put(w, &w->section, start, 8);
		put(w, &w->section, p->size, 4);
		put(w, &w->section, p->at, 4);
		return 0;
	}
	put(w, &w->section, start, 4);
	put(w, &w->section, p->size, 4);
	put(w, &w->section, p->at, 4);
	put(w, &w->section, p->nr_rows, 4);
	put(w, &w->section, p->info, 1);
	put(w, &w->section, p->repeat, 1);
	put(w, &w->section, 0, 2);
	return start == (s32)start ? 0 : -ERANGE;
}

void sframe_writer__init(struct sframe_writer *w, const struct sframe_of *of)
{
	*w = (struct sframe_writer){ .of = *of };
}

int sframe_writer__run(struct sframe_writer *w)
{
	u64 entries;
	int ret = 0;

	sframe_writer__take_all(w);
	entries = (u64)w->pieces.nr * (w->of.version == 3 ? SFRAME_V3_ENTRY : SFRAME_V2_ENTRY);
	if (entries > UINT32_MAX || w->bytes.nr > UINT32_MAX)
		return -EFBIG;
	w->functions = w->pieces.nr;
	header__put(w, entries);
	for (size_t i = 0; i < w->pieces.nr && !ret; i++)
		ret = piece__put(w, &w->pieces.v[i]);
	if (vec__room(w->of.env, &w->section, w->section.nr + w->bytes.nr)) {
		if (w->bytes.nr)
			memcpy(w->section.v + w->section.nr, w->bytes.v, w->bytes.nr);
		w->section.nr += w->bytes.nr;
	} else {
		w->no_memory = true;
	}
	return w->no_memory ? -ENOMEM : ret;
}

void sframe_writer__exit(struct sframe_writer *w)
{
	vec__drop(w->of.env, &w->section);
	vec__drop(w->of.env, &w->pieces);
	vec__drop(w->of.env, &w->rows);
	vec__drop(w->of.env, &w->bytes);
}
