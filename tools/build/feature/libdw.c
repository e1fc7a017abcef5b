// SPDX-License-Identifier: GPL-2.0-only
#include <elfutils/libdwfl.h>

int main(void)
{
	return !dwfl_version(NULL);
}
