// SPDX-License-Identifier: GPL-2.0-only
/* The decoder of x86-64. */
#include "../../util/base/mem.h"
#include "../../util/base/vec.h"
#include "../../../lib/unwind/arch/x86_64/insn.h"
#include "../test.h"

struct known {
	const char *code;
	u8 len, kind, sp, fp;
	s32 move;
	s64 target;
};

#define PLAIN(code) { code, sizeof(code) - 1, INSN_PLAIN, 0, 0, 0, 0 }
#define STACK(code, sp, fp, move) { code, sizeof(code) - 1, INSN_PLAIN, sp, fp, move, 0 }
#define FLOW(code, kind, target) { code, sizeof(code) - 1, kind, 0, 0, 0, target }

static const struct known known[] = {
	/* Each form of ModRM, SIB and displacement; immediates with and without prefixes. */
	PLAIN("\x90"), PLAIN("\x00\x00"), PLAIN("\x48\x89\xc7"), PLAIN("\x8b\x45\xfc"),
	PLAIN("\x8b\x85\1\2\3\4"), PLAIN("\x8b\x05\1\2\3\4"), PLAIN("\x8b\x04\x24"),
	PLAIN("\x8b\x44\x24\x08"), PLAIN("\x8b\x04\x25\1\2\3\4"), PLAIN("\x81\xc3\1\2\3\4"),
	PLAIN("\x66\x81\xc3\1\2"), PLAIN("\x83\xc3\1"), PLAIN("\xb8\1\2\3\4"),
	PLAIN("\x48\xb8\1\2\3\4\5\6\7\x08"), PLAIN("\x66\xb8\1\2"), PLAIN("\xf6\xc3\1"),
	PLAIN("\xf6\xd3"), PLAIN("\xf7\xc3\1\2\3\4"), PLAIN("\xf7\xdb"),
	PLAIN("\xa1\1\2\3\4\5\6\7\x08"),
	PLAIN("\x67\xa1\1\2\3\4"), PLAIN("\x69\xc3\1\2\3\4"), PLAIN("\x6b\xc3\1"),
	/* 0f, 0f 38, 0f 3a, VEX in both forms, EVEX */
	PLAIN("\x0f\xaf\xc3"), PLAIN("\x0f\xba\xe0\1"), PLAIN("\x0f\x05"), PLAIN("\x0f\xa2"),
	PLAIN("\x66\x0f\x38\x17\xc0"), PLAIN("\x66\x0f\x3a\x0f\xc1\x08"), PLAIN("\xc5\xf8\x77"),
	PLAIN("\xc5\xf9\x70\xc0\1"), PLAIN("\xc4\xe2\x7d\x18\x07"), PLAIN("\xc4\xe3\x75\x18\xc2\1"),
	PLAIN("\x62\xf1\x7c\x48\x10\x07"), PLAIN("\x62\xf3\x75\x48\x25\xc2\1"),
	PLAIN("\xf3\x0f\x1e\xfa"), PLAIN("\x66\x2e\x0f\x1f\x84\0\0\0\0\0"),
	/* Where code goes on. */
	FLOW("\xe8\1\0\0\0", INSN_CALL, 6), FLOW("\xff\xd0", INSN_CALL, 0),
	FLOW("\xff\x15\1\2\3\4", INSN_CALL, 0), FLOW("\xe9\xfb\xff\xff\xff", INSN_JUMP, 0),
	FLOW("\xeb\xfe", INSN_JUMP, 0), FLOW("\x74\x02", INSN_BRANCH, 4),
	FLOW("\x0f\x84\2\0\0\0", INSN_BRANCH, 8), FLOW("\xe2\x02", INSN_BRANCH, 4),
	FLOW("\xff\xe0", INSN_LEAVE, 0), FLOW("\x3e\xff\xe0", INSN_LEAVE, 0),
	FLOW("\xff\x25\1\2\3\4", INSN_LEAVE, 0), FLOW("\xc3", INSN_RETURN, 0),
	FLOW("\xf3\xc3", INSN_RETURN, 0), FLOW("\xc2\x08\0", INSN_RETURN, 0),
	FLOW("\xf4", INSN_END, 0), FLOW("\xcc", INSN_END, 0), FLOW("\x0f\x0b", INSN_END, 0),
	/* What is done to SP and FP. */
	STACK("\x53", SP_MOVED, 0, -8), STACK("\x41\x54", SP_MOVED, 0, -8),
	STACK("\x55", SP_MOVED, FP_PUSHED, -8), STACK("\x41\x55", SP_MOVED, 0, -8),
	STACK("\x5d", SP_MOVED, FP_POPPED, 8), STACK("\x5c", SP_LOST, 0, 8),
	STACK("\x6a\1", SP_MOVED, 0, -8), STACK("\xff\x30", SP_MOVED, 0, -8),
	STACK("\x48\x83\xec\x18", SP_MOVED, 0, -0x18), STACK("\x48\x83\xc4\x18", SP_MOVED, 0, 0x18),
	STACK("\x48\x81\xec\0\1\0\0", SP_MOVED, 0, -0x100),
	STACK("\x48\x8d\x64\x24\xf8", SP_MOVED, 0, -8), STACK("\x48\x83\xe4\xf0", SP_LOST, 0, 0),
	STACK("\x48\x29\xc4", SP_LOST, 0, 0), STACK("\x48\x39\xc4", SP_KEPT, 0, 0),
	STACK("\x48\x83\xfc\x10", SP_KEPT, 0, 0), STACK("\x48\x89\xe5", 0, FP_FROM_SP, 0),
	STACK("\x48\x8b\xec", 0, FP_FROM_SP, 0), STACK("\x48\x89\xec", SP_FROM_FP, 0, 0),
	STACK("\x48\x8d\x65\xe8", SP_FROM_FP, 0, -0x18), STACK("\xc9", SP_FROM_FP, FP_POPPED, 8),
	STACK("\x31\xed", 0, FP_LOST, 0), STACK("\x48\x8d\x6c\x24\x10", 0, FP_FROM_SP, 0),
	STACK("\x41\x89\xec", 0, 0, 0),
	/* SHA and AES have opcodes behind 0f 38 and 0f 3a that are traps without these. */
	PLAIN("\x0f\x38\xc8\xc1"), PLAIN("\x0f\x38\xca\xc1"), PLAIN("\x0f\x38\xcb\xd1"),
	PLAIN("\x0f\x38\xcc\xc1"), PLAIN("\x0f\x3a\xcc\xc1\2"),
	PLAIN("\x66\x0f\x3a\x60\xc1\1"), PLAIN("\x0f\xe8\xc1"),
	FLOW("\x67\x0f\xb9\x40\x08", INSN_END, 0),
	/* Words of 2 bytes, and segment registers. */
	STACK("\x66\x50", SP_LOST, 0, -8), STACK("\x66\x68\1\2", SP_LOST, 0, -8),
	STACK("\x66\x48\x50", SP_MOVED, 0, -8), STACK("\x66\x9c", SP_LOST, 0, -8),
	STACK("\x0f\xa0", SP_MOVED, 0, -8), STACK("\x0f\xa9", SP_MOVED, 0, 8),
	STACK("\x0f\xa2", 0, 0, 0), STACK("\x0f\xaa", 0, 0, 0),
	/* Everything that writes a register. */
	STACK("\xbd\1\2\3\4", 0, FP_LOST, 0), STACK("\x41\xbd\1\2\3\4", 0, 0, 0),
	STACK("\x95", 0, FP_LOST, 0), STACK("\x94", SP_LOST, 0, 0), STACK("\x41\x94", 0, 0, 0),
	STACK("\x48\x0f\x44\xe8", 0, FP_LOST, 0), STACK("\x0f\xb6\xe8", 0, FP_LOST, 0),
	STACK("\x0f\xb6\xc5", 0, 0, 0), STACK("\x0f\xaf\xe8", 0, FP_LOST, 0),
	STACK("\x6b\xe8\3", 0, FP_LOST, 0), STACK("\x48\xc1\xe5\2", 0, FP_LOST, 0),
	STACK("\xd3\xe5", 0, FP_LOST, 0), STACK("\xf7\xdd", 0, FP_LOST, 0),
	STACK("\xf7\xe5", 0, 0, 0), STACK("\xff\xc5", 0, FP_LOST, 0),
	STACK("\x48\xff\xcd", 0, FP_LOST, 0), STACK("\x01\xc5", 0, FP_LOST, 0),
	STACK("\x03\xe8", 0, FP_LOST, 0), STACK("\x03\xc5", 0, 0, 0),
	STACK("\x39\xc5", 0, 0, 0), STACK("\x85\xed", 0, 0, 0),
	STACK("\x83\xfd\1", 0, 0, 0), STACK("\x83\xc5\1", 0, FP_LOST, 0),
	STACK("\x0f\xcd", 0, FP_LOST, 0), STACK("\x41\x0f\xcd", 0, 0, 0),
	STACK("\x0f\xab\xc5", 0, FP_LOST, 0), STACK("\x0f\xa3\xc5", 0, 0, 0),
	STACK("\x0f\xba\xe5\1", 0, 0, 0), STACK("\x0f\xba\xed\1", 0, FP_LOST, 0),
	STACK("\x0f\xc1\xc5", 0, FP_LOST, 0), STACK("\x0f\xc1\xe8", 0, FP_LOST, 0),
	STACK("\x87\xe8", 0, FP_LOST, 0), STACK("\x66\x0f\x7e\xc5", 0, FP_LOST, 0),
	STACK("\xf3\x0f\x7e\xc5", 0, 0, 0), STACK("\xf2\x0f\x2c\xe8", 0, FP_LOST, 0),
	STACK("\x66\x0f\x3a\x16\xc5\1", 0, FP_LOST, 0),
	STACK("\xf2\x0f\x38\xf1\xe8", 0, FP_LOST, 0), STACK("\x8a\x28", 0, 0, 0),
	/* Of the registers of bytes, 4 to 7 are these with REX only. */
	STACK("\x88\xc5", 0, 0, 0), STACK("\x40\x88\xc5", 0, FP_LOST, 0),
	STACK("\xb5\1", 0, 0, 0), STACK("\x40\xb5\1", 0, FP_LOST, 0),
	STACK("\x0f\x94\xc5", 0, 0, 0), STACK("\x40\x0f\x94\xc5", 0, FP_LOST, 0),
	STACK("\x0f\xc0\xc5", 0, 0, 0), STACK("\x40\x0f\xb0\xc5", 0, FP_LOST, 0),
	STACK("\x8c\xdd", 0, FP_LOST, 0), STACK("\xf3\x48\x0f\xae\xc5", 0, FP_LOST, 0),
	STACK("\x0f\xc7\xf5", 0, FP_LOST, 0), STACK("\x0f\x01\xe5", 0, FP_LOST, 0),
	STACK("\xf3\x48\x0f\x1e\xcd", 0, FP_LOST, 0),
	STACK("\xc8\x10\0\0", SP_LOST, FP_LOST, 0),
	/* andn, bzhi, pdep, pext, mulx, bextr, shlx, rorx; blsr and mulx into VEX.vvvv */
	STACK("\xc4\xe2\x78\xf2\xe9", 0, FP_LOST, 0), STACK("\xc4\xe2\x70\xf5\xe8", 0, FP_LOST, 0),
	STACK("\xc4\xe2\x7b\xf5\xe9", 0, FP_LOST, 0), STACK("\xc4\xe2\x7a\xf5\xe9", 0, FP_LOST, 0),
	STACK("\xc4\xe2\x7b\xf6\xe9", 0, FP_LOST, 0), STACK("\xc4\xe2\x53\xf6\xc1", 0, FP_LOST, 0),
	STACK("\xc4\xe2\x70\xf7\xe8", 0, FP_LOST, 0), STACK("\xc4\xe2\x71\xf7\xe8", 0, FP_LOST, 0),
	STACK("\xc4\xe3\x7b\xf0\xe8\1", 0, FP_LOST, 0),
	STACK("\xc4\xe2\x50\xf3\xc8", 0, FP_LOST, 0),
	STACK("\xc4\xe2\x58\xf3\xc8", SP_LOST, 0, 0), STACK("\xc4\xe2\x78\xf2\xe1", SP_LOST, 0, 0),
	STACK("\xc4\x62\x78\xf2\xe9", 0, 0, 0), STACK("\xc4\xe2\x50\xf2\xc5", 0, 0, 0),
	/* vmovd, vpextrd, vcvttsd2si, vmovmskps, vpextrw, kmovd, with EVEX; not vmovq, vmovaps */
	STACK("\xc5\xf9\x7e\xc5", 0, FP_LOST, 0), STACK("\xc4\xe3\x79\x16\xc5\1", 0, FP_LOST, 0),
	STACK("\xc5\xfb\x2c\xe8", 0, FP_LOST, 0), STACK("\xc5\xf8\x50\xe8", 0, FP_LOST, 0),
	STACK("\xc5\xf9\xc5\xe8\1", 0, FP_LOST, 0), STACK("\xc5\xfb\x93\xe8", 0, FP_LOST, 0),
	STACK("\x62\xf1\x7f\x08\x78\xe8", 0, FP_LOST, 0), STACK("\xc5\xfa\x7e\xe8", 0, 0, 0),
	STACK("\xc5\xf8\x28\xe8", 0, 0, 0), STACK("\xc5\x78\x50\xe8", 0, 0, 0),
	/* xbegin goes on elsewhere when it fails. */
	FLOW("\xc7\xf8\2\0\0\0", INSN_BRANCH, 8),
};

TEST(x86_insn, "unwind: instructions of x86-64, their lengths and what they do to the stack")
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		const struct known *k = &known[i];
		u8 code[32];
		struct insn insn;

		memset(code, 0x90, sizeof(code));
		memcpy(code, k->code, k->len);
		if (!x86__decode(code, sizeof(code), &insn) || insn.len != k->len ||
		    insn.kind != k->kind || insn.sp != k->sp || insn.fp != k->fp ||
		    insn.move != k->move || insn.target != k->target)
			TEST_FAIL("instruction %zu: length %u, kind %u, SP %u by %d, FP %u", i,
				  insn.len, insn.kind, insn.sp, insn.move, insn.fp);
		/* Cut, it is none. */
		for (u8 len = 0; len < k->len; len++)
			TEST_TRUE(!x86__decode(code, len, &insn) || insn.len <= len);
	}
}

TEST(x86_insn_registers, "unwind: which registers instructions of x86-64 push, pop and write")
{
	static const struct {
		u8 code[8], pushes, pops;
		u16 writes;
	} insns[] = {
		{ "\x50", 1, 0, 0 }, { "\x41\x57", 16, 0, 0 }, { "\x59", 0, 2, 1 << 1 },
		{ "\x41\x5f", 0, 16, 1 << 15 }, { "\x66\x50", 0, 0, 0 },
		{ "\x66\x59", 0, 0, 1 << 1 },
		/* mov %rbx,%rax; mov (%rbx),%cl; mov $1,%ah; cmp %eax,%ebx; movzbl %al,%ecx */
		{ "\x48\x89\xd8", 0, 0, 1 }, { "\x8a\x0b", 0, 0, 1 << 1 },
		{ "\xb4\1", 0, 0, 1 }, { "\x39\xc3", 0, 0, 0 },
		{ "\x0f\xb6\xc8", 0, 0, 1 << 1 },
		/* syscall; jne; lea 8(%rsp),%rdx; nop; test %eax,%eax; movups %xmm0,(%rax) */
		{ "\x0f\x05", 0, 0, 1 | 1 << 1 | 1 << 11 }, { "\x75\x10", 0, 0, 0 },
		{ "\x48\x8d\x54\x24\x08", 0, 0, 1 << 2 }, { "\x90", 0, 0, 0 },
		{ "\x85\xc0", 0, 0, 0 }, { "\x0f\x11\x00", 0, 0, 0 },
		/* add $1,%eax without ModRM, xchg, mul, cdq, cpuid, movs, calls: perhaps all */
		{ "\x05\1", 0, 0, 0xffff }, { "\x49\x90", 0, 0, 0xffff },
		{ "\xf7\xe3", 0, 0, 0xffff }, { "\x99", 0, 0, 0xffff },
		{ "\x0f\xa2", 0, 0, 0xffff }, { "\xa4", 0, 0, 0xffff },
		{ "\xe8", 0, 0, 0xffff }, { "\xff\xd0", 0, 0, 0xffff },
	};
	struct insn insn;

	for (size_t i = 0; i < ARRAY_SIZE(insns); i++) {
		TEST_TRUE(x86__decode(insns[i].code, sizeof(insns[i].code), &insn));
		if (insn.pushes != insns[i].pushes || insn.pops != insns[i].pops ||
		    insn.writes != insns[i].writes)
			TEST_FAIL("instruction %zu pushes %u, pops %u, writes %x", i, insn.pushes,
				  insn.pops, insn.writes);
	}
}

TEST(x86_insn_none, "unwind: what is no instruction of x86-64, or an unknown one")
{
	static const char *const none[] = {
		"\x06", "\x27", "\x62", "\x0f\x04", "\x8f\xe8\x78\x97", "\x62\xf4\x7c\x08\x81\xc5",
	};
	struct insn insn;

	for (size_t i = 0; i < ARRAY_SIZE(none); i++)
		TEST_TRUE(!x86__decode((const u8 *)none[i], strlen(none[i]), &insn));
}

/* The same of every opcode by objdump: each with operands that are RBP, and a nop behind it. */
enum { SLOT = 16 };

struct slot {
	u8 code[SLOT];
};

struct slots {
	VEC(struct slot) v;
	FILE *out;
};

static void slots__put(struct slots *s, const u8 *code, size_t len)
{
	struct slot *slot = vec__push(&s->v);

	memset(slot->code, 0x66, SLOT); /* one nop with prefixes */
	slot->code[SLOT - 1] = 0x90;
	memcpy(slot->code, code, len);
	TEST_EQ(fwrite(slot->code, SLOT, 1, s->out), 1);
}

/*
 * Not compared: fwait, which objdump takes for a part of what follows, and branches with 66,
 * which Intel ignores and AMD does not.
 */
static bool is_disputed(u8 prefix, u32 map, u8 opcode)
{
	bool branch = map ? map == 1 && opcode >> 4 == 8 : opcode == 0xe8 || opcode == 0xe9;

	return (!map && opcode == 0x9b) || (prefix == 0x66 && branch);
}

/* RBP as each operand in turn, and each extension of an opcode over it. */
static void slots__modrm(struct slots *s, const u8 *code, size_t len)
{
	u8 insn[SLOT];

	memcpy(insn, code, len);
	for (u8 reg = 0; reg <= 8; reg++) {
		insn[len] = reg < 8 ? 0xc5 | reg << 3 : 0xe8;
		slots__put(s, insn, len + 1);
	}
}

static void slots__legacy(struct slots *s)
{
	static const u8 prefixes[] = { 0x3e, 0x66, 0xf3, 0xf2 }, maps[] = { 0, 0, 0x38, 0x3a };
	u8 insn[SLOT];

	for (u32 at = 0; at < 4 * 2 * 4 * 256; at++) {
		u32 map = at >> 8 & 3, len = 0;

		insn[len++] = prefixes[at >> 11];
		insn[len++] = at & 1024 ? 0x48 : 0x40;
		if (map)
			insn[len++] = 0x0f;
		if (maps[map])
			insn[len++] = maps[map];
		insn[len++] = at;
		if (!is_disputed(insn[0], map, at))
			slots__modrm(s, insn, len);
	}
}

static void slots__vex(struct slots *s)
{
	for (u32 at = 0; at < 3 * 2 * 4 * 256; at++) {
		u8 map = 1 + at / 2048, prefix = at >> 8 & 3, w = at & 1024 ? 0x80 : 0;

		slots__modrm(s, (u8[]){ 0xc4, 0xe0 | map, w | 0x50 | prefix, at }, 4);
		slots__modrm(s, (u8[]){ 0xc4, 0xe0 | map, w | 0x78 | prefix, at }, 4);
		slots__modrm(s, (u8[]){ 0x62, 0xf0 | map, w | 0x7c | prefix, 8, at }, 5);
	}
}

static bool is_rbp(const char *operand)
{
	static const char *const names[] = { "%rbp", "%ebp", "%bp", "%bpl" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(operand, names[i]))
			return true;
	return false;
}

/* Instructions that leave their last operand as it is. */
static bool reads_only(const char *name, bool one)
{
	static const char *const readers[] = {
		"cmp", "test", "bt", "push", "jmp", "call", "nop", "prefetch", "verr", "verw",
		"lldt", "ltr", "lmsw", "wrfsbase", "wrgsbase", "incssp", "ptwrite", "umonitor",
		"tpause", "umwait", "senduipi", "vmptr", "ud0", "ud1", "data16", "notrack",
		"clrssbsy", "ljmp", "lcall", "vmwrite", "bnd", "hint", "loop", "uwrmsr", "div",
		"mul", "enqcmd", "movdir", "xabort", "lkgs",
	};

	if (!strncmp(name, "btr", 3) || !strncmp(name, "bts", 3) || !strncmp(name, "btc", 3))
		return false;
	if (one && (!strncmp(name, "imul", 4) || !strncmp(name, "idiv", 4)))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(readers); i++)
		if (!strncmp(name, readers[i], strlen(readers[i])))
			return true;
	return false;
}

/* By the text of an instruction, "mov %eax,%ebp". */
static bool text_writes_rbp(char *text)
{
	char *save, *name = strtok_r(text, " ", &save), *operands = strtok_r(NULL, " ", &save);
	char *first, *last;

	while (operands && (!strcmp(name, "rex") || !strncmp(name, "rex.", 4) ||
			    !strcmp(name, "ds") || !strcmp(name, "data16") ||
			    !strncmp(name, "rep", 3) || !strcmp(name, "notrack"))) {
		name = operands;
		operands = strtok_r(NULL, " ", &save);
	}
	if (!operands)
		return false;
	last = strrchr(operands, ',');
	if (reads_only(name, !last))
		return false;
	first = strtok_r(operands, ",", &save);
	return is_rbp(last ? last + 1 : first) ||
	       (is_rbp(first) && (!strncmp(name, "xchg", 4) || !strncmp(name, "xadd", 4)));
}

/* "  1a0:	40 01 c5             	rex add %eax,%ebp" */
static bool line__split(char *line, u64 *addr, u8 *len, char **text)
{
	char *bytes = strchr(line, '\t'), *end = bytes ? strchr(bytes + 1, '\t') : NULL;

	if (!end || sscanf(line, "%" SCNx64, addr) != 1)
		return false;
	*end = 0;
	*len = 0;
	for (const char *p = bytes; (p = strpbrk(p, "0123456789abcdef")); p += 2)
		++*len;
	*text = end + 1;
	(*text)[strcspn(*text, "\n#<")] = 0;
	return true;
}

static void compare(const struct slots *s, u64 at, u8 len, char *text)
{
	const u8 *code = s->v.v[at / SLOT].code;
	char *shown = xstrdup(text);
	struct insn insn;

	if (!strstr(text, "(bad)") && x86__decode(code, SLOT, &insn)) {
		if (insn.len != len)
			TEST_FAIL("%02x %02x %02x %02x %02x: %s: %u bytes, not %u", code[0],
				  code[1], code[2], code[3], code[4], shown, len, insn.len);
		if (text_writes_rbp(text) && (insn.fp == FP_KEPT || !(insn.writes >> 5 & 1)))
			TEST_FAIL("%02x %02x %02x %02x %02x: RBP does not survive %s", code[0],
				  code[1], code[2], code[3], code[4], shown);
	}
	free(shown);
}

TEST(x86_insn_objdump, "unwind: what writes RBP on x86-64, and lengths, by objdump")
{
	struct slots s = { .out = fopen("code", "w") };
	char *line = NULL, *text;
	size_t size = 0, nr = 0;
	FILE *in;
	u64 addr;
	u8 len;

	if (system("objdump --version >version 2>&1"))
		TEST_SKIP("needs objdump (package binutils)");
	TEST_TRUE(s.out);
	slots__legacy(&s);
	slots__vex(&s);
	fclose(s.out);
	in = popen("objdump -D -w -b binary -m i386:x86-64 code", "r");
	TEST_TRUE(in);
	while (getline(&line, &size, in) > 0) {
		if (!line__split(line, &addr, &len, &text) || addr % SLOT)
			continue;
		compare(&s, addr, len, text);
		nr++;
	}
	TEST_EQ(pclose(in), 0);
	TEST_EQ(nr, s.v.nr);
	free(line);
	vec__free(&s.v);
}
