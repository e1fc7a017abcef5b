// SPDX-License-Identifier: GPL-2.0-only
#include <lzma.h>

int main(void)
{
	return !lzma_version_number();
}
