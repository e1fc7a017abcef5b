/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an ELF file says of thread-local variables: which of those that are looked for it defines,
 * and where ld.so puts what is known at run time only. x86-64; the System V ABI's supplement for
 * it and "ELF Handling For Thread-Local Storage" (Drepper) name the relocations.
 */
#ifndef PERF_TLS_TLS_FILE_H
#define PERF_TLS_TLS_FILE_H

#include "../../../lib/unwind/core/budget.h"
#include "../elf/elf-file.h"

#define TLS_WANTED_MAX 4
#define TLS_RELOCS_MAX 8

/* A variable that is looked for. */
struct tls_wanted {
	const char *symbol;
	u32 kind; /* enum activity_kind: what it holds */
	u32 size; /* bytes that are read, of ACTIVITY_VALUE; 0: as many as the symbol has */
};

/* Where ld.so leaves a number when it has bound the variable. */
struct tls_reloc {
	u32 type;   /* R_X86_64_TPOFF64, _DTPMOD64, _TLSDESC */
	u64 offset; /* as the file was linked */
	s64 addend; /* in bytes from the variable */
};

struct tls_symbol {
	bool defined;
	u64 value, size; /* of the symbol, within the segment of thread-local storage */
	u32 nr_relocs;
	struct tls_reloc relocs[TLS_RELOCS_MAX];
};

struct tls_file {
	bool known;     /* it is an ELF file of x86-64 with loaded segments */
	bool program;   /* it is no shared library */
	u64 page_offset, page_vaddr;    /* of the first segment, where its page begins */
	u64 tls_vaddr, tls_size, tls_align; /* the segment of thread-local storage; size 0: none */
	struct tls_symbol symbols[TLS_WANTED_MAX];
};

/*
 * @fd: the file
 * @wanted, @nr: what is looked for, at most TLS_WANTED_MAX
 * @bytes: that may be read; what is not read is not found
 * @out: filled in any case
 */
void tls_file__read(struct tls_file *out, int fd, const struct tls_wanted *wanted, u32 nr,
		    struct budget *bytes);

/* Returns: whether it mentions one of the variables. */
bool tls_file__mentions_any(const struct tls_file *f);

/*
 * Returns: of a program: how far behind the thread pointer (in front of it, if negative) the
 *          variable is, which follows from the file alone.
 */
s64 tls_file__program_offset(const struct tls_file *f, const struct tls_symbol *s);

#endif
