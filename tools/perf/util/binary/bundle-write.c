// SPDX-License-Identifier: GPL-2.0-only
#include "bundle-write.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "../base/number.h"
#include "../base/vec.h"
#include "../elf/elf-file.h"
#include "../io/mapfile.h"
#include "../io/replace-file.h"
#include "../io/write-all.h"
#include "../../../lib/unwind/arch/arch.h"
#include "../../../lib/unwind/source/cfi.h"
#include "build-id.h"
#include "tar.h"

#define CHUNK (1 << 17)
#define WINDOW 24 /* 16 MB: any unpacker of zstd reads that */

/* Bytes of a file that become zero: [from, to). */
struct blank {
	u64 from, to;
};

typedef VEC(struct blank) blanks;

struct bundle_writer {
	struct replace_file file;
	int fd;          /* where it is written */
	ZSTD_CStream *zstd;
	struct arena *names; /* of the members */
	u64 unpacked;
	int err;         /* the first error of writing */
};

int bundle_writer__open(struct bundle_writer **out, const char *path, int level, struct error *err)
{
	struct bundle_writer *w = xzalloc(sizeof(*w));
	int ret;

	*out = NULL;
	w->fd = -1;
	w->names = arena__new();
	ret = replace_file__open(&w->file, path, err);
	if (!ret) {
		w->fd = replace_file__fd(&w->file, err);
		ret = min_of(w->fd, 0);
	}
	if (ret) {
		bundle_writer__free(w);
		return ret;
	}
	w->zstd = ZSTD_createCStream();
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, level);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_windowLog, WINDOW);
	ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
	*out = w;
	return 0;
}

void bundle_writer__free(struct bundle_writer *w)
{
	if (!w)
		return;
	if (w->fd >= 0)
		close(w->fd);
	ZSTD_freeCStream(w->zstd);
	replace_file__abort(&w->file);
	arena__free(w->names);
	free(w);
}

static void compress(struct bundle_writer *w, const void *data, size_t size, ZSTD_EndDirective end)
{
	ZSTD_inBuffer in = { .src = data, .size = size };
	u8 packed[CHUNK];
	size_t left;

	do {
		ZSTD_outBuffer out = { .dst = packed, .size = sizeof(packed) };

		left = ZSTD_compressStream2(w->zstd, &out, &in, end);
		if (ZSTD_isError(left))
			w->err = w->err ?: -ENOMEM;
		if (!w->err)
			w->err = write_all(w->fd, packed, out.pos, NULL);
	} while (!w->err && (in.pos < in.size || (end == ZSTD_e_end && left)));
	w->unpacked += size;
}

static void put_zeros(struct bundle_writer *w, u64 size)
{
	static const u8 zeros[CHUNK];

	for (u64 n; size && !w->err; size -= n) {
		n = min_of(size, (u64)sizeof(zeros));
		compress(w, zeros, n, ZSTD_e_continue);
	}
}

/* What neither names nor lines nor inlined functions come from. Names of Go are in .gopclntab. */
static bool is_dispensable(const char *name)
{
	static const char *const names[] = {
		".text", ".rodata", ".data", ".tdata", ".gcc_except_table", ".init_array",
		".fini_array", ".debug_loc", ".debug_loclists", ".debug_pubnames",
		".debug_pubtypes", ".debug_gnu_pubnames", ".debug_gnu_pubtypes", ".debug_macro",
		".debug_macinfo", ".debug_names", ".debug_frame", ".gdb_index", ".data.rel.ro",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names) && !strstr(name, ".gopclntab"); i++) {
		size_t len = strlen(names[i]);

		/* Also .text.unlikely, .rodata.cst8. */
		if (!strncmp(name, names[i], len) && (!name[len] || name[len] == '.'))
			return true;
	}
	return false;
}

static int by_from(const void *va, const void *vb)
{
	const struct blank *a = va, *b = vb;

	return compare_of(a->from, b->from);
}

/*
 * Code is left out where call frame information tells its functions apart. What lies between needs
 * it: functions without a name are found in it (symbol/nameless.h).
 */
static void find_code_blanks(struct cfi *cfi, const GElf_Shdr *shdr, size_t len, blanks *out)
{
	u64 end = shdr->sh_addr + len;
	struct cfi_fde fde;

	if (end < shdr->sh_addr)
		return;
	for (u64 i = cfi__first(cfi, shdr->sh_addr), nr = cfi__nr(cfi); i < nr; i++) {
		if (cfi__start(cfi, i) >= end)
			break;
		if (!cfi__fde(cfi, i, &fde) || fde.end <= shdr->sh_addr)
			continue;
		fde.start = max_of(fde.start, (u64)shdr->sh_addr);
		*vec__push(out) = (struct blank){
			fde.start - shdr->sh_addr + shdr->sh_offset,
			min_of(fde.end, end) - shdr->sh_addr + shdr->sh_offset,
		};
	}
}

static struct cfi *open_cfi(const struct elf_image *img)
{
	const struct unwind_arch_info *arch =
		unwind_arch_info__by_machine(img->ehdr.e_machine);

	return arch && img->ehdr.e_type != ET_REL ? cfi__open_eh_frame(img, arch) : NULL;
}

static void find_blanks(int fd, blanks *out)
{
	struct elf_image img;
	struct cfi *cfi = NULL;
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	if (!elf_image__open(&img, fd)) {
		cfi = open_cfi(&img);
		while ((scn = elf_nextscn(img.elf, scn))) {
			const char *name;
			struct bytes b;

			if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
				continue;
			name = strings__at(img.section_names, shdr.sh_name);
			b = elf_image__bytes(&img, &shdr);
			if (!name || !b.len || !is_dispensable(name))
				continue;
			if (cfi && shdr.sh_flags & SHF_EXECINSTR)
				find_code_blanks(cfi, &shdr, b.len, out);
			else
				*vec__push(out) = (struct blank){
					shdr.sh_offset, shdr.sh_offset + b.len,
				};
		}
	}
	cfi__free(cfi);
	elf_image__close(&img);
	if (out->nr)
		qsort(out->v, out->nr, sizeof(*out->v), by_from);
}

static int begin_member(struct bundle_writer *w, const char *name, u64 size)
{
	struct tar_member m = { .size = size };
	u8 block[TAR_BLOCK];

	if (arena__interned(w->names, name))
		return -EEXIST;
	if (strlen(name) >= sizeof(m.name) - 1)
		return -EINVAL;
	arena__intern(w->names, name);
	memcpy(m.name, name, strlen(name));
	tar__encode(&m, block);
	compress(w, block, sizeof(block), ZSTD_e_continue);
	return 0;
}

static void end_member(struct bundle_writer *w, u64 size)
{
	put_zeros(w, align_up(size, TAR_BLOCK) - size);
}

static void put_with_blanks(struct bundle_writer *w, const struct mapfile *file, const blanks *b)
{
	u64 at = 0;

	for (size_t i = 0; i < b->nr; i++) {
		if (b->v[i].from > at) {
			compress(w, file->data + at, b->v[i].from - at, ZSTD_e_continue);
			at = b->v[i].from;
		}
		if (b->v[i].to > at) {
			put_zeros(w, b->v[i].to - at);
			at = b->v[i].to;
		}
	}
	compress(w, file->data + at, file->size - at, ZSTD_e_continue);
}

int bundle_writer__add(struct bundle_writer *w, const char *name, int fd, enum bundle_parts parts)
{
	struct mapfile file;
	blanks blank = {};
	int ret = mapfile__map(&file, fd);

	if (ret)
		return -EINVAL;
	ret = begin_member(w, name, file.size);
	if (!ret) {
		if (parts == BUNDLE_NAMES)
			find_blanks(fd, &blank);
		put_with_blanks(w, &file, &blank);
		end_member(w, file.size);
	}
	mapfile__unmap(&file);
	vec__free(&blank);
	return ret ? ret : w->err;
}

int bundle_writer__add_id(struct bundle_writer *w, const char *kind, const struct build_id *id,
			  int fd, enum bundle_parts parts)
{
	char name[TAR_NAME_MAX], hex[2 * BUILD_ID_MAX + 1];

	build_id__format(id, hex, sizeof(hex));
	snprintf(name, sizeof(name), "%s/%s", kind, hex);
	return bundle_writer__add(w, name, fd, parts);
}

int bundle_writer__add_bytes(struct bundle_writer *w, const char *name, const void *data,
			     size_t size)
{
	int ret = begin_member(w, name, size);

	if (ret)
		return ret;
	compress(w, data, size, ZSTD_e_continue);
	end_member(w, size);
	return w->err;
}

int bundle_writer__finish(struct bundle_writer *w, u64 *size, u64 *unpacked, struct error *err)
{
	put_zeros(w, 2 * TAR_BLOCK);
	*unpacked = w->unpacked;
	compress(w, NULL, 0, ZSTD_e_end);
	if (!w->err && close(w->fd))
		w->err = -errno;
	w->fd = -1;
	if (w->err)
		return error__set(err, w->err, "cannot write %s: %s", w->file.name,
				  strerror(-w->err));
	return replace_file__commit(&w->file, size, err);
}
