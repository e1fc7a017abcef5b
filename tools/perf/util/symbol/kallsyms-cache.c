// SPDX-License-Identifier: GPL-2.0-only
#include "kallsyms-cache.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/hash.h"
#include "../base/log.h"
#include "../base/version.h"
#include "../io/broker.h"
#include "../io/private-dir.h"
#include "../io/procfile.h"

#define MAGIC 0x316d79736c6b7270ull /* "prklsym1" */
#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define BOOT_ID_LEN 36

/* Who has made the file, and how what it was made of begins. All of it must be the same. */
struct file_key {
	u64 magic, maker, beginning;
};

/* Of the machine's byte order: another one has another magic. */
struct file_header {
	struct file_key key;
	u64 text_addr, stext_addr; /* as in struct kallsyms */
	u64 nr, names_size;
};

struct kept_symbol {
	u64 start, end;
	u32 name;    /* offset in the names, which are behind the symbols */
	u32 binding;
};

struct kept_place {
	int dir;
	char name[BOOT_ID_LEN + 1];
	struct file_key key;
};

/* Reads the first page of addresses and names. */
static int read_beginning(const char *path, u64 *hash)
{
	int fd = broker__open(path, O_RDONLY | O_NONBLOCK);
	char page[4096];
	ssize_t n;

	if (fd < 0)
		return fd;
	n = read(fd, page, sizeof(page));
	close(fd);
	if (n <= 0)
		return -ENODATA;
	*hash = stable_hash_bytes(page, n);
	return 0;
}

/* Without a NUL. */
static int read_boot_id(char name[BOOT_ID_LEN])
{
	size_t len;
	char *text;
	int err = procfile__read(BOOT_ID, &text, &len);

	if (err)
		return err;
	err = len < BOOT_ID_LEN || strspn(text, "0123456789abcdef-") < BOOT_ID_LEN ? -EINVAL : 0;
	if (!err)
		memcpy(name, text, BOOT_ID_LEN);
	free(text);
	return err;
}

/* Returns 0 with a directory that the caller closes. */
static int open_place(const struct binary_opts *opts, const char *path, struct kept_place *p)
{
	char parent[PATH_MAX];
	struct error err = {};
	int ret;

	if (opts->no_unwind_cache)
		return -ENOENT;
	p->key = (struct file_key){ .magic = MAGIC, .maker = perf__build() };
	ret = read_beginning(path, &p->key.beginning) ?: read_boot_id(p->name) ?:
	      build_id_cache__dir(opts, parent, sizeof(parent));
	if (ret)
		return ret;
	p->dir = private_dir__open(parent, ".kernel", &err);
	if (p->dir < 0)
		pr_debug("kernel symbols are not kept on disk: %s\n", err.text);
	return min_of(p->dir, 0);
}

static int take_symbols(const struct mapfile *f, const struct kept_place *p, struct kallsyms *k)
{
	struct file_header h;
	const struct kept_symbol *kept;
	const char *names;
	struct symbol *v;

	if (f->size < sizeof(h))
		return -EINVAL;
	memcpy(&h, f->data, sizeof(h));
	if (memcmp(&h.key, &p->key, sizeof(h.key)) || !h.nr || h.nr > f->size ||
	    !h.names_size || h.names_size > f->size ||
	    sizeof(h) + h.nr * sizeof(*kept) + h.names_size != f->size || f->data[f->size - 1])
		return -EINVAL;
	kept = (const void *)(f->data + sizeof(h));
	names = (const char *)(kept + h.nr);
	for (u64 i = 0; i < h.nr; i++)
		if (kept[i].name >= h.names_size || (i && kept[i].start < kept[i - 1].start))
			return -EINVAL;
	v = xcalloc(h.nr, sizeof(*v));
	for (u64 i = 0; i < h.nr; i++)
		v[i] = (struct symbol){
			.start = kept[i].start, .end = kept[i].end, .binding = kept[i].binding,
			.name = names + kept[i].name,
		};
	symtab__take(&k->kernel, v, h.nr);
	k->text_addr = h.text_addr;
	k->stext_addr = h.stext_addr;
	return 0;
}

int kallsyms_cache__load(const struct binary_opts *opts, const char *path, struct kallsyms *k)
{
	struct kept_place p = {};
	int ret = open_place(opts, path, &p), fd;

	if (ret)
		return ret;
	memset(k, 0, sizeof(*k));
	fd = private_dir__load(p.dir, p.name);
	close(p.dir);
	if (fd < 0)
		return fd;
	ret = mapfile__map(&k->kept, fd) ?: take_symbols(&k->kept, &p, k);
	close(fd);
	if (ret)
		kallsyms__free(k);
	return ret;
}

/* Appends @size bytes. Returns where the next ones go. */
static char *append(char *to, const void *from, size_t size)
{
	memcpy(to, from, size);
	return to + size;
}

/* The caller frees it. */
static char *encode(const struct kallsyms *k, const struct file_key *key, size_t *size)
{
	const struct symtab *t = &k->kernel;
	struct file_header h = {
		.key = *key, .text_addr = k->text_addr, .stext_addr = k->stext_addr, .nr = t->nr,
	};
	char *data, *to, *name;

	for (size_t i = 0; i < t->nr; i++)
		h.names_size += strlen(t->v[i].name) + 1;
	*size = sizeof(h) + h.nr * sizeof(struct kept_symbol) + h.names_size;
	data = xmalloc(*size);
	to = append(data, &h, sizeof(h));
	name = to + h.nr * sizeof(struct kept_symbol);
	for (size_t i = 0; i < t->nr; i++) {
		const struct symbol *sym = &t->v[i];
		struct kept_symbol kept = {
			.start = sym->start, .end = sym->end, .binding = sym->binding,
			.name = name - (data + *size - h.names_size),
		};

		to = append(to, &kept, sizeof(kept));
		name = append(name, sym->name, strlen(sym->name) + 1);
	}
	return data;
}

void kallsyms_cache__save(const struct binary_opts *opts, const char *path,
			  const struct kallsyms *k)
{
	struct kept_place p = {};
	size_t size;
	char *data;
	int err;

	if (!k->kernel.nr || open_place(opts, path, &p))
		return;
	data = encode(k, &p.key, &size);
	err = size <= KALLSYMS_DIR_MAX ? private_dir__save(p.dir, p.name, data, size) : -EFBIG;
	if (err)
		pr_debug("cannot keep kernel symbols: %s\n", strerror(-err));
	else
		private_dir__prune(p.dir, KALLSYMS_DIR_MAX);
	free(data);
	close(p.dir);
}
