// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../base/suggest.h"
#include "event-names.h"
#include "similar-events.h"
#include "tracefs.h"

static void try_fixed(struct suggest *s, const char *name)
{
	const struct event_name *known;

	for (size_t i = 0; (known = event_name__at(i)); i++)
		suggest__try(s, name, strlen(name), known->name);
}

/* Every tracepoint, or those named @glob; the strings live in @arena. */
static void try_tracepoints(struct suggest *s, struct arena *arena, const char *wanted,
			    const char *glob)
{
	tracefs_names systems = {}, names = {};

	if (tracefs__list(&systems, NULL, NULL, NULL))
		return;
	for (size_t i = 0; i < systems.nr; i++) {
		if (tracefs__list(&names, systems.v[i], glob, NULL))
			continue;
		for (size_t k = 0; k < names.nr; k++) {
			char *full = xasprintf("%s:%s", systems.v[i], names.v[k]);

			suggest__try(s, glob ? full : wanted, strlen(glob ? full : wanted),
				     arena__intern(arena, full));
			free(full);
		}
		tracefs_names__free(&names);
	}
	tracefs_names__free(&systems);
}

void similar__event(const char *name, char *buf, size_t size)
{
	struct arena *arena = arena__new();
	struct suggest s = {};

	/* "sched_switch" alone: suggests it with its system. */
	if (!strpbrk(name, "*?["))
		try_tracepoints(&s, arena, name, name);
	try_fixed(&s, name);
	suggest__print(&s, "", buf, size);
	arena__free(arena);
}

void similar__tracepoint(const char *system, const char *name, char *buf, size_t size)
{
	char *full = xasprintf("%s:%s", system, name);
	struct arena *arena = arena__new();
	struct suggest s = {};

	try_tracepoints(&s, arena, full, NULL);
	suggest__print(&s, "", buf, size);
	arena__free(arena);
	free(full);
}

bool similar__is_close(const char *name)
{
	struct suggest s = {};

	try_fixed(&s, name);
	return s.nr && s.distance[0] <= 2;
}
