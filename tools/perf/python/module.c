// SPDX-License-Identifier: GPL-2.0-only
#include <signal.h>

#include "../util/base/log.h"
#include "../util/event/parse-events.h"
#include "../util/event/target.h"
#include "../util/io/mapfile.h"
#include "module.h"

static PyObject *list_of_specs(const struct event_list *list)
{
	PyObject *ret = PyList_New(0);

	for (size_t i = 0; ret && i < list->specs.nr; i++) {
		const struct event_spec *e = &list->specs.v[i];
		PyObject *item = Py_BuildValue("(Ny#I)", new_str(e->name), (const char *)&e->attr,
					       (Py_ssize_t)sizeof(e->attr), e->leader);

		if (!item || PyList_Append(ret, item))
			Py_CLEAR(ret);
		Py_XDECREF(item);
	}
	return ret;
}

static PyObject *parse_event_names(PyObject *module, PyObject *names)
{
	PyObject *bytes = PyUnicode_AsUTF8String(names), *ret = NULL;
	struct event_list list = {};
	struct error err = {};

	if (!bytes)
		return NULL;
	if (event_list__parse(&list, PyBytes_AsString(bytes), &err))
		raise_error(&err);
	else
		ret = list_of_specs(&list);
	event_list__free(&list);
	Py_DECREF(bytes);
	return ret;
}

static PyObject *list_of_ids(const id_vec *ids)
{
	PyObject *list = PyList_New(ids->nr);

	for (size_t i = 0; list && i < ids->nr; i++) {
		PyObject *id = PyLong_FromLong(ids->v[i]);

		if (!id || PyList_SetItem(list, i, id))
			Py_CLEAR(list);
	}
	return list;
}

static PyObject *threads_of_user(PyObject *module, PyObject *uid)
{
	PyObject *user = PyObject_Str(uid), *bytes = NULL, *ret = NULL;
	struct target target = {};
	struct error err = {};
	id_vec tids = {};

	if (user)
		bytes = PyUnicode_AsUTF8String(user);
	Py_XDECREF(user);
	if (!bytes)
		return NULL;
	if (target__add_user(&target, PyBytes_AsString(bytes), &err) ||
	    target__threads(&target, &tids, &err))
		raise_error(&err);
	else
		ret = list_of_ids(&tids);
	vec__free(&tids);
	target__free(&target);
	Py_DECREF(bytes);
	return ret;
}

static PyMethodDef functions[] = {
	{ "parse_event_names", parse_event_names, METH_O,
	  "[(name, attr, leader)] of the argument of -e" },
	{ "threads_of_user", threads_of_user, METH_O,
	  "[tid] of all processes of a uid, except the caller" },
	{},
};

static int add_type(PyObject *module, PyTypeObject **slot, const char *name, PyTypeObject *type)
{
	*slot = type;
	return type ? PyModule_AddObjectRef(module, name, (PyObject *)type) : -1;
}

static int add_all(PyObject *m)
{
	module_state.error = PyErr_NewExceptionWithDoc(
		"perf.error", "What could not be read or opened: errno and words.", PyExc_OSError,
		NULL);
	if (!module_state.error || PyModule_AddObjectRef(m, "error", module_state.error))
		return -1;
	if (PyModule_AddIntConstant(m, "ATTR_SIZE", sizeof(struct perf_event_attr)))
		return -1;
	return add_type(m, &module_state.recording, "recording", recording_type__new(m)) ||
	       add_type(m, &module_state.sample, "sample", sample_type__new(m)) ||
	       add_type(m, &module_state.frame, "frame", frame_type__new(m));
}

PyMODINIT_FUNC PyInit__perf(void);
PyMODINIT_FUNC PyInit__perf(void)
{
	static struct PyModuleDef def = {
		PyModuleDef_HEAD_INIT, .m_name = "perf._perf", .m_size = -1,
		.m_methods = functions,
	};
	PyObject *m = PyModule_Create(&def);

	if (!m)
		return NULL;
	log__set_least(LOG_QUIET);
	log__set_level(LOG_QUIET);
	mapfile__init();
	if (add_all(m)) {
		Py_DECREF(m);
		return NULL;
	}
	return m;
}
