// SPDX-License-Identifier: GPL-2.0-only
#include "lines-cache.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/hash.h"
#include "../base/log.h"
#include "../base/sorted.h"
#include "../base/version.h"
#include "../binary/build-id.h"
#include "../io/mapfile.h"
#include "../io/private-dir.h"

#define MAGIC 0x31656e696c667270ull /* "prfline1" */
#define NONE UINT32_MAX             /* no string */

/* What the file was made of, and by what. All of it must be the same. */
struct file_key {
	u64 magic, maker, size, changed_ns, inode;
};

/* Of the machine's byte order: another one has another magic. */
struct file_header {
	struct file_key key;
	u64 nr_addrs, nr_frames, strings_size;
};

/* By address. */
struct kept_addr {
	u64 addr;
	u32 first, nr; /* frames */
};

struct kept_frame {
	u32 name, file; /* offsets in the strings; NONE */
	u32 line;
};

struct kept {
	const struct kept_addr *addrs;
	const struct kept_frame *frames;
	const char *strings; /* the last byte is NUL, if there are any */
	u64 nr_addrs, nr_frames, strings_size;
};

struct lines_cache {
	struct file_key key;
	char name[2 * BUILD_ID_MAX + 1];
	int dir;
	struct mapfile file;
	struct kept old;     /* in .file */
	/* What is new; offsets and indices go on from .old. */
	VEC(struct kept_addr) addrs;
	VEC(struct kept_frame) frames;
	VEC(char) strings;
	struct map64 offsets; /* of strings, by their address: offset + 1 */
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
	    h.nr_frames > f->size || h.strings_size > f->size)
		return false;
	need = sizeof(h) + h.nr_addrs * sizeof(*k->addrs) + h.nr_frames * sizeof(*k->frames) +
	       h.strings_size;
	if (need != f->size || (h.strings_size && f->data[f->size - 1]))
		return false;
	k->addrs = (const void *)(f->data + sizeof(h));
	k->frames = (const void *)(k->addrs + h.nr_addrs);
	k->strings = (const char *)(k->frames + h.nr_frames);
	k->nr_addrs = h.nr_addrs;
	k->nr_frames = h.nr_frames;
	k->strings_size = h.strings_size;
	return true;
}

static void load(struct lines_cache *c)
{
	int fd = private_dir__load(c->dir, c->name);
	struct kept k = {};

	if (fd < 0)
		return;
	if (!mapfile__map(&c->file, fd) && find_parts(c, &k))
		c->old = k;
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
	build_id__format(&id, c->name, sizeof(c->name));
	load(c);
	return c;
}

static const char *string_at(const struct kept *k, u32 offset)
{
	return offset < k->strings_size ? k->strings + offset : NULL;
}

int lines_cache__find(const struct lines_cache *c, u64 addr,
		      struct dwarf_frame out[DWARF_FRAMES_MAX])
{
	const struct kept *k = &c->old;
	size_t at = partition_point(k->nr_addrs, i, k->addrs[i].addr < addr);
	const struct kept_addr *a = &k->addrs[at];

	if (at == k->nr_addrs || a->addr != addr || a->nr > DWARF_FRAMES_MAX ||
	    a->first > k->nr_frames || a->nr > k->nr_frames - a->first)
		return -ENOENT;
	for (u32 i = 0; i < a->nr; i++) {
		const struct kept_frame *f = &k->frames[a->first + i];

		out[i] = (struct dwarf_frame){
			.name = string_at(k, f->name), .file = string_at(k, f->file),
			.line = f->line,
		};
	}
	return a->nr;
}

static u32 keep_string(struct lines_cache *c, const char *s)
{
	u64 offset = s ? (uintptr_t)map64__get(&c->offsets, (uintptr_t)s) : 0;
	size_t len;

	if (!s || offset)
		return s ? offset - 1 : NONE;
	len = strlen(s) + 1;
	offset = c->old.strings_size + c->strings.nr;
	if (offset + len >= LINES_FILE_MAX)
		return NONE;
	vec__reserve(&c->strings, c->strings.nr + len);
	memcpy(c->strings.v + c->strings.nr, s, len);
	c->strings.nr += len;
	map64__set(&c->offsets, (uintptr_t)s, (void *)(uintptr_t)(offset + 1));
	return offset;
}

/* Without directories: more is not shown. */
static const char *base_name(const char *path)
{
	const char *slash = path ? strrchr(path, '/') : NULL;

	return slash ? slash + 1 : path;
}

void lines_cache__add(struct lines_cache *c, u64 addr, const struct dwarf_frame *frames, u32 nr)
{
	u64 first = c->old.nr_frames + c->frames.nr;

	if (first + nr > LINES_FILE_MAX / sizeof(struct kept_frame))
		return;
	*vec__push(&c->addrs) = (struct kept_addr){ .addr = addr, .first = first, .nr = nr };
	for (u32 i = 0; i < nr; i++)
		*vec__push(&c->frames) = (struct kept_frame){
			.name = keep_string(c, frames[i].name),
			.file = keep_string(c, base_name(frames[i].file)),
			.line = frames[i].line,
		};
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

/* Old and new in one; the caller frees it. */
static char *encode(const struct lines_cache *c, size_t *size)
{
	const struct kept *old = &c->old;
	struct file_header h = {
		.key = c->key, .nr_addrs = old->nr_addrs + c->addrs.nr,
		.nr_frames = old->nr_frames + c->frames.nr,
		.strings_size = old->strings_size + c->strings.nr,
	};
	struct kept_addr *addrs;
	char *data, *to;

	*size = sizeof(h) + h.nr_addrs * sizeof(*addrs) +
		h.nr_frames * sizeof(struct kept_frame) + h.strings_size;
	to = data = xmalloc(*size);
	to = append(to, &h, sizeof(h));
	addrs = (void *)to;
	to = append(to, old->addrs, old->nr_addrs * sizeof(*addrs));
	to = append(to, c->addrs.v, c->addrs.nr * sizeof(*addrs));
	qsort(addrs, h.nr_addrs, sizeof(*addrs), by_addr);
	to = append(to, old->frames, old->nr_frames * sizeof(*old->frames));
	to = append(to, c->frames.v, c->frames.nr * sizeof(*old->frames));
	to = append(to, old->strings, old->strings_size);
	append(to, c->strings.v, c->strings.nr);
	return data;
}

static void save(struct lines_cache *c)
{
	size_t size;
	char *data;
	int err;

	if (!c->addrs.nr)
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
	vec__free(&c->addrs);
	vec__free(&c->frames);
	vec__free(&c->strings);
	map64__free(&c->offsets);
	free(c);
}
