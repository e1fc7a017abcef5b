// SPDX-License-Identifier: GPL-2.0-only
#include "gdb-object.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../dwarf/dwarf.h"
#include "../elf/elf-file.h"
#include "../io/write-all.h"
#include "jit-frames.h"

#define MAX_FUNCTION (16u << 20)  /* bytes of code */
#define MAX_FRAMES (16u << 20)
#define MAX_FUNCTIONS 65536       /* of one object */
#define MAX_LINED (1u << 20)      /* bytes of an object's code of which lines are looked up */
#define LINES_WORK (16ull << 20)  /* bytes of debug information that may be read for that */

struct object {
	struct elf_image image;
	const struct jit_memory *memory;
	struct jitdump_out *out;
	struct jit_frames frames;
	u8 *frames_copy;
	struct elf_image no_image;
	struct dwarf_limits limits;
	struct dwarf *dwarf;      /* NULL: it has no debug information */
	u64 left;                 /* of MAX_LINED */
};

static void put_line(jit_elf_bytes *b, u64 addr, const struct dwarf_place *p)
{
	const u32 line[] = { p->line, 0 };
	size_t len = strnlen(p->file, JITDUMP_NAME_MAX - 1);

	jit_elf__put(b, &addr, sizeof(addr));
	jit_elf__put(b, line, sizeof(line));
	jit_elf__put(b, p->file, len);
	*vec__push(b) = 0;
}

/* One line for each address where another one begins. Returns their number. */
static u64 find_lines(struct object *o, u64 addr, u64 size, jit_elf_bytes *b)
{
	struct dwarf_place place, last = {};
	u64 nr = 0;

	if (!o->dwarf || size > o->left)
		return 0;
	o->left -= size;
	for (u64 i = 0; i < size && !o->limits.spent; i++) {
		if (!dwarf__find(o->dwarf, addr + i, &place) || !place.file || !place.line ||
		    (place.file == last.file && place.line == last.line))
			continue;
		put_line(b, addr + i, &place);
		last = place;
		nr++;
	}
	return nr;
}

static int object__function(struct object *o, const char *name, u64 addr, u64 size)
{
	struct jitdump_code code = { .name = name, .addr = addr, .size = size };
	u8 *bytes = xmalloc(size);
	int err = 0;

	code.code = bytes;
	if (o->memory->read(o->memory->ctx, addr, bytes, size)) {
		jit_frames__function(&o->frames, addr, size, &code.unwinding);
		code.nr_lines = find_lines(o, addr, size, &code.lines);
		err = jitdump_out__code(o->out, &code);
	}
	vec__free(&code.unwinding);
	vec__free(&code.lines);
	free(bytes);
	return err;
}

/* The address of a section, and of what is in it: sections have the addresses of the process. */
static bool object__address(const struct object *o, const GElf_Sym *sym, u64 *addr)
{
	GElf_Shdr shdr;
	Elf_Scn *scn;

	*addr = sym->st_value;
	if (o->image.ehdr.e_type != ET_REL)
		return true;
	scn = elf_getscn(o->image.elf, sym->st_shndx);
	if (!scn || !gelf_getshdr(scn, &shdr) || !(shdr.sh_flags & SHF_EXECINSTR))
		return false;
	return shdr.sh_addr && !__builtin_add_overflow(*addr, shdr.sh_addr, addr);
}

static int object__symbol(struct object *o, struct bytes names, const GElf_Sym *sym)
{
	const char *name = strings__at(names, sym->st_name);
	u64 addr;

	if (GELF_ST_TYPE(sym->st_info) != STT_FUNC || sym->st_shndx == SHN_UNDEF || !name ||
	    !sym->st_size || sym->st_size > MAX_FUNCTION || !object__address(o, sym, &addr))
		return 0;
	return object__function(o, name, addr, sym->st_size);
}

static int object__symbols(struct object *o)
{
	struct bytes names;
	GElf_Shdr shdr;
	Elf_Scn *scn = elf_image__section(&o->image, NULL, SHT_SYMTAB, &shdr);
	Elf_Data *data = scn && shdr.sh_entsize ? elf_getdata(scn, NULL) : NULL;
	int err = 0;

	if (!data)
		return 0;
	names = elf_image__strings(&o->image, shdr.sh_link);
	for (size_t i = 1; !err && i < data->d_size / shdr.sh_entsize && i < MAX_FUNCTIONS; i++) {
		GElf_Sym sym;

		if (gelf_getsym(data, i, &sym))
			err = object__symbol(o, names, &sym);
	}
	return err;
}

/* What was loaded is relocated; what was not stands for itself. */
static void object__find_frames(struct object *o)
{
	GElf_Shdr shdr;
	struct bytes b;

	if (elf_image__section(&o->image, ".text", 0, &shdr))
		o->frames.text = shdr.sh_addr;
	if (!elf_image__section(&o->image, ".eh_frame", 0, &shdr) || shdr.sh_size > MAX_FRAMES)
		return;
	if (!shdr.sh_addr) {
		b = elf_image__bytes(&o->image, &shdr);
		o->frames.data = b.data;
		o->frames.size = b.len;
		return;
	}
	o->frames_copy = xmalloc(shdr.sh_size + 1);
	o->frames.addr = shdr.sh_addr;
	if (!o->memory->read(o->memory->ctx, shdr.sh_addr, o->frames_copy, shdr.sh_size))
		return;
	o->frames.data = o->frames_copy;
	o->frames.size = shdr.sh_size;
}

int gdb_object__write(const void *data, size_t size, const struct jit_memory *memory,
		      struct jitdump_out *out)
{
	struct object o = { .memory = memory, .out = out };
	int fd = memfd_create("object", MFD_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = write_all(fd, data, size, NULL);
	if (!err)
		err = elf_image__open(&o.image, fd);
	if (!err && elf_image__is_swapped(&o.image))
		err = -ENOEXEC;
	if (!err) {
		object__find_frames(&o);
		o.left = MAX_LINED;
		o.limits.work.left = LINES_WORK;
		o.dwarf = dwarf__new(&o.image, &o.no_image, &(struct dwarf_files){}, &o.limits);
		err = object__symbols(&o);
	}
	dwarf__free(o.dwarf);
	free(o.frames_copy);
	elf_image__close(&o.image);
	close(fd);
	return err;
}
