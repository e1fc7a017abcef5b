// SPDX-License-Identifier: GPL-2.0-only
#include <isa-l/igzip_lib.h>
/* Compiles if ISA-L, which writes gzip faster than zlib, is installed, with its headers. */

int main(void)
{
	static struct isal_zstream z;

	isal_deflate_init(&z);
	return isal_deflate(&z) != COMP_OK;
}
