/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/*
 * A ring without a kernel: memory laid out like one, and the kernel's side of the protocol (write,
 * publish data_head; never over what data_tail keeps). Records are a header, a number that goes up
 * by one, and filling that depends on both.
 */
#ifndef LIBPERF_TESTS_FAKERING_H
#define LIBPERF_TESTS_FAKERING_H

#include <internal/mmap.h>
#include <linux/perf_event.h>
#include <perf/event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct fake_ring {
	struct perf_mmap map;
	struct perf_event_mmap_page *pc;
	unsigned char *data;
	size_t size;
	uint64_t head, number;
};

struct fake_record {
	struct perf_event_header header;
	uint64_t number;
	uint64_t filling[];
};

/* Makes a ring with @pages of data. @overwrite: it is written backwards. Returns 0 or -1. */
static inline int fake_ring__init(struct fake_ring *ring, int pages, bool overwrite)
{
	size_t page = sysconf(_SC_PAGESIZE);
	void *base = mmap(NULL, (pages + 1) * page, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(ring, 0, sizeof(*ring));
	if (base == MAP_FAILED)
		return -1;
	ring->pc = base;
	ring->data = (unsigned char *)base + page;
	ring->size = pages * page;
	ring->map.base = base;
	ring->map.mask = ring->size - 1;
	ring->map.fd = -1;
	ring->map.overwrite = overwrite;
	ring->map.refcnt = 2;
	return 0;
}

/* Frees the ring. */
static inline void fake_ring__free(struct fake_ring *ring)
{
	if (ring->map.base)
		munmap(ring->map.base, ring->size + sysconf(_SC_PAGESIZE));
	free(ring->map.event_copy);
}

/* Internal: writes @word at the position @pos. */
static inline void fake_ring__put_word(struct fake_ring *ring, uint64_t pos, uint64_t word)
{
	memcpy(ring->data + (pos & (ring->size - 1)), &word, sizeof(word));
}

/* Internal: writes the next record, of @words, at the position @pos. */
static inline void fake_ring__put(struct fake_ring *ring, uint64_t pos, unsigned int words)
{
	struct perf_event_header header = { .type = PERF_RECORD_SAMPLE, .size = words * 8 };
	uint64_t word;
	unsigned int i;

	memcpy(&word, &header, sizeof(word));
	fake_ring__put_word(ring, pos, word);
	fake_ring__put_word(ring, pos + 8, ring->number);
	for (i = 2; i < words; i++)
		fake_ring__put_word(ring, pos + i * 8, ring->number * 1000 + i);
	ring->number++;
}

/* Writes the next record, of @words, at least 2. Returns false if there is no room. */
static inline bool fake_ring__write(struct fake_ring *ring, unsigned int words)
{
	uint64_t tail = __atomic_load_n(&ring->pc->data_tail, __ATOMIC_ACQUIRE);

	if (ring->head + words * 8 - tail > ring->size)
		return false;
	fake_ring__put(ring, ring->head, words);
	ring->head += words * 8;
	__atomic_store_n(&ring->pc->data_head, ring->head, __ATOMIC_RELEASE);
	return true;
}

/* Writes the next record, of @words, into an overwrite ring: downwards, over what is there. */
static inline void fake_ring__write_backward(struct fake_ring *ring, unsigned int words)
{
	ring->head -= words * 8;
	fake_ring__put(ring, ring->head, words);
	__atomic_store_n(&ring->pc->data_head, ring->head, __ATOMIC_RELEASE);
}

/* Returns: whether the record is the one with the @number, complete and unchanged. */
static inline bool fake_record__is(const struct fake_record *record, uint64_t number)
{
	unsigned int words = record->header.size / 8, i;

	if (words < 2 || record->number != number)
		return false;
	for (i = 2; i < words; i++) {
		if (record->filling[i - 2] != number * 1000 + i)
			return false;
	}
	return true;
}

#endif
