// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of tracepoints: to the function SYS__EVENT() with a value for each field, or to
 * trace_unhandled() with a dictionary of them.
 */
#include "../../base/clock.h"
#include "../../data/tracepoint-fields.h"
#include "interpreter.h"

#define COMMON_ARGS 8 /* event_name, context, cpu, s, ns, pid, comm, callchain */

struct tracepoint_call {
	struct traced_event *event; /* NULL: the recording has no format of it */
	PyObject *name;             /* "sched__sched_switch" */
	PyObject **fields;          /* their names */
	PyObject *fn;               /* of the script; NULL: it has none for this event */
	bool fn_wants_sample, unhandled_wants_sample;
	PyObject *cpu, *pid;        /* the last ones */
	u64 last_cpu, last_pid;
};

void tracepoint_call__free(struct tracepoint_call *c)
{
	if (!c)
		return;
	for (u32 i = 0; c->fields && i < c->event->nr; i++)
		Py_XDECREF(c->fields[i]);
	free(c->fields);
	free(c->event);
	Py_XDECREF(c->name);
	Py_XDECREF(c->fn);
	Py_XDECREF(c->cpu);
	Py_XDECREF(c->pid);
	free(c);
}

struct naming {
	struct interpreter *py;
	PyObject *event;
};

/* Calls define_*(), which the script has if it imported Core. */
static void define(struct naming *n, const char *function, PyObject *args)
{
	PyObject *fn = interpreter__function(n->py, function);

	if (fn && args && !n->py->ended)
		interpreter__call(n->py, fn, args);
	Py_XDECREF(args);
}

static void define_field(void *ctx, const char *field, const char *delim)
{
	struct naming *n = ctx;

	if (delim)
		define(n, "define_flag_field",
		       Py_BuildValue("(ONN)", n->event, py_str(field), py_str(delim)));
	else
		define(n, "define_symbolic_field", Py_BuildValue("(ON)", n->event, py_str(field)));
}

static void define_value(void *ctx, const char *field, bool is_flag, u64 value, const char *name)
{
	struct naming *n = ctx;

	define(n, is_flag ? "define_flag_value" : "define_symbolic_value",
	       Py_BuildValue("(ONKN)", n->event, py_str(field), value, py_str(name)));
}

static void define_names(struct tracepoint_call *c, struct interpreter *py,
			 const struct evsel *ev)
{
	struct naming n = { .py = py, .event = c->name };
	struct traced_names names = { .ctx = &n, .field = define_field, .value = define_value };

	traced_event__names(py->source.traces, ev->attr.config, &names);
}

static bool take_format(struct tracepoint_call *c, const struct traced_event *event)
{
	char *name = xasprintf("%s__%s", event->system, event->name);

	c->name = py_str(name);
	free(name);
	c->fields = xcalloc(event->nr + 1, sizeof(*c->fields));
	for (u32 i = 0; c->name && i < event->nr; i++) {
		c->fields[i] = py_str(event->fields[i].name ? event->fields[i].name : "");
		if (!c->fields[i])
			return false;
		PyUnicode_InternInPlace(&c->fields[i]);
	}
	return c->name;
}

struct tracepoint_call *tracepoint_call__new(struct interpreter *py, const struct evsel *ev)
{
	struct tracepoint_call *c = xzalloc(sizeof(*c));

	c->event = traced_event__new(py->source.traces, ev->attr.config);
	if (!c->event)
		return c;
	if (!take_format(c, c->event)) {
		tracepoint_call__free(c);
		return NULL;
	}
	c->fn = PyDict_GetItemWithError(py->globals, c->name);
	Py_XINCREF(c->fn);
	c->fn_wants_sample = c->fn &&
			     function__nr_args(c->fn) == COMMON_ARGS + (int)c->event->nr + 1;
	c->unhandled_wants_sample = py->unhandled && function__nr_args(py->unhandled) == 4;
	define_names(c, py, ev);
	return c;
}

/*
 * A string is one whatever its bytes are, as sample["comm"] is: a name that another program chose
 * must not have a type of its own. What is not UTF-8 can be printed again as it was.
 */
static PyObject *field_value(const struct tracepoint_call *c, u32 i, const void *raw)
{
	const struct traced_field *f = &c->event->fields[i];
	const char *bytes;
	u64 number;
	u32 len;

	if (!f->is_array) {
		number = traced_field__number(f, c->event->swapped, raw);
		return f->is_signed ? PyLong_FromLongLong((s64)number)
				    : PyLong_FromUnsignedLongLong(number);
	}
	bytes = traced_field__bytes(f, c->event->swapped, raw, &len);
	if (f->is_string)
		return PyUnicode_DecodeUTF8(bytes, strnlen(bytes, len), "surrogateescape");
	return PyByteArray_FromStringAndSize(bytes, len);
}

static PyObject *number_of(PyObject **object, u64 *last, u64 now, bool is_signed)
{
	if (!*object || *last != now) {
		*last = now;
		Py_XSETREF(*object, is_signed ? PyLong_FromLongLong((s64)now)
					      : PyLong_FromUnsignedLongLong(now));
	}
	return Py_XNewRef(*object);
}

/* What comes first for all events, in this order; their callchain is @args[5]. */
static bool common_values(struct tracepoint_call *c, struct interpreter *py,
			  const struct whole_sample *ws, PyObject **args)
{
	u64 time = ws->s->time;
	u64 pid = traced_field__number(&c->event->pid, c->event->swapped, ws->s->raw);

	args[0] = number_of(&c->cpu, &c->last_cpu, ws->s->cpu, false);
	args[1] = PyLong_FromUnsignedLongLong(time / NSEC_PER_SEC);
	args[2] = PyLong_FromUnsignedLongLong(time % NSEC_PER_SEC);
	args[3] = number_of(&c->pid, &c->last_pid, pid, true);
	args[4] = Py_XNewRef(interpreter__str(py, ws->thread->comm));
	args[5] = frame_dicts__chain(py, ws);
	for (u32 i = 0; i < 6; i++)
		if (!args[i])
			return false;
	return true;
}

/* SYS__EVENT(event_name, context, cpu, s, ns, pid, comm, callchain, fields..., [dict]) */
static int call_handler(struct tracepoint_call *c, struct interpreter *py,
			const struct whole_sample *ws, struct sample_dict *dict)
{
	u32 nr = COMMON_ARGS + c->event->nr;
	PyObject **args = xcalloc(nr + 2, sizeof(*args)), **a = args + 1, *whole = NULL;
	bool ok = common_values(c, py, ws, a + 2);
	int ret = -ECANCELED;

	a[0] = Py_NewRef(c->name);
	a[1] = Py_NewRef(py->context);
	for (u32 i = 0; ok && i < c->event->nr; i++) {
		a[COMMON_ARGS + i] = field_value(c, i, ws->s->raw);
		ok = a[COMMON_ARGS + i];
	}
	if (ok && c->fn_wants_sample) {
		whole = sample_dict__fill(dict, py, ws, a[7]);
		a[nr] = whole;
		ok = whole;
	}
	if (ok)
		ret = interpreter__vectorcall(py, c->fn, a, nr + !!whole);
	else
		interpreter__fail(py);
	for (u32 i = 0; i < nr; i++)
		Py_XDECREF(a[i]);
	free(args);
	return ret;
}

static PyObject *fields_dict(struct tracepoint_call *c, struct interpreter *py,
			     const struct whole_sample *ws, PyObject **chain)
{
	static const enum key keys[] = {
		KEY_common_cpu, KEY_common_s, KEY_common_ns, KEY_common_pid, KEY_common_comm,
		KEY_common_callchain,
	};
	PyObject *d = PyDict_New(), *values[ARRAY_SIZE(keys)] = {}, *value;
	bool ok = common_values(c, py, ws, values) && d;

	for (u32 i = 0; i < ARRAY_SIZE(keys); i++) {
		ok = ok && !py_put(py, d, keys[i], values[i]);
		if (keys[i] == KEY_common_callchain)
			*chain = values[i];
		else
			Py_XDECREF(values[i]);
	}
	for (u32 i = 0; ok && i < c->event->nr; i++) {
		value = field_value(c, i, ws->s->raw);
		ok = value && !PyDict_SetItem(d, c->fields[i], value);
		Py_XDECREF(value);
	}
	if (!ok)
		Py_CLEAR(d);
	return d;
}

/* trace_unhandled(event_name, context, fields, [dict]) */
static int call_unhandled(struct tracepoint_call *c, struct interpreter *py,
			  const struct whole_sample *ws, struct sample_dict *dict)
{
	PyObject *chain = NULL, *fields = fields_dict(c, py, ws, &chain), *whole = NULL;
	PyObject *args[5] = { NULL, c->name, py->context, fields };
	int ret = -ECANCELED;

	if (fields && c->unhandled_wants_sample)
		args[4] = whole = sample_dict__fill(dict, py, ws, chain);
	if (fields && (whole || !c->unhandled_wants_sample))
		ret = interpreter__vectorcall(py, py->unhandled, args + 1, whole ? 4 : 3);
	else
		interpreter__fail(py);
	Py_XDECREF(fields);
	Py_XDECREF(chain);
	return ret;
}

int tracepoint_call__sample(struct tracepoint_call *c, struct interpreter *py,
			    const struct whole_sample *ws, struct sample_dict *dict)
{
	u64 config = ws->rec->event->attr.config;
	int ret;

	if (!c->event || !ws->s->raw ||
	    !traced_event__fits(py->source.traces, config, ws->s->raw, ws->s->raw_size)) {
		py->unreadable++;
		return 0;
	}
	if (c->fn) {
		ret = call_handler(c, py, ws, dict);
	} else if (py->unhandled) {
		ret = call_unhandled(c, py, ws, dict);
	} else {
		py->unheard++;
		return 0;
	}
	sample_dict__settle(dict, py);
	frame_dicts__settle(py->frames);
	return ret;
}
