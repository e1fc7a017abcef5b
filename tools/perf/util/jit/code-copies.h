/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * While recording: copies of code that programs have in memory without a file, such as thunks,
 * functions that were copied, and what JIT compilers make, as files for the unwinder.
 *
 * A copy counts for a sample only if it was made before the sample, and the program's memory is
 * still equal to it when the stack has been walked. Where the memory cannot be written to, a change
 * in between has made a record of a mapping, with which the copy is forgotten. Of other memory
 * nothing tells: there a copy must have been equal at many looks before it counts, and a place
 * where code was changed once is given up, so that what takes turns there is not taken for the
 * other.
 *
 * For one thread at a time.
 */
#ifndef PERF_JIT_CODE_COPIES_H
#define PERF_JIT_CODE_COPIES_H

#include "../binary/binaries.h"
#include "../data/record.h"
#include "../state/machine.h"

struct code_copies;

/* A copy, where the program has the code. */
struct code_copy {
	u64 start, end;
	u64 pgoff;   /* of .start in the file */
	u32 number;  /* that no other copy has */
};

/* Returns: for code_copies__free(). Nothing is opened yet. */
struct code_copies *code_copies__new(void);

/*
 * From now on copies have the call frame information that their program has registered for the code
 * (registered-tables.h). @binaries: borrowed
 */
void code_copies__find_tables(struct code_copies *c, struct binaries *binaries);

/* @c may be NULL. Closes all files. */
void code_copies__free(struct code_copies *c);

/*
 * Finds the copy of the code at @addr, or makes one for later samples.
 * @s, @t: the sample and its thread
 * @map: of memory without a file that has @addr
 * @passes: passes over the rings that have begun by now
 * Returns: whether @out is a copy that was made before the sample.
 */
bool code_copies__find(struct code_copies *c, const struct sample *s, const struct thread *t,
		       const struct map *map, u64 addr, u64 passes, struct code_copy *out);

/*
 * Returns: whether the program's memory is still equal to all that code_copies__find() has found
 * for @s, and these copies may be believed. Then they are worth being looked at for others.
 * @sure: set: whether none of it could be written to
 */
bool code_copies__stood(struct code_copies *c, const struct sample *s, bool *sure);

/*
 * Returns: how many copies were made; a new one is worth a hurry. At most 256 are kept at a time: a
 * new one takes the place of one that was forgotten, or, of another process's, of the one that no
 * sample has used for longest, if that is a second. After 8,192 no more are made.
 */
u32 code_copies__nr(const struct code_copies *c);

/* The turn has come of a record that maps [@start, @end) of process @pid: copies are forgotten. */
void code_copies__mapped(struct code_copies *c, u32 pid, u64 start, u64 end);

/*
 * Returns: an ELF file of copy @number, which stays open as long as the copy is kept; or -errno: it
 * is not any more.
 */
int code_copies__fd(const struct code_copies *c, u32 number);

/*
 * Tells that all records have been pushed that pass @pass has found, and the passes before it.
 * @newest: the highest time of a record so far
 */
void code_copies__passed(struct code_copies *c, u64 pass, u64 newest);

#endif
