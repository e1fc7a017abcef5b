// SPDX-License-Identifier: GPL-2.0-only
/* Encoded addresses of call frame information. */
#include <dwarf.h>

#include "../../../lib/unwind/source/cfi.h"
#include "../test.h"

/* From byte 4 of a section at 0x1000, with .text at 0x8000 and .got at 0x9000; -1: it is bad. */
static u64 address(u8 encoding, size_t len)
{
	static const u8 bytes[24] = {
		0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0x10, 0x20, 0, 0, 0, 0, 0, 0, 0x30,
	};
	struct cfi c = { .vaddr = 0x1000, .text = 0x8000, .got = 0x9000 };
	struct cursor cur = { .data = bytes, .len = len, .pos = 4 };
	u64 v = cfi__read_encoded(&c, &cur, encoding);

	return cur.bad ? (u64)-1 : v;
}

TEST(cfi_addresses, "unwind: encoded addresses, by their formats and what they count from")
{
	static const struct { u8 encoding; u64 address; } cases[] = {
		{ DW_EH_PE_absptr, 0x2010fffffffe }, { DW_EH_PE_udata8, 0x2010fffffffe },
		{ DW_EH_PE_udata2, 0xfffe }, { DW_EH_PE_sdata2, (u64)-2 },
		{ DW_EH_PE_udata4, 0xfffffffe }, { DW_EH_PE_sdata4, (u64)-2 },
		{ DW_EH_PE_pcrel | DW_EH_PE_sdata2, 0x1004 - 2 },
		{ DW_EH_PE_textrel | DW_EH_PE_sdata2, 0x8000 - 2 },
		{ DW_EH_PE_datarel | DW_EH_PE_sdata4, 0x9000 - 2 },
		{ DW_EH_PE_aligned, 0x2010 }, /* at the next multiple of 8 */
		{ DW_EH_PE_funcrel | DW_EH_PE_sdata4, (u64)-1 },
		{ 0x05, (u64)-1 },            /* no format */
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		TEST_EQ(address(cases[i].encoding, 24), cases[i].address);
	TEST_EQ(address(DW_EH_PE_udata2, 5), -1);
	TEST_EQ(address(DW_EH_PE_aligned, 12), -1);
}
