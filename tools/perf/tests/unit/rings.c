// SPDX-License-Identifier: GPL-2.0-only
#include <poll.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "../../util/data/sample-splice.h"
#include "../../util/live/rings.h"
#include "../test.h"

/* Our own process, sampled with stack copies: much data in little time. */
struct session {
	struct event_list list;
	struct event_set set;
	struct recording *recording;
	struct rings *rings;
	int ready_fd;
};

static void open_session(struct session *s, size_t arena_bytes, u32 ring_pages)
{
	struct sampling sampling = {
		.freq = 5000, .stack = USER_STACK_COPY, .stack_size = 8192, .no_inherit = true,
	};
	struct target target = { .workload = getpid() };
	struct event_set_opts opts = {
		.sampling = &sampling, .target = &target, .ring_pages = ring_pages,
	};
	struct error err = {};
	struct rings_opts rings;

	*s = (struct session){ .ready_fd = eventfd(0, EFD_NONBLOCK) };
	TEST_EQ(event_list__parse(&s->list, "cpu-clock", &err), 0);
	if (event_set__open(&s->set, &s->list, &opts, &err))
		TEST_SKIP("%s", err.text);
	s->recording = recording__new();
	TEST_EQ(event_set__describe(&s->set, s->recording, false, &err), 0);
	rings = (struct rings_opts){
		.set = &s->set, .recording = s->recording, .arena_bytes = arena_bytes,
		.ready_fd = s->ready_fd,
	};
	TEST_EQ(rings__start(&s->rings, &rings, &err), 0);
	event_set__enable(&s->set);
}

static void close_session(struct session *s)
{
	rings__free(s->rings);
	event_set__close(&s->set);
	event_list__free(&s->list);
	recording__free(s->recording);
	close(s->ready_fd);
}

static void spin(double seconds)
{
	clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);

	while (clock() < end)
		;
}

struct counts {
	u64 samples, lost, bytes, rounds;
};

static void count_chunk(struct session *s, struct ring_chunk *c, struct counts *n)
{
	const struct perf_event_header *hdr;
	struct lost_record lost;
	struct sample sample;
	size_t pos = 0;

	n->rounds += c->round_ended;
	while ((hdr = ring_chunk__next(c, &pos))) {
		struct record rec = { .hdr = hdr };

		TEST_EQ(record__identify(&rec, s->recording), 0);
		if (hdr->type == PERF_RECORD_SAMPLE) {
			TEST_EQ(sample__parse(&sample, &rec), 0);
			TEST_EQ(sample.pid, getpid());
			/* Hardly more than the kernel wrote. */
			TEST_TRUE(sample.stack_room <= sample.stack_size + 8);
			n->samples++;
		} else if (hdr->type == PERF_RECORD_LOST) {
			TEST_EQ(record__lost(&rec, &lost), 0);
			n->lost += lost.lost;
		}
	}
	n->bytes += c->used;
}

/* Takes everything until the drain has ended. */
static void take_rest(struct session *s, struct counts *n)
{
	struct pollfd fd = { .fd = s->ready_fd, .events = POLLIN };
	struct ring_chunk *c;
	eventfd_t value;
	int ret;

	for (;;) {
		while (!(ret = rings__take(s->rings, &c))) {
			count_chunk(s, c, n);
			ring_chunk__put(c);
		}
		if (ret == -ESHUTDOWN)
			return;
		TEST_TRUE(poll(&fd, 1, 5000) > 0);
		eventfd_read(s->ready_fd, &value);
	}
}

TEST(rings_drain, "rings: every sample arrives, trimmed to what the kernel wrote")
{
	struct rings_stats stats;
	struct counts n = {};
	struct session s;

	open_session(&s, 0, 0);
	spin(0.3);
	event_set__disable(&s.set);
	rings__stop(s.rings);
	take_rest(&s, &n);
	rings__stats(s.rings, &stats);
	TEST_TRUE(n.samples > 100);
	TEST_TRUE(stats.records >= n.samples);
	TEST_TRUE(n.bytes <= stats.bytes);
	TEST_TRUE(n.rounds > 0);
	close_session(&s);
}

static int add_lost(void *ctx, size_t event __unused_arg, const struct perf_counts_values *count)
{
	*(u64 *)ctx += count->lost;
	return 0;
}

static u64 count_lost(const struct event_set *set)
{
	u64 lost = 0;

	event_set__each_count(set, add_lost, &lost);
	return lost;
}

TEST(rings_full_arena, "rings: a full arena stalls the drain, and the kernel counts what is lost")
{
	struct ring_chunk *held[16], *c;
	size_t nr_held = 0, bytes = 0;
	struct rings_stats stats;
	struct counts n = {};
	struct session s;
	u64 lost;
	int ret = 0;

	open_session(&s, 4 << 20, 64);
	/* The reader holds on to all it gets: 4 MiB are full after 0.1 s of spinning. */
	for (int i = 0; i < 100 && ret != -ENOBUFS; i++) {
		spin(0.02);
		while (!(ret = rings__take(s.rings, &c))) {
			TEST_TRUE(nr_held < ARRAY_SIZE(held));
			held[nr_held++] = c;
		}
	}
	TEST_EQ(ret, -ENOBUFS);
	for (size_t i = 0; i < nr_held; i++)
		bytes += held[i]->used;
	TEST_TRUE(bytes <= 4 << 20);
	while (!count_lost(&s.set)) /* now the rings overflow */
		spin(0.01);
	for (size_t i = 0; i < nr_held; i++) {
		count_chunk(&s, held[i], &n);
		ring_chunk__put(held[i]);
	}
	event_set__disable(&s.set);
	rings__stop(s.rings);
	take_rest(&s, &n);
	rings__stats(s.rings, &stats);
	lost = count_lost(&s.set);
	TEST_TRUE(stats.stalls > 0);
	TEST_TRUE(n.samples > nr_held); /* the chunks and what the rings held */
	TEST_TRUE(lost > 0);
	TEST_TRUE(n.lost <= lost);
	close_session(&s);
}

TEST(rings_abandoned, "rings: freed in the middle, with chunks taken and the arena full")
{
	struct ring_chunk *c;
	struct session s;

	open_session(&s, 4 << 20, 64);
	for (int i = 0; i < 10; i++) {
		spin(0.03);
		(void)rings__take(s.rings, &c);
	}
	close_session(&s);
}

TEST(rings_affinity, "rings: --affinity moves the reading thread to the CPU, or to its node")
{
	cpu_set_t allowed, now;
	struct affinity a;

	TEST_EQ(sched_getaffinity(0, sizeof(allowed), &allowed), 0);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed))
			continue;
		affinity__init(&a, AFFINITY_CPU);
		affinity__follow(&a, cpu);
		affinity__free(&a);
		TEST_EQ(sched_getaffinity(0, sizeof(now), &now), 0);
		TEST_EQ(CPU_COUNT(&now), 1);
		TEST_TRUE(CPU_ISSET(cpu, &now));
		affinity__init(&a, AFFINITY_NODE);
		affinity__follow(&a, cpu);
		affinity__follow(&a, -1);
		affinity__free(&a);
		TEST_EQ(sched_getaffinity(0, sizeof(now), &now), 0);
		TEST_TRUE(CPU_ISSET(cpu, &now));
	}
	TEST_EQ(sched_setaffinity(0, sizeof(allowed), &allowed), 0);
	affinity__init(&a, AFFINITY_SYS);
	affinity__follow(&a, 0);
	affinity__free(&a);
	TEST_EQ(sched_getaffinity(0, sizeof(now), &now), 0);
	TEST_TRUE(CPU_EQUAL(&now, &allowed));
}

TEST(rings_size, "rings: their size follows from rate, sample, CPUs and memory")
{
	static const struct {
		enum user_stack stack;
		u64 freq, rings, memory_mb, kb;
	} cases[] = {
		{ .stack = USER_STACK_NONE, .freq = 4000, .rings = 2, .memory_mb = 24000,
		  .kb = 512 },
		{ .stack = USER_STACK_FP, .freq = 4000, .rings = 2, .memory_mb = 24000,
		  .kb = 1024 },
		{ .stack = USER_STACK_FP, .freq = 50000, .rings = 2, .memory_mb = 24000,
		  .kb = 8192 },
		{ .stack = USER_STACK_COPY, .freq = 100, .rings = 2, .memory_mb = 24000,
		  .kb = 512 },
		{ .stack = USER_STACK_COPY, .freq = 999, .rings = 2, .memory_mb = 24000,
		  .kb = 4096 },
		{ .stack = USER_STACK_COPY, .freq = 4000, .rings = 2, .memory_mb = 24000,
		  .kb = 16384 },
		{ .stack = USER_STACK_COPY, .freq = 10000, .rings = 2, .memory_mb = 24000,
		  .kb = 16384 },
		{ .stack = USER_STACK_COPY, .freq = 99999, .rings = 2, .memory_mb = 24000,
		  .kb = 65536 },
		{ .stack = USER_STACK_COPY, .freq = 99999, .rings = 2, .memory_mb = 2000,
		  .kb = 16384 },
		{ .stack = USER_STACK_COPY, .freq = 99999, .rings = 64, .memory_mb = 256000,
		  .kb = 16384 },
		{ .stack = USER_STACK_COPY, .freq = 4000, .rings = 64, .memory_mb = 512,
		  .kb = 256 },
		{ .stack = USER_STACK_COPY, .freq = 4000, .rings = 100000, .memory_mb = 24000,
		  .kb = 32 },
		{ .stack = USER_STACK_NONE, .freq = 4000, .rings = 512, .memory_mb = 256000,
		  .kb = 512 },
		{ .stack = USER_STACK_NONE, .freq = 4000, .rings = 100000, .memory_mb = 24000,
		  .kb = 4 },
	};

	if (sysconf(_SC_PAGESIZE) != 4096)
		TEST_SKIP("sizes are those of 4 kB pages");
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sampling s = {
			.freq = cases[i].freq, .stack = cases[i].stack, .stack_size = 8192,
		};
		struct target target = { .workload = 1 };
		struct event_list list = {};
		struct error err = {};

		TEST_EQ(event_list__parse(&list, "cpu-clock", &err), 0);
		sampling__configure(&s, &target, &list.specs.v[0], true, true);
		TEST_EQ(sampling__ring_bytes(&s, &list, cases[i].rings,
					     cases[i].memory_mb << 20) >> 10, cases[i].kb);
		event_list__free(&list);
	}
}

TEST(rings_stack_size, "rings: copies are as large as rate, rings and permissions allow")
{
	static const struct {
		u64 freq, rings, given_kb, lockable_kb, size;
	} cases[] = {
		{ .freq = 100, .rings = 2, .size = SAMPLING_MAX_STACK },
		{ .freq = 10000, .rings = 2, .size = SAMPLING_MAX_STACK },
		{ .freq = 20000, .rings = 2, .size = SAMPLING_MAX_STACK },
		{ .freq = 50000, .rings = 2, .size = 32768 },
		{ .freq = 99999, .rings = 2, .size = 32768 },
		{ .freq = 4000, .rings = 64, .size = SAMPLING_MAX_STACK },
		{ .freq = 4000, .rings = 2, .given_kb = 128, .size = 8192 },
		/* what ordinary users may lock */
		{ .freq = 4000, .rings = 4, .given_kb = 2048, .size = 32768 },
		{ .freq = 4000, .rings = 8, .given_kb = 1024, .size = 32768 },
		{ .freq = 4000, .rings = 16, .given_kb = 512, .size = 16384 },
		{ .freq = 4000, .rings = 2, .lockable_kb = 196, .size = 8192 },
		{ .freq = 4000, .rings = 2, .lockable_kb = 16384, .size = SAMPLING_MAX_STACK },
		{ .freq = 4000, .rings = 2, .lockable_kb = 1, .size = 8192 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct sampling s = {
			.freq = cases[i].freq, .stack = USER_STACK_COPY,
			.stack_size = 8192, .choose_stack_size = true,
		};
		struct ring_room room = {
			.given = cases[i].given_kb << 10, .memory = 64ULL << 30,
			.lockable = cases[i].lockable_kb ? cases[i].lockable_kb << 10 : UINT64_MAX,
		};
		struct target target = { .workload = 1 };
		struct event_list list = {};
		struct error err = {};

		TEST_EQ(event_list__parse(&list, "cpu-clock", &err), 0);
		sampling__configure(&s, &target, &list.specs.v[0], true, true);
		sampling__choose_stack_size(&s, &list, cases[i].rings, &room);
		TEST_EQ(s.stack_size, cases[i].size);
		TEST_EQ(list.specs.v[0].attr.sample_stack_user, cases[i].size);
		event_list__free(&list);
	}
}

TEST(rings_leaf_copy, "rings: deferred samples have room for the top of the stack")
{
	struct sampling s = { .freq = 4000, .stack = USER_STACK_DEFER, .leaf_copy = 1024 };
	struct target target = { .workload = 1 };
	struct event_list list = {};
	const struct perf_event_attr *attr;
	struct error err = {};
	u64 with, without;

	TEST_EQ(event_list__parse(&list, "cpu-clock", &err), 0);
	sampling__configure(&s, &target, &list.specs.v[0], true, true);
	attr = &list.specs.v[0].attr;
	TEST_TRUE(attr__has_copy(attr) && attr__test_bit(attr, ATTR_BIT_DEFER_CALLCHAIN));
	TEST_EQ(attr->sample_stack_user, 1024);
	TEST_EQ(attr->exclude_callchain_user, 0);
	with = sampling__ring_bytes(&s, &list, 4, 64ULL << 30);
	s.leaf_copy = 0;
	without = sampling__ring_bytes(&s, &list, 4, 64ULL << 30);
	TEST_TRUE(with > without);
	/* A deferred record must fit, too. */
	TEST_TRUE(sampling__min_ring_pages(&s, &list) * sysconf(_SC_PAGESIZE) >= 4096 + 104);
	event_list__free(&list);
}
