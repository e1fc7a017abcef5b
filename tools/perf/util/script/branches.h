/* SPDX-License-Identifier: GPL-2.0-only */
/* perf script: the branches that the processor took before a sample (LBR; perf record -b). */
#ifndef PERF_SCRIPT_BRANCHES_H
#define PERF_SCRIPT_BRANCHES_H

#include "lines.h"

/*
 * Appends the branches of a sample, latest first, in the forms that @fields ask for.
 * @fields: bits of FIELD_BRSTACK and its like; with FIELD_DSO the binaries are named, too
 */
void branches__text(struct script_lines *l, u64 fields, const struct whole_sample *ws);

/* Appends the same as a member of a JSON object. @fields: as above */
void branches__json(struct script_lines *l, u64 fields, const struct whole_sample *ws);

#endif
