/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where thread-local variables are in a running process, so that somebody else can read them at
 * the moment of a sample: behind the thread pointer, or by the thread's table of modules (DTV).
 *
 * What is read is the target's and may be anything; it is checked for being possible, and can only
 * make the target's own samples say something wrong.
 */
#ifndef PERF_TLS_TLS_PROCESS_H
#define PERF_TLS_TLS_PROCESS_H

#include "tls-file.h"

enum tls_where {
	TLS_NOWHERE,  /* the process has no such variable */
	TLS_NOT_YET,  /* it has, but ld.so has not bound it yet */
	TLS_STATIC,   /* .offset behind the thread pointer, the same in all threads */
	TLS_DYNAMIC,  /* .offset in the block of module .module of each thread's DTV */
};

struct tls_place {
	enum tls_where where;
	u32 wanted;  /* which of the variables: index */
	s64 offset;  /* bytes */
	u32 module;  /* 1: the program */
	u32 stride;  /* bytes of an entry of the DTV: 16 (glibc), 8 (musl) */
	u32 size;    /* of the symbol: bytes */
};

struct tls_processes;

/*
 * @wanted, @nr: the variables, by preference: of a process that has several the first is taken;
 *               borrowed
 * Returns: for tls_processes__free()
 */
struct tls_processes *tls_processes__new(const struct tls_wanted *wanted, u32 nr);

/* @t may be NULL. */
void tls_processes__free(struct tls_processes *t);

/*
 * Looks for the variables in the process @pid, by its mappings, their files and its memory.
 * @out: filled
 * Returns: 0; -errno when the process may not be looked at, or is gone.
 */
int tls_processes__find(struct tls_processes *t, u32 pid, struct tls_place *out);

/* Reads the memory of process @pid. Returns whether all @size bytes at @addr are in @to. */
bool tls_processes__read(struct tls_processes *t, u32 pid, u64 addr, void *to, size_t size);

#endif
