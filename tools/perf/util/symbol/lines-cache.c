// SPDX-License-Identifier: GPL-2.0-only
#include "lines-cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/hash.h"
#include "../base/index.h"
#include "../base/log.h"
#include "../../../lib/unwind/core/sorted.h"
#include "../base/version.h"
#include "../binary/build-id.h"
#include "../io/mapfile.h"
#include "../io/private-dir.h"

#define MAGIC 0x35656e696c667270ull /* "prfline5" */
#define NONE UINT32_MAX             /* no string */

/* What the file was made of, and by what. All of it must be the same. */
struct file_key {
	u64 magic, maker, size, changed_ns, inode;
};

/* Of the machine's byte order: another one has another magic. */
struct file_header {
	struct file_key key;
	u64 nr_addrs, nr_calls, nr_names, strings_size;
};

/* By address. */
struct kept_addr {
	u64 addr;
	u32 call;           /* index + 1; 0: unknown */
	u32 file;           /* offset in the strings; NONE */
	u32 line;
	u32 known;          /* 0: it is known that nothing is known */
};

struct kept_call {
	u32 into;           /* index + 1 of one in front of it; 0: it is a function */
	u32 name, file;     /* offsets in the strings; NONE */
	u32 line, first_line;
};

/* A name as it is in the file, and as it is shown. By the former. */
struct kept_name {
	u32 name, shown;    /* offsets in the strings */
};

struct kept {
	const struct kept_addr *addrs;
	const struct kept_call *calls;
	const struct kept_name *names;
	const char *strings; /* the last byte is NUL, if there are any */
	u64 nr_addrs, nr_calls, nr_names, strings_size;
};

struct lines_cache {
	struct file_key key;
	char name[2 * BUILD_ID_MAX + 1];
	int dir;
	struct mapfile file;
	struct kept old;     /* in .file */
	struct arena *arena;
	struct dwarf_call **calls; /* of .old, as they are handed out; NULL: not yet */
	/* What is new; offsets and indices go on from .old. */
	VEC(struct kept_addr) addrs;
	VEC(struct kept_call) new_calls;
	VEC(struct kept_name) names;
	VEC(char) strings;
	struct map64 by_pointer; /* strings that were added -> offset + 1 */
	/* Old and new ones by contents, from the first one on that is added. */
	struct index calls_index, strings_index;
	bool is_indexed;
};

/* As rows-dir.h keeps rows. */
static bool key_of(int fd, struct file_key *key)
{
	struct stat st;

	if (fstat(fd, &st) || !st.st_nlink || (st.st_uid && st.st_uid != geteuid()))
		return false;
	*key = (struct file_key){
		.magic = MAGIC, .maker = perf__build(), .size = st.st_size, .inode = st.st_ino,
		.changed_ns = st.st_mtim.tv_sec * NSEC_PER_SEC + st.st_mtim.tv_nsec,
	};
	return true;
}

/* Finds the parts of a file; false: it is not as it should be. */
static bool find_parts(const struct lines_cache *c, struct kept *k)
{
	const struct mapfile *f = &c->file;
	struct file_header h;
	u64 need;

	if (f->size < sizeof(h) || f->size > 2ull * LINES_FILE_MAX)
		return false;
	memcpy(&h, f->data, sizeof(h));
	if (memcmp(&h.key, &c->key, sizeof(h.key)) || h.nr_addrs > f->size ||
	    h.nr_calls > f->size ||
	    h.nr_names > f->size || h.strings_size > f->size)
		return false;
	need = sizeof(h) + h.nr_addrs * sizeof(*k->addrs) + h.nr_calls * sizeof(*k->calls) +
	       h.nr_names * sizeof(*k->names) + h.strings_size;
	if (need != f->size || (h.strings_size && f->data[f->size - 1]))
		return false;
	k->addrs = (const void *)(f->data + sizeof(h));
	k->calls = (const void *)(k->addrs + h.nr_addrs);
	k->names = (const void *)(k->calls + h.nr_calls);
	k->strings = (const char *)(k->names + h.nr_names);
	k->nr_addrs = h.nr_addrs;
	k->nr_calls = h.nr_calls;
	k->nr_names = h.nr_names;
	k->strings_size = h.strings_size;
	return true;
}

static void load(struct lines_cache *c)
{
	int fd = private_dir__load(c->dir, c->name);
	struct kept k = {};

	if (fd < 0)
		return;
	if (!mapfile__map(&c->file, fd) && find_parts(c, &k)) {
		c->old = k;
		c->calls = xcalloc(k.nr_calls, sizeof(*c->calls));
	}
	close(fd);
}

struct lines_cache *lines_cache__open(const struct binary_opts *opts, int fd)
{
	struct lines_cache *c;
	struct error err = {};
	struct build_id id;
	struct file_key key;
	char parent[PATH_MAX];
	int dir;

	if (opts->no_unwind_cache || !key_of(fd, &key) || build_id__read_fd(fd, &id) ||
	    !id.size || build_id_cache__dir(opts, parent, sizeof(parent)))
		return NULL;
	dir = private_dir__open(parent, ".lines", &err);
	if (dir < 0) {
		pr_debug("lines are not kept on disk: %s\n", err.text);
		return NULL;
	}
	c = xzalloc(sizeof(*c));
	c->key = key;
	c->dir = dir;
	c->arena = arena__new();
	build_id__format(&id, c->name, sizeof(c->name));
	load(c);
	return c;
}

static const char *string_at(const struct kept *k, u32 offset)
{
	return offset < k->strings_size ? k->strings + offset : NULL;
}

static struct dwarf_call *make_call(struct lines_cache *c, const struct kept_call *k)
{
	struct dwarf_call *call = arena__alloc(c->arena, sizeof(*call));

	call->into = k->into ? c->calls[k->into - 1] : NULL;
	call->name = string_at(&c->old, k->name);
	call->file = string_at(&c->old, k->file);
	call->line = k->line;
	call->first_line = k->first_line;
	call->depth = call->into ? call->into->depth + 1 : 0;
	return call;
}

/*
 * The call @index + 1, which is made, as are those around it, when it is first found. NULL: the
 * file is damaged.
 */
static struct dwarf_call *call_of(struct lines_cache *c, u32 index)
{
	const struct kept *k = &c->old;
	u32 missing[DWARF_DEPTH_MAX], nr = 0, i = index;

	if (index > k->nr_calls)
		return NULL;
	while (i && !c->calls[i - 1]) {
		if (nr == DWARF_DEPTH_MAX || k->calls[i - 1].into >= i)
			return NULL;
		missing[nr++] = i;
		i = k->calls[i - 1].into;
	}
	/* Whoever follows one to its function has room for so many. */
	if (i && c->calls[i - 1]->depth + nr >= DWARF_DEPTH_MAX)
		return NULL;
	while (nr--)
		c->calls[missing[nr] - 1] = make_call(c, &k->calls[missing[nr] - 1]);
	return c->calls[index - 1];
}

int lines_cache__find(struct lines_cache *c, u64 addr, struct dwarf_place *out)
{
	const struct kept *k = &c->old;
	size_t at = partition_point(k->nr_addrs, i, k->addrs[i].addr < addr);
	const struct kept_addr *a = &k->addrs[at];

	if (at == k->nr_addrs || a->addr != addr)
		return -ENOENT;
	*out = (struct dwarf_place){ .file = string_at(k, a->file), .line = a->line };
	if (a->call) {
		out->call = call_of(c, a->call);
		if (!out->call)
			return -ENOENT;
	}
	return a->known != 0;
}

const char *lines_cache__shown(const struct lines_cache *c, const char *name)
{
	const struct kept *k = &c->old;
	u64 offset = (uintptr_t)name - (uintptr_t)k->strings;
	size_t at;

	if (offset >= k->strings_size)
		return NULL;
	at = partition_point(k->nr_names, i, k->names[i].name < offset);
	return at < k->nr_names && k->names[at].name == offset ?
	       string_at(k, k->names[at].shown) : NULL;
}

static const char *any_string(const struct lines_cache *c, u64 offset)
{
	return offset < c->old.strings_size ? c->old.strings + offset :
					      c->strings.v + (offset - c->old.strings_size);
}

static const struct kept_call *any_call(const struct lines_cache *c, u64 i)
{
	return i < c->old.nr_calls ? &c->old.calls[i] : &c->new_calls.v[i - c->old.nr_calls];
}

/* What earlier runs have kept is not kept again. */
static void index_old(struct lines_cache *c)
{
	const struct kept *k = &c->old;
	size_t len;

	c->is_indexed = true;
	for (u64 i = 0; i < k->nr_calls; i++)
		index__add(&c->calls_index, hash_bytes(&k->calls[i], sizeof(k->calls[i])), i + 1);
	for (u64 at = 0; at < k->strings_size; at += len + 1) {
		len = strlen(k->strings + at);
		index__add(&c->strings_index, hash_bytes(k->strings + at, len), at + 1);
	}
}

/* Returns the offset + 1. */
static u32 add_string(struct lines_cache *c, const char *s)
{
	u64 offset = c->old.strings_size + c->strings.nr;
	size_t len = strlen(s);
	u64 hash = hash_bytes(s, len);
	struct index_probe p;

	for (u32 at = index__first(&c->strings_index, hash, &p); at;
	     at = index__next(&c->strings_index, &p))
		if (!strcmp(any_string(c, at - 1), s))
			return at;
	if (offset + len + 1 >= LINES_FILE_MAX)
		return 0;
	vec__reserve(&c->strings, c->strings.nr + len + 1);
	memcpy(c->strings.v + c->strings.nr, s, len + 1);
	c->strings.nr += len + 1;
	index__add(&c->strings_index, hash, offset + 1);
	return offset + 1;
}

/* Returns the offset, or NONE. */
static u32 keep_string(struct lines_cache *c, const char *s)
{
	u32 at = s ? (uintptr_t)map64__get(&c->by_pointer, (uintptr_t)s) : 0;

	if (s && !at) {
		at = add_string(c, s);
		if (at)
			map64__set(&c->by_pointer, (uintptr_t)s, (void *)(uintptr_t)at);
	}
	return at ? at - 1 : NONE;
}

/* Returns the index + 1. */
static u32 add_call(struct lines_cache *c, const struct kept_call *k)
{
	u64 hash = hash_bytes(k, sizeof(*k));
	struct index_probe p;

	for (u32 i = index__first(&c->calls_index, hash, &p); i;
	     i = index__next(&c->calls_index, &p))
		if (!memcmp(any_call(c, i - 1), k, sizeof(*k)))
			return i;
	*vec__push(&c->new_calls) = *k;
	index__add(&c->calls_index, hash, c->old.nr_calls + c->new_calls.nr);
	return c->old.nr_calls + c->new_calls.nr;
}

/* Adds a call, and what it was inlined into, where that is missing. Returns its index + 1. */
static u32 keep_call(struct lines_cache *c, struct dwarf_call *call)
{
	struct dwarf_call *missing[DWARF_DEPTH_MAX];
	u32 nr = 0, at;

	for (; call && !call->kept; call = call->into)
		missing[nr++] = call;
	at = call ? call->kept : 0;
	while (nr--) {
		struct kept_call k = {
			.into = at, .name = keep_string(c, missing[nr]->name),
			.file = keep_string(c, missing[nr]->file),
			.line = missing[nr]->line, .first_line = missing[nr]->first_line,
		};

		missing[nr]->kept = at = add_call(c, &k);
	}
	return at;
}

void lines_cache__add(struct lines_cache *c, u64 addr, const struct dwarf_place *place)
{
	struct kept_addr a = { .addr = addr, .file = NONE, .known = place != NULL };

	if (!c->is_indexed)
		index_old(c);
	if ((c->old.nr_calls + c->new_calls.nr) * sizeof(struct kept_call) > LINES_FILE_MAX)
		return;
	if (place) {
		a.call = keep_call(c, place->call);
		a.file = keep_string(c, place->file);
		a.line = place->line;
	}
	*vec__push(&c->addrs) = a;
}

void lines_cache__add_shown(struct lines_cache *c, const char *name, const char *shown)
{
	struct kept_name n;

	if (!c->is_indexed)
		index_old(c);
	n = (struct kept_name){ keep_string(c, name), keep_string(c, shown) };
	if (n.name != NONE && n.shown != NONE)
		*vec__push(&c->names) = n;
}

static int by_name(const void *va, const void *vb)
{
	const struct kept_name *a = va, *b = vb;

	return compare_of(a->name, b->name);
}

static int by_addr(const void *va, const void *vb)
{
	const struct kept_addr *a = va, *b = vb;

	return compare_of(a->addr, b->addr);
}

static char *append(char *to, const void *from, size_t size)
{
	if (size)
		memcpy(to, from, size);
	return to + size;
}

/* Old and new addresses in order, of which none is in both. */
static void merge_addrs(const struct lines_cache *c, struct kept_addr *to)
{
	const struct kept_addr *old = c->old.addrs, *end = old + c->old.nr_addrs;

	for (size_t i = 0; i < c->addrs.nr; i++) {
		while (old < end && old->addr < c->addrs.v[i].addr)
			*to++ = *old++;
		*to++ = c->addrs.v[i];
	}
	append((char *)to, old, (end - old) * sizeof(*old));
}

/* Old and new in one; the caller frees it. */
static char *encode(struct lines_cache *c, size_t *size)
{
	const struct kept *old = &c->old;
	struct file_header h = {
		.key = c->key, .nr_addrs = old->nr_addrs + c->addrs.nr,
		.nr_calls = old->nr_calls + c->new_calls.nr,
		.nr_names = old->nr_names + c->names.nr,
		.strings_size = old->strings_size + c->strings.nr,
	};
	struct kept_name *names;
	char *data, *to;

	*size = sizeof(h) + h.nr_addrs * sizeof(*old->addrs) + h.nr_calls * sizeof(*old->calls) +
		h.nr_names * sizeof(*old->names) + h.strings_size;
	to = data = xmalloc(*size);
	to = append(to, &h, sizeof(h));
	if (c->addrs.nr)
		qsort(c->addrs.v, c->addrs.nr, sizeof(*c->addrs.v), by_addr);
	merge_addrs(c, (struct kept_addr *)to);
	to += h.nr_addrs * sizeof(*old->addrs);
	to = append(to, old->calls, old->nr_calls * sizeof(*old->calls));
	to = append(to, c->new_calls.v, c->new_calls.nr * sizeof(*old->calls));
	names = (struct kept_name *)to;
	to = append(to, old->names, old->nr_names * sizeof(*names));
	to = append(to, c->names.v, c->names.nr * sizeof(*names));
	if (h.nr_names)
		qsort(names, h.nr_names, sizeof(*names), by_name);
	to = append(to, old->strings, old->strings_size);
	append(to, c->strings.v, c->strings.nr);
	return data;
}

static void save(struct lines_cache *c)
{
	size_t size;
	char *data;
	int err;

	if (!c->addrs.nr && !c->names.nr)
		return;
	data = encode(c, &size);
	err = size <= LINES_FILE_MAX ? private_dir__save(c->dir, c->name, data, size) : -EFBIG;
	free(data);
	if (err)
		pr_debug("cannot keep lines %s: %s\n", c->name, strerror(-err));
	else
		private_dir__prune(c->dir, LINES_DIR_MAX);
}

void lines_cache__free(struct lines_cache *c)
{
	if (!c)
		return;
	save(c);
	mapfile__unmap(&c->file);
	close(c->dir);
	arena__free(c->arena);
	free(c->calls);
	vec__free(&c->addrs);
	vec__free(&c->new_calls);
	vec__free(&c->names);
	vec__free(&c->strings);
	map64__free(&c->by_pointer);
	index__free(&c->calls_index);
	index__free(&c->strings_index);
	free(c);
}
