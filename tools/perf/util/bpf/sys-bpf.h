/* SPDX-License-Identifier: GPL-2.0-only */
/* The system call bpf(2). Internal to this room. */
#ifndef PERF_BPF_SYS_BPF_H
#define PERF_BPF_SYS_BPF_H

#include <errno.h>
#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * @cmd: BPF_*
 * @attr: as the command has it, @size bytes
 * Returns: what the call returns, or -errno.
 */
static inline int sys_bpf(int cmd, union bpf_attr *attr, size_t size)
{
	int ret = syscall(SYS_bpf, cmd, attr, size);

	return ret < 0 ? -errno : ret;
}

#endif
