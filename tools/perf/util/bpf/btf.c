// SPDX-License-Identifier: GPL-2.0-only
#include "btf.h"

#include <errno.h>
#include <linux/btf.h>
#include <stdlib.h>
#include <string.h>

#include "../base/vec.h"
#include "../io/procfile.h"

#define KERNEL_BTF "/sys/kernel/btf/vmlinux"

/* Kinds beyond those of the oldest header that we build with. */
#define KIND_DECL_TAG 17
#define KIND_TYPE_TAG 18
#define KIND_ENUM64 19

#define MAX_NEST 8   /* of structs without a name */
#define MAX_HOPS 32  /* of const, volatile, typedef */
#define MAX_TYPES (4u << 20)

struct btf {
	char *file;      /* of btf__of_kernel() */
	struct bytes types, strings;
	VEC(u32) at;     /* of type n + 1, where in .types */
};

struct type {
	const char *name;
	u32 kind, nr, size; /* .size: of what has one; else the number of a type */
	bool has_bits;      /* offsets of members are in bits, and say how many bits they have */
	struct cursor body;
};

/* Bytes behind the first three words; -1: not known. */
static s64 body_size(u32 kind, u32 nr)
{
	switch (kind) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return 12;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case KIND_ENUM64:
		return 12 * (s64)nr;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return 8 * (s64)nr;
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case KIND_TYPE_TAG:
		return 0;
	}
	return -1;
}

static const char *string_at(const struct btf *b, u32 at)
{
	return at < b->strings.len ? (const char *)b->strings.data + at : "";
}

/* Decodes the type at @at; false when it does not fit. */
static bool decode(const struct btf *b, u32 at, struct type *t)
{
	struct cursor c = cursor__init(b->types.data, b->types.len, false);
	const void *body;
	s64 size;
	u32 info;

	cursor__take(&c, at);
	t->name = string_at(b, cursor__u32(&c));
	info = cursor__u32(&c);
	t->size = cursor__u32(&c);
	t->kind = info >> 24 & 31;
	t->nr = info & 0xffff;
	t->has_bits = info >> 31;
	size = body_size(t->kind, t->nr);
	if (c.bad || size < 0)
		return false;
	body = cursor__take(&c, size);
	t->body = cursor__init(body, size, false);
	return body;
}

static void index_types(struct btf *b)
{
	u64 at = 0;
	struct type t;

	while (b->at.nr < MAX_TYPES && at < b->types.len && decode(b, at, &t)) {
		*vec__push(&b->at) = at;
		at += 12 + t.body.len;
	}
}

/* The part of @size bytes at @at behind the header; nothing when it is not there. */
static struct bytes part(const u8 *data, size_t len, u64 at, u64 size)
{
	return at > len || size > len - at ? (struct bytes){} : (struct bytes){ data + at, size };
}

int btf__parse(struct btf **out, const void *data, size_t size)
{
	struct cursor c = cursor__init(data, size, false);
	u16 magic = cursor__u16(&c);
	u32 head, type_at, type_len, str_at, str_len;
	struct btf *b;

	*out = NULL;
	cursor__u16(&c); /* version, flags */
	head = cursor__u32(&c);
	type_at = cursor__u32(&c);
	type_len = cursor__u32(&c);
	str_at = cursor__u32(&c);
	str_len = cursor__u32(&c);
	if (c.bad || magic != BTF_MAGIC)
		return -EINVAL;
	b = xzalloc(sizeof(*b));
	b->types = part(data, size, (u64)head + type_at, type_len);
	b->strings = part(data, size, (u64)head + str_at, str_len);
	/* So that each offset in it is a string. */
	while (b->strings.len && b->strings.data[b->strings.len - 1])
		b->strings.len--;
	index_types(b);
	*out = b;
	return 0;
}

int btf__of_kernel(struct btf **out, struct error *err)
{
	size_t size;
	char *file;
	int ret = procfile__read(KERNEL_BTF, &file, &size);

	*out = NULL;
	if (ret) {
		error__set(err, ret, "%s: %s", KERNEL_BTF, strerror(-ret));
		error__hint(err, "The kernel has its types there if it was built with "
				 "CONFIG_DEBUG_INFO_BTF.");
		return ret;
	}
	ret = btf__parse(out, file, size);
	if (ret) {
		free(file);
		return error__set(err, ret, "%s is not type information", KERNEL_BTF);
	}
	(*out)->file = file;
	return 0;
}

void btf__free(struct btf *b)
{
	if (!b)
		return;
	vec__free(&b->at);
	free(b->file);
	free(b);
}

static bool type_of_id(const struct btf *b, u32 id, struct type *t)
{
	return id && id <= b->at.nr && decode(b, b->at.v[id - 1], t);
}

/* The same, and what a typedef, const, ... stands for. */
static bool resolve(const struct btf *b, u32 id, struct type *t)
{
	for (int i = 0; i < MAX_HOPS && type_of_id(b, id, t); i++) {
		switch (t->kind) {
		case BTF_KIND_TYPEDEF:
		case BTF_KIND_VOLATILE:
		case BTF_KIND_CONST:
		case BTF_KIND_RESTRICT:
		case KIND_TYPE_TAG:
			id = t->size;
			continue;
		}
		return true;
	}
	return false;
}

static u32 size_of(const struct type *t)
{
	switch (t->kind) {
	case BTF_KIND_INT:
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_ENUM:
	case BTF_KIND_FLOAT:
	case KIND_ENUM64:
		return t->size;
	case BTF_KIND_PTR:
		return sizeof(u64);
	}
	return 0;
}

struct search {
	const struct btf *btf;
	const char *name;
	size_t len;
	struct btf_place *out;
	struct type type; /* of what was found */
	u32 budget;       /* members that may be looked at */
};

/* Searches the struct @t, which begins at @base. */
static bool find_in(struct search *s, const struct type *t, u32 base, int depth)
{
	struct cursor c = t->body;
	u32 id, at;
	const char *name;
	struct type of;

	if (t->kind != BTF_KIND_STRUCT && t->kind != BTF_KIND_UNION)
		return false;
	for (u32 i = 0; i < t->nr && s->budget; i++, s->budget--) {
		name = string_at(s->btf, cursor__u32(&c));
		id = cursor__u32(&c);
		at = cursor__u32(&c);
		if (t->has_bits && at >> 24)
			continue;
		at = t->has_bits ? at & 0xffffff : at;
		if (!resolve(s->btf, id, &of) || at % 8)
			continue;
		if (!*name && depth < MAX_NEST && find_in(s, &of, base + at / 8, depth + 1))
			return true;
		if (strlen(name) != s->len || memcmp(name, s->name, s->len))
			continue;
		*s->out = (struct btf_place){ base + at / 8, size_of(&of) };
		s->type = of;
		return true;
	}
	return false;
}

/* Returns the number of the type, or 0. A struct without members is one that was only named. */
static u32 find_type(const struct btf *b, u32 kind, const char *name, struct type *t)
{
	for (size_t i = 0; i < b->at.nr; i++)
		if (decode(b, b->at.v[i], t) && t->kind == kind &&
		    (t->nr || kind != BTF_KIND_STRUCT) && !strcmp(t->name, name))
			return i + 1;
	return 0;
}

int btf__member(const struct btf *b, const char *type, const char *path, struct btf_place *out)
{
	struct search s = { .btf = b, .out = out, .budget = 1 << 20 };
	u32 base = 0;
	struct type t;

	if (!find_type(b, BTF_KIND_STRUCT, type, &t))
		return -ENOENT;
	for (s.name = path; *s.name; s.name += s.len + (s.name[s.len] == '.')) {
		s.len = strcspn(s.name, ".");
		if (!find_in(&s, &t, base, 0))
			return -ENOENT;
		t = s.type;
		base = out->offset;
	}
	return 0;
}

u32 btf__function(const struct btf *b, const char *name)
{
	struct type t;

	return find_type(b, BTF_KIND_FUNC, name, &t);
}

int task_members__find(const struct btf *b, const struct task_member *members, size_t nr,
		       struct error *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < nr; i++) {
		const struct task_member *m = &members[i];
		const char *of = m->of ?: "task_struct";

		ret = btf__member(b, of, m->path, m->to);
		if (ret || (m->to->size && m->to->size != m->size))
			ret = error__set(err, -EOPNOTSUPP, "this kernel has no known %s.%s",
					 of, m->path);
	}
	return ret;
}
