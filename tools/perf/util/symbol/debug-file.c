// SPDX-License-Identifier: GPL-2.0-only
/* Separate debug files: by build-id, or by the name and checksum in .gnu_debuglink. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/budget.h"
#include "../base/regular-file.h"
#include "binary.h"
#include "build-id.h"

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

struct debuglink {
	const char *name;
	u32 crc;
	struct build_id id; /* size 0: none */
};

static int elf_image__debuglink(const struct elf_image *img, struct debuglink *out)
{
	GElf_Shdr shdr;
	struct cursor c;
	struct bytes b;

	if (!elf_image__section(img, ".gnu_debuglink", 0, &shdr))
		return -ENOENT;
	b = elf_image__bytes(img, &shdr);
	c = cursor__init(b.data, b.len, img->ehdr.e_ident[EI_DATA] == ELFDATA2MSB);
	out->name = cursor__str(&c);
	cursor__take(&c, -c.pos & 3);
	out->crc = cursor__u32(&c);
	if (c.bad || !out->name[0] || strchr(out->name, '/'))
		return -ENOENT;
	elf_image__build_id(img, &out->id);
	return 0;
}

/* Equal build-ids, or the checksum where there are none. */
static bool is_debug_of(int fd, const struct debuglink *link, struct budget *checksums)
{
	struct mapfile file;
	struct build_id id;
	struct stat st;
	bool ok;

	if (!build_id__read_fd(fd, &id) && link->id.size)
		return build_id__equal(&id, &link->id);
	if (fstat(fd, &st) || st.st_size > CHECKSUM_MAX || !budget__take(checksums, st.st_size))
		return false;
	if (mapfile__map(&file, fd))
		return false;
	ok = crc32_of(file.data, file.size) == link->crc;
	mapfile__unmap(&file);
	return ok;
}

static int open_debuglink(const char *symfs, const char *binary, const struct debuglink *link,
			  struct budget *checksums)
{
	static const struct { const char *before, *between; } places[] = {
		{ "", "/" }, { "", "/.debug/" }, { DEBUG_DIR, "/" },
	};
	const char *slash = strrchr(binary, '/'), *dir = slash ? binary : ".";
	int len = slash ? slash - binary : 1, fd;
	char path[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		if ((size_t)snprintf(path, sizeof(path), "%s%s%.*s%s%s", symfs, places[i].before,
				     len, dir, places[i].between, link->name) >= sizeof(path))
			continue;
		fd = regular_file__open(path);
		if (fd < 0)
			continue;
		if (is_debug_of(fd, link, checksums))
			return fd;
		close(fd);
	}
	return -ENOENT;
}

static int open_by_build_id(const struct symbols_opts *opts, const struct build_id *id)
{
	char hex[2 * BUILD_ID_MAX + 1], path[PATH_MAX];
	int fd = -ENOENT;

	if (!build_id_cache__path(opts, id, "debug", path, sizeof(path)))
		fd = regular_file__open(path);
	build_id__format(id, hex, sizeof(hex));
	for (int i = 0; i < 2 && fd < 0; i++) {
		const char *root = i || !opts->symfs ? "" : opts->symfs;

		if ((size_t)snprintf(path, sizeof(path), "%s" DEBUG_DIR "/.build-id/%.2s/%s.debug",
				     root, hex, hex + 2) < sizeof(path))
			fd = regular_file__open(path);
	}
	return fd;
}

int binary__open_debug(const struct symbols_opts *opts, const struct dso *dso,
		       const struct elf_image *img, struct budget *checksums)
{
	const char *symfs = opts->symfs ? opts->symfs : "";
	struct debuglink link = {};
	struct build_id id = dso->build_id, found;
	int fd = -ENOENT;

	if (img->elf && !id.size)
		elf_image__build_id(img, &id);
	if (id.size > 1)
		fd = open_by_build_id(opts, &id);
	if (fd >= 0 && (build_id__read_fd(fd, &found) || !build_id__equal(&found, &id))) {
		close(fd);
		fd = -ENOENT;
	}
	if (fd < 0 && img->elf && !elf_image__debuglink(img, &link))
		fd = open_debuglink(symfs, dso->path, &link, checksums);
	return fd;
}
