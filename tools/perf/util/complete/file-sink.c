// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../data/sample-splice.h"
#include "file-sink.h"

#define RECORD_MAX 65536

void file_sink__init(struct file_sink *s)
{
	*s = (struct file_sink){ .buf = xmalloc(RECORD_MAX) };
}

void file_sink__free(struct file_sink *s)
{
	zfree(&s->buf);
	vec__free(&s->hit);
}

static void hit_address(struct file_sink *s, const struct thread *t, u8 cpumode, u64 ip)
{
	struct machine *m = pipeline__machine(s->pipeline);
	const struct map *map = machine__find_map(m, t, cpumode, ip);
	size_t nr;

	if (!map)
		return;
	if (map->dso->id >= s->hit.nr) {
		nr = s->hit.nr;
		vec__reserve(&s->hit, machine__nr_dsos(m));
		s->hit.nr = machine__nr_dsos(m);
		memset(s->hit.v + nr, 0, s->hit.nr - nr);
	}
	s->hit.v[map->dso->id] = cpumode;
}

/* Marks every binary of the chain, or of the sampled address when there is no chain. */
static void note_hits(struct file_sink *s, const struct whole_sample *ws)
{
	u8 mode = ws->s->cpumode;

	hit_address(s, ws->thread, mode, ws->s->ip);
	for (u64 i = 0; i < ws->nr_chain; i++) {
		u64 ip = ws->chain[i];

		if (ip == ABI_CONTEXT_USER_DEFERRED)
			break; /* what follows is a cookie */
		if (ip == ABI_CONTEXT_USER)
			mode = PERF_RECORD_MISC_USER;
		else if (ip == ABI_CONTEXT_KERNEL)
			mode = PERF_RECORD_MISC_KERNEL;
		else if (!ip__is_context(ip))
			hit_address(s, ws->thread, mode, ip);
	}
}

static int write_record(struct file_sink *s, const void *data, size_t size)
{
	return writer__write(s->writer, data, size, &s->err);
}

static int sink_sample(void *ctx, const struct whole_sample *ws)
{
	struct file_sink *s = ctx;
	struct sample_spans spans;
	int size;

	if (ws->rec->time != NO_TIME) {
		s->first_time = s->first_time ?: ws->rec->time;
		s->last_time = max_of(s->last_time, ws->rec->time);
	}
	note_hits(s, ws);
	if (!s->stitch) {
		s->samples++;
		return write_record(s, ws->rec->hdr, ws->rec->hdr->size);
	}
	size = sample__spans(ws->rec, &spans);
	if (!size)
		size = sample__stitch(ws->rec, &spans, ws->chain, ws->nr_chain, s->buf,
				      RECORD_MAX);
	if (size < 0) {
		s->skipped++;
		return 0;
	}
	s->samples++;
	return write_record(s, s->buf, size);
}

static int sink_record(void *ctx, const struct record *rec)
{
	return write_record(ctx, rec->hdr, rec->hdr->size);
}

struct pipeline_sink file_sink__ops(struct file_sink *s)
{
	return (struct pipeline_sink){ .sample = sink_sample, .record = sink_record, .ctx = s };
}

static bool dso_build_id(struct file_sink *s, const struct dso *dso, struct build_id *out)
{
	int fd;

	*out = dso->build_id;
	if (out->size)
		return true;
	if (dso->kind != DSO_USER)
		return false;
	fd = symbols__binary_fd(pipeline__symbols(s->pipeline), dso);
	return fd >= 0 && !build_id__read_fd(fd, out) && out->size;
}

void file_sink__describe(struct file_sink *s, struct recording *rec)
{
	struct machine *m = pipeline__machine(s->pipeline);

	for (size_t i = 0; i < s->hit.nr; i++) {
		const struct dso *dso = machine__dso(m, i);
		struct data_build_id b = { .misc = s->hit.v[i], .pid = -1 };

		if (!s->hit.v[i] || !dso_build_id(s, dso, &b.id))
			continue;
		b.path = arena__intern(rec->arena, dso->kind == DSO_MODULE ? dso->path : dso->name);
		*vec__push(&rec->build_ids) = b;
	}
	if (rec->build_ids.nr)
		recording__set(rec, FEAT_BUILD_ID);
	if (!s->last_time)
		return;
	rec->first_sample_time = s->first_time;
	rec->last_sample_time = s->last_time;
	recording__set(rec, FEAT_SAMPLE_TIME);
}
