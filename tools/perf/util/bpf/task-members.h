/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the running kernel's task_struct, and what it leads to, has what a BPF program reads. */
#ifndef PERF_BPF_TASK_MEMBERS_H
#define PERF_BPF_TASK_MEMBERS_H

#include "btf.h"

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
