// SPDX-License-Identifier: GPL-2.0-only
#include <zstd.h>

int main(void)
{
	return !ZSTD_versionNumber();
}
