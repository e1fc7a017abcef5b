// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Draining a ring by stretches: perf_mmap__unread() and perf_mmap__skip(). */
#include <fakering.h>
#include <pthread.h>
#include <sched.h>
#include <suite.h>

#define RECORDS 300000

struct reader {
	unsigned char bytes[65536];
	uint64_t expected;
};

/* Copies all that is unread; false if it is not whole records, in order, without gaps. */
static bool drain(struct reader *reader, struct fake_ring *ring)
{
	struct iovec span[2];
	size_t n = perf_mmap__unread(&ring->map, span), pos;

	if (span[0].iov_len + span[1].iov_len != n || n > sizeof(reader->bytes))
		return false;
	memcpy(reader->bytes, span[0].iov_base, span[0].iov_len);
	memcpy(reader->bytes + span[0].iov_len, span[1].iov_base, span[1].iov_len);
	perf_mmap__skip(&ring->map, n);
	for (pos = 0; pos < n;) {
		const struct fake_record *record = (const void *)(reader->bytes + pos);

		if (record->header.size > n - pos || !fake_record__is(record, reader->expected++))
			return false;
		pos += record->header.size;
	}
	return true;
}

static void *produce(void *arg)
{
	struct fake_ring *ring = arg;
	unsigned int words = 2;

	while (ring->number < RECORDS) {
		if (fake_ring__write(ring, words))
			words = words >= 97 ? 2 : words + 5;
		else
			sched_yield();
	}
	return NULL;
}

static int test_drain(void)
{
	static struct reader reader;
	struct fake_ring ring;
	pthread_t thread;
	bool good = true;

	__T("ring", !fake_ring__init(&ring, 4, false));
	__T("thread", !pthread_create(&thread, NULL, produce, &ring));
	while (good && reader.expected < RECORDS)
		good = drain(&reader, &ring);
	__T("once each, in order", good);
	pthread_join(thread, NULL);
	__T("nothing left", drain(&reader, &ring) && reader.expected == RECORDS);
	fake_ring__free(&ring);
	return 0;
}

static int test_part(void)
{
	struct fake_ring ring;
	struct iovec span[2];

	__T("ring", !fake_ring__init(&ring, 1, false));
	for (int i = 0; i < 4; i++)
		fake_ring__write(&ring, 4);
	__T("four", perf_mmap__unread(&ring.map, span) == 128);
	perf_mmap__skip(&ring.map, 32);
	__T("three", perf_mmap__unread(&ring.map, span) == 96 && ring.pc->data_tail == 32);
	__T("the second", fake_record__is(span[0].iov_base, 1));
	ring.map.refcnt = 1;
	perf_mmap__skip(&ring.map, 96);
	__T("hung up and empty: unmapped", !ring.map.base && !perf_mmap__unread(&ring.map, span));
	perf_mmap__skip(&ring.map, 0);
	return 0;
}

static const struct test tests[] = {
	{ "stretches, while it is written", test_drain },
	{ "a part of a stretch", test_part },
};

SUITE(tests)
