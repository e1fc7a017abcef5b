// SPDX-License-Identifier: GPL-2.0-only
#include "bpf-lines.h"

#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/mem.h"
#include "../base/vec.h"
#include "../elf/elf-file.h"

#define TAG_PREFIX "bpf_prog_"

/* Bits of a program: which of its arrays are there. */
enum {
	HAS_FUNCTIONS = 1 << 3, HAS_LINES = 1 << 6, HAS_LINE_ADDRS = 1 << 7, HAS_TAGS = 1 << 8,
	HAS_ALL = HAS_FUNCTIONS | HAS_LINES | HAS_LINE_ADDRS | HAS_TAGS,
};

struct line {
	u64 addr;
	const char *file;
	u32 line;
};

struct function {
	u64 start;
	char tag[2 * BPF_TAG_SIZE + 1]; /* as names of functions have it */
	size_t first, nr;               /* lines of its whole program */
};

struct bpf_lines {
	struct bytes programs, types; /* owned */
	struct map64 strings;         /* number of types -> struct bytes */
	VEC(struct line) lines;       /* those of a program by address */
	VEC(struct function) functions;
};

static void read_types(struct bpf_lines *b)
{
	struct cursor c = cursor__init(b->types.data, b->types.len, false);
	u32 nr = cursor__u32(&c);

	for (; nr && !c.bad; nr--) {
		u32 id = cursor__u32(&c), size = cursor__u32(&c);
		const u8 *data = cursor__take(&c, size);
		struct btf_header head;
		struct bytes *strings;
		const u8 *nul;
		u64 at;

		if (!data || size < sizeof(head) || map64__get(&b->strings, id))
			continue;
		memcpy(&head, data, sizeof(head));
		at = (u64)head.hdr_len + head.str_off;
		if (head.magic != BTF_MAGIC || at > size || head.str_len > size - at)
			continue;
		strings = xmalloc(sizeof(*strings));
		/* A string that does not end in them is none. */
		nul = memrchr(data + at, 0, head.str_len);
		*strings = (struct bytes){ data + at, nul ? nul + 1 - (data + at) : 0 };
		map64__set(&b->strings, id, strings);
	}
}

/* Returns: entry @i of an array with entries of @size bytes at @at of @data; NULL: it is not in. */
static const void *entry(struct bytes data, u64 at, u32 i, u32 size)
{
	u64 end;

	return __builtin_add_overflow(at, (u64)(i + 1ull) * size, &end) || end > data.len ? NULL :
	       data.data + (end - size);
}

static int by_addr(const void *va, const void *vb)
{
	const struct line *a = va, *b = vb;

	return compare_of(a->addr, b->addr);
}

static void read_lines(struct bpf_lines *b, const struct bpf_prog_info *info, struct bytes data)
{
	const struct bytes *strings = map64__get(&b->strings, info->btf_id);
	size_t first = b->lines.nr;

	for (u32 i = 0; i < min_of(info->nr_line_info, info->nr_jited_line_info); i++) {
		const void *at = entry(data, info->line_info, i, info->line_info_rec_size);
		const void *addr = entry(data, info->jited_line_info, i,
					 info->jited_line_info_rec_size);
		struct bpf_line_info from;
		struct line line;

		if (!at || !addr || !strings)
			break;
		memcpy(&from, at, sizeof(from));
		memcpy(&line.addr, addr, sizeof(line.addr));
		line.file = strings__at(*strings, from.file_name_off);
		line.line = BPF_LINE_INFO_LINE_NUM(from.line_col);
		if (line.file && *line.file)
			*vec__push(&b->lines) = line;
	}
	if (b->lines.nr > first)
		qsort(b->lines.v + first, b->lines.nr - first, sizeof(*b->lines.v), by_addr);
}

static void read_program(struct bpf_lines *b, const struct bpf_prog_info *info, struct bytes data)
{
	size_t first = b->lines.nr;

	if (info->line_info_rec_size < sizeof(struct bpf_line_info) ||
	    info->jited_line_info_rec_size < sizeof(u64))
		return;
	read_lines(b, info, data);
	for (u32 i = 0; i < min_of(info->nr_jited_ksyms, info->nr_prog_tags); i++) {
		const void *start = entry(data, info->jited_ksyms, i, sizeof(u64));
		const u8 *tag = entry(data, info->prog_tags, i, BPF_TAG_SIZE);
		struct function f = { .first = first, .nr = b->lines.nr - first };

		if (!start || !tag || !f.nr)
			return;
		memcpy(&f.start, start, sizeof(f.start));
		for (size_t k = 0; k < BPF_TAG_SIZE; k++)
			snprintf(f.tag + 2 * k, 3, "%02x", tag[k]);
		*vec__push(&b->functions) = f;
	}
}

static int by_start_and_tag(const void *va, const void *vb)
{
	const struct function *a = va, *b = vb;

	return a->start != b->start ? compare_of(a->start, b->start) : strcmp(a->tag, b->tag);
}

static void read_programs(struct bpf_lines *b)
{
	struct cursor c = cursor__init(b->programs.data, b->programs.len, false);
	u32 nr = cursor__u32(&c);

	for (; nr && !c.bad; nr--) {
		u32 info_size = cursor__u32(&c), size = cursor__u32(&c);
		u64 bits = cursor__u64(&c);
		const void *at = cursor__take(&c, info_size);
		const u8 *data = cursor__take(&c, size);
		struct bpf_prog_info info = {};

		if (!at || !data)
			return;
		memcpy(&info, at, min_of((size_t)info_size, sizeof(info)));
		if ((bits & HAS_ALL) == HAS_ALL)
			read_program(b, &info, (struct bytes){ data, size });
	}
}

static struct bytes copy_of(struct bytes b)
{
	return (struct bytes){ b.len ? xmemdup(b.data, b.len) : NULL, b.len };
}

struct bpf_lines *bpf_lines__new(struct bytes programs, struct bytes types)
{
	struct bpf_lines *b = xzalloc(sizeof(*b));

	b->programs = copy_of(programs);
	b->types = copy_of(types);
	read_types(b);
	read_programs(b);
	if (b->functions.nr)
		qsort(b->functions.v, b->functions.nr, sizeof(*b->functions.v),
		      by_start_and_tag);
	return b;
}

void bpf_lines__free(struct bpf_lines *b)
{
	if (!b)
		return;
	map64__for_each(&b->strings, slot)
		free(slot->value);
	map64__free(&b->strings);
	vec__free(&b->lines);
	vec__free(&b->functions);
	free((void *)b->programs.data);
	free((void *)b->types.data);
	free(b);
}

/* The last line that begins at @addr or before, if it begins in the function. */
static bool line_in(const struct bpf_lines *b, const struct function *f, u64 addr,
		    const char **file, u32 *line)
{
	const struct line *v = b->lines.v + f->first;
	size_t low = 0, high = f->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (v[middle].addr <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || v[low - 1].addr < f->start)
		return false;
	*file = v[low - 1].file;
	*line = v[low - 1].line;
	return true;
}

bool bpf_lines__find(const struct bpf_lines *b, const struct dso *dso, u64 addr,
		     const char **file, u32 *line)
{
	struct function key = { .start = dso->start };
	const struct function *f;
	size_t prefix = strlen(TAG_PREFIX);

	if (addr < dso->start || addr >= dso->end || !b->functions.nr ||
	    strncmp(dso->name, TAG_PREFIX, prefix))
		return false;
	/* Of programs that had the address one after the other it is the one with this tag. */
	snprintf(key.tag, sizeof(key.tag), "%s", dso->name + prefix);
	f = bsearch(&key, b->functions.v, b->functions.nr, sizeof(*f), by_start_and_tag);
	return f && line_in(b, f, addr, file, line);
}
