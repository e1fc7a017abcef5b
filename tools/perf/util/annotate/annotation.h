/* SPDX-License-Identifier: GPL-2.0-only */
/* A function's listing together with the samples that its instructions have. */
#ifndef PERF_ANNOTATE_ANNOTATION_H
#define PERF_ANNOTATE_ANNOTATION_H

#include "../profile/code-counts.h"
#include "listing.h"

/* What 100 % are, and what is counted: --percent-type. */
enum percent_type { LOCAL_PERIOD, LOCAL_HITS, GLOBAL_PERIOD, GLOBAL_HITS };

struct annotation_event {
	code_count_vec counts;       /* by address */
	struct code_total sum, all;  /* of the function; of the event */
};

struct annotation {
	struct listing code;
	VEC(struct annotation_event) events;
};

/*
 * Adds the samples that an event has in the function.
 * @a: .code has been made
 * @event: index in the recording
 */
void annotation__add(struct annotation *a, const struct code_counts *counts, u32 event);

/* Frees the listing and the counts. All zero is free. */
void annotation__free(struct annotation *a);

/*
 * Returns: the samples of line @nr of the listing: up to the next instruction. @event: in .events
 */
struct code_total annotation__line(const struct annotation *a, size_t event, size_t nr);

/* Returns: the share of these in percent. @event: in .events; @nr: line of the listing */
double annotation__percent(const struct annotation *a, size_t event, size_t nr,
			   enum percent_type type);

/* Returns: whether @s is the name of a type ("local-period"), which @type is then. */
bool percent_type__parse(const char *s, enum percent_type *type);

#endif
