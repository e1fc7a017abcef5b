// SPDX-License-Identifier: GPL-2.0-only
/* Decoders of single records, on records that the builder makes. */
#include <sys/mman.h>

#include "../../util/data/sample-splice.h"
#include "../lib/builder.h"
#include "../test.h"

/* The @nr-th record that was built, identified. */
static struct record at(struct builder *b, size_t nr)
{
	size_t size, pos = 0;
	const u8 *data = builder__data(b, &size);
	struct record rec = {};

	for (;; nr--) {
		TEST_TRUE(pos + sizeof(*rec.hdr) <= size);
		rec.hdr = (const void *)(data + pos);
		if (!nr)
			break;
		pos += rec.hdr->size;
	}
	TEST_EQ(record__identify(&rec, builder__recording(b)), 0);
	return rec;
}

static struct builder *with_event(struct perf_event_attr attr)
{
	struct builder *b = builder__new();

	builder__event(b, &attr, "cpu-clock", (u64[]){ 11, 12 }, 2);
	return b;
}

/* A pattern, so that a field that is taken from the wrong place shows. */
static const u64 numbers[] = {
	0x1000000000000001, 0x1000000000000002, 0x1000000000000003, 0x1000000000000004,
	0x1000000000000005, 0x1000000000000006, 0x1000000000000007, 0x1000000000000008,
	0x1000000000000009, 0x100000000000000a, 0x100000000000000b, 0x100000000000000c,
};

static const struct perf_branch_entry branches[] = { { .from = 1, .to = 2 }, { .from = 3 } };
static const u8 stack_bytes[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };

/* All fields set; which of them are in the record is the event's business. */
static struct sample full_sample(const struct perf_event_attr *attr)
{
	struct sample s = {
		.ip = 0x401000, .addr = 0xaddd, .stream_id = 77, .period = 1234,
		.weight = 55, .data_src = 66, .transaction = 67, .phys_addr = 68, .cgroup = 69,
		.data_page_size = 4096, .code_page_size = 8192,
		.chain = numbers, .nr_chain = 5, .raw = "raw bytes..", .raw_size = 12,
		.branches = branches, .nr_branches = 2,
		.user_regs = { .abi = PERF_SAMPLE_REGS_ABI_64, .v = numbers + 1 },
		.intr_regs = { .abi = PERF_SAMPLE_REGS_ABI_64, .v = numbers + 2 },
		.stack = stack_bytes, .stack_size = 9, .stack_room = 16,
		.aux = "auxdata", .aux_size = 8, .read = numbers,
	};
	u64 format = attr->read_format;
	u32 values = !!(format & PERF_FORMAT_TOTAL_TIME_ENABLED) +
		     !!(format & PERF_FORMAT_TOTAL_TIME_RUNNING);
	u32 per = 1 + !!(format & PERF_FORMAT_ID) + !!(format & 16 /* PERF_FORMAT_LOST */);
	static u64 group[16] = { 3 };

	if (format & PERF_FORMAT_GROUP) {
		s.read = group;
		s.read_size = (1 + values + 3 * per) * sizeof(u64);
	} else {
		s.read_size = (values + per) * sizeof(u64);
	}
	return s;
}

#define HAS(bit) (attr->sample_type & PERF_SAMPLE_##bit)
#define EXPECT(bit, field) TEST_EQ(s->field, HAS(bit) ? in->field : 0)

static void expect_arrays(const struct sample *s, const struct sample *in,
			  const struct perf_event_attr *attr)
{
	TEST_EQ(s->nr_chain, HAS(CALLCHAIN) ? 5 : 0);
	TEST_TRUE(!HAS(CALLCHAIN) || !memcmp(s->chain, numbers, 5 * sizeof(u64)));
	TEST_EQ(s->raw_size, HAS(RAW) ? 12 : 0);
	TEST_TRUE(!HAS(RAW) || !memcmp(s->raw, in->raw, 12));
	TEST_EQ(s->nr_branches, HAS(BRANCH_STACK) ? 2 : 0);
	TEST_TRUE(!HAS(BRANCH_STACK) || !memcmp(s->branches, branches, sizeof(branches)));
	TEST_EQ(s->read_size, HAS(READ) ? in->read_size : 0);
	TEST_TRUE(!HAS(READ) || !memcmp(s->read, in->read, in->read_size));
	TEST_EQ(s->user_regs.abi, HAS(REGS_USER) ? 2 : 0);
	TEST_EQ(s->user_regs.mask, HAS(REGS_USER) ? 0x8f : 0);
	TEST_TRUE(!HAS(REGS_USER) || s->user_regs.v[4] == numbers[5]);
	TEST_EQ(s->intr_regs.abi, HAS(REGS_INTR) ? 2 : 0);
	TEST_EQ(s->intr_regs.mask, HAS(REGS_INTR) ? 7 : 0);
	TEST_TRUE(!HAS(REGS_INTR) || s->intr_regs.v[2] == numbers[4]);
	TEST_EQ(s->stack_size, HAS(STACK_USER) ? 9 : 0);
	TEST_EQ(s->stack_room, HAS(STACK_USER) ? 16 : 0);
	TEST_TRUE(!HAS(STACK_USER) || !memcmp(s->stack, stack_bytes, 9));
	TEST_EQ(s->aux_size, HAS(AUX) ? 8 : 0);
	TEST_TRUE(!HAS(AUX) || !memcmp(s->aux, in->aux, 8));
}

static void expect_fields(const struct sample *s, const struct sample *in,
			  const struct perf_event_attr *attr)
{
	EXPECT(IP, ip);
	EXPECT(ADDR, addr);
	EXPECT(STREAM_ID, stream_id);
	EXPECT(DATA_SRC, data_src);
	EXPECT(TRANSACTION, transaction);
	EXPECT(PHYS_ADDR, phys_addr);
	EXPECT(CGROUP, cgroup);
	EXPECT(DATA_PAGE_SIZE, data_page_size);
	EXPECT(CODE_PAGE_SIZE, code_page_size);
	TEST_EQ(s->weight, HAS(WEIGHT) || HAS(WEIGHT_STRUCT) ? 55 : 0);
	TEST_EQ(s->period, HAS(PERIOD) ? 1234 : attr->sample_period);
	TEST_EQ(s->id, HAS(ID) || HAS(IDENTIFIER) ? 11 : 0);
	TEST_EQ(s->pid, HAS(TID) ? 100 : NO_ID);
	TEST_EQ(s->tid, HAS(TID) ? 101 : NO_ID);
	TEST_EQ(s->cpu, HAS(CPU) ? 3 : NO_ID);
	TEST_EQ(s->time, HAS(TIME) ? 5000 : NO_TIME);
	expect_arrays(s, in, attr);
}

/* What is spliced is where the decoder finds it; what is not there is empty. */
static void expect_spans(const struct sample *s, const struct record *rec)
{
	const u8 *base = (const u8 *)rec->hdr;
	struct sample_spans spans;

	TEST_EQ(sample__spans(rec, &spans), 0);
	TEST_EQ(spans.chain.end - spans.chain.start, s->chain ? 8 + 5 * 8 : 0);
	TEST_TRUE(!s->chain || (const u8 *)s->chain == base + spans.chain.start + 8);
	TEST_EQ(spans.regs.end - spans.regs.start, s->user_regs.v ? 8 + 5 * 8 : 0);
	TEST_TRUE(!s->user_regs.v || (const u8 *)s->user_regs.v == base + spans.regs.start + 8);
	TEST_EQ(spans.stack.end - spans.stack.start, s->stack ? 8 + 16 + 8 : 0);
	TEST_TRUE(!s->stack || s->stack == base + spans.stack.start + 8);
}

static void check_sample_type(u64 sample_type, u64 read_format, u64 branch_type)
{
	struct perf_event_attr a = BUILDER_ATTR, *attr = &a;
	struct builder *b;
	struct sample in, s;
	struct record rec;

	a.sample_type = sample_type;
	a.read_format = read_format;
	a.branch_sample_type = branch_type;
	a.sample_regs_user = 0x8f;
	a.sample_regs_intr = 7;
	b = with_event(a);
	in = full_sample(attr);
	builder__at(b, 100, 101, 3, 5000);
	builder__sample(b, 0, &in);
	rec = at(b, 0);
	TEST_EQ(rec.time, HAS(TIME) ? 5000 : NO_TIME);
	TEST_EQ(rec.tid, HAS(TID) ? 101 : NO_ID);
	TEST_EQ(rec.cpu, HAS(CPU) ? 3 : NO_ID);
	TEST_EQ(sample__parse(&s, &rec), 0);
	expect_fields(&s, &in, attr);
	expect_spans(&s, &rec);
	builder__free(b);
}

TEST(sample_each_bit, "data: a sample with each PERF_SAMPLE_* bit alone, and with all but it")
{
	const u64 all = PERF_SAMPLE_MAX - 1;

	for (u32 bit = 0; BIT_ULL(bit) < PERF_SAMPLE_MAX; bit++) {
		check_sample_type(BIT_ULL(bit), 0, 0);
		check_sample_type(all & ~BIT_ULL(bit), 0, 0);
	}
	check_sample_type(all, 0, 0);
}

TEST(sample_read_formats, "data: READ in every read_format, branches with index and counters")
{
	for (u64 format = 0; format < 32; format++)
		check_sample_type(PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN, format, 0);
	check_sample_type(PERF_SAMPLE_MAX - 1, 0, PERF_SAMPLE_BRANCH_HW_INDEX);
	check_sample_type(PERF_SAMPLE_MAX - 1, 0, PERF_SAMPLE_BRANCH_HW_INDEX | 1 << 19);
}

TEST(sample_raw_at, "data: raw data is found behind READ and the chain, where there are some")
{
	for (int i = 0; i < 4; i++) {
		struct perf_event_attr a = BUILDER_ATTR;
		struct builder *b;
		struct sample in, s;
		struct record rec;
		const u64 *chain;
		u64 nr;

		a.sample_type |= PERF_SAMPLE_RAW | (i & 1 ? PERF_SAMPLE_READ : 0);
		a.sample_type &= i & 2 ? ~0ULL : ~(u64)PERF_SAMPLE_CALLCHAIN;
		b = with_event(a);
		in = full_sample(&a);
		builder__sample(b, 0, &in);
		rec = at(b, 0);
		TEST_EQ(sample__parse(&s, &rec), 0);
		TEST_EQ(sample__chain(&rec, &chain, &nr), 0);
		TEST_TRUE(chain == s.chain && nr == s.nr_chain);
		TEST_TRUE((const u8 *)s.raw == (const u8 *)rec.hdr + sample__raw_at(&rec) + 4);
		builder__free(b);
	}
}

TEST(sample_none, "data: what is no sample, or one of an unknown event, is not decoded")
{
	struct builder *b = with_event(BUILDER_ATTR);
	struct record rec;
	struct sample s;

	builder__sample(b, 0, &(struct sample){});
	builder__comm(b, "demo", false);
	rec = at(b, 0);
	TEST_EQ(sample__parse(&s, &rec), 0);
	rec.event = NULL;
	TEST_EQ(sample__parse(&s, &rec), -EINVAL);
	rec = at(b, 1);
	TEST_TRUE(rec.event); /* by its sample_id */
	TEST_EQ(sample__parse(&s, &rec), -EINVAL);
	builder__free(b);
}

TEST(sample_stack_bounds, "data: a stack copy is never longer than its room")
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b;
	struct record rec;
	struct sample s;

	a.sample_type |= PERF_SAMPLE_STACK_USER;
	b = with_event(a);
	builder__sample(b, 0, &(struct sample){ .stack = stack_bytes, .stack_room = 16,
						.stack_size = 1ULL << 40 });
	builder__sample(b, 0, &(struct sample){});
	rec = at(b, 0);
	TEST_EQ(sample__parse(&s, &rec), 0);
	TEST_EQ(s.stack_size, 16);
	rec = at(b, 1);
	TEST_EQ(sample__parse(&s, &rec), 0);
	TEST_EQ(s.stack_size, 0);
	TEST_TRUE(!s.stack);
	builder__free(b);
}

/* A sample cut at every length, and with every count made huge: refused, nothing read outside. */
TEST(sample_cut, "data: a sample that does not fit is refused, whatever is cut")
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b;
	struct sample in, s;
	struct perf_event_header *hdr;
	size_t size;
	const void *data;
	struct recording *r;

	a.sample_type = PERF_SAMPLE_MAX - 1;
	a.sample_regs_user = 0x8f;
	a.sample_regs_intr = 7;
	b = with_event(a);
	in = full_sample(&a);
	builder__sample(b, 0, &in);
	data = builder__data(b, &size);
	r = builder__recording(b);
	for (size_t cut = 0; cut < size; cut++) {
		struct record rec = { .hdr = hdr = xmemdup(data, cut < 8 ? 8 : cut) };

		hdr->size = cut;
		TEST_TRUE(record__identify(&rec, r) || sample__parse(&s, &rec));
		free(hdr);
	}
	for (size_t i = 1; i < size / 8; i++) {
		struct record rec = { .hdr = hdr = xmemdup(data, size) };

		((u64 *)hdr)[i] = ~0ULL;
		if (!record__identify(&rec, r))
			sample__parse(&s, &rec);
		free(hdr);
	}
	builder__free(b);
}

/* An MMAP2 record whose misc says that it has a build-id. */
static void mmap2_with_bit(struct builder *b, u32 maj, u32 min, u64 ino)
{
	struct {
		u32 pid, tid;
		u64 start, len, pgoff;
		u32 maj, min;
		u64 ino, generation;
		u32 prot, flags;
		char name[16];
	} body = { 100, 101, 0x1000, 0x1000, 0, maj, min, ino, 0, PROT_EXEC, 2, "/bin/demo" };

	builder__record(b, PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER | ABI_MISC_MMAP_BUILD_ID, &body,
			sizeof(body));
}

TEST(record_mmap2_bit, "data: MMAP2 has a build-id only where its recording asked for them")
{
	struct perf_event_attr attr = BUILDER_ATTR;
	struct mmap_record m;
	struct record rec;

	for (int asked = 0; asked < 2; asked++) {
		struct builder *b;

		attr__set_bit(&attr, ATTR_BIT_BUILD_ID, asked);
		b = with_event(attr);
		mmap2_with_bit(b, 8, 1, 4711);
		mmap2_with_bit(b, 20, 0x03020100, 0x0706050403020100);
		mmap2_with_bit(b, 16, 0x03020100, 0x0706050403020100);
		rec = at(b, 0);
		TEST_EQ(record__mmap(&rec, &m), 0);
		TEST_EQ(m.build_id.size, asked ? 8 : 0);
		TEST_EQ(m.ino, asked ? 0 : 4711);
		TEST_STR(m.filename, "/bin/demo");
		/* What a program wrote that did not change the attr. */
		rec = at(b, 1);
		TEST_EQ(record__mmap(&rec, &m), 0);
		TEST_TRUE(m.build_id.size == 20 && m.build_id.data[3] == 3);
		TEST_STR(m.filename, "/bin/demo");
		rec = at(b, 2);
		TEST_EQ(record__mmap(&rec, &m), 0);
		TEST_EQ(m.build_id.size, 16);
		builder__free(b);
	}
}

TEST(record_side_band, "data: COMM, FORK, EXIT, MMAP, MMAP2, LOST, SWITCH, KSYMBOL decoded")
{
	struct builder *b = with_event(BUILDER_ATTR);
	struct mmap_record m, in = {
		.start = 0x7f0000000000, .len = 0x2000, .pgoff = 0x1000, .maj = 8, .min = 1,
		.ino = 4711, .ino_generation = 3, .prot = PROT_READ | PROT_EXEC, .flags = 2,
		.filename = "/usr/lib/libc.so.6",
	};
	struct comm_record comm;
	struct namespaces_record ns;
	struct task_record task;
	struct lost_record lost;
	struct switch_record sw;
	struct ksymbol_record ks;
	struct record rec;
	struct { u64 addr; u32 len; u16 type, flags; char name[16]; } k = {
		0xffffffffc0001000, 512, 1, 1, "bpf_prog_abc",
	};

	builder__at(b, 100, 101, 2, 777);
	builder__comm(b, "demo", true);
	builder__fork(b, 90, 91);
	builder__exit(b);
	builder__mmap(b, 0x400000, 0x1000, 0x10, "/bin/demo");
	builder__mmap2(b, &in);
	in.build_id = (struct build_id){ .size = 20, .data = { 1, 2, 3 } };
	builder__mmap2(b, &in);
	builder__lost(b, 42);
	builder__record(b, PERF_RECORD_LOST_SAMPLES, 0, &(u64){ 43 }, 8);
	builder__record(b, PERF_RECORD_SWITCH, ABI_MISC_SWITCH_OUT, NULL, 0);
	builder__record(b, PERF_RECORD_SWITCH_CPU_WIDE, 0, (u32[]){ 5, 6 }, 8);
	builder__record(b, PERF_RECORD_KSYMBOL, 0, &k, sizeof(k));
	builder__record(b, PERF_RECORD_NAMESPACES, 0, (u32[]){ 7, 8, 2, 0 }, 16);
	builder__record(b, PERF_RECORD_NAMESPACES, 0, (u32[]){ 7, 8 }, 8);

	rec = at(b, 0);
	TEST_EQ(rec.time, 777);
	TEST_EQ(rec.tid, 101);
	TEST_EQ(rec.cpu, 2);
	TEST_EQ(record__comm(&rec, &comm), 0);
	TEST_STR(comm.comm, "demo");
	TEST_TRUE(comm.exec && comm.pid == 100 && comm.tid == 101);
	TEST_EQ(record__task(&rec, &task), -EINVAL);
	rec = at(b, 1);
	TEST_EQ(record__task(&rec, &task), 0);
	TEST_TRUE(task.ppid == 90 && task.ptid == 91 && task.tid == 101 && task.time == 777);
	rec = at(b, 2);
	TEST_EQ(record__task(&rec, &task), 0);
	rec = at(b, 3);
	TEST_EQ(record__mmap(&rec, &m), 0);
	TEST_TRUE(m.start == 0x400000 && m.len == 0x1000 && m.pgoff == 0x10);
	TEST_TRUE(m.prot == PROT_EXEC && !m.is_data && m.cpumode == PERF_RECORD_MISC_USER);
	TEST_STR(m.filename, "/bin/demo");
	rec = at(b, 4);
	TEST_EQ(record__mmap(&rec, &m), 0);
	TEST_TRUE(m.maj == 8 && m.min == 1 && m.ino == 4711 && m.ino_generation == 3);
	TEST_TRUE(m.prot == 5 && m.flags == 2 && !m.build_id.size);
	TEST_STR(m.filename, in.filename);
	rec = at(b, 5);
	TEST_EQ(record__mmap(&rec, &m), 0);
	TEST_TRUE(m.build_id.size == 20 && m.build_id.data[2] == 3 && !m.ino && m.prot == 5);
	rec = at(b, 6);
	TEST_EQ(record__lost(&rec, &lost), 0);
	TEST_TRUE(lost.id == 11 && lost.lost == 42);
	rec = at(b, 7);
	TEST_EQ(record__lost(&rec, &lost), 0);
	TEST_TRUE(lost.id == 0 && lost.lost == 43);
	rec = at(b, 8);
	TEST_EQ(record__switch(&rec, &sw), 0);
	TEST_TRUE(sw.out && !sw.preempt && sw.next_prev_pid == NO_ID);
	rec = at(b, 9);
	TEST_EQ(record__switch(&rec, &sw), 0);
	TEST_TRUE(!sw.out && sw.next_prev_pid == 5 && sw.next_prev_tid == 6);
	rec = at(b, 10);
	TEST_EQ(record__ksymbol(&rec, &ks), 0);
	TEST_TRUE(ks.addr == k.addr && ks.len == 512 && ks.type == 1 && ks.unregister);
	TEST_STR(ks.name, "bpf_prog_abc");
	TEST_EQ(record__namespaces(&rec, &ns), -EINVAL);
	rec = at(b, 11);
	TEST_EQ(record__namespaces(&rec, &ns), 0);
	TEST_TRUE(ns.pid == 7 && ns.tid == 8 && ns.nr == 2);
	rec = at(b, 12);
	TEST_EQ(record__namespaces(&rec, &ns), -EINVAL);
	builder__free(b);
}

TEST(record_unterminated, "data: a name without an end is refused; the trailer is no name")
{
	struct builder *b = with_event(BUILDER_ATTR);
	struct comm_record comm;
	struct record rec;

	builder__at(b, 1, 1, 0, 5);
	builder__record(b, PERF_RECORD_COMM, 0, "\1\0\0\0\1\0\0\0eightchr", 16);
	rec = at(b, 0);
	TEST_EQ(record__comm(&rec, &comm), -EINVAL);
	builder__free(b);
}

TEST(record_deferred, "data: CALLCHAIN_DEFERRED with none, some and too many addresses")
{
	struct builder *b = with_event(BUILDER_ATTR);
	struct deferred_record d;
	struct record rec;

	builder__at(b, 100, 101, 1, 900);
	builder__deferred(b, 0x300000001, numbers, 7);
	builder__deferred(b, 5, NULL, 0);
	builder__record(b, ABI_RECORD_CALLCHAIN_DEFERRED, 0, (u64[]){ 6, 2, 1 }, 24);
	builder__record(b, ABI_RECORD_CALLCHAIN_DEFERRED, 0, (u64[]){ 6, ~0ULL, 1 }, 24);
	rec = at(b, 0);
	TEST_TRUE(rec.time == 900 && rec.tid == 101 && rec.cpu == 1);
	TEST_EQ(record__deferred(&rec, &d), 0);
	TEST_TRUE(d.cookie == 0x300000001 && d.nr == 7 && d.ips[6] == numbers[6]);
	rec = at(b, 1);
	TEST_EQ(record__deferred(&rec, &d), 0);
	TEST_TRUE(d.cookie == 5 && d.nr == 0);
	rec = at(b, 2);
	TEST_EQ(record__deferred(&rec, &d), -EINVAL);
	rec = at(b, 3);
	TEST_EQ(record__deferred(&rec, &d), -EINVAL);
	builder__free(b);
}

TEST(record_identify_ids, "data: records find their event by id; made-up ones have the first")
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = with_event(a);
	struct record rec;

	a.sample_type |= PERF_SAMPLE_RAW;
	builder__event(b, &a, "sched:sched_switch", (u64[]){ 21 }, 1);
	builder__at(b, 1, 2, 3, 4);
	builder__sample(b, 1, &(struct sample){});
	builder__sample(b, 0, &(struct sample){ .id = 12 });
	builder__sample(b, 0, &(struct sample){ .id = 99 });
	builder__comm(b, "x", false);
	rec = at(b, 0);
	TEST_STR(rec.event->name, "sched:sched_switch");
	rec = at(b, 1);
	TEST_STR(rec.event->name, "cpu-clock");
	rec = at(b, 2);
	TEST_TRUE(!rec.event);
	rec = at(b, 3);
	TEST_STR(rec.event->name, "cpu-clock");
	builder__free(b);
}

/* A COMM whose id nobody knows. @more: of the sample_type of another event. */
static struct record of_nobody(u64 more)
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = with_event(a);
	static u64 words[16];
	struct record rec;

	a.sample_type ^= more;
	builder__event(b, &a, "sched:sched_switch", (u64[]){ 21 }, 1);
	builder__at(b, 1, 2, 3, 4);
	builder__comm(b, "x", false);
	rec = at(b, 0);
	TEST_STR(rec.event->name, "cpu-clock");
	memcpy(words, rec.hdr, rec.hdr->size);
	for (u32 i = 0; i < rec.hdr->size / 8u; i++)
		if (words[i] == 11)
			words[i] = 99;
	rec = (struct record){ .hdr = (void *)words };
	TEST_EQ(record__identify(&rec, builder__recording(b)), 0);
	TEST_TRUE(!rec.event);
	builder__free(b);
	return rec;
}

TEST(record_identify_unknown, "data: a trailer is read without its event where all are the same")
{
	struct record rec = of_nobody(0);

	TEST_EQ(rec.time, 4);
	TEST_EQ(rec.tid, 2);
	TEST_EQ(rec.cpu, 3);
	rec = of_nobody(PERF_SAMPLE_CPU);
	TEST_EQ(rec.time, NO_TIME);
	TEST_TRUE(rec.tid != 2 && rec.cpu != 3);
}

TEST(record_text_poke, "data: where the body of a TEXT_POKE ends")
{
	struct { struct perf_event_header hdr; u64 addr; u16 old, new; u8 bytes[44]; } poke = {
		.hdr = { PERF_RECORD_TEXT_POKE, 0, sizeof(poke) }, .old = 5, .new = 7,
	};

	_Static_assert(sizeof(poke) == 64, "no padding");
	TEST_EQ(record__body_end(&poke.hdr, sizeof(poke)), 32); /* 8 + 8 + 2 + 2 + 5 + 7 */
	poke.new = 8;
	TEST_EQ(record__body_end(&poke.hdr, sizeof(poke)), 40);
	TEST_EQ(record__body_end(&poke.hdr, 39), 0);
	TEST_EQ(record__body_end(&poke.hdr, 19), 0);
}

struct ksymbol_body {
	u64 addr;
	u32 len;
	u16 type, flags;
	char name[16];
};

/* With 0 to 3 listeners before ours, whose sample_ids the kernel makes room for in ours. */
static void check_oversized(const struct perf_event_attr *attr, size_t id_size)
{
	const struct ksymbol_body k = { 0xffffffffc0001000, 64, 1, 0, "bpf_prog_1" };
	const u32 bpf[4] = { 1, 77 };
	u8 poke[24] = { [8] = 5, [10] = 5, [12] = 0xe8, 1, 2, 3, 4, 0xe9, 5, 6, 7, 8 };
	struct builder *b = builder__new();
	struct ksymbol_record ks;
	struct record rec;

	builder__event(b, attr, "cpu-clock", (u64[]){ 11 }, 1);
	builder__at(b, 21, 22, 3, 5000);
	for (u32 i = 0; i < 4; i++) {
		builder__oversized(b, PERF_RECORD_KSYMBOL, &k, sizeof(k), i * id_size);
		builder__oversized(b, PERF_RECORD_BPF_EVENT, bpf, sizeof(bpf), i * id_size);
		builder__oversized(b, PERF_RECORD_TEXT_POKE, poke, sizeof(poke), i * id_size);
	}
	for (u32 i = 0; i < 12; i++) {
		rec = at(b, i);
		TEST_TRUE(rec.tid == 22 && rec.time == 5000 && rec.event);
		TEST_EQ(rec.stale, i / 3 * id_size);
		if (rec.hdr->type == PERF_RECORD_KSYMBOL) {
			TEST_EQ(record__ksymbol(&rec, &ks), 0);
			TEST_STR(ks.name, "bpf_prog_1");
		}
	}
	builder__free(b);
}

TEST(record_oversized, "data: the sample_id is read behind the body where stale bytes follow it")
{
	struct perf_event_attr attr = BUILDER_ATTR;

	check_oversized(&attr, 32);
	attr.sample_type &= ~(u64)PERF_SAMPLE_IDENTIFIER;
	check_oversized(&attr, 24);
	attr.sample_type &= ~(u64)PERF_SAMPLE_CPU;
	check_oversized(&attr, 16);
}

TEST(record_roomy, "data: a record with more room for its name has its sample_id at the end")
{
	struct builder *b = with_event(BUILDER_ATTR);
	u8 body[16 + 256] = { [16] = 'x' };
	struct record rec;

	builder__at(b, 21, 22, 3, 5000);
	builder__record(b, PERF_RECORD_KSYMBOL, 0, body, sizeof(body));
	memset(body + 16, 'x', sizeof(body) - 16); /* a name without an end */
	builder__record(b, PERF_RECORD_KSYMBOL, 0, body, sizeof(body));
	memset(body, 0xff, sizeof(body));
	builder__record(b, PERF_RECORD_TEXT_POKE, 0, body, sizeof(body));
	for (u32 i = 0; i < 3; i++) {
		rec = at(b, i);
		TEST_TRUE(rec.time == 5000 && rec.tid == 22 && !rec.stale);
	}
	builder__free(b);
}

TEST(record_made_up, "data: a trailer of zeros has no time, and so does one without TIME")
{
	struct perf_event_attr a = BUILDER_ATTR;
	struct builder *b = with_event(a);
	struct record rec;

	builder__at(b, 0, 0, 0, 0);
	builder__comm(b, "x", false);
	rec = at(b, 0);
	TEST_EQ(rec.time, NO_TIME);
	builder__free(b);

	a.sample_type = PERF_SAMPLE_TID;
	b = with_event(a);
	builder__at(b, 7, 8, 9, 10);
	builder__comm(b, "x", false);
	rec = at(b, 0);
	TEST_TRUE(rec.time == NO_TIME && rec.tid == 8 && rec.cpu == NO_ID);
	builder__free(b);
}

TEST(attr_bits, "data: attr bits beyond the system's header, and the smallest size")
{
	const bool big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	const u32 high = ATTR_FLAGS_OFFSET + 4; /* of eight bits, the last ones that are named */
	struct perf_event_attr a = {};

	attr__set_bit(&a, ATTR_BIT_DEFER_CALLCHAIN, true);
	attr__set_bit(&a, ATTR_BIT_DEFER_OUTPUT, true);
	TEST_EQ(((u8 *)&a)[high], big ? 3 : 0xc0);
	TEST_TRUE(attr__test_bit(&a, ATTR_BIT_DEFER_CALLCHAIN));
	attr__set_bit(&a, ATTR_BIT_DEFER_CALLCHAIN, false);
	TEST_EQ(((u8 *)&a)[high], big ? 1 : 0x80);
	TEST_EQ(attr_bytes__min_size(&a, sizeof(a)), 64);
	a.sample_stack_user = 8192;
	TEST_EQ(attr_bytes__min_size(&a, sizeof(a)), 96);
	TEST_EQ(attr_bytes__min_size((u8[200]){ [140] = 1 }, 200), 144);
	TEST_EQ(attr_bytes__min_size((u8[200]){ [150] = 1 }, 200), 152);
}

TEST(attr_names, "data: names of events that a recording does not name")
{
	static const struct {
		struct perf_event_attr attr;
		const char *name;
	} cases[] = {
		{ { .type = PERF_TYPE_HARDWARE }, "cycles" },
		{ { .type = PERF_TYPE_HARDWARE, .exclude_kernel = 1, .exclude_hv = 1 },
		  "cycles:u" },
		{ { .type = PERF_TYPE_HARDWARE, .precise_ip = 2 }, "cycles:pp" },
		{ { .type = PERF_TYPE_SOFTWARE, .config = 2 }, "page-faults" },
		{ { .type = PERF_TYPE_HW_CACHE, .config = 0x10000 }, "L1-dcache-load-misses" },
		{ { .type = PERF_TYPE_HW_CACHE, .config = 0x102 }, "LLC-stores" },
		{ { .type = PERF_TYPE_RAW, .config = 0x1c2 }, "raw 0x1c2" },
		{ { .type = PERF_TYPE_TRACEPOINT, .config = 310 }, "tracepoint:310" },
		{ { .type = PERF_TYPE_HARDWARE, .config = 1000 }, "pmu 0 config 0x3e8" },
		{ { .type = 77, .config = 5 }, "pmu 77 config 0x5" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct recording *r = recording__new();
		struct evsel *ev = recording__add_event(r, &cases[i].attr,
							sizeof(cases[i].attr), NULL, NULL);

		TEST_STR(ev->name, cases[i].name);
		recording__free(r);
	}
}
