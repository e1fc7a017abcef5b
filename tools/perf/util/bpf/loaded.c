// SPDX-License-Identifier: GPL-2.0-only
#include "loaded.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "sys-bpf.h"

#define INFO(field) offsetof(struct bpf_prog_info, field)

/* Where struct bpf_prog_info says how many entries an array has, how large they are, and where. */
static const struct {
	enum bpf_array bit;
	u16 pointer, count;
	u16 size_at; /* 0: each has .size bytes */
	u16 size;
} arrays[] = {
	{ BPF_ARRAY_CODE, INFO(jited_prog_insns), INFO(jited_prog_len), 0, 1 },
	{ BPF_ARRAY_FUNCTIONS, INFO(jited_ksyms), INFO(nr_jited_ksyms), 0, sizeof(u64) },
	{ BPF_ARRAY_LENGTHS, INFO(jited_func_lens), INFO(nr_jited_func_lens), 0, sizeof(u32) },
	{ BPF_ARRAY_TYPES, INFO(func_info), INFO(nr_func_info), INFO(func_info_rec_size), 0 },
	{ BPF_ARRAY_LINES, INFO(line_info), INFO(nr_line_info), INFO(line_info_rec_size), 0 },
	{ BPF_ARRAY_LINE_ADDRS, INFO(jited_line_info), INFO(nr_jited_line_info),
	  INFO(jited_line_info_rec_size), 0 },
	{ BPF_ARRAY_TAGS, INFO(prog_tags), INFO(nr_prog_tags), 0, BPF_TAG_SIZE },
};

static u32 get_u32(const struct bpf_prog_info *info, u16 at)
{
	u32 v;

	memcpy(&v, (const u8 *)info + at, sizeof(v));
	return v;
}

static void set_u64(struct bpf_prog_info *info, u16 at, u64 v)
{
	memcpy((u8 *)info + at, &v, sizeof(v));
}

static int get_info(int fd, void *info, u32 size)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.info.bpf_fd = fd;
	attr.info.info = (uintptr_t)info;
	attr.info.info_len = size;
	return sys_bpf(BPF_OBJ_GET_INFO_BY_FD, &attr, sizeof(attr));
}

static u64 size_of_array(const struct bpf_prog_info *info, size_t i)
{
	u32 size = arrays[i].size_at ? get_u32(info, arrays[i].size_at) : arrays[i].size;

	return (u64)get_u32(info, arrays[i].count) * size;
}

/*
 * Asks for the arrays of a program.
 * @counts: how many entries they have
 * @data: room for all of them, each at a multiple of 8
 */
static int get_arrays(int fd, const struct bpf_prog_info *counts, struct bpf_prog_info *info,
		      u8 *data)
{
	u64 at = 0;
	int ret;

	*info = (struct bpf_prog_info){};
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		u32 nr = get_u32(counts, arrays[i].count);

		memcpy((u8 *)info + arrays[i].count, &nr, sizeof(nr));
		if (arrays[i].size_at)
			memcpy((u8 *)info + arrays[i].size_at, (u8 *)counts + arrays[i].size_at,
			       sizeof(u32));
		set_u64(info, arrays[i].pointer, (uintptr_t)(data + at));
		at += align_up(size_of_array(counts, i), 8);
	}
	ret = get_info(fd, info, sizeof(*info));
	at = 0;
	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		set_u64(info, arrays[i].pointer, at);
		at += align_up(size_of_array(counts, i), 8);
	}
	return ret;
}

static void put(bpf_bytes *to, const void *p, size_t size)
{
	vec__reserve(to, to->nr + size);
	memcpy(to->v + to->nr, p, size);
	to->nr += size;
}

static int open_by_id(int cmd, u32 id)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_id = id;
	return sys_bpf(cmd, &attr, sizeof(attr));
}

/* Adds the types with the number @id. */
static bool add_types(struct bpf_loaded *l, u32 id, size_t max)
{
	struct bpf_btf_info info = {};
	int fd = open_by_id(BPF_BTF_GET_FD_BY_ID, id);
	bool ok = fd >= 0 && !get_info(fd, &info, sizeof(info)) &&
		  l->programs.nr + l->types.nr + info.btf_size <= max;
	u8 *data = ok ? xmalloc(info.btf_size) : NULL;
	u32 head[] = { id, info.btf_size };

	info = (struct bpf_btf_info){ .btf = (uintptr_t)data, .btf_size = head[1] };
	ok = ok && !get_info(fd, &info, sizeof(info)) && info.btf_size == head[1];
	if (ok) {
		put(&l->types, head, sizeof(head));
		put(&l->types, data, head[1]);
	}
	free(data);
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool add_program(struct bpf_loaded *l, const struct bpf_prog_info *counts, int fd,
			size_t max)
{
	struct bpf_prog_info info;
	u64 bits = 0, size = 0;
	u8 *data;
	bool ok;

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		bits |= BIT_ULL(arrays[i].bit);
		size += align_up(size_of_array(counts, i), 8);
	}
	if (l->programs.nr + l->types.nr + size > max)
		return false;
	data = xzalloc(size);
	ok = !get_arrays(fd, counts, &info, data);
	if (ok) {
		const u32 sizes[] = { sizeof(info), size };

		put(&l->programs, sizes, sizeof(sizes));
		put(&l->programs, &bits, sizeof(bits));
		put(&l->programs, &info, sizeof(info));
		put(&l->programs, data, size);
	}
	free(data);
	return ok;
}

/* In front of each feature is how many there are. */
struct numbers {
	u32 programs, types;
	struct map64 known; /* ids of types */
};

static void look_at(struct bpf_loaded *l, int fd, struct numbers *nr, size_t max)
{
	struct bpf_prog_info info = {};

	if (get_info(fd, &info, sizeof(info)) || !info.nr_jited_ksyms || !info.nr_line_info ||
	    !info.nr_jited_line_info || !info.btf_id)
		return;
	if (!map64__get(&nr->known, info.btf_id)) {
		if (!add_types(l, info.btf_id, max))
			return;
		map64__set(&nr->known, info.btf_id, l);
		nr->types++;
	}
	nr->programs += add_program(l, &info, fd, max);
}

void bpf_loaded__read(struct bpf_loaded *out, size_t max)
{
	struct numbers nr = {};
	union bpf_attr attr;

	put(&out->programs, &nr.programs, sizeof(u32));
	put(&out->types, &nr.types, sizeof(u32));
	memset(&attr, 0, sizeof(attr));
	while (!sys_bpf(BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr))) {
		u32 id = attr.next_id;
		int fd = open_by_id(BPF_PROG_GET_FD_BY_ID, id);

		if (fd >= 0) {
			look_at(out, fd, &nr, max);
			close(fd);
		} else if (fd != -ENOENT) {
			break;
		}
		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
	}
	map64__free(&nr.known);
	memcpy(out->programs.v, &nr.programs, sizeof(u32));
	memcpy(out->types.v, &nr.types, sizeof(u32));
	if (!nr.programs)
		bpf_loaded__free(out);
}

void bpf_loaded__free(struct bpf_loaded *l)
{
	vec__free(&l->programs);
	vec__free(&l->types);
}
