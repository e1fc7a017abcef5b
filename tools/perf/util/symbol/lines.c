// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "lines.h"

struct lines {
	struct binaries *binaries;
	const struct dso *dso;
	const struct elf_image *image;
	struct dwarf_limits *limits;
	struct dwarf_file file;     /* with the debug information; its descriptor is closed again */
	struct elf_image debug;     /* its contents */
	struct elf_image alt;
	struct dwarf *dwarf;        /* NULL: there is no debug information */
	bool opened;
};

struct lines *lines__new(struct binaries *b, const struct dso *dso, const struct elf_image *img,
			 struct dwarf_limits *limits)
{
	struct lines *l = xzalloc(sizeof(*l));

	l->binaries = b;
	l->dso = dso;
	l->image = img;
	l->limits = limits;
	return l;
}

void lines__free(struct lines *l)
{
	if (!l)
		return;
	dwarf__free(l->dwarf);
	elf_image__close(&l->alt);
	elf_image__close(&l->debug);
	free(l);
}

/* Opens the contents of a file that was found, or not. */
static int open_image(int err, struct dwarf_file *f, struct elf_image *img)
{
	err = err ?: elf_image__open(img, f->fd);
	dwarf_file__close(f);
	return err;
}

static int open_split(void *ctx, const char *comp_dir, const char *name, struct elf_image *img)
{
	struct lines *l = ctx;
	struct dwarf_file f;
	int err = dwarf_file__open_split(l->binaries, l->dso, comp_dir, name, &f);

	return open_image(err, &f, img);
}

static int open_package(void *ctx, struct elf_image *img)
{
	struct lines *l = ctx;
	struct dwarf_file f;
	int err = dwarf_file__open_package(l->binaries, l->dso, &l->file, &f);

	return open_image(err, &f, img);
}

static void open_dwarf(struct lines *l)
{
	struct dwarf_files files = {
		.open_split = open_split, .open_package = open_package, .ctx = l,
	};
	struct dwarf_file alt;

	l->opened = true;
	if (!dwarf_file__open(l->binaries, l->dso, l->image, &l->file) &&
	    !elf_image__open(&l->debug, l->file.fd)) {
		open_image(dwarf_file__open_alt(l->binaries, &l->file, &l->debug, &alt), &alt,
			   &l->alt);
		l->dwarf = dwarf__new(&l->debug, &l->alt, &files, l->limits);
	}
	dwarf_file__close(&l->file);
}

u32 lines__find(struct lines *l, u64 addr, struct dwarf_frame out[DWARF_FRAMES_MAX])
{
	if (!l->opened)
		open_dwarf(l);
	return l->dwarf ? dwarf__find(l->dwarf, addr, out) : 0;
}
