// SPDX-License-Identifier: GPL-2.0-only
#include "jit-lines.h"

#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"

/* DWARF 4: sections 6.2.4, 6.2.5, 7.5.4 */
enum {
	DW_VERSION = 4,
	OP_COPY = 1, OP_ADVANCE_PC = 2, OP_ADVANCE_LINE = 3, OP_SET_FILE = 4,
	OP_EXTENDED = 0, OPE_END_SEQUENCE = 1, OPE_SET_ADDRESS = 2,
	TAG_COMPILE_UNIT = 0x11,
	AT_STMT_LIST = 0x10, AT_LOW_PC = 0x11, AT_HIGH_PC = 0x12,
	FORM_ADDR = 1, FORM_DATA8 = 7, FORM_SEC_OFFSET = 0x17,
};

static void put_leb(jit_elf_bytes *out, s64 v, bool is_signed)
{
	u64 left = v;
	bool more;

	do {
		u8 byte = left & 0x7f;

		left = is_signed ? (u64)((s64)left >> 7) : left >> 7;
		more = is_signed ? !(left == (byte & 0x40 ? ~0ULL : 0)) : left;
		*vec__push(out) = byte | (more ? 0x80 : 0);
	} while (more);
}

static void put_u8(jit_elf_bytes *out, u8 v)
{
	*vec__push(out) = v;
}

/* Entries of one piece of code, sorted by address, and the files in them. */
struct entries {
	VEC(struct jit_line) v;
	VEC(const char *) files;
	VEC(u32) file_of; /* by entry: from 1 */
	struct map64 by_hash; /* of a name -> its number */
	const struct jit_elf *in;
};

/* Of two names with one hash the second has a new number each time. */
static u32 entries__file(struct entries *e, const char *name)
{
	u64 hash = hash_bytes(name, strlen(name));
	uintptr_t known = (uintptr_t)map64__get(&e->by_hash, hash);

	if (known && !strcmp(e->files.v[known - 1], name))
		return known;
	*vec__push(&e->files) = name;
	map64__set(&e->by_hash, hash, (void *)e->files.nr);
	return e->files.nr;
}

/* Entries outside of the code say nothing. */
static bool take_entry(void *ctx, const struct jit_line *line)
{
	struct entries *e = ctx;

	if (line->addr - e->in->addr < e->in->code_size)
		*vec__push(&e->v) = *line;
	return true;
}

static int by_addr(const void *va, const void *vb)
{
	const struct jit_line *a = va, *b = vb;

	return compare_of(a->addr, b->addr);
}

/* More files than that are one: a hostile dump has another name in each entry. */
#define MAX_FILES 1024
#define MAX_FILES_OF_MANY 16384

static void entries__take(struct entries *e, const struct jit_elf *in)
{
	u32 max = in->symbols ? MAX_FILES_OF_MANY : MAX_FILES;

	e->in = in;
	jitdump__lines(in->lines, in->lines_size, false, in->nr_lines, take_entry, e);
	if (e->v.nr)
		qsort(e->v.v, e->v.nr, sizeof(*e->v.v), by_addr);
	for (size_t i = 0; i < e->v.nr; i++)
		*vec__push(&e->file_of) = e->files.nr < max ?
			entries__file(e, e->v.v[i].file) : 1;
}

static void entries__free(struct entries *e)
{
	vec__free(&e->v);
	vec__free(&e->files);
	vec__free(&e->file_of);
	map64__free(&e->by_hash);
}

static void put_op_address(jit_elf_bytes *out, u64 addr)
{
	put_u8(out, OP_EXTENDED);
	put_u8(out, 1 + sizeof(addr));
	put_u8(out, OPE_SET_ADDRESS);
	jit_elf__put(out, &addr, sizeof(addr));
}

static void put_program(jit_elf_bytes *out, const struct entries *e)
{
	u64 addr = e->in->addr;
	u32 line = 1, file = 1;

	put_op_address(out, JIT_ELF_TEXT);
	for (size_t i = 0; i < e->v.nr; i++) {
		const struct jit_line *to = &e->v.v[i];

		if (e->file_of.v[i] != file) {
			put_u8(out, OP_SET_FILE);
			put_leb(out, file = e->file_of.v[i], false);
		}
		put_u8(out, OP_ADVANCE_PC);
		put_leb(out, to->addr - addr, false);
		put_u8(out, OP_ADVANCE_LINE);
		put_leb(out, (s64)to->line - line, true);
		put_u8(out, OP_COPY);
		addr = to->addr;
		line = to->line;
	}
	put_u8(out, OP_ADVANCE_PC);
	put_leb(out, e->in->addr + e->in->code_size - addr, false);
	put_u8(out, OP_EXTENDED);
	put_u8(out, 1);
	put_u8(out, OPE_END_SEQUENCE);
}

static void put_line_header(jit_elf_bytes *out, const struct entries *e)
{
	/* Shortest instruction, operations of one, is_stmt, line base, line range, opcode base. */
	static const u8 fixed[] = { 1, 1, 1, 0xff, 1, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1 };

	jit_elf__put(out, fixed, sizeof(fixed));
	put_u8(out, 0); /* no directories */
	for (size_t i = 0; i < e->files.nr; i++) {
		const char *name = *e->files.v[i] ? e->files.v[i] : "?";

		jit_elf__put(out, name, strlen(name) + 1);
		jit_elf__put(out, "\0\0", 3); /* directory, time, size */
	}
	put_u8(out, 0);
}

void jit_lines__debug_line(jit_elf_bytes *out, const struct jit_elf *in)
{
	struct entries e = {};
	jit_elf_bytes header = {}, program = {};
	const u16 version = DW_VERSION;
	u32 size, header_size;

	entries__take(&e, in);
	put_line_header(&header, &e);
	put_program(&program, &e);
	header_size = header.nr;
	size = sizeof(version) + sizeof(header_size) + header.nr + program.nr;
	jit_elf__put(out, &size, sizeof(size));
	jit_elf__put(out, &version, sizeof(version));
	jit_elf__put(out, &header_size, sizeof(header_size));
	jit_elf__put(out, header.v, header.nr);
	jit_elf__put(out, program.v, program.nr);
	vec__free(&header);
	vec__free(&program);
	entries__free(&e);
}

void jit_lines__debug_info(jit_elf_bytes *out, const struct jit_elf *in)
{
	struct __attribute__((packed)) {
		u32 size;
		u16 version;
		u32 abbrev;
		u8 address_size;
		u8 code;
		u32 line;
		u64 low, length;
	} unit = {
		.size = sizeof(unit) - sizeof(unit.size), .version = DW_VERSION, .address_size = 8,
		.code = 1, .low = JIT_ELF_TEXT, .length = in->code_size,
	};

	jit_elf__put(out, &unit, sizeof(unit));
}

void jit_lines__debug_abbrev(jit_elf_bytes *out)
{
	static const u8 abbrev[] = {
		1, TAG_COMPILE_UNIT, 0, AT_STMT_LIST, FORM_SEC_OFFSET, AT_LOW_PC, FORM_ADDR,
		AT_HIGH_PC, FORM_DATA8, 0, 0, 0,
	};

	jit_elf__put(out, abbrev, sizeof(abbrev));
}

struct wanted {
	const struct jit_elf *in;
	u64 addr;
	struct jit_line *line;
	bool found;
};

static bool look_at(void *ctx, const struct jit_line *line)
{
	struct wanted *w = ctx;

	if (line->addr < w->in->addr || line->addr > w->addr ||
	    (w->found && line->addr < w->line->addr))
		return true;
	*w->line = *line;
	w->found = true;
	return true;
}

bool jit_lines__find(const struct jit_elf *in, u64 addr, struct jit_line *line)
{
	struct wanted w = { .in = in, .addr = addr, .line = line };

	jitdump__lines(in->lines, in->lines_size, false, in->nr_lines, look_at, &w);
	return w.found;
}
