// SPDX-License-Identifier: GPL-2.0-only
/* perf.frame: a function in a callchain. */
#include <stddef.h>
#include <stdio.h>

#include "module.h"

#include <structmember.h>

/* What it points to belongs to the recording, of which it holds a reference. */
typedef struct frame_object {
	PyObject_HEAD
	struct source *source;
	/* Members, as the interpreter reads these without a call: each a str or None. */
	PyObject *symbol, *module;
	struct location loc;
	u64 ip;
	u8 cpumode;
	bool is_cookie;
} frame_object;

static PyObject *str_or_none(struct source *s, const char *text)
{
	return text ? Py_XNewRef(source__str(s, text)) : Py_NewRef(Py_None);
}

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
	self->symbol = str_or_none(s, f->loc.sym ? f->loc.sym->name : NULL);
	self->module = str_or_none(s, f->loc.dso ? f->loc.dso->name : NULL);
	if (self->symbol && self->module)
		return (PyObject *)self;
	Py_DECREF((PyObject *)self);
	return NULL;
}

static void frame__dealloc(PyObject *o)
{
	PyTypeObject *type = Py_TYPE(o); /* which each object holds */

	Py_XDECREF(((frame_object *)o)->symbol);
	Py_XDECREF(((frame_object *)o)->module);
	source__put(((frame_object *)o)->source);
	PyObject_Free(o);
	Py_DECREF((PyObject *)type);
}

static PyObject *get_ip(PyObject *o, void *unused)
{
	return PyLong_FromUnsignedLongLong(((frame_object *)o)->ip);
}

static PyObject *get_offset(PyObject *o, void *unused)
{
	frame_object *f = (frame_object *)o;

	if (!f->loc.sym)
		Py_RETURN_NONE;
	return PyLong_FromUnsignedLongLong(f->loc.addr - f->loc.sym->start);
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
	char ip[24];

	snprintf(ip, sizeof(ip), "%#llx", (unsigned long long)f->ip);
	return PyUnicode_FromFormat("<perf.frame %s %S (%S)>", ip, f->symbol, f->module);
}

static PyGetSetDef frame_getset[] = {
	{ "ip", get_ip, NULL, "address, as recorded (the return address for a caller)", NULL },
	{ "offset", get_offset, NULL, "bytes from the start of the function, or None", NULL },
	{ "address", get_address, NULL, "address in the address space of the binary's "
					"symbols", NULL },
	{ "line", get_line, NULL, "'file:line', or None", NULL },
	{ "inlined", get_inlined, NULL, "whether it was inlined into the next frames, up to one "
					"that was not", NULL },
	{ "mode", get_mode, NULL, "'user', 'kernel' or 'other'", NULL },
	{ "is_cookie", get_is_cookie, NULL, "a deferred chain that was left as recorded", NULL },
	{},
};

static PyMemberDef frame_members[] = {
	{ "symbol", T_OBJECT_EX, offsetof(frame_object, symbol), READONLY,
	  "name of the function, or None" },
	{ "module", T_OBJECT_EX, offsetof(frame_object, module), READONLY,
	  "path of the binary, or None" },
	{},
};

PyTypeObject *frame_type__new(PyObject *module)
{
	PyType_Slot slots[] = {
		{ Py_tp_dealloc, frame__dealloc }, { Py_tp_getset, frame_getset },
		{ Py_tp_members, frame_members },
		{ Py_tp_repr, frame__repr }, { Py_tp_doc, "A function in a callchain." }, {},
	};
	PyType_Spec spec = {
		.name = "perf.frame", .basicsize = sizeof(frame_object), .slots = slots,
		.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	};

	return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
