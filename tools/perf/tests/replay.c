// SPDX-License-Identifier: GPL-2.0-only
#include "replay.h"

#include "test.h"

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

int replay__run(struct pipeline *p, struct reader *r)
{
	struct record rec;
	u64 nr_out = 0;
	int ret = 0;

	pipeline__on_release(p, destroy, &nr_out);
	while (!ret && reader__next(r, &rec) > 0) {
		if (rec.hdr->type == USER_RECORD_FINISHED_ROUND) {
			ret = pipeline__round(p);
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
