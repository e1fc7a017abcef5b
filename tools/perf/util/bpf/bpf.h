/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The system call bpf(2): maps and programs. Descriptors are close-on-exec and the caller's; what
 * the kernel holds behind them is gone when they are closed, also by kill -9: nothing is pinned.
 */
#ifndef PERF_BPF_BPF_H
#define PERF_BPF_BPF_H

#include "../base/error.h"
#include "assembler.h"

struct bpf_map_opts {
	u32 type;        /* BPF_MAP_TYPE_* */
	const char *name; /* at most 15 characters */
	u32 key_size, value_size, entries, flags;
	int inner;       /* of a map of maps: a map like those that it will have; else 0 */
};

/* Returns: the descriptor of a new map; or -errno with words that say what is missing. */
int bpf_map__create(const struct bpf_map_opts *opts, struct error *err);

/*
 * Sets @value for @key in the map @fd.
 * @flags: BPF_ANY, BPF_NOEXIST, BPF_EXIST
 * Returns: 0 or -errno.
 */
int bpf_map__set(int fd, const void *key, const void *value, u64 flags);

/* Reads the value of @key in the map @fd into @value. Returns 0 or -errno. */
int bpf_map__get(int fd, const void *key, void *value);

/* Removes @key from the map @fd. Returns 0 or -errno. */
int bpf_map__remove(int fd, const void *key);

/*
 * Maps the values of the map @fd, made with BPF_F_MMAPABLE. Each begins at a multiple of 8 bytes.
 * @size: bytes of all of them
 * Returns: them, for munmap(); NULL with words.
 */
void *bpf_map__map(int fd, size_t size, struct error *err);

/*
 * Loads a program that runs when events overflow. With -v the verifier's reason is printed when it
 * refuses.
 * @a: the program, finished
 * @name: at most 15 characters
 * Returns: the descriptor of the program; or -errno with words that say what is missing.
 */
int bpf_prog__load_perf_event(const struct bpf_asm *a, const char *name, struct error *err);

/*
 * Loads a program that runs when the kernel comes to a tracepoint, and lets it run.
 * @a, @name: as above
 * @tracepoint: its name, without that of its group
 * @link: out: a descriptor, with which that ends; -1 if there is none
 * Returns: the descriptor of the program; or -errno with words that say what is missing.
 */
int bpf_prog__load_tracepoint(const struct bpf_asm *a, const char *name, const char *tracepoint,
			      int *link, struct error *err);

/*
 * Loads a program that runs when a function of the kernel is called, and lets it run.
 * @a, @name: as above
 * @function: its number in the kernel's types
 * @link: out: as above
 * Returns: the descriptor of the program; or -errno with words that say what is missing.
 */
int bpf_prog__load_at_call(const struct bpf_asm *a, const char *name, u32 function, int *link,
			   struct error *err);

/*
 * The same of a program that runs when the function returns.
 * @a, @name, @function, @link: as above
 */
int bpf_prog__load_at_return(const struct bpf_asm *a, const char *name, u32 function, int *link,
			     struct error *err);

/*
 * Finds out what the program @fd has cost, as far as kernel.bpf_stats_enabled is set.
 * @runs, @ns: out
 * Returns: 0 or -errno.
 */
int bpf_prog__cost(int fd, u64 *runs, u64 *ns);

#endif
