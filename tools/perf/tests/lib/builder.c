// SPDX-License-Identifier: GPL-2.0-only
#include <zstd.h>

#include "../../util/data/bytes-out.h"
#include "builder.h"
#include "../test.h"

struct builder_event {
	struct perf_event_attr attr;
	const char *name;
	VEC(u64) ids;
};

struct builder_feature {
	u32 feat;
	void *data;
	size_t size;
};

struct builder {
	struct arena *arena;
	VEC(struct builder_event *) events;
	VEC(struct builder_feature) features;
	struct bytes_out data;
	size_t packed;  /* bytes of .data that builder__compress() is done with */
	ZSTD_CStream *zstd; /* its stream, once it was asked */
	u32 pid, tid, cpu;
	u64 time;
	struct recording *recording;
};

struct builder *builder__new(void)
{
	struct builder *b = xzalloc(sizeof(*b));

	b->arena = arena__new();
	return b;
}

void builder__free(struct builder *b)
{
	for (size_t i = 0; i < b->events.nr; i++)
		vec__free(&b->events.v[i]->ids);
	for (size_t i = 0; i < b->features.nr; i++)
		free(b->features.v[i].data);
	vec__free(&b->events);
	vec__free(&b->features);
	vec__free(&b->data.buf);
	ZSTD_freeCStream(b->zstd);
	recording__free(b->recording);
	arena__free(b->arena);
	free(b);
}

u32 builder__event(struct builder *b, const struct perf_event_attr *attr, const char *name,
		   const u64 *ids, u32 nr_ids)
{
	struct builder_event *ev = arena__alloc(b->arena, sizeof(*ev));

	ev->attr = *attr;
	ev->name = name ? arena__intern(b->arena, name) : NULL;
	for (u32 i = 0; i < nr_ids; i++)
		*vec__push(&ev->ids) = ids[i];
	*vec__push(&b->events) = ev;
	return b->events.nr - 1;
}

void builder__at(struct builder *b, u32 pid, u32 tid, u32 cpu, u64 time)
{
	b->pid = pid;
	b->tid = tid;
	b->cpu = cpu;
	b->time = time;
}

void builder__bytes(struct builder *b, const void *p, size_t size)
{
	bytes_out__put(&b->data, p, size);
}

static u64 id_of(const struct builder_event *ev, u64 wanted)
{
	if (wanted)
		return wanted;
	return ev->ids.nr ? ev->ids.v[0] : 0;
}

/* Behind it is a word that the kernel keeps for later use. */
static void put_cpu(struct bytes_out *out, u32 cpu)
{
	bytes_out__u32(out, cpu);
	bytes_out__u32(out, 0);
}

static void put_trailer(struct builder *b, struct bytes_out *out)
{
	const struct builder_event *ev = b->events.nr ? b->events.v[0] : NULL;
	u64 type = ev && ev->attr.sample_id_all ? ev->attr.sample_type : 0;

	if (type & PERF_SAMPLE_TID) {
		bytes_out__u32(out, b->pid);
		bytes_out__u32(out, b->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		bytes_out__u64(out, b->time);
	if (type & PERF_SAMPLE_ID)
		bytes_out__u64(out, id_of(ev, 0));
	if (type & PERF_SAMPLE_STREAM_ID)
		bytes_out__u64(out, id_of(ev, 0));
	if (type & PERF_SAMPLE_CPU)
		put_cpu(out, b->cpu);
	if (type & PERF_SAMPLE_IDENTIFIER)
		bytes_out__u64(out, id_of(ev, 0));
}

static void put_record(struct builder *b, u32 type, u16 misc, const struct bytes_out *body,
		       const struct bytes_out *trailer)
{
	struct perf_event_header hdr = { .type = type, .misc = misc };
	size_t size = sizeof(hdr) + body->buf.nr + trailer->buf.nr;

	TEST_TRUE(size <= 65535);
	hdr.size = size;
	bytes_out__put(&b->data, &hdr, sizeof(hdr));
	bytes_out__put(&b->data, body->buf.v, body->buf.nr);
	bytes_out__put(&b->data, trailer->buf.v, trailer->buf.nr);
}

/* Frees @body. */
static void finish_record(struct builder *b, u32 type, u16 misc, struct bytes_out *body)
{
	struct bytes_out trailer = {};

	if (type < USER_RECORD_FIRST && type != PERF_RECORD_SAMPLE)
		put_trailer(b, &trailer);
	put_record(b, type, misc, body, &trailer);
	vec__free(&trailer.buf);
	vec__free(&body->buf);
}

void builder__record(struct builder *b, u32 type, u16 misc, const void *body, size_t size)
{
	struct bytes_out blob = {};

	bytes_out__put(&blob, body, size);
	finish_record(b, type, misc, &blob);
}

void builder__oversized(struct builder *b, u32 type, const void *body, size_t size, size_t stale)
{
	size_t from = b->data.buf.nr;
	struct perf_event_header hdr;

	builder__record(b, type, 0, body, size);
	memcpy(&hdr, b->data.buf.v + from, sizeof(hdr));
	hdr.size += stale;
	memcpy(b->data.buf.v + from, &hdr, sizeof(hdr));
	for (; stale; stale -= sizeof(u64))
		bytes_out__u64(&b->data, 0x7ffdcafe1000 + stale);
}

static void put_regs(struct bytes_out *out, const struct sample_regs *regs, u64 mask)
{
	bytes_out__u64(out, regs->abi);
	if (regs->abi)
		bytes_out__put(out, regs->v, __builtin_popcountll(mask) * sizeof(u64));
}

static void put_fixed(struct builder *b, struct bytes_out *out, const struct sample *s, u64 type,
		      u64 id)
{
	if (type & PERF_SAMPLE_IDENTIFIER)
		bytes_out__u64(out, id);
	if (type & PERF_SAMPLE_IP)
		bytes_out__u64(out, s->ip);
	if (type & PERF_SAMPLE_TID) {
		bytes_out__u32(out, b->pid);
		bytes_out__u32(out, b->tid);
	}
	if (type & PERF_SAMPLE_TIME)
		bytes_out__u64(out, b->time);
	if (type & PERF_SAMPLE_ADDR)
		bytes_out__u64(out, s->addr);
	if (type & PERF_SAMPLE_ID)
		bytes_out__u64(out, id);
	if (type & PERF_SAMPLE_STREAM_ID)
		bytes_out__u64(out, s->stream_id);
	if (type & PERF_SAMPLE_CPU)
		put_cpu(out, b->cpu);
	if (type & PERF_SAMPLE_PERIOD)
		bytes_out__u64(out, s->period);
}

static void put_variable(struct bytes_out *out, const struct sample *s,
			 const struct perf_event_attr *attr)
{
	u64 type = attr->sample_type;

	if (type & PERF_SAMPLE_READ)
		bytes_out__put(out, s->read, s->read_size);
	if (type & PERF_SAMPLE_CALLCHAIN) {
		bytes_out__u64(out, s->nr_chain);
		bytes_out__put(out, s->chain, s->nr_chain * sizeof(u64));
	}
	if (type & PERF_SAMPLE_RAW) {
		u32 pad = -(s->raw_size + sizeof(u32)) & 7;

		bytes_out__u32(out, s->raw_size + pad);
		bytes_out__put(out, s->raw, s->raw_size);
		bytes_out__zeros(out, pad);
	}
	if (type & PERF_SAMPLE_BRANCH_STACK) {
		bytes_out__u64(out, s->nr_branches);
		if (attr->branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX)
			bytes_out__u64(out, 7);
		bytes_out__put(out, s->branches, s->nr_branches * sizeof(*s->branches));
		if (attr->branch_sample_type & (1ULL << 19)) /* branch counters */
			bytes_out__zeros(out, s->nr_branches * sizeof(u64));
	}
	if (type & PERF_SAMPLE_REGS_USER)
		put_regs(out, &s->user_regs, attr->sample_regs_user);
	if (type & PERF_SAMPLE_STACK_USER) {
		u64 have = min_of(s->stack_size, s->stack_room);

		bytes_out__u64(out, s->stack_room);
		if (s->stack_room) {
			bytes_out__put(out, s->stack, have);
			bytes_out__zeros(out, s->stack_room - have);
			bytes_out__u64(out, s->stack_size);
		}
	}
}

static void put_rest(struct bytes_out *out, const struct sample *s,
		     const struct perf_event_attr *attr)
{
	u64 type = attr->sample_type;

	if (type & (PERF_SAMPLE_WEIGHT | PERF_SAMPLE_WEIGHT_STRUCT))
		bytes_out__u64(out, s->weight);
	if (type & PERF_SAMPLE_DATA_SRC)
		bytes_out__u64(out, s->data_src);
	if (type & PERF_SAMPLE_TRANSACTION)
		bytes_out__u64(out, s->transaction);
	if (type & PERF_SAMPLE_REGS_INTR)
		put_regs(out, &s->intr_regs, attr->sample_regs_intr);
	if (type & PERF_SAMPLE_PHYS_ADDR)
		bytes_out__u64(out, s->phys_addr);
	if (type & PERF_SAMPLE_CGROUP)
		bytes_out__u64(out, s->cgroup);
	if (type & PERF_SAMPLE_DATA_PAGE_SIZE)
		bytes_out__u64(out, s->data_page_size);
	if (type & PERF_SAMPLE_CODE_PAGE_SIZE)
		bytes_out__u64(out, s->code_page_size);
	if (type & PERF_SAMPLE_AUX) {
		bytes_out__u64(out, s->aux_size);
		bytes_out__put(out, s->aux, s->aux_size);
	}
}

void builder__sample(struct builder *b, u32 event, const struct sample *s)
{
	const struct builder_event *ev = b->events.v[event];
	struct bytes_out body = {};
	u16 misc = s->misc ? s->misc : s->cpumode ? s->cpumode : PERF_RECORD_MISC_USER;

	put_fixed(b, &body, s, ev->attr.sample_type, id_of(ev, s->id));
	put_variable(&body, s, &ev->attr);
	put_rest(&body, s, &ev->attr);
	finish_record(b, PERF_RECORD_SAMPLE, misc, &body);
}

void builder__comm(struct builder *b, const char *comm, bool exec)
{
	struct bytes_out body = {};

	bytes_out__u32(&body, b->pid);
	bytes_out__u32(&body, b->tid);
	bytes_out__str(&body, comm, 8);
	finish_record(b, PERF_RECORD_COMM, exec ? ABI_MISC_COMM_EXEC : 0, &body);
}

static void task(struct builder *b, u32 type, u32 ppid, u32 ptid)
{
	struct bytes_out body = {};

	bytes_out__u32(&body, b->pid);
	bytes_out__u32(&body, ppid);
	bytes_out__u32(&body, b->tid);
	bytes_out__u32(&body, ptid);
	bytes_out__u64(&body, b->time);
	finish_record(b, type, 0, &body);
}

void builder__fork(struct builder *b, u32 ppid, u32 ptid)
{
	task(b, PERF_RECORD_FORK, ppid, ptid);
}

void builder__exit(struct builder *b)
{
	task(b, PERF_RECORD_EXIT, b->pid, b->tid);
}

void builder__mmap(struct builder *b, u64 start, u64 len, u64 pgoff, const char *filename)
{
	struct bytes_out body = {};

	bytes_out__u32(&body, b->pid);
	bytes_out__u32(&body, b->tid);
	bytes_out__u64(&body, start);
	bytes_out__u64(&body, len);
	bytes_out__u64(&body, pgoff);
	bytes_out__str(&body, filename, 8);
	finish_record(b, PERF_RECORD_MMAP, PERF_RECORD_MISC_USER, &body);
}

void builder__mmap2(struct builder *b, const struct mmap_record *m)
{
	u16 misc = m->cpumode ? m->cpumode : PERF_RECORD_MISC_USER;
	struct bytes_out body = {};

	bytes_out__u32(&body, b->pid);
	bytes_out__u32(&body, b->tid);
	bytes_out__u64(&body, m->start);
	bytes_out__u64(&body, m->len);
	bytes_out__u64(&body, m->pgoff);
	if (m->build_id.size) {
		bytes_out__put(&body, (u8[4]){ m->build_id.size }, 4);
		bytes_out__put(&body, m->build_id.data, BUILD_ID_MAX);
		misc |= ABI_MISC_MMAP_BUILD_ID;
	} else {
		bytes_out__u32(&body, m->maj);
		bytes_out__u32(&body, m->min);
		bytes_out__u64(&body, m->ino);
		bytes_out__u64(&body, m->ino_generation);
	}
	bytes_out__u32(&body, m->prot);
	bytes_out__u32(&body, m->flags);
	bytes_out__str(&body, m->filename, 8);
	finish_record(b, PERF_RECORD_MMAP2, misc | (m->is_data ? ABI_MISC_MMAP_DATA : 0), &body);
}

void builder__lost(struct builder *b, u64 lost)
{
	struct bytes_out body = {};

	bytes_out__u64(&body, b->events.nr ? id_of(b->events.v[0], 0) : 0);
	bytes_out__u64(&body, lost);
	finish_record(b, PERF_RECORD_LOST, 0, &body);
}

void builder__deferred(struct builder *b, u64 cookie, const u64 *ips, u64 nr)
{
	struct bytes_out body = {};

	bytes_out__u64(&body, cookie);
	bytes_out__u64(&body, nr);
	bytes_out__put(&body, ips, nr * sizeof(u64));
	finish_record(b, ABI_RECORD_CALLCHAIN_DEFERRED, PERF_RECORD_MISC_USER, &body);
}

void builder__round(struct builder *b)
{
	builder__record(b, USER_RECORD_FINISHED_ROUND, 0, NULL, 0);
}

void builder__feature(struct builder *b, u32 feat, const void *p, size_t size)
{
	*vec__push(&b->features) = (struct builder_feature){ feat, xmemdup(p, size), size };
}

static void put_compressed(struct bytes_out *out, const void *p, size_t size, u32 type)
{
	struct perf_event_header hdr = { .type = type };
	size_t head = type == USER_RECORD_COMPRESSED2 ? sizeof(u64) : 0;
	size_t pad = head ? -size & 7 : 0;

	hdr.size = sizeof(hdr) + head + size + pad;
	bytes_out__put(out, &hdr, sizeof(hdr));
	if (head)
		bytes_out__u64(out, size);
	bytes_out__put(out, p, size);
	bytes_out__zeros(out, pad);
}

void builder__compress(struct builder *b, size_t chunk, u32 record_type)
{
	struct bytes_out out = {};
	size_t room = ZSTD_compressBound(chunk) + 64;
	char *buf = xmalloc(room);

	if (!b->zstd) {
		b->zstd = ZSTD_createCStream();
		ZSTD_initCStream(b->zstd, 1);
	}
	bytes_out__put(&out, b->data.buf.v, b->packed);
	for (size_t at = b->packed; at < b->data.buf.nr; at += chunk) {
		ZSTD_inBuffer in = { b->data.buf.v + at, min_of(chunk, b->data.buf.nr - at), 0 };
		ZSTD_outBuffer packed = { buf, room, 0 };

		while (in.pos < in.size)
			TEST_TRUE(!ZSTD_isError(ZSTD_compressStream(b->zstd, &packed, &in)));
		TEST_EQ(ZSTD_flushStream(b->zstd, &packed), 0);
		put_compressed(&out, buf, packed.pos, record_type);
	}
	free(buf);
	vec__free(&b->data.buf);
	b->data = out;
	b->packed = out.buf.nr;
}

const void *builder__data(const struct builder *b, size_t *size)
{
	*size = b->data.buf.nr;
	return b->data.buf.v;
}

struct recording *builder__recording(struct builder *b)
{
	struct recording *r = b->recording;

	if (!r)
		r = b->recording = recording__new();
	for (size_t i = 0; i < b->events.nr; i++) {
		const struct builder_event *ev = b->events.v[i];
		struct evsel *e = i < r->events.nr ? r->events.v[i] :
			recording__add_event(r, &ev->attr, sizeof(ev->attr), ev->name, NULL);

		TEST_TRUE(e);
		for (size_t k = e->ids.nr; k < ev->ids.nr; k++)
			recording__add_id(r, e, ev->ids.v[k]);
	}
	return r;
}

static void put_feature_string(struct bytes_out *out, const char *s)
{
	size_t room = align_up(strlen(s) + 1, 64);

	bytes_out__u32(out, room);
	bytes_out__put(out, s, strlen(s));
	bytes_out__zeros(out, room - strlen(s));
}

/* EVENT_DESC, when an event has a name. */
static bool describe_events(const struct builder *b, struct bytes_out *out)
{
	bool named = false;

	bytes_out__u32(out, b->events.nr);
	bytes_out__u32(out, sizeof(struct perf_event_attr));
	for (size_t i = 0; i < b->events.nr; i++) {
		const struct builder_event *ev = b->events.v[i];

		bytes_out__put(out, &ev->attr, sizeof(ev->attr));
		bytes_out__u32(out, ev->ids.nr);
		put_feature_string(out, ev->name ? ev->name : "");
		bytes_out__put(out, ev->ids.v, ev->ids.nr * sizeof(u64));
		named |= ev->name != NULL;
	}
	return named;
}

static void put_attrs(const struct builder *b, struct bytes_out *out)
{
	size_t entry = sizeof(struct perf_event_attr) + 16, ids = 104 + b->events.nr * entry;

	for (size_t i = 0; i < b->events.nr; i++) {
		const struct builder_event *ev = b->events.v[i];

		bytes_out__put(out, &ev->attr, sizeof(ev->attr));
		bytes_out__u64(out, ids);
		bytes_out__u64(out, ev->ids.nr * sizeof(u64));
		ids += ev->ids.nr * sizeof(u64);
	}
	for (size_t i = 0; i < b->events.nr; i++)
		bytes_out__put(out, b->events.v[i]->ids.v,
			       b->events.v[i]->ids.nr * sizeof(u64));
}

static void put_features(const struct builder *b, struct bytes_out *out,
			 const struct bytes_out *desc)
{
	u64 nr = b->features.nr + !!desc, at = out->buf.nr + nr * 16;

	for (u32 feat = 0; feat < FEAT_LAST; feat++) {
		for (size_t i = 0; i < b->features.nr; i++) {
			if (b->features.v[i].feat != feat)
				continue;
			bytes_out__u64(out, at);
			bytes_out__u64(out, b->features.v[i].size);
			at += b->features.v[i].size;
		}
		if (desc && feat == FEAT_EVENT_DESC) {
			bytes_out__u64(out, at);
			bytes_out__u64(out, desc->buf.nr);
			at += desc->buf.nr;
		}
	}
	for (u32 feat = 0; feat < FEAT_LAST; feat++) {
		for (size_t i = 0; i < b->features.nr; i++)
			if (b->features.v[i].feat == feat)
				bytes_out__put(out, b->features.v[i].data, b->features.v[i].size);
		if (desc && feat == FEAT_EVENT_DESC)
			bytes_out__put(out, desc->buf.v, desc->buf.nr);
	}
}

static void file_image(const struct builder *b, struct bytes_out *out)
{
	size_t entry = sizeof(struct perf_event_attr) + 16;
	struct bytes_out desc = {}, attrs = {};
	bool named = describe_events(b, &desc);
	u64 bits[FEAT_LAST / 64] = {};

	for (size_t i = 0; i < b->features.nr; i++)
		bits[b->features.v[i].feat / 64] |= BIT_ULL(b->features.v[i].feat % 64);
	if (named)
		bits[0] |= BIT_ULL(FEAT_EVENT_DESC);
	put_attrs(b, &attrs);
	bytes_out__u64(out, ABI_FILE_MAGIC);
	bytes_out__u64(out, 104);
	bytes_out__u64(out, entry);
	bytes_out__u64(out, 104);
	bytes_out__u64(out, b->events.nr * entry);
	bytes_out__u64(out, 104 + attrs.buf.nr);
	bytes_out__u64(out, b->data.buf.nr);
	bytes_out__zeros(out, 16);
	bytes_out__put(out, bits, sizeof(bits));
	bytes_out__put(out, attrs.buf.v, attrs.buf.nr);
	bytes_out__put(out, b->data.buf.v, b->data.buf.nr);
	put_features(b, out, named ? &desc : NULL);
	vec__free(&desc.buf);
	vec__free(&attrs.buf);
}

static void put_pipe_feature(struct bytes_out *out, u32 feat, const void *p, size_t size)
{
	struct perf_event_header hdr = {
		.type = USER_RECORD_HEADER_FEATURE,
		.size = sizeof(hdr) + sizeof(u64) + size,
	};

	bytes_out__put(out, &hdr, sizeof(hdr));
	bytes_out__u64(out, feat);
	bytes_out__put(out, p, size);
}

static void pipe_image(const struct builder *b, struct bytes_out *out)
{
	struct bytes_out desc = {};

	bytes_out__u64(out, ABI_FILE_MAGIC);
	bytes_out__u64(out, 16);
	for (size_t i = 0; i < b->events.nr; i++) {
		const struct builder_event *ev = b->events.v[i];
		struct perf_event_header hdr = {
			.type = USER_RECORD_ATTR,
			.size = sizeof(hdr) + sizeof(ev->attr) + ev->ids.nr * sizeof(u64),
		};

		bytes_out__put(out, &hdr, sizeof(hdr));
		bytes_out__put(out, &ev->attr, sizeof(ev->attr));
		bytes_out__put(out, ev->ids.v, ev->ids.nr * sizeof(u64));
	}
	if (describe_events(b, &desc))
		put_pipe_feature(out, FEAT_EVENT_DESC, desc.buf.v, desc.buf.nr);
	for (size_t i = 0; i < b->features.nr; i++)
		put_pipe_feature(out, b->features.v[i].feat, b->features.v[i].data,
				 b->features.v[i].size);
	bytes_out__put(out, b->data.buf.v, b->data.buf.nr);
	vec__free(&desc.buf);
}

void *builder__image(const struct builder *b, bool pipe, size_t *size)
{
	struct bytes_out out = {};

	if (pipe)
		pipe_image(b, &out);
	else
		file_image(b, &out);
	*size = out.buf.nr;
	return out.buf.v;
}

static void save(const struct builder *b, const char *path, bool pipe)
{
	size_t size;
	void *image = builder__image(b, pipe, &size);
	FILE *f = fopen(path, "w");

	if (!f || fwrite(image, 1, size, f) != size || fclose(f))
		TEST_FAIL("cannot write %s: %s", path, strerror(errno));
	free(image);
}

void builder__save(const struct builder *b, const char *path)
{
	save(b, path, false);
}

void builder__save_pipe(const struct builder *b, const char *path)
{
	save(b, path, true);
}
