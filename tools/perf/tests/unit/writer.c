// SPDX-License-Identifier: GPL-2.0-only
/* The writer: what it writes is read again, byte for byte, by the reader. */
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/base/hash.h"
#include "../../util/data/bytes-out.h"
#include "../../util/data/machine-info.h"
#include "../../util/data/reader.h"
#include "../../util/data/writer.h"
#include "../lib/builder.h"
#include "../test.h"

/* Records of many sizes, from 8 bytes to the largest, with contents that do not shrink much. */
static struct builder *varied(u32 nr, u32 max_chain)
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = builder__new();
	u64 *chain = xcalloc(max_chain + 1, sizeof(*chain));

	builder__event(b, &a, "cpu-clock", (u64[]){ 11, 12, 13 }, 3);
	builder__event(b, &a, "sched:sched_switch", (u64[]){ 21 }, 1);
	for (u32 i = 0; i < nr; i++) {
		u64 len = hash_mix(i) % (max_chain + 1);

		for (u64 k = 0; k < len; k++)
			chain[k] = hash_mix(i * 1000 + k) >> 8;
		builder__at(b, 1, 1 + i % 4, i % 2, 100 + i);
		builder__sample(b, i % 3 == 0, &(struct sample){ .chain = chain, .nr_chain = len });
		if (i % 50 == 0)
			builder__round(b);
	}
	free(chain);
	return b;
}

static struct recording *describe(struct builder *b)
{
	struct recording *r = builder__recording(b);
	const char *argv[] = { "perf", "record", "--", "sleep 1" };

	recording__describe_machine(r);
	recording__set_cmdline(r, ARRAY_SIZE(argv), argv);
	r->first_sample_time = 100;
	r->last_sample_time = 5000;
	recording__set(r, FEAT_SAMPLE_TIME);
	r->clockid_res_ns = 1;
	recording__set(r, FEAT_CLOCKID);
	*vec__push(&r->build_ids) = (struct data_build_id){
		.misc = 2, .pid = -1, .id = { .size = 8, .data = { 1, 2, 3, 4, 5, 6, 7, 8 } },
		.path = "/usr/lib/x86_64-linux-gnu/libc.so.6",
	};
	recording__set(r, FEAT_BUILD_ID);
	r->tracing_data = xmemdup("\x17\x08\x44tracing0.6\0", 14);
	r->tracing_data_size = 14;
	recording__set(r, FEAT_TRACING_DATA);
	r->opaque[FEAT_GROUP_DESC].data = xmemdup("groups..", 8);
	r->opaque[FEAT_GROUP_DESC].size = 8;
	recording__set(r, FEAT_GROUP_DESC);
	return r;
}

static struct writer *open_ok(struct recording *r, const char *path, int level)
{
	struct writer_opts opts = { .path = path, .comp_level = level };
	struct error err = {};
	struct writer *w;

	if (writer__open(&w, &opts, r, &err))
		TEST_FAIL("%s", err.text);
	return w;
}

/* Record by record, or all at once. */
static void write_all(struct writer *w, struct builder *b, bool at_once)
{
	struct error err = {};
	size_t size, pos = 0;
	const u8 *data = builder__data(b, &size);

	while (pos < size) {
		const struct perf_event_header *hdr = (const void *)(data + pos);
		size_t n = at_once ? size : hdr->size;

		if (writer__write(w, hdr, n, &err))
			TEST_FAIL("%s", err.text);
		pos += n;
	}
}

static void expect_features(const struct recording *a, const struct recording *b, bool pipe)
{
	TEST_STR(a->hostname, b->hostname);
	TEST_STR(a->osrelease, b->osrelease);
	TEST_STR(a->version, b->version);
	TEST_STR(a->arch, b->arch);
	TEST_EQ(a->nr_cpus_avail, b->nr_cpus_avail);
	TEST_EQ(a->nr_cpus_online, b->nr_cpus_online);
	TEST_EQ(a->total_mem_kb, b->total_mem_kb);
	TEST_EQ(a->cmdline.nr, 4);
	TEST_STR(a->cmdline.v[3], "sleep 1");
	TEST_EQ(a->last_sample_time, 5000);
	TEST_EQ(a->clockid_res_ns, 1);
	TEST_EQ(a->build_ids.nr, 1);
	TEST_TRUE(a->build_ids.v[0].id.size == 8 && a->build_ids.v[0].id.data[7] == 8);
	TEST_TRUE(a->build_ids.v[0].misc == 2 && a->build_ids.v[0].pid == -1);
	TEST_STR(a->build_ids.v[0].path, b->build_ids.v[0].path);
	TEST_EQ(a->tracing_data_size, pipe ? 16 : 14);
	TEST_TRUE(!memcmp(a->tracing_data, b->tracing_data, 14));
	TEST_EQ(a->opaque[FEAT_GROUP_DESC].size, 8);
}

static void expect_same(const char *path, struct builder *b, struct recording *want, bool pipe)
{
	size_t size, pos = 0;
	const u8 *data = builder__data(b, &size);
	struct error err = {};
	struct recording *r;
	struct reader *rd;
	struct record rec;

	if (reader__open(&rd, path, false, &err))
		TEST_FAIL("%s", err.text);
	r = reader__recording(rd);
	TEST_EQ(r->events.nr, want->events.nr);
	for (size_t i = 0; i < r->events.nr; i++) {
		struct perf_event_attr attr = want->events.v[i]->attr;

		attr.size = pipe ? 128 : attr_bytes__min_size(&attr, sizeof(attr));
		TEST_STR(r->events.v[i]->name, want->events.v[i]->name);
		TEST_EQ(r->events.v[i]->raw_size, attr.size);
		TEST_TRUE(!memcmp(&r->events.v[i]->attr, &attr, sizeof(attr)));
		TEST_EQ(r->events.v[i]->ids.nr, want->events.v[i]->ids.nr);
	}
	expect_features(r, want, pipe);
	while (reader__next(rd, &rec)) {
		TEST_TRUE(!memcmp(rec.hdr, data + pos, rec.hdr->size));
		pos += rec.hdr->size;
	}
	TEST_EQ(pos, size);
	TEST_EQ(reader__account(rd)->damage.code, 0);
	reader__close(rd);
}

/* Words 7 and 8 of the header were a section of names once, in which readers may still look. */
static void expect_no_event_types(const char *path)
{
	u64 words[9] = {};
	FILE *f = fopen(path, "r");

	TEST_TRUE(f && fread(words, sizeof(words), 1, f) == 1);
	TEST_TRUE(!words[7] && !words[8]);
	fclose(f);
}

TEST(writer_file, "data: a file written in every way is read again as it was")
{
	struct builder *b = varied(700, 300);
	struct recording *r = describe(b);
	struct error err = {};

	for (int way = 0; way < 4; way++) {
		struct writer *w = open_ok(r, "perf.data", way >= 2 ? COMP_LEVEL_FITTED : 0);
		struct stat st;

		write_all(w, b, way % 2);
		TEST_TRUE(writer__bytes(w) > 1000);
		if (writer__finish(w, &err))
			TEST_FAIL("%s", err.text);
		TEST_TRUE(!stat("perf.data", &st) && (st.st_mode & 0777) == 0600);
		expect_same("perf.data", b, r, false);
		expect_no_event_types("perf.data");
	}
	builder__free(b);
}

TEST(writer_large_records, "data: records of the largest size, compressed and not")
{
	struct builder *b = varied(60, 8160);
	struct recording *r = describe(b);

	for (int level = 0; level < 2; level++) {
		struct writer *w = open_ok(r, "perf.data", level);

		write_all(w, b, 0);
		TEST_EQ(writer__finish(w, NULL), 0);
		expect_same("perf.data", b, r, false);
	}
	builder__free(b);
}

/* A program that goes down and up a tree of calls, sampled here and there. */
static struct builder *wandering(u32 nr)
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = builder__new();
	u64 stack[32] = { 0x555555554000 }, chain[ARRAY_SIZE(stack)], depth = 1;

	builder__event(b, &a, "cpu-clock", (u64[]){ 11 }, 1);
	for (u32 i = 0; i < nr; i++) {
		u64 r = hash_mix(i), up = r % 12;

		depth -= min_of(up, depth - 1);
		for (u64 down = up + (r >> 60) % 2; down && depth < ARRAY_SIZE(stack); down--) {
			u64 callee = stack[depth - 1] + hash_mix(r + down) % 4;

			stack[depth++] = stack[0] + hash_mix(callee) % (8 << 20);
		}
		for (u64 k = 0; k < depth; k++)
			chain[k] = stack[depth - 1 - k];
		builder__at(b, 1, 1, i % 2, 1000000 + i * 200000ull + r % 5000);
		builder__sample(b, 0, &(struct sample){ .ip = chain[0], .period = 200000,
							.chain = chain, .nr_chain = depth });
	}
	return b;
}

/* One of a hundred stacks of 8 kB after the other, alike but for 40 words. */
static struct builder *stacks(u32 nr)
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = builder__new();
	u64 words[1000];

	builder__event(b, &a, "cpu-clock", (u64[]){ 11 }, 1);
	for (u32 i = 0; i < nr; i++) {
		for (u64 k = 0; k < ARRAY_SIZE(words); k++)
			words[k] = hash_mix(k / 40 == i % 25 ? i % 100 * 1000 + k : k);
		builder__at(b, 1, 1, i % 2, 1000000 + i * 200000ull);
		builder__sample(b, 0, &(struct sample){ .chain = words,
							.nr_chain = ARRAY_SIZE(words) });
	}
	return b;
}

static s64 compressed_size(struct builder *b, struct recording *r, int level, bool copies)
{
	struct writer_opts opts = { .path = "perf.data", .comp_level = level, .copies = copies };
	struct writer *w;
	struct stat st;

	TEST_EQ(writer__open(&w, &opts, r, NULL), 0);
	write_all(w, b, 2);
	TEST_EQ(writer__finish(w, NULL), 0);
	TEST_EQ(stat("perf.data", &st), 0);
	return st.st_size;
}

TEST(writer_fitted, "data: -z finds more of chains than zstd's level 1, and copies a megabyte ago")
{
	struct builder *b = wandering(20000);
	struct recording *r = describe(b);
	s64 other = compressed_size(b, r, 1, false);

	TEST_TRUE(compressed_size(b, r, COMP_LEVEL_FITTED, false) < other * 95 / 100);
	expect_same("perf.data", b, r, false);
	TEST_EQ(r->comp_level, 1);
	builder__free(b);

	b = stacks(1000);
	r = describe(b);
	other = compressed_size(b, r, COMP_LEVEL_FITTED, false);
	TEST_TRUE(compressed_size(b, r, COMP_LEVEL_FITTED, true) < other / 2);
	expect_same("perf.data", b, r, false);
	builder__free(b);
}

TEST(writer_waiting, "data: what waits for its compression counts, but not in full")
{
	struct builder *b = stacks(50); /* 400 kB */
	struct recording *r = describe(b);
	struct writer *w = open_ok(r, "perf.data", COMP_LEVEL_FITTED);
	size_t size, pos = 0;
	const u8 *data = builder__data(b, &size);
	u64 bytes = writer__bytes(w);

	while (pos < size) {
		const struct perf_event_header *hdr = (const void *)(data + pos);

		TEST_EQ(writer__write(w, hdr, hdr->size, NULL), 0);
		TEST_TRUE(writer__bytes(w) > bytes);
		bytes = writer__bytes(w);
		pos += hdr->size;
	}
	TEST_TRUE(bytes < size / 4);
	TEST_EQ(writer__finish(w, NULL), 0);
	expect_same("perf.data", b, r, false);
	builder__free(b);
}

/* The records of a pipe have sizes of whole words, as other readers want them. */
static void expect_aligned(const char *path)
{
	struct perf_event_header hdr;
	FILE *f = fopen(path, "r");
	u32 size;

	TEST_TRUE(f && !fseek(f, 16, SEEK_SET));
	while (fread(&hdr, sizeof(hdr), 1, f) == 1) {
		if (hdr.type == USER_RECORD_TRACING_DATA) {
			TEST_EQ(fread(&size, sizeof(size), 1, f), 1);
			hdr.size = sizeof(hdr) + size; /* the data are not in the size */
		}
		TEST_EQ(hdr.size % 8, 0);
		fseek(f, hdr.size - sizeof(hdr), SEEK_CUR);
	}
	fclose(f);
}

TEST(writer_ratio, "data: how far records shrank is told of those written, not of those read")
{
	struct builder *b = varied(1, 1);
	struct recording *r = builder__recording(b);
	struct error err = {};
	struct reader *rd;

	r->comp_ratio = 9; /* of the file that was read */
	TEST_EQ(writer__finish(open_ok(r, "none", 1), &err), 0);
	TEST_EQ(reader__open(&rd, "none", false, &err), 0);
	TEST_TRUE(recording__has(reader__recording(rd), FEAT_COMPRESSED));
	TEST_EQ(reader__recording(rd)->comp_ratio, 0);
	reader__close(rd);
	builder__free(b);
}

/* Where the data are, and how much, as the header has it. */
static void data_section(const char *path, u64 data[2])
{
	FILE *f = fopen(path, "r");

	TEST_TRUE(f && !fseek(f, 5 * sizeof(u64), SEEK_SET));
	TEST_EQ(fread(data, 2 * sizeof(*data), 1, f), 1);
	fclose(f);
}

/* Of the whole file, without features: of COMPRESSED records alone. */
static u64 compressed_bytes(const char *path)
{
	struct perf_event_header hdr;
	u64 data[2], sum = 0;
	FILE *f;

	data_section(path, data);
	f = fopen(path, "r");
	for (u64 pos = data[0]; pos < data[0] + data[1]; pos += hdr.size) {
		TEST_TRUE(!fseek(f, pos, SEEK_SET) && fread(&hdr, sizeof(hdr), 1, f) == 1);
		TEST_EQ(hdr.type, USER_RECORD_COMPRESSED);
		sum += hdr.size - sizeof(hdr);
	}
	fclose(f);
	return sum;
}

TEST(writer_ratio_rounded, "data: the ratio is rounded, of what was compressed")
{
	bool up = false, down = false;

	for (u32 nr = 10; nr < 30; nr++) {
		struct builder *b = stacks(nr);
		struct recording *r = builder__recording(b);
		struct writer *w = open_ok(r, "perf.data", 1);
		struct reader *rd;
		u64 packed;
		size_t size;
		const u8 *data = builder__data(b, &size);

		TEST_EQ(writer__write(w, data, size, NULL), 0);
		TEST_EQ(writer__finish(w, NULL), 0);
		packed = compressed_bytes("perf.data");
		TEST_TRUE(packed && packed < size);
		up |= size % packed >= packed / 2;
		down |= size % packed < packed / 2;
		TEST_EQ(reader__open(&rd, "perf.data", false, NULL), 0);
		TEST_EQ(reader__recording(rd)->comp_ratio, size / packed +
			(size % packed >= packed / 2));
		reader__close(rd);
		builder__free(b);
	}
	TEST_TRUE(up && down);
}

TEST(writer_pipe, "data: a pipe stream is read again as it was")
{
	struct builder *b = varied(500, 100);
	struct recording *r = describe(b);
	struct reader *rd;
	struct writer *w;

	for (int level = 0; level < 2; level++) {
		pid_t pid;

		unlink("fifo");
		TEST_EQ(mkfifo("fifo", 0600), 0);
		pid = fork();
		if (!pid) {
			w = open_ok(r, "fifo", level);
			write_all(w, b, 0);
			_exit(writer__finish(w, NULL) != 0);
		}
		TEST_EQ(reader__open(&rd, "fifo", false, NULL), 0);
		TEST_TRUE(reader__is_pipe(rd));
		reader__close(rd);
		waitpid(pid, NULL, 0);
	}
	TEST_TRUE(freopen("stream", "w", stdout));
	w = open_ok(r, "-", 0);
	write_all(w, b, 0);
	TEST_EQ(writer__finish(w, NULL), 0);
	expect_same("stream", b, r, true);
	expect_aligned("stream");
	builder__free(b);
}

static bool give_up(void *ctx, u32 ms)
{
	*(u32 *)ctx = ms;
	return true;
}

static bool never(void *ctx, u32 ms)
{
	return false;
}

/* To standard output, a pipe: who else has that end is not to find it non-blocking. */
static struct writer *open_patient(struct recording *r, bool (*how)(void *, u32), u32 *waited)
{
	struct writer_opts opts = { .path = "-", .give_up = how, .give_up_ctx = waited };
	int lowest = dup(STDERR_FILENO);
	struct writer *w;

	close(lowest);
	TEST_EQ(writer__open(&w, &opts, r, NULL), 0);
	TEST_TRUE(fcntl(lowest, F_GETFL) & O_NONBLOCK);
	TEST_TRUE(!(fcntl(STDOUT_FILENO, F_GETFL) & O_NONBLOCK));
	return w;
}

TEST(writer_patience, "data: a slow reader of a pipe gets it all; one that reads nothing is left")
{
	struct builder *b = varied(4000, 300);
	struct recording *r = describe(b);
	struct writer *w;
	const u8 *data;
	u32 waited = 0;
	size_t size;
	int fds[2];
	pid_t pid;

	TEST_EQ(pipe(fds), 0);
	TEST_TRUE(dup2(fds[1], STDOUT_FILENO) >= 0);
	close(fds[1]);
	pid = fork();
	if (!pid) {
		int out = open("stream", O_CREAT | O_WRONLY, 0600);
		char buf[3000];
		ssize_t n;

		close(STDOUT_FILENO);
		while ((n = read(fds[0], buf, sizeof(buf))) > 0 && write(out, buf, n) == n)
			usleep(10);
		_exit(n != 0);
	}
	w = open_patient(r, never, NULL);
	write_all(w, b, 1);
	TEST_EQ(writer__finish(w, NULL), 0);
	TEST_TRUE(freopen("/dev/null", "w", stdout));
	TEST_EQ(waitpid(pid, NULL, 0), pid);
	expect_same("stream", b, r, true);

	TEST_EQ(pipe(fds), 0);
	TEST_TRUE(dup2(fds[1], STDOUT_FILENO) >= 0);
	w = open_patient(r, give_up, &waited);
	data = builder__data(b, &size);
	TEST_EQ(writer__write(w, data, size, NULL), -EINTR);
	TEST_EQ(waited, 100);
	writer__abort(w);
	builder__free(b);
}

TEST(writer_round, "data: FINISHED_ROUND lets a pipe's reader see what is there")
{
	struct builder *b = varied(3, 4);
	struct recording *r = builder__recording(b);
	int fds[2];
	char buf[65536];

	TEST_EQ(pipe(fds), 0);
	TEST_TRUE(dup2(fds[1], STDOUT_FILENO) >= 0);
	for (int level = 0; level < 2; level++) {
		struct writer *w = open_ok(r, "-", level);

		TEST_TRUE(read(fds[0], buf, sizeof(buf)) > 100);
		TEST_EQ(fcntl(fds[0], F_SETFL, O_NONBLOCK), 0);
		write_all(w, b, 0);
		TEST_EQ(read(fds[0], buf, sizeof(buf)), -1);
		TEST_EQ(writer__finished_round(w, NULL), 0);
		TEST_TRUE(read(fds[0], buf, sizeof(buf)) > 30);
		writer__abort(w);
		TEST_EQ(fcntl(fds[0], F_SETFL, 0), 0);
	}
	builder__free(b);
}

TEST(writer_closed_pipe, "data: a pipe whose reader is gone is an error with words")
{
	struct builder *b = varied(3000, 100);
	struct recording *r = builder__recording(b);
	struct error err = {};
	struct writer *w;
	size_t size;
	const void *data = builder__data(b, &size);
	int fds[2];

	signal(SIGPIPE, SIG_IGN);
	TEST_EQ(pipe(fds), 0);
	TEST_TRUE(dup2(fds[1], STDOUT_FILENO) >= 0);
	w = open_ok(r, "-", 0);
	close(fds[0]);
	TEST_EQ(writer__write(w, data, size, &err), -EPIPE);
	TEST_TRUE(strstr(err.text, "has ended"));
	TEST_EQ(writer__finish(w, &err), -EPIPE);
	builder__free(b);
}

/* Up to the limit that there is anyhow. */
static void limit_file_size(rlim_t size)
{
	struct rlimit limit;

	TEST_EQ(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = min_of(size, limit.rlim_max);
	TEST_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/*
 * A file that may grow to @room bytes: an error, and a file that opens, with whole records. Returns
 * how many bytes of them.
 */
static size_t no_room(struct builder *b, struct recording *r, rlim_t room, int level)
{
	struct writer *w = open_ok(r, "full", level);
	struct error err = {};
	struct reader *rd;
	struct record rec;
	size_t size, pos = 0;
	const u8 *data = builder__data(b, &size);
	struct stat st;
	int ret;

	limit_file_size(room);
	ret = writer__write(w, data, size, &err);
	TEST_EQ(writer__finish(w, &err), -EFBIG);
	limit_file_size(RLIM_INFINITY);
	TEST_TRUE(!ret || ret == -EFBIG);
	TEST_TRUE(strstr(err.text, "full"));
	TEST_TRUE(!stat("full", &st) && (rlim_t)st.st_size <= room);
	TEST_EQ(reader__open(&rd, "full", false, &err), 0);
	while (reader__next(rd, &rec)) {
		TEST_TRUE(!memcmp(rec.hdr, data + pos, rec.hdr->size));
		pos += rec.hdr->size;
	}
	TEST_TRUE(pos < size);
	TEST_EQ(reader__account(rd)->damage.code, 0);
	if (room > 700000) /* enough to give up some data for them */
		TEST_STR(reader__recording(rd)->hostname, r->hostname);
	reader__close(rd);
	return pos;
}

TEST(writer_full_disk_part, "data: the room that a part of a record had is enough for the features")
{
	u64 chain[7500] = { ABI_CONTEXT_USER };
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = builder__new();

	builder__event(b, &a, "cpu-clock", (u64[]){ 11 }, 1);
	for (u32 i = 0; i < 20; i++) {
		builder__at(b, 1, 1, 0, 100 + i);
		builder__sample(b, 0, &(struct sample){
			.chain = chain, .nr_chain = ARRAY_SIZE(chain),
		});
	}
	signal(SIGXFSZ, SIG_IGN);
	/* 14 of 60 kB, and most of one more. Buffers have four. */
	TEST_TRUE(no_room(b, describe(b), 890000, 0) > 840000);
	builder__free(b);
}

TEST(writer_full_disk, "data: a full disk leaves a valid file of whole records")
{
	struct builder *b = varied(4000, 100);
	struct recording *r = describe(b);

	signal(SIGXFSZ, SIG_IGN);
	for (rlim_t room = 1000; room < 1300000; room += 97001)
		no_room(b, r, room, 0);
	no_room(b, r, 400000, 1);
	no_room(b, r, 900001, 1);
	builder__free(b);
}

/* @room: bytes that the file may grow to, which is too little for the features. */
static void no_room_for_features(struct builder *b, struct recording *r, rlim_t room, bool empty)
{
	struct writer *w = open_ok(r, "full", 0);
	struct error err = {};
	struct reader *rd;
	struct record rec;

	if (!empty)
		write_all(w, b, true);
	limit_file_size(room);
	TEST_EQ(writer__finish(w, &err), -EFBIG);
	limit_file_size(RLIM_INFINITY);
	TEST_EQ(reader__open(&rd, "full", false, &err), 0);
	TEST_TRUE(!reader__next(rd, &rec));
	TEST_EQ(reader__account(rd)->damage.code, 0);
	TEST_EQ(reader__recording(rd)->events.v[1]->ids.v[0], 21);
	if (reader__recording(rd)->hostname)
		TEST_STR(reader__recording(rd)->hostname, r->hostname);
	reader__close(rd);
}

static off_t whole_size(struct builder *b, struct recording *r, bool empty)
{
	struct writer *w = open_ok(r, "whole", 0);
	struct stat st;

	if (!empty)
		write_all(w, b, true);
	TEST_EQ(writer__finish(w, NULL), 0);
	TEST_EQ(stat("whole", &st), 0);
	return st.st_size;
}

TEST(writer_full_disk_early, "data: a disk that is full before the end of the first buffer")
{
	struct builder *b = varied(20, 10);
	struct recording *r = describe(b);

	signal(SIGXFSZ, SIG_IGN);
	for (int empty = 0; empty < 2; empty++)
		for (off_t room = whole_size(b, r, empty) - 8; room > 600; room -= 168)
			no_room_for_features(b, r, room, empty);
	builder__free(b);
}

TEST(writer_killed, "data: what was flushed can be read of a file that nobody finishes")
{
	struct builder *b = varied(20, 10);
	struct recording *r = builder__recording(b);
	struct writer *w = open_ok(r, "perf.data", 0);
	struct reader *rd;
	struct record rec;
	size_t size, pos = 0;
	u64 data[2];

	builder__data(b, &size);
	write_all(w, b, true);
	TEST_EQ(writer__flush(w, NULL), 0);
	data_section("perf.data", data);
	TEST_EQ(data[1], size); /* some readers want to know it */
	TEST_EQ(reader__open(&rd, "perf.data", false, NULL), 0);
	while (reader__next(rd, &rec))
		pos += rec.hdr->size;
	TEST_EQ(pos, size);
	reader__close(rd);
	writer__abort(w);
	builder__free(b);
}

TEST(writer_many_ids, "data: a pipe's events have as many ids as a record takes")
{
	enum { NR = 9000 };
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = builder__new();
	struct writer *w;
	struct reader *rd;
	struct record rec;
	u64 *ids = xcalloc(NR, sizeof(*ids));

	for (u32 i = 0; i < NR; i++)
		ids[i] = 1 + i;
	builder__event(b, &a, "cpu-clock", ids, NR);
	builder__at(b, 1, 1, 0, 100);
	builder__sample(b, 0, &(struct sample){ .ip = 0x1000 });
	TEST_TRUE(freopen("stream", "w", stdout));
	w = open_ok(builder__recording(b), "-", 0);
	write_all(w, b, true);
	TEST_EQ(writer__finish(w, NULL), 0);
	TEST_EQ(reader__open(&rd, "stream", false, NULL), 0);
	TEST_TRUE(reader__next(rd, &rec));
	TEST_EQ(rec.hdr->type, PERF_RECORD_SAMPLE);
	TEST_TRUE(!reader__next(rd, &rec));
	TEST_TRUE(reader__recording(rd)->events.v[0]->ids.nr > 8000);
	reader__close(rd);
	free(ids);
	builder__free(b);
}

TEST(writer_descriptor_0, "data: a file may be descriptor 0")
{
	struct builder *b = varied(10, 10);
	struct writer *w;
	int fd = open("perf.data", O_RDWR | O_CREAT, 0600);
	struct replace_file file = { .fd = dup(fd), .own = -1 };
	struct writer_opts opts = { .path = "perf.data", .file = &file };

	close(STDIN_FILENO);
	TEST_EQ(writer__open(&w, &opts, builder__recording(b), NULL), 0);
	TEST_EQ(open("/dev/null", O_RDONLY) > STDIN_FILENO, true);
	write_all(w, b, true);
	TEST_EQ(writer__finish(w, NULL), 0);
	TEST_TRUE(open("/dev/null", O_RDONLY) == STDIN_FILENO);
	builder__free(b);
}

TEST(writer_refuses, "data: what cannot be opened or is no record is refused with words")
{
	struct builder *b = varied(1, 1);
	struct recording *r = builder__recording(b);
	struct writer_opts opts = { .path = "/nowhere/perf.data" };
	struct error err = {};
	struct writer *w;

	TEST_EQ(writer__open(&w, &opts, r, &err), -ENOENT);
	TEST_TRUE(!w && strstr(err.text, "/nowhere/perf.data"));
	w = open_ok(r, "perf.data", 0);
	TEST_EQ(writer__write(w, (u64[]){ 9 }, 8, &err), -EINVAL);
	writer__abort(w);
	writer__abort(NULL);
	builder__free(b);
}

TEST(writer_attr_size, "data: all attrs get the one smallest size that says everything")
{
	struct recording *r = recording__new();
	struct perf_event_attr a = BUILDER_ATTR;
	struct reader *rd;
	u8 large[160] = {};

	memcpy(large, &a, sizeof(a));
	TEST_TRUE(recording__add_event(r, large, sizeof(large), "a", NULL));
	a.sample_stack_user = 8192;
	TEST_TRUE(recording__add_event(r, &a, sizeof(a), "b", NULL));
	TEST_EQ(writer__finish(open_ok(r, "perf.data", 0), NULL), 0);
	TEST_EQ(reader__open(&rd, "perf.data", false, NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		TEST_EQ(reader__recording(rd)->events.v[i]->raw_size, 96);
		TEST_EQ(reader__recording(rd)->events.v[i]->attr.size, 96);
	}
	TEST_STR(reader__recording(rd)->events.v[1]->name, "b");
	TEST_EQ(reader__recording(rd)->events.v[1]->attr.sample_stack_user, 8192);
	reader__close(rd);
	recording__free(r);
}
