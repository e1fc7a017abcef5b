// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <internal/evlist.h>
#include <internal/threadmap.h>
#include <perf/cpumap.h>
#include <perf/threadmap.h>

#include "../base/log.h"
#include "../data/sample-splice.h"
#include "../data/side-data.h"
#include "cgroup.h"
#include "event-set.h"
#include "probe.h"
#include "open-error.h"

#define OPEN_TRIES 20 /* threads may start and end meanwhile */

/* What is passed along while the set is opened. */
struct opening {
	struct event_set *set;
	const struct event_set_opts *opts;
	struct permissions perm;
	struct perf_cpu_map *cpus;
	struct perf_thread_map *threads;
	bool late; /* on these CPUs only */
};

/*
 * Many threads times CPUs times events need more descriptors than the usual 1024, and every binary
 * that is mapped stays open.
 */
static void raise_descriptor_limit(void)
{
	struct rlimit lim;

	if (getrlimit(RLIMIT_NOFILE, &lim) || lim.rlim_cur == lim.rlim_max)
		return;
	lim.rlim_cur = lim.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &lim))
		pr_debug("cannot raise the limit of open files: %s\n", strerror(errno));
}

static int make_cpu_map(struct opening *o, struct error *err)
{
	const struct target *t = o->opts->target;
	struct perf_cpu_map *online = perf_cpu_map__new_online_cpus();
	struct perf_cpu cpu;
	int i, ret = 0;

	if (!online)
		return error__set(err, -ENOMEM, "cannot find out which CPUs are online");
	if (t->per_thread) {
		perf_cpu_map__put(online);
		o->cpus = perf_cpu_map__new_any_cpu();
		return o->cpus ? 0 : error__set(err, -ENOMEM, "no memory for events");
	}
	if (!t->has_cpus) {
		o->cpus = online;
		return 0;
	}
	o->cpus = perf_cpu_map__new(t->cpu_list);
	if (!o->cpus || perf_cpu_map__has_any_cpu_or_is_empty(o->cpus))
		ret = error__set(err, -EINVAL, "'%s' is not a list of CPUs like 0,2-3",
				 t->cpu_list);
	else
		perf_cpu_map__for_each_cpu(cpu, i, o->cpus)
			if (!ret && !perf_cpu_map__has(online, cpu))
				ret = error__set(err, -ENODEV, "CPU %d is not online (online: up "
						 "to %d)", cpu.cpu,
						 perf_cpu_map__max(online).cpu);
	perf_cpu_map__put(online);
	return ret;
}

static int make_thread_map(struct opening *o, struct error *err)
{
	const struct target *t = o->opts->target;
	id_vec tids = {};
	int ret;

	if (t->system_wide || t->has_cpus) {
		o->threads = perf_thread_map__new_dummy();
		return o->threads ? 0 : error__set(err, -ENOMEM, "no memory for events");
	}
	ret = target__threads(t, &tids, err);
	if (!ret) {
		o->threads = perf_thread_map__new_array(tids.nr, (pid_t *)tids.v);
		if (!o->threads)
			ret = error__set(err, -ENOMEM, "no memory for %zu threads", tids.nr);
	}
	vec__free(&tids);
	return ret;
}

/* That event has records of other tasks, too, so it takes permission to see every task. */
static bool wants_output_apart(const struct opening *o)
{
	const struct target *t = o->opts->target;

	return o->opts->sampling->stack == USER_STACK_DEFER && !t->system_wide && !t->has_cpus &&
	       !t->per_thread && probe__every_task();
}

static struct event_spec *add_dummy(struct event_list *list, bool every_cpu)
{
	struct event_spec *spec = vec__push(&list->specs);

	*spec = (struct event_spec){ .name = xstrdup("dummy"), .is_dummy = true,
				      .leader = list->specs.nr - 1,
				      .every_cpu = every_cpu };
	return spec;
}

static void add_side(const struct sampling *s, struct event_list *list)
{
	struct event_spec *spec = add_dummy(list, true);

	spec->is_side = true;
	sampling__configure_side(s, spec);
}

/* Events of a control group have no side-band records of a task before it enters the group. */
static bool has_cgroups(const struct event_list *list)
{
	for (size_t i = 0; i < list->specs.nr; i++)
		if (list->specs.v[i].cgroup)
			return true;
	return false;
}

/*
 * Whether children cannot be followed, because events read their group and the kernel is too old.
 */
static bool leaves_threads_unread(const struct opening *o)
{
	const struct target *t = o->opts->target;

	if (o->opts->sampling->inherit_read || o->opts->sampling->no_inherit || t->system_wide ||
	    t->has_cpus || t->per_thread)
		return false;
	for (size_t i = 0; i < o->set->list->specs.nr; i++)
		if (o->set->list->specs.v[i].sample_read)
			return true;
	return false;
}

/* The BPF program brings what the kernel would copy. */
static void leave_to_program(struct event_set *set, size_t i)
{
	struct event_spec *spec = &set->list->specs.v[i];

	spec->is_walked = event_set__takes_side(set, i) && attr__has_copy(&spec->attr);
	if (spec->is_walked)
		attr__without_copy(&spec->attr);
}

static void configure(struct opening *o)
{
	const struct event_set_opts *opts = o->opts;
	struct event_list *list = o->set->list;
	struct sampling *s = opts->sampling;
	bool every_cpu = opts->target->has_cpus || has_cgroups(list) ||
			 (opts->target->system_wide && s->stack == USER_STACK_DEFER);
	bool dummy = every_cpu || s->track_apart;

	/* Copies are unwound with the mappings of their time: they must have times. */
	s->largest_copy = sampling__largest_copy(s, list);
	s->no_time = opts->target->per_thread && !s->timestamp && !s->overwrite &&
		     (!s->largest_copy || s->keep_copies);
	s->build_id = probe__build_id();
	s->count_lost = probe__lost();
	s->inherit_read = probe__inherit_read();
	o->set->threads_unread = leaves_threads_unread(o);
	s->weight_struct = s->weight && probe__weight_struct();
	s->output_apart = wants_output_apart(o);
	s->many = list->specs.nr + dummy + s->output_apart + s->side > 1;
	for (size_t i = 0; i < list->specs.nr; i++)
		sampling__configure(s, opts->target, &list->specs.v[i], !i && !dummy,
				    list->specs.v[i].leader == i);
	if (dummy)
		sampling__configure_dummy(s, opts->target, add_dummy(list, every_cpu));
	if (s->output_apart)
		sampling__configure_output(s, add_dummy(list, true));
	for (size_t i = 0; opts->clock_ns && i < list->specs.nr; i++)
		sampling__by_clock(&list->specs.v[i], opts->clock_ns, opts->clock_stack);
	o->set->foreign_chains = s->output_apart;
	o->set->side = s->side;
	o->set->side_data = s->side_data;
	if (s->side)
		add_side(s, list);
	for (size_t i = 0; s->walk && i < list->specs.nr; i++)
		leave_to_program(o->set, i);
}

static int make_evlist(struct opening *o, struct error *err)
{
	struct event_set *set = o->set;

	set->evlist = perf_evlist__new();
	if (!set->evlist)
		return error__set(err, -ENOMEM, "no memory for events");
	for (size_t i = 0; i < set->list->specs.nr; i++) {
		struct event_spec *spec = &set->list->specs.v[i];
		struct perf_evsel *evsel = perf_evsel__new(&spec->attr);

		if (!evsel)
			return error__set(err, -ENOMEM, "no memory for events");
		evsel->ignore_missing_thread = true;
		perf_evlist__add(set->evlist, evsel);
		*vec__push(&set->evsels) = evsel;
		evsel->leader = set->evsels.v[spec->leader];
		evsel->leader->nr_members += evsel->leader != evsel;
		if (spec->every_cpu && !o->late)
			perf_evlist__go_system_wide(set->evlist, evsel);
	}
	perf_evlist__set_maps(set->evlist, o->cpus, o->threads);
	return 0;
}

/* After a refusal: changes @spec to less, which may be permitted. Returns true to try again. */
static bool fall_back(struct opening *o, struct event_spec *spec, int code)
{
	struct perf_event_attr *attr = &spec->attr;

	switch (-code) {
	case EINVAL:
	case EOPNOTSUPP:
		if (spec->max_precise && attr->precise_ip) {
			attr->precise_ip--;
			return true;
		}
		if (code == -EINVAL)
			return false;
		/* fall through */
	case ENOENT:
	case ENODEV:
	case ENXIO:
		if (o->opts->no_fallback || !event_spec__use_clock(spec))
			return false;
		pr_debug("this machine has no event cycles: sampling %s instead\n",
			 spec->name);
		return true;
	case EACCES:
	case EPERM:
		/*
		 * Whatever permissions__read() says: in a container, the kernel may still refuse.
		 */
		if (attr->exclude_kernel || spec->modes_given || o->opts->target->system_wide ||
		    o->opts->target->has_cpus)
			return false;
		o->set->kernel_excluded = true;
		o->set->user_ns = o->perm.user_ns;
		event_spec__exclude_kernel(spec);
		return true;
	}
	return false;
}

static void show_attr(const struct event_spec *spec)
{
	const struct perf_event_attr *a = &spec->attr;
	u64 flags;

	memcpy(&flags, (const char *)a + 40, sizeof(flags));
	pr_debug2("%s: type %u, config %#" PRIx64 ", { sample_period, sample_freq } %" PRIu64
		  ", sample_type %#" PRIx64 ", read_format %#" PRIx64 ", flags %#" PRIx64
		  ", sample_regs_user %#" PRIx64 ", sample_stack_user %u\n", spec->name, a->type,
		  (u64)a->config, (u64)a->sample_period, (u64)a->sample_type, (u64)a->read_format,
		  flags, (u64)a->sample_regs_user, a->sample_stack_user);
}

static int open_one(struct opening *o, size_t i, struct error *err)
{
	struct event_spec *spec = &o->set->list->specs.v[i];
	struct perf_evsel *evsel = o->set->evsels.v[i];
	struct failed_open r = { .spec = spec, .target = o->opts->target };
	int ret;

	if (spec->cgroup) {
		evsel->cgroup_fd = cgroup__open(spec->cgroup, err);
		if (evsel->cgroup_fd < 0)
			return evsel->cgroup_fd;
	}
	for (;;) {
		/* Newer kernels require it before an ordinary user may have callchains. */
		if (spec->attr.exclude_kernel)
			spec->attr.exclude_callchain_kernel = 1;
		show_attr(spec);
		*perf_evsel__attr(evsel) = spec->attr;
		ret = perf_evsel__open(evsel, perf_evsel__cpus(evsel), perf_evsel__threads(evsel));
		if (!ret || !fall_back(o, spec, ret))
			break;
	}
	if (evsel->cgroup_fd >= 0)
		close(evsel->cgroup_fd);
	evsel->cgroup_fd = -1;
	if (!ret)
		return 0;
	r.code = ret;
	if (evsel->failed_thread >= 0)
		r.tid = max_of(perf_thread_map__pid(perf_evsel__threads(evsel),
						    evsel->failed_thread), 0);
	r.descriptors = o->set->list->specs.nr * o->set->nr_cpus * o->set->nr_threads;
	return open_error__explain(&r, &o->perm, err);
}

static int set_filter(struct opening *o, size_t i, struct error *err)
{
	struct event_spec *spec = &o->set->list->specs.v[i];
	int ret = spec->filter ? perf_evsel__apply_filter(o->set->evsels.v[i], spec->filter) : 0;

	if (!ret)
		return 0;
	error__set(err, ret, "the kernel rejects the filter '%s' of %s: "
		   "%s", spec->filter, spec->name,
		   strerror(-ret));
	error__hint(err, "/sys/kernel/tracing/events/%s/%s/format lists the fields.",
		    spec->tp_system, spec->tp_name);
	return ret;
}

static void forget_evlist(struct event_set *set)
{
	if (set->evlist)
		perf_evlist__delete(set->evlist);
	set->evlist = NULL;
	vec__free(&set->evsels);
}

static u64 nr_rings(const struct opening *o)
{
	u64 nr = o->opts->target->per_thread ? o->set->nr_threads : o->set->nr_cpus;

	/* Side-band records have rings of their own if the others are overwritten. */
	return max_of(o->opts->sampling->overwrite ? 2 * nr : nr, (u64)1);
}

static void choose_stack_size(struct opening *o)
{
	const struct ring_room room = {
		.given = (u64)o->opts->ring_pages * sysconf(_SC_PAGESIZE),
		.memory = memory_size(),
		.lockable = permissions__lockable(&o->perm),
	};

	sampling__choose_stack_size(o->opts->sampling, o->set->list, nr_rings(o), &room);
}

/* A weak group (W) that was refused becomes single events. */
static bool dissolve_weak(struct event_list *list, const struct event_spec *refused)
{
	u32 leader = refused->leader;
	const struct perf_event_attr first = list->specs.v[leader].attr;

	if (!refused->weak || refused->sample_read ||
	    (!refused->has_members && refused == &list->specs.v[leader]))
		return false;
	for (u32 i = 0; i < list->specs.nr; i++) {
		struct event_spec *spec = &list->specs.v[i];

		if (spec->leader != leader)
			continue;
		spec->leader = i;
		spec->has_members = spec->weak = false;
		spec->attr.disabled = first.disabled;
		spec->attr.enable_on_exec = first.enable_on_exec;
	}
	return true;
}

static int open_each(struct opening *o, struct error *err)
{
	struct event_set *set = o->set;
	int ret = make_evlist(o, err);

	for (size_t i = 0; !ret && i < set->list->specs.nr; i++) {
		ret = open_one(o, i, err) ?: set_filter(o, i, err);
		if (ret && dissolve_weak(set->list, &set->list->specs.v[i])) {
			forget_evlist(set);
			*err = (struct error){};
			return open_each(o, err);
		}
	}
	return ret;
}

/*
 * Counts the threads of the target that were not there when it was listed. One that was begun by a
 * thread whose events were open already has them, too; any other has none, and nothing tells which.
 */
static size_t nr_begun_meanwhile(const struct opening *o)
{
	const struct target *t = o->opts->target;
	struct error ignored = {};
	id_vec tids = {};
	size_t nr = 0;

	if (t->system_wide || t->has_cpus || o->opts->sampling->no_inherit)
		return 0;
	if (!target__threads(t, &tids, &ignored))
		for (size_t i = 0; i < tids.nr; i++)
			nr += perf_thread_map__idx(o->threads, tids.v[i]) < 0;
	vec__free(&tids);
	return nr;
}

/* Of @nr_begun threads it is not known whether they have the events. */
static int open_all(struct opening *o, size_t *nr_begun, struct error *err)
{
	struct event_set *set = o->set;
	int ret = make_thread_map(o, err);

	if (ret)
		return ret;
	set->nr_threads = perf_thread_map__nr(o->threads);
	raise_descriptor_limit();
	choose_stack_size(o);
	ret = open_each(o, err);
	*nr_begun = ret ? 0 : nr_begun_meanwhile(o);
	perf_thread_map__put(o->threads);
	o->threads = NULL;
	if (ret)
		forget_evlist(set);
	return ret;
}

static u32 default_pages(const struct opening *o)
{
	return sampling__ring_bytes(o->opts->sampling, o->set->list, nr_rings(o),
				    memory_size()) / sysconf(_SC_PAGESIZE);
}

static int map_rings(struct opening *o, struct error *err)
{
	struct event_set *set = o->set;
	/* Room for a single sample is better than none, if others use the locked memory. */
	u32 least = max_of(sampling__min_ring_pages(o->opts->sampling, set->list) / 2, 1u);
	bool chosen = o->opts->ring_pages;
	struct perf_mmap *map;
	int ret;

	set->ring_pages = chosen ? o->opts->ring_pages : default_pages(o);
	while ((ret = perf_evlist__mmap(set->evlist, set->ring_pages)) && !chosen &&
	       (ret == -EPERM || ret == -ENOMEM) && set->ring_pages > least)
		set->ring_pages /= 2;
	if (ret)
		return open_error__explain_mmap(ret, nr_rings(o),
						(u64)set->ring_pages * sysconf(_SC_PAGESIZE),
						&o->perm, err);
	perf_evlist__for_each_mmap(set->evlist, map, false)
		set->nr_rings++;
	perf_evlist__for_each_mmap(set->evlist, map, true)
		set->nr_rings++;
	pr_debug("%zu ring buffers of %u pages\n", set->nr_rings, set->ring_pages);
	if (o->opts->sampling->largest_copy)
		pr_debug("stack copies of at most %u bytes\n",
			 sampling__largest_copy(o->opts->sampling, set->list));
	return 0;
}

/* Opens the configured events. */
static int open_configured(struct opening *o, struct error *err)
{
	size_t nr_begun = 0;
	bool again = true;
	int ret = 0;

	for (int left = OPEN_TRIES; again; left--) {
		ret = open_all(o, &nr_begun, err);
		again = left > 1 && (ret == -ESRCH ? o->opts->target->pids.nr > 0 : nr_begun > 0);
		if (again)
			forget_evlist(o->set);
	}
	if (!ret && nr_begun)
		pr_warn("%zu thread%s began while perf attached to the target, and may not be "
			"recorded\n", nr_begun, nr_begun == 1 ? "" : "s");
	return ret ?: map_rings(o, err);
}

/* The same, where samples come from elsewhere. */
static int leave_closed(struct opening *o, struct error *err)
{
	int ret;

	raise_descriptor_limit();
	o->threads = perf_thread_map__new_dummy();
	ret = o->threads ? make_evlist(o, err) : error__set(err, -ENOMEM, "no memory for events");
	perf_thread_map__put(o->threads);
	o->threads = NULL;
	return ret;
}

int event_set__open(struct event_set *set, struct event_list *list,
		    const struct event_set_opts *opts, struct error *err)
{
	struct opening o = { .set = set, .opts = opts };
	int ret;

	*set = (struct event_set){ .list = list };
	permissions__read(&o.perm);
	ret = make_cpu_map(&o, err);
	if (!ret) {
		set->nr_cpus = perf_cpu_map__nr(o.cpus);
		configure(&o);
		ret = opts->clock_ns ? leave_closed(&o, err) : open_configured(&o, err);
	}
	perf_cpu_map__put(o.cpus);
	if (ret)
		event_set__close(set);
	return ret;
}

static int open_late(struct opening *o, struct error *err)
{
	int ret = make_evlist(o, err);

	for (size_t i = 0; !ret && i < o->set->list->specs.nr; i++)
		ret = open_one(o, i, err) ?: set_filter(o, i, err);
	return ret ?: map_rings(o, err);
}

/* Readers know the ids of what was read by S; a group has its directory. */
static bool can_be_late(const struct event_set *set, const struct event_set_opts *opts)
{
	const struct target *t = opts->target;

	for (size_t i = 0; i < set->list->specs.nr; i++)
		if (set->list->specs.v[i].sample_read)
			return false;
	return t->system_wide && !t->has_cpus && !opts->sampling->overwrite &&
	       !has_cgroups(set->list) && set->nr_rings;
}

int event_set__open_late(struct event_set *set, const struct event_set_opts *opts, int cpu,
			 struct event_set **out, struct error *err)
{
	struct event_set_opts same = {
		.sampling = opts->sampling, .target = opts->target, .no_fallback = true,
		.ring_pages = set->ring_pages,
	};
	struct opening o = { .opts = &same, .late = true };
	int ret = -ENOMEM;

	if (!can_be_late(set, opts))
		return -EOPNOTSUPP;
	o.set = xzalloc(sizeof(*o.set));
	*o.set = (struct event_set){
		.list = set->list, .nr_cpus = 1, .nr_threads = 1,
		.side = set->side, .side_data = set->side_data,
	};
	o.cpus = perf_cpu_map__new_int(cpu);
	o.threads = perf_thread_map__new_dummy();
	permissions__read(&o.perm);
	if (o.cpus && o.threads)
		ret = open_late(&o, err);
	perf_cpu_map__put(o.cpus);
	perf_thread_map__put(o.threads);
	if (ret) {
		event_set__close(o.set);
		free(o.set);
		return ret;
	}
	o.set->late = set->late;
	set->late = *out = o.set;
	return 0;
}

u64 event_set__id_of(const struct event_set *like, const struct event_set *late, u64 id)
{
	for (size_t i = 0; i < late->evsels.nr; i++)
		for (u32 k = 0; k < late->evsels.v[i]->ids; k++)
			if (late->evsels.v[i]->id[k] == id && like->evsels.v[i]->ids)
				return like->evsels.v[i]->id[0];
	return id;
}

void event_set__close(struct event_set *set)
{
	struct event_set *late;

	forget_evlist(set);
	while ((late = set->late)) {
		set->late = late->late;
		forget_evlist(late);
		free(late);
	}
}

/* Events with side-band records are enabled before the others, and disabled after them. */
void event_set__enable(struct event_set *set)
{
	event_set__enable_tracking(set);
	for (; set; set = set->late)
		perf_evlist__enable(set->evlist);
}

void event_set__enable_tracking(struct event_set *set)
{
	for (; set; set = set->late)
		for (size_t i = 0; i < set->evsels.nr; i++)
			if (set->list->specs.v[i].is_dummy)
				perf_evsel__enable(set->evsels.v[i]);
}

void event_set__disable_samples(struct event_set *set)
{
	for (; set; set = set->late)
		for (size_t i = 0; i < set->evsels.nr; i++)
			if (!set->list->specs.v[i].is_dummy)
				perf_evsel__disable(set->evsels.v[i]);
}

bool event_set__defers_apart(const struct event_set *set)
{
	for (size_t i = 0; i < set->list->specs.nr; i++) {
		const struct event_spec *spec = &set->list->specs.v[i];

		if (spec->is_dummy && attr__test_bit(&spec->attr, ATTR_BIT_DEFER_OUTPUT))
			return true;
	}
	return false;
}

static void set_event(struct event_set *set, size_t i, bool on)
{
	for (; set; set = set->late)
		if (on)
			perf_evsel__enable(set->evsels.v[i]);
		else
			perf_evsel__disable(set->evsels.v[i]);
}

bool event_set__toggle(struct event_set *set, const char *name, bool on)
{
	bool found = false;

	if (on)
		event_set__enable_tracking(set);
	for (size_t i = 0; i < set->evsels.nr; i++) {
		const struct event_spec *spec = &set->list->specs.v[i];

		if (spec->is_dummy || !event_spec__is_called(spec, name))
			continue;
		found = true;
		set_event(set, i, on);
	}
	return found;
}

void event_set__disable(struct event_set *set)
{
	event_set__disable_samples(set);
	for (; set; set = set->late)
		perf_evlist__disable(set->evlist);
}

static int each_count(const struct event_set *set, event_set_count_fn each, void *ctx)
{
	struct perf_counts_values count;
	int ret = 0;

	for (size_t i = 0; i < set->evsels.nr; i++) {
		struct perf_evsel *evsel = set->evsels.v[i];
		int cpus = perf_cpu_map__nr(perf_evsel__cpus(evsel));
		int threads = perf_thread_map__nr(perf_evsel__threads(evsel));

		for (int c = 0; c < cpus; c++)
			for (int t = 0; t < threads && !ret; t++)
				if (!perf_evsel__read(evsel, c, t, &count))
					ret = each(ctx, i, &count);
	}
	return ret;
}

int event_set__each_count(const struct event_set *set, event_set_count_fn each, void *ctx)
{
	int ret = 0;

	for (; set && !ret; set = set->late)
		ret = each_count(set, each, ctx);
	return ret;
}

struct event_count {
	const struct event_set *set;
	u64 sum;
};

static int add_count(void *ctx, size_t event, const struct perf_counts_values *count)
{
	struct event_count *c = ctx;

	if (!c->set->list->specs.v[event].is_dummy)
		c->sum += count->val;
	return 0;
}

u64 event_set__counted(const struct event_set *set)
{
	struct event_count c = { .set = set };

	event_set__each_count(set, add_count, &c);
	return c.sum;
}

bool event_set__takes_side(const struct event_set *set, size_t event)
{
	const struct event_spec *spec = &set->list->specs.v[event];

	return (set->side || set->side_data) && !spec->is_dummy && !spec->tp_name &&
	       spec->attr.sample_period;
}

int event_set__side_event(const struct event_set *set)
{
	for (size_t i = 0; i < set->list->specs.nr; i++)
		if (set->list->specs.v[i].is_side)
			return i;
	return -1;
}

int event_set__each_fd(const struct event_set *set, size_t event,
		       int (*each)(void *ctx, u32 cpu, int fd), void *ctx)
{
	struct perf_evsel *evsel = set->evsels.v[event];
	struct perf_cpu_map *cpus = perf_evsel__cpus(evsel);
	int nr = perf_cpu_map__nr(cpus), threads, ret = 0;

	threads = perf_thread_map__nr(perf_evsel__threads(evsel));
	for (int c = 0; c < nr; c++)
		for (int t = 0; t < threads && !ret; t++) {
			int fd = perf_evsel__fd(evsel, c, t);

			if (fd >= 0)
				ret = each(ctx, perf_cpu_map__cpu(cpus, c).cpu, fd);
		}
	return ret;
}

int event_set__describe(const struct event_set *set, struct recording *rec, bool stitched,
			struct error *err)
{
	for (size_t i = 0; i < set->list->specs.nr; i++) {
		const struct event_spec *spec = &set->list->specs.v[i];
		const struct perf_evsel *evsel = set->evsels.v[i];
		struct perf_event_attr attr = spec->attr;
		struct evsel *ev;

		if (spec->is_walked)
			attr__with_copy(&attr);
		if (stitched)
			attr__completed(&attr, true);
		if (set->side_data && event_set__takes_side(set, i))
			attr__add_side_data(&attr);
		ev = recording__add_event(rec, &attr, sizeof(attr), spec->name, err);
		if (!ev)
			return -EINVAL;
		for (u32 k = 0; k < evsel->ids; k++)
			recording__add_id(rec, ev, evsel->id[k]);
	}
	return 0;
}
