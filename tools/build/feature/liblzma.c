// SPDX-License-Identifier: GPL-2.0-only
/* Compiles if liblzma is installed, with its headers. */
#include <lzma.h>

int main(void)
{
	return !lzma_version_number();
}
