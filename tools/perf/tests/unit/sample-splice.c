// SPDX-License-Identifier: GPL-2.0-only
#include "../../util/complete/leaf.h"
#include "../../util/data/sample-splice.h"
#include "../test.h"

#define STACK_ROOM 256
#define REGS_MASK 0x1ffULL /* nine registers */

/* A sample under construction, in the order of perf_event_open(2). */
struct builder {
	struct perf_event_attr attr;
	struct recording *recording;
	u64 words[512];
	size_t nr;
};

static void put(struct builder *b, u64 v)
{
	b->words[b->nr++] = v;
}

static void put_if(struct builder *b, u64 bit, u64 v)
{
	if (b->attr.sample_type & bit)
		put(b, v);
}

static void put_raw(struct builder *b)
{
	/* u32 size, then the payload: together a multiple of 8 */
	if (!(b->attr.sample_type & PERF_SAMPLE_RAW))
		return;
	put(b, 12 | 0x1111111100000000ULL);
	put(b, 0x2222222222222222ULL);
}

static void put_user(struct builder *b, u64 abi, u64 room, u64 used)
{
	if (b->attr.sample_type & PERF_SAMPLE_REGS_USER) {
		put(b, abi);
		for (u64 i = 0; abi && i < 9; i++)
			put(b, 0x100 + i);
	}
	if (!(b->attr.sample_type & PERF_SAMPLE_STACK_USER))
		return;
	put(b, room);
	for (u64 i = 0; i < room / 8; i++)
		put(b, 0x5000 + i);
	if (room)
		put(b, used);
}

static void build(struct builder *b, u64 sample_type, u64 abi, u64 room, u64 used)
{
	struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE, .misc = 2 };

	*b = (struct builder){ .recording = recording__new() };
	b->attr.size = sizeof(b->attr);
	b->attr.sample_type = sample_type;
	b->attr.sample_regs_user = REGS_MASK;
	b->attr.sample_stack_user = STACK_ROOM;
	TEST_TRUE(recording__add_event(b->recording, &b->attr, sizeof(b->attr), "e", NULL));
	b->nr = 1;
	put_if(b, PERF_SAMPLE_IP, 0x400123);
	put_if(b, PERF_SAMPLE_TID, 77 | 78ULL << 32);
	put_if(b, PERF_SAMPLE_TIME, 123456);
	put_if(b, PERF_SAMPLE_CPU, 3);
	put_if(b, PERF_SAMPLE_PERIOD, 250000);
	if (sample_type & PERF_SAMPLE_CALLCHAIN) {
		put(b, 2);
		put(b, ABI_CONTEXT_KERNEL);
		put(b, 0xffffffff81000000ULL);
	}
	put_raw(b);
	put_user(b, abi, room, used);
	put_if(b, PERF_SAMPLE_WEIGHT, 0xabcdef);
	hdr.size = b->nr * 8;
	memcpy(b->words, &hdr, sizeof(hdr));
}

static struct record identify(struct builder *b, const void *bytes)
{
	struct record rec = { .hdr = bytes };

	TEST_EQ(record__identify(&rec, b->recording), 0);
	return rec;
}

#define COMMON (PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | \
		PERF_SAMPLE_WEIGHT)
#define USER (PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER)

static const u64 types[] = {
	COMMON | USER | PERF_SAMPLE_CALLCHAIN,
	COMMON | USER | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_CPU,
	COMMON | USER,
	COMMON | PERF_SAMPLE_CALLCHAIN,
	COMMON | PERF_SAMPLE_STACK_USER | PERF_SAMPLE_CALLCHAIN,
};

static void check_same(const struct sample *a, const struct sample *b)
{
	TEST_EQ(a->ip, b->ip);
	TEST_EQ(a->pid, b->pid);
	TEST_EQ(a->tid, b->tid);
	TEST_EQ(a->time, b->time);
	TEST_EQ(a->cpu, b->cpu);
	TEST_EQ(a->period, b->period);
	TEST_EQ(a->weight, b->weight);
	TEST_EQ(a->raw_size, b->raw_size);
	TEST_TRUE(!a->raw_size || !memcmp(a->raw, b->raw, a->raw_size));
}

TEST(sample_splice_trim, "sample-splice: a trimmed copy has what was written, no more")
{
	static const u64 used[] = { 0, 1, 8, 100, STACK_ROOM - 1, STACK_ROOM };
	struct sample_spans spans;
	struct sample was, is;
	u8 out[4096];

	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		for (size_t i = 0; i < ARRAY_SIZE(used); i++) {
			struct builder b;
			struct record rec, cut;

			build(&b, types[t], 2, STACK_ROOM, used[i]);
			rec = identify(&b, b.words);
			TEST_EQ(sample__spans(&rec, &spans), 0);
			TEST_EQ(sample__trim_stack(&rec, &spans, out),
				((struct perf_event_header *)out)->size);
			cut = identify(&b, out);
			TEST_EQ(sample__parse(&was, &rec), 0);
			TEST_EQ(sample__parse(&is, &cut), 0);
			check_same(&was, &is);
			TEST_EQ(is.nr_chain, was.nr_chain);
			TEST_EQ(is.stack_size, was.stack_size);
			/* Whether the kernel had room for more is still to be seen. */
			TEST_TRUE(is.stack_room <= is.stack_size + 8);
			TEST_EQ(is.stack_room > is.stack_size, was.stack_room > was.stack_size);
			TEST_TRUE(!is.stack_size || !memcmp(is.stack, was.stack, is.stack_size));
			TEST_EQ(is.user_regs.abi, was.user_regs.abi);
			recording__free(b.recording);
		}
	}
}

TEST(sample_splice_cut, "sample-splice: a copy that is cut has so many bytes, and no more")
{
	static const u64 used[] = { 0, 8, 100, 128, 136, STACK_ROOM };
	struct sample_spans spans;
	struct sample was, is;
	u8 out[4096];

	for (size_t i = 0; i < ARRAY_SIZE(used); i++) {
		struct builder b;
		struct record rec, cut;

		build(&b, types[1], 2, STACK_ROOM, used[i]);
		rec = identify(&b, b.words);
		TEST_EQ(sample__spans(&rec, &spans), 0);
		TEST_EQ(sample__cut_stack(&rec, &spans, 128, out),
			((struct perf_event_header *)out)->size);
		cut = identify(&b, out);
		TEST_EQ(sample__parse(&was, &rec), 0);
		TEST_EQ(sample__parse(&is, &cut), 0);
		check_same(&was, &is);
		TEST_EQ(is.stack_size, min_of(used[i], (u64)128));
		/* The stack goes on behind what was taken away. */
		TEST_EQ(is.stack_room > is.stack_size, used[i] <= 128);
		TEST_TRUE(!is.stack_size || !memcmp(is.stack, was.stack, is.stack_size));
		recording__free(b.recording);
	}
}

#define LEAF_ROOM 1024

/* Registers 6 and 7 are the frame pointer and the stack pointer. @next: in memory at @fp. */
static u64 shortened_to(u64 sp, u64 fp, u64 next, bool deferred)
{
	struct builder b;
	struct record rec;
	struct sample s;
	u8 out[4096];
	u64 size;

	build(&b, types[0], 2, LEAF_ROOM, LEAF_ROOM);
	rec = identify(&b, b.words);
	attr__set_bit(&b.recording->events.v[0]->attr, ATTR_BIT_DEFER_CALLCHAIN, deferred);
	TEST_EQ(sample__parse(&s, &rec), 0);
	((u64 *)s.user_regs.v)[6] = fp;
	((u64 *)s.user_regs.v)[7] = sp;
	if (fp - sp < LEAF_ROOM)
		memcpy((u8 *)s.stack + (fp - sp), &next, sizeof(next));
	if (leaf__shorten(&rec, out)) {
		rec = identify(&b, out);
		TEST_EQ(sample__parse(&s, &rec), 0);
	}
	size = s.stack_size;
	recording__free(b.recording);
	return size;
}

TEST(sample_splice_leaf, "sample-splice: what waits keeps the top of its stack, to its first frame")
{
	TEST_EQ(shortened_to(0x1000, 0x1000 + 800, 0x3000, true), 816);
	TEST_EQ(shortened_to(0x1000, 0x1000 + 800, 0, true), 816);
	TEST_EQ(shortened_to(0x1000, 0x1000 + 100, 0x3000, true), LEAF_LEAST);
	/* Where it leads to no frame, nothing else will tell of the stack. */
	TEST_EQ(shortened_to(0x1000, 0x1000 + 800, 0x1000 + 800, true), LEAF_ROOM);
	TEST_EQ(shortened_to(0x1000, 0x1000 + LEAF_ROOM, 0, true), LEAF_ROOM);
	TEST_EQ(shortened_to(0x1000, 0x1000 - 8, 0, true), LEAF_ROOM);
	TEST_EQ(shortened_to(0x1000, 1, 0, true), LEAF_ROOM);
	TEST_EQ(shortened_to(0x1000, 0x1000 + 800, 0x3000, false), LEAF_ROOM);
}

/* Read as the attr of the input says: the parts are there, and say nothing. */
static void expect_empty_parts(struct builder *b, const struct record *rec,
			       const struct sample_spans *spans)
{
	static const u64 ip = 3;
	static const struct splice_chain chain = { .user = &ip, .nr_user = 1 };
	u8 full[4096], bare[4096];
	struct record done;
	struct sample s;
	int size = sample__stitch(rec, spans, &chain, SPLICE_EMPTY, full, sizeof(full));

	TEST_EQ(size, sample__stitch(rec, spans, &chain, SPLICE_DROP, bare, sizeof(bare)) +
		8 * (int)__builtin_popcountll(b->attr.sample_type & USER));
	done = identify(b, full);
	TEST_EQ(sample__parse(&s, &done), 0);
	TEST_EQ(s.stack_room, 0);
	TEST_EQ(s.user_regs.abi, 0);
}

TEST(sample_splice_stitch, "sample-splice: a stitched sample has the chain and no copy")
{
	static const u64 chain[] = { ABI_CONTEXT_KERNEL, 1, 2, ABI_CONTEXT_USER, 3, 4, 5 };
	static const struct splice_chain pieces = { chain, chain + 4, 3, 3 };
	struct sample_spans spans;
	struct sample was, is;
	u8 out[4096];

	for (size_t t = 0; t < ARRAY_SIZE(types); t++) {
		for (u64 abi = 0; abi < 3; abi += 2) {
			struct builder b, plain;
			struct record rec, done;

			build(&b, types[t], abi, abi ? STACK_ROOM : 0, 99);
			rec = identify(&b, b.words);
			TEST_EQ(sample__spans(&rec, &spans), 0);
			TEST_TRUE(sample__stitch(&rec, &spans, &pieces, SPLICE_DROP, out,
						 sizeof(out)) > 0);
			expect_empty_parts(&b, &rec, &spans);
			/* Read as the attr of stitched samples says. */
			attr__stitched(&b.attr);
			TEST_EQ(b.attr.sample_type, types[t] & ~(u64)USER);
			build(&plain, b.attr.sample_type, 0, 0, 0);
			done = identify(&plain, out);
			TEST_EQ(sample__parse(&was, &rec), 0);
			TEST_EQ(sample__parse(&is, &done), 0);
			check_same(&was, &is);
			TEST_EQ(is.stack_size, 0);
			TEST_EQ(is.user_regs.abi, 0);
			if (types[t] & PERF_SAMPLE_CALLCHAIN) {
				TEST_EQ(is.nr_chain, ARRAY_SIZE(chain));
				TEST_TRUE(!memcmp(is.chain, chain, sizeof(chain)));
			}
			recording__free(b.recording);
			recording__free(plain.recording);
		}
	}
}

TEST(sample_splice_attr, "sample-splice: which events have copies, and what stitched ones are")
{
	const u64 all[] = { PERF_SAMPLE_CALLCHAIN, PERF_SAMPLE_REGS_USER, PERF_SAMPLE_STACK_USER };
	struct perf_event_attr attr = {
		.size = sizeof(attr), .sample_type = all[0] | all[1] | all[2],
		.sample_regs_user = 0xff, .sample_stack_user = 64, .exclude_callchain_user = 1,
	};

	TEST_TRUE(attr__has_copy(&attr));
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		attr.sample_type ^= all[i];
		TEST_TRUE(!attr__has_copy(&attr));
		attr.sample_type ^= all[i];
	}
	attr__set_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN, true);
	attr__set_bit(&attr, ATTR_BIT_DEFER_OUTPUT, true);
	attr__completed(&attr, true);
	TEST_TRUE(!attr__test_bit(&attr, ATTR_BIT_DEFER_CALLCHAIN));
	TEST_TRUE(!attr__test_bit(&attr, ATTR_BIT_DEFER_OUTPUT));
	TEST_TRUE(attr__has_copy(&attr) && !attr.exclude_callchain_user);
	attr__completed(&attr, false);
	TEST_EQ(attr.sample_type, PERF_SAMPLE_CALLCHAIN);
	TEST_TRUE(!attr.sample_regs_user && !attr.sample_stack_user);
}

TEST(sample_splice_bad, "sample-splice: what does not fit is refused, too long chains too")
{
	struct sample_spans spans;
	struct builder b;
	struct record rec;
	struct splice_chain chain = { .kept = calloc(9000, sizeof(u64)), .nr_kept = 9000 };
	static u8 out[1 << 17];

	build(&b, types[0], 2, STACK_ROOM, 10);
	rec = identify(&b, b.words);
	TEST_EQ(sample__spans(&rec, &spans), 0);
	TEST_EQ(sample__stitch(&rec, &spans, &chain, SPLICE_DROP, out, sizeof(out)), -ENOSPC);
	chain.user = chain.kept;
	chain.nr_user = 8150 - 11;
	chain.nr_kept = 10;
	TEST_EQ(sample__stitch(&rec, &spans, &chain, SPLICE_DROP, out, sizeof(out)),
		8150 * 8 + 56);
	TEST_EQ(sample__stitch(&rec, &spans, &chain, SPLICE_DROP, out, 100), -ENOSPC);
	chain.nr_user = ~0ULL;
	TEST_EQ(sample__stitch(&rec, &spans, &chain, SPLICE_DROP, out, sizeof(out)), -ENOSPC);
	/* Every shorter record, and lengths that lie. */
	for (u32 size = 8; size < rec.hdr->size; size += 8) {
		struct record cut = rec;
		struct perf_event_header hdr = *rec.hdr;
		u64 words[512];

		memcpy(words, b.words, sizeof(words));
		hdr.size = size;
		memcpy(words, &hdr, sizeof(hdr));
		cut.hdr = (const void *)words;
		(void)sample__spans(&cut, &spans);
		if (size < spans.stack.start)
			TEST_EQ(sample__spans(&cut, &spans), -EINVAL);
	}
	/* The least that a record can be, and what is left of one whose file has shrunk. */
	for (u16 size = 0; size <= 8; size += 8) {
		struct perf_event_header hdr = { .type = PERF_RECORD_SAMPLE, .size = size };

		TEST_EQ(sample__stitch(&(struct record){ .hdr = &hdr }, &(struct sample_spans){},
				       &(struct splice_chain){}, SPLICE_DROP, out, sizeof(out)),
			size ? size : -ENOSPC);
	}
	b.words[5] = ~0ULL; /* nr of the callchain */
	TEST_EQ(sample__spans(&rec, &spans), -EINVAL);
	recording__free(b.recording);
	free((void *)chain.kept);
}
