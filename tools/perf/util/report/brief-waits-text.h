/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of a brief page that tell of waits (brief_text_opts.waits). */
#ifndef PERF_REPORT_BRIEF_WAITS_TEXT_H
#define PERF_REPORT_BRIEF_WAITS_TEXT_H

#include "brief-text.h"

/* Appends what all threads did with their time. */
void textbuf__brief_times(const struct brief_page *p);

/* Appends the largest waits: blocked, then runnable. */
void textbuf__brief_waits(const struct brief_page *p);

/* Appends what stands out: lines that begin with "  - ". */
void textbuf__brief_waits_notes(const struct brief_page *p);

/* Appends the largest waits as members of an object. */
void textbuf__brief_waits_json(const struct brief_page *p);

#endif
