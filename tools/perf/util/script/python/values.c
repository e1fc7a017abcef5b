// SPDX-License-Identifier: GPL-2.0-only
/* C values as objects of Python. */
#include "interpreter.h"

PyObject *py_str(const char *s)
{
	return PyUnicode_DecodeUTF8(s, strlen(s), "surrogateescape");
}

PyObject *interpreter__str(struct interpreter *py, const char *s)
{
	PyObject *str = map64__get(&py->strings, (uintptr_t)s);

	if (!str) {
		str = py_str(s);
		if (str)
			map64__set(&py->strings, (uintptr_t)s, str);
	}
	return str;
}

PyObject *interpreter__build_id(struct interpreter *py, const struct dso *dso)
{
	PyObject *str = map64__get(&py->dsos, dso->id + 1ULL);
	char hex[2 * BUILD_ID_MAX + 1] = "";

	if (!str) {
		for (u32 i = 0; i < dso->build_id.size; i++)
			snprintf(hex + 2 * i, 3, "%02x", dso->build_id.data[i]);
		str = PyUnicode_FromString(hex);
		if (str)
			map64__set(&py->dsos, dso->id + 1ULL, str);
	}
	return str;
}

int py_put(const struct interpreter *py, PyObject *dict, enum key key, PyObject *borrowed)
{
	return borrowed ? PyDict_SetItem(dict, py->key[key], borrowed) : -1;
}

int py_put_new(const struct interpreter *py, PyObject *dict, enum key key, PyObject *value)
{
	int ret = py_put(py, dict, key, value);

	Py_XDECREF(value);
	return ret;
}
