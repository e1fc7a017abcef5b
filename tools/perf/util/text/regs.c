// SPDX-License-Identifier: GPL-2.0-only
#include "../base/text.h"
#include "regs.h"

static const char *const x86_names[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP", "SP", "IP", "FLAGS", "CS", "SS", "DS", "ES",
	"FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15",
};

static const char *const aarch64_names[] = {
	"x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11", "x12", "x13",
	"x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25",
	"x26", "x27", "x28", "x29", "lr", "sp", "pc",
};

static const char *const s390x_names[] = {
	"R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13",
	"R14", "R15", "FP0", "FP1", "FP2", "FP3", "FP4", "FP5", "FP6", "FP7", "FP8", "FP9",
	"FP10", "FP11", "FP12", "FP13", "FP14", "FP15", "MASK", "PC",
};

static const struct {
	const char *arch;
	const char *const *names;
	unsigned int nr;
} tables[] = {
	{ "x86_64", x86_names, ARRAY_SIZE(x86_names) },
	{ "i686", x86_names, ARRAY_SIZE(x86_names) },
	{ "aarch64", aarch64_names, ARRAY_SIZE(aarch64_names) },
	{ "s390x", s390x_names, ARRAY_SIZE(s390x_names) },
};

const char *reg__name(const char *arch, unsigned int nr)
{
	arch = machine_name(arch);
	for (size_t i = 0; arch && i < ARRAY_SIZE(tables); i++)
		if (!strcmp(tables[i].arch, arch))
			return nr < tables[i].nr ? tables[i].names[nr] : "unknown";
	return "unknown";
}

void textbuf__regs(struct textbuf *tb, const struct sample_regs *regs, const char *arch)
{
	if (!regs->abi || !regs->v)
		return;
	textbuf__puts(tb, " ABI:");
	textbuf__dec(tb, regs->abi, 0);
	textbuf__putc(tb, ' ');
	textbuf__reg_values(tb, regs, arch);
}

void textbuf__reg_values(struct textbuf *tb, const struct sample_regs *regs, const char *arch)
{
	unsigned int i = 0;

	if (!regs->abi || !regs->v)
		return;
	for (unsigned int bit = 0; bit < 64; bit++) {
		if (!(regs->mask >> bit & 1))
			continue;
		textbuf__str_right(tb, reg__name(arch, bit), 5);
		textbuf__puts(tb, ":0x");
		textbuf__hex(tb, regs->v[i++], 0);
		textbuf__putc(tb, ' ');
	}
}
