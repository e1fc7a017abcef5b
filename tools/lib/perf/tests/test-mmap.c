// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include <fakering.h>
#include <pthread.h>
#include <sched.h>
#include <suite.h>

static const struct fake_record *next(struct fake_ring *ring)
{
	return (const struct fake_record *)perf_mmap__read_event(&ring->map);
}

static int test_empty(void)
{
	struct fake_ring ring;
	struct perf_mmap unmapped = { .mask = 4095 };

	__T("ring", !fake_ring__init(&ring, 1, false));
	__T("nothing there", perf_mmap__read_init(&ring.map) == -EAGAIN && !next(&ring));
	perf_mmap__consume(&ring.map);
	perf_mmap__read_done(&ring.map);
	__T("not mapped", perf_mmap__read_init(&unmapped) == -ENOENT &&
	    !perf_mmap__read_event(&unmapped));
	perf_mmap__consume(&unmapped);
	perf_mmap__read_done(&unmapped);
	fake_ring__free(&ring);
	return 0;
}

/* Many times round the ring, with records of all lengths, so that they wrap everywhere. */
static int test_wrap(void)
{
	struct fake_ring ring;
	uint64_t expected = 0;
	unsigned int words = 2, i;

	__T("ring", !fake_ring__init(&ring, 1, false));
	for (i = 0; i < 20000; i++) {
		while (fake_ring__write(&ring, words))
			words = words == 200 ? 2 : words + 1;
		__T("init", !perf_mmap__read_init(&ring.map));
		for (int n = 0; n < 3; n++) {
			const struct fake_record *record = next(&ring);

			if (!record)
				break;
			__T("whole and in order", fake_record__is(record, expected++));
			__T("room is kept while it is read", ring.pc->data_tail < ring.map.prev);
			perf_mmap__consume(&ring.map);
			__T("and given back", ring.pc->data_tail == ring.map.prev);
		}
		perf_mmap__read_done(&ring.map);
	}
	__T("went round", ring.head > 100 * ring.size);
	fake_ring__free(&ring);
	return 0;
}

#define STRESS_RECORDS 100000

static void *produce(void *arg)
{
	struct fake_ring *ring = arg;
	unsigned int words = 2;

	while (ring->number < STRESS_RECORDS) {
		if (fake_ring__write(ring, words))
			words = words >= 97 ? 2 : words + 5;
		else
			sched_yield();
	}
	return NULL;
}

/*
 * What is written between read_init() and the end of the loop is read in this round or the next,
 * once: numbers come without a gap and without a repetition.
 */
static int test_race(void)
{
	const struct fake_record *record;
	struct fake_ring ring;
	uint64_t expected = 0, wrong = 0;
	pthread_t thread;

	__T("ring", !fake_ring__init(&ring, 2, false));
	__T("thread", !pthread_create(&thread, NULL, produce, &ring));
	while (expected < STRESS_RECORDS && !wrong) {
		if (perf_mmap__read_init(&ring.map)) {
			sched_yield();
			continue;
		}
		for (int n = 0; n < 50 && (record = next(&ring)) != NULL; n++) {
			wrong += !fake_record__is(record, expected++);
			perf_mmap__consume(&ring.map);
		}
		perf_mmap__read_done(&ring.map);
	}
	__T("once each, in order", !wrong);
	pthread_join(thread, NULL);
	fake_ring__free(&ring);
	return 0;
}

/* What an overwrite ring holds, newest first; -1 if a number is out of order or torn. */
static int read_backward(struct fake_ring *ring)
{
	const struct fake_record *record;
	uint64_t expected = ring->number - 1;
	int nr = 0;

	if (perf_mmap__read_init(&ring->map))
		return 0;
	while ((record = next(ring)) != NULL) {
		if (!fake_record__is(record, expected--))
			return -1;
		nr++;
		perf_mmap__consume(&ring->map);
	}
	perf_mmap__read_done(&ring->map);
	return nr;
}

static int test_overwrite(void)
{
	struct fake_ring ring;
	int i, nr;

	__T("ring", !fake_ring__init(&ring, 1, true));
	__T("empty", read_backward(&ring) == 0);
	for (i = 0; i < 10; i++)
		fake_ring__write_backward(&ring, 4);
	__T("all, newest first", read_backward(&ring) == 10);
	__T("no news", read_backward(&ring) == 0);
	for (i = 0; i < 5; i++)
		fake_ring__write_backward(&ring, 6);
	__T("news only", read_backward(&ring) == 5);
	for (i = 0; i < 1000; i++)
		fake_ring__write_backward(&ring, 2 + i % 9);
	nr = read_backward(&ring);
	__T("gone round: whole records only", nr > 50 && nr < 120);
	__T("as many as there was room for", ring.size - (ring.map.end - ring.map.head) <= 80);
	__T("tail is not ours", !ring.pc->data_tail);
	fake_ring__free(&ring);
	return 0;
}

/* Sizes that no kernel writes end the reading; they do not make it hang or go astray. */
static int test_malformed(void)
{
	static const unsigned int sizes[] = { 0, 1, 7, 24, 65535 };
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE };
	uint64_t word;

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct fake_ring ring;

		__T("ring", !fake_ring__init(&ring, 1, false));
		header.size = sizes[i];
		memcpy(&word, &header, sizeof(word));
		fake_ring__put_word(&ring, 0, word);
		ring.pc->data_head = 16;
		__T("init", !perf_mmap__read_init(&ring.map));
		__T("refused", !next(&ring));
		ring.map.overwrite = true;
		ring.map.prev = 3 * ring.size;
		ring.pc->data_head = 0;
		if (!perf_mmap__read_init(&ring.map))
			while (next(&ring))
				;
		fake_ring__free(&ring);
	}
	return 0;
}

static int test_head_beyond_tail(void)
{
	struct fake_ring ring;

	__T("ring", !fake_ring__init(&ring, 1, false));
	ring.pc->data_head = ring.head = 5 * ring.size;
	__T("skipped", perf_mmap__read_init(&ring.map) == -EAGAIN);
	__T("caught up", ring.pc->data_tail == ring.head);
	fake_ring__write(&ring, 3);
	__T("goes on", !perf_mmap__read_init(&ring.map) && fake_record__is(next(&ring), 0));
	fake_ring__free(&ring);
	return 0;
}

/* All events have hung up (the reader's reference is the last): unmapped when read empty. */
static int test_hangup(void)
{
	struct fake_ring ring;

	__T("ring", !fake_ring__init(&ring, 1, false));
	fake_ring__write(&ring, 3);
	fake_ring__write(&ring, 3);
	ring.map.refcnt = 1;
	__T("init", !perf_mmap__read_init(&ring.map));
	__T("first", fake_record__is(next(&ring), 0));
	perf_mmap__consume(&ring.map);
	__T("still there", ring.map.base && fake_record__is(next(&ring), 1));
	perf_mmap__consume(&ring.map);
	__T("unmapped", !ring.map.base && !next(&ring));
	perf_mmap__read_done(&ring.map);
	__T("said so", perf_mmap__read_init(&ring.map) == -ENOENT);
	return 0;
}

static const struct test tests[] = {
	{ "nothing to read", test_empty },
	{ "records that wrap around", test_wrap },
	{ "reading while it is written", test_race },
	{ "overwrite rings", test_overwrite },
	{ "malformed records", test_malformed },
	{ "head beyond the size of the ring", test_head_beyond_tail },
	{ "the last record of a ring that hung up", test_hangup },
};

SUITE(tests)
