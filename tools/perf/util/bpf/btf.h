/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the members of the kernel's structs are, by its own type information (BTF:
 * Documentation/bpf/btf.rst of Linux). Offsets differ between kernels, and a BPF program that reads
 * the kernel's memory has to know them.
 */
#ifndef PERF_BPF_BTF_H
#define PERF_BPF_BTF_H

#include "../../../lib/unwind/core/bytes.h"
#include "../base/error.h"

struct btf;

/*
 * Reads the types of the running kernel, /sys/kernel/btf/vmlinux.
 * @out: for btf__free()
 * Returns: 0, or -errno with words.
 */
int btf__of_kernel(struct btf **out, struct error *err);

/*
 * The same of bytes.
 * @out: for btf__free()
 * @data, @size: not to be believed; borrowed until btf__free()
 * Returns: 0; -EINVAL when they are no BTF. Types from one that does not fit on are left out.
 */
int btf__parse(struct btf **out, const void *data, size_t size);

/* @b may be NULL. */
void btf__free(struct btf *b);

struct btf_place {
	u32 offset; /* bytes */
	u32 size;   /* bytes; 0: not known */
};

/*
 * Finds a member of a struct, also in structs and unions without a name that lie in it.
 * @type: name of the struct
 * @path: names, with a '.' between a member and one of its own: "thread.fsbase"
 * Returns: 0; -ENOENT: there is none, or it is a bit field.
 */
int btf__member(const struct btf *b, const char *type, const char *path, struct btf_place *out);

/* Returns: the number of the function @name, or 0. */
u32 btf__function(const struct btf *b, const char *name);

/* Where the running kernel's task_struct, and what it leads to, has what a program reads. */
struct task_member {
	const char *path; /* as of btf__member() */
	u32 size;         /* that is read; one that is not known is believed to be this */
	struct btf_place *to;
	const char *of;   /* name of another struct; NULL: of task_struct */
};

/*
 * Finds members of the running kernel's structs.
 * @b: its types
 * @members: @nr of them
 * Returns: 0; -errno with words: the kernel has not these members of these sizes.
 */
int task_members__find(const struct btf *b, const struct task_member *members, size_t nr,
		       struct error *err);

#endif
