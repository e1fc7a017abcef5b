// SPDX-License-Identifier: GPL-2.0-only
#include "python-code.h"

#include <stdio.h>
#include <string.h>

#include "../jit/python-lines.h"

#define INTERPRETERS_MAX 64
#define THREADS_MAX 256   /* that are looked at for a beginning */
#define FRAMES_MAX 16
#define PYTHON_CODE_NUMBER 92 /* from 3.12 on, in a code object: 4 bytes */
#define COMPACT_SHIFT 5   /* bits of a string: its characters are behind it */

static bool read_word(const struct runtime_memory *m, u64 addr, u64 *out)
{
	return m->read(m->ctx, addr, out, sizeof(*out));
}

static bool is_code(u64 code, const struct python_runtime *py, const struct runtime_memory *m)
{
	u64 type;

	return !(code & 7) && code && read_word(m, code + PYTHON_OB_TYPE, &type) &&
	       type == py->code_type;
}

/* Returns: whether what a thread runs says that it is code. */
static bool state__runs(u64 state, const struct python_runtime *py, const struct runtime_memory *m)
{
	const struct python_offsets *at = &py->at;
	u64 frame, code;

	if (!read_word(m, state + at->current, &frame) ||
	    (at->has_cframe && !read_word(m, frame + at->cframe_current, &frame)))
		return false;
	for (u32 i = 0; i < FRAMES_MAX && frame; i++) {
		if (read_word(m, frame + at->code, &code) &&
		    is_code(code & ~PYTHON_REFERENCE_TAG, py, m))
			return true;
		if (!read_word(m, frame + at->previous, &frame))
			return false;
	}
	return false;
}

/* The first interpreter, which is the last one of the list; 0: there is none. */
static u64 first_interpreter(const struct python_runtime *py, const struct runtime_memory *m)
{
	u64 at = 0, next;

	if (!read_word(m, py->runtime + py->at.interpreters, &next))
		return 0;
	for (u32 i = 0; i < INTERPRETERS_MAX && next; i++) {
		at = next;
		if (!read_word(m, at + py->at.interpreter_next, &next))
			return 0;
	}
	return next ? 0 : at;
}

/* Whether the places are such as the program in the kernel can read. */
static bool offsets__fit(const struct python_offsets *at)
{
	const u32 words[] = { at->code, at->instr, at->previous };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (words[i] > PYTHON_FRAME_SIZE - sizeof(u64))
			return false;
	return at->owner < PYTHON_FRAME_SIZE && at->entry < PYTHON_FRAME_SIZE &&
	       at->thread <= PYTHON_STATE_SIZE - sizeof(u64) &&
	       at->current <= PYTHON_STATE_SIZE - sizeof(u64) &&
	       at->name == PYTHON_CODE_QUALNAME && at->lines + sizeof(u64) <= PYTHON_CODE_SIZE;
}

static enum python_state read_offsets(struct python_runtime *py, const struct runtime_memory *m)
{
	u64 table[PYTHON_TABLE_WORDS];

	if (!m->read(m->ctx, py->runtime, table, sizeof(table)))
		return PYTHON_NOT_YET;
	switch (python_offsets__find(&py->at, py->version, table)) {
	case PYTHON_FREE_THREADED:
		return PYTHON_IS_FREE;
	case PYTHON_UNKNOWN:
		return PYTHON_REFUSED;
	case PYTHON_KNOWN:
		break;
	}
	return offsets__fit(&py->at) ? PYTHON_READY : PYTHON_REFUSED;
}

enum python_state python_runtime__read(struct python_runtime *py, const struct runtime_memory *m)
{
	enum python_state ret = read_offsets(py, m);
	const struct python_offsets *at = &py->at;
	u64 interpreter, state, of;

	if (ret != PYTHON_READY)
		return ret;
	interpreter = first_interpreter(py, m);
	if (!interpreter || !read_word(m, interpreter + at->threads, &state))
		return PYTHON_NOT_YET;
	py->layout = (struct python_layout){
		.threads = interpreter + at->threads, .thread = at->thread, .current = at->current,
		.cframe_current = at->cframe_current, .cframe_previous = at->cframe_previous,
		.code = at->code, .instr = at->instr, .previous = at->previous, .owner = at->owner,
		.entry = at->entry, .has_cframe = at->has_cframe, .marks_entry = at->marks_entry,
		.numbered = py->version >= 0x30c,
	};
	for (u32 i = 0; i < THREADS_MAX && state; i++) {
		if (!read_word(m, state + PYTHON_STATE_INTERPRETER, &of) || of != interpreter)
			return PYTHON_NOT_YET;
		if (state__runs(state, py, m))
			return PYTHON_READY;
		if (!read_word(m, state + PYTHON_STATE_NEXT, &state))
			return PYTHON_NOT_YET;
	}
	return PYTHON_NOT_YET;
}

/* Whether a code object has a number that no other one has. */
static bool has_number(const u8 bytes[PYTHON_CODE_SIZE])
{
	u32 number;

	memcpy(&number, bytes + PYTHON_CODE_NUMBER, sizeof(number));
	return number;
}

/* Adds words of a code object. */
static u64 add_words(u64 print, const u8 bytes[PYTHON_CODE_SIZE], const u16 *words, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		u64 word;

		memcpy(&word, bytes + words[i], sizeof(word));
		print = python_print__add(print, word);
	}
	return print;
}

bool python_code__print(u64 code, u64 *print, const struct python_runtime *py,
			const struct runtime_memory *m)
{
	static const u16 all[] = PYTHON_CODE_WORDS, numbered[] = PYTHON_CODE_NUMBERED;
	u8 bytes[PYTHON_CODE_SIZE];
	u64 name, hash = 0;

	if (!is_code(code, py, m) || !m->read(m->ctx, code, bytes, sizeof(bytes)))
		return false;
	memcpy(&name, bytes + PYTHON_CODE_QUALNAME, sizeof(name));
	if (py->layout.numbered)
		*print = add_words(0, bytes, numbered, ARRAY_SIZE(numbered));
	else if (read_word(m, name + PYTHON_STR_HASH, &hash))
		*print = add_words(hash, bytes, all, ARRAY_SIZE(all));
	else
		return false;
	return !py->layout.numbered || has_number(bytes);
}

/* Returns: the bytes of a character in UTF-8, which are in @to. */
static size_t put_utf8(char *to, u32 c)
{
	if (c >= 0xd800 && c < 0xe000)
		c = '?'; /* half of a character */
	if (c < 0x80) {
		to[0] = c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = 0xc0 | c >> 6;
		to[1] = 0x80 | (c & 0x3f);
		return 2;
	}
	if (c < 0x10000) {
		to[0] = 0xe0 | c >> 12;
		to[1] = 0x80 | (c >> 6 & 0x3f);
		to[2] = 0x80 | (c & 0x3f);
		return 3;
	}
	to[0] = 0xf0 | (c >> 18 & 7);
	to[1] = 0x80 | (c >> 12 & 0x3f);
	to[2] = 0x80 | (c >> 6 & 0x3f);
	to[3] = 0x80 | (c & 0x3f);
	return 4;
}

/* A string that is too long is cut. Returns: whether it may be a name. */
static bool read_string(u64 str, char out[PYTHON_NAME_MAX], const struct python_runtime *py,
			const struct runtime_memory *m)
{
	u8 bytes[4 * PYTHON_NAME_MAX];
	u64 length, state;
	size_t size = 0;
	u32 kind;
	bool ascii;

	if (!read_word(m, str + PYTHON_STR_LENGTH, &length) ||
	    !read_word(m, str + PYTHON_STR_STATE, &state) || !length)
		return false;
	kind = state >> PYTHON_STR_KIND_SHIFT & PYTHON_STR_KIND_MASK;
	ascii = state >> PYTHON_STR_ASCII_SHIFT & 1;
	if (!(state >> COMPACT_SHIFT & 1) || (kind != 1 && kind != 2 && kind != 4) ||
	    (ascii && kind != 1))
		return false;
	length = min_of(length, (u64)PYTHON_NAME_MAX);
	if (!m->read(m->ctx, str + python_offsets__str_data(&py->at, ascii), bytes, length * kind))
		return false;
	for (u64 i = 0; i < length && size < PYTHON_NAME_MAX - 4; i++) {
		u32 c = 0;

		memcpy(&c, bytes + i * kind, kind);
		if (c < ' ' || (c >= 0x7f && c < 0xa0) || c > 0x10ffff)
			return false;
		size += put_utf8(out + size, c);
	}
	out[size] = '\0';
	return true;
}

bool python_code__read(struct python_code *out, u64 code, const struct python_runtime *py,
		       const struct runtime_memory *m)
{
	const struct python_offsets *at = &py->at;
	u64 name, file, units;

	if (!python_code__print(code, &out->print, py, m) ||
	    !read_word(m, code + PYTHON_OB_SIZE, &units) ||
	    !read_word(m, code + at->name, &name) || !read_word(m, code + at->file, &file) ||
	    !m->read(m->ctx, code + at->first_line, &out->first_line, sizeof(out->first_line)))
		return false;
	if (!units || units > PYTHON_BYTECODE_MAX / PYTHON_CODE_UNIT)
		return false;
	out->start = code + at->bytecode;
	out->size = units * PYTHON_CODE_UNIT;
	if (!read_string(file, out->file, py, m))
		out->file[0] = '\0';
	return read_string(name, out->name, py, m);
}

struct lines {
	const struct python_code *code;
	jit_elf_bytes *out;
	u64 nr;
	u32 line; /* of the last entry */
};

static void add_line(void *ctx, u32 at, u32 units, u32 line)
{
	static const char same[] = "\xff";
	struct lines *l = ctx;
	u64 addr = l->code->start + (u64)at * PYTHON_CODE_UNIT;
	const u32 numbers[] = { line, 0 };
	const char *file = l->nr ? same : l->code->file;

	(void)units;
	if (!line || line == l->line || addr >= l->code->start + l->code->size)
		return;
	jit_elf__put(l->out, &addr, sizeof(addr));
	jit_elf__put(l->out, numbers, sizeof(numbers));
	jit_elf__put(l->out, file, strlen(file) + 1);
	l->line = line;
	l->nr++;
}

u64 python_code__lines(const struct python_code *c, u64 code, jit_elf_bytes *out,
		       const struct python_runtime *py, const struct runtime_memory *m)
{
	struct lines l = { .code = c, .out = out };
	u64 lines, size;
	u8 *bytes;

	if (!c->file[0] || !read_word(m, code + py->at.lines, &lines) ||
	    !read_word(m, lines + PYTHON_OB_SIZE, &size) || !size || size > PYTHON_LINES_MAX)
		return 0;
	bytes = xmalloc(size);
	if (m->read(m->ctx, lines + PYTHON_BYTES_DATA, bytes, size))
		python_lines__visit(bytes, size, c->first_line, add_line, &l);
	free(bytes);
	return l.nr;
}
