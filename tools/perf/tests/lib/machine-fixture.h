/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine, and symbols for it, that a test feeds with built records. */
#ifndef PERF_TESTS_LIB_MACHINE_FIXTURE_H
#define PERF_TESTS_LIB_MACHINE_FIXTURE_H

#include <sys/types.h>

#include "../../util/symbol/symbols.h"
#include "builder.h"
#include "../test.h"

struct fixture {
	struct builder *b;
	struct machine *m;
	struct symbols *s; /* the test's business to make; freed by fixture__teardown() */
	size_t fed;        /* bytes of the builder's records */
};

/* With one event; records are of this process at first. */
struct fixture fixture__setup(void);
void fixture__teardown(struct fixture *f);

/* Shows the machine the records that were added since the last time. */
void fixture__feed(struct fixture *f);

/* Adds the mappings of code of a running process, as /proc/PID/maps tells them, and feeds them. */
void fixture__add_proc_maps(struct fixture *f, int pid);

/* Runs a shell command; the test fails when it does. */
void fixture__run(const char *cmd);
void fixture__need_compiler(void);  /* gcc and binutils; the test is skipped without */
void fixture__write(const char *path, const char *text);

/* Address of a symbol of a file, by nm. */
u64 fixture__address_of(const char *file, const char *name);

/* The only process that this one has started; skips the test where the kernel does not tell. */
pid_t fixture__only_child(void);

#endif
