// SPDX-License-Identifier: GPL-2.0-only
/* Compiles if libzstd is installed, with its headers. */
#include <zstd.h>

int main(void)
{
	return !ZSTD_versionNumber();
}
