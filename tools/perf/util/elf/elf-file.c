// SPDX-License-Identifier: GPL-2.0-only
#include <string.h>

#include "../io/mapfile.h"
#include "elf-file.h"

static struct mapfile mapfile_of(const struct unwind_file *file)
{
	return (struct mapfile){
		.data = file->data, .size = file->size, .mapped = file->mapped,
		.guard = file->handle,
	};
}

static int perf_map(void *ctx __unused_arg, int fd, unsigned int flags, struct unwind_file *file)
{
	struct mapfile m;
	int err = mapfile__map(&m, fd);

	if (flags & UNWIND_FILE_SPARSE)
		mapfile__read_sparsely(&m);
	if (!err && flags & UNWIND_FILE_WRITABLE)
		err = mapfile__allow_writes(&m);
	if (err) {
		mapfile__unmap(&m);
		return err;
	}
	*file = (struct unwind_file){
		.data = m.data, .size = m.size, .mapped = m.mapped, .handle = m.guard,
	};
	return 0;
}

static void perf_unmap(void *ctx __unused_arg, struct unwind_file *file)
{
	struct mapfile m = mapfile_of(file);

	mapfile__unmap(&m);
}

static void perf_fetch(void *ctx __unused_arg, const struct unwind_file *file, const void *data,
		       size_t len)
{
	struct mapfile m = mapfile_of(file);

	mapfile__fetch(&m, data, len);
}

static const struct unwind_files perf_files = {
	.map = perf_map, .unmap = perf_unmap, .fetch = perf_fetch,
};

const struct unwind_env perf_env = {
	.alloc = &unwind_alloc__default, .files = &perf_files,
};

int elf_image__open(struct elf_image *img, int fd)
{
	return elf_image__map(img, &perf_env, fd, false);
}

int elf_image__open_sparse(struct elf_image *img, int fd)
{
	return elf_image__map(img, &perf_env, fd, true);
}
