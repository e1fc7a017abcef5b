/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading a ring that BPF programs fill: BPF_MAP_TYPE_RINGBUF (Documentation/bpf/ringbuf.rst of
 * Linux). There is one reader. poll(2) of the map's descriptor says when there is something.
 */
#ifndef PERF_BPF_RING_H
#define PERF_BPF_RING_H

#include "../../../lib/unwind/core/types.h"

struct bpf_ring {
	void *consumer;       /* page with the reader's position; NULL: not open */
	const void *producer; /* page with the kernel's, and behind it the data, twice */
	u64 size;             /* of the data, bytes: a power of two */
};

/*
 * Maps a ring.
 * @fd: of the map; not needed afterwards
 * @size: its entries
 * Returns: 0 or -errno.
 */
int bpf_ring__open(struct bpf_ring *r, int fd, u64 size);

/* Unmaps it. All zero is a closed ring, too. */
void bpf_ring__close(struct bpf_ring *r);

/*
 * Takes the next record of @size bytes; others are passed over.
 * @out: gets it
 * Returns: false when there is none at present.
 */
bool bpf_ring__next(struct bpf_ring *r, void *out, u32 size);

#endif
