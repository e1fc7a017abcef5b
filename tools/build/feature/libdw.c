// SPDX-License-Identifier: GPL-2.0-only
/* Compiles if libdw (elfutils) is installed, with its headers. */
#include <elfutils/libdwfl.h>

int main(void)
{
	return !dwfl_version(NULL);
}
