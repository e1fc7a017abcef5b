// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* CIEs and FDEs: where they are and what they say of themselves. */
#include <dwarf.h>
#include <stdlib.h>

#include "cfi.h"

/* An entry of the section: a CIE or an FDE. */
struct entry {
	u64 offset, next;
	u64 id_pos;         /* of the field that tells them apart */
	u64 id;
	bool is_64bit;
	struct cursor body; /* behind that field */
};

/* Reads the header at @offset. False: there is no more to read. */
static bool entry__read(const struct cfi *c, u64 offset, struct entry *e)
{
	struct cursor cur = cursor__init(c->section.data, c->section.len, c->swap);
	u64 len;

	if (offset >= c->section.len)
		return false;
	cur.pos = offset;
	len = cursor__u32(&cur);
	*e = (struct entry){ .offset = offset };
	if (len == 0xffffffff) {
		len = cursor__u64(&cur);
		e->is_64bit = true;
	}
	if (cur.bad || len > cursor__left(&cur))
		return false;
	e->id_pos = cur.pos;
	e->next = cur.pos + len;
	cur.len = e->next;
	/* .eh_frame has 4 bytes here whatever the length's size is. */
	e->id = e->is_64bit && c->is_debug_frame ? cursor__u64(&cur) : cursor__u32(&cur);
	e->body = cur;
	return true;
}

static bool entry__is_cie(const struct cfi *c, const struct entry *e)
{
	if (!c->is_debug_frame)
		return e->id == 0;
	return e->id == (e->is_64bit ? ~0ULL : 0xffffffffULL);
}

/* A length of 0 ends .eh_frame for a linker, but more may follow where it did not merge. */
static bool entry__is_empty(const struct entry *e)
{
	return e->body.bad;
}

/* The characters of a 'z' augmentation and the data that goes with them. */
static bool cie__augmentation(const struct cfi *c, struct cfi_cie *cie, const char *aug,
			      struct cursor *cur)
{
	u64 len = cursor__uleb(cur), end = cur->pos + len;
	u8 encoding;

	if (cur->bad || len > cursor__left(cur))
		return false;
	cie->has_size = true;
	for (; *aug; aug++) {
		switch (*aug) {
		case 'R':
			cie->encoding = cursor__u8(cur);
			break;
		case 'P':
			encoding = cursor__u8(cur);
			cfi__read_encoded(c, cur, encoding & ~DW_EH_PE_indirect);
			break;
		case 'L':
			cursor__u8(cur);
			break;
		case 'S':
			cie->signal = true;
			break;
		case 'B':
			cie->b_key = true;
			break;
		case 'G': /* frames with memory tags */
			break;
		default:
			return false;
		}
	}
	if (cur->bad || cur->pos > end)
		return false;
	cur->pos = end;
	return !(cie->encoding & DW_EH_PE_indirect);
}

static bool cie__parse(const struct cfi *c, struct cfi_cie *cie, struct cursor cur)
{
	u8 version = cursor__u8(&cur);
	const char *aug = cursor__str(&cur);

	if (!aug || (version != 1 && version != 3 && version != 4))
		return false;
	cie->encoding = DW_EH_PE_absptr;
	/* Sizes of an address and of a segment selector. */
	if (version == 4 && (cursor__u8(&cur) != 8 || cursor__u8(&cur)))
		return false;
	if (!strcmp(aug, "eh")) /* of GCC 2: a pointer that nobody reads */
		cursor__u64(&cur);
	cie->code_align = cursor__uleb(&cur);
	cie->data_align = cursor__sleb(&cur);
	cie->ra_column = version == 1 ? cursor__u8(&cur) :
					min_of(cursor__uleb(&cur), (u64)0xffff);
	cie->ra = min_of(cie->ra_column, (u16)CFI_RA);
	if (*aug == 'z') {
		if (!cie__augmentation(c, cie, aug + 1, &cur))
			return false;
	} else if (*aug && strcmp(aug, "eh")) {
		return false;
	}
	if (cur.bad)
		return false;
	return cfi_cie__run(c, cie, (struct bytes){ cur.data + cur.pos, cursor__left(&cur) });
}

/* The CIE at @offset becomes c->cie. */
static bool cfi__load_cie(struct cfi *c, u64 offset)
{
	struct entry e;

	if (c->cie.offset == offset)
		return true;
	c->cie = (struct cfi_cie){ .offset = offset };
	if (entry__read(c, offset, &e))
		c->work += min_of(cursor__left(&e.body), (size_t)CFI_CIE_MAX);
	if (!entry__read(c, offset, &e) || entry__is_empty(&e) || !entry__is_cie(c, &e) ||
	    !cie__parse(c, &c->cie, e.body)) {
		c->cie.offset = ~0ULL;
		return false;
	}
	return true;
}

static bool cfi__parse_fde(struct cfi *c, const struct entry *e, struct cfi_fde *fde)
{
	struct cursor cur = e->body;
	u64 size;

	if (entry__is_empty(e) || entry__is_cie(c, e) ||
	    !cfi__load_cie(c, c->is_debug_frame ? e->id : e->id_pos - e->id))
		return false;
	fde->cie = &c->cie;
	fde->start = cfi__read_encoded(c, &cur, c->cie.encoding);
	size = cfi__read_encoded(c, &cur, CFI_FORMAT(c->cie.encoding));
	fde->end = fde->start + size;
	if (c->cie.has_size)
		cursor__take(&cur, min_of(cursor__uleb(&cur), (u64)UINT32_MAX));
	fde->program = (struct bytes){ cur.data + cur.pos, cursor__left(&cur) };
	/* A start of 0 is left where a linker has removed the function. */
	return !cur.bad && fde->start && fde->end > fde->start;
}

static int index__cmp(const void *a, const void *b)
{
	const struct cfi_index_entry *x = a, *y = b;

	if (x->start != y->start)
		return compare_of(x->start, y->start);
	return compare_of(x->offset, y->offset);
}

bool cfi__take(struct cfi *c, u64 bytes)
{
	if (c->memory ? !budget__take(c->memory, bytes) : bytes > CFI_MAX_MEMORY - c->taken)
		return false;
	c->taken += bytes;
	return true;
}

static void cfi__give_back(struct cfi *c)
{
	budget__give_back(c->memory, c->taken);
	c->taken = 0;
}

/* Out of memory it is empty, and made anew by who asks next. */
static void cfi__make_index(struct cfi *c)
{
	u64 failures = env__failures(c->env);
	struct cfi_index_entry *entry;
	struct entry e;

	for (u64 at = 0; entry__read(c, at, &e); at = e.next) {
		struct cfi_fde fde;

		if (!cfi__parse_fde(c, &e, &fde))
			continue;
		if (!cfi__take(c, sizeof(*c->index.v)))
			break;
		entry = vec__add(c->env, &c->index);
		if (!entry)
			break;
		*entry = (struct cfi_index_entry){
			.start = fde.start, .end = fde.end, .offset = at,
		};
	}
	if (c->index.nr)
		qsort(c->index.v, c->index.nr, sizeof(*c->index.v), index__cmp);
	c->indexed = failures == env__failures(c->env);
	if (c->indexed)
		return;
	vec__drop(c->env, &c->index);
	cfi__give_back(c);
}

static s32 table__s32(const struct cfi *c, u64 i)
{
	u32 v;

	memcpy(&v, c->table.data + i * sizeof(v), sizeof(v));
	return c->swap ? __builtin_bswap32(v) : v;
}

u64 cfi__nr(struct cfi *c)
{
	if (c->table.data)
		return c->table.len / 8;
	if (!c->indexed)
		cfi__make_index(c);
	return c->index.nr;
}

u64 cfi__start(struct cfi *c, u64 i)
{
	return c->table.data ? c->table_base + table__s32(c, 2 * i) : c->index.v[i].start;
}

u64 cfi__first(struct cfi *c, u64 vaddr)
{
	u64 lo = 0, hi = cfi__nr(c);

	while (lo < hi) {
		u64 mid = lo + (hi - lo) / 2;

		if (cfi__start(c, mid) <= vaddr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo ? lo - 1 : 0;
}

bool cfi__fde(struct cfi *c, u64 i, struct cfi_fde *fde)
{
	struct entry e;
	u64 offset;

	offset = c->table.data ? c->table_base + table__s32(c, 2 * i + 1) - c->vaddr :
				 c->index.v[i].offset;
	return entry__read(c, offset, &e) && cfi__parse_fde(c, &e, fde);
}

bool cfi__find(struct cfi *c, u64 vaddr, struct cfi_fde *fde)
{
	u64 i = cfi__first(c, vaddr);

	return i < cfi__nr(c) && cfi__fde(c, i, fde) && vaddr >= fde->start && vaddr < fde->end;
}

int cfi__prepare(struct cfi *c)
{
	cfi__nr(c);
	return c->table.data || c->indexed ? 0 : -ENOMEM;
}

void cfi__view(const struct cfi *c, struct cfi *view)
{
	view->env = &unwind_env__none;
	view->arch = c->arch;
	view->section = c->section;
	view->vaddr = c->vaddr;
	view->code = c->code;
	view->text = c->text;
	view->got = c->got;
	view->is_debug_frame = c->is_debug_frame;
	view->swap = c->swap;
	view->indexed = c->indexed;
	view->table = c->table;
	view->table_base = c->table_base;
	view->index.v = c->index.v;
	view->index.nr = c->index.nr;
	view->cie.offset = ~0ULL;
	view->memory = NULL;
	view->work = 0;
}

struct cfi *cfi__new(const struct unwind_env *env, struct bytes section, u64 vaddr,
		     bool is_debug_frame, const struct unwind_arch_info *arch)
{
	struct cfi *c = env__zalloc(env, sizeof(*c));

	if (!c)
		return NULL;
	c->env = env;
	c->section = section;
	c->vaddr = vaddr;
	c->is_debug_frame = is_debug_frame;
	c->arch = arch;
	c->swap = arch->big_endian != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);
	c->cie.offset = ~0ULL;
	return c;
}

void cfi__free(struct cfi *c)
{
	if (!c)
		return;
	cfi__give_back(c);
	vec__drop(c->env, &c->index);
	env__free(c->env, c->owned);
	env__free(c->env, c);
}
