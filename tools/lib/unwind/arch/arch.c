// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "arch.h"

#include <string.h>

static const struct unwind_arch_info *const archs[] = {
	[UNWIND_X86_64] = &unwind_arch_x86_64,
	[UNWIND_AARCH64] = &unwind_arch_aarch64,
	[UNWIND_S390X] = &unwind_arch_s390x,
};

enum unwind_arch unwind_arch__parse(const char *machine)
{
	for (size_t i = 0; machine && i < ARRAY_SIZE(archs); i++)
		if (!strcmp(machine, archs[i]->name))
			return i;
	return UNWIND_UNSUPPORTED;
}

const struct unwind_arch_info *unwind_arch_info__by_machine(u16 e_machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(archs); i++)
		if (archs[i]->e_machine == e_machine)
			return archs[i];
	return NULL;
}

const struct unwind_arch_info *unwind_arch_info__of(enum unwind_arch arch)
{
	return (size_t)arch < ARRAY_SIZE(archs) ? archs[arch] : NULL;
}
