/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions and lines from the DWARF of an ELF file. */
#ifndef PERF_TESTS_FUZZ_DWARF_FILE_H
#define PERF_TESTS_FUZZ_DWARF_FILE_H

#include <string.h>

#include "../../util/dwarf/dwarf.h"
#include "../../util/io/mapfile.h"
#include "input.h"

#define FUZZ_LOOK_UPS 64

static inline void check_place(const struct dwarf_place *place)
{
	size_t len = strlen(place->file ?: "");
	u32 nr = 0;

	for (const struct dwarf_call *call = place->call; call; call = call->into, nr++) {
		FUZZ_TRUE(call->depth == place->call->depth - nr);
		len += strlen(call->name ?: "") + strlen(call->file ?: "");
	}
	FUZZ_TRUE(nr <= DWARF_DEPTH_MAX && len < SIZE_MAX);
}

static inline bool touch_split(void *ctx, u64 id, const char *comp_dir, const char *name)
{
	*(u32 *)ctx += (u32)id + strlen(comp_dir ?: "") + strlen(name);
	return true;
}

static inline void look_up(const struct elf_image *img, struct dwarf *d)
{
	struct dwarf_place place;
	u32 sum = 0;

	for (size_t i = 0; i < img->loads.nr && i <= 4; i++) {
		const struct elf_load *l = &img->loads.v[i];

		for (u64 n = 0; n < FUZZ_LOOK_UPS; n++)
			if (dwarf__find(d, l->vaddr + l->filesz / FUZZ_LOOK_UPS * n, &place))
				check_place(&place);
		FUZZ_TRUE(strlen(dwarf__producer(d, l->vaddr) ?: "") < SIZE_MAX);
	}
	dwarf__each_split(d, touch_split, &sum);
}

/* The input is also the file that dwz(1) made, and the one with split units. */
static inline int open_input(void *ctx, struct elf_image *img)
{
	return elf_image__open(img, *(const int *)ctx);
}

static inline int open_split(void *ctx, u64 id, const char *comp_dir, const char *name,
		      struct elf_image *img)
{
	FUZZ_TRUE(strlen(comp_dir ?: "") + strlen(name) < SIZE_MAX);
	return open_input(ctx, img);
}

/* Looks up addresses all over the code of a file, which is also its own split and dwz's. */
static inline void fuzz__read_dwarf(const u8 *data, size_t size)
{
	struct budget memory = { .left = 64 << 20 };
	struct dwarf_limits limits = { .memory = &memory, .work.left = 16 << 20 };
	struct elf_image img;
	int fd = fuzz__fd(data, size);
	struct dwarf_files files = {
		.open_split = open_split, .open_package = open_input, .ctx = &fd,
	};
	struct dwarf *d;

	if (fd < 0)
		return;
	mapfile__init();
	if (!elf_image__open(&img, fd)) {
		d = dwarf__new(&img, &img, &files, &limits);
		if (d)
			look_up(&img, d);
		dwarf__free(d);
		FUZZ_TRUE(memory.left == 64 << 20);
	}
	elf_image__close(&img);
	close(fd);
}

#endif
