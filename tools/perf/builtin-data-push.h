/* SPDX-License-Identifier: GPL-2.0-only */
/* perf data push. */
#ifndef PERF_BUILTIN_DATA_PUSH_H
#define PERF_BUILTIN_DATA_PUSH_H

/* @argv: "push", and its options. Returns the exit status. */
int data__push(int argc, const char **argv);

#endif
