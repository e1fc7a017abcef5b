// SPDX-License-Identifier: GPL-2.0-only
#include "stack-path.h"

#include <string.h>

#define VARINT_MAX 5          /* bytes of a u32 */

/* A node has a greater number than its caller: so the two ways up meet at the first common one. */
void stack_path__go(struct stack_path *p, const struct stack_table *t, u32 node)
{
	p->inner.nr = 0;
	for (; node; node = t->nodes.v[node].parent) {
		while (p->v.nr && p->v.v[p->v.nr - 1] > node)
			p->v.nr--;
		if (p->v.nr && p->v.v[p->v.nr - 1] == node)
			break;
		*vec__push(&p->inner) = node;
	}
	p->v.nr = node ? p->v.nr : 0;
	p->same = p->v.nr;
	while (p->inner.nr)
		*vec__push(&p->v) = p->inner.v[--p->inner.nr];
}

void stack_path__free(struct stack_path *p)
{
	vec__free(&p->v);
	vec__free(&p->inner);
}

static void make_room(struct location_list *l, size_t more)
{
	size_t max = max_of(2 * l->max, l->size + more);
	u8 *v;

	if (l->size + more <= l->max)
		return;
	v = xmalloc(max);
	if (l->size)
		memcpy(v + max - l->size, l->v + l->max - l->size, l->size);
	free(l->v);
	l->v = v;
	l->max = max;
}

/* Puts a number in front of the list. */
static void put_first(struct location_list *l, u32 nr)
{
	u8 bytes[VARINT_MAX];
	size_t size = 0;

	for (; nr >= 0x80; nr >>= 7)
		bytes[size++] = nr | 0x80;
	bytes[size++] = nr;
	make_room(l, size);
	l->size += size;
	memcpy(l->v + l->max - l->size, bytes, size);
}

static bool is_inlined(const struct stack_table *t, u32 node)
{
	return t->frames.v[t->nodes.v[node].frame].inlined;
}

void location_list__go(struct location_list *l, const struct stack_table *t, u32 node,
		       location_fn location, void *ctx)
{
	struct stack_path *p = &l->path;
	size_t at, next;

	stack_path__go(p, t, node);
	at = p->same;
	/* The last common location may have other functions inlined now: it is put again. */
	if (at)
		for (at--; at && is_inlined(t, p->v.v[at]); at--)
			;
	l->size = p->same ? l->sizes.v[at] : 0;
	vec__reserve(&l->sizes, p->v.nr);
	for (; at < p->v.nr; at = next) {
		l->sizes.v[at] = l->size;
		for (next = at + 1; next < p->v.nr && is_inlined(t, p->v.v[next]); next++)
			l->sizes.v[next] = l->size;
		put_first(l, location(ctx, p->v.v[next - 1], at ? p->v.v[at - 1] : 0));
	}
}

void location_list__free(struct location_list *l)
{
	stack_path__free(&l->path);
	vec__free(&l->sizes);
	free(l->v);
}
