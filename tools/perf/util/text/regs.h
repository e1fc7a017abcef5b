/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Names of sampled registers, by architecture: position in the list = bit in the sample's
 * register mask. Source of the numbering: arch/{x86,arm64,s390}/include/uapi/asm/perf_regs.h of
 * Linux; names as perf prints them.
 */
#ifndef PERF_TEXT_REGS_H
#define PERF_TEXT_REGS_H

#include "../data/record.h"
#include "textbuf.h"

/*
 * @arch: the ARCH feature, "x86_64"
 * @nr: bit in the mask
 * Returns: the name of a register; "unknown" when the architecture has no such register.
 */
const char *reg__name(const char *arch, unsigned int nr);

/*
 * Prints registers: " ABI:2    AX:0x1    IP:0x2 "; nothing for a sample without registers. @arch:
 * the ARCH feature.
 */
void textbuf__regs(struct textbuf *tb, const struct sample_regs *regs, const char *arch);

/* The same without the ABI. @arch: the ARCH feature. */
void textbuf__reg_values(struct textbuf *tb, const struct sample_regs *regs, const char *arch);

#endif
