// SPDX-License-Identifier: GPL-2.0-only
/* What recordings, samples and frames share, and its lock. */
#include "module.h"

#include <unistd.h>

struct source *source__get(struct source *s)
{
	s->refs++;
	return s;
}

void source__put(struct source *s)
{
	if (!s || --s->refs)
		return;
	map64__for_each(&s->strings, slot)
		Py_DECREF((PyObject *)slot->value);
	map64__free(&s->strings);
	/* What could not go on may have left it in any state. */
	if (!s->broken) {
		map64__for_each(&s->traced_events, slot)
			free(slot->value);
		map64__free(&s->traced_events);
		tracepoints__free(s->traces);
		resolver__free(s->resolver);
		pull__free(s->pull);
	}
	if (s->reader)
		reader__close(s->reader);
	if (s->bundle && s->bundle_fd >= 0)
		close(s->bundle_fd);
	bundle__free(s->bundle);
	PyThread_free_lock(s->lock);
	free(s);
}

void source__lock(struct source *s)
{
	unsigned long me = PyThread_get_thread_ident();

	if (s->locked_by != me) {
		if (!PyThread_acquire_lock(s->lock, NOWAIT_LOCK)) {
			Py_BEGIN_ALLOW_THREADS
			PyThread_acquire_lock(s->lock, WAIT_LOCK);
			Py_END_ALLOW_THREADS
		}
		s->locked_by = me;
	}
	s->depth++;
}

void source__unlock(struct source *s)
{
	if (--s->depth)
		return;
	s->locked_by = 0;
	PyThread_release_lock(s->lock);
}

PyObject *raise_broken(const struct fatal_trap *trap)
{
	if (trap && !trap->no_memory)
		PyErr_SetString(PyExc_SystemError, trap->text);
	else
		PyErr_NoMemory();
	return NULL;
}

bool source__call(struct source *s, void (*fn)(void *ctx), void *ctx)
{
	struct fatal_trap trap;

	source__lock(s);
	if (s->broken) {
		raise_broken(NULL);
	} else if (setjmp(trap.where)) {
		s->broken = true;
		raise_broken(&trap);
	} else {
		fatal__set_trap(&trap);
		fn(ctx);
		fatal__set_trap(NULL);
	}
	source__unlock(s);
	return !s->broken;
}

PyObject *source__str(struct source *s, const char *text)
{
	PyObject *str = map64__get(&s->strings, (uintptr_t)text);

	if (!str) {
		str = new_str(text);
		if (str)
			map64__set(&s->strings, (uintptr_t)text, str);
	}
	return str;
}
