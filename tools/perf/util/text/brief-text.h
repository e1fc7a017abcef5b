/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `perf report --brief`: a page that says where the time went, how far that can be trusted, and
 * what to type next. For people in a hurry, and for programs that read text; its length has a
 * bound.
 */
#ifndef PERF_TEXT_BRIEF_TEXT_H
#define PERF_TEXT_BRIEF_TEXT_H

#include "../data/recording.h"
#include "../profile/brief.h"
#include "../sample/account.h"
#include "textbuf.h"

struct brief_text_opts {
	const char *input;              /* the recording's name */
	const struct recording *recording;
	const struct evsel *event;
	const struct pipeline_account *account;
	bool callchains;                /* samples have them */
	/*
	 * Finds the package whose debug symbols a binary lacks.
	 * @path: of the binary
	 * Returns: its name, or NULL.
	 */
	const char *(*package)(void *ctx, const char *path);
	void *ctx;
};

/* Prints the page about an event. @b: the facts about @h */
void textbuf__brief(struct textbuf *tb, const struct brief *b, struct hist *h,
		    const struct brief_text_opts *o);

#endif
