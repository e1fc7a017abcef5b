// SPDX-License-Identifier: GPL-2.0-only
/* C values as objects of Python. */
#include "module.h"

struct module_state module_state;

PyObject *raise_error(const struct error *err)
{
	PyObject *args = Py_BuildValue("(iN)", -err->code, new_str(err->text));

	if (args)
		PyErr_SetObject(module_state.error, args);
	Py_XDECREF(args);
	return NULL;
}

PyObject *new_str(const char *s)
{
	return PyUnicode_DecodeUTF8(s, strlen(s), "surrogateescape");
}
