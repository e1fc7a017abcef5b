/* SPDX-License-Identifier: GPL-2.0-only */
/* What the lines of `perf script --json` and `perf report --json` have in common. */
#ifndef PERF_TEXT_JSON_LINES_H
#define PERF_TEXT_JSON_LINES_H

#include "../data/recording.h"
#include "json.h"

/* A line is an object with a member "type", @type; members follow, then its end. */
void json__begin(struct textbuf *tb, const char *type);
void json__end(struct textbuf *tb);

/* Members of a header: where, how and what was recorded. */
void textbuf__json_recording(struct textbuf *tb, const struct recording *r);

/*
 * Names a mode of the CPU.
 * @cpumode: PERF_RECORD_MISC_*
 * Returns: "user", "kernel", ...
 */
const char *json__mode_name(u8 cpumode);

#endif
