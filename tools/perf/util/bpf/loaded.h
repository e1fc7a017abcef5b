/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel knows of the programs that are loaded, as recordings have it: the features
 * BPF_PROG_INFO and BPF_BTF, from which readers learn the source lines of the programs' code.
 */
#ifndef PERF_BPF_LOADED_H
#define PERF_BPF_LOADED_H

#include "../base/hash.h"
#include "../../../lib/unwind/core/types.h"
#include "../base/vec.h"

/*
 * Bits of the second u64 of a program in BPF_PROG_INFO: which arrays of its struct bpf_prog_info
 * are there. In place of pointers that has distances from the begin of the data behind it.
 */
enum bpf_array {
	BPF_ARRAY_CODE = 0,
	BPF_ARRAY_FUNCTIONS = 3,    /* u64 addresses */
	BPF_ARRAY_LENGTHS = 4,      /* u32, of the functions' code */
	BPF_ARRAY_TYPES = 5,        /* struct bpf_func_info */
	BPF_ARRAY_LINES = 6,        /* struct bpf_line_info */
	BPF_ARRAY_LINE_ADDRS = 7,   /* u64, of each line */
	BPF_ARRAY_TAGS = 8,         /* of each function, BPF_TAG_SIZE bytes */
};

typedef VEC(u8) bpf_bytes;

/* All zero but for .max: nothing was asked for. */
struct bpf_loaded {
	/* Empty, or a u32 number of programs; of each u32 sizes of its info and data; both */
	bpf_bytes programs;
	/* Empty, or a u32 number; of each u32 id, u32 size and the bytes of its BTF */
	bpf_bytes types;
	size_t max;                /* bytes of both at most: more programs are left out */
	struct map64 known;        /* ids of programs that were asked for */
	struct map64 known_types;  /* ids of those in .types */
};

/*
 * Asks for the programs that have source lines, and were not asked for before. It takes
 * CAP_SYS_ADMIN. @l: what is found is put behind what it has.
 */
void bpf_loaded__add_all(struct bpf_loaded *l);

/*
 * The same of one program, @id.
 * Returns: 0, also when it has no lines; -ENOENT: it is gone; another -errno.
 */
int bpf_loaded__add(struct bpf_loaded *l, u32 id);

/* Frees what it has; @l is empty then. */
void bpf_loaded__free(struct bpf_loaded *l);

#endif
