/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces for the unwinder, made from the machine's maps when a sample needs one. The most
 * recently used ones are kept while there is memory for them: `make` starts thousands of short
 * processes.
 */
#ifndef PERF_COMPLETE_ADDRESS_SPACES_H
#define PERF_COMPLETE_ADDRESS_SPACES_H

#include "../state/machine.h"
#include "../binary/binaries.h"
#include "../unwinder/unwinder.h"
#include "live-code.h"

#define ADDRESS_SPACES_MIN 64 /* are kept in any case */

struct address_spaces;

/*
 * @u: borrowed
 * @machine: borrowed
 * @b: borrowed; from now on the unwinder gets its files here
 * @code: borrowed: where it gets those from LIVE_CODE_FIRST on; NULL: there are none
 * Returns: what address_spaces__free() frees.
 */
struct address_spaces *address_spaces__new(struct unwinder *u, struct machine *machine,
					   struct binaries *b, const struct live_code *code);

/* To be called before the unwinder is freed. @sp may be NULL. */
void address_spaces__free(struct address_spaces *sp);

/*
 * Returns: the thread's address space with its present mappings. Valid until a call for which
 *         address_spaces__evicts() is true, or until the mappings change. NULL: to read the
 *         mappings again would take too long.
 */
struct unwind_space *address_spaces__get(struct address_spaces *sp, const struct thread *t);

/*
 * Returns: whether address_spaces__get() for this thread would free one that was returned before.
 */
bool address_spaces__evicts(const struct address_spaces *sp, const struct thread *t);

/* Returns: the number of mappings that were read so far. */
u64 address_spaces__nr_looked_at(const struct address_spaces *sp);

#endif
