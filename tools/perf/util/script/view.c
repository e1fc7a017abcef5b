// SPDX-License-Identifier: GPL-2.0-only
#include "view.h"

#include "sample-json.h"

int script_view__init(struct script_view *v, const struct script_opts *opts, struct recording *rec,
		      const struct name_list *stops, struct error *err)
{
	v->opts = opts;
	v->lines.tb = &v->out;
	v->lines.recording = rec;
	v->lines.fields = opts->fields;
	v->lines.chains = !opts->no_chains && recording__any_samples(rec, PERF_SAMPLE_CALLCHAIN);
	v->lines.ns = opts->ns;
	v->lines.times = opts->from_last ? SCRIPT_TIMES_FROM_LAST :
			 opts->from_start ? SCRIPT_TIMES_FROM_START : SCRIPT_TIMES_RECORDED;
	v->lines.stop_at = stops;
	v->lines.cgroups = &v->cgroups;
	v->lines.max_stack = opts->max_stack;
	if (opts->script) /* which is shown all fields */
		return 0;
	return script_fields__check(&v->lines.fields, rec, v->lines.chains, err);
}

void script_view__use(struct script_view *v, struct pipeline *p)
{
	v->lines.symbols = pipeline__symbols(p);
	v->lines.resolver = resolver__new(v->lines.symbols);
	v->lines.traces = tracepoints__new(v->lines.recording);
	tracepoints__name_functions(v->lines.traces, resolver__traced_function, v->lines.resolver);
	script_lines__init(&v->lines);
}

int script_view__free(struct script_view *v, struct error *err)
{
	int ret = v->opts->per_event ? event_dumps__close(&v->dumps, err) : 0;

	cgroups__free(&v->cgroups);
	script_lines__free(&v->lines);
	tracepoints__free(v->lines.traces);
	resolver__free(v->lines.resolver);
	return ret;
}

void script_view__begin(struct script_view *v)
{
	if (v->opts->json)
		script_json__header(&v->out, v->lines.recording);
}

void script_view__end(struct script_view *v, bool complete)
{
	if (v->opts->json)
		script_json__end(&v->out, v->nr_printed, complete);
}

static int dump_sample(struct script_view *v, const struct whole_sample *ws,
		       const struct location *leaf)
{
	v->lines.tb = event_dumps__sample(&v->dumps, v->opts->input ?: "perf.data", ws->rec->event);
	if (v->lines.tb)
		script_lines__sample(&v->lines, ws, leaf);
	v->lines.tb = &v->out;
	return v->dumps.error;
}

bool script_view__is_enough(const struct script_view *v)
{
	return v->opts->head && v->nr_printed >= v->opts->head;
}

int script_view__sample(struct script_view *v, const struct whole_sample *ws,
			const struct location *leaf)
{
	v->nr_printed += !!script_fields__of(&v->lines.fields, ws->rec->event);
	if (v->opts->per_event)
		return dump_sample(v, ws, leaf);
	if (v->opts->json)
		script_json__sample(&v->lines, ws, leaf);
	else
		script_lines__sample(&v->lines, ws, leaf);
	return v->out.error ?: script_view__is_enough(v) ? -ECANCELED : 0;
}

void script_view__note(struct script_view *v, const struct record *rec)
{
	resolver__record(v->lines.resolver, rec);
	cgroups__record(&v->cgroups, rec);
}

void script_view__deferred(struct script_view *v, const struct record *rec, const struct thread *t)
{
	if (v->opts->json)
		script_json__deferred(&v->lines, rec, t);
	else
		script_lines__deferred(&v->lines, rec, t);
}

static bool shows(const struct script_shown *show, u32 type)
{
	switch (type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return show->mmaps;
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return show->tasks;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return show->lost;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return show->switches;
	case PERF_RECORD_NAMESPACES:
		return show->namespaces;
	case PERF_RECORD_KSYMBOL:
	case PERF_RECORD_BPF_EVENT:
		return show->bpf;
	case PERF_RECORD_CGROUP:
		return show->cgroups;
	case USER_RECORD_FINISHED_ROUND:
		return show->rounds;
	default:
		return false;
	}
}

/* The thread that a record is about: synthesized records have it only in their body. */
static u32 tid_of(const struct record *rec)
{
	struct mmap_record m;
	struct comm_record c;
	struct task_record t;
	struct namespaces_record ns;

	if (!record__mmap(rec, &m))
		return m.pid == NO_ID ? 0 : m.tid;
	if (!record__comm(rec, &c))
		return c.tid;
	if (!record__task(rec, &t))
		return t.tid;
	if (!record__namespaces(rec, &ns))
		return ns.tid;
	return rec->tid == NO_ID ? 0 : rec->tid;
}

void script_view__record(struct script_view *v, const struct record *rec,
			 struct machine *machine)
{
	const struct thread *t;
	const char *comm;
	u32 tid;

	if (!shows(&v->opts->show, rec->hdr->type))
		return;
	tid = tid_of(rec);
	t = machine__find_thread(machine, tid);
	comm = t ? t->comm : tid ? ":-1" : "swapper";
	if (v->opts->json)
		script_json__record(&v->lines, rec, comm);
	else
		script_lines__record(&v->lines, rec, comm);
}
