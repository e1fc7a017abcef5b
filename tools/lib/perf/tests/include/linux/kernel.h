/* SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause) */
/* For test programs that are written for the kernel's tree: what they use of its kernel.h. */
#ifndef LIBPERF_TESTS_LINUX_KERNEL_H
#define LIBPERF_TESTS_LINUX_KERNEL_H

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

#endif
