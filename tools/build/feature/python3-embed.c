// SPDX-License-Identifier: GPL-2.0-only
#include <Python.h>

int main(void)
{
	return !Py_GetVersion();
}
