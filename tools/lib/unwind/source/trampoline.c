// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "trampoline.h"

#include <elf.h>
#include <string.h>

/* mov $15,%rax or %eax; syscall. */
static const struct {
	u8 len;
	u8 code[9];
} forms[] = {
	{ 9, { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 } },
	{ 7, { 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05 } },
};
#define LONGEST 9

/* The kernel's ucontext is at SP: uc_mcontext has the registers from 40 bytes on. */
static const struct row_rule rule = {
	.cfa = ROW_HOW(ROW_CFA_DEREF, 7), .cfa_off = 160,
	.ra = ROW_HOW(ROW_LOC_AT_REG, 7), .ra_off = 168,
	.fp = ROW_HOW(ROW_LOC_AT_REG, 7), .fp_off = 120,
	.flags = ROW_SIGNAL | ROW_FROM(ROW_TRAMPOLINE),
};

/*
 * A row begins one byte before its trampoline, since the handler's return address is looked up
 * there, and ends one behind it, for who is in the system call.
 */
static bool trampoline__add(struct rows_builder *b, u64 start, u32 len)
{
	return rows_builder__function(b, start - 1, start + len + 1) &&
	       rows_builder__row(b, start - 1, &rule);
}

/* By their last byte, which is rarer than the others. False: the page is full. */
static bool trampoline__find(const struct module *m, u64 from, u64 to, struct rows_builder *b)
{
	struct bytes text = elf_image__bytes_at(&m->image, from - LONGEST);
	u64 start = text.len ? from - LONGEST : from;
	const u8 *p, *end;

	if (!text.len)
		text = elf_image__bytes_at(&m->image, from);
	if (!text.len)
		return true;
	end = text.data + min_of(text.len, (size_t)(to - start + LONGEST));
	for (p = text.data; (p = memchr(p, 0x05, end - p)) != NULL;) {
		size_t before = ++p - text.data;

		for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
			if (before >= forms[i].len && p[-2] == 0x0f &&
			    !memcmp(p - forms[i].len, forms[i].code, forms[i].len) &&
			    !trampoline__add(b, start + before - forms[i].len, forms[i].len))
				return false;
	}
	return true;
}

/* Code that has rows is not even read. */
static void trampoline__fill(void *private, u64 from, u64 to __unused_arg,
			     struct rows_builder *b)
{
	u64 hole = from, end;

	for (; rows_builder__hole(b, &hole, &end); hole = end)
		if (end - hole > ROWS_PADDING && !trampoline__find(private, hole, end, b))
			return;
}

bool trampoline__source(const struct module *m, const struct unwind_arch_info *arch,
			struct rows_source *source)
{
	*source = (struct rows_source){
		.fill = trampoline__fill, .private = (void *)(uintptr_t)m,
	};
	return arch->e_machine == EM_X86_64;
}
