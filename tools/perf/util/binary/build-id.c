// SPDX-License-Identifier: GPL-2.0-only
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../io/broker.h"
#include "../io/regular-file.h"
#include "build-id.h"

/*
 * Bytes of notes that are read from segments, and as many from sections. A hostile file can have
 * thousands of segments with the same megabytes of notes. Real build-ids are among the first.
 */
#define MAX_NOTES (1u << 20)

/* Finds NT_GNU_BUILD_ID among ELF notes. Returns 0 or -ENOENT. */
static int build_id__from_notes(struct bytes notes, bool swap, struct build_id *out)
{
	struct cursor c = cursor__init(notes.data, notes.len, swap);

	while (cursor__left(&c) >= 3 * sizeof(u32)) {
		u32 name_size = cursor__u32(&c), size = cursor__u32(&c), type = cursor__u32(&c);
		const char *name = cursor__take(&c, align_up(name_size, 4));
		const u8 *desc = cursor__take(&c, size);

		if (!name || !desc)
			break;
		if (type == NT_GNU_BUILD_ID && name_size == sizeof(ELF_NOTE_GNU) &&
		    !memcmp(name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) && size &&
		    size <= BUILD_ID_MAX) {
			memset(out, 0, sizeof(*out));
			out->size = size;
			memcpy(out->data, desc, size);
			return 0;
		}
		cursor__take(&c, -size & 3);
	}
	return -ENOENT;
}

/* The same of one segment or section among several, which share @left bytes. */
static int build_id__from_some(struct bytes notes, bool swap, u64 *left, struct build_id *out)
{
	notes.len = min_of(notes.len, (size_t)*left);
	*left -= notes.len;
	return build_id__from_notes(notes, swap, out);
}

/* Segments first: their notes are in the first page of most files, those of sections at the end. */
int elf_image__build_id(const struct elf_image *img, struct build_id *out)
{
	size_t nr = 0;
	GElf_Shdr shdr;
	Elf_Scn *scn = NULL;
	bool swap = elf_image__is_swapped(img);
	u64 left = MAX_NOTES;

	elf_getphdrnum(img->elf, &nr);
	for (size_t i = 0; i < nr && left; i++) {
		GElf_Phdr mem, *ph = gelf_getphdr(img->elf, i, &mem);
		GElf_Shdr as_section = { .sh_type = SHT_NOTE };

		if (!ph || ph->p_type != PT_NOTE)
			continue;
		as_section.sh_offset = ph->p_offset;
		as_section.sh_size = ph->p_filesz;
		if (!build_id__from_some(elf_image__bytes(img, &as_section), swap, &left, out))
			return 0;
	}
	left = MAX_NOTES;
	while (left && (scn = elf_nextscn(img->elf, scn)) != NULL)
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == SHT_NOTE &&
		    !build_id__from_some(elf_image__bytes(img, &shdr), swap, &left, out))
			return 0;
	return -ENOENT;
}

int build_id__read_fd(int fd, struct build_id *out)
{
	struct elf_image img;
	int err = elf_image__open_sparse(&img, fd);

	memset(out, 0, sizeof(*out));
	if (err)
		return err;
	err = elf_image__build_id(&img, out);
	elf_image__close(&img);
	return err;
}

int build_id__read(const char *path, struct build_id *out)
{
	int fd = regular_file__open(path), ret;

	if (fd < 0)
		return fd;
	ret = build_id__read_fd(fd, out);
	close(fd);
	return ret == -ENOENT ? -ENODATA : ret;
}

/* Files of sysfs with the raw notes of the kernel or of a module. */
static int read_notes_file(const char *path, struct build_id *out)
{
	u8 buf[4096];
	ssize_t len;
	int fd = broker__open(path, O_RDONLY), err;

	memset(out, 0, sizeof(*out));
	if (fd < 0)
		return fd;
	len = read(fd, buf, sizeof(buf));
	err = len < 0 ? -errno : 0;
	close(fd);
	if (err)
		return err;
	return build_id__from_notes((struct bytes){ .data = buf, .len = len }, false, out);
}

int build_id__read_kernel(struct build_id *out)
{
	return read_notes_file("/sys/kernel/notes", out);
}

int build_id__read_module(const char *name, struct build_id *out)
{
	char path[PATH_MAX];

	memset(out, 0, sizeof(*out));
	if (strchr(name, '/') || (size_t)snprintf(path, sizeof(path),
	    "/sys/module/%s/notes/.note.gnu.build-id", name) >= sizeof(path))
		return -EINVAL;
	return read_notes_file(path, out);
}

int build_id__format(const struct build_id *id, char *buf, size_t size)
{
	int len = 0;

	if (size)
		buf[0] = '\0';
	for (int i = 0; i < id->size; i++, len += 2)
		if ((size_t)len + 2 < size)
			snprintf(buf + len, 3, "%02x", id->data[i]);
	return len;
}

u32 file_id__make(const struct stat *st, u64 now, u8 *out)
{
	const struct {
		u64 dev, inode, changed;
	} id = { st->st_dev, st->st_ino, st->st_ctim.tv_sec * NSEC_PER_SEC + st->st_ctim.tv_nsec };

	_Static_assert(sizeof(id) == FILE_ID_SIZE, "it has no padding");
	if (now < id.changed || now - id.changed < FILE_ID_SETTLED_NS)
		return 0;
	memcpy(out, &id, sizeof(id));
	return sizeof(id);
}
