/* SPDX-License-Identifier: GPL-2.0-only */
/* What is put into the head of each request, as secrets: from the environment, or from a file. */
#ifndef PERF_PUSH_HEADERS_H
#define PERF_PUSH_HEADERS_H

#include "../base/error.h"
#include "../base/vec.h"

struct push_headers {
	VEC(const char *) lines;  /* "Name: value"; the last is NULL */
	char *token, *text;       /* internal: what they point into */
};

/*
 * Reads them.
 * @h: filled, for push_headers__free(), also on failure
 * @token: of "Authorization: Bearer"; NULL or "": none
 * @file: with a header in each line; NULL: none
 * Returns: 0; -EPERM when others can read the file; another -errno; with words.
 */
int push_headers__read(struct push_headers *h, const char *token, const char *file,
		       struct error *err);

/* Frees the lines. */
void push_headers__free(struct push_headers *h);

#endif
