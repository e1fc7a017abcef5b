/* SPDX-License-Identifier: GPL-2.0-only */
/* perf data convert. */
#ifndef PERF_BUILTIN_DATA_CONVERT_H
#define PERF_BUILTIN_DATA_CONVERT_H

/* @argv: "convert", and its options. Returns the exit status. */
int data__convert(int argc, const char **argv);

#endif
