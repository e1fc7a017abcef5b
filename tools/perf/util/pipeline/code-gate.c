// SPDX-License-Identifier: GPL-2.0-only
#include "code-gate.h"

static bool find(void *ctx, const struct sample *s, const struct thread *t, const struct map *map,
		 u64 addr, struct unwind_mapping *out)
{
	const struct code_gate *g = ctx;

	if (g->moved && moved_text__awaits(g->moved, t->pid, addr))
		return false;
	return g->live.find(g->live.ctx, s, t, map, addr, out);
}

static bool stood(void *ctx, const struct sample *s, bool *sure)
{
	const struct code_gate *g = ctx;

	return g->live.stood(g->live.ctx, s, sure);
}

static int open_code(void *ctx, u32 module)
{
	const struct code_gate *g = ctx;

	return g->live.open(g->live.ctx, module);
}

struct live_code code_gate__open(struct code_gate *g, const struct live_code *live,
				 const struct moved_text *moved)
{
	*g = (struct code_gate){ *live, moved };
	if (!g->live.find)
		return (struct live_code){};
	return (struct live_code){ .find = find, .stood = stood, .open = open_code, .ctx = g };
}

void code_gate__record(const struct code_gate *g, const struct record *rec)
{
	struct mmap_record mmap;

	if (g->live.mapped && rec->hdr->type == PERF_RECORD_MMAP2 && !record__mmap(rec, &mmap))
		g->live.mapped(g->live.ctx, mmap.pid, mmap.start, mmap.start + mmap.len);
}
