/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The unwinder as perf uses it: that of tools/lib/unwind, by the words of --unwind, with perf's way
 * of mapping files; or libdw in its place, to compare with.
 */
#ifndef PERF_UNWINDER_UNWINDER_H
#define PERF_UNWINDER_UNWINDER_H

#include <perf/unwind.h>

#include "../../../lib/unwind/source/sources.h"
#include "../../../lib/unwind/space/backend.h"
#include "../base/error.h"

extern const struct unwind_backend unwind_backend_libdw;

/*
 * Makes an unwinder, which the caller frees.
 * @how: "table", which NULL means, too, or "libdw"; or the sources of rows for "table", in their
 * order, as "sframe,eh_frame,fp"
 * @arch: of the stacks
 * Returns: 0; -EINVAL: @how is none of these; -ENOTSUP: there is no such architecture; -ENOMEM.
 */
int unwinder__by_name(struct unwinder **out, const char *how, enum unwind_arch arch,
		      struct error *err);

/*
 * Names an architecture.
 * @machine: "x86_64", "s390x", ...; also as other perfs say it (text.h); or NULL
 * Returns: UNWIND_UNSUPPORTED for what cannot be unwound.
 */
enum unwind_arch unwind_arch__named(const char *machine);

/*
 * unwind_sources__parse(), with words.
 * @list: as "eh_frame,fp"; NULL: the default
 * Returns: 0; -EINVAL: it is no such list.
 */
int unwind_sources__by_name(struct unwind_sources *s, const char *list, struct error *err);

#endif
