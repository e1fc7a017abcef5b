// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <libiberty/demangle.h>
/* Compiles if libiberty of binutils is installed; before 2.33 it knew no names that begin with _R. */

int main(void)
{
	char *plain = rust_demangle("_RNvC1a1f", 0);
	int status = !plain;

	free(plain);
	return status;
}
