// SPDX-License-Identifier: GPL-2.0-only
/* From a sample to the function of the script that takes it. */
#include "interpreter.h"

/* What is kept for each event of the recording. */
struct event_calls {
	struct sample_dict *dict;
	struct tracepoint_call *tracepoint; /* NULL: it is none */
};

void event_calls__free(struct event_calls *e)
{
	if (!e)
		return;
	sample_dict__free(e->dict);
	tracepoint_call__free(e->tracepoint);
	free(e);
}

static struct event_calls *event_calls__new(struct interpreter *py, const struct evsel *ev)
{
	struct event_calls *e = xzalloc(sizeof(*e));

	e->dict = sample_dict__new(py, ev);
	if (ev->attr.type == PERF_TYPE_TRACEPOINT)
		e->tracepoint = tracepoint_call__new(py, ev);
	if (e->dict && (e->tracepoint || ev->attr.type != PERF_TYPE_TRACEPOINT))
		return e;
	event_calls__free(e);
	return NULL;
}

/* Events can be added while a pipe is read. */
static struct event_calls *calls_of(struct interpreter *py, const struct evsel *ev)
{
	if (ev->idx >= py->nr_events) {
		u32 nr = py->source.recording->events.nr;

		py->events = xrealloc(py->events, nr * sizeof(*py->events));
		memset(py->events + py->nr_events, 0, (nr - py->nr_events) * sizeof(*py->events));
		py->nr_events = nr;
	}
	if (!py->events[ev->idx])
		py->events[ev->idx] = event_calls__new(py, ev);
	return py->events[ev->idx];
}

static int call_process_event(struct interpreter *py, struct event_calls *e,
			      const struct whole_sample *ws)
{
	PyObject *chain = frame_dicts__chain(py, ws), *dict = NULL, *args[2];
	int ret = -ECANCELED;

	if (chain)
		dict = sample_dict__fill(e->dict, py, ws, chain);
	Py_XDECREF(chain);
	args[1] = dict;
	if (!dict)
		interpreter__fail(py);
	else
		ret = interpreter__vectorcall(py, py->process_event, args + 1, 1);
	sample_dict__settle(e->dict, py);
	frame_dicts__settle(py->frames);
	return ret;
}

int interpreter__sample(struct interpreter *py, const struct whole_sample *ws)
{
	const struct evsel *ev = ws->rec->event;
	struct event_calls *e;
	int ret = 0;

	if (interpreter__check(py))
		return -ECANCELED;
	py->now = ws;
	py->has_leaf = false;
	e = calls_of(py, ev);
	if (!e) {
		interpreter__fail(py);
		ret = -ECANCELED;
	} else if (e->tracepoint) {
		ret = tracepoint_call__sample(e->tracepoint, py, ws, e->dict);
	} else if (py->process_event) {
		ret = call_process_event(py, e, ws);
	}
	py->now = NULL;
	return ret;
}
