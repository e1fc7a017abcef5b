// SPDX-License-Identifier: GPL-2.0-only
/* Copies the description of a recording, for one that is written from another: see recording.h. */
#include <string.h>

#include "recording.h"

static const char *copy_str(struct recording *to, const char *s)
{
	return s ? arena__intern(to->arena, s) : NULL;
}

static void copy_event(struct recording *to, const struct evsel *ev,
		       void (*change)(void *ctx, struct perf_event_attr *attr), void *ctx)
{
	struct perf_event_attr attr = ev->attr;
	u8 *raw = xmemdup(ev->raw, ev->raw_size);
	struct evsel *copy;

	if (change)
		change(ctx, &attr);
	memcpy(raw, &attr, min_of(sizeof(attr), (size_t)ev->raw_size));
	copy = recording__add_event(to, raw, ev->raw_size, ev->name, NULL);
	free(raw);
	copy->unit = copy_str(to, ev->unit);
	copy->scale = ev->scale;
	for (size_t i = 0; i < ev->ids.nr; i++)
		recording__add_id(to, copy, ev->ids.v[i]);
}

void recording__add_build_ids(struct recording *to, const struct recording *from)
{
	for (size_t i = to->build_ids.nr; i < from->build_ids.nr; i++) {
		struct data_build_id *b = vec__push(&to->build_ids);

		*b = from->build_ids.v[i];
		b->path = copy_str(to, b->path);
	}
	if (to->build_ids.nr)
		recording__set(to, FEAT_BUILD_ID);
}

static void copy_lists(struct recording *to, const struct recording *r)
{
	for (size_t i = 0; i < r->cmdline.nr; i++)
		*vec__push(&to->cmdline) = copy_str(to, r->cmdline.v[i]);
	recording__add_build_ids(to, r);
	for (size_t i = 0; i < ARRAY_SIZE(r->opaque); i++) {
		if (!r->opaque[i].data)
			continue;
		to->opaque[i].data = xmemdup(r->opaque[i].data, r->opaque[i].size);
		to->opaque[i].size = r->opaque[i].size;
	}
}

struct recording *recording__copy(const struct recording *r,
				  void (*change)(void *ctx, struct perf_event_attr *attr),
				  void *ctx)
{
	struct recording *to = recording__new();

	for (size_t i = 0; i < r->events.nr; i++)
		copy_event(to, r->events.v[i], change, ctx);
	memcpy(to->features, r->features, sizeof(to->features));
	to->stack_notes = r->stack_notes;
	to->hostname = copy_str(to, r->hostname);
	to->osrelease = copy_str(to, r->osrelease);
	to->version = copy_str(to, r->version);
	to->arch = copy_str(to, r->arch);
	to->cpudesc = copy_str(to, r->cpudesc);
	to->cpuid = copy_str(to, r->cpuid);
	to->nr_cpus_avail = r->nr_cpus_avail;
	to->nr_cpus_online = r->nr_cpus_online;
	to->total_mem_kb = r->total_mem_kb;
	to->first_sample_time = r->first_sample_time;
	to->last_sample_time = r->last_sample_time;
	to->clockid_res_ns = r->clockid_res_ns;
	if (r->tracing_data) {
		to->tracing_data = xmemdup(r->tracing_data, r->tracing_data_size);
		to->tracing_data_size = r->tracing_data_size;
	}
	copy_lists(to, r);
	return to;
}
