/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Abbreviations (DWARF 5, section 7.5.3): what the entries of a unit are, and which attributes they
 * have in which form. Most entries, and most attributes of the others, are only skipped, so each
 * abbreviation is also a short program: fixed sizes are added up. Internal to this room.
 */
#ifndef PERF_DWARF_ABBREV_H
#define PERF_DWARF_ABBREV_H

#include "../base/hash.h"
#include "../base/vec.h"
#include "work.h"
#include "../../../lib/unwind/core/bytes.h"

/* What sizes of forms depend on. */
struct dwarf_shape {
	u8 version, addr_size, off_size;
};

struct attr_spec {
	u16 name, form; /* DW_AT_*, DW_FORM_*; what is larger than 16 bits is 0xffff: unknown */
	s64 constant;   /* of DW_FORM_implicit_const */
};

enum skip_kind { SKIP_FIXED, SKIP_LEB, SKIP_STRING, SKIP_BLOCK1, SKIP_BLOCK2, SKIP_BLOCK4,
		 SKIP_BLOCK_LEB, SKIP_INDIRECT, SKIP_UNKNOWN, SKIP_NOT };

struct skip_op {
	u32 size; /* of SKIP_FIXED; of SKIP_NOT the index of the attribute that is to be read */
	u8 kind;
};

/* What entries are to who looks for functions. */
enum entry_kind {
	ENTRY_OTHER,    /* of no use, but there may be functions inside */
	ENTRY_FUNCTION,
	ENTRY_INLINED,
	ENTRY_TYPE,     /* says where the entry behind its children is, so these can be left out */
	ENTRY_LEAF,     /* the same; there are no functions inside */
};

struct abbrev {
	u64 code;
	u16 tag;
	bool has_children;
	u8 kind;          /* enum entry_kind */
	u32 first_attr, nr_attrs;
	u32 first_op, nr_ops;
};

struct abbrev_table {
	struct dwarf_shape shape;
	VEC(struct abbrev) v;
	VEC(struct attr_spec) attrs;
	VEC(struct skip_op) ops;
	struct map64 by_code; /* used when codes are not 1, 2, 3 ... */
	bool dense;
};

/* Of a table, and as many abbreviations: 80 MB. The largest units have some ten thousand. */
#define ABBREV_ATTRS_MAX (1u << 20)

/*
 * Reads a table, up to ABBREV_ATTRS_MAX.
 * @c: at its begin
 * @shape: of the unit that uses it
 * @until: the code of the last one that is needed; 0: all
 * @work: what is read is taken from it
 * Returns: a table, for abbrev_table__free(), with what could be read of it.
 */
struct abbrev_table *abbrev_table__read(struct cursor c, const struct dwarf_shape *shape,
					u64 until, struct work *work);

/* Returns: the bytes of memory of a table. */
u64 abbrev_table__size(const struct abbrev_table *t);

/* @t may be NULL. */
void abbrev_table__free(struct abbrev_table *t);

/* Returns: the abbreviation with that @code, or NULL. */
static inline const struct abbrev *abbrev_table__find(const struct abbrev_table *t, u64 code)
{
	size_t i;

	if (likely(t->dense))
		return code - 1 < t->v.nr ? &t->v.v[code - 1] : NULL;
	i = (size_t)(uintptr_t)map64__get(&t->by_code, code);
	return i ? &t->v.v[i - 1] : NULL;
}

/* Does one step of the program of an abbreviation, @op, which is not SKIP_NOT. */
void skip_op__run(const struct dwarf_shape *shape, struct skip_op op, struct cursor *c);

/*
 * Moves a cursor behind the attributes of an entry. It is .bad afterwards if that was not possible.
 * @a: of @t, ENTRY_OTHER
 * @c: behind the code of the entry
 */
void abbrev__skip(const struct abbrev_table *t, const struct abbrev *a, struct cursor *c);

/* The same of one value of a form, @form: DW_FORM_*. */
void form__skip(u16 form, const struct dwarf_shape *shape, struct cursor *c);

#endif
