// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module perf_trace_context: what a script can ask about the sample that it is given. Its
 * functions take the context, which functions for tracepoints get, and which is also the module's
 * perf_script_context.
 */
#include "../../annotate/sources.h"
#include "../../data/tracepoint-fields.h"
#include "../../text/insn-text.h"
#include "interpreter.h"

static struct interpreter *interpreter_of(PyObject *capsule)
{
	if (!PyCapsule_CheckExact(capsule)) {
		PyErr_SetString(PyExc_TypeError, "the context of the event is expected");
		return NULL;
	}
	return PyCapsule_GetPointer(capsule, NULL);
}

/* The interpreter, while it is in a call with a sample; otherwise NULL with an exception. */
static struct interpreter *with_sample(PyObject *args)
{
	struct interpreter *py;
	PyObject *capsule;

	if (!PyArg_ParseTuple(args, "O", &capsule))
		return NULL;
	py = interpreter_of(capsule);
	if (!py || py->now)
		return py;
	PyErr_SetString(PyExc_ValueError, "there is no current sample");
	return NULL;
}

enum common { COMMON_PC, COMMON_FLAGS, COMMON_LOCK_DEPTH };

static PyObject *common_field(PyObject *args, enum common which)
{
	struct interpreter *py = with_sample(args);
	const struct whole_sample *ws;
	const struct traced_field *f;
	struct traced_event *e;
	u64 config, value = 0;

	if (!py)
		return NULL;
	ws = py->now;
	config = ws->rec->event->attr.config;
	e = ws->rec->event->attr.type == PERF_TYPE_TRACEPOINT && ws->s->raw ?
	    traced_event__new(py->source.traces, config) : NULL;
	if (e && traced_event__fits(py->source.traces, config, ws->s->raw, ws->s->raw_size)) {
		f = which == COMMON_PC ? &e->preempt_count :
		    which == COMMON_FLAGS ? &e->flags : &e->lock_depth;
		/* Kernels have no lock depth any more: -1 is what it was without one. */
		value = which == COMMON_LOCK_DEPTH && !f->size ? (u64)-1
			: traced_field__number(f, e->swapped, ws->s->raw);
	}
	free(e);
	return PyLong_FromLongLong((s64)value);
}

static PyObject *common_pc(PyObject *self, PyObject *args)
{
	return common_field(args, COMMON_PC);
}

static PyObject *common_flags(PyObject *self, PyObject *args)
{
	return common_field(args, COMMON_FLAGS);
}

static PyObject *common_lock_depth(PyObject *self, PyObject *args)
{
	return common_field(args, COMMON_LOCK_DEPTH);
}

static PyObject *sample_insn(PyObject *self, PyObject *args)
{
	struct interpreter *py = with_sample(args);
	struct bytes insn;

	if (!py)
		return NULL;
	insn = insn__at(py->source.symbols, interpreter__leaf(py));
	return insn.len ? PyBytes_FromStringAndSize((const char *)insn.data, insn.len)
			: Py_NewRef(Py_None);
}

/* The line of the source file, without its end; None when the file is not there. */
static PyObject *source_text(struct interpreter *py, const struct location *loc)
{
	const char *text = NULL;
	struct source_line at;
	size_t len;

	if (!py->sources)
		py->sources = sources__new(NULL, 0);
	if (loc->dso && symbols__line(py->source.symbols, loc->dso, loc->addr, 0, &at))
		text = sources__line(py->sources, at.file, at.line, &len);
	return text ? PyUnicode_DecodeUTF8(text, len, "surrogateescape") : Py_NewRef(Py_None);
}

/* (file, line) of the sample; (None, 0) when it is not known. */
static PyObject *srcline_tuple(PyObject *args, bool with_code)
{
	struct interpreter *py = with_sample(args);
	const struct location *leaf;
	const char *line, *colon;
	PyObject *file;
	u32 nr = 0;

	if (!py)
		return NULL;
	leaf = interpreter__leaf(py);
	line = symbols__line_of(py->source.symbols, leaf);
	colon = line ? strrchr(line, ':') : NULL;
	if (colon)
		nr = (u32)strtoul(colon + 1, NULL, 10);
	file = colon ? PyUnicode_DecodeUTF8(line, colon - line, "surrogateescape")
		     : Py_NewRef(Py_None);
	if (!file)
		return NULL;
	return with_code ? Py_BuildValue("(NIN)", file, nr, source_text(py, leaf))
			 : Py_BuildValue("(NI)", file, nr);
}

static PyObject *sample_srcline(PyObject *self, PyObject *args)
{
	return srcline_tuple(args, false);
}

static PyObject *sample_srccode(PyObject *self, PyObject *args)
{
	return srcline_tuple(args, true);
}

static PyObject *set_itrace_options(PyObject *self, PyObject *args)
{
	PyObject *capsule;
	const char *options;

	if (!PyArg_ParseTuple(args, "Os", &capsule, &options) || !interpreter_of(capsule))
		return NULL;
	return PyLong_FromLong(-1); /* hardware traces are not decoded */
}

/* It has no context, so it asks the one that the module has. */
static PyObject *config_get(PyObject *self, PyObject *args)
{
	PyObject *capsule = PyObject_GetAttrString(self, "perf_script_context");
	struct interpreter *py = capsule ? interpreter_of(capsule) : NULL;
	const char *name, *value = NULL;

	Py_XDECREF(capsule);
	if (!py || !PyArg_ParseTuple(args, "s", &name))
		return NULL;
	if (py->opts.config)
		value = py->opts.config(py->opts.config_ctx, name);
	return value ? py_str(value) : Py_NewRef(Py_None);
}

static PyMethodDef functions[] = {
	{ "common_pc", common_pc, METH_VARARGS, "The preempt count when the event happened." },
	{ "common_flags", common_flags, METH_VARARGS, "The event's flags: see trace_flag_str()." },
	{ "common_lock_depth", common_lock_depth, METH_VARARGS, "The depth of the kernel lock." },
	{ "perf_sample_insn", sample_insn, METH_VARARGS, "The bytes of the instruction, or None." },
	{ "perf_sample_srcline", sample_srcline, METH_VARARGS, "(file, line) of the sample." },
	{ "perf_sample_srccode", sample_srccode, METH_VARARGS,
	  "(file, line, text); the text is None if the file is missing." },
	{ "perf_set_itrace_options", set_itrace_options, METH_VARARGS,
	  "-1: hardware traces are not decoded." },
	{ "perf_config_get", config_get, METH_VARARGS, "A setting of perfconfig, or None." },
	{}
};

PyObject *context_module__init(void)
{
	static struct PyModuleDef def = {
		PyModuleDef_HEAD_INIT, .m_name = "perf_trace_context",
		.m_doc = "Functions about the current sample, for scripts of perf.",
		.m_size = 0, .m_methods = functions,
	};

	return PyModule_Create(&def);
}

int context_module__bind(struct interpreter *py)
{
	PyObject *module = PyImport_ImportModule("perf_trace_context");
	int ret;

	if (!module)
		return -1;
	py->context = PyCapsule_New(py, NULL, NULL);
	ret = py->context ? PyObject_SetAttrString(module, "perf_script_context", py->context) : -1;
	/* Scripts use it without importing it, too. */
	if (!ret)
		ret = PyDict_SetItemString(py->globals, "perf_script_context", py->context);
	Py_DECREF(module);
	return ret;
}
