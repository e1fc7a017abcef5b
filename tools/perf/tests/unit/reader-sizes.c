// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/data/reader.h: where data end, and how much they are. */
#include <sys/stat.h>

#include "../../util/data/reader.h"
#include "../lib/builder.h"
#include "../test.h"

/* A recording of three records. */
static struct builder *few(void)
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();

	builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	for (u64 time = 1; time <= 3; time++) {
		builder__at(b, 100, 100, 0, time);
		builder__comm(b, "few", false);
	}
	return b;
}

/* Reads @b, whose AUX data is to have @size bytes more than follow it. Returns the records. */
static u32 count_behind_aux(struct builder *b, s64 more, const char *damage)
{
	size_t before, after;
	struct error err = {};
	struct record rec;
	struct reader *r;
	u64 body[5] = {}; /* the size is in front */
	u32 nr = 0;

	builder__data(b, &before);
	builder__record(b, USER_RECORD_AUXTRACE, 0, body, sizeof(body));
	builder__comm(b, "in AUX", false);
	builder__data(b, &after);
	body[0] = after - before - sizeof(rec.hdr[0]) - sizeof(body) + more;
	memcpy((u8 *)(uintptr_t)builder__data(b, &after) + before + sizeof(rec.hdr[0]), body,
	       sizeof(body));
	builder__save(b, "perf.data");
	TEST_EQ(reader__open(&r, "perf.data", false, &err), 0);
	while (reader__next(r, &rec))
		nr++;
	TEST_STR(strstr(reader__account(r)->damage.text, "cut off inside AUX data") ? "cut" : "",
		 damage);
	reader__close(r);
	builder__free(b);
	return nr;
}

TEST(reader_aux_data, "data: AUX data is no records, and does not reach beyond the end")
{
	TEST_EQ(count_behind_aux(few(), 0, ""), 3);
	TEST_EQ(count_behind_aux(few(), 8, "cut"), 3);
	TEST_EQ(count_behind_aux(few(), 1ll << 40, "cut"), 3);
}

TEST(reader_file_size, "data: the bytes of all files do not grow by what is unpacked")
{
	struct error err = {};
	struct builder *b = few();
	struct record rec;
	struct reader *r;
	struct stat st;
	size_t size;

	for (u64 time = 4; time < 1000; time++)
		builder__comm(b, "again and again", false);
	builder__data(b, &size);
	builder__compress(b, 1000, USER_RECORD_COMPRESSED);
	builder__save(b, "perf.data");
	TEST_EQ(stat("perf.data", &st), 0);
	TEST_TRUE((size_t)st.st_size < size);
	TEST_EQ(reader__open(&r, "perf.data", false, &err), 0);
	while (reader__next(r, &rec))
		;
	TEST_EQ(reader__size(r), size);
	TEST_EQ(reader__file_size(r), st.st_size);
	TEST_EQ(reader__held(r), 0); /* it is no stream */
	reader__close(r);
	builder__free(b);
}
