// SPDX-License-Identifier: GPL-2.0-only
/*
 * What is written of a recording, plain and compressed, is read again as it was. An input is the
 * recording.
 */
#include "../../util/data/writer.h"
#include "recording.h"

/* Records in their order; those of the format itself (types of user space) are the writer's. */
static int write_records(struct writer *w, struct reader *r, u64 *nr)
{
	struct record rec;
	int ret = 0;

	while (!ret && reader__next(r, &rec) > 0) {
		if (rec.hdr->type >= USER_RECORD_FIRST)
			continue;
		ret = writer__write(w, rec.hdr, rec.hdr->size, NULL);
		++*nr;
	}
	return ret;
}

static void compare(struct reader *a, struct reader *b, u64 nr)
{
	struct record x, y;

	FUZZ_TRUE(reader__recording(a)->events.nr == reader__recording(b)->events.nr);
	reader__rewind(a);
	while (reader__next(a, &x) > 0) {
		if (x.hdr->type >= USER_RECORD_FIRST)
			continue;
		do {
			FUZZ_TRUE(reader__next(b, &y) > 0);
		} while (y.hdr->type >= USER_RECORD_FIRST);
		FUZZ_TRUE(x.hdr->size == y.hdr->size && !memcmp(x.hdr, y.hdr, x.hdr->size));
		FUZZ_TRUE(x.time == y.time && x.pid == y.pid && x.tid == y.tid && x.cpu == y.cpu);
		nr--;
	}
	FUZZ_TRUE(!nr);
	FUZZ_TRUE(!reader__account(b)->bytes_unread && !reader__account(b)->damage.code);
}

static void copy_as(struct reader *r, int comp_level)
{
	int fd = fuzz__fd("", 0);
	struct fuzz_path path = fuzz__path(fd);
	struct writer_opts opts = { .path = path.name, .comp_level = comp_level };
	struct recording *rec = recording__copy(reader__recording(r), NULL, NULL);
	struct reader *again;
	struct writer *w;
	u64 nr = 0;

	if (fd >= 0 && !writer__open(&w, &opts, rec, NULL)) {
		FUZZ_TRUE(!write_records(w, r, &nr) && !writer__finish(w, NULL));
		FUZZ_TRUE(!reader__open(&again, path.name, true, NULL));
		reader__keep_unknown(again);
		compare(r, again, nr);
		reader__close(again);
	}
	recording__free(rec);
	close(fd);
}

static void copy(struct reader *r)
{
	reader__keep_unknown(r);
	copy_as(r, 0);
	reader__rewind(r);
	copy_as(r, COMP_LEVEL_FITTED);
}

FUZZ_TARGET(copy, "recordings that are written as they were read")
{
	fuzz__read(data, size, copy);
}
