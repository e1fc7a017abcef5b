// SPDX-License-Identifier: GPL-2.0-only
#include <zlib.h>
/* Compiles if zlib is installed, with its headers. */

int main(void)
{
	z_stream z = {};

	return deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK;
}
