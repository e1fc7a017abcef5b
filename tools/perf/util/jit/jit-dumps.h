/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The jitdump files of all processes of a recording: which code lies where at each time.
 *
 * A compiler that writes such a file maps its first page as code, so that the recording has the
 * file's name: "jit-PID.dump". From then on the file is read, as far as it is written, and each
 * function becomes a dso of the kind DSO_JIT, which is mapped at the time that the file says. Code
 * inside a mapping of an ELF file is left to that. For one thread at a time.
 *
 * Times in the file are of CLOCK_MONOTONIC. If the recording's are of another clock, the first
 * record of the file counts as made when the file was mapped.
 */
#ifndef PERF_JIT_JIT_DUMPS_H
#define PERF_JIT_JIT_DUMPS_H

#include "../binary/binaries.h"
#include "jit-elf.h"

struct jit_dumps;

/* What is told of each piece of code, besides that it is mapped. */
struct jit_load {
	u32 pid, tid;
	u64 start, size; /* where it lies from now on; .gone: where it lay */
	bool gone;       /* from now on nothing is known of this place */
	u64 time;        /* of the recording's clock, ns */
	u64 code;        /* its dso.code: see jit_dumps__elf() */
	u64 number;      /* in its file: the compiler's own */
	const char *name;
	const char *path; /* of the file */
};

struct jit_dumps_opts {
	struct machine *machine;   /* borrowed, as the others */
	struct binaries *binaries; /* opens the files */
	const struct recording *recording; /* for its clock */
	bool live;                 /* the files grow, and those of processes that end are dropped */
	u32 share;                 /* 0, or a test's: limits are divided by it */
	/*
	 * Called for each piece of code when it is mapped, and when it is gone, in place of doing
	 * that. Returns 0; anything else ends the run.
	 * May be NULL.
	 */
	int (*on_load)(void *ctx, const struct jit_load *load);
	void *ctx;
};

/* What was read, and what not. */
struct jit_account {
	u64 files, code; /* that were read; pieces of code in them */
	u64 foreign;     /* files of other users: not read */
	u64 unreadable;  /* files that are gone, or are no jitdump files */
	u64 other_version; /* files that say that they are of another version; see jitdump.h */
	u32 version;     /* that of one of these */
	u64 damaged;     /* files that were read up to where they are damaged */
	u64 too_much;    /* files that have more code than is kept */
	u64 too_many;    /* files beyond those that are open at a time: not read */
	u64 lines_left_out; /* addresses whose line was not looked for: that had taken too long */
	u64 untimed;     /* files with times of another clock: all code counts as made at once */
	u64 covered;     /* machine__nr_covered() */
	u64 left_out;    /* objects for debuggers that are too large, or too many: see gdb-jit.h */
};

/*
 * @opts: copied
 * Returns: what jit_dumps__free() frees. Code of DSO_JIT is opened by it from now on.
 */
struct jit_dumps *jit_dumps__new(const struct jit_dumps_opts *opts);

/* Closes all files. @j may be NULL. */
void jit_dumps__free(struct jit_dumps *j);

/*
 * Looks at a record that the machine has processed: a mapping may be that of a jitdump file; an
 * exit ends one.
 */
void jit_dumps__record(struct jit_dumps *j, const struct record *rec);

/*
 * Returns: whether @rec says less than the code of the jitdump file does: it maps that file, or
 *         memory without a file in a process that has one.
 */
bool jit_dumps__replaces(struct jit_dumps *j, const struct record *rec);

/*
 * Adds a file that this program writes itself, with times of the recording's clock.
 * @t: a thread of the process that the code is of
 * @path: its name
 * @fd: open for reading; taken over
 * Returns: 0 or -errno.
 */
int jit_dumps__add_own(struct jit_dumps *j, const struct thread *t, const char *path, int fd);

/*
 * Live. Returns: whether the process @pid has a file that may tell of more code. Is of the type of
 *         complete_opts.awaits_code; @ctx is the struct jit_dumps.
 */
bool jit_dumps__await(void *ctx, u32 pid);

/* The file of the process @pid has grown: it is looked at at once. */
void jit_dumps__look_again(struct jit_dumps *j, u32 pid);

/* Returns: whether jit_dumps__advance() of @pid and @time would change something. */
bool jit_dumps__is_due(struct jit_dumps *j, u32 pid, u64 time);

/*
 * Maps the code that the process @pid has made until @time.
 * Returns: 0, or what .on_load has returned.
 */
int jit_dumps__advance(struct jit_dumps *j, u32 pid, u64 time);

/* The same for all processes until @time, in the order of time. Returns the same. */
int jit_dumps__advance_all(struct jit_dumps *j, u64 time);

/*
 * Makes the ELF file of a piece of code.
 * @code: dso.code, or .code of struct jit_load
 * @with_lines: with its source lines
 * @out: empty; its bytes, which the caller frees
 * Returns: 0; -ENOENT: it is not known any more; another -errno.
 */
int jit_dumps__elf(struct jit_dumps *j, u64 code, bool with_lines, jit_elf_bytes *out);

/*
 * Finds the source line of an address in JIT code. Is of the type of symbols__on_code_line().
 * @ctx: the struct jit_dumps
 * @dso: of the kind DSO_JIT
 * @addr: in it
 * @file: out: borrowed until the next call
 * @line: out
 * Returns: false when it is not known.
 */
bool jit_dumps__line(void *ctx, const struct dso *dso, u64 addr, const char **file, u32 *line);

/*
 * Opens the file that the code of a dso is in, as it was found.
 * @dso: of the kind DSO_JIT
 * Returns: a descriptor that the caller owns; -ENOENT: it is not known any more; another -errno.
 */
int jit_dumps__open_file(struct jit_dumps *j, const struct dso *dso);

/* Counts an object for debuggers that was not read. */
void jit_dumps__leave_out(struct jit_dumps *j);

/* Returns: what was read so far. */
const struct jit_account *jit_dumps__account(struct jit_dumps *j);

#endif
