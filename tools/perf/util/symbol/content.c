// SPDX-License-Identifier: GPL-2.0-only
#include "content.h"

#include <string.h>

#include "../../../lib/unwind/arch/arch.h"
#include "../base/hash-bytes.h"
#include "../base/hash.h"

#define INSN_MAX 15          /* bytes, of x86-64 */
#define CODE_MAX (1U << 20)  /* bytes of a function that count */
#define FIELD 4              /* bytes of an address in an instruction */
#define NEAR (256ULL << 20)  /* code and data of a binary are not farther from each other */
#define LEAST (64ULL << 10)  /* a smaller number is none of their addresses */

struct code {
	const struct unwind_arch_info *arch;
	struct bytes bytes; /* of the function */
	u64 vaddr;          /* of that */
};

static s32 field_at(const u8 *insn, u32 at)
{
	s32 v;

	memcpy(&v, insn + at, sizeof(v));
	return v;
}

/* A place relative to the instruction: its operand byte says so (mod 0, rm 5). */
static bool is_relative(const u8 *insn, u32 at)
{
	return at >= 2 && (insn[at - 1] & 0xc7) == 5;
}

/* One of the file itself, which is not to be moved. */
static bool is_absolute(const struct code *c, const u8 *insn, u32 at)
{
	u64 v = (u32)field_at(insn, at);

	return v >= LEAST && v + NEAR >= c->vaddr && v <= c->vaddr + NEAR;
}

/* The field is the last thing of an instruction, or in front of a number of 1, 2 or 4 bytes. */
static void mask_fields(const struct code *c, u8 *insn, u32 len)
{
	static const u8 behind[] = { 0, 1, 2, 4 };

	for (size_t i = 0; i < ARRAY_SIZE(behind); i++) {
		u32 at = len - FIELD - behind[i];

		if (len < FIELD + behind[i] + 1u)
			break;
		if (is_relative(insn, at) || is_absolute(c, insn, at))
			memset(insn + at, 0, FIELD);
	}
}

static void mask(const struct code *c, u64 at, u8 *bytes, const struct insn *insn)
{
	u64 target = at + insn->target;

	if (!insn->direct)
		mask_fields(c, bytes, insn->len);
	else if (target >= c->bytes.len && insn->len > FIELD)
		memset(bytes + insn->len - FIELD, 0, FIELD);
}

static u64 code__hash(const struct code *c)
{
	u64 hash = c->bytes.len;

	for (u64 at = 0; at < c->bytes.len;) {
		const u8 *code = c->bytes.data + at;
		u8 bytes[INSN_MAX + 1] = {};
		struct insn insn;

		if (!c->arch->decode(code, c->bytes.len - at, &insn) || insn.len > INSN_MAX)
			insn = (struct insn){ .len = 1 };
		memcpy(bytes, code, insn.len);
		mask(c, at, bytes, &insn);
		hash = hash_u64(hash ^ hash_bytes(bytes, sizeof(bytes)));
		at += insn.len;
	}
	return hash;
}

static bool hash_at(struct symbols *s, const struct dso *dso, u64 start, u64 size, u64 *hash)
{
	struct code c = { .vaddr = start };
	u16 machine = EM_NONE;

	c.bytes = symbols__code(s, dso, start, &machine);
	c.arch = unwind_arch_info__by_machine(machine);
	if (!c.arch || !c.arch->decode || !c.bytes.len)
		return false;
	c.bytes.len = min_of(min_of((u64)c.bytes.len, size), (u64)CODE_MAX);
	*hash = code__hash(&c);
	return true;
}

bool symbols__content(struct symbols *s, const struct dso *dso, const struct symbol *sym,
		      u64 *work, u64 *hash)
{
	u64 size = sym->end - sym->start, other;
	bool found = false;
	const u64 *starts;
	size_t nr;

	starts = symbols__of_size(s, dso, size, &nr);
	if (*work / (nr + 1) < min_of(size, (u64)CODE_MAX) ||
	    !hash_at(s, dso, sym->start, size, hash))
		return false;
	for (size_t i = 0; i < nr; i++) {
		*work -= min_of(size, (u64)CODE_MAX);
		if (starts[i] == sym->start)
			found = true;
		else if (!hash_at(s, dso, starts[i], size, &other) || other == *hash)
			return false;
	}
	return found;
}
