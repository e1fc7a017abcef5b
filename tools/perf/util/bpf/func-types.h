/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The types of a program's functions, which the kernel wants to know of those that helpers call
 * (BTF: Documentation/bpf/btf.rst of Linux). All of ours are alike: main(ctx), and each function
 * is called with a number and a pointer.
 */
#ifndef PERF_BPF_FUNC_TYPES_H
#define PERF_BPF_FUNC_TYPES_H

#include "assembler.h"

#define FUNC_TYPES_WORDS 25
#define FUNC_TYPES_STRINGS 24

struct func_types {
	struct {
		u16 magic;
		u8 version, flags;
		u32 hdr_len, type_off, type_len, str_off, str_len;
		u32 types[FUNC_TYPES_WORDS];
		char strings[FUNC_TYPES_STRINGS];
	} btf; /* for BPF_BTF_LOAD */
	VEC(struct bpf_func_info) functions; /* where each begins, and its type */
};

/* Makes them for the functions of @a. @t: for func_types__free() */
void func_types__make(struct func_types *t, const struct bpf_asm *a);

/* Frees what is in @t. */
void func_types__free(struct func_types *t);

#endif
