// SPDX-License-Identifier: GPL-2.0-only
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../io/procfile.h"
#include "all-events.h"
#include "event-names.h"
#include "pmu.h"
#include "tracefs.h"

/* Takes @name and @terms. */
static struct listed_event *add(all_events *out, enum event_kind kind, const char *unit,
				char *name, char *terms)
{
	struct listed_event *e = vec__push(out);

	*e = (struct listed_event){
		.kind = kind, .name = name, .unit = xstrdup(unit), .terms = terms,
	};
	return e;
}

static int by_name(const void *va, const void *vb)
{
	const struct listed_event *a = va, *b = vb;

	return strcmp(a->name, b->name);
}

/* Sorts what was added from @first on. */
static void sort_from(all_events *out, size_t first)
{
	if (out->nr > first)
		qsort(out->v + first, out->nr - first, sizeof(*out->v), by_name);
}

static char *config_terms(u64 config)
{
	return xasprintf(config < 10 ? "config=%llu" : "config=%#llx", (unsigned long long)config);
}

static void add_fixed(all_events *out, u32 type)
{
	bool hardware = type == PERF_TYPE_HARDWARE;
	const struct event_name *n;
	size_t first = out->nr;

	for (size_t i = 0; (n = event_name__at(i)); i++)
		if (n->type == type)
			add(out, hardware ? EVENT_HARDWARE : EVENT_SOFTWARE,
			    hardware ? "hardware" : "software", xstrdup(n->name),
			    config_terms(n->config))->counts = n->counts;
	sort_from(out, first);
}

static void add_caches(all_events *out)
{
	struct perf_event_attr attr = {};
	char name[CACHE_EVENT_NAME_MAX];
	size_t first = out->nr;

	for (size_t i = 0; event_name__cache_at(i, name); i++)
		if (event_name__parse(name, &attr))
			add(out, EVENT_CACHE, "cache", xstrdup(name), config_terms(attr.config));
	sort_from(out, first);
}

/* Opens a folder of a PMU. */
static DIR *open_folder(const char *pmu, const char *folder)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), PMU_DIR "/%s/%s", pmu, folder);
	return opendir(path);
}

/* The first line of a file of a PMU. Returns NULL when it cannot be read. */
static char *read_line(const char *pmu, const char *folder, const char *name)
{
	char path[PATH_MAX], *text;
	size_t len;

	snprintf(path, sizeof(path), PMU_DIR "/%s/%s/%s", pmu, folder, name);
	if (procfile__read(path, &text, &len))
		return NULL;
	text[strcspn(text, "\n")] = '\0';
	return text;
}

/* Files such as "NAME.scale" and "NAME.unit" are attributes of NAME. */
static void add_aliases(all_events *out, const char *pmu)
{
	DIR *d = open_folder(pmu, "events");
	struct dirent *de;

	while (d && (de = readdir(d)))
		if (!strchr(de->d_name, '.'))
			add(out, EVENT_PMU, pmu, xasprintf("%s/%s/", pmu, de->d_name),
			    read_line(pmu, "events", de->d_name));
	if (d)
		closedir(d);
}

/* How events of a PMU are made of terms. */
static void add_raw(all_events *out, const char *pmu)
{
	DIR *d = open_folder(pmu, "format");
	char *name = xasprintf("%s/", pmu), *longer;
	const char *comma = "";
	struct dirent *de;

	while (d && (de = readdir(d))) {
		if (strchr(de->d_name, '.'))
			continue;
		longer = xasprintf("%s%s%s=...", name, comma, de->d_name);
		free(name);
		name = longer;
		comma = ",";
	}
	if (d)
		closedir(d);
	longer = xasprintf("%s/modifier", name);
	free(name);
	add(out, EVENT_RAW, pmu, longer, NULL);
}

static void each_pmu(all_events *out, void (*visit)(all_events *out, const char *pmu))
{
	DIR *d = opendir(PMU_DIR);
	size_t first = out->nr;
	struct dirent *de;

	while (d && (de = readdir(d)))
		if (de->d_name[0] != '.')
			visit(out, de->d_name);
	if (d)
		closedir(d);
	sort_from(out, first);
}

static void add_tracepoints(all_events *out)
{
	tracefs_names systems = {}, names = {};
	size_t first = out->nr;
	char path[PATH_MAX];

	if (!tracefs__find(path) || tracefs__list(&systems, NULL, NULL, NULL))
		return;
	for (size_t i = 0; i < systems.nr; i++) {
		if (!tracefs__list(&names, systems.v[i], NULL, NULL))
			for (size_t k = 0; k < names.nr; k++)
				add(out, EVENT_TRACEPOINT, "tracepoint",
				    xasprintf("%s:%s", systems.v[i], names.v[k]), NULL);
		tracefs_names__free(&names);
	}
	tracefs_names__free(&systems);
	sort_from(out, first);
}

void all_events__list(all_events *out)
{
	add_fixed(out, PERF_TYPE_HARDWARE);
	add_caches(out);
	add_fixed(out, PERF_TYPE_SOFTWARE);
	each_pmu(out, add_aliases);
	add_tracepoints(out);
	each_pmu(out, add_raw);
	add(out, EVENT_BREAKPOINT, "breakpoint", xstrdup("mem:<addr>[/len][:access]"), NULL);
}

void all_events__free(all_events *events)
{
	for (size_t i = 0; i < events->nr; i++) {
		free(events->v[i].name);
		free(events->v[i].unit);
		free(events->v[i].terms);
	}
	vec__free(events);
}
