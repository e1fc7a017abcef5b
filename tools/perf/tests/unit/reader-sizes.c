// SPDX-License-Identifier: GPL-2.0-only
/* Tests of util/data/reader.h: where data end, and how much they are. */
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST(reader_cut_where, "data: where a record is cut off is said")
{
	struct error err = {};
	struct builder *b = few();
	struct record rec = {};
	struct reader *r;
	const u16 size = 4096;
	u64 last = 0;
	char words[64];
	int fd;

	builder__save(b, "perf.data");
	TEST_EQ(reader__open(&r, "perf.data", false, &err), 0);
	while (reader__next(r, &rec))
		last = rec.offset;
	snprintf(words, sizeof(words), "cut off inside a record at offset %" PRIu64, last);
	reader__close(r);
	fd = open("perf.data", O_WRONLY | O_CLOEXEC);
	last += offsetof(struct perf_event_header, size);
	TEST_EQ(pwrite(fd, &size, sizeof(size), last), sizeof(size));
	close(fd);
	TEST_EQ(reader__open(&r, "perf.data", false, &err), 0);
	while (reader__next(r, &rec))
		;
	if (!strstr(reader__account(r)->damage.text, words))
		TEST_FAIL("\"%s\", not \"%s\"", reader__account(r)->damage.text, words);
	reader__close(r);
	builder__free(b);
}

TEST(reader_feature_number, "data: a damaged feature without a name is named by its number")
{
	struct builder *b = few();
	struct error err = {};
	struct reader *r;
	struct stat st;

	builder__feature(b, 99, "unknown", 8);
	builder__save(b, "perf.data");
	TEST_EQ(stat("perf.data", &st), 0);
	TEST_EQ(truncate("perf.data", st.st_size - 1), 0);
	TEST_EQ(reader__open(&r, "perf.data", false, &err), 0);
	if (!strstr(reader__account(r)->damage.text, "feature 99 at"))
		TEST_FAIL("\"%s\"", reader__account(r)->damage.text);
	reader__close(r);
	builder__free(b);
}

TEST(recording_attr_sizes, "data: sizes of an attr that no kernel has had")
{
	static const u32 wrong[] = { 0, 8, 56, 68, 1 << 20, UINT32_MAX & ~7u };
	struct recording *r = recording__new();
	u8 *raw = xzalloc(4096);

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct error err = {};

		TEST_TRUE(!recording__add_event(r, raw, wrong[i], "x", &err));
		TEST_EQ(err.code, -EINVAL);
		TEST_TRUE(strstr(err.text, "impossible attr size"));
	}
	TEST_EQ(r->events.nr, 0);
	free(raw);
	recording__free(r);
}
