// SPDX-License-Identifier: GPL-2.0-only
/* Functions and lines from the DWARF of an ELF file, which is the input. */
#include <string.h>

#include "../../util/dwarf/dwarf.h"
#include "../../util/io/mapfile.h"
#include "input.h"

#define LOOK_UPS 64

static void check_frames(const struct dwarf_frame *f, u32 nr)
{
	size_t len = 0;

	FUZZ_TRUE(nr <= DWARF_FRAMES_MAX);
	for (u32 i = 0; i < nr; i++)
		len += strlen(f[i].name ?: "") + strlen(f[i].file ?: "") + strlen(f[i].dir ?: "");
	FUZZ_TRUE(len < SIZE_MAX);
}

static void look_up(const struct elf_image *img, struct dwarf *d)
{
	struct dwarf_frame frames[DWARF_FRAMES_MAX];

	for (size_t i = 0; i < img->loads.nr && i <= 4; i++) {
		const struct elf_load *l = &img->loads.v[i];

		for (u64 n = 0; n < LOOK_UPS; n++)
			check_frames(frames, dwarf__find(d, l->vaddr + l->filesz / LOOK_UPS * n,
							 frames));
	}
}

/* The input is also the file that dwz(1) made, and the one with split units. */
static int open_input(void *ctx, struct elf_image *img)
{
	return elf_image__open(img, *(const int *)ctx);
}

static int open_split(void *ctx, const char *comp_dir, const char *name, struct elf_image *img)
{
	FUZZ_TRUE(strlen(comp_dir ?: "") + strlen(name) < SIZE_MAX);
	return open_input(ctx, img);
}

FUZZ_TARGET(lines, "DWARF's functions and lines")
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
