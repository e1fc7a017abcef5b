// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../binary/build-id.h"
#include "../data/stack-notes.h"
#include "../sample/sample-note.h"
#include "file-sink.h"

#define RECORD_MAX 65536
#define SAMPLE_SIZE_MAX 65528

void file_sink__init(struct file_sink *s)
{
	*s = (struct file_sink){
		.buf = xmalloc(RECORD_MAX),
		.trimmed = xmalloc(RECORD_MAX),
		.note = xmalloc(SAMPLE_NOTE_MAX),
		.names = arena__new(),
	};
}

void file_sink__restart(struct file_sink *s)
{
	s->samples = s->first_time = s->last_time = s->unmerged = 0;
	dso_hits__free(&s->hits);
	s->build_ids.nr = 0;
	map64__free(&s->build_id_at);
	arena__free(s->names);
	s->names = arena__new();
}

void file_sink__free(struct file_sink *s)
{
	zfree(&s->buf);
	zfree(&s->trimmed);
	zfree(&s->note);
	dso_hits__free(&s->hits);
	vec__free(&s->build_ids);
	map64__free(&s->build_id_at);
	arena__free(s->names);
	s->names = NULL;
}

static int write_record(struct file_sink *s, const void *data, size_t size)
{
	return writer__write(s->writer, data, size, &s->err);
}

/*
 * Copies the sample to s->trimmed, with only those bytes of its stack copy that the kernel wrote.
 */
static int trim_copy(struct file_sink *s, struct record *rec, struct sample_spans *spans)
{
	sample__trim_stack(rec, spans, s->trimmed);
	rec->hdr = (const void *)s->trimmed;
	return sample__spans(rec, spans);
}

/* Gives the sample in s->buf, of @size bytes, its note. Returns the new size. */
static int add_note(struct file_sink *s, const struct whole_sample *ws, u64 nr_user, int size)
{
	u32 nr = 0;
	u16 bits = sample_note__encode(ws, nr_user, s->note, &nr);

	if (nr > (u32)(SAMPLE_SIZE_MAX - size))
		bits = nr = 0;
	stack_note__put((void *)s->buf, bits, s->note, nr);
	return size + nr;
}

/*
 * Writes the whole sample to s->buf; returns its size or -errno. A chain that does not fit into a
 * record beside the sample's other contents is cut at its outer end. Every reader appends what it
 * unwinds from a copy to the recorded chain: so a sample that keeps its copy must not have the user
 * part there.
 */
static int rewrite_sample(struct file_sink *s, const struct whole_sample *ws)
{
	struct record rec = *ws->rec;
	struct splice_chain chain = { ws->chain, ws->user, ws->nr_chain, ws->nr_user };
	/* A copy that was only there for the top of a deferred chain is used up. */
	bool keeps = s->keep_copies && ws->user_part != USER_PART_DEFERRED;
	bool copy = keeps && ws->s->stack_room;
	enum splice_parts parts = s->keep_copies ? SPLICE_EMPTY : s->parts;
	struct sample_spans spans;
	u64 other, max;
	int ret = sample__spans(&rec, &spans);

	if (!ret && keeps) {
		ret = spans.stack_room ? trim_copy(s, &rec, &spans) : 0;
		spans.regs = spans.stack = (struct sample_span){};
	} else if (!attr__has_copy(&rec.event->attr)) {
		spans.regs = spans.stack = (struct sample_span){};
	}
	if (ret)
		return ret;
	spans.dropped = ws->noted || s->drop_rest ? ws->s->rest_size : 0;
	other = rec.hdr->size - spans.dropped - (spans.chain.end - spans.chain.start) -
		(spans.regs.end - spans.regs.start) - (spans.stack.end - spans.stack.start) +
		(parts == SPLICE_EMPTY ? 2 * sizeof(u64) : 0);
	max = (SAMPLE_SIZE_MAX - other) / sizeof(u64) - 1;
	chain.nr_kept = min_of(chain.nr_kept, max);
	max -= min_of(chain.nr_kept + 1, max);
	chain.nr_user = copy && ws->user_part == USER_PART_UNWOUND ? 0 :
			min_of(chain.nr_user, max);
	ret = sample__stitch(&rec, &spans, &chain, parts, s->buf, RECORD_MAX);
	return ret > 0 && s->notes && !copy ? add_note(s, ws, chain.nr_user, ret) : ret;
}

/* Bits that are in the place of a note, but are none of ours, would be taken for one. */
static int write_as_recorded(struct file_sink *s, const struct whole_sample *ws)
{
	const struct perf_event_header *hdr = ws->rec->hdr;
	u32 rest = s->drop_rest ? ws->s->rest_size : 0;

	if (!rest && (!s->notes || !stack_note__of(hdr->misc)))
		return write_record(s, hdr, hdr->size);
	memcpy(s->buf, hdr, hdr->size);
	((struct perf_event_header *)s->buf)->size -= rest;
	if (s->notes)
		stack_note__put((void *)s->buf, 0, NULL, 0);
	return write_record(s, s->buf, hdr->size - rest);
}

static bool is_as_recorded(const struct file_sink *s, const struct whole_sample *ws)
{
	const struct perf_event_attr *attr = &ws->rec->event->attr;

	return !s->stitch || ws->deferred == DEFERRED_PASSED ||
	       ws->user_part == USER_PART_KEPT ||
	       !(attr->sample_type & PERF_SAMPLE_CALLCHAIN) ||
	       (ws->user_part <= USER_PART_RECORDED && !attr__has_copy(attr));
}

int file_sink__sample(void *ctx, const struct whole_sample *ws)
{
	struct file_sink *s = ctx;
	int size;

	if (ws->rec->time != NO_TIME) {
		s->first_time = s->first_time ?: ws->rec->time;
		s->last_time = max_of(s->last_time, ws->rec->time);
	}
	if (s->live)
		dso_hits__note(&s->hits, s->machine, ws);
	s->unmerged += ws->deferred == DEFERRED_PASSED || ws->user_part == USER_PART_KEPT;
	if (is_as_recorded(s, ws)) {
		s->samples++;
		return write_as_recorded(s, ws);
	}
	size = rewrite_sample(s, ws);
	if (size < 0) {
		s->skipped++;
		return 0;
	}
	s->samples++;
	return write_record(s, s->buf, size);
}

/* Recorded threads are known: by FORK or COMM, synthesized or not, or by a sample. */
static bool is_foreign(struct file_sink *s, const struct record *rec)
{
	return s->drop_foreign && rec->hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED &&
	       !machine__find_thread(s->machine, rec->tid);
}

/* An MMAP2 record that claims to have a build-id, but has none: readers would trust it. */
static bool is_mislabelled(const struct record *rec)
{
	return rec->hdr->type == PERF_RECORD_MMAP2 && rec->hdr->misc & ABI_MISC_MMAP_BUILD_ID &&
	       !mmap2__has_build_id(rec->hdr, rec->event ? &rec->event->attr : NULL);
}

int file_sink__record(void *ctx, const struct record *rec)
{
	size_t size = rec->hdr->size - rec->stale;
	struct perf_event_header *hdr;
	struct file_sink *s = ctx;
	bool mislabelled;

	if (rec->hdr->type == USER_RECORD_FINISHED_ROUND)
		return writer__finished_round(s->writer, &s->err);
	if (is_foreign(s, rec)) {
		s->foreign++;
		return 0;
	}
	s->unmerged += rec->hdr->type == ABI_RECORD_CALLCHAIN_DEFERRED;
	mislabelled = is_mislabelled(rec);
	if (!mislabelled && !rec->stale)
		return write_record(s, rec->hdr, size);
	memcpy(s->buf, rec->hdr, size);
	hdr = (void *)s->buf;
	hdr->size = size;
	if (mislabelled)
		hdr->misc &= ~ABI_MISC_MMAP_BUILD_ID;
	return write_record(s, hdr, size);
}

static bool dso_build_id(struct file_sink *s, const struct dso *dso, struct build_id *out)
{
	int fd;

	*out = dso->build_id;
	if (out->size)
		return true;
	if (dso->kind != DSO_USER)
		return false;
	fd = binaries__fd(s->binaries, dso);
	return fd >= 0 && !build_id__read_fd(fd, out) && out->size;
}

/* Adds a build-id, once for each path and build-id: a file may be forgotten and found again. */
static void note_build_id(struct file_sink *s, const struct dso *dso, u8 misc)
{
	struct data_build_id b = {
		.misc = misc, .pid = -1,
	};
	uintptr_t at;
	u64 key;

	if (!dso_build_id(s, dso, &b.id))
		return;
	b.path = arena__intern(s->names, dso->kind == DSO_MODULE ? dso->path : dso->name);
	key = hash_bytes(b.id.data, b.id.size) ^ hash_u64((uintptr_t)b.path);
	at = (uintptr_t)map64__get(&s->build_id_at, key);
	if (at && s->build_ids.v[at - 1].path == b.path &&
	    build_id__equal(&s->build_ids.v[at - 1].id, &b.id))
		return;
	*vec__push(&s->build_ids) = b;
	if (s->found)
		s->found(s->found_ctx, dso, &b.id);
	map64__set(&s->build_id_at, key, (void *)s->build_ids.nr);
}

static void file_sink__forget(void *ctx, const struct dso *dso)
{
	struct file_sink *s = ctx;

	u8 mode = dso_hits__mode(&s->hits, dso->id);

	if (!mode)
		return;
	note_build_id(s, dso, mode);
	dso_hits__forget(&s->hits, dso->id);
}

void file_sink__begin(void *ctx, struct machine *machine, struct symbols *symbols)
{
	struct file_sink *s = ctx;

	s->machine = machine;
	s->binaries = symbols__binaries(symbols);
}

struct sink file_sink__ops(struct file_sink *s)
{
	return (struct sink){
		.begin = file_sink__begin, .sample = file_sink__sample,
		.record = file_sink__record, .forget = file_sink__forget, .ctx = s,
		.drop_merged = s->stitch, .early_maps = s->stitch,
	};
}

static void clear_deferred_bits(struct recording *rec)
{
	for (size_t i = 0; i < rec->events.nr; i++) {
		evsel__set_bit(rec->events.v[i], ATTR_BIT_DEFER_CALLCHAIN, false);
		evsel__set_bit(rec->events.v[i], ATTR_BIT_DEFER_OUTPUT, false);
	}
}

void file_sink__describe(struct file_sink *s, struct recording *rec)
{
	if (s->stitch && !s->unmerged)
		clear_deferred_bits(rec);
	for (size_t i = 0; s->machine && i < machine__nr_dsos(s->machine); i++) {
		u8 mode = dso_hits__mode(&s->hits, i);

		if (mode)
			note_build_id(s, machine__dso(s->machine, i), mode);
	}
	for (size_t i = 0; i < s->build_ids.nr; i++) {
		struct data_build_id *b = vec__push(&rec->build_ids);

		*b = s->build_ids.v[i];
		b->path = arena__intern(rec->arena, b->path);
	}
	if (rec->build_ids.nr)
		recording__set(rec, FEAT_BUILD_ID);
	if (!s->last_time)
		return;
	rec->first_sample_time = s->first_time;
	rec->last_sample_time = s->last_time;
	recording__set(rec, FEAT_SAMPLE_TIME);
}
