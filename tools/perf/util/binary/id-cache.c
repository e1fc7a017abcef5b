// SPDX-License-Identifier: GPL-2.0-only
#include "id-cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/number.h"
#include "../io/beneath.h"
#include "../io/mapfile.h"
#include "../io/out-place.h"
#include "../io/private-dir.h"
#include "../io/procfile.h"
#include "build-id.h"

#define LINKS ".build-id"
#define HEX_MAX (2 * BUILD_ID_MAX + 1)

/* Returns @fd; or closes it and returns -EPERM when it is a folder of another user. */
static int check_owner(int fd)
{
	struct stat st;

	if (fd < 0)
		return fd;
	if (!fstat(fd, &st) && st.st_uid == geteuid())
		return fd;
	close(fd);
	return -EPERM;
}

/* Opens the folder @name in @at, makes it if it is wanted, and closes @at. */
static int descend(int at, const char *name, bool make)
{
	int fd;

	if (at < 0)
		return at;
	fd = make ? beneath__mkdir(at, name, 0755) : 0;
	if (!fd || fd == -EEXIST)
		fd = check_owner(beneath__open(at, name, O_RDONLY | O_DIRECTORY, 0));
	close(at);
	return fd;
}

/* The folder itself, which is made; the user may have put a link there to another one of his. */
static int open_top(const char *dir)
{
	struct out_place named, place = { .folder.fd = -1 };
	int ret = out_place__find(&named, dir, NULL) ?: out_place__follow(&named, &place, NULL);

	/* In another user's folder it would not be trusted. */
	if (!ret && !place.folder.becomes)
		ret = beneath__mkdir(place.folder.fd, place.name, 0755);
	if (!ret || ret == -EEXIST)
		ret = check_owner(out_folder__open(&place.folder, place.name,
						   O_RDONLY | O_DIRECTORY));
	out_place__close(&place);
	out_place__close(&named);
	return ret == -ELOOP || ret == -EREMOTE ? -EPERM : ret;
}

int id_cache__open(struct id_cache *c, const struct binary_opts *opts, struct error *err)
{
	int ret = build_id_cache__dir(opts, c->dir, sizeof(c->dir));

	c->fd = -1;
	if (ret)
		return error__set(err, ret, "the directory of the build-id cache is unknown: set "
					    "HOME, or use --buildid-dir");
	c->fd = open_top(c->dir);
	if (c->fd >= 0)
		return 0;
	error__set(err, c->fd, "nothing is written to the build-id cache '%s': %s", c->dir,
		   c->fd == -EPERM ? "it belongs to another user" : strerror(-c->fd));
	if (c->fd == -EPERM)
		error__hint(err, "With sudo, use sudo -H, or name a directory with --buildid-dir.");
	return c->fd;
}

void id_cache__close(struct id_cache *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

/* Whether a part of a path is "..", or no name of a file. */
static bool leads_out(const char *path)
{
	while (*path) {
		size_t n = strcspn(path, "/");

		if ((n == 1 && path[0] == '.') || (n == 2 && !strncmp(path, "..", 2)) ||
		    n > NAME_MAX)
			return true;
		path += n + (path[n] == '/');
	}
	return false;
}

/* A name as the path of a file below the cache: no part may lead out of it. */
static int clean_name(const char *name, char *buf, size_t size)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(name), tail = strlen(deleted);

	if ((name[0] != '/' && name[0] != '[') || leads_out(name))
		return -EINVAL;
	if (len > tail && !strcmp(name + len - tail, deleted))
		len -= tail;
	while (name[0] == '/' && name[1] == '/')
		name++, len--;
	if (len < 2 || len >= size || name[len - 1] == '/' || !strncmp(name, "/" LINKS, 10))
		return -EINVAL;
	snprintf(buf, size, "%.*s", (int)len, name);
	return 0;
}

/* Opens the folder @path below @at, which it closes. */
static int open_below(int at, const char *path, bool make)
{
	char part[NAME_MAX + 1];

	if (at < 0)
		return at == -1 ? -errno : at;
	while (*path && at >= 0) {
		size_t n = strcspn(path, "/");

		snprintf(part, sizeof(part), "%.*s", (int)n, path);
		if (n)
			at = descend(at, part, make);
		path += n + (path[n] == '/');
	}
	return at;
}

static int open_folder(const struct id_cache *c, const char *path, bool make)
{
	return open_below(fcntl(c->fd, F_DUPFD_CLOEXEC, 0), path, make);
}

static int open_links(const struct id_cache *c, const char *hex, bool make)
{
	char path[sizeof(LINKS) + 3];

	snprintf(path, sizeof(path), LINKS "/%.2s", hex);
	return open_folder(c, path, make);
}

/* The folder of a build-id. @name: as clean_name() has it. */
static char *folder_of(const char *name, const char *hex)
{
	return xasprintf("%s/%s", name + (*name == '/'), hex);
}

static int make_link(const struct id_cache *c, const char *name, const char *hex)
{
	char *folder = folder_of(name, hex), *target = xasprintf("../../%s", folder);
	int at = open_links(c, hex, true), ret = min_of(at, 0);
	char there[PATH_MAX] = "";

	if (!ret && readlinkat(at, hex + 2, there, sizeof(there) - 1) >= 0 && strcmp(there, target))
		beneath__remove(at, hex + 2, 0);
	if (!ret)
		ret = beneath__symlink(at, target, hex + 2);
	if (at >= 0)
		close(at);
	free(target);
	free(folder);
	return ret == -EEXIST ? 0 : ret;
}

static bool is_there(int at, const char *leaf)
{
	struct stat st;

	return !fstatat(at, leaf, &st, AT_SYMLINK_NOFOLLOW);
}

/* @mode: of the file, where it is new; what others may do with it is left out */
static int save_bytes(int at, const char *leaf, struct bytes b, mode_t mode)
{
	int ret = private_dir__save(at, leaf, b.data, b.len), fd;

	if (ret || !(mode & S_IXUSR))
		return ret;
	fd = beneath__open(at, leaf, O_RDONLY, 0);
	if (fd < 0)
		return fd;
	ret = fchmod(fd, S_IRWXU) ? -errno : 0;
	close(fd);
	return ret;
}

static int add_bytes(const struct id_cache *c, const char *name, const struct build_id *id,
		     const char *leaf, struct bytes b, mode_t mode, enum id_cache_add how)
{
	char clean[PATH_MAX], hex[HEX_MAX], *folder;
	int at, ret;

	build_id__format(id, hex, sizeof(hex));
	if (id->size < 2 || clean_name(name, clean, sizeof(clean)))
		return -EINVAL;
	folder = folder_of(clean, hex);
	at = open_folder(c, folder, true);
	free(folder);
	if (at < 0)
		return at;
	ret = how == ID_CACHE_ADD && is_there(at, leaf) ? -EEXIST :
	      save_bytes(at, leaf, b, mode);
	close(at);
	if (ret && ret != -EEXIST)
		return ret;
	return make_link(c, clean, hex) ?: ret;
}

int id_cache__add(const struct id_cache *c, const char *name, const struct build_id *id,
		  const char *leaf, int fd, enum id_cache_add how)
{
	struct stat st = {};
	struct mapfile file;
	int ret = mapfile__map(&file, fd);

	fstat(fd, &st);
	if (!ret)
		ret = add_bytes(c, name, id, leaf, (struct bytes){ file.data, file.size },
				st.st_mode, how);
	mapfile__unmap(&file);
	return ret;
}

static int add_kallsyms(const struct id_cache *c, const struct build_id *id, enum id_cache_add how)
{
	char *text;
	size_t size;
	int ret = procfile__read("/proc/kallsyms", &text, &size);

	if (ret)
		return ret;
	ret = -EACCES;
	/* All addresses are 0 for who may not see them. */
	if (strspn(text, "0") < 8)
		ret = add_bytes(c, "[kernel.kallsyms]", id, "kallsyms",
				(struct bytes){ (u8 *)text, size }, 0, how);
	free(text);
	return ret;
}

static bool has_names(const struct elf_image *img)
{
	GElf_Shdr shdr;

	return elf_image__section(img, NULL, SHT_SYMTAB, &shdr);
}

int id_cache__find_debug(struct binaries *b, const struct dso *dso, int binary)
{
	struct elf_image img;
	int fd = elf_image__open(&img, binary);

	if (!fd)
		fd = has_names(&img) ? -ENOENT : binaries__open_debug(b, dso, &img);
	elf_image__close(&img);
	return fd;
}

static void add_debug(const struct id_cache *c, struct binaries *b, const struct dso *dso,
		      const struct build_id *id, int binary, enum id_cache_add how)
{
	int fd = id_cache__find_debug(b, dso, binary);

	if (fd < 0)
		return;
	id_cache__add(c, dso->name, id, "debug", fd, how);
	close(fd);
}

int id_cache__add_dso(const struct id_cache *c, struct binaries *b, const struct dso *dso,
		      const struct build_id *id, enum id_cache_add how)
{
	int fd, ret;

	if (dso->kind == DSO_KERNEL)
		return add_kallsyms(c, id, how);
	if ((dso->kind != DSO_USER && dso->kind != DSO_VDSO) || binaries__is_jit(b, dso))
		return -ENOENT;
	fd = binaries__fd(b, dso);
	if (fd < 0)
		return fd;
	if (dso->kind == DSO_VDSO)
		return id_cache__add(c, "[vdso]", id, "vdso", fd, how);
	ret = id_cache__add(c, dso->name, id, "elf", fd, how);
	if (!ret)
		add_debug(c, b, dso, id, fd, how);
	return ret;
}

/* Removes all files of the folder @fd, which it closes. */
static int empty_folder(int fd)
{
	struct dirent *e;
	int ret = 0;
	DIR *d;

	if (fd < 0)
		return fd;
	d = fdopendir(fd);
	while (d && (e = readdir(d)))
		if (beneath__is_name(e->d_name))
			ret = beneath__remove(fd, e->d_name, 0) ?: ret;
	if (d)
		closedir(d);
	else
		close(fd);
	return ret;
}

/* Removes the folder of a build-id, and those above it that are empty now. */
static int remove_folder(const struct id_cache *c, const char *folder)
{
	char *path = xstrdup(folder), *slash = path;
	int ret = empty_folder(open_folder(c, path, false)), at;

	while (!ret && slash) {
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
		at = open_folder(c, slash ? path : "", false);
		if (at < 0)
			break;
		ret = beneath__remove(at, slash ? slash + 1 : path, AT_REMOVEDIR);
		close(at);
	}
	free(path);
	return ret == -ENOTEMPTY || ret == -EEXIST ? 0 : ret;
}

/* Where a link of the cache leads to, without "../../"; false when it is none of the cache's. */
static bool read_link(int at, const char *name, const char *hex, char *folder, size_t size)
{
	ssize_t len = readlinkat(at, name, folder, size - 1);
	const char *last;

	if (len < 6 || strncmp(folder, "../../", 6))
		return false;
	folder[len] = '\0';
	memmove(folder, folder + 6, len - 5);
	last = strrchr(folder, '/');
	return last && !strcmp(last + 1, hex) && !leads_out(folder);
}

int id_cache__remove(const struct id_cache *c, const struct build_id *id)
{
	char hex[HEX_MAX], folder[PATH_MAX];
	int at, removed, ret = -ENOENT;

	if (id->size < 2)
		return -ENOENT;
	build_id__format(id, hex, sizeof(hex));
	at = open_links(c, hex, false);
	if (at < 0)
		return at;
	if (read_link(at, hex + 2, hex, folder, sizeof(folder))) {
		ret = remove_folder(c, folder);
		removed = beneath__remove(at, hex + 2, 0);
		ret = ret ?: removed;
	}
	close(at);
	return ret;
}

static bool parse_hex(const char *two, const char *rest, struct build_id *id)
{
	char hex[HEX_MAX];
	unsigned int byte;
	int len = snprintf(hex, sizeof(hex), "%s%s", two, rest);

	if (strlen(two) != 2 || len > 2 * BUILD_ID_MAX || len % 2 || len < 4 ||
	    strspn(hex, "0123456789abcdef") != (size_t)len)
		return false;
	*id = (struct build_id){ .size = len / 2 };
	for (int i = 0; i < len / 2; i++) {
		sscanf(hex + 2 * i, "%2x", &byte);
		id->data[i] = byte;
	}
	return true;
}

static void list_links(struct id_cache_list *list, int at, const char *two)
{
	char folder[PATH_MAX], hex[HEX_MAX];
	DIR *d = fdopendir(at);
	struct build_id id;
	struct dirent *e;

	if (!d) {
		close(at);
		return;
	}
	while ((e = readdir(d))) {
		if (!parse_hex(two, e->d_name, &id))
			continue;
		build_id__format(&id, hex, sizeof(hex));
		if (!read_link(at, e->d_name, hex, folder, sizeof(folder)) ||
		    faccessat(at, e->d_name, F_OK, 0))
			continue;
		*strrchr(folder, '/') = '\0';
		*vec__push(&list->entries) = (struct id_cache_entry){
			.id = id, .name = xasprintf("%s%s", folder[0] == '[' ? "" : "/", folder),
		};
	}
	closedir(d);
}

static int by_id(const void *va, const void *vb)
{
	const struct id_cache_entry *a = va, *b = vb;
	int c = memcmp(a->id.data, b->id.data, min_of(a->id.size, b->id.size));

	return c ? c : compare_of(a->id.size, b->id.size);
}

int id_cache__list(const struct binary_opts *opts, struct id_cache_list *list, struct error *err)
{
	char path[PATH_MAX], links[PATH_MAX + sizeof(LINKS)];
	int ret = build_id_cache__dir(opts, path, sizeof(path));
	struct dirent *e;
	DIR *d;
	int at;

	*list = (struct id_cache_list){};
	if (ret)
		return error__set(err, ret, "the directory of the build-id cache is not known");
	snprintf(links, sizeof(links), "%s/" LINKS, path);
	d = opendir(links);
	if (!d)
		return errno == ENOENT || errno == ENOTDIR ? 0 :
		       error__set(err, -errno, "cannot read '%s': %s", links, strerror(errno));
	while ((e = readdir(d))) {
		at = openat(dirfd(d), e->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (at >= 0 && e->d_name[0] != '.')
			list_links(list, at, e->d_name);
		else if (at >= 0)
			close(at);
	}
	closedir(d);
	if (list->entries.nr)
		qsort(list->entries.v, list->entries.nr, sizeof(*list->entries.v), by_id);
	return 0;
}

void id_cache_list__free(struct id_cache_list *list)
{
	for (size_t i = 0; i < list->entries.nr; i++)
		free(list->entries.v[i].name);
	vec__free(&list->entries);
}
