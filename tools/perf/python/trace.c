// SPDX-License-Identifier: GPL-2.0-only
/* What the payload of a tracepoint says: perf.sample's trace and fields. */
#include "module.h"

#include "../util/data/tracepoint-fields.h"

struct trace_query {
	struct source *source;
	u64 id;                           /* attr.config */
	const void *raw;
	u32 raw_size;
	const char *text;                 /* until the next query */
	const struct traced_event *event; /* whose fields lie within the payload */
};

/* Returns: false when @s is of no tracepoint. */
static bool trace_query__init(struct trace_query *q, struct source *source,
			      const struct pulled_sample *s)
{
	struct sample parsed;

	if (s->rec.event->attr.type != PERF_TYPE_TRACEPOINT || sample__parse(&parsed, &s->rec))
		return false;
	*q = (struct trace_query){ .source = source, .id = s->rec.event->attr.config,
				   .raw = parsed.raw, .raw_size = parsed.raw_size };
	return true;
}

static struct tracepoints *traces_of(struct source *s)
{
	if (!s->traces) {
		s->traces = tracepoints__new(reader__recording(s->reader));
		tracepoints__name_functions(s->traces, resolver__traced_function, s->resolver);
	}
	return s->traces;
}

static void find_text(void *ctx)
{
	struct trace_query *q = ctx;

	q->text = tracepoints__fields(traces_of(q->source), q->id, q->raw, q->raw_size);
}

static void find_event(void *ctx)
{
	struct trace_query *q = ctx;
	struct map64 *events = &q->source->traced_events;
	struct tracepoints *traces = traces_of(q->source);
	struct traced_event *e = map64__get(events, q->id);

	if (!e) {
		e = traced_event__new(traces, q->id);
		if (e)
			map64__set(events, q->id, e);
	}
	q->event = e && traced_event__fits(traces, q->id, q->raw, q->raw_size) ? e : NULL;
}

static bool is_number(const struct traced_field *f)
{
	return !f->is_array && (f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8);
}

static PyObject *field_value(const struct trace_query *q, const struct traced_field *f)
{
	const char *bytes;
	u64 number;
	u32 len;

	if (is_number(f)) {
		number = traced_field__number(f, q->event->swapped, q->raw);
		return f->is_signed ? PyLong_FromLongLong((s64)number)
				    : PyLong_FromUnsignedLongLong(number);
	}
	bytes = traced_field__bytes(f, q->event->swapped, q->raw, &len);
	return f->is_string ? PyUnicode_DecodeUTF8(bytes, strnlen(bytes, len), "surrogateescape")
			    : PyBytes_FromStringAndSize(bytes, len);
}

static PyObject *fields_of(const struct trace_query *q)
{
	PyObject *dict;

	if (!q->event)
		Py_RETURN_NONE;
	dict = PyDict_New();
	for (u32 i = 0; dict && i < q->event->nr; i++) {
		const struct traced_field *f = &q->event->fields[i];
		PyObject *name = source__str(q->source, f->name ? f->name : "");
		PyObject *value = name ? field_value(q, f) : NULL;

		if (!value || PyDict_SetItem(dict, name, value))
			Py_CLEAR(dict);
		Py_XDECREF(value);
	}
	return dict;
}

static PyObject *text_of(const struct trace_query *q)
{
	return q->text ? new_str(q->text) : Py_NewRef(Py_None);
}

/* @make makes the answer of what @find found, before the next query may forget it. */
static PyObject *ask(struct source *source, const struct pulled_sample *s, void (*find)(void *ctx),
		     PyObject *(*make)(const struct trace_query *q))
{
	struct trace_query q;
	PyObject *answer = NULL;

	if (!trace_query__init(&q, source, s))
		Py_RETURN_NONE;
	source__lock(source);
	if (source__call(source, find, &q))
		answer = make(&q);
	source__unlock(source);
	return answer;
}

PyObject *sample__trace(struct source *source, const struct pulled_sample *s)
{
	return ask(source, s, find_text, text_of);
}

PyObject *sample__fields(struct source *source, const struct pulled_sample *s)
{
	return ask(source, s, find_event, fields_of);
}
