/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The vdso has no file: the running kernel's is copied from our own memory.
 */
#ifndef PERF_COMPLETE_VDSO_H
#define PERF_COMPLETE_VDSO_H

/* A file descriptor of a copy of our own vdso; the caller closes it. -errno when there is none. */
int vdso__own_fd(void);

#endif
