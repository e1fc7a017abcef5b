// SPDX-License-Identifier: GPL-2.0-only
/* perf.frame: a function in a callchain. */
#include <stdio.h>

#include "module.h"

/* What it points to belongs to the recording, of which it holds a reference. */
typedef struct frame_object {
	PyObject_HEAD
	struct source *source;
	struct location loc;
	u64 ip;
	u8 cpumode;
	bool is_cookie;
} frame_object;

PyObject *frame__new(struct source *s, const struct frame *f)
{
	frame_object *self = PyObject_New(frame_object, module_state.frame);

	if (!self)
		return NULL;
	self->source = source__get(s);
	self->loc = f->loc;
	self->ip = f->ip;
	self->cpumode = f->cpumode;
	self->is_cookie = f->is_cookie;
	return (PyObject *)self;
}

static void frame__dealloc(PyObject *o)
{
	PyTypeObject *type = Py_TYPE(o); /* which each object holds */

	source__put(((frame_object *)o)->source);
	PyObject_Free(o);
	Py_DECREF((PyObject *)type);
}

static PyObject *get_ip(PyObject *o, void *unused)
{
	return PyLong_FromUnsignedLongLong(((frame_object *)o)->ip);
}

static PyObject *get_symbol(PyObject *o, void *unused)
{
	frame_object *f = (frame_object *)o;

	if (!f->loc.sym)
		Py_RETURN_NONE;
	return Py_XNewRef(source__str(f->source, f->loc.sym->name));
}

static PyObject *get_offset(PyObject *o, void *unused)
{
	frame_object *f = (frame_object *)o;

	if (!f->loc.sym)
		Py_RETURN_NONE;
	return PyLong_FromUnsignedLongLong(f->loc.addr - f->loc.sym->start);
}

static PyObject *get_module(PyObject *o, void *unused)
{
	frame_object *f = (frame_object *)o;

	if (!f->loc.dso)
		Py_RETURN_NONE;
	return Py_XNewRef(source__str(f->source, f->loc.dso->name));
}

static PyObject *get_address(PyObject *o, void *unused)
{
	return PyLong_FromUnsignedLongLong(((frame_object *)o)->loc.addr);
}

static PyObject *get_mode(PyObject *o, void *unused)
{
	switch (((frame_object *)o)->cpumode) {
	case PERF_RECORD_MISC_KERNEL:
		return PyUnicode_FromString("kernel");
	case PERF_RECORD_MISC_USER:
		return PyUnicode_FromString("user");
	default:
		return PyUnicode_FromString("other");
	}
}

static PyObject *get_is_cookie(PyObject *o, void *unused)
{
	return PyBool_FromLong(((frame_object *)o)->is_cookie);
}

static PyObject *get_inlined(PyObject *o, void *unused)
{
	frame_object *f = (frame_object *)o;

	return PyBool_FromLong(f->loc.sym && f->loc.sym->inlined);
}

struct line_query {
	const frame_object *f;
	const char *line;
};

static void find_line(void *ctx)
{
	struct line_query *q = ctx;

	q->line = symbols__line_of(q->f->source->symbols, &q->f->loc);
}

static PyObject *get_line(PyObject *o, void *unused)
{
	frame_object *f = (frame_object *)o;
	struct line_query q = { .f = f };

	if (!f->loc.dso)
		Py_RETURN_NONE;
	if (!source__call(f->source, find_line, &q))
		return NULL;
	if (!q.line)
		Py_RETURN_NONE;
	return Py_XNewRef(source__str(f->source, q.line));
}

static PyObject *frame__repr(PyObject *o)
{
	frame_object *f = (frame_object *)o;
	PyObject *name = get_symbol(o, NULL), *module = get_module(o, NULL), *ret = NULL;
	char ip[24];

	snprintf(ip, sizeof(ip), "%#llx", (unsigned long long)f->ip);
	if (name && module)
		ret = PyUnicode_FromFormat("<perf.frame %s %S (%S)>", ip, name, module);
	Py_XDECREF(name);
	Py_XDECREF(module);
	return ret;
}

static PyGetSetDef frame_getset[] = {
	{ "ip", get_ip, NULL, "address, as recorded: of a caller its return address", NULL },
	{ "symbol", get_symbol, NULL, "name of the function, or None", NULL },
	{ "offset", get_offset, NULL, "bytes from the start of the function, or None", NULL },
	{ "module", get_module, NULL, "path of the binary, or None", NULL },
	{ "address", get_address, NULL, "in the terms of the binary's symbols", NULL },
	{ "line", get_line, NULL, "'file:line', or None", NULL },
	{ "inlined", get_inlined, NULL, "whether it was inlined into the frames behind it, up to "
	  "the next one that was not", NULL },
	{ "mode", get_mode, NULL, "'user', 'kernel' or 'other'", NULL },
	{ "is_cookie", get_is_cookie, NULL, "a deferred chain that was left as recorded", NULL },
	{},
};

PyTypeObject *frame_type__new(PyObject *module)
{
	PyType_Slot slots[] = {
		{ Py_tp_dealloc, frame__dealloc }, { Py_tp_getset, frame_getset },
		{ Py_tp_repr, frame__repr }, { Py_tp_doc, "A function in a callchain." }, {},
	};
	PyType_Spec spec = {
		.name = "perf.frame", .basicsize = sizeof(frame_object), .slots = slots,
		.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	};

	return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
