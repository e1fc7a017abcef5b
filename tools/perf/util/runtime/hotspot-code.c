// SPDX-License-Identifier: GPL-2.0-only
#include "hotspot-code.h"

#include <stdio.h>
#include <string.h>

#include "../../../lib/perf-jvmti/names.h"

#define SEGMENT_LOG2_MAX 16
#define SEGMENTS_BACK 4096    /* bytes of a map of segments that are looked at */
#define SEGMENT_FREE 0xff
#define CACHE_MAX (1ULL << 32)
#define BLOB_MAX (16ULL << 20) /* bytes of instructions */
#define BLOB_HEADER 512
#define SYMBOL_MAX 512        /* longer names are cut */

static u64 field(const u8 *object, u64 size, u64 at)
{
	u64 v = 0;

	if (at <= size - sizeof(v))
		memcpy(&v, object + at, sizeof(v));
	return v;
}

static bool read_u64(const struct runtime_memory *m, u64 addr, u64 *v)
{
	return m->read(m->ctx, addr, v, sizeof(*v));
}

static u64 heap__word(const struct hotspot_heap *h, u64 space, u64 at)
{
	return field(h->object, sizeof(h->object), space + at);
}

static bool heap__read(struct hotspot_heap *h, u64 addr, const struct hotspot_layout *l,
		       const struct runtime_memory *m)
{
	u8 object[HOTSPOT_HEAP_SIZE];

	if (!m->read(m->ctx, addr, object, sizeof(object)))
		return false;
	if (h->addr != addr || memcmp(object, h->object, sizeof(object)))
		h->epoch++;
	memcpy(h->object, object, sizeof(object));
	h->addr = addr;
	h->low = heap__word(h, l->heap_memory, l->space_low);
	h->high = heap__word(h, l->heap_memory, l->space_high);
	h->segmap = heap__word(h, l->heap_segmap, l->space_low);
	h->log2 = heap__word(h, l->heap_log2, 0);
	return h->low <= h->high && h->high - h->low <= CACHE_MAX && h->log2 <= SEGMENT_LOG2_MAX;
}

bool hotspot_heaps__read(struct hotspot_heaps *h, const struct hotspot_layout *l,
			 const struct runtime_memory *m)
{
	u64 array, data, at;
	u32 nr;

	h->nr = 0;
	if (!read_u64(m, l->low_bound, &h->low) || !read_u64(m, l->high_bound, &h->high) ||
	    !read_u64(m, l->heaps, &array) || !array ||
	    !m->read(m->ctx, array + l->array_len, &nr, sizeof(nr)) ||
	    !read_u64(m, array + l->array_data, &data))
		return false;
	for (u32 i = 0; i < min_of(nr, (u32)HOTSPOT_HEAPS_MAX); i++)
		if (read_u64(m, data + 8 * i, &at) && heap__read(&h->v[h->nr], at, l, m))
			h->nr++;
	return h->nr;
}

const struct hotspot_heap *hotspot_heaps__find(const struct hotspot_heaps *h, u64 addr)
{
	for (u32 i = 0; i < h->nr; i++)
		if (addr >= h->v[i].low && addr < h->v[i].high)
			return &h->v[i];
	return NULL;
}

/*
 * Each segment of the heap has a byte in the map: how many segments the block begins before it, or
 * less, so that one goes on from there; 0 where it begins.
 */
static bool heap__block(const struct hotspot_heap *h, u64 addr, const struct runtime_memory *m,
			u64 *block)
{
	u64 segment = (addr - h->low) >> h->log2;
	u64 from = segment - min_of(segment, (u64)SEGMENTS_BACK - 1);
	u8 map[SEGMENTS_BACK];
	u64 i = segment - from;

	if (!m->read(m->ctx, h->segmap + from, map, i + 1) || map[i] == SEGMENT_FREE)
		return false;
	while (map[i]) {
		if (map[i] > i || map[i] == SEGMENT_FREE)
			return false;
		i -= map[i];
	}
	*block = h->low + ((from + i) << h->log2);
	return true;
}

static bool is_method(const struct runtime_memory *m, u64 name)
{
	static const char compiled[] = "nmethod", native[] = "native nmethod";
	char text[sizeof(native)] = "";

	if (m->read(m->ctx, name, text, sizeof(native)) && !memcmp(text, native, sizeof(native)))
		return true;
	return m->read(m->ctx, name, text, sizeof(compiled)) &&
	       !memcmp(text, compiled, sizeof(compiled));
}

static void blob__cut(struct hotspot_blob *b, u64 stubs, u64 addr)
{
	if (stubs <= b->start || stubs >= b->end)
		return;
	if (addr < stubs)
		b->end = stubs;
	else
		b->start = stubs;
}

bool hotspot_blob__read(struct hotspot_blob *out, u64 block, u64 addr,
			const struct hotspot_layout *l, const struct runtime_memory *m)
{
	u64 at = block + l->block_size;
	u8 header[BLOB_HEADER], used;

	*out = (struct hotspot_blob){ .block = block };
	if (!m->read(m->ctx, block + l->block_used, &used, 1) || !used ||
	    !m->read(m->ctx, at, header, sizeof(header)))
		return false;
	if (l->code_begin != HOTSPOT_NONE) {
		out->start = field(header, sizeof(header), l->code_begin);
		out->end = field(header, sizeof(header), l->code_end);
	} else {
		out->start = at + (u32)field(header, sizeof(header), l->code_offset);
		out->end = at + (u32)field(header, sizeof(header), l->data_offset);
	}
	out->name = field(header, sizeof(header), l->blob_name);
	if (out->start < at || out->end <= out->start || out->end - at > BLOB_MAX)
		return false;
	out->code = out->start;
	if (is_method(m, out->name)) {
		if (l->stubs != HOTSPOT_NONE)
			blob__cut(out, at + (u32)field(header, sizeof(header), l->stubs), addr);
		out->method = field(header, sizeof(header), l->method);
		out->compile_id = (u32)field(header, sizeof(header), l->compile_id);
	}
	return addr >= out->start && addr < out->end;
}

bool hotspot_blob__find(struct hotspot_blob *out, const struct hotspot_heap *h, u64 addr,
			const struct hotspot_layout *l, const struct runtime_memory *m)
{
	u64 block;

	return heap__block(h, addr, m, &block) && hotspot_blob__read(out, block, addr, l, m);
}

/* @out: zeros, of SYMBOL_MAX bytes and one. Returns: whether it may be a symbol. */
static bool read_symbol(const struct hotspot_layout *l, const struct runtime_memory *m, u64 addr,
			char *out)
{
	u16 len;

	if (!addr || !m->read(m->ctx, addr + l->symbol_length, &len, sizeof(len)) || !len)
		return false;
	len = min_of(len, (u16)SYMBOL_MAX);
	if (!m->read(m->ctx, addr + l->symbol_body, out, len))
		return false;
	for (u32 i = 0; i < len; i++)
		if ((u8)out[i] < ' ' || (u8)out[i] == 0x7f)
			return false;
	return true;
}

bool hotspot_method__name(u64 method, char *out, u64 *constant, const struct hotspot_layout *l,
			  const struct runtime_memory *m)
{
	char class[SYMBOL_MAX + 3] = "L", name[SYMBOL_MAX + 1] = "";
	char signature[SYMBOL_MAX + 1] = "";
	u64 pool, holder, class_symbol, name_symbol, signature_symbol;
	u16 name_index, signature_index;

	_Static_assert(HOTSPOT_NAME_MAX == NAME_MAX_LEN, "as name__of_method() makes them");
	if (!read_u64(m, method + l->const_method, constant) ||
	    !read_u64(m, *constant + l->constants, &pool) ||
	    !m->read(m->ctx, *constant + l->name_index, &name_index, sizeof(name_index)) ||
	    !m->read(m->ctx, *constant + l->signature_index, &signature_index,
		     sizeof(signature_index)) ||
	    !read_u64(m, pool + l->pool_holder, &holder) ||
	    !read_u64(m, holder + l->class_name, &class_symbol) ||
	    !read_u64(m, pool + l->pool_size + 8ULL * name_index, &name_symbol) ||
	    !read_u64(m, pool + l->pool_size + 8ULL * signature_index, &signature_symbol))
		return false;
	if (!read_symbol(l, m, class_symbol, class + 1) || !read_symbol(l, m, name_symbol, name) ||
	    !read_symbol(l, m, signature_symbol, signature) || *signature != '(')
		return false;
	class[strlen(class)] = ';'; /* the rest is zeros */
	name__of_method(out, class, name, signature);
	return true;
}

bool hotspot_blob__name(const struct hotspot_blob *b, char *out, const struct hotspot_layout *l,
			const struct runtime_memory *m)
{
	u64 constant;

	if (b->method)
		return hotspot_method__name(b->method, out, &constant, l, m);
	for (size_t size = 64; size > 4; size /= 2) /* it may end in front of a page's end */
		if (m->read(m->ctx, b->name, out, size)) {
			out[size - 1] = '\0';
			return *out;
		}
	return false;
}
