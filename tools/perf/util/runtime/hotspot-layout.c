// SPDX-License-Identifier: GPL-2.0-only
#include "hotspot-layout.h"

#include <stddef.h>
#include <string.h>

#define ENTRIES_MAX 4096
#define NAME_SIZE 64

/* As vmStructs.hpp has them on machines of 64 bits; the last one has no name. */
struct struct_entry {
	u64 type, field, kind;
	u64 is_static;
	u64 offset, address;
};

struct type_entry {
	u64 type, super;
	u32 is_oop, is_integer, is_unsigned, pad;
	u64 size;
};

#define AT(member) offsetof(struct hotspot_layout, member)

/* A field may have several names; the one that the tables list counts. NULL: the type's size. */
static const struct wanted {
	const char *type, *field;
	size_t at;
	const char *name; /* NULL: it may be missing */
} wanted[] = {
	{ "CodeCache", "_heaps", AT(heaps), "CodeCache::_heaps" },
	{ "CodeCache", "_low_bound", AT(low_bound), "CodeCache::_low_bound" },
	{ "CodeCache", "_high_bound", AT(high_bound), "CodeCache::_high_bound" },
	{ "GrowableArrayBase", "_len", AT(array_len), "GrowableArrayBase::_len" },
	{ "GrowableArray<int>", "_data", AT(array_data), "GrowableArray::_data" },
	{ "CodeHeap", "_memory", AT(heap_memory), "CodeHeap::_memory" },
	{ "CodeHeap", "_segmap", AT(heap_segmap), "CodeHeap::_segmap" },
	{ "CodeHeap", "_log2_segment_size", AT(heap_log2), "CodeHeap::_log2_segment_size" },
	{ "VirtualSpace", "_low", AT(space_low), "VirtualSpace::_low" },
	{ "VirtualSpace", "_high", AT(space_high), "VirtualSpace::_high" },
	{ "HeapBlock::Header", "_used", AT(block_used), "HeapBlock::Header::_used" },
	{ "CodeBlob", "_name", AT(blob_name), "CodeBlob::_name" },
	{ "CodeBlob", "_code_begin", AT(code_begin), NULL },
	{ "CodeBlob", "_code_end", AT(code_end), NULL },
	{ "CodeBlob", "_code_offset", AT(code_offset), NULL },
	{ "CodeBlob", "_data_offset", AT(data_offset), NULL },
	{ "CompiledMethod", "_method", AT(method), "nmethod::_method" },
	{ "nmethod", "_method", AT(method), "nmethod::_method" },
	{ "nmethod", "_compile_id", AT(compile_id), "nmethod::_compile_id" },
	{ "Method", "_constMethod", AT(const_method), "Method::_constMethod" },
	{ "ConstMethod", "_constants", AT(constants), "ConstMethod::_constants" },
	{ "ConstMethod", "_name_index", AT(name_index), "ConstMethod::_name_index" },
	{ "ConstMethod", "_signature_index", AT(signature_index), "ConstMethod::_signature_index" },
	{ "ConstantPool", "_pool_holder", AT(pool_holder), "ConstantPool::_pool_holder" },
	{ "Klass", "_name", AT(class_name), "Klass::_name" },
	{ "Symbol", "_length", AT(symbol_length), "Symbol::_length" },
	{ "Symbol", "_body[0]", AT(symbol_body), "Symbol::_body" },
	{ "CodeBlob", "_frame_size", AT(frame_size), NULL },
	{ "nmethod", "_scopes_pcs_offset", AT(scopes_pcs), NULL },
	{ "nmethod", "_dependencies_offset", AT(scopes_pcs_end), NULL },
	{ "CompiledMethod", "_deopt_handler_begin", AT(deopt_handler), NULL },
	{ "nmethod", "_stub_offset", AT(stubs), NULL },
	{ "AbstractInterpreter", "_code", AT(interpreter), NULL },
	{ "StubQueue", "_stub_buffer", AT(stub_buffer), NULL },
	{ "StubQueue", "_queue_end", AT(stub_end), NULL },
	{ "InterpreterCodelet", "_size", AT(codelet_size), NULL },
	{ "InterpreterCodelet", "_description", AT(codelet_text), NULL },
	{ "InterpreterCodelet", "_bytecode", AT(codelet_code), NULL },
	{ "HeapBlock", NULL, AT(block_size), "the size of HeapBlock" },
	{ "ConstantPool", NULL, AT(pool_size), "the size of ConstantPool" },
};

static u64 *slot(struct hotspot_layout *l, const struct wanted *w)
{
	return (u64 *)((u8 *)l + w->at);
}

static bool read_name(const struct runtime_memory *m, u64 addr, char *to)
{
	/* Where a string ends in front of a page that is not there, less of it can be read. */
	for (size_t size = NAME_SIZE; size > 4; size /= 2)
		if (m->read(m->ctx, addr, to, size)) {
			to[size - 1] = '\0';
			return true;
		}
	return false;
}

static void take(struct hotspot_layout *l, const char *type, const char *field, u64 value)
{
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		const struct wanted *w = &wanted[i];

		if (!strcmp(w->type, type) && !strcmp(w->field ?: "", field))
			*slot(l, w) = value;
	}
}

static bool is_wanted(const char *type)
{
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (!strcmp(wanted[i].type, type))
			return true;
	return false;
}

static void read_structs(struct hotspot_layout *l, const struct runtime_memory *m, u64 at)
{
	char type[NAME_SIZE], field[NAME_SIZE];
	u64 last = 0; /* the name of a type is mostly that of the entry before */
	struct struct_entry e;

	for (u32 i = 0; i < ENTRIES_MAX && m->read(m->ctx, at, &e, sizeof(e)) && e.type; i++) {
		if (e.type != last && !read_name(m, e.type, type))
			return;
		last = e.type;
		if (is_wanted(type) && read_name(m, e.field, field))
			take(l, type, field, (u32)e.is_static ? e.address : e.offset);
		at += sizeof(e);
	}
}

static void read_types(struct hotspot_layout *l, const struct runtime_memory *m, u64 at)
{
	char type[NAME_SIZE];
	struct type_entry e;

	for (u32 i = 0; i < ENTRIES_MAX && m->read(m->ctx, at, &e, sizeof(e)) && e.type; i++) {
		if (!read_name(m, e.type, type))
			return;
		take(l, type, "", e.size);
		at += sizeof(e);
	}
}

/* Offsets are 0 until the library's constructors have run; some of them always. */
static bool lacks(struct hotspot_layout *l, const struct wanted *w)
{
	u64 v = *slot(l, w);

	return (v == HOTSPOT_NONE && w->name) ||
	       (!v && w->at != AT(array_len) && w->at != AT(heap_memory) &&
		w->at != AT(codelet_text));
}

const char *hotspot_layout__read(struct hotspot_layout *out, const struct runtime_memory *memory,
				 u64 structs, u64 types)
{
	memset(out, 0xff, sizeof(*out));
	read_structs(out, memory, structs);
	read_types(out, memory, types);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		if (lacks(out, &wanted[i]))
			return wanted[i].name ?: wanted[i].field;
	if ((out->code_begin == HOTSPOT_NONE || out->code_end == HOTSPOT_NONE) &&
	    (out->code_offset == HOTSPOT_NONE || out->data_offset == HOTSPOT_NONE))
		return "CodeBlob::_code_offset";
	return NULL;
}
