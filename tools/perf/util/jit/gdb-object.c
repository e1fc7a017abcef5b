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

int jitdump_out__begin(const struct jitdump_out *out, u16 machine)
{
	const u32 head[] = {
		0x4a695444, 1, 40, machine, JITDUMP_OWN_PADDING, out->pid
	};
	const u64 rest[] = { out->time, 0 };
	int err = write_all(out->fd, head, sizeof(head), NULL);

	return err ?: write_all(out->fd, rest, sizeof(rest), NULL);
}

static void put_prefix(jit_elf_bytes *b, const struct jitdump_out *out, u32 type, size_t size)
{
	const u32 head[] = { type, size + 16 };

	jit_elf__put(b, head, sizeof(head));
	jit_elf__put(b, &out->time, sizeof(out->time));
}

static void put_unwinding(jit_elf_bytes *b, const struct jitdump_out *out,
			  const jit_elf_bytes *frames)
{
	const u64 sizes[] = { frames->nr, 0, frames->nr };

	if (!frames->nr)
		return;
	put_prefix(b, out, JITDUMP_UNWINDING, sizeof(sizes) + frames->nr);
	jit_elf__put(b, sizes, sizeof(sizes));
	jit_elf__put(b, frames->v, frames->nr);
}

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

static void put_lines(jit_elf_bytes *b, struct object *o, u64 addr, u64 size)
{
	jit_elf_bytes lines = {};
	const u64 head[] = { addr, find_lines(o, addr, size, &lines) };

	if (head[1]) {
		put_prefix(b, o->out, JITDUMP_DEBUG_INFO, sizeof(head) + lines.nr);
		jit_elf__put(b, head, sizeof(head));
		jit_elf__put(b, lines.v, lines.nr);
	}
	vec__free(&lines);
}

static void put_load(jit_elf_bytes *b, struct jitdump_out *out, const char *name, u64 addr,
		     const u8 *code, u64 size)
{
	const u32 ids[] = { out->pid, out->pid };
	const u64 where[] = { addr, addr, size, out->number++ };
	size_t len = strnlen(name, JITDUMP_NAME_MAX - 1);

	put_prefix(b, out, JITDUMP_LOAD, sizeof(ids) + sizeof(where) + len + 1 + size);
	jit_elf__put(b, ids, sizeof(ids));
	jit_elf__put(b, where, sizeof(where));
	jit_elf__put(b, name, len);
	*vec__push(b) = 0;
	jit_elf__put(b, code, size);
}

int jitdump_out__gone(const struct jitdump_out *out, u64 number, u64 nr)
{
	const u32 ids[] = { out->pid, out->pid };
	jit_elf_bytes b = {};
	int err;

	for (u64 i = number; i < number + nr; i++) {
		const u64 where[] = { 0, 0, 0, 0, i }; /* its new address is none */

		put_prefix(&b, out, JITDUMP_MOVE, sizeof(ids) + sizeof(where));
		jit_elf__put(&b, ids, sizeof(ids));
		jit_elf__put(&b, where, sizeof(where));
	}
	err = write_all(out->fd, b.v, b.nr, NULL);
	vec__free(&b);
	return err;
}

/* In one piece, so that a reader sees all of it. */
static int object__function(struct object *o, const char *name, u64 addr, u64 size)
{
	jit_elf_bytes frames = {}, b = {};
	u8 *code = xmalloc(size);
	int err = 0;

	if (o->memory->read(o->memory->ctx, addr, code, size)) {
		jit_frames__function(&o->frames, addr, size, &frames);
		put_lines(&b, o, addr, size);
		put_unwinding(&b, o->out, &frames);
		put_load(&b, o->out, name, addr, code, size);
		err = write_all(o->out->fd, b.v, b.nr, NULL);
	}
	vec__free(&frames);
	vec__free(&b);
	free(code);
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
