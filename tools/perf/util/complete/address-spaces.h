/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address spaces for the unwinder, made from the machine's maps when a sample needs one, and
 * kept while there is memory for them: of thousands of short processes that come and go under
 * `make`, those that were used last.
 */
#ifndef PERF_COMPLETE_ADDRESS_SPACES_H
#define PERF_COMPLETE_ADDRESS_SPACES_H

#include "../state/machine.h"
#include "../binary/binaries.h"
#include "../unwinder/unwinder.h"

#define ADDRESS_SPACES_MIN 64 /* are kept in any case */

struct address_spaces;

/* @u is borrowed, and asked for its files through @b from now on. */
struct address_spaces *address_spaces__new(struct unwinder *u, struct machine *machine,
					   struct binaries *b);
void address_spaces__free(struct address_spaces *sp); /* before the unwinder */

/*
 * The thread's address space with its mappings of now. Valid until a call for which
 * address_spaces__evicts() is true, or until the mappings change. NULL: so many processes with so
 * many mappings take turns that to read them again has cost too much.
 */
struct unwind_space *address_spaces__get(struct address_spaces *sp, const struct thread *t);
bool address_spaces__evicts(const struct address_spaces *sp, const struct thread *t);

u64 address_spaces__nr_looked_at(const struct address_spaces *sp); /* mappings, so far */

#endif
