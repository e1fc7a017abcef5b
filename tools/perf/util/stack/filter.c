// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../activity/activity.h"
#include "../io/named-file.h"
#include "../sample/user-stack.h"
#include "filter.h"

#define CPU_MAX (1U << 20) /* far beyond any machine; bounds the bitmap */

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

bool name_list__has(const struct name_list *l, const char *name)
{
	return bsearch(&name, l->names.v, l->names.nr, sizeof(*l->names.v),
		      compare_names);
}

static void push_name(struct name_list *l, const char *s, size_t len)
{
	char *copy;

	if (!len)
		return;
	copy = xmemdup(s, len + 1);
	copy[len] = '\0';
	*vec__push(&l->names) = copy;
}

static int add_names_of_file(struct name_list *l, const char *path, struct error *err)
{
	int fd = named_file__open(path, O_RDONLY);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (!f)
		return error__set(err, fd, "cannot open the list '%s': %s", path, strerror(-fd));
	while ((n = getline(&line, &room, f)) > 0) {
		if (line[n - 1] == '\n')
			line[--n] = '\0';
		push_name(l, line, n);
	}
	free(line);
	fclose(f);
	return 0;
}

int name_list__add(struct name_list *l, const char *arg, struct error *err)
{
	int ret = 0;

	if (!strncmp(arg, "file://", 7)) {
		ret = add_names_of_file(l, arg + 7, err);
	} else {
		for (const char *p = arg; *p;) {
			size_t n = strcspn(p, ",");

			push_name(l, p, n);
			p += n + (p[n] == ',');
		}
	}
	if (!ret && !l->names.nr)
		ret = error__set(err, -EINVAL, "the list '%s' is empty", arg);
	if (l->names.nr)
		qsort(l->names.v, l->names.nr, sizeof(*l->names.v), compare_names);
	return ret;
}

static bool parse_number(const char **s, u32 *out)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)**s))
		return false;
	errno = 0;
	v = strtoul(*s, &end, 10);
	if (errno || v > UINT32_MAX)
		return false;
	*s = end;
	*out = v;
	return true;
}

int number_list__add(struct number_list *l, const char *arg, struct error *err)
{
	const char *p = arg;

	do {
		u32 v;

		if (!parse_number(&p, &v) || (*p && *p != ','))
			return error__set(err, -EINVAL, "'%s' is not a list of numbers", arg);
		*vec__push(&l->v) = v;
	} while (*p++);
	return 0;
}

static bool number_list__has(const struct number_list *l, u32 v)
{
	for (size_t i = 0; i < l->v.nr; i++)
		if (l->v.v[i] == v)
			return true;
	return false;
}

static void cpu_set__set(struct cpu_set *set, u32 cpu)
{
	if (cpu >= set->nr) {
		u32 nr = align_up(cpu + 1, 64);

		set->bits = xrealloc(set->bits, nr / 8);
		memset(set->bits + set->nr / 64, 0, (nr - set->nr) / 8);
		set->nr = nr;
	}
	set->bits[cpu / 64] |= BIT_ULL(cpu % 64);
}

int cpu_set__add(struct cpu_set *set, const char *arg, struct error *err)
{
	const char *p = arg;

	do {
		u32 from, to;

		if (!parse_number(&p, &from))
			goto bad;
		to = from;
		if (*p == '-' && (p++, !parse_number(&p, &to)))
			goto bad;
		if ((*p && *p != ',') || to < from || to >= CPU_MAX)
			goto bad;
		for (u32 cpu = from; cpu <= to; cpu++)
			cpu_set__set(set, cpu);
	} while (*p++);
	return 0;
bad:
	return error__set(err, -EINVAL, "'%s' is not a list of CPUs like 0,2-4", arg);
}

void cpu_set__free(struct cpu_set *set)
{
	zfree(&set->bits);
	set->nr = 0;
}

static int need_cpus(const struct recording *rec, struct error *err)
{
	for (size_t i = 0; i < rec->events.nr; i++) {
		const struct evsel *ev = rec->events.v[i];

		if (ev->attr.sample_type & PERF_SAMPLE_CPU)
			continue;
		error__set(err, -EINVAL, "the samples of event '%s' have no CPU, so --cpu (-C) "
			   "cannot select any", ev->name);
		error__hint(err, "Hint: record with --sample-cpu, -a or -C");
		return -EINVAL;
	}
	return 0;
}

/* Of a pipe, events may come later. */
static bool has_event(const struct recording *rec, const char *name, struct error *err)
{
	for (size_t i = 0; i < rec->events.nr; i++)
		if (!strcmp(rec->events.v[i]->name, name))
			return true;
	if (rec->events.nr)
		error__set(err, -EINVAL, "the recording has no event '%s'; 'perf evlist' lists its "
			   "events", name);
	return !rec->events.nr;
}

int filter__make(struct sample_filter *f, const struct filter_args *args,
		 const struct recording *rec, struct error *err)
{
	if (args->whole_only && args->cut_only)
		return error__set(err, -EINVAL, "--whole-only and --cut-only together leave "
				  "nothing");
	if ((args->events.on && !has_event(rec, args->events.on, err)) ||
	    (args->events.off && !has_event(rec, args->events.off, err)))
		return -EINVAL;
	f->events = args->events;
	f->events.is_off = args->events.on != NULL;
	f->whole_only = args->whole_only;
	f->cut_only = args->cut_only;
	if ((args->comms && name_list__add(&f->comms, args->comms, err)) ||
	    (args->dsos && name_list__add(&f->dsos, args->dsos, err)) ||
	    (args->syms && name_list__add(&f->syms, args->syms, err)) ||
	    (args->pids && number_list__add(&f->pids, args->pids, err)) ||
	    (args->tids && number_list__add(&f->tids, args->tids, err)) ||
	    (args->activities && name_list__add(&f->activities, args->activities, err)) ||
	    (args->cpus && (cpu_set__add(&f->cpus, args->cpus, err) || need_cpus(rec, err))) ||
	    (args->time && time_ranges__parse(&f->times, args->time, rec->first_sample_time,
					      rec->last_sample_time, err)))
		return -EINVAL;
	return 0;
}

void name_list__free(struct name_list *l)
{
	for (size_t i = 0; i < l->names.nr; i++)
		free(l->names.v[i]);
	vec__free(&l->names);
}

void filter__free(struct sample_filter *f)
{
	name_list__free(&f->comms);
	name_list__free(&f->dsos);
	name_list__free(&f->syms);
	name_list__free(&f->activities);
	vec__free(&f->pids.v);
	vec__free(&f->tids.v);
	cpu_set__free(&f->cpus);
}

static bool has_activity(const struct name_list *ids, const struct sample *s)
{
	struct activity a;

	if (!activity__of_sample(&a, s))
		return false;
	for (size_t i = 0; i < ids->names.nr; i++)
		if (activity__is(&a, ids->names.v[i]))
			return true;
	return false;
}

bool filter__is_on(struct sample_filter *f, const struct evsel *ev)
{
	struct between_events *e = &f->events;
	const char *next = e->is_off ? e->on : e->off;

	if (!next || strcmp(next, ev->name))
		return !e->is_off;
	e->is_off = !e->is_off;
	return e->shows;
}

bool filter__in_scope(const struct sample_filter *f, const struct sample *s)
{
	if (!time_ranges__hold(&f->times, s->time))
		return false;
	if (f->activities.names.nr && !has_activity(&f->activities, s))
		return false;
	return cpu_set__has(&f->cpus, s->cpu);
}

bool filter__wants_stack(const struct sample_filter *f, const struct whole_sample *ws)
{
	if (!f->whole_only && !f->cut_only)
		return true;
	return user_stack__is_complete(ws) == f->whole_only;
}

bool filter__passes_place(const struct sample_filter *f, const struct dso *dso,
			  const struct symbol *sym)
{
	if (f->dsos.names.nr && (!dso || (!name_list__has(&f->dsos, dso->short_name) &&
					  !name_list__has(&f->dsos, dso->name))))
		return false;
	return !f->syms.names.nr || (sym && name_list__has(&f->syms, sym->name));
}

bool filter__passes(const struct sample_filter *f, const struct thread *t,
		    const struct location *loc)
{
	if (f->comms.names.nr && !name_list__has(&f->comms, t->comm))
		return false;
	if (f->pids.v.nr && !number_list__has(&f->pids, t->pid))
		return false;
	if (f->tids.v.nr && !number_list__has(&f->tids, t->tid))
		return false;
	return filter__passes_place(f, loc ? loc->dso : NULL, loc ? loc->sym : NULL);
}
