// SPDX-License-Identifier: GPL-2.0-only
#include "identity.h"

#include <string.h>

/* FNV-1a, which everybody can compute, and no byte order matters to. */
#define FNV_START 0xcbf29ce484222325ULL
#define FNV_PRIME 0x100000001b3ULL

static u64 add_byte(u64 h, u8 byte)
{
	return (h ^ byte) * FNV_PRIME;
}

/* With the NUL at its end, so that what follows is no part of it. */
static u64 add_text(u64 h, const char *s)
{
	do {
		h = add_byte(h, *s);
	} while (*s++);
	return h;
}

static u64 add_number(u64 h, u64 v)
{
	for (u32 i = 0; i < sizeof(v); i++, v >>= 8)
		h = add_byte(h, v);
	return h;
}

static u64 end(u64 h)
{
	return h ?: 1;
}

u64 frame__identity(const struct stack_table *t, u32 frame)
{
	const struct export_frame *f = &t->frames.v[frame];
	const struct export_function *fn = stack_table__function(t, frame);
	const struct export_module *m = fn->module ? &t->modules.v[fn->module] : NULL;
	u64 inlined = f->inlined ? f->depth + 1 : 0, h;

	/* Code without a build-id is elsewhere in each process, or another one on each host. */
	if (!m || !*m->build_id || !f->addr || (fn->kernel && !fn->start)) {
		h = add_text(add_byte(FNV_START, 'n'), m ? m->name : "");
		return end(add_text(h, fn->name));
	}
	h = add_text(add_byte(FNV_START, fn->kernel ? 'k' : 'b'), m->build_id);
	if (!fn->kernel)
		return end(add_number(add_number(h, f->addr), inlined));
	/* The kernel is elsewhere after each boot. */
	h = add_number(add_text(h, fn->name), f->addr - fn->start);
	return end(add_number(h, inlined));
}

u64 stack__identity(u64 caller, u64 frame)
{
	return end(add_number(add_number(FNV_START, caller), frame));
}
