// SPDX-License-Identifier: GPL-2.0-only
/* Compiles if Python can be embedded: its library and headers are installed. */
#include <Python.h>

int main(void)
{
	return !Py_GetVersion();
}
