// SPDX-License-Identifier: GPL-2.0-only
/* The reader on files whose header and attrs are made word by word. */
#include <unistd.h>

#include "../../util/data/reader.h"
#include "../lib/builder.h"
#include "../test.h"

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
	m->words[0] = ABI_FILE_MAGIC;
	m->words[1] = m->words[3] = HEADER * SIZE;
	m->words[2] = ENTRY * SIZE;
	m->words[4] = nr * ENTRY * SIZE;
	m->words[5] = end * SIZE; /* the data: none */
	if (nr_behind)
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

TEST(reader_unpack_cut, "data: a stream that ends inside a record says so when it is unpacked")
{
	struct builder *b = builder__new();
	struct error err = {};
	struct reader *r;
	size_t size;
	char *image;
	int fds[2];

	builder__event(b, &BUILDER_ATTR, "cpu-clock", (u64[]){ 11 }, 1);
	for (u32 i = 0; i < 100; i++) /* not at its beginning, which is read when it is opened */
		builder__comm(b, "demo", true);
	image = builder__image(b, true, &size);
	for (size_t cut = 0; cut <= 8; cut += 8) {
		TEST_EQ(pipe(fds), 0);
		TEST_EQ(write(fds[1], image, size - cut), size - cut);
		TEST_EQ(dup2(fds[0], STDIN_FILENO), STDIN_FILENO);
		close(fds[0]);
		close(fds[1]);
		TEST_EQ(reader__open_live(&r, "-", false, &err), 0);
		TEST_EQ(reader__unpack_stream(r, &err), 0);
		TEST_EQ(!!reader__account(r)->damage.code, !!cut);
		reader__close(r);
	}
	free(image);
	builder__free(b);
}

/* What is behind the data is the table of a single section, of feature @feat. */
static bool is_unfinished(u32 feat, const u64 section[2])
{
	struct error err = {};
	struct reader *r;
	struct made m;
	bool ret;

	made__init(&m, 1, section, 2);
	m.words[9 + feat / 64] = BIT_ULL(feat % 64);
	TEST_EQ(made__open(&m, &r, &err), 0);
	ret = reader__account(r)->unfinished;
	reader__close(r);
	return ret;
}

TEST(reader_one_feature, "data: a recording of nothing is finished if one feature is behind it")
{
	const u64 table = (HEADER + ENTRY) * SIZE;

	for (u32 feat = 0; feat < FEAT_LAST; feat++)
		TEST_TRUE(!is_unfinished(feat, (u64[]){ table + 2 * SIZE, 0 }));
	/* A section is behind the table, and in the file. */
	TEST_TRUE(is_unfinished(FEAT_HOSTNAME, (u64[]){ 0, 0 }));
	TEST_TRUE(is_unfinished(FEAT_HOSTNAME, (u64[]){ table, 2 * SIZE }));
	TEST_TRUE(is_unfinished(FEAT_HOSTNAME, (u64[]){ table + 2 * SIZE, 1 }));
}

TEST(reader_swapped_features, "data: feature bits of the other byte order, in words of 32 or 64")
{
	const u64 behind[] = { (HEADER + ENTRY + 2) * SIZE, 12, 0, 0 };

	for (u32 bits = 32; bits <= 64; bits += 32) {
		struct error err = {};
		struct reader *r;
		struct made m;

		made__init(&m, 1, behind, ARRAY_SIZE(behind));
		m.words[HEADER + ATTR + 1] = 0; /* no ids */
		m.words[9] = (u64)BIT_ULL(FEAT_HOSTNAME) << (64 - bits);
		for (size_t i = 0; i < m.nr; i++)
			m.words[i] = __builtin_bswap64(m.words[i]);
		m.words[HEADER] = m.words[HEADER] << 32 | m.words[HEADER] >> 32;
		memcpy(&m.words[m.nr - 2], "\0\0\0\10myhost\0\0", 12);
		TEST_EQ(made__open(&m, &r, &err), 0);
		TEST_STR(reader__recording(r)->hostname, "myhost");
		TEST_EQ(reader__account(r)->damage.code, 0);
		TEST_TRUE(!recording__has(reader__recording(r), 32 + FEAT_HOSTNAME));
		reader__close(r);
	}
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

/* An EVENT_UPDATE of the event that has @id. */
static void update(struct builder *b, u64 type, u64 id, const char *text, size_t size)
{
	u64 body[8] = { type, id };

	if (size)
		memcpy(body + 2, text, size);
	builder__record(b, USER_RECORD_EVENT_UPDATE, 0, body, 16 + align_up(size, 8));
}

/* Names without an end, a scale without all of its bytes, and no event; also of an unknown one. */
TEST(reader_event_update_bad, "data: a malformed EVENT_UPDATE is counted, and not handed out")
{
	struct builder *b = builder__new();
	struct error err = {};
	struct record rec;
	struct reader *r;
	u32 nr;

	builder__event(b, &BUILDER_ATTR, "cpu-clock", (u64[]){ 12 }, 1);
	update(b, 2, 12, "good", 5);
	update(b, 0, 12, "unending", 8);
	update(b, 2, 12, "unending", 8);
	update(b, 2, 999, "unending", 8);
	update(b, 1, 12, NULL, 0);
	builder__record(b, USER_RECORD_EVENT_UPDATE, 0, &(u64){ 3 }, 8);
	builder__save(b, "file.data");
	builder__save_pipe(b, "pipe.data");
	for (int i = 0; i < 4; i++) {
		if (i % 2 == 0)
			TEST_EQ(reader__open(&r, i ? "pipe.data" : "file.data", false, &err), 0);
		for (nr = 0; reader__next(r, &rec);)
			nr += rec.hdr->type == USER_RECORD_EVENT_UPDATE;
		TEST_EQ(nr, 1);
		TEST_EQ(reader__account(r)->malformed, i < 2 ? 5 : 0);
		TEST_EQ(!!reader__account(r)->damage.code, i >= 2);
		TEST_STR(reader__recording(r)->events.v[0]->name, "good");
		TEST_TRUE(!reader__recording(r)->events.v[0]->unit);
		if (i % 2)
			reader__close(r);
		else
			reader__rewind(r);
	}
	builder__free(b);
}

TEST(reader_dense, "data: samples that differ in little but their time may swell a thousandfold")
{
	enum { ROUNDS = 8, EACH = 600 }; /* 310 MB */
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new();
	u64 *chain = xcalloc(8100, sizeof(*chain));
	const struct reader_account *a;
	struct record rec;
	struct reader *r;
	u32 nr = 0;

	builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	for (u32 i = 0; i < ROUNDS * EACH; i++) {
		builder__at(b, 7, 7, 0, 1000000 + i * 250000ull);
		builder__sample(b, 0, &(struct sample){ .chain = chain, .nr_chain = 8100 });
		if (i % EACH == EACH - 1)
			builder__compress(b, 8 << 20, USER_RECORD_COMPRESSED2);
	}
	free(chain);
	builder__save(b, "dense");
	builder__free(b);
	TEST_EQ(reader__open(&r, "dense", false, NULL), 0);
	while (reader__next(r, &rec))
		nr += rec.tid == 7;
	a = reader__account(r);
	if (a->damage.code)
		TEST_FAIL("%s", a->damage.text);
	TEST_EQ(nr, ROUNDS * EACH);
	reader__close(r);
}

/* The offsets of all records. Returns how many. */
static u32 offsets(struct reader *r, u64 *v, u32 max)
{
	struct record rec;
	u32 nr = 0;

	while (reader__next(r, &rec)) {
		TEST_TRUE(nr < max);
		v[nr++] = rec.offset;
	}
	reader__rewind(r);
	return nr;
}

/* What looks like a record, and ends where the first one begins that is not aligned. */
TEST(reader_resync_again, "data: behind damage the same records are read in each pass")
{
	struct perf_event_header bad[2] = { { 5000, 0, sizeof(bad) } }, decoy = { 9, 2, 8 };
	struct perf_event_header odd[2] = { { PERF_RECORD_COMM, 0, 9 } };
	struct perf_event_attr attr = BUILDER_ATTR;
	struct builder *b = builder__new(), *inner = builder__new();
	u64 first[10], again[10];
	struct reader *r;
	size_t size;
	const void *samples;

	builder__event(b, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	builder__event(inner, &attr, "cpu-clock", (u64[]){ 11 }, 1);
	for (u32 i = 0; i < 6; i++) {
		builder__at(inner, 1, 1, 0, 100 + i);
		builder__sample(inner, 0, &(struct sample){ .ip = 0x1000 });
	}
	samples = builder__data(inner, &size);
	decoy.size += size;
	builder__bytes(b, bad, sizeof(bad));
	builder__bytes(b, &decoy, sizeof(decoy));
	builder__bytes(b, samples, size);
	builder__bytes(b, odd, sizeof(odd));
	builder__save(b, "perf.data");
	TEST_EQ(reader__open(&r, "perf.data", false, NULL), 0);
	TEST_EQ(offsets(r, first, 10), 6);
	TEST_EQ(offsets(r, again, 10), 6);
	TEST_EQ(memcmp(first, again, 6 * sizeof(*first)), 0);
	reader__close(r);
	builder__free(b);
	builder__free(inner);
}
