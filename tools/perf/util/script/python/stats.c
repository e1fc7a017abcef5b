// SPDX-License-Identifier: GPL-2.0-only
/*
 * Counts of `perf stat record`: what an interval added is handed over when it ends, event by event,
 * each to stat__EVENT(cpu, thread, time, value, enabled, running), and then the interval itself to
 * stat__interval(time). Colons in the name of the event become "_".
 */
#include "../../../../lib/unwind/core/bytes.h"
#include "interpreter.h"

#define THREADS_MAX 65536
#define COUNTS_MAX (1 << 20) /* of one interval */

static struct cursor body_of(const struct record *rec)
{
	return cursor__init(rec->hdr + 1, rec->hdr->size - sizeof(*rec->hdr), false);
}

/* Counts name threads by their position here. */
static void take_threads(struct interpreter *py, const struct record *rec)
{
	struct cursor c = body_of(rec);
	u64 nr = cursor__u64(&c);

	py->stat_threads.nr = 0;
	for (u64 i = 0; i < min_of(nr, (u64)THREADS_MAX); i++) {
		u64 pid = cursor__u64(&c);

		cursor__take(&c, 16); /* its name */
		if (c.bad)
			break;
		*vec__push(&py->stat_threads) = (s32)pid;
	}
}

/* What is recorded counts from the beginning. */
static struct stat_count since_last(struct interpreter *py, struct stat_count now)
{
	u64 key = hash_u64((u64)(u32)now.cpu << 32 | (u32)now.thread) ^ now.event;
	struct stat_count *last = map64__get(&py->stat_last, key), before = {};

	if (!last) {
		last = xzalloc(sizeof(*last));
		map64__set(&py->stat_last, key, last);
	}
	before = *last;
	*last = now;
	now.value -= before.value;
	now.enabled -= before.enabled;
	now.running -= before.running;
	return now;
}

static void take_count(struct interpreter *py, const struct record *rec)
{
	struct cursor c = body_of(rec);
	const struct evsel *ev = recording__event_by_id(py->source.recording, cursor__u64(&c));
	struct stat_count count = {};
	u32 thread;

	count.cpu = (s32)cursor__u32(&c);
	thread = cursor__u32(&c);
	count.value = cursor__u64(&c);
	count.enabled = cursor__u64(&c);
	count.running = cursor__u64(&c);
	if (c.bad || !ev || py->stat_counts.nr >= COUNTS_MAX)
		return;
	count.event = ev->idx;
	/* One thread alone, or all of the machine. */
	count.thread = py->stat_threads.nr < 2 ? -1 :
		       thread < py->stat_threads.nr ? py->stat_threads.v[thread] : (s32)thread;
	*vec__push(&py->stat_counts) = since_last(py, count);
}

static PyObject *function_of(const struct interpreter *py, const struct evsel *ev)
{
	char *name = xasprintf("stat__%s", ev->name);
	PyObject *fn;

	for (char *p = name; (p = strchr(p, ':')) != NULL;)
		*p = '_';
	fn = interpreter__function(py, name);
	free(name);
	return fn;
}

static int hand_over(struct interpreter *py, u32 event, u64 time)
{
	PyObject *fn = function_of(py, py->source.recording->events.v[event]);
	int ret = 0;

	for (size_t i = 0; fn && !ret && i < py->stat_counts.nr; i++) {
		const struct stat_count *s = &py->stat_counts.v[i];

		if (s->event == event)
			ret = interpreter__call_new(py, fn, Py_BuildValue(
				"(iiKKKK)", s->cpu, s->thread, time, s->value, s->enabled,
				s->running));
	}
	return ret;
}

static int end_interval(struct interpreter *py, const struct record *rec)
{
	PyObject *fn = interpreter__function(py, "stat__interval");
	struct cursor c = body_of(rec);
	u64 time = (cursor__u64(&c), cursor__u64(&c)); /* behind its type */
	int ret = 0;

	for (u32 i = 0; !ret && i < py->source.recording->events.nr; i++)
		ret = hand_over(py, i, time);
	py->stat_counts.nr = 0;
	if (!ret && fn)
		ret = interpreter__call_new(py, fn, Py_BuildValue("(K)", time));
	return ret;
}

int interpreter__stat(struct interpreter *py, const struct record *rec)
{
	switch (rec->hdr->type) {
	case USER_RECORD_THREAD_MAP:
		take_threads(py, rec);
		return 0;
	case USER_RECORD_STAT:
		take_count(py, rec);
		return 0;
	default:
		return end_interval(py, rec);
	}
}
