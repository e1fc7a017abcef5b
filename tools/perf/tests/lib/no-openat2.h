/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PERF_TESTS_LIB_NO_OPENAT2_H
#define PERF_TESTS_LIB_NO_OPENAT2_H

/* From now on openat2(2) fails with @error, as on an old kernel or in some containers. */
void no_openat2(int error);

#endif
