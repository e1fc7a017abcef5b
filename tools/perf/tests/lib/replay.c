// SPDX-License-Identifier: GPL-2.0-only
#include "replay.h"

#include "../../util/base/hash.h"
#include "../test.h"

static void destroy(void *ctx, struct record *rec)
{
	u64 *nr_out = ctx;

	--*nr_out;
	memset(rec->owner, 0xa5, ((struct perf_event_header *)rec->owner)->size);
	free(rec->owner);
}

static int push_copy(struct pipeline *p, const struct record *rec)
{
	struct record copy = *rec;

	copy.owner = xmemdup(rec->hdr, rec->hdr->size);
	copy.hdr = copy.owner;
	return pipeline__push(p, &copy);
}

int replay__run(struct pipeline *p, struct reader *r, u32 file_rounds)
{
	u32 rounds = 0;
	struct record rec;
	u64 nr_out = 0;
	int ret = 0;

	pipeline__on_release(p, destroy, &nr_out);
	while (!ret && reader__next(r, &rec)) {
		if (rec.hdr->type == USER_RECORD_FINISHED_ROUND) {
			ret = pipeline__round(p);
			if (!ret && file_rounds && !(++rounds % file_rounds))
				ret = pipeline__flush_waiting(p);
			continue;
		}
		nr_out++;
		ret = push_copy(p, &rec);
	}
	if (!ret)
		ret = pipeline__finish(p);
	TEST_TRUE(ret || !nr_out);
	return ret;
}

static int log_sample(void *ctx, const struct whole_sample *ws)
{
	struct sample_log *log = ctx;
	u64 h = hash_mix(ws->rec->time) + hash_mix(ws->s->ip) * 3 + ws->rec->tid;

	for (u64 i = 0; i < ws->nr_chain; i++)
		h = hash_mix(h ^ ws->chain[i]);
	if (ws->nr_user)
		h = hash_mix(h ^ ABI_CONTEXT_USER);
	for (u64 i = 0; i < ws->nr_user; i++)
		h = hash_mix(h ^ ws->user[i]);
	*vec__push(&log->v) = h;
	return 0;
}

struct sink sample_log__sink(struct sample_log *log)
{
	return (struct sink){ .sample = log_sample, .ctx = log };
}

static int u64_cmp(const void *a, const void *b)
{
	const u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

void sample_log__forget_order(struct sample_log *log)
{
	qsort(log->v.v, log->v.nr, sizeof(*log->v.v), u64_cmp);
}

void sample_log__expect_same(const struct sample_log *a, const struct sample_log *b)
{
	TEST_EQ(a->v.nr, b->v.nr);
	for (size_t i = 0; i < a->v.nr; i++)
		if (a->v.v[i] != b->v.v[i])
			TEST_FAIL("sample %zu is another one", i);
}
