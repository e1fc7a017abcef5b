// SPDX-License-Identifier: GPL-2.0-only
#include "loaded.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

/* Counts one more, in the number that @b begins with. */
static void count(bpf_bytes *b)
{
	u32 nr = 0;

	if (!b->nr)
		put(b, &nr, sizeof(nr));
	memcpy(&nr, b->v, sizeof(nr));
	nr++;
	memcpy(b->v, &nr, sizeof(nr));
}

static bool has_room(const struct bpf_loaded *l, u64 size)
{
	return l->programs.nr + l->types.nr + size <= l->max;
}

/* Adds the types with the number @id, unless they are there. Returns: whether they are. */
static bool add_types(struct bpf_loaded *l, u32 id)
{
	struct bpf_btf_info info = {};
	u32 head[2] = { id };
	u8 *data = NULL;
	bool ok;
	int fd;

	if (map64__get(&l->known_types, id))
		return true;
	fd = open_by_id(BPF_BTF_GET_FD_BY_ID, id);
	ok = fd >= 0 && !get_info(fd, &info, sizeof(info)) && has_room(l, info.btf_size);
	if (ok) {
		head[1] = info.btf_size;
		data = xmalloc(head[1]);
		info = (struct bpf_btf_info){ .btf = (uintptr_t)data, .btf_size = head[1] };
		ok = !get_info(fd, &info, sizeof(info)) && info.btf_size == head[1];
	}
	if (ok) {
		count(&l->types);
		put(&l->types, head, sizeof(head));
		put(&l->types, data, head[1]);
		map64__set(&l->known_types, id, l);
	}
	free(data);
	if (fd >= 0)
		close(fd);
	return ok;
}

static void add_program(struct bpf_loaded *l, const struct bpf_prog_info *counts, int fd)
{
	struct bpf_prog_info info;
	u64 bits = 0, size = 0;
	u8 *data;

	for (size_t i = 0; i < ARRAY_SIZE(arrays); i++) {
		bits |= BIT_ULL(arrays[i].bit);
		size += align_up(size_of_array(counts, i), 8);
	}
	if (!has_room(l, size))
		return;
	data = xzalloc(size);
	if (!get_arrays(fd, counts, &info, data)) {
		const u32 sizes[] = { sizeof(info), size };

		count(&l->programs);
		put(&l->programs, sizes, sizeof(sizes));
		put(&l->programs, &bits, sizeof(bits));
		put(&l->programs, &info, sizeof(info));
		put(&l->programs, data, size);
	}
	free(data);
}

static void look_at(struct bpf_loaded *l, int fd)
{
	struct bpf_prog_info info = {};

	if (!get_info(fd, &info, sizeof(info)) && info.nr_jited_ksyms && info.nr_line_info &&
	    info.nr_jited_line_info && info.btf_id && add_types(l, info.btf_id))
		add_program(l, &info, fd);
}

int bpf_loaded__add(struct bpf_loaded *l, u32 id)
{
	int fd;

	if (map64__get(&l->known, id))
		return 0;
	fd = open_by_id(BPF_PROG_GET_FD_BY_ID, id);
	if (fd < 0)
		return fd;
	map64__set(&l->known, id, l);
	look_at(l, fd);
	close(fd);
	return 0;
}

void bpf_loaded__add_all(struct bpf_loaded *l)
{
	union bpf_attr attr;
	int ret = 0;

	memset(&attr, 0, sizeof(attr));
	while ((!ret || ret == -ENOENT) && !sys_bpf(BPF_PROG_GET_NEXT_ID, &attr, sizeof(attr))) {
		u32 id = attr.next_id;

		ret = bpf_loaded__add(l, id);
		memset(&attr, 0, sizeof(attr));
		attr.start_id = id;
	}
}

void bpf_loaded__free(struct bpf_loaded *l)
{
	vec__free(&l->programs);
	vec__free(&l->types);
	map64__free(&l->known);
	map64__free(&l->known_types);
}
