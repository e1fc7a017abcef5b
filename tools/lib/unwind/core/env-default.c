// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
/* Memory by malloc(), and files by mmap(). */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "env.h"

static void *default_alloc(void *ctx __unused_arg, size_t size)
{
	return malloc(size);
}

static void *default_zalloc(void *ctx __unused_arg, size_t size)
{
	return calloc(1, size);
}

static void *default_resize(void *ctx __unused_arg, void *p, size_t size)
{
	return realloc(p, size);
}

static void default_free(void *ctx __unused_arg, void *p)
{
	free(p);
}

const struct unwind_alloc unwind_alloc__default = {
	.alloc = default_alloc, .zalloc = default_zalloc, .resize = default_resize,
	.free = default_free,
};

/* Who reads behind the end of a file that became shorter gets SIGBUS. */
static int default_map(void *ctx __unused_arg, int fd, unsigned int flags,
		       struct unwind_file *file)
{
	int prot = PROT_READ | (flags & UNWIND_FILE_WRITABLE ? PROT_WRITE : 0);
	struct stat st;
	void *p;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (!st.st_size)
		return 0;
	p = mmap(NULL, st.st_size, prot, MAP_PRIVATE, fd, 0);
	if (p == MAP_FAILED)
		return -errno;
	if (flags & UNWIND_FILE_SPARSE)
		madvise(p, st.st_size, MADV_RANDOM);
	file->data = p;
	file->size = file->mapped = st.st_size;
	return 0;
}

static void default_unmap(void *ctx __unused_arg, struct unwind_file *file)
{
	munmap((void *)(uintptr_t)file->data, file->mapped);
}

static void *no_alloc(void *ctx __unused_arg, size_t size __unused_arg)
{
	return NULL;
}

static void *no_resize(void *ctx __unused_arg, void *p __unused_arg, size_t size __unused_arg)
{
	return NULL;
}

static void no_free(void *ctx __unused_arg, void *p __unused_arg)
{
}

static const struct unwind_alloc no_memory = {
	.alloc = no_alloc, .zalloc = no_alloc, .resize = no_resize, .free = no_free,
};

const struct unwind_env unwind_env__none = { .alloc = &no_memory };

const struct unwind_files unwind_files__default = { .map = default_map, .unmap = default_unmap };
