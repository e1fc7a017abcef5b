/* SPDX-License-Identifier: GPL-2.0-only */
/* Labels of profiles, as users write them: "env=prod,rack=7". */
#ifndef PERF_PUSH_LABELS_H
#define PERF_PUSH_LABELS_H

#include "../base/error.h"
#include "../export/export.h"

#define PUSH_LABELS_MAX 32
#define PUSH_LABELS_TEXT_MAX 4096 /* bytes of all of them */

struct push_labels {
	struct export_label v[PUSH_LABELS_MAX];
	size_t nr;
	char *text;               /* internal: what they point into */
};

/*
 * Reads them. Names are letters, digits, '_' and '.', and begin with no digit; values are UTF-8
 * without control characters. One without a value is left out.
 * @l: filled, for push_labels__free(), also on failure
 * @text: NULL: none
 * @source: where it is from, for words: "--labels"
 * Returns: 0; -EINVAL with words.
 */
int push_labels__parse(struct push_labels *l, const char *text, const char *source,
		       struct error *err);

/* Frees them. */
void push_labels__free(struct push_labels *l);

/*
 * Returns: labels as text, in memory of the caller's: @l, and "host" in front, unless that is in @l
 *         or @host is "".
 */
char *push_labels__with_host(const struct push_labels *l, const char *host);

#endif
