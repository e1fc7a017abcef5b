// SPDX-License-Identifier: GPL-2.0-only
#include "jit-elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "../base/hash.h"
#include "../base/mem.h"
#include "jit-lines.h"

enum section {
	NO_SECTION, TEXT, EH_FRAME, EH_FRAME_HDR, SYMTAB, STRTAB, SHSTRTAB, NOTE, DEBUG_LINE,
	DEBUG_INFO, DEBUG_ABBREV, NR_SECTIONS
};

#define NR_SEGMENTS 2

struct jit_elf_writer {
	const struct jit_elf *in;
	jit_elf_bytes *out;
	Elf64_Shdr sections[NR_SECTIONS];
	u64 loaded; /* bytes of the segment */
};

static void put_until(jit_elf_bytes *out, size_t at)
{
	size_t had = out->nr;

	vec__reserve(out, at);
	memset(out->v + had, 0, at - had);
	out->nr = at;
}

/* Adds the bytes of a section, which begins at a multiple of @align. */
static void writer__section(struct jit_elf_writer *w, enum section nr, u32 type, u64 flags,
			    const void *data, size_t size, size_t align)
{
	put_until(w->out, (w->out->nr + align - 1) / align * align);
	w->sections[nr] = (Elf64_Shdr){
		.sh_type = type, .sh_flags = flags, .sh_offset = w->out->nr, .sh_size = size,
		.sh_addr = flags & SHF_ALLOC ? w->in->base + w->out->nr : 0, .sh_addralign = align,
	};
	jit_elf__put(w->out, data, size);
}

/*
 * The unwind information says where its code is relative to itself, and counts on being put at the
 * next multiple of 8 behind the code.
 */
static void writer__loaded(struct jit_elf_writer *w)
{
	const struct jit_elf *in = w->in;
	u64 frame = in->unwinding_size - in->hdr_size;

	put_until(w->out, JIT_ELF_TEXT);
	writer__section(w, TEXT, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, in->code, in->code_size,
			16);
	if (frame)
		writer__section(w, EH_FRAME, SHT_PROGBITS, SHF_ALLOC, in->unwinding, frame, 8);
	if (frame && in->hdr_size)
		writer__section(w, EH_FRAME_HDR, SHT_PROGBITS, SHF_ALLOC, in->unwinding + frame,
				in->hdr_size, 1);
	w->loaded = w->out->nr;
}

static void writer__symbols(struct jit_elf_writer *w)
{
	const struct jit_elf_symbol whole = { w->in->name, JIT_ELF_TEXT, w->in->code_size };
	const struct jit_elf_symbol *symbols = w->in->symbols ?: &whole;
	size_t nr = w->in->symbols ? w->in->nr_symbols : 1;
	Elf64_Sym *table = xcalloc(nr + 1, sizeof(*table));
	jit_elf_bytes names = {};

	jit_elf__put(&names, "", 1);
	for (size_t i = 0; i < nr; i++) {
		table[i + 1] = (Elf64_Sym){
			.st_name = names.nr, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
			.st_shndx = TEXT, .st_value = w->in->base + symbols[i].at,
			.st_size = symbols[i].size,
		};
		jit_elf__put(&names, symbols[i].name, strlen(symbols[i].name) + 1);
	}
	writer__section(w, SYMTAB, SHT_SYMTAB, 0, table, (nr + 1) * sizeof(*table), 8);
	w->sections[SYMTAB].sh_link = STRTAB;
	w->sections[SYMTAB].sh_info = 1;
	w->sections[SYMTAB].sh_entsize = sizeof(*table);
	writer__section(w, STRTAB, SHT_STRTAB, 0, names.v, names.nr, 1);
	vec__free(&names);
	free(table);
}

/* The given build-id, or one that depends on all that is in the file. */
static void writer__note(struct jit_elf_writer *w)
{
	struct {
		Elf64_Nhdr head;
		char owner[4];
		u64 id[2];
	} note = { { sizeof(note.owner), sizeof(note.id), NT_GNU_BUILD_ID }, ELF_NOTE_GNU, {} };

	note.id[0] = hash_bytes(w->out->v, w->out->nr);
	note.id[1] = hash_u64(note.id[0] ^ w->in->addr);
	if (w->in->build_id)
		memcpy(note.id, w->in->build_id, sizeof(note.id));
	writer__section(w, NOTE, SHT_NOTE, 0, &note, sizeof(note), 4);
}

static void writer__lines(struct jit_elf_writer *w)
{
	jit_elf_bytes b = {};

	if (!w->in->nr_lines)
		return;
	jit_lines__debug_line(&b, w->in);
	writer__section(w, DEBUG_LINE, SHT_PROGBITS, 0, b.v, b.nr, 1);
	b.nr = 0;
	jit_lines__debug_info(&b, w->in);
	writer__section(w, DEBUG_INFO, SHT_PROGBITS, 0, b.v, b.nr, 1);
	b.nr = 0;
	jit_lines__debug_abbrev(&b);
	writer__section(w, DEBUG_ABBREV, SHT_PROGBITS, 0, b.v, b.nr, 1);
	vec__free(&b);
}

static void writer__section_headers(struct jit_elf_writer *w)
{
	static const char *const names[NR_SECTIONS] = {
		"", ".text", ".eh_frame", ".eh_frame_hdr", ".symtab", ".strtab", ".shstrtab",
		".note.gnu.build-id", ".debug_line", ".debug_info", ".debug_abbrev",
	};
	jit_elf_bytes b = {};
	u32 at[NR_SECTIONS];

	for (int i = 0; i < NR_SECTIONS; i++) {
		at[i] = b.nr;
		jit_elf__put(&b, names[i], strlen(names[i]) + 1);
	}
	writer__section(w, SHSTRTAB, SHT_STRTAB, 0, b.v, b.nr, 1);
	for (int i = 0; i < NR_SECTIONS; i++)
		w->sections[i].sh_name = at[i];
	vec__free(&b);
	put_until(w->out, (w->out->nr + 7) / 8 * 8);
}

static void writer__headers(struct jit_elf_writer *w, u64 sections_at)
{
	const Elf64_Shdr *hdr = &w->sections[EH_FRAME_HDR];
	Elf64_Ehdr ehdr = {
		.e_ident = {
			ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB,
			EV_CURRENT,
		},
		.e_type = ET_DYN, .e_machine = w->in->machine, .e_version = EV_CURRENT,
		.e_phoff = sizeof(ehdr), .e_shoff = sections_at,
		.e_ehsize = sizeof(ehdr), .e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = NR_SEGMENTS - !hdr->sh_size, .e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = NR_SECTIONS, .e_shstrndx = SHSTRTAB,
	};
	const Elf64_Phdr segments[NR_SEGMENTS] = {
		{
			.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = w->in->base,
			.p_paddr = w->in->base, .p_filesz = w->loaded, .p_memsz = w->loaded,
			.p_align = 0x1000,
		},
		{
			.p_type = PT_GNU_EH_FRAME, .p_flags = PF_R, .p_offset = hdr->sh_offset,
			.p_vaddr = hdr->sh_addr, .p_paddr = hdr->sh_addr,
			.p_filesz = hdr->sh_size, .p_memsz = hdr->sh_size, .p_align = 4,
		},
	};

	_Static_assert(sizeof(ehdr) + sizeof(segments) <= JIT_ELF_TEXT, "headers fit");
	memcpy(w->out->v, &ehdr, sizeof(ehdr));
	memcpy(w->out->v + sizeof(ehdr), segments, sizeof(segments));
}

void jit_elf__write(jit_elf_bytes *out, const struct jit_elf *in)
{
	struct jit_elf_writer w = { .in = in, .out = out };
	u64 at;

	writer__loaded(&w);
	writer__symbols(&w);
	writer__lines(&w);
	writer__note(&w);
	writer__section_headers(&w);
	at = out->nr;
	for (int i = 0; i < NR_SECTIONS; i++)
		if (!w.sections[i].sh_type)
			w.sections[i] = (Elf64_Shdr){};
	jit_elf__put(out, w.sections, sizeof(w.sections));
	writer__headers(&w, at);
}

u16 jit_elf__native_machine(void)
{
#if defined(__x86_64__)
	return EM_X86_64;
#elif defined(__aarch64__)
	return EM_AARCH64;
#elif defined(__s390x__)
	return EM_S390;
#else
	return EM_NONE;
#endif
}
