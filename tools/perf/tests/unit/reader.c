// SPDX-License-Identifier: GPL-2.0-only
/* The reader on files and pipes that the builder makes, whole and damaged. */
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/io/mapfile.h"
#include "../../util/data/reader.h"
#include "../lib/builder.h"
#include "../test.h"

static const u64 chain[] = { ABI_CONTEXT_KERNEL, 0xffffffff81000001, ABI_CONTEXT_USER, 0x401000 };

/* A small recording: two events, @nr samples between a COMM and an EXIT. */
static struct builder *demo(u32 nr)
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = builder__new();

	builder__event(b, &a, "cpu-clock", (u64[]){ 11, 12 }, 2);
	a.sample_type |= PERF_SAMPLE_RAW;
	a.type = PERF_TYPE_TRACEPOINT;
	builder__event(b, &a, "sched:sched_switch", (u64[]){ 21, 22 }, 2);
	builder__at(b, 100, 100, 0, 1000);
	builder__comm(b, "demo", true);
	for (u32 i = 0; i < nr; i++) {
		struct sample s = {
			.ip = 0x401000 + i, .period = 1, .chain = chain, .nr_chain = 4,
			.raw = "0123456789ab", .raw_size = 12,
		};

		builder__at(b, 100, 100 + i % 3, i % 2, 2000 + i);
		builder__sample(b, i % 5 == 4, &s);
		if (i % 100 == 99)
			builder__round(b);
	}
	builder__exit(b);
	return b;
}

static void put_file(const char *path, const void *image, size_t size)
{
	FILE *f = fopen(path, "w");

	TEST_TRUE(f && fwrite(image, 1, size, f) == size && !fclose(f));
}

static void feature_string(struct builder *b, u32 feat, const char *text)
{
	struct { u32 len; char text[64]; } s = { .len = 64 };

	memcpy(s.text, text, strlen(text));
	builder__feature(b, feat, &s, sizeof(s));
}

static struct reader *open_ok(const char *path)
{
	struct error err = {};
	struct reader *r;

	if (reader__open(&r, path, false, &err))
		TEST_FAIL("%s: %s", path, err.text);
	return r;
}

static void expect_refused(const char *path, const char *word)
{
	struct error err = {};
	struct reader *r;

	TEST_TRUE(reader__open(&r, path, false, &err) < 0);
	TEST_TRUE(!r && err.code < 0);
	if (!strstr(err.text, word))
		TEST_FAIL("\"%s\" does not say \"%s\"", err.text, word);
}

/* Whether it is said what to do about @path, which cannot be read. */
static bool has_hint(const char *path)
{
	struct error err = {};
	struct reader *r;

	TEST_TRUE(reader__open(&r, path, false, &err) < 0);
	return strchr(err.text, '\n');
}

/* demo(@nr) comes out again, twice, with everything in its place. */
static void expect_demo(struct reader *r, u32 nr)
{
	for (int pass = 0; pass < 2; pass++, reader__rewind(r)) {
		u32 samples = 0, others = 0;
		struct record rec;

		while (reader__next(r, &rec)) {
			struct sample s;

			TEST_EQ((uintptr_t)rec.hdr % 8, 0);
			if (rec.hdr->type != PERF_RECORD_SAMPLE) {
				others++;
				continue;
			}
			TEST_EQ(sample__parse(&s, &rec), 0);
			TEST_EQ(s.ip, 0x401000 + samples);
			TEST_EQ(rec.time, 2000 + samples);
			TEST_EQ(rec.tid, 100 + samples % 3);
			TEST_EQ(rec.event->idx, samples % 5 == 4);
			TEST_TRUE(s.nr_chain == 4 && !memcmp(s.chain, chain, sizeof(chain)));
			samples++;
		}
		TEST_EQ(samples, nr);
		TEST_EQ(others, 2 + nr / 100);
		TEST_EQ(reader__account(r)->records, samples + others);
		TEST_EQ(reader__account(r)->damage.code, 0);
		TEST_EQ(reader__account(r)->malformed, 0);
	}
}

/* Records are where they say. */
static void expect_offsets(struct reader *r, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct perf_event_header hdr;
	struct record rec;

	while (reader__next(r, &rec)) {
		TEST_EQ(pread(fd, &hdr, sizeof(hdr), rec.offset), sizeof(hdr));
		TEST_EQ(memcmp(&hdr, rec.hdr, sizeof(hdr)), 0);
	}
	close(fd);
}

TEST(reader_file, "data: a file: events, names, features, records, and all of it again")
{
	struct builder *b = demo(1000);
	struct recording *rec;
	struct reader *r;

	feature_string(b, FEAT_HOSTNAME, "myhost");
	builder__feature(b, FEAT_NRCPUS, (u32[]){ 8, 4 }, 8);
	builder__feature(b, FEAT_SAMPLE_TIME, (u64[]){ 2000, 2999 }, 16);
	builder__feature(b, 99, "unknown", 8);
	builder__feature(b, 0, "reserved", 8); /* its section is the first one */
	builder__save(b, "perf.data");
	r = open_ok(NULL);
	rec = reader__recording(r);
	TEST_EQ(rec->events.nr, 2);
	TEST_STR(rec->events.v[0]->name, "cpu-clock");
	TEST_STR(rec->events.v[1]->name, "sched:sched_switch");
	TEST_EQ(rec->events.v[1]->ids.v[1], 22);
	TEST_STR(rec->hostname, "myhost");
	TEST_TRUE(rec->nr_cpus_avail == 8 && rec->nr_cpus_online == 4);
	TEST_TRUE(rec->first_sample_time == 2000 && rec->last_sample_time == 2999);
	TEST_TRUE(recording__has(rec, 99) && rec->opaque[99].size == 8);
	TEST_TRUE(!reader__is_pipe(r));
	expect_demo(r, 1000);
	expect_offsets(r, "perf.data");
	reader__close(r);
	builder__free(b);
}

/* A process that writes @image in small pieces to the FIFO "fifo". */
static pid_t trickle(const char *image, size_t size)
{
	pid_t pid = fork();

	if (!pid) {
		int fd = open("fifo", O_WRONLY);

		for (size_t at = 0, n; at < size; at += n) {
			n = min_of((size_t)7 + at % 1000, size - at);
			if (write(fd, image + at, n) != (ssize_t)n)
				_exit(1);
		}
		_exit(0);
	}
	return pid;
}

TEST(reader_pipe, "data: a pipe: stored in a file, and through a FIFO in small pieces")
{
	struct builder *b = demo(1000);
	struct reader *r;
	size_t size;
	char *image;
	pid_t pid;

	feature_string(b, FEAT_HOSTNAME, "myhost");
	builder__save_pipe(b, "pipe.data");
	r = open_ok("pipe.data");
	TEST_TRUE(reader__is_pipe(r));
	TEST_STR(reader__recording(r)->hostname, "myhost");
	TEST_STR(reader__recording(r)->events.v[1]->name, "sched:sched_switch");
	expect_demo(r, 1000);
	reader__close(r);

	TEST_EQ(mkfifo("fifo", 0600), 0);
	image = builder__image(b, true, &size);
	pid = trickle(image, size);
	r = open_ok("fifo");
	expect_demo(r, 1000);
	reader__close(r);
	TEST_EQ(waitpid(pid, NULL, 0), pid);
	free(image);
	builder__free(b);
}

/* The descriptors that the next two open() give. */
static int lowest_fds(void)
{
	int fd = dup(STDERR_FILENO), next = dup(STDERR_FILENO);

	close(fd);
	close(next);
	return fd * 1000 + next;
}

TEST(reader_unpack_stream, "data: what was opened as a stream is unpacked, and closed, later")
{
	struct builder *b = demo(1000);
	struct error err = {};
	struct reader *r;
	size_t size;
	char *image;
	int lowest;
	pid_t pid;

	feature_string(b, FEAT_HOSTNAME, "myhost");
	TEST_EQ(mkfifo("fifo", 0600), 0);
	image = builder__image(b, true, &size);
	pid = trickle(image, size);
	lowest = lowest_fds();
	TEST_EQ(reader__open_live(&r, "fifo", false, &err), 0);
	TEST_TRUE(reader__is_stream(r));
	TEST_EQ(reader__unpack_stream(r, &err), 0);
	TEST_TRUE(!reader__is_stream(r));
	TEST_STR(reader__recording(r)->hostname, "myhost");
	expect_demo(r, 1000);
	reader__close(r);
	TEST_EQ(lowest_fds(), lowest);
	TEST_EQ(waitpid(pid, NULL, 0), pid);
	free(image);
	builder__free(b);
}

/* Chunks cut records in the middle: what is left over belongs to the next one. */
static void compressed(u32 type, size_t chunk, bool pipe)
{
	struct builder *b = demo(1000);
	struct reader *r;

	builder__compress(b, chunk, type);
	if (pipe)
		builder__save_pipe(b, "z.data");
	else
		builder__save(b, "z.data");
	r = open_ok("z.data");
	expect_demo(r, 1000);
	reader__close(r);
	builder__free(b);
}

TEST(reader_compressed, "data: COMPRESSED and COMPRESSED2, records across their borders")
{
	static const size_t chunks[] = { 1, 13, 4096, 50000 };

	for (size_t i = 0; i < ARRAY_SIZE(chunks); i++) {
		compressed(USER_RECORD_COMPRESSED, chunks[i], false);
		compressed(USER_RECORD_COMPRESSED2, chunks[i], false);
		compressed(USER_RECORD_COMPRESSED2, chunks[i], true);
	}
}

TEST(reader_compressed_plain, "data: plain records behind compressed ones, which end anywhere")
{
	struct builder *b = demo(300);
	struct record rec;
	struct reader *r;
	u32 nr = 0;
	size_t size;
	const void *data = builder__data(b, &size);
	void *plain = xmemdup(data, size);

	builder__compress(b, 1000, USER_RECORD_COMPRESSED);
	builder__bytes(b, plain, size);
	builder__save(b, "z.data");
	r = open_ok("z.data");
	while (reader__next(r, &rec))
		nr++;
	TEST_EQ(nr, 2 * 305);
	TEST_EQ(reader__account(r)->damage.code, 0);
	reader__close(r);
	free(plain);
	builder__free(b);
}

/* An EVENT_UPDATE of the event that has @id. */
static void update(struct builder *b, u64 type, u64 id, const void *p, size_t size)
{
	u64 body[8] = { type, id };

	memcpy(body + 2, p, size);
	builder__record(b, USER_RECORD_EVENT_UPDATE, 0, body, 16 + align_up(size, 8));
}

TEST(reader_event_update, "data: EVENT_UPDATE names, units and scales are applied and handed out")
{
	struct builder *b = demo(1);
	struct evsel *ev;
	struct record rec;
	struct reader *r;
	double scale = 0.5;
	u32 nr;

	update(b, 0, 12, "msec", 5);
	update(b, 1, 12, &scale, sizeof(scale));
	update(b, 2, 21, "renamed", 8);
	update(b, 2, 999, "nobody", 7);
	builder__save(b, "file.data");
	builder__save_pipe(b, "pipe.data");
	for (int i = 0; i < 4; i++) {
		if (i % 2 == 0)
			r = open_ok(i ? "pipe.data" : "file.data");
		for (nr = 0; reader__next(r, &rec);)
			nr += rec.hdr->type == USER_RECORD_EVENT_UPDATE;
		TEST_EQ(nr, 4);
		ev = reader__recording(r)->events.v[0];
		TEST_STR(ev->unit, "msec");
		TEST_TRUE(ev->scale == 0.5);
		TEST_STR(reader__recording(r)->events.v[1]->name, "renamed");
		if (i % 2)
			reader__close(r);
		else
			reader__rewind(r);
	}
	builder__free(b);
}

TEST(reader_directory, "data: a directory as perf record --threads makes it")
{
	struct builder *b = demo(0), *part;
	struct record rec;
	struct reader *r;
	u32 nr = 0;

	TEST_EQ(mkdir("dir", 0700), 0);
	builder__save(b, "dir/data");
	for (int i = 0; i < 3; i++) {
		char path[32];
		const void *data;
		size_t size;

		part = demo(100);
		if (i == 1)
			builder__compress(part, 1000, USER_RECORD_COMPRESSED);
		data = builder__data(part, &size);
		snprintf(path, sizeof(path), "dir/data.%d", i);
		put_file(path, data, i == 2 ? size - 8 : size);
		builder__free(part);
	}
	r = open_ok("dir");
	while (reader__next(r, &rec))
		nr++;
	TEST_EQ(nr, 2 + 2 * 103 + 102);
	TEST_TRUE(strstr(reader__account(r)->damage.text, "dir/data.2"));
	reader__close(r);
	TEST_EQ(mkfifo("dir/data.3", 0600), 0);
	expect_refused("dir", "dir/data.3");
	TEST_EQ(unlink("dir/data.3"), 0);
	if (!geteuid()) {
		TEST_EQ(chown("dir/data.1", 1, 1), 0);
		expect_refused("dir", "'dir/data.1' belongs to neither you nor root");
	}
	builder__free(b);
}

TEST(reader_unknown, "data: unknown record types and ids are counted, the rest is read")
{
	struct builder *b = demo(10);
	const struct reader_account *a;
	struct record rec;
	struct reader *r;
	u32 samples = 0, comms = 0, unknown = 0;

	builder__record(b, 50, 0, (u64[]){ 1, 2, 3 }, 24);
	builder__record(b, 200, 0, (u64[]){ 1 }, 8);
	builder__sample(b, 0, &(struct sample){ .id = 4711 });
	builder__record(b, PERF_RECORD_SAMPLE, 0, NULL, 0);
	builder__comm(b, "after", false);
	builder__save(b, "perf.data");
	r = open_ok(NULL);
	while (reader__next(r, &rec)) {
		samples += rec.hdr->type == PERF_RECORD_SAMPLE;
		comms += rec.hdr->type == PERF_RECORD_COMM;
		unknown += rec.hdr->type == 50 || rec.hdr->type == 200;
	}
	a = reader__account(r);
	TEST_EQ(samples, 10);
	TEST_EQ(comms, 2);
	TEST_EQ(unknown, 0);
	TEST_TRUE(a->unknown_types == 2 && a->first_unknown_type == 50);
	TEST_EQ(a->unknown_events, 1);
	TEST_EQ(a->malformed, 1);
	TEST_TRUE(a->first_malformed_offset > 0);
	/* Who copies gets them. */
	reader__keep_unknown(r);
	reader__rewind(r);
	while (reader__next(r, &rec))
		unknown += rec.hdr->type == 50 || rec.hdr->type == 200;
	TEST_EQ(unknown, 2);
	reader__close(r);
	builder__free(b);
}

static u64 *word(void *image, size_t offset)
{
	return (u64 *)((char *)image + offset);
}

TEST(reader_refuses, "data: what is no perf.data, or another kind of it, is refused with words")
{
	struct builder *b = demo(5);
	size_t size;
	char *image = builder__image(b, false, &size);

	expect_refused("nothing-here", "nothing-here");
	TEST_TRUE(!has_hint("nothing-here"));
	TEST_TRUE(has_hint(NULL)); /* perf.data: record one first */
	put_file("empty", "", 0);
	expect_refused("empty", "nothing was recorded");
	put_file("text", "#!/bin/sh\necho hello world\n", 27);
	expect_refused("text", "'text' is not a perf.data file: it does not start with PERFILE2");
	*word(image, 0) = __builtin_bswap64(ABI_FILE_MAGIC); /* but not the rest */
	put_file("swapped", image, size);
	expect_refused("swapped", "header size");
	memcpy(image, "PERFFILE", 8);
	put_file("old", image, size);
	expect_refused("old", "before 2012");
	TEST_EQ(mkdir("dir", 0700), 0);
	expect_refused("dir", "directory");
	free(image);
	builder__free(b);
}

TEST(reader_owner, "data: a recording of another user is read with --force only")
{
	struct builder *b = demo(5);
	struct error err = {};
	struct reader *r;

	if (geteuid())
		TEST_SKIP("only root can give a file away");
	builder__save(b, "perf.data");
	if (chown("perf.data", 4711, 4711))
		TEST_SKIP("this root cannot give a file away");
	expect_refused("perf.data", "belongs to neither");
	TEST_TRUE(has_hint("perf.data"));
	TEST_EQ(reader__open(&r, "perf.data", true, &err), 0);
	expect_demo(r, 5);
	reader__close(r);
	builder__free(b);
}

/* Each field of the header made wrong: refused, or read with what is left. */
TEST(reader_bad_header, "data: impossible sizes and offsets in the header")
{
	struct builder *b = demo(5);
	static const u64 bad[] = { 1, 7, 1ULL << 20, 1ULL << 40, ~0ULL, ~0ULL - 100 };
	size_t size;
	char *image = builder__image(b, false, &size);

	for (size_t at = 8; at < 104; at += 8) {
		for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
			u64 saved = *word(image, at);
			struct error err = {};
			struct reader *r;
			struct record rec;

			*word(image, at) = bad[i];
			put_file("bad", image, size);
			*word(image, at) = saved;
			if (reader__open(&r, "bad", false, &err)) {
				TEST_TRUE(strstr(err.text, "bad"));
				continue;
			}
			while (reader__next(r, &rec))
				;
			reader__close(r);
		}
	}
	free(image);
	builder__free(b);
}

TEST(reader_attr_sizes, "data: attrs of every published size and larger; ids where they are")
{
	static const u32 sizes[] = { 64, 72, 80, 96, 104, 112, 120, 128, 136, 144, 256 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		/* Two forms: the attr fills its entry, or leaves room behind it. */
		for (u32 room = 0; room <= 16; room += 16) {
			struct perf_event_attr a = BUILDER_ATTR;
			u64 entry = sizes[i] + room + 16, ids = 104 + entry;
			struct reader *r;
			char image[1024] = {};

			a.size = sizes[i];
			*word(image, 0) = ABI_FILE_MAGIC;
			*word(image, 8) = 104;
			*word(image, 16) = entry;
			*word(image, 24) = 104;
			*word(image, 32) = entry;
			*word(image, 40) = ids + 16;
			memcpy(image + 104, &a, min_of((size_t)sizes[i], sizeof(a)));
			if (room)
				memset(image + 104 + sizes[i], 0x55, room);
			*word(image, 104 + entry - 16) = ids;
			*word(image, 104 + entry - 8) = 16;
			*word(image, ids) = 31;
			*word(image, ids + 8) = 32;
			put_file("sizes", image, ids + 16);
			r = open_ok("sizes");
			TEST_EQ(reader__recording(r)->events.nr, 1);
			TEST_EQ(reader__recording(r)->events.v[0]->raw_size, sizes[i]);
			TEST_EQ(reader__recording(r)->events.v[0]->ids.nr, 2);
			TEST_EQ(reader__recording(r)->events.v[0]->ids.v[1], 32);
			reader__close(r);
		}
	}
}

static void check_unfinished(bool with_feature_bits)
{
	struct builder *b = demo(50);
	struct record rec;
	struct reader *r;
	u32 nr = 0;
	size_t size;
	char *image = builder__image(b, false, &size);
	u64 data = *word(image, 40), data_size = *word(image, 48);

	*word(image, 48) = 0;
	memset(image + 72, 0, 32);
	if (with_feature_bits)
		*word(image, 72) = 1 << FEAT_HOSTNAME | 1 << FEAT_BUILD_ID;
	put_file("killed", image, data + data_size - 20);
	r = open_ok("killed");
	while (reader__next(r, &rec))
		nr++;
	TEST_EQ(nr, 51);
	TEST_TRUE(reader__account(r)->unfinished);
	TEST_TRUE(reader__account(r)->damage.code);
	TEST_TRUE(strstr(reader__account(r)->damage.text, "killed"));
	TEST_TRUE(reader__account(r)->bytes_unread > 0);
	reader__close(r);
	free(image);
	builder__free(b);
}

TEST(reader_unfinished, "data: a file of a killed recorder is read to its end")
{
	check_unfinished(false);
	check_unfinished(true); /* as Linux perf leaves it */
}

TEST(reader_resync, "data: behind damage reading goes on at the next records that make sense")
{
	struct builder *b = demo(1000);
	const struct reader_account *a;
	struct perf_event_header *hdr;
	u32 nr = 0, damaged = 0;
	struct record rec;
	struct reader *r;
	size_t size;
	char *image = builder__image(b, false, &size);
	u64 at = *word(image, 40), end = at + *word(image, 48), lost = 0;

	/* Every hundredth record loses its size or its type. */
	while (at < end) {
		u16 real;

		hdr = (void *)(image + at);
		real = hdr->size;
		if (nr++ % 100 == 50) {
			if (damaged++ % 2)
				hdr->type |= 1 << 20;
			else
				hdr->size = 0;
			lost += real;
		}
		at += real;
	}
	put_file("damaged", image, size);
	r = open_ok("damaged");
	while (reader__next(r, &rec))
		;
	a = reader__account(r);
	TEST_EQ(a->records, nr - damaged);
	TEST_EQ(a->bytes_unread, lost);
	TEST_TRUE(strstr(a->damage.text, "were skipped"));
	reader__close(r);
	free(image);
	builder__free(b);
}

/* Opens and reads all of it in every way there is; it must not crash or hang. */
static void survive(const char *path)
{
	struct record rec;
	struct reader *r;
	u64 nr = 0;

	if (reader__open(&r, path, false, NULL))
		return;
	for (int pass = 0; pass < 2; pass++, reader__rewind(r)) {
		while (reader__next(r, &rec)) {
			struct sample s;
			struct mmap_record m;
			struct comm_record c;
			struct task_record t;
			struct deferred_record d;

			TEST_TRUE(nr++ < 100000);
			sample__parse(&s, &rec);
			record__mmap(&rec, &m);
			record__comm(&rec, &c);
			record__task(&rec, &t);
			record__deferred(&rec, &d);
		}
	}
	reader__close(r);
}

/* An image with something of everything in it. */
static void *everything(bool pipe, bool packed, size_t *size)
{
	struct builder *b = demo(6);
	void *image;

	builder__mmap2(b, &(struct mmap_record){ .start = 0x1000, .len = 0x1000,
						 .filename = "/bin/true" });
	builder__deferred(b, 7, chain, 2);
	builder__lost(b, 3);
	feature_string(b, FEAT_HOSTNAME, "myhost");
	builder__feature(b, FEAT_NRCPUS, (u32[]){ 8, 4 }, 8);
	builder__feature(b, FEAT_TRACING_DATA, "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0", 20);
	if (packed)
		builder__compress(b, 200, USER_RECORD_COMPRESSED2);
	image = builder__image(b, pipe, size);
	builder__free(b);
	return image;
}

static void cut_everywhere(bool pipe, bool packed)
{
	size_t size;
	char *image = everything(pipe, packed, &size);

	put_file("cut", image, size);
	for (size_t cut = size - 1; cut < size; cut -= test__share(11)) {
		TEST_EQ(truncate("cut", cut), 0);
		survive("cut");
	}
	free(image);
}

TEST_LIMIT(reader_cut, "data: files and pipes cut at every offset", 120)
{
	for (int i = 0; i < 4; i++)
		cut_everywhere(i & 1, i & 2);
}

static void flip_everywhere(bool pipe, bool packed)
{
	size_t size;
	u8 *image = everything(pipe, packed, &size);
	int fd;

	put_file("flip", image, size);
	fd = open("flip", O_WRONLY);
	TEST_TRUE(fd >= 0);
	for (size_t bit = 0; bit < size * 8; bit += test__share(23)) {
		u8 byte = image[bit / 8] ^ 1 << bit % 8;

		TEST_EQ(pwrite(fd, &byte, 1, bit / 8), 1);
		survive("flip");
		TEST_EQ(pwrite(fd, &image[bit / 8], 1, bit / 8), 1);
	}
	close(fd);
	free(image);
}

TEST_LIMIT(reader_flip, "data: files and pipes with every single bit flipped", 240)
{
	for (int i = 0; i < 4; i++)
		flip_everywhere(i & 1, i & 2);
}

/* What is taken from a stream as it comes and released at once must not pile up behind it. */
static void expect_bounded_stream(const struct builder *b)
{
	struct error err = {};
	struct record rec;
	struct reader *r;
	size_t size;
	char *image = builder__image(b, true, &size);
	u64 nr = 0;
	pid_t pid;

	TEST_EQ(mkfifo("stream", 0600), 0);
	pid = fork();
	if (!pid) {
		int fd = open("stream", O_WRONLY);

		signal(SIGPIPE, SIG_DFL);
		_exit(write(fd, image, size) == (ssize_t)size ? 0 : 1);
	}
	TEST_EQ(reader__open_live(&r, "stream", false, &err), 0);
	for (; nr < 2000 && reader__next(r, &rec); nr++) {
		TEST_TRUE(reader__held(r) < 1 << 20);
		reader__release(&rec);
	}
	TEST_TRUE(nr > 1000);
	TEST_EQ(reader__account(r)->records, nr);
	reader__close(r);
	TEST_EQ(waitpid(pid, NULL, 0), pid);
	free(image);
}

TEST(reader_bomb, "data: compressed data that swells without end does not fill the disk")
{
	struct builder *b = demo(1);
	const struct reader_account *a;
	struct record rec;
	struct reader *r;
	size_t size = 200 << 20, at;
	char *zeros = xzalloc(size);
	struct perf_event_header *hdr;

	/* Lawful records of nothing, 600 MB of them in some kilobytes. */
	for (at = 0; at + 65528 <= size; at += 65528) {
		hdr = (void *)(zeros + at);
		*hdr = (struct perf_event_header){ .type = USER_RECORD_ID_INDEX, .size = 65528 };
	}
	for (int i = 0; i < 3; i++) {
		builder__bytes(b, zeros, at);
		builder__compress(b, 8 << 20, USER_RECORD_COMPRESSED2);
	}
	free(zeros);
	builder__save(b, "bomb");
	r = open_ok("bomb");
	while (reader__next(r, &rec))
		;
	a = reader__account(r);
	TEST_TRUE(strstr(a->damage.text, "2048-fold"));
	TEST_TRUE(a->records > 1000);
	reader__close(r);
	expect_bounded_stream(b);
	builder__free(b);
}

TEST(reader_shrinks, "data: a file that shrinks while it is read")
{
	struct builder *b = demo(5000);
	struct record rec;
	struct reader *r;
	u32 nr = 0;

	mapfile__init();
	builder__save(b, "perf.data");
	r = open_ok("perf.data");
	TEST_TRUE(reader__next(r, &rec));
	TEST_EQ(truncate("perf.data", 100000), 0);
	while (reader__next(r, &rec))
		nr++;
	TEST_TRUE(nr > 500 && nr < 5000);
	TEST_TRUE(strstr(reader__account(r)->damage.text, "shrank"));
	reader__close(r);
	builder__free(b);
}

TEST(reader_no_room, "data: no place for the temporary file is an error with words")
{
	struct builder *b = demo(100);
	struct record rec;
	struct reader *r;

	builder__save_pipe(b, "pipe.data");
	builder__compress(b, 1000, USER_RECORD_COMPRESSED);
	builder__save(b, "perf.data");
	setenv("TMPDIR", "/nowhere/at/all", 1);
	expect_refused("pipe.data", "TMPDIR");
	r = open_ok("perf.data");
	while (reader__next(r, &rec))
		;
	TEST_TRUE(strstr(reader__account(r)->damage.text, "TMPDIR"));
	TEST_TRUE(reader__account(r)->bytes_unread > 0);
	reader__close(r);
	builder__free(b);
}
