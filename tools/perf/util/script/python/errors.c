// SPDX-License-Identifier: GPL-2.0-only
/* Calls into the script, and how it ends when it does not return from one. */
#include <inttypes.h>

#include "../../base/clock.h"
#include "../../base/log.h"
#include "interpreter.h"

/* sys.exit(): the status, or words for stderr and status 1. */
static void take_exit(struct interpreter *py)
{
	PyObject *type, *value, *trace, *code = NULL;

	PyErr_Fetch(&type, &value, &trace);
	PyErr_NormalizeException(&type, &value, &trace);
	if (value)
		code = PyObject_GetAttrString(value, "code");
	if (!code || code == Py_None) {
		py->status = 0;
	} else if (PyLong_Check(code)) {
		py->status = (u8)PyLong_AsLongAndOverflow(code, &(int){ 0 });
	} else {
		PySys_FormatStderr("%S\n", code);
		py->status = 1;
	}
	PyErr_Clear();
	Py_XDECREF(code);
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(trace);
}

static void say_sample(const struct interpreter *py)
{
	const struct whole_sample *ws = py->now;
	char time[32] = "at no known time";

	if (!ws)
		return;
	if (ws->rec->time != NO_TIME)
		snprintf(time, sizeof(time), "at %" PRIu64 ".%09" PRIu64,
			 (u64)(ws->rec->time / NSEC_PER_SEC), (u64)(ws->rec->time % NSEC_PER_SEC));
	pr_err("the script failed on this sample: %s %s, comm %s, pid %d, tid %d\n",
	       ws->rec->event->name, time, ws->thread->comm, (int)ws->s->pid, (int)ws->s->tid);
}

void interpreter__fail(struct interpreter *py)
{
	py->ended = true;
	if (!PyErr_Occurred())
		PyErr_SetString(PyExc_SystemError, "a call failed without an exception");
	if (PyErr_ExceptionMatches(PyExc_KeyboardInterrupt)) {
		PyErr_Clear();
		py->interrupted = true;
		py->status = EXIT_INTERRUPTED;
	} else if (PyErr_ExceptionMatches(PyExc_SystemExit)) {
		take_exit(py);
	} else {
		bool import = PyErr_ExceptionMatches(PyExc_ImportError);

		py->status = 1;
		PyErr_Print();
		say_sample(py);
		if (import)
			import_guard__say(py);
	}
}

int interpreter__check(struct interpreter *py)
{
	if (py->ended)
		return -ECANCELED;
	if (!PyErr_CheckSignals())
		return 0;
	interpreter__fail(py);
	return -ECANCELED;
}

static int finish(struct interpreter *py, PyObject *result)
{
	dict_stamp__script_runs(false);
	if (!result) {
		interpreter__fail(py);
		return -ECANCELED;
	}
	Py_DECREF(result);
	return 0;
}

int interpreter__call(struct interpreter *py, PyObject *fn, PyObject *args)
{
	dict_stamp__script_runs(true);
	return finish(py, args ? PyObject_CallObject(fn, args) : NULL);
}

int interpreter__vectorcall(struct interpreter *py, PyObject *fn, PyObject **args, size_t nr)
{
	dict_stamp__script_runs(true);
	return finish(py, PyObject_Vectorcall(fn, args, nr | PY_VECTORCALL_ARGUMENTS_OFFSET,
					      NULL));
}

PyObject *interpreter__function(const struct interpreter *py, const char *name)
{
	PyObject *fn = PyDict_GetItemString(py->globals, name);

	return fn && PyCallable_Check(fn) ? fn : NULL;
}

int function__nr_args(PyObject *fn)
{
	PyObject *code, *count = NULL;
	int nr = -1;

	if (PyMethod_Check(fn)) /* one of them is self */
		return function__nr_args(PyMethod_GET_FUNCTION(fn)) - 1;
	code = PyObject_GetAttrString(fn, "__code__");
	if (code)
		count = PyObject_GetAttrString(code, "co_argcount");
	if (count)
		nr = (int)PyLong_AsLong(count);
	PyErr_Clear();
	Py_XDECREF(code);
	Py_XDECREF(count);
	return nr;
}

int interpreter__call_new(struct interpreter *py, PyObject *fn, PyObject *args)
{
	int ret = interpreter__call(py, fn, args);

	Py_XDECREF(args);
	return ret;
}
