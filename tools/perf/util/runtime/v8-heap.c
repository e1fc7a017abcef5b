// SPDX-License-Identifier: GPL-2.0-only
#include "v8-heap.h"

#include <stdio.h>
#include <string.h>

#include "../base/text.h"

#define TAG_MASK 3
#define TAG 1
#define WORD 8
#define CODE_ALIGN 64         /* of the first instruction */
#define CODE_WORDS 10         /* of a Code, that are looked at */
#define DEOPT_WORDS 12        /* of what is needed to leave optimized code */
#define LOCALS_MAX 75         /* of a function: more are in a table */
#define SCOPE_WORDS 8         /* behind a function's variables, among which is its name */
#define STRING_MAX 500        /* characters */
#define STRING_STEPS 32
#define FUNCTION_DATA 8       /* SharedFunctionInfo: its first field, which not all export */
#define SIZE_BEHIND_START 16  /* Code of V8 11, likewise */

/* What is written of a name. */
struct text {
	char *out;
	size_t nr; /* bytes so far */
	u32 left;  /* characters */
	u32 steps; /* to other strings */
};

static bool is_ref(u64 word)
{
	return (word & TAG_MASK) == TAG;
}

static bool heap__read(const struct v8_heap *h, u64 addr, void *to, size_t size)
{
	return h->memory.read(h->memory.ctx, addr, to, size);
}

/* Returns: the word at @offset of an object; 0: it is not there. */
static u64 heap__word(const struct v8_heap *h, u64 ref, s64 offset)
{
	u64 word;

	return heap__read(h, ref - TAG + offset, &word, sizeof(word)) ? word : 0;
}

/* Returns: the type of an object; negative: it is none. */
static s32 heap__type(const struct v8_heap *h, u64 ref)
{
	u64 map = is_ref(ref) ? heap__word(h, ref, 0) : 0;
	u16 type;

	return is_ref(map) && heap__read(h, map - TAG + h->layout.map_type, &type, sizeof(type)) ?
	       type : -1;
}

bool v8_heap__is(const struct v8_heap *h, u64 ref, s32 type)
{
	return heap__type(h, ref) == type;
}

s64 v8_heap__smi(const struct v8_heap *h, u64 word)
{
	u32 shift = h->layout.smi_shift + 1;

	return word & TAG || shift > 32 ? -1 : (s64)word >> shift;
}

u64 v8_heap__shared(const struct v8_heap *h, u64 function)
{
	u64 map = is_ref(function) ? heap__word(h, function, 0) : 0, shared;

	/* It was moved: its new place takes the place of its map. */
	if (map && !(map & TAG_MASK))
		function = map + TAG;
	if (!v8_heap__is(h, function, h->layout.type_function))
		return 0;
	shared = heap__word(h, function, h->layout.function_shared);
	return v8_heap__is(h, shared, h->layout.type_shared) ? shared : 0;
}

/* Returns: the bytecodes that @ref is, or has among its first words; else 0. */
static u64 heap__bytecodes_of(const struct v8_heap *h, u64 ref, u32 words)
{
	if (v8_heap__is(h, ref, h->layout.type_bytecodes))
		return ref;
	for (u32 i = 1; i <= words; i++) {
		u64 word = heap__word(h, ref, i * WORD);

		if (v8_heap__is(h, word, h->layout.type_bytecodes))
			return word;
	}
	return 0;
}

u64 v8_heap__bytecodes(const struct v8_heap *h, u64 shared)
{
	u64 data = heap__word(h, shared, FUNCTION_DATA), ref;
	s32 type = heap__type(h, data);

	if (type == h->layout.type_bytecodes)
		return data;
	if (type < 0 || (type != h->layout.type_code && type != h->layout.type_interpreter_data))
		return 0;
	ref = heap__bytecodes_of(h, data, 3);
	for (u32 i = 1; !ref && i <= 3; i++) {
		u64 word = heap__word(h, data, i * WORD);

		if (h->layout.type_interpreter_data != V8_NONE &&
		    v8_heap__is(h, word, h->layout.type_interpreter_data))
			ref = heap__bytecodes_of(h, word, 3);
	}
	return ref;
}

static bool text__put(struct text *t, u32 code)
{
	if (code < ' ' || (code >= 0x7f && code < 0xa0))
		return false;
	if (!t->left)
		return true;
	if (code >= 0xd800 && code < 0xe000)
		code = '?';
	t->left--;
	t->nr += utf8__encode(code, t->out + t->nr);
	return true;
}

/* Characters @from to @to of a string of one piece. Returns: whether they are fine in a name. */
static bool heap__flat(const struct v8_heap *h, u64 ref, s32 type, u32 from, u32 to, struct text *t)
{
	bool narrow = (type & h->layout.encoding) == h->layout.one_byte_tag;
	u64 at = ref - TAG + (narrow ? h->layout.one_byte : h->layout.two_byte);
	u16 wide[STRING_MAX];
	u8 bytes[STRING_MAX];

	to = min_of(to, from + STRING_MAX);
	if (narrow ? !heap__read(h, at + from, bytes, to - from) :
		     !heap__read(h, at + 2ULL * from, wide, 2ULL * (to - from)))
		return false;
	for (u32 i = 0; i < to - from; i++)
		if (!text__put(t, narrow ? bytes[i] : wide[i]))
			return false;
	return true;
}

static u32 heap__length(const struct v8_heap *h, u64 ref)
{
	u32 len;

	return heap__read(h, ref - TAG + h->layout.string_length, &len, sizeof(len)) ? len : 0;
}

/*
 * Characters @from to @to at most. What other strings it consists of is followed some steps.
 * Returns: whether they could be read, and are fine in a name.
 */
static bool heap__string(const struct v8_heap *h, u64 ref, u32 from, u32 to, struct text *t)
{
	const struct v8_layout *l = &h->layout;

	while (t->steps) {
		s32 type = heap__type(h, ref), form = type & l->form_mask;
		s64 offset;
		u32 len;

		t->steps--;
		if (type < 0 || type >= l->no_string)
			return false;
		to = min_of(to, heap__length(h, ref));
		if (from >= to || !t->left)
			return from <= to;
		if (form == l->sequential)
			return heap__flat(h, ref, type, from, to, t);
		if (form == l->thin) {
			ref = heap__word(h, ref, l->thin_actual);
		} else if (form == l->sliced) {
			offset = v8_heap__smi(h, heap__word(h, ref, l->sliced_offset));
			if (offset < 0 || offset > INT32_MAX - (s64)to)
				return false;
			ref = heap__word(h, ref, l->sliced_parent);
			from += offset;
			to += offset;
		} else if (form == l->cons) {
			len = heap__length(h, heap__word(h, ref, l->cons_first));
			if (from < len && !heap__string(h, heap__word(h, ref, l->cons_first), from,
							to, t))
				return false;
			if (to <= len)
				return true;
			ref = heap__word(h, ref, l->cons_second);
			from = from < len ? 0 : from - len;
			to -= len;
		} else {
			return false;
		}
	}
	return false;
}

static bool heap__is_string(const struct v8_heap *h, u64 ref)
{
	s32 type = heap__type(h, ref);

	return type >= 0 && type < h->layout.no_string;
}

/*
 * The name of a function is the first string behind the variables of its scope that is not empty;
 * before that, for a function without a name, is what it was guessed to be called.
 * Returns: a reference; 0: it has none.
 */
static u64 heap__scope_name(const struct v8_heap *h, u64 scope)
{
	const struct v8_layout *l = &h->layout;
	s64 locals = v8_heap__smi(h, heap__word(h, scope, WORD + WORD * l->scope_locals));
	u64 at = WORD + (u64)WORD * l->scope_first, word = heap__word(h, scope, at);

	if (locals < 0 || locals > INT16_MAX)
		return 0;
	if (locals && !is_ref(word))
		at += WORD; /* of a module: its variables */
	at += WORD * (locals + (locals < LOCALS_MAX ? locals : 1));
	for (u32 i = 0; i < SCOPE_WORDS; i++) {
		word = heap__word(h, scope, at + i * WORD);
		if (!is_ref(word))
			continue;
		if (!heap__is_string(h, word))
			return 0;
		if (heap__length(h, word))
			return word;
	}
	return 0;
}

bool v8_heap__name(const struct v8_heap *h, u64 shared, char *out)
{
	const struct v8_layout *l = &h->layout;
	u64 name = heap__word(h, shared, l->shared_name);
	u64 script = heap__word(h, shared, l->shared_script);
	struct text t = { out, 0, STRING_MAX / 3, STRING_STEPS };

	if (v8_heap__is(h, name, l->type_scope))
		name = heap__scope_name(h, name);
	if (!name || !heap__string(h, name, 0, STRING_MAX, &t) || !t.nr)
		t.nr = snprintf(out, V8_NAME_MAX, "(anonymous)");
	if (v8_heap__is(h, script, l->type_script)) {
		size_t before = t.nr;

		out[t.nr++] = ' ';
		t.left = STRING_MAX / 3;
		t.steps = STRING_STEPS;
		if (!heap__string(h, heap__word(h, script, l->script_name), 0, STRING_MAX, &t) ||
		    t.nr == before + 1)
			t.nr = before;
	}
	out[t.nr] = '\0';
	return true;
}

/* What a Code refers to among its first words tells whose it is. */
static void heap__whose(const struct v8_heap *h, const u64 *words, struct v8_code *out)
{
	const struct v8_layout *l = &h->layout;

	for (u32 i = 1; i < 4 && !out->shared && !out->bytecodes; i++) {
		if (v8_heap__is(h, words[i], l->type_bytecodes)) {
			out->bytecodes = words[i];
			continue;
		}
		for (u32 j = 0; is_ref(words[i]) && j < DEOPT_WORDS && !out->shared; j++) {
			u64 ref = heap__word(h, words[i], l->array_data + j * WORD);
			s32 type = heap__type(h, ref);

			if (type == l->type_shared)
				out->shared = ref;
			else if (type >= 0 && type == l->type_wrapper)
				out->shared = heap__word(h, ref, l->wrapper_shared);
		}
	}
	if (out->shared && !v8_heap__is(h, out->shared, l->type_shared))
		out->shared = 0;
}

bool v8_heap__read_code(const struct v8_heap *h, u64 start, struct v8_code *out)
{
	const struct v8_layout *l = &h->layout;
	u64 stream = start - l->stream_start + TAG, words[CODE_WORDS];
	bool is_apart = l->type_stream != V8_NONE;
	s64 at = l->code_start;
	u32 size;

	*out = (struct v8_code){ .start = start };
	if (!v8_heap__is(h, stream, is_apart ? l->type_stream : l->type_code))
		return false;
	out->code = is_apart ? heap__word(h, stream, WORD) : stream;
	if (!v8_heap__is(h, out->code, l->type_code) ||
	    !heap__read(h, out->code - TAG, words, sizeof(words)))
		return false;
	for (u32 i = 1; is_apart && at < 0 && i < CODE_WORDS - 3; i++)
		if (words[i] == start)
			at = i * WORD;
	if (is_apart && (at < 0 || heap__word(h, out->code, at) != start))
		return false;
	at = l->code_size != V8_NONE ? l->code_size : at + SIZE_BEHIND_START;
	if (!heap__read(h, out->code - TAG + at, &size, sizeof(size)) || !size ||
	    size > V8_CODE_MAX)
		return false;
	out->end = start + size;
	out->flags = words[6];
	heap__whose(h, words, out);
	return out->shared || out->bytecodes;
}

/* The map of what instructions lie in is at a known distance before each of them. */
bool v8_heap__code(struct v8_heap *h, u64 pc, struct v8_code *out)
{
	s32 type = h->layout.type_stream != V8_NONE ? h->layout.type_stream : h->layout.type_code;
	u64 start = pc & -(u64)CODE_ALIGN;

	for (; pc - start < V8_CODE_MAX; start -= CODE_ALIGN) {
		u64 stream = start - h->layout.stream_start + TAG, map;

		if (!heap__read(h, stream - TAG, &map, sizeof(map)))
			return false;
		if (h->stream_map && map != h->stream_map)
			continue;
		if (!v8_heap__is(h, stream, type) || !v8_heap__is(h, map, h->layout.type_map))
			continue;
		h->stream_map = map;
		return v8_heap__read_code(h, start, out) && pc < out->end;
	}
	return false;
}
