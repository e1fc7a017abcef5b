// SPDX-License-Identifier: GPL-2.0-only
/* Separate debug files: by build-id, or by the name and checksum in .gnu_debuglink. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../io/mapfile.h"
#include "binary.h"
#include "build-id.h"
#include "by-name.h"

#define DEBUG_DIR "/usr/lib/debug"
/*
 * The checksum of a larger file is not computed: it is half a second for each of 256 MB, and debug
 * files of that size have a build-id.
 */
#define CHECKSUM_MAX (512u << 20)

/* The CRC-32 of Ethernet and zlib, which .gnu_debuglink uses. */
static u32 crc32_of(const u8 *p, size_t len)
{
	u32 table[256], crc = ~0U;

	for (u32 i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320U : 0);
	}
	while (len--)
		crc = crc >> 8 ^ table[(crc ^ *p++) & 0xff];
	return ~crc;
}

/* Reads .gnu_debuglink: a name and a checksum. -ENOENT: there is none. */
static int elf_image__debuglink(const struct elf_image *img, struct debug_wanted *out)
{
	const char *name;
	GElf_Shdr shdr;
	struct cursor c;
	struct bytes b;

	if (!elf_image__section(img, ".gnu_debuglink", 0, &shdr))
		return -ENOENT;
	b = elf_image__bytes(img, &shdr);
	c = cursor__init(b.data, b.len, img->ehdr.e_ident[EI_DATA] == ELFDATA2MSB);
	name = cursor__str(&c);
	cursor__take(&c, -c.pos & 3);
	out->crc = cursor__u32(&c);
	if (c.bad || !name[0] || strchr(name, '/') || strlen(name) >= sizeof(out->link))
		return -ENOENT;
	memcpy(out->link, name, strlen(name) + 1);
	return 0;
}

/* Equal build-ids, or the checksum where there are none. */
static bool is_debug_of(int fd, const struct debug_wanted *want, struct budget *checksums)
{
	struct mapfile file;
	struct build_id id;
	struct stat st;
	bool ok;

	if (!build_id__read_fd(fd, &id) && want->own_id.size)
		return build_id__equal(&id, &want->own_id);
	if (fstat(fd, &st) || st.st_size > CHECKSUM_MAX || !budget__take(checksums, st.st_size))
		return false;
	if (mapfile__map(&file, fd))
		return false;
	ok = crc32_of(file.data, file.size) == want->crc;
	mapfile__unmap(&file);
	return ok;
}

static int open_debuglink(const struct binary_opts *opts, const struct debug_wanted *want,
			  struct budget *checksums, struct mounts *at_once)
{
	static const struct { const char *before, *between; } places[] = {
		{ "", "/" }, { "", "/.debug/" }, { DEBUG_DIR, "/" },
	};
	const char *slash = strrchr(want->binary, '/'), *dir = slash ? want->binary : ".";
	int len = slash ? slash - want->binary : 1, fd;
	char path[PATH_MAX], name[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		if ((size_t)snprintf(name, sizeof(name), "%s%.*s%s%s", places[i].before, len, dir,
				     places[i].between, want->link) >= sizeof(name) ||
		    symfs__path(opts, name, strlen(name), path, sizeof(path)))
			continue;
		fd = by_name__open(path, at_once);
		if (fd < 0 && !by_name__is_unsure(fd, at_once))
			continue;
		if (at_once) {
			if (fd >= 0)
				close(fd);
			return -EAGAIN;
		}
		if (is_debug_of(fd, want, checksums))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

static int open_by_build_id(const struct binary_opts *opts, const struct build_id *id,
			    struct mounts *at_once)
{
	char hex[2 * BUILD_ID_MAX + 1], name[128], path[PATH_MAX];
	int fd = -ENOENT;

	if (!build_id_cache__path(opts, id, "debug", path, sizeof(path)))
		fd = by_name__open(path, at_once);
	build_id__format(id, hex, sizeof(hex));
	/* Below symfs, then without it. */
	for (int i = opts->symfs ? 0 : 1; i < 2 && fd < 0; i++) {
		const struct binary_opts root = { .symfs = i ? NULL : opts->symfs };

		if (by_name__is_unsure(fd, at_once))
			break;
		snprintf(name, sizeof(name), DEBUG_DIR "/.build-id/%.2s/%s.debug", hex, hex + 2);
		if (!symfs__path(&root, name, strlen(name), path, sizeof(path)))
			fd = by_name__open(path, at_once);
	}
	return fd;
}

bool debug_wanted__of(struct debug_wanted *want, const struct dso *dso,
		      const struct elf_image *img)
{
	memset(want, 0, sizeof(*want));
	want->id = dso->build_id;
	if (img->elf && elf_image__build_id(img, &want->own_id))
		want->own_id.size = 0;
	if (!want->id.size)
		want->id = want->own_id;
	if (strlen(dso->path) < sizeof(want->binary)) {
		memcpy(want->binary, dso->path, strlen(dso->path) + 1);
		if (img->elf && elf_image__debuglink(img, want))
			want->link[0] = '\0';
	}
	return want->id.size > 1 || want->link[0];
}

/* A relative name begins in the directory of @from. */
static void set_alt_path(struct debug_wanted *want, const char *name, const char *from)
{
	const char *slash = strrchr(from, '/');
	int dir = slash && name[0] != '/' ? slash + 1 - from : 0;

	if ((name[0] != '/' && !slash) ||
	    (size_t)snprintf(want->binary, sizeof(want->binary), "%.*s%s", dir, from, name) >=
	    sizeof(want->binary))
		want->binary[0] = '\0';
}

bool debug_wanted__of_alt(struct debug_wanted *want, const struct elf_image *img,
			  const char *path)
{
	const char *name;
	GElf_Shdr shdr;
	struct cursor c;
	struct bytes b;

	memset(want, 0, sizeof(*want));
	want->kind = WANT_ALT;
	if (!elf_image__section(img, ".gnu_debugaltlink", 0, &shdr))
		return false;
	b = elf_image__bytes(img, &shdr);
	c = cursor__init(b.data, b.len, false);
	name = cursor__str(&c);
	if (!name || cursor__left(&c) < 2 || cursor__left(&c) > sizeof(want->id.data))
		return false;
	want->id.size = cursor__left(&c);
	memcpy(want->id.data, c.data + c.pos, want->id.size);
	set_alt_path(want, name, path);
	return true;
}

/* Returns @fd when it has the build-id; else closes it and returns -errno. */
static int check_build_id(int fd, const struct build_id *id)
{
	struct build_id found;

	if (fd < 0 || (!build_id__read_fd(fd, &found) && build_id__equal(&found, id)))
		return fd;
	close(fd);
	return -ENOENT;
}

static int open_alt(const struct binary_opts *opts, const struct debug_wanted *want,
		    struct mounts *at_once)
{
	char path[2 * PATH_MAX];

	if (symfs__path(opts, want->binary, strlen(want->binary), path, sizeof(path)))
		return -ENAMETOOLONG;
	return check_build_id(by_name__open(path, at_once), &want->id);
}

/* Below symfs, then without it: where a unit was compiled may be on this machine. */
static int open_named(const struct binary_opts *opts, const struct debug_wanted *want,
		      struct mounts *at_once)
{
	char path[2 * PATH_MAX];
	int fd = -ENOENT;

	if (opts->symfs &&
	    !symfs__path(opts, want->binary, strlen(want->binary), path, sizeof(path))) {
		fd = by_name__open(path, at_once);
	}
	if (fd < 0 && !by_name__is_unsure(fd, at_once))
		fd = by_name__open(want->binary, at_once);
	return fd;
}

int debug_wanted__open(const struct debug_wanted *want, const struct binary_opts *opts,
		       struct budget *checksums, struct mounts *at_once)
{
	int fd = -ENOENT;

	if (want->kind == WANT_NAMED)
		return open_named(opts, want, at_once);
	if (want->id.size > 1)
		fd = check_build_id(open_by_build_id(opts, &want->id, at_once), &want->id);
	if (fd >= 0 || by_name__is_unsure(fd, at_once))
		return fd;
	if (want->kind == WANT_ALT && want->binary[0])
		return open_alt(opts, want, at_once);
	if (want->link[0])
		fd = open_debuglink(opts, want, checksums, at_once);
	return fd;
}

int binary__open_debug(const struct binary_opts *opts, const struct dso *dso,
		       const struct elf_image *img, struct budget *checksums)
{
	struct debug_wanted want;

	return debug_wanted__of(&want, dso, img)
	       ? debug_wanted__open(&want, opts, checksums, NULL) : -ENOENT;
}
