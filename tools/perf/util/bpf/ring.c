// SPDX-License-Identifier: GPL-2.0-only
#include "ring.h"

#include <errno.h>
#include <linux/bpf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int bpf_ring__open(struct bpf_ring *r, int fd, u64 size)
{
	long page = sysconf(_SC_PAGESIZE);
	void *p;

	*r = (struct bpf_ring){ .size = size };
	p = mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	r->consumer = p;
	p = mmap(NULL, page + 2 * size, PROT_READ, MAP_SHARED, fd, page);
	if (p == MAP_FAILED) {
		int ret = -errno;

		bpf_ring__close(r);
		return ret;
	}
	r->producer = p;
	return 0;
}

void bpf_ring__close(struct bpf_ring *r)
{
	long page = sysconf(_SC_PAGESIZE);

	if (r->consumer)
		munmap(r->consumer, page);
	if (r->producer)
		munmap((void *)r->producer, page + 2 * r->size);
	*r = (struct bpf_ring){};
}

bool bpf_ring__next(struct bpf_ring *r, void *out, u32 size)
{
	const u8 *data = (const u8 *)r->producer + sysconf(_SC_PAGESIZE);
	u64 pos = *(u64 *)r->consumer;
	bool found = false;

	while (!found && pos < __atomic_load_n((const u64 *)r->producer, __ATOMIC_ACQUIRE)) {
		const u8 *at = data + (pos & (r->size - 1));
		u32 len = __atomic_load_n((const u32 *)at, __ATOMIC_ACQUIRE);
		u32 bytes = len & ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

		if (len & BPF_RINGBUF_BUSY_BIT)
			break;
		found = !(len & BPF_RINGBUF_DISCARD_BIT) && bytes == size;
		if (found)
			memcpy(out, at + BPF_RINGBUF_HDR_SZ, size);
		pos += align_up((u64)bytes + BPF_RINGBUF_HDR_SZ, 8);
		__atomic_store_n((u64 *)r->consumer, pos, __ATOMIC_RELEASE);
	}
	return found;
}
