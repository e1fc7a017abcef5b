// SPDX-License-Identifier: GPL-2.0-only
/* perf.sample: one sample of a recording, whole. */
#include "module.h"

#include "../util/activity/activity.h"
#include "../util/sample/user-stack.h"

PyObject *sample__new(recording_object *r, struct pulled_sample *s)
{
	sample_object *self = PyObject_New(sample_object, module_state.sample);

	if (!self)
		return NULL;
	self->recording = (recording_object *)Py_NewRef((PyObject *)r);
	self->s = *s;
	self->frames = NULL;
	s->owned = NULL;
	s->maps = NULL;
	return (PyObject *)self;
}

static void sample__dealloc(PyObject *o)
{
	sample_object *self = (sample_object *)o;
	PyTypeObject *type = Py_TYPE(o);

	/* Maps are shared with the pipeline. */
	source__lock(self->recording->source);
	pulled_sample__release(&self->s);
	source__unlock(self->recording->source);
	Py_XDECREF(self->frames);
	Py_DECREF((PyObject *)self->recording);
	PyObject_Free(o);
	Py_DECREF((PyObject *)type);
}

static const struct pulled_sample *of(PyObject *o)
{
	return &((sample_object *)o)->s;
}

static PyObject *number_or_none(u64 v, bool known)
{
	if (!known)
		Py_RETURN_NONE;
	return PyLong_FromUnsignedLongLong(v);
}

static PyObject *get_time(PyObject *o, void *unused)
{
	return number_or_none(of(o)->rec.time, of(o)->rec.time != NO_TIME);
}

static PyObject *get_id(u32 id)
{
	if (id == NO_ID)
		Py_RETURN_NONE;
	return PyLong_FromLong((s32)id);
}

static PyObject *get_pid(PyObject *o, void *unused)
{
	return get_id(of(o)->rec.pid);
}

static PyObject *get_tid(PyObject *o, void *unused)
{
	return get_id(of(o)->rec.tid);
}

static PyObject *get_cpu(PyObject *o, void *unused)
{
	return get_id(of(o)->rec.cpu);
}

static PyObject *get_comm(PyObject *o, void *unused)
{
	return Py_XNewRef(source__str(((sample_object *)o)->recording->source, of(o)->comm));
}

static PyObject *get_event(PyObject *o, void *unused)
{
	struct source *s = ((sample_object *)o)->recording->source;

	return Py_XNewRef(source__str(s, of(o)->rec.event->name));
}

static PyObject *get_period(PyObject *o, void *unused)
{
	return PyLong_FromUnsignedLongLong(of(o)->period);
}

static PyObject *get_ip(PyObject *o, void *unused)
{
	return PyLong_FromUnsignedLongLong(of(o)->ip);
}

static PyObject *get_addr(PyObject *o, void *unused)
{
	struct sample s;
	bool known = of(o)->rec.event->attr.sample_type & PERF_SAMPLE_ADDR &&
		     !sample__parse(&s, &of(o)->rec);

	return number_or_none(known ? s.addr : 0, known);
}

static PyObject *get_raw(PyObject *o, void *unused)
{
	struct sample s;

	if (sample__parse(&s, &of(o)->rec) || !s.raw)
		Py_RETURN_NONE;
	return PyBytes_FromStringAndSize(s.raw, s.raw_size);
}

static PyObject *get_frames(PyObject *o, void *unused)
{
	sample_object *self = (sample_object *)o;

	if (!self->frames)
		self->frames = recording__frames(self->recording, &self->s);
	return Py_XNewRef(self->frames);
}

/* The addresses alone, which cost no look-up: innermost first, without context markers. */
static PyObject *get_ips(PyObject *o, void *unused)
{
	const struct pulled_sample *s = of(o);
	PyObject *list = PyList_New(0), *ip;
	bool failed = !list;

	for (u64 i = 0; !failed && i < s->nr_chain + s->nr_user; i++) {
		u64 v = i < s->nr_chain ? s->chain[i] : s->user[i - s->nr_chain];

		if (ip__is_context(v))
			continue;
		ip = PyLong_FromUnsignedLongLong(v);
		failed = !ip || PyList_Append(list, ip);
		Py_XDECREF(ip);
	}
	if (failed)
		Py_CLEAR(list);
	return list;
}

static PyObject *get_user_stack(PyObject *o, void *unused)
{
	static const char *const sources[USER_PART_NR] = {
		[USER_PART_NONE] = "none", [USER_PART_RECORDED] = "recorded",
		[USER_PART_DEFERRED] = "deferred", [USER_PART_UNWOUND] = "unwound",
		[USER_PART_MISSING] = "missing", [USER_PART_KEPT] = "kept",
	};

	return PyUnicode_FromString(sources[of(o)->user_part]);
}

static const char *reason_of(const struct pulled_sample *s)
{
	return user_part__reason(s->user_part, s->deferred, s->stop);
}

static PyObject *get_reason(PyObject *o, void *unused)
{
	const char *reason = reason_of(of(o));

	if (!reason)
		Py_RETURN_NONE;
	return PyUnicode_FromString(reason);
}

static PyObject *get_whole(PyObject *o, void *unused)
{
	const struct pulled_sample *s = of(o);

	if (!user_part__is_known(s->user_part))
		Py_RETURN_NONE;
	return PyBool_FromLong(!reason_of(s));
}

static PyObject *get_methods(PyObject *o, void *unused)
{
	const struct pulled_sample *s = of(o);
	PyObject *tuple;

	if (!s->methods)
		Py_RETURN_NONE;
	tuple = PyTuple_New(s->nr_user);
	for (u64 i = 0; tuple && i < s->nr_user; i++) {
		PyObject *name = PyUnicode_InternFromString(unwind_method__name(s->methods[i]));

		if (!name || PyTuple_SetItem(tuple, i, name))
			Py_CLEAR(tuple);
	}
	return tuple;
}

static PyObject *get_trace(PyObject *o, void *unused)
{
	return sample__trace(((sample_object *)o)->recording->source, of(o));
}

static PyObject *get_fields(PyObject *o, void *unused)
{
	return sample__fields(((sample_object *)o)->recording->source, of(o));
}

static PyObject *get_activity(PyObject *o, void *unused)
{
	char text[ACTIVITY_TEXT_MAX];
	struct sample parsed;
	struct activity a;

	if (sample__parse(&parsed, &of(o)->rec) || !activity__of_sample(&a, &parsed))
		Py_RETURN_NONE;
	activity__text(&a, text);
	return new_str(text);
}

static PyObject *sample__repr(PyObject *o)
{
	PyObject *comm = get_comm(o, NULL), *event = get_event(o, NULL), *time = get_time(o, NULL);
	PyObject *ret = NULL;

	if (comm && event && time)
		ret = PyUnicode_FromFormat("<perf.sample %S of %S, tid %d, time %S>", event, comm,
					   (int)of(o)->rec.tid, time);
	Py_XDECREF(comm);
	Py_XDECREF(event);
	Py_XDECREF(time);
	return ret;
}

static PyGetSetDef sample_getset[] = {
	{ "time", get_time, NULL, "ns of the recording's clock, or None", NULL },
	{ "comm", get_comm, NULL, "name of the thread at that time", NULL },
	{ "pid", get_pid, NULL, "process, or None", NULL },
	{ "tid", get_tid, NULL, "thread, or None", NULL },
	{ "cpu", get_cpu, NULL, "CPU, or None", NULL },
	{ "event", get_event, NULL, "name of the event", NULL },
	{ "period", get_period, NULL, "period of the sample", NULL },
	{ "ip", get_ip, NULL, "address where it was taken", NULL },
	{ "addr", get_addr, NULL, "address of data, or None", NULL },
	{ "raw", get_raw, NULL, "payload of a tracepoint as bytes, or None", NULL },
	{ "trace", get_trace, NULL, "fields of a tracepoint as text, or None", NULL },
	{ "fields", get_fields, NULL, "fields of a tracepoint as a dictionary, or None", NULL },
	{ "activity", get_activity, NULL, "id of the thread's work, or None", NULL },
	{ "frames", get_frames, NULL, "tuple of perf.frame, innermost first", NULL },
	{ "ips", get_ips, NULL, "list of the addresses of frames, not resolved", NULL },
	{ "user_stack", get_user_stack, NULL, "source of the user part of the frames", NULL },
	{ "whole", get_whole, NULL, "whether the user part is whole; None: unknown", NULL },
	{ "reason", get_reason, NULL, "why it is not whole, or None", NULL },
	{ "methods", get_methods, NULL, "how each user frame was found, or None", NULL },
	{},
};

PyTypeObject *sample_type__new(PyObject *module)
{
	PyType_Slot slots[] = {
		{ Py_tp_dealloc, sample__dealloc }, { Py_tp_getset, sample_getset },
		{ Py_tp_repr, sample__repr }, { Py_tp_doc, "A sample of a recording." }, {},
	};
	PyType_Spec spec = {
		.name = "perf.sample", .basicsize = sizeof(sample_object), .slots = slots,
		.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
	};

	return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
