// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../../util/data/side-data.h"
#include "../test.h"

#define OTHER_KIND 77

struct made {
	union {
		struct perf_event_header hdr;
		u8 bytes[512];
	};
	struct perf_event_attr attr;
	struct recording *recording;
	struct sample s;
};

/* A sample of 24 bytes, of an event with side data. */
static void begin(struct made *m)
{
	const struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE, .size = 24 };
	const u32 tid[] = { 7, 8 };

	*m = (struct made){ .recording = recording__new() };
	m->attr.size = sizeof(m->attr);
	m->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	attr__add_side_data(&m->attr);
	TEST_TRUE(attr__has_side_data(&m->attr));
	TEST_TRUE(recording__add_event(m->recording, &m->attr, sizeof(m->attr), "e", NULL));
	m->hdr = hdr;
	memcpy(m->bytes + 16, tid, sizeof(tid));
}

static void parse(struct made *m)
{
	struct record rec = { .hdr = &m->hdr };

	TEST_EQ(record__identify(&rec, m->recording), 0);
	TEST_EQ(sample__parse(&m->s, &rec), 0);
}

static void add(struct made *m, enum side_kind kind, const char *text)
{
	int size;

	parse(m);
	size = side_data__add(&m->hdr, sizeof(m->bytes), m->s.aux_size, kind, text, strlen(text));
	TEST_EQ(size, m->hdr.size);
	TEST_EQ(size % 8, 0);
}

static bool has(const struct made *m, enum side_kind kind, const char *text)
{
	struct cursor c;

	return side_data__find(&m->s, kind, &c) && c.len == strlen(text) &&
	       !memcmp(c.data, text, c.len);
}

TEST(side_data_items, "side data: items of several writers are found, in any order and size")
{
	struct made m;

	begin(&m);
	TEST_EQ(side_data__begin(&m.hdr, sizeof(m.bytes)), 32);
	parse(&m);
	TEST_TRUE(!has(&m, SIDE_ACTIVITY, ""));
	add(&m, OTHER_KIND, "other");
	add(&m, SIDE_ACTIVITY, "activity id");
	add(&m, OTHER_KIND + 1, "");
	parse(&m);
	TEST_EQ(m.s.tid, 8);
	TEST_TRUE(has(&m, SIDE_ACTIVITY, "activity id"));
	TEST_TRUE(has(&m, OTHER_KIND, "other"));
	TEST_TRUE(has(&m, OTHER_KIND + 1, ""));
	TEST_TRUE(!has(&m, OTHER_KIND + 2, ""));
	recording__free(m.recording);
}

TEST(side_data_full, "side data: a record that would be too large stays as it was")
{
	struct made m;

	begin(&m);
	TEST_EQ(side_data__begin(&m.hdr, 31), -ENOSPC);
	TEST_EQ(side_data__begin(&m.hdr, 32), 32);
	TEST_EQ(side_data__add(&m.hdr, 47, 0, SIDE_ACTIVITY, "12345678", 8), -ENOSPC);
	TEST_EQ(side_data__add(&m.hdr, 48, 0, SIDE_ACTIVITY, "12345678", 8), 48);
	TEST_EQ(side_data__add(&m.hdr, 512, 999, SIDE_ACTIVITY, "", 0), -ENOSPC);
	TEST_EQ(m.hdr.size, 48);
	parse(&m);
	TEST_TRUE(has(&m, SIDE_ACTIVITY, "12345678"));
	recording__free(m.recording);
}

TEST(side_data_damaged, "side data: damaged items end the search, of either byte order")
{
	const u32 kind = SIDE_DATA_MAGIC << 16 | SIDE_ACTIVITY;
	u32 words[] = { __builtin_bswap32(kind), __builtin_bswap32(4), __builtin_bswap32(0x123), 0,
			__builtin_bswap32(kind + 1), __builtin_bswap32(1u << 31) };
	struct sample s = { .aux = words, .aux_size = sizeof(words) };
	struct cursor c;

	TEST_TRUE(side_data__find(&s, SIDE_ACTIVITY, &c));
	TEST_EQ(cursor__u32(&c), 0x123);
	TEST_TRUE(!side_data__find(&s, SIDE_ACTIVITY + 1, &c));
	words[0] = 1;
	TEST_TRUE(!side_data__find(&s, SIDE_ACTIVITY, &c));
	for (s.aux_size = 0; s.aux_size < sizeof(words); s.aux_size++)
		side_data__find(&s, SIDE_ACTIVITY + 1, &c);
}
