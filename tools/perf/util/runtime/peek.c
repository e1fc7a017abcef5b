// SPDX-License-Identifier: GPL-2.0-only
#include "peek.h"

#include <string.h>

#define PAGE 4096
#define READS_PER_S 20000 /* of all processes */

void peek__begin(struct peek *p, u32 pid)
{
	p->pid = pid;
	p->reader.per_second = READS_PER_S;
	for (u32 i = 0; i < PEEK_WINDOWS; i++)
		p->windows[i].len = 0;
}

static const struct peek_window *peek__window(struct peek *p, u64 addr)
{
	u64 at = addr & -(u64)PAGE;
	struct peek_window *w;
	ssize_t n;

	for (u32 i = 0; i < PEEK_WINDOWS; i++) {
		w = &p->windows[i];
		if (w->len && addr >= w->at && addr - w->at < w->len)
			return w;
	}
	w = &p->windows[p->next++ % PEEK_WINDOWS];
	w->len = 0;
	/* Where nobody else is asked, more bytes cost more. */
	n = memory_reader__read(&p->reader, p->pid, at, w->bytes,
				p->reader.other ? sizeof(w->bytes) : PAGE);
	if (n <= (ssize_t)(addr - at))
		return NULL;
	w->at = at;
	w->len = n;
	return w;
}

bool peek__read(void *ctx, u64 addr, void *to, size_t size)
{
	for (size_t at = 0, part; at < size; at += part) {
		const struct peek_window *w = addr > INT64_MAX - size ? NULL :
						     peek__window(ctx, addr + at);

		if (!w)
			return false;
		part = min_of(size - at, (size_t)(w->at + w->len - (addr + at)));
		memcpy((u8 *)to + at, w->bytes + (addr + at - w->at), part);
	}
	return true;
}

struct runtime_memory peek__memory(struct peek *p)
{
	return (struct runtime_memory){ peek__read, p };
}

void peek__free(struct peek *p)
{
	memory_reader__free(&p->reader);
}
