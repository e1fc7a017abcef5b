// SPDX-License-Identifier: GPL-2.0-only
/* Compiles if libelf (elfutils) is installed, with its headers. */
#include <libelf.h>

int main(void)
{
	return elf_version(EV_CURRENT) == EV_NONE;
}
