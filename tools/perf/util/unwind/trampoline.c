// SPDX-License-Identifier: GPL-2.0-only
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

/* The kernel's ucontext is at SP: uc_mcontext has the registers from 40 bytes on. */
static const struct row_rule rule = {
	.cfa = ROW_HOW(ROW_CFA_DEREF, 7), .cfa_off = 160,
	.ra = ROW_HOW(ROW_LOC_AT_REG, 7), .ra_off = 168,
	.fp = ROW_HOW(ROW_LOC_AT_REG, 7), .fp_off = 120,
	.flags = ROW_SIGNAL | ROW_BY_CODE,
};

/*
 * A row begins one byte before its trampoline, since the handler's return address is looked up
 * there, and ends one behind it, for who is in the system call.
 */
static void trampoline__fill(void *private, u64 from, u64 to, struct rows_builder *b)
{
	const struct module *m = private;
	struct bytes text = module__bytes_at(m, from);
	size_t len = min_of(text.len, (size_t)(to - from));

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		const u8 *p = text.data, *end = text.data + len;

		while ((p = memmem(p, end - p, forms[i].code, forms[i].len)) != NULL) {
			u64 start = from + (p - text.data);

			if (!rows_builder__function(b, start - 1, start + forms[i].len + 1) ||
			    !rows_builder__row(b, start - 1, &rule))
				return;
			p += forms[i].len;
		}
	}
}

bool trampoline__source(const struct module *m, const struct unwind_arch_info *arch,
			struct rows_source *source)
{
	*source = (struct rows_source){
		.fill = trampoline__fill, .private = (void *)(uintptr_t)m,
	};
	return arch->e_machine == EM_X86_64;
}
