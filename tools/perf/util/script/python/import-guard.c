// SPDX-License-Identifier: GPL-2.0-only
/*
 * Where modules may come from when perf has more rights than others: from folders that only root
 * and the owner of perf itself can write to, and whose parents are so, too. All that Python
 * searches, whoever put it into sys.path, goes through sys.path_hooks: the first of these is ours,
 * and gives Python a finder that finds nothing where it does not trust the folder.
 */
#include <sys/stat.h>

#include "../../base/log.h"
#include "../../io/secure-env.h"
#include "interpreter.h"

/* Whether modules may come from @folder. */
static bool trusts_folder(const struct interpreter *py, const char *folder)
{
	struct stat st;

	folder = *folder ? folder : ".";
	if (stat(folder, &st))
		return errno == ENOENT; /* nothing can come from there */
	return trusted_path__check(folder, py->trusted_uid);
}

static PyObject *find_nothing(PyObject *self, PyObject *args)
{
	Py_RETURN_NONE;
}

static PyMethodDef nothing = { "find_spec", find_nothing, METH_VARARGS, NULL };

/* An object whose find_spec() finds nothing. */
static PyObject *blind_finder(void)
{
	PyObject *types = PyImport_ImportModule("types"), *finder = NULL, *fn;

	if (types)
		finder = PyObject_CallMethod(types, "SimpleNamespace", NULL);
	fn = finder ? PyCFunction_New(&nothing, NULL) : NULL;
	if (!fn || PyObject_SetAttrString(finder, "find_spec", fn))
		Py_CLEAR(finder);
	Py_XDECREF(fn);
	Py_XDECREF(types);
	return finder;
}

/* As Python wants it: ImportError where another hook is to look. @self: a capsule. */
static PyObject *path_hook(PyObject *self, PyObject *arg)
{
	struct interpreter *py = PyCapsule_GetPointer(self, NULL);
	PyObject *bytes;
	bool trusted;

	if (!py || !PyUnicode_FSConverter(arg, &bytes))
		return NULL;
	trusted = trusts_folder(py, PyBytes_AsString(bytes));
	Py_DECREF(bytes);
	if (trusted) {
		PyErr_SetNone(PyExc_ImportError);
		return NULL;
	}
	*vec__push(&py->refused) = Py_NewRef(arg);
	return Py_NewRef(py->blind_finder);
}

static PyMethodDef hook = { "perf_import_guard", path_hook, METH_O, NULL };

int import_guard__install(struct interpreter *py)
{
	PyObject *hooks = PySys_GetObject("path_hooks"); /* borrowed */
	PyObject *cache = PySys_GetObject("path_importer_cache");
	PyObject *self = PyCapsule_New(py, NULL, NULL), *fn = NULL;
	int ret = -1;

	py->blind_finder = blind_finder(); /* an import within an import would not end */
	if (self && hooks && cache && py->blind_finder)
		fn = PyCFunction_New(&hook, self);
	if (fn && !PyList_Insert(hooks, 0, fn)) {
		PyDict_Clear(cache); /* of folders that were searched before */
		ret = 0;
	}
	Py_XDECREF(fn);
	Py_XDECREF(self);
	return ret;
}

void import_guard__say(const struct interpreter *py)
{
	for (size_t i = 0; i < py->refused.nr; i++) {
		const char *path = PyUnicode_AsUTF8(py->refused.v[i]);

		PyErr_Clear();
		pr_warn("nothing was imported from %s: users other than root may write there\n",
			path ? path : "a folder");
	}
}
