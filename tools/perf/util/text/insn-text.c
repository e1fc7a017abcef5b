// SPDX-License-Identifier: GPL-2.0-only
#include "../../../lib/unwind/arch/arch.h"
#include "../../../lib/unwind/arch/insn.h"
#include "insn-text.h"

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
