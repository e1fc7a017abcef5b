// SPDX-License-Identifier: GPL-2.0-only
#include <elfutils/libdw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/hash.h"
#include "../io/side-process.h"
#include "../base/vec.h"
#include "srcline.h"

#define MAX_RANGES (1 << 22) /* 100 MB; hostile units could all refer to the same long list */

#define MAX_NESTING 16
/* DWARF becomes some 5 times as short when it is compressed, and no file as a whole 64 times. */
#define MAX_RATIO 64
#define PROCESS_MEMORY (1ull << 30) /* of libdw, beyond what is unpacked */

/* Addresses of one compilation unit. */
struct unit_range {
	u64 start, end;
	Dwarf_Off cu; /* of the unit's entry */
};

enum { EMPTY_NAMES = 24, EMPTY_LINES = 8 };

struct empty_file {
	Elf64_Ehdr ehdr;
	Elf64_Shdr sections[3];
	char names[EMPTY_NAMES];
	u8 lines[EMPTY_LINES];
};

struct line_request {
	u64 addr;
};

struct line_answer {
	char text[PATH_MAX]; /* "": there is no line */
};

/*
 * In another process, libdw is begun there, so that this one unpacks nothing: most of what follows
 * is filled there only.
 */
struct srclines {
	const struct elf_image *img, *image_alt;
	struct srclines_limits *limits;
	struct sandbox_limits sandbox;
	struct side_process *process; /* NULL: none was needed yet, or it was given up */
	bool begun, given_up;
	Dwarf *dwarf; /* NULL: no lines */
	Dwarf *alt;   /* of the file that .gnu_debugaltlink names; NULL only when .dwarf is */
	struct empty_file empty;
	Elf *empty_elf; /* of .empty, when .alt is; or NULL */
	u64 taken;      /* of the memory */
	bool lack_memory;
	bool indexed;
	VEC(struct unit_range) ranges; /* by start */
	struct map64 known;            /* address -> the answer; "" for none */
};

bool srclines__are_in(const struct elf_image *img)
{
	GElf_Shdr shdr;

	return elf_image__section(img, ".debug_line", 0, &shdr) ||
	       elf_image__section(img, ".zdebug_line", 0, &shdr);
}

/* An ELF file that libdw accepts as debug information, but which has none. */
static void empty_file__init(struct empty_file *f)
{
	static const struct empty_file made = {
		.ehdr = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
				     __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB :
									      ELFDATA2LSB,
				     EV_CURRENT },
			.e_type = ET_DYN, .e_version = EV_CURRENT,
			.e_ehsize = sizeof(Elf64_Ehdr), .e_shentsize = sizeof(Elf64_Shdr),
			.e_shoff = offsetof(struct empty_file, sections),
			.e_shnum = 3, .e_shstrndx = 1,
		},
		.sections = {
			[1] = { .sh_name = 1, .sh_type = SHT_STRTAB,
				.sh_offset = offsetof(struct empty_file, names),
				.sh_size = EMPTY_NAMES, .sh_addralign = 1 },
			[2] = { .sh_name = 11, .sh_type = SHT_PROGBITS,
				.sh_offset = offsetof(struct empty_file, lines),
				.sh_size = EMPTY_LINES, .sh_addralign = 1 },
		},
		.names = "\0.shstrtab\0.debug_line",
	};

	*f = made;
}

/*
 * libdw itself would open the file that .gnu_debugaltlink names, even a FIFO, as soon as something
 * refers to it, unless it was given another file.
 */
static void srclines__set_alt(struct srclines *s)
{
	if (s->image_alt->elf)
		s->alt = dwarf_begin_elf(s->image_alt->elf, DWARF_C_READ, NULL);
	if (!s->alt) {
		empty_file__init(&s->empty);
		s->empty_elf = elf_memory((char *)&s->empty, sizeof(s->empty));
		s->alt = dwarf_begin_elf(s->empty_elf, DWARF_C_READ, NULL);
	}
	if (s->alt) {
		dwarf_setalt(s->dwarf, s->alt);
	} else {
		dwarf_end(s->dwarf);
		s->dwarf = NULL;
	}
}

static void srclines__take(struct srclines *s, const struct elf_image *img)
{
	u64 size = elf_image__unpacked_size(img);

	if (s->lack_memory || !budget__take(s->limits->memory, size)) {
		s->lack_memory = true;
		return;
	}
	s->taken += size;
	if (size / MAX_RATIO > img->file.size)
		s->given_up = s->limits->spent = true;
}

struct srclines *srclines__new(const struct elf_image *img, const struct elf_image *alt,
			       struct srclines_limits *limits)
{
	struct srclines *s = xzalloc(sizeof(*s));

	s->img = img;
	s->image_alt = alt;
	s->limits = limits;
	if (!img->elf || !srclines__are_in(img)) {
		s->given_up = true;
		return s;
	}
	srclines__take(s, img);
	srclines__take(s, alt);
	return s;
}

bool srclines__lack_memory(const struct srclines *s)
{
	return s->lack_memory;
}

void srclines__free(struct srclines *s)
{
	if (!s)
		return;
	side_process__free(s->process);
	dwarf_end(s->dwarf);
	dwarf_end(s->alt);
	elf_end(s->empty_elf);
	budget__give_back(s->limits->memory, s->taken);
	vec__free(&s->ranges);
	map64__free(&s->known);
	free(s);
}

static int by_start(const void *va, const void *vb)
{
	const struct unit_range *a = va, *b = vb;

	return compare_of(a->start, b->start);
}

/* .debug_aranges would be faster to read, but not every compiler writes it. */
static void srclines__index(struct srclines *s)
{
	Dwarf_Off off = 0, next;
	Dwarf_Addr base, start, end;
	ptrdiff_t at;
	size_t head;
	Dwarf_Die mem, *die;

	s->indexed = true;
	for (; s->ranges.nr < MAX_RANGES &&
	       !dwarf_nextcu(s->dwarf, off, &next, &head, NULL, NULL, NULL) && next > off;
	     off = next) {
		die = dwarf_offdie(s->dwarf, off + head, &mem);
		if (!die)
			continue;
		for (at = 0; s->ranges.nr < MAX_RANGES &&
			     (at = dwarf_ranges(die, at, &base, &start, &end)) > 0;)
			if (end > start)
				*vec__push(&s->ranges) = (struct unit_range){
					.start = start, .end = end, .cu = off + head,
				};
	}
	if (s->ranges.nr)
		qsort(s->ranges.v, s->ranges.nr, sizeof(*s->ranges.v), by_start);
}

/* False: it has none. */
static bool line_text(Dwarf_Die *cu, u64 addr, struct line_answer *a)
{
	Dwarf_Line *line = dwarf_getsrc_die(cu, addr);
	const char *file = line ? dwarf_linesrc(line, NULL, NULL) : NULL, *slash;
	int nr;

	if (!file || dwarf_lineno(line, &nr))
		return false;
	slash = strrchr(file, '/');
	snprintf(a->text, sizeof(a->text), "%s:%d", slash ? slash + 1 : file, nr);
	return true;
}

static bool srclines__look_up(struct srclines *s, u64 addr, struct line_answer *a)
{
	size_t lo = 0, hi = s->ranges.nr;
	Dwarf_Die mem, *cu;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->ranges.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Ranges of units may be nested, which is rare. */
	for (int n = 0; lo && addr >= s->ranges.v[lo - 1].end; lo--)
		if (++n == MAX_NESTING)
			return false;
	if (!lo)
		return false;
	cu = dwarf_offdie(s->dwarf, s->ranges.v[lo - 1].cu, &mem);
	return cu && line_text(cu, addr, a);
}

static void srclines__begin(struct srclines *s)
{
	s->begun = true;
	s->dwarf = dwarf_begin_elf(s->img->elf, DWARF_C_READ, NULL);
	if (s->dwarf)
		srclines__set_alt(s);
	if (s->dwarf)
		srclines__index(s);
}

/* Here, or in the process that is asked. */
static bool srclines__read(struct srclines *s, u64 addr, struct line_answer *a)
{
	if (!s->begun)
		srclines__begin(s);
	return s->dwarf && srclines__look_up(s, addr, a);
}

static int serve_line(void *ctx, const void *request, void *answer)
{
	const struct line_request *r = request;

	srclines__read(ctx, r->addr, answer);
	return -1;
}

static void srclines__start(struct srclines *s)
{
	s->sandbox.memory = s->taken + PROCESS_MEMORY;
	s->process = side_process__new(&(struct side_process_opts){
		.serve = serve_line, .ctx = s, .sandbox = &s->sandbox,
		.limit_ms = SRCLINES_CPU_MS, .cpu_ms = SRCLINES_CPU_MS,
		.request_size = sizeof(struct line_request),
		.answer_size = sizeof(struct line_answer),
	});
}

static void srclines__give_up(struct srclines *s)
{
	s->given_up = s->limits->spent = true;
	side_process__free(s->process);
	s->process = NULL;
}

/* By a process of its own for each file, for as long as that answers and all have time left. */
static bool srclines__ask(struct srclines *s, u64 addr, struct line_answer *a)
{
	struct budget *cpu = &s->limits->cpu_ms;
	struct line_request r = { .addr = addr };
	u64 took_ms;
	int fd, ret;

	if (!cpu->left) {
		srclines__give_up(s);
		return false;
	}
	if (!s->process)
		srclines__start(s);
	ret = side_process__ask(s->process, &r, a, &fd);
	took_ms = side_process__cpu_ns(s->process) / NSEC_PER_MSEC;
	budget__take(cpu, min_of(took_ms, cpu->left));
	if (ret)
		srclines__give_up(s);
	return !ret && a->text[0];
}

static bool srclines__answer(struct srclines *s, u64 addr, struct line_answer *a)
{
	if (s->given_up || s->lack_memory)
		return false;
	return s->limits->apart ? srclines__ask(s, addr, a) : srclines__read(s, addr, a);
}

const char *srclines__find(struct srclines *s, u64 addr, struct arena *arena)
{
	const char *text = map64__get(&s->known, addr);
	struct line_answer a;

	if (!text) {
		text = srclines__answer(s, addr, &a) ? arena__intern(arena, a.text) : "";
		map64__set(&s->known, addr, (void *)(uintptr_t)text);
	}
	return text[0] ? text : NULL;
}
