// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <linux/hw_breakpoint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event-names.h"
#include "similar-events.h"
#include "parse-events.h"
#include "pmu.h"
#include "tracefs.h"

static bool is_modifier_list(const char *s, size_t len)
{
	return len && strspn(s, "ukhGHpPISDeWRbX") >= len;
}

static int apply_modifiers(struct event_spec *spec, const char *mod, size_t len)
{
	struct perf_event_attr *attr = &spec->attr;
	bool user = false, kernel = false, hv = false, guest = false, host = false;
	u32 precise = 0;

	for (size_t i = 0; i < len; i++) {
		switch (mod[i]) {
		case 'u': user = true; break;
		case 'k': kernel = true; break;
		case 'h': hv = true; break;
		case 'G': guest = true; break;
		case 'H': host = true; break;
		case 'I': attr->exclude_idle = 1; break;
		case 'S': spec->sample_read = true; break;
		case 'D': attr->pinned = 1; break;
		case 'e': attr->exclusive = 1; break;
		case 'p': precise++; break;
		case 'P': spec->max_precise = true; break;
		case 'W': spec->weak = true; break;
		case 'R': spec->retire_lat = true; break;
		}
	}
	if (precise > 3)
		return -EINVAL;
	attr->precise_ip = spec->max_precise ? 3 : precise;
	if (user || kernel || hv) {
		spec->modes_given = true;
		attr->exclude_user = !user;
		attr->exclude_kernel = !kernel;
		attr->exclude_hv = !hv;
	}
	attr->exclude_guest = !guest;
	attr->exclude_host = guest && !host;
	return 0;
}

/* @name: the name of the event, unless a name term sets another one. */
static int add_spec(struct event_list *list, const char *name, const struct event_spec *parsed,
		    const char *mod, size_t mod_len, struct error *err)
{
	struct event_spec *spec = vec__push(&list->specs);
	char *all = xasprintf("%.*s%s", (int)mod_len, mod, list->group_modifiers ?: "");
	u32 nr = list->specs.nr - 1;
	int ret = 0;

	*spec = *parsed;
	spec->attr.size = sizeof(spec->attr);
	spec->leader = list->in_group ? min_of(list->group_leader, nr) : nr;
	list->specs.v[spec->leader].has_members |= spec->leader != nr;
	spec->terms.name = NULL;
	if (parsed->terms.name)
		spec->name = xstrdup(parsed->terms.name);
	else
		spec->name = mod_len ? xasprintf("%s:%.*s", name, (int)mod_len, mod) :
				       xstrdup(name);
	if (apply_modifiers(spec, all, strlen(all)))
		ret = error__set(err, -EINVAL, "event '%s': more than three p modifiers",
				 spec->name);
	free(all);
	return ret;
}

/* Settings of all tracepoints that match a name. */
struct tracepoint_like {
	const struct event_spec *spec; /* changed by terms */
	const char *mod;
	size_t mod_len;
};

static int add_tracepoint(struct event_list *list, const char *system, const char *name,
			  const struct tracepoint_like *like, struct error *err)
{
	struct event_spec spec = *like->spec;
	char *full;
	u64 id;
	int ret = tracefs__event_id(system, name, &id, err);

	if (ret)
		return ret;
	spec.attr.type = PERF_TYPE_TRACEPOINT;
	spec.attr.config = id;
	spec.tp_system = xstrdup(system);
	spec.tp_name = xstrdup(name);
	full = xasprintf("%s:%s", system, name);
	ret = add_spec(list, full, &spec, like->mod, like->mod_len, err);
	free(full);
	return ret;
}

static int hint_tracepoint(const char *system, const char *name, struct error *err)
{
	char near[256];
	int ret;

	similar__tracepoint(system, name, near, sizeof(near));
	ret = error__set(err, -EINVAL, "no tracepoint matches '%s:%s'%s", system, name, near);
	if (!*near)
		error__hint(err, "/sys/kernel/tracing/events has a directory for each of them.");
	return ret;
}

/* system:name, where both may be shell patterns. */
static int add_tracepoints(struct event_list *list, const char *system, const char *name,
			   const struct tracepoint_like *like, struct error *err)
{
	tracefs_names systems = {}, names = {};
	size_t added = 0;
	int ret = tracefs__list(&systems, NULL, system, err);

	for (size_t i = 0; !ret && i < systems.nr; i++) {
		ret = tracefs__list(&names, systems.v[i], name, err);
		for (size_t k = 0; !ret && k < names.nr; k++, added++)
			ret = add_tracepoint(list, systems.v[i], names.v[k], like, err);
		tracefs_names__free(&names);
	}
	tracefs_names__free(&systems);
	if (!ret && !added)
		ret = hint_tracepoint(system, name, err);
	return ret;
}

/* rNNN: a raw event code in hexadecimal. */
static bool parse_raw(const char *name, struct perf_event_attr *attr)
{
	char *end;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return false;
	errno = 0;
	attr->type = PERF_TYPE_RAW;
	attr->config = strtoull(name + 1, &end, 16);
	return !*end && !errno && strlen(name + 1) <= 16;
}

static int unknown_event(const char *name, struct error *err)
{
	char near[256];
	int ret;

	similar__event(name, near, sizeof(near));
	ret = error__set(err, -EINVAL, "unknown event '%s'%s", name, near);
	if (!*near)
		error__hint(err, "An event is a hardware or software event (cycles, cpu-clock, "
			    "page-faults), a cache event (L1-dcache-load-misses), a raw code "
			    "(r1a8) or a tracepoint (sched:sched_switch). 'perf list' lists "
			    "those of this machine.");
	return ret;
}

static int bad_modifier(const char *event, const char *mod, struct error *err)
{
	return error__set(err, -EINVAL, "event '%s': unknown modifier in '%s' (known: "
			  "u k h G H p P I S D e W R b X)", event, mod);
}

/* system:name/terms/: these two may be patterns. */
static int parse_tracepoint_terms(struct event_list *list, char *text, char *terms, const char *mod,
				  struct error *err)
{
	struct event_spec spec = {};
	const struct tracepoint_like like = { &spec, mod, strlen(mod) };
	int ret = event__parse_terms(text, terms, &spec.attr, &spec.terms, err);
	char *colon = strchr(text, ':');

	*colon = 0;
	if (!ret)
		ret = add_tracepoints(list, text, colon + 1, &like, err);
	free(spec.terms.name);
	return ret;
}

static int parse_event_terms(struct event_list *list, char *text, char *terms, const char *mod,
			     struct error *err)
{
	struct event_spec spec = {};
	char *name;
	int ret;

	if (event_name__parse(text, &spec.attr))
		ret = event__parse_terms(text, terms, &spec.attr, &spec.terms, err);
	else
		ret = pmu__parse(PMU_DIR, text, terms, &spec.attr, &spec.terms, err);
	name = xasprintf("%s/%s/", text, terms);
	if (!ret)
		ret = add_spec(list, name, &spec, mod, strlen(mod), err);
	free(name);
	free(spec.terms.name);
	return ret;
}

/* event/terms/modifiers; upstream has a colon before these, or none. */
static int parse_with_terms(struct event_list *list, char *text, struct error *err)
{
	char *slash = strchr(text, '/'), *end = strchr(slash + 1, '/'), *mod;

	if (!end)
		return error__set(err, -EINVAL, "event '%s': the closing slash is missing", text);
	mod = end + 1 + (end[1] == ':');
	if (*mod && !is_modifier_list(mod, strlen(mod)))
		return bad_modifier(text, mod, err);
	*end = 0;
	*slash = 0;
	if (strchr(text, ':'))
		return parse_tracepoint_terms(list, text, slash + 1, mod, err);
	return parse_event_terms(list, text, slash + 1, mod, err);
}

/* mem:ADDRESS[/LENGTH][:ACCESS][:modifiers], a breakpoint of the hardware. */
static int parse_breakpoint(struct event_list *list, char *text, struct error *err)
{
	struct event_spec spec = { .attr.type = PERF_TYPE_BREAKPOINT };
	const char *mod = "";
	u32 access = 0;
	char *end;

	errno = 0;
	spec.attr.bp_addr = strtoull(text + 4, &end, 0);
	if (end != text + 4 && *end == '/')
		spec.attr.bp_len = strtoull(end + 1, &end, 0);
	if (*end == ':' && end[1] && strchr("rwx", end[1]))
		for (end++; *end && strchr("rwx", *end); end++)
			access |= *end == 'r' ? HW_BREAKPOINT_R :
				  *end == 'w' ? HW_BREAKPOINT_W : HW_BREAKPOINT_X;
	if (*end == ':' && is_modifier_list(end + 1, strlen(end + 1))) {
		mod = end + 1;
		*end = 0;
	}
	if (errno || *end || end == text + 4)
		return error__set(err, -EINVAL, "event '%s': a breakpoint must have the form "
				  "mem:ADDRESS[/LENGTH][:r|w|x|rw]", text);
	spec.attr.bp_type = access ?: HW_BREAKPOINT_RW;
	if (!spec.attr.bp_len)
		spec.attr.bp_len = access == HW_BREAKPOINT_X ? sizeof(long) : HW_BREAKPOINT_LEN_4;
	spec.attr.sample_period = 1;
	return add_spec(list, text, &spec, mod, strlen(mod), err);
}

/*
 * One event. "a:b" is a tracepoint unless a is the name of an event and b a list of modifiers.
 */
static int parse_one(struct event_list *list, char *text, struct error *err)
{
	char *colon = strchr(text, ':'), *second;
	struct event_spec spec = {};
	const char *mod = colon ? colon + 1 : "";
	size_t mod_len = strlen(mod);

	list->last = list->specs.nr;
	if (!strncmp(text, "mem:", 4))
		return parse_breakpoint(list, text, err);
	if (strchr(text, '/'))
		return parse_with_terms(list, text, err);
	if (colon)
		*colon = 0;
	if (event_name__parse(text, &spec.attr) || parse_raw(text, &spec.attr)) {
		if (mod_len && !is_modifier_list(mod, mod_len))
			return bad_modifier(text, mod, err);
		return add_spec(list, text, &spec, mod, mod_len, err);
	}
	if (!colon || !mod_len)
		return unknown_event(text, err);
	second = strchr(colon + 1, ':');
	if (second) {
		*second = 0;
		mod = second + 1;
		mod_len = strlen(mod);
		if (!is_modifier_list(mod, mod_len))
			return bad_modifier(colon + 1, mod, err);
	} else {
		mod_len = 0;
		if (is_modifier_list(colon + 1, strlen(colon + 1)) && similar__is_close(text))
			return unknown_event(text, err);
	}
	return add_tracepoints(list, text, colon + 1,
			       &(struct tracepoint_like){ &spec, mod, mod_len }, err);
}

/* As strsep(next, ","), but ignores commas inside braces and between the slashes of terms. */
static char *next_item(char **next)
{
	char *item = *next, *p;
	bool terms = false, group = false;

	for (p = item; p && *p && (*p != ',' || terms || group); p++) {
		terms ^= *p == '/' && strncmp(item, "mem:", 4);
		group = *p == '{' || (group && *p != '}');
	}
	if (p)
		*next = *p ? p + 1 : NULL;
	if (p)
		*p = 0;
	return item;
}

static int parse_items(struct event_list *list, char *text, struct error *err);

/* {a,b}:modifiers, the modifiers being those of every member. */
static int parse_group(struct event_list *list, char *text, struct error *err)
{
	char *end = strchr(text, '}'), *mod = end ? end + 1 : NULL;
	size_t first = list->specs.nr;
	int ret;

	if (!end || list->in_group || end == text + 1)
		return error__set(err, -EINVAL, "'%s' is not a valid group of events; one looks "
				  "like {a,b}", text);
	if (*mod && (*mod != ':' || !is_modifier_list(mod + 1, strlen(mod + 1))))
		return bad_modifier(text, mod, err);
	*end = 0;
	list->in_group = true;
	list->group_leader = first;
	list->group_modifiers = *mod ? mod + 1 : NULL;
	ret = parse_items(list, text + 1, err);
	list->in_group = false;
	list->group_modifiers = NULL;
	list->last = first;
	return ret;
}

static int parse_items(struct event_list *list, char *text, struct error *err)
{
	char *next = text, *one;
	int ret = 0;

	while (!ret && (one = next_item(&next))) {
		if (*one == '{')
			ret = parse_group(list, one, err);
		else if (*one)
			ret = parse_one(list, one, err);
		else
			ret = error__set(err, -EINVAL, "the list of events has an empty name");
	}
	return ret;
}

int event_list__parse(struct event_list *list, const char *text, struct error *err)
{
	char *copy = xstrdup(text);
	int ret;

	if (*text)
		ret = parse_items(list, copy, err);
	else
		ret = error__set(err, -EINVAL, "-e needs the name of an event");
	free(copy);
	return ret;
}

int event_list__add_filter(struct event_list *list, const char *filter, struct error *err)
{
	bool none = list->last >= list->specs.nr;

	for (size_t i = list->last; i < list->specs.nr; i++)
		none |= !list->specs.v[i].tp_name;
	if (none)
		return error__set(err, -EINVAL, "--filter and --exclude-perf must follow the "
				  "tracepoint that they apply to (-e)");
	for (size_t i = list->last; i < list->specs.nr; i++) {
		struct event_spec *spec = &list->specs.v[i];
		char *old = spec->filter;

		spec->filter = old ? xasprintf("(%s) && (%s)", old, filter) : xstrdup(filter);
		free(old);
	}
	return 0;
}

static void set_cgroup(struct event_spec *spec, const char *name)
{
	free(spec->cgroup);
	spec->cgroup = xstrdup(name);
}

int event_list__set_cgroups(struct event_list *list, const char *names, struct error *err)
{
	char *copy = xstrdup(names), *next = copy, *name;
	size_t nr = 0;

	while ((name = strsep(&next, ",")) && nr < list->specs.nr) {
		if (*name)
			set_cgroup(&list->specs.v[nr], name);
		nr++;
	}
	for (size_t i = 1; nr == 1 && !name && i < list->specs.nr; i++)
		set_cgroup(&list->specs.v[i], names);
	free(copy);
	if (!name)
		return 0;
	return error__set(err, -EINVAL, "-G %s: each cgroup must follow the event that it applies "
			  "to (-e)", names);
}

void event_list__group(struct event_list *list)
{
	for (size_t i = 0; i < list->specs.nr; i++) {
		list->specs.v[i].leader = 0;
		list->specs.v[i].has_members = !i && list->specs.nr > 1;
	}
}

void event_list__free(struct event_list *list)
{
	for (size_t i = 0; i < list->specs.nr; i++) {
		free(list->specs.v[i].name);
		free(list->specs.v[i].given);
		free(list->specs.v[i].tp_system);
		free(list->specs.v[i].tp_name);
		free(list->specs.v[i].filter);
		free(list->specs.v[i].cgroup);
	}
	vec__free(&list->specs);
}

/* The modifiers u, k and h of @attr; empty when it counts everything. */
static void mode_letters(const struct event_spec *spec, char buf[4])
{
	const struct perf_event_attr *attr = &spec->attr;

	*buf = 0;
	if (!spec->modes_given)
		return;
	snprintf(buf, 4, "%s%s%s", attr->exclude_user ? "" : "u", attr->exclude_kernel ? "" : "k",
		 attr->exclude_hv ? "" : "h");
}

/* Takes @name over. */
static void rename_spec(struct event_spec *spec, char *name)
{
	if (spec->given)
		free(spec->name);
	else
		spec->given = spec->name;
	spec->name = name;
}

bool event_spec__is_called(const struct event_spec *spec, const char *name)
{
	return !strcmp(spec->name, name) || (spec->given && !strcmp(spec->given, name));
}

bool event_spec__use_clock(struct event_spec *spec)
{
	char modes[4];

	if (spec->attr.type != PERF_TYPE_HARDWARE ||
	    spec->attr.config != PERF_COUNT_HW_CPU_CYCLES)
		return false;
	spec->attr.type = PERF_TYPE_SOFTWARE;
	spec->attr.config = PERF_COUNT_SW_CPU_CLOCK;
	spec->attr.precise_ip = 0;
	spec->max_precise = false;
	mode_letters(spec, modes);
	rename_spec(spec, xasprintf("cpu-clock%s%s", *modes ? ":" : "", modes));
	return true;
}

bool event_spec__is_clock(const struct event_spec *spec)
{
	return spec->attr.type == PERF_TYPE_SOFTWARE &&
	       (spec->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		spec->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

void event_spec__exclude_kernel(struct event_spec *spec)
{
	char *colon = strrchr(spec->name, ':');
	const char *sep = ":";

	if (!spec->tp_name && colon)
		sep = "";
	else if (spec->tp_name && colon && colon != strchr(spec->name, ':'))
		sep = "";
	rename_spec(spec, xasprintf("%s%su", spec->name, sep));
	spec->attr.exclude_kernel = 1;
	spec->attr.exclude_hv = 1;
	spec->modes_given = true;
}
