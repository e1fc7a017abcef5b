// SPDX-License-Identifier: GPL-2.0-only
#include "../../../lib/unwind/arch/arch.h"
#include "../../../lib/unwind/arch/insn.h"
#include "insn-text.h"

#define CALL_MAX 7 /* bytes of the longest call of a fixed address */

bool insn__called(struct symbols *symbols, const struct dso *dso, u64 addr, u64 *target)
{
	const struct unwind_arch_info *arch;
	struct bytes code;
	struct insn insn;
	u16 machine = 0;

	/* From the shortest on: what is longer has it at its end. */
	for (u64 len = 1; len <= CALL_MAX && len <= addr; len++) {
		code = symbols__code(symbols, dso, addr - len, &machine);
		arch = unwind_arch_info__by_machine(machine);
		if (!code.len || !arch || !arch->decode)
			return false;
		if (!arch->decode(code.data, code.len, &insn) || insn.len != len ||
		    insn.kind != INSN_CALL || !insn.direct)
			continue;
		*target = addr - len + insn.target;
		return true;
	}
	return false;
}

struct bytes insn__at(struct symbols *symbols, const struct location *loc)
{
	const struct unwind_arch_info *arch;
	struct bytes code = {};
	struct insn insn;
	u16 machine = 0;

	if (!loc->dso)
		return code;
	code = symbols__code(symbols, loc->dso, loc->addr, &machine);
	arch = unwind_arch_info__by_machine(machine);
	if (!code.len || !arch || !arch->decode || !arch->decode(code.data, code.len, &insn))
		return (struct bytes){};
	code.len = insn.len;
	return code;
}
