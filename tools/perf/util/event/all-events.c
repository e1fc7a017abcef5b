// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all-events.h"
#include "event-names.h"
#include "pmu.h"
#include "tracefs.h"

/* Files such as "NAME.scale" and "NAME.unit" are attributes of NAME. */
static void add_pmu(all_events *out, const char *pmu)
{
	char path[PATH_MAX];
	struct dirent *de;
	DIR *d;

	snprintf(path, sizeof(path), PMU_DIR "/%s/events", pmu);
	d = opendir(path);
	while (d && (de = readdir(d)))
		if (!strchr(de->d_name, '.'))
			*vec__push(out) = xasprintf("%s/%s/", pmu, de->d_name);
	if (d)
		closedir(d);
}

static void add_pmus(all_events *out)
{
	struct dirent *de;
	DIR *d = opendir(PMU_DIR);

	while (d && (de = readdir(d)))
		if (de->d_name[0] != '.')
			add_pmu(out, de->d_name);
	if (d)
		closedir(d);
}

static void add_tracepoints(all_events *out)
{
	tracefs_names systems = {}, names = {};
	char path[PATH_MAX];

	if (!tracefs__find(path) || tracefs__list(&systems, NULL, NULL, NULL))
		return;
	for (size_t i = 0; i < systems.nr; i++) {
		if (!tracefs__list(&names, systems.v[i], NULL, NULL))
			for (size_t k = 0; k < names.nr; k++)
				*vec__push(out) = xasprintf("%s:%s", systems.v[i], names.v[k]);
		tracefs_names__free(&names);
	}
	tracefs_names__free(&systems);
}

void all_events__list(all_events *out)
{
	const char *known;

	for (size_t i = 0; (known = event_name__at(i)); i++)
		*vec__push(out) = xstrdup(known);
	add_pmus(out);
	add_tracepoints(out);
}

void all_events__free(all_events *names)
{
	for (size_t i = 0; i < names->nr; i++)
		free(names->v[i]);
	vec__free(names);
}
