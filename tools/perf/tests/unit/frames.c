// SPDX-License-Identifier: GPL-2.0-only
/* Resolvers and texts remember places and chains: what they answer must not show it. */
#include <sys/mman.h>
#include <unistd.h>

#include "../../util/stack/frames.h"
#include "../../util/text/frame-text.h"
#include "../lib/machine-fixture.h"

#define CODE 0x400000
#define KERNEL 0xffffffff81000000ull
#define DEPTH 12

/* Behind asm_exc_int3 an address is where the CPU was, and behind others a return address. */
static struct thread *begin(struct fixture *f)
{
	struct mmap_record kernel = {
		.start = KERNEL, .len = 0x4000, .prot = 4, .filename = "[kernel.kallsyms]_text",
		.cpumode = PERF_RECORD_MISC_KERNEL,
	};

	fixture__write("kallsyms", "ffffffff81000000 T _text\nffffffff81001000 T asm_exc_int3\n"
				   "ffffffff81002000 T first\nffffffff81003000 T second\n"
				   "ffffffff81004000 T _etext\n");
	*f = fixture__setup();
	builder__at(f->b, (u32)-1, 0, 0, 0);
	builder__mmap2(f->b, &kernel);
	builder__at(f->b, getpid(), getpid(), 0, 1000);
	builder__mmap(f->b, CODE, 0x10000, 0, "/none/one");
	builder__mmap(f->b, CODE + 0x20000, 0x10000, 0, "/none/two");
	fixture__feed(f);
	f->s = symbols__new(&(struct symbols_opts){ .kallsyms = "kallsyms" }, f->m);
	return machine__thread(f->m, getpid(), getpid());
}

/* A chain in which markers stand between some frames. */
static u64 make_chain(u64 *chain, u64 seed)
{
	bool user = true;
	u64 nr = 0;

	for (u64 i = 0; i < DEPTH; i++) {
		if (hash_mix(seed ^ i) % 5 == 0) {
			user = !user;
			chain[nr++] = user ? ABI_CONTEXT_USER : ABI_CONTEXT_KERNEL;
		}
		chain[nr++] = user ? CODE + (hash_mix(seed % 7 + i) % 5) * 0x10000 :
				     KERNEL + (1 + hash_mix(seed % 7 + i) % 3) * 0x1000;
	}
	return nr;
}

static void expect_equal(const struct frames *got, const struct frames *want)
{
	TEST_EQ(got->f.nr, want->f.nr);
	TEST_EQ(got->nr_recorded, want->nr_recorded);
	for (size_t i = 0; i < got->f.nr; i++) {
		const struct frame *a = &got->f.v[i], *b = &want->f.v[i];

		TEST_EQ(a->ip, b->ip);
		TEST_EQ(a->cpumode, b->cpumode);
		TEST_TRUE(a->loc.dso == b->loc.dso && a->loc.map == b->loc.map);
		TEST_TRUE(a->loc.sym == b->loc.sym);
		TEST_EQ(a->loc.addr, b->loc.addr);
	}
}

TEST(frames_remembered, "frames: chains that are remembered are those that are resolved anew")
{
	struct fixture f;
	struct thread *t = begin(&f);
	struct resolver *r = resolver__new(f.s);
	struct frames got = {}, want = {};
	u64 chain[2 * DEPTH], user[DEPTH], same = 0;
	struct whole_sample ws = { .thread = t, .chain = chain, .user = user };

	for (u64 seed = 0; seed < 500; seed++) {
		struct resolver *fresh = resolver__new(f.s);

		ws.nr_chain = make_chain(chain, seed / 3);
		ws.nr_user = seed / 2 % 4;
		for (u64 i = 0; i < ws.nr_user; i++)
			user[i] = CODE + seed % 2 + i * 0x20000;
		if (seed % 50 == 49) { /* the same addresses are another file's */
			builder__mmap(f.b, CODE, 0x10000, 0, seed % 100 == 49 ? "/none/three" :
										"/none/one");
			fixture__feed(&f);
		}
		/* Those that come soon are told of, or others; that changes nothing. */
		if (seed % 3)
			resolver__soon(r, t, chain, ws.nr_chain - seed % 3);
		resolver__chain(r, &ws, seed / 16 % 9, &got);
		resolver__chain(fresh, &ws, seed / 16 % 9, &want);
		expect_equal(&got, &want);
		TEST_TRUE(got.nr_same <= got.f.nr);
		same += got.nr_same;
		resolver__free(fresh);
	}
	TEST_TRUE(same > 500);
	/* What is called by the frame of the chain before is not what this one interrupts. */
	ws.nr_user = 0;
	for (int i = 0; i < 4; i++) {
		const u64 inner = KERNEL + (i % 2 ? 0x1000 : 0x2000);

		ws.chain = (u64[]){ ABI_CONTEXT_KERNEL, inner + 8, KERNEL + 0x3000 };
		ws.nr_chain = 3;
		resolver__chain(r, &ws, 0, &got);
		TEST_STR(got.f.v[1].loc.sym->name, i % 2 ? "second" : "first");
	}
	resolver__free(r);
	fixture__teardown(&f);
}

static void note_places(void *ctx, const struct soon_place *v, size_t nr)
{
	u64 *sums = ctx;

	for (size_t i = 0; i < nr; i++) {
		sums[0] += v[i].place;
		sums[1] += v[i].note;
	}
}

TEST(frames_numbers, "a chain that was there has its number, until mappings change")
{
	enum { CHAINS = 300 };
	static u64 chains[CHAINS][2 * DEPTH], numbers[CHAINS], nr[CHAINS];
	struct whole_sample ws = {};
	struct resolver *r;
	struct fixture f;
	u64 long_chain[600], last = 0, kept = 0;

	ws.thread = begin(&f);
	r = resolver__new(f.s);
	for (u64 i = 0; i < CHAINS; i++) {
		nr[i] = make_chain(chains[i], i);
		chains[i][nr[i]++] = CODE + i;
	}
	for (int round = 0; round < 3; round++) {
		for (u64 i = 0; i < CHAINS; i++) {
			/* The last addresses come apart, as those of a user stack do. */
			ws.chain = chains[i];
			ws.nr_chain = nr[i] - 2;
			ws.user = chains[i] + ws.nr_chain;
			ws.nr_user = 2;
			last = resolver__number(r, &ws);
			TEST_TRUE(last);
			kept += round && last == numbers[i];
			numbers[i] = last;
		}
	}
	TEST_TRUE(kept > 2 * CHAINS * 9 / 10); /* some take the places of others */
	/* The same addresses, not so divided, or elsewhere. */
	ws.nr_chain++;
	ws.user++;
	ws.nr_user--;
	TEST_TRUE(resolver__number(r, &ws) > last);
	ws.nr_chain--;
	ws.user--;
	ws.nr_user++;
	builder__mmap(f.b, CODE, 0x10000, 0, "/none/three");
	fixture__feed(&f);
	TEST_TRUE(resolver__number(r, &ws) > last);
	for (u64 i = 0; i < ARRAY_SIZE(long_chain); i++)
		long_chain[i] = CODE + i;
	ws.chain = long_chain;
	ws.nr_chain = ARRAY_SIZE(long_chain);
	TEST_EQ(resolver__number(r, &ws), 0);
	ws.nr_chain = ws.nr_user = 0;
	TEST_EQ(resolver__number(r, &ws), 0);
	resolver__free(r);
	fixture__teardown(&f);
}

TEST(frames_numbers_rest, "chains that never come again are not looked at for a while")
{
	struct whole_sample ws = { .nr_chain = 2 };
	u64 chain[2] = { ABI_CONTEXT_USER }, nr[2] = {}, first = 0, known = 0;
	struct resolver *r;
	struct fixture f;

	ws.thread = begin(&f);
	ws.chain = chain;
	r = resolver__new(f.s);
	for (u64 i = 0; i < 200000; i++) {
		chain[1] = CODE + i;
		nr[resolver__number(r, &ws) != 0]++;
	}
	TEST_TRUE(nr[1] < nr[0]);
	TEST_TRUE(nr[1] > 1000);
	/* Where they do, they are looked at again. */
	for (u64 i = 0; i < 200000; i++) {
		chain[1] = CODE + i % 10;
		known = resolver__number(r, &ws);
		first = first ?: known;
	}
	TEST_TRUE(first && known && known < first + 10);
	resolver__free(r);
	fixture__teardown(&f);
}

TEST(frames_soon, "frames: the places of a chain that comes soon are known two chains before")
{
	const u64 here[] = { ABI_CONTEXT_KERNEL, KERNEL + 0x2008, KERNEL + 0x3008, ABI_CONTEXT_USER,
			     CODE + 16, CODE + 0x30 };
	const u64 other[] = { ABI_CONTEXT_USER, CODE + 0x5000 };
	struct fixture f;
	struct thread *t = begin(&f);
	struct resolver *r = resolver__new(f.s);
	struct whole_sample ws = { .thread = t, .chain = here, .nr_chain = ARRAY_SIZE(here) };
	struct frames frames = {};
	u64 want[2] = {}, sums[2] = {};

	resolver__on_soon(r, note_places, sums);
	resolver__soon(r, t, here, ARRAY_SIZE(here)); /* nothing is known so far */
	resolver__chain(r, &ws, 0, &frames);
	TEST_EQ(frames.f.nr, 4);
	for (size_t i = 0; i < frames.f.nr; i++) {
		resolver__note(r, frames.f.v[i].place, 100 + i);
		want[0] += frames.f.v[i].place;
		want[1] += 100 + i;
	}
	resolver__soon(r, t, other, ARRAY_SIZE(other));
	resolver__soon(r, t, here, ARRAY_SIZE(here));
	resolver__soon(r, t, other, ARRAY_SIZE(other));
	TEST_EQ(sums[0], 0);
	resolver__soon(r, t, other, ARRAY_SIZE(other));
	TEST_EQ(sums[0], want[0]);
	TEST_EQ(sums[1], want[1]);
	resolver__free(r);
	fixture__teardown(&f);
}

TEST(frames_places, "frames: equal addresses of a file have one place, and places are bounded")
{
	struct fixture f;
	struct thread *t = begin(&f);
	struct resolver *r = resolver__new(f.s);
	struct frames frames = {};
	u32 first, largest = 0;
	u64 ip = CODE + 16, epoch = resolver__epoch(r);

	resolver__user_ips(r, t, &ip, 1, &frames);
	first = frames.f.v[0].place;
	TEST_TRUE(first);
	builder__mmap(f.b, CODE + 0x100000, 0x10000, 0, "/none/one");
	fixture__feed(&f);
	ip += 0x100000;
	resolver__user_ips(r, t, &ip, 1, &frames);
	TEST_EQ(frames.f.v[0].place, first);
	for (ip = CODE; ip < CODE + 2 * PLACES_MAX + 2; ip++) { /* most are in no mapping */
		resolver__user_ips(r, t, &ip, 1, &frames);
		largest = max_of(largest, frames.f.v[0].place);
	}
	TEST_EQ(largest, PLACES_MAX);
	TEST_TRUE(resolver__epoch(r) > epoch);
	resolver__free(r);
	fixture__teardown(&f);
}

/* How often a text is made, and how long it is. */
struct text_maker {
	u64 nr_heads, nr_places, width;
};

static void put_head(void *ctx, struct textbuf *tb, const struct frame *f)
{
	struct text_maker *m = ctx;

	m->nr_heads++;
	textbuf__hex(tb, f->ip, m->width);
	textbuf__puts(tb, f->is_cookie ? " (cookie)" : " ");
}

static void put_place(void *ctx, struct textbuf *tb, const struct frame *f)
{
	((struct text_maker *)ctx)->nr_places++;
	textbuf__puts(tb, f->loc.sym ? f->loc.sym->name : "none");
	textbuf__hex(tb, f->loc.addr, 0);
}

/* Of two lengths: of one block in the copy, and of several. */
static void put_tail(void *ctx __unused_arg, struct textbuf *tb, const struct frame *f)
{
	textbuf__puts(tb, f->loc.dso ? " (" : "");
	textbuf__pad(tb, f->loc.dso ? 'd' : 'n', f->loc.addr & 16 ? 5 : 70);
}

static void make_text(struct resolver *r, struct frame_texts *ft, struct textbuf *tb,
		      const struct whole_sample *ws, struct text_maker *m, char separator)
{
	struct frame_printer printer = {
		.ctx = m, .key = m->width, .separator = separator, .head = put_head,
		.place = put_place, .tail = separator ? put_tail : NULL,
	};
	struct frames frames;

	resolver__chain(r, ws, 0, &frames);
	frame_texts__chain(ft, tb, &frames, r, &printer);
	textbuf__putc(tb, '\n');
}

/* A buffer that is written out now and then, in the midst of chains, too. */
static void begin_output(struct textbuf *tb, size_t size)
{
	textbuf__init(tb, memfd_create("text", 0));
	tb->max = size;
}

static void expect_output(struct textbuf *tb, struct textbuf *want)
{
	char *got = malloc(want->len + 1);

	textbuf__flush(tb);
	TEST_EQ(lseek(tb->fd, 0, SEEK_END), want->len);
	TEST_EQ(pread(tb->fd, got, want->len, 0), want->len);
	TEST_TRUE(!memcmp(got, want->buf, want->len));
	free(got);
	close(tb->fd);
	textbuf__free(tb);
	textbuf__free(want);
}

static void expect_same_text(struct fixture *f, struct thread *t, size_t size, char separator)
{
	struct text_maker often = {}, seldom = {};
	struct frame_texts kept = {};
	struct resolver *r = resolver__new(f->s);
	u64 chain[2 * DEPTH], user[8];
	struct whole_sample ws = { .thread = t, .chain = chain, .user = user };
	struct textbuf tb, want;

	begin_output(&tb, size);
	textbuf__init(&want, -1);
	for (u64 seed = 0; seed < 400; seed++) {
		struct resolver *fresh = resolver__new(f->s);
		struct frame_texts none = {};

		ws.nr_chain = make_chain(chain, seed / 3);
		if (seed % 5 == 0) {
			chain[ws.nr_chain++] = ABI_CONTEXT_USER_DEFERRED;
			chain[ws.nr_chain++] = seed / 10;
		}
		ws.nr_user = seed / 2 % 8;
		for (u64 i = 0; i < ws.nr_user; i++) /* one() is at two addresses */
			user[i] = CODE + (i % 2 ? 0x100000 * (seed / 20 % 2) : 0) + i * 16;
		often.width = seldom.width = seed / 103 % 2 * 16;
		make_text(r, &kept, &tb, &ws, &seldom, separator);
		make_text(fresh, &none, &want, &ws, &often, separator);
		frame_texts__free(&none);
		resolver__free(fresh);
	}
	expect_output(&tb, &want);
	TEST_TRUE(seldom.nr_places < often.nr_places / 10);
	TEST_TRUE(seldom.nr_heads < often.nr_heads / 2);
	frame_texts__free(&kept);
	resolver__free(r);
}

/* As lines and offsets of a file have: at most 65,535 of them are kept. */
static void put_own_tail(void *ctx, struct textbuf *tb, const struct frame *f)
{
	++*(u64 *)ctx;
	textbuf__hex(tb, f->ip, 40);
}

static void put_nothing(void *ctx __unused_arg, struct textbuf *tb __unused_arg,
			const struct frame *f __unused_arg)
{
}

TEST(frames_text_tails, "frames: as many ends of texts as there are addresses are printed right")
{
	enum { NR = 70000 };
	struct fixture f;
	struct thread *t = begin(&f);
	struct resolver *r = resolver__new(f.s);
	u64 user[1], nr_made = 0;
	struct whole_sample ws = { .thread = t, .user = user, .nr_user = 1 };
	struct frame_printer printer = {
		.ctx = &nr_made, .head = put_nothing, .place = put_nothing, .tail = put_own_tail,
	};
	struct frame_texts texts = {};
	struct frames frames;
	struct textbuf tb, want;

	begin_output(&tb, 4096);
	textbuf__init(&want, -1);
	for (u64 i = 0; i < 2 * NR; i++) {
		user[0] = CODE + i % NR;
		resolver__chain(r, &ws, 0, &frames);
		frame_texts__chain(&texts, &tb, &frames, r, &printer);
		textbuf__hex(&want, user[0], 40);
	}
	TEST_EQ(nr_made, NR);
	expect_output(&tb, &want);
	frame_texts__free(&texts);
	resolver__free(r);
	fixture__teardown(&f);
}

TEST(frames_text, "frames: the text of a chain does not show what is remembered and written out")
{
	struct fixture f;
	struct thread *t = begin(&f);

	builder__mmap(f.b, CODE + 0x100000, 0x10000, 0, "/none/one");
	fixture__feed(&f);
	for (size_t size = 64; size < 2048; size += 251 * test__share(3))
		expect_same_text(&f, t, size, size % 2 ? ',' : '\0');
	fixture__teardown(&f);
}
