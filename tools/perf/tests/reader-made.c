// SPDX-License-Identifier: GPL-2.0-only
/* The reader on files whose header and attrs are made word by word. */
#include "../util/data/reader.h"
#include "test.h"

enum { HEADER = 13, ATTR = 8, ENTRY = ATTR + 2, SIZE = 8 /* of a word */ };

/* A file of @nr events of raw type and @nr_behind words behind them; all of it is their ids. */
struct made {
	u64 words[64];
	size_t nr;
};

static void made__init(struct made *m, u32 nr, const u64 *behind, size_t nr_behind)
{
	size_t end = HEADER + nr * ENTRY;

	memset(m, 0, sizeof(*m));
	memcpy(m->words, "PERFILE2", 8);
	m->words[1] = m->words[3] = HEADER * SIZE;
	m->words[2] = ENTRY * SIZE;
	m->words[4] = nr * ENTRY * SIZE;
	m->words[5] = end * SIZE; /* the data: none */
	memcpy(m->words + end, behind, nr_behind * SIZE);
	m->nr = end + nr_behind;
	for (u32 i = 0; i < nr; i++) {
		u64 *attr = &m->words[HEADER + i * ENTRY];

		attr[0] = (u64)ATTR * SIZE << 32 | PERF_TYPE_RAW;
		attr[1] = 4711;
		attr[3] = PERF_SAMPLE_IP | PERF_SAMPLE_TIME;
		attr[ATTR + 1] = m->nr * SIZE;
	}
}

static int made__open(const struct made *m, struct reader **r, struct error *err)
{
	FILE *f = fopen("made", "w");

	TEST_TRUE(f && fwrite(m->words, SIZE, m->nr, f) == m->nr && !fclose(f));
	return reader__open(r, "made", false, err);
}

TEST(reader_ids_overlap, "data: ids of all events together are not larger than the file")
{
	struct error err = {};
	struct reader *r;
	struct made m;

	made__init(&m, 1, NULL, 0);
	TEST_EQ(made__open(&m, &r, &err), 0);
	reader__close(r);
	made__init(&m, 2, NULL, 0);
	TEST_EQ(made__open(&m, &r, &err), -EINVAL);
	TEST_TRUE(strstr(err.text, "its ids"));
}

TEST(reader_no_data, "data: a finished recording of nothing, with an empty feature at its end")
{
	const u64 section[] = { (HEADER + ENTRY + 2) * SIZE, 0 };
	struct error err = {};
	struct record rec;
	struct reader *r;
	struct made m;

	made__init(&m, 1, section, ARRAY_SIZE(section));
	m.words[9] = BIT_ULL(FEAT_HOSTNAME);
	TEST_EQ(made__open(&m, &r, &err), 0);
	TEST_TRUE(!reader__account(r)->unfinished);
	TEST_TRUE(!reader__next(r, &rec));
	TEST_EQ(reader__account(r)->damage.code, 0);
	reader__close(r);
}

TEST(reader_swapped_attr, "data: attrs of the other byte order")
{
	struct error err = {};
	const struct perf_event_attr *attr;
	struct reader *r;
	struct made m;

	made__init(&m, 1, NULL, 0);
	for (size_t i = 0; i < m.nr; i++)
		m.words[i] = __builtin_bswap64(m.words[i]);
	/* The first word of an attr is two numbers. */
	m.words[HEADER] = m.words[HEADER] << 32 | m.words[HEADER] >> 32;
	TEST_EQ(made__open(&m, &r, &err), 0);
	TEST_EQ(reader__recording(r)->events.nr, 1);
	attr = &reader__recording(r)->events.v[0]->attr;
	TEST_EQ(attr->type, PERF_TYPE_RAW);
	TEST_EQ(attr->config, 4711);
	TEST_EQ(attr->sample_type, PERF_SAMPLE_IP | PERF_SAMPLE_TIME);
	reader__close(r);
}
