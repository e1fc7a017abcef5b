/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * `perf report --brief`: a page that says where the time went, how far that can be trusted, and
 * what to type next. For people in a hurry, and for programs that read text; its length has a
 * bound.
 */
#ifndef PERF_REPORT_BRIEF_TEXT_H
#define PERF_REPORT_BRIEF_TEXT_H

#include "../data/recording.h"
#include "../off-cpu/off-cpu.h"
#include "../sample/account.h"
#include "../text/textbuf.h"
#include "brief-waits.h"
#include "brief.h"
#include "time.h"

struct brief_text_opts {
	const char *input;              /* the recording's name */
	const struct recording *recording;
	const struct evsel *event;
	const struct pipeline_account *account;
	bool callchains;                /* samples have them */
	const struct brief_waits *waits; /* of the event `offcpu-time`; NULL: of another */
	const struct off_cpu_account *times; /* of all threads; NULL: unknown */
	const struct time_taker *takers; /* who ran while others were runnable */
	size_t nr_takers;
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

/* Returns: whether the page says what to do for more whole stacks. */
bool brief_text__has_advice(const struct pipeline_account *a);

/* What the parts of a page are made of, in text and in JSON. All is borrowed. */
struct brief_page {
	struct textbuf *tb;
	const struct brief *b;
	struct hist *h;
	const struct brief_text_opts *o;
};

#define BRIEF_SHOWN_PERCENT 1.0  /* lists leave out what has less */
#define BRIEF_NAME_COLUMNS 60    /* bytes of a name in a list */

/* Returns: what part of all samples' periods @period is, in percent. */
double brief_page__percent(const struct brief_page *p, u64 period);

/* Returns: the seconds from the first to the last sample; 0: unknown. */
double brief_page__seconds(const struct brief_page *p);

/* Appends the name of @frame, at most @columns bytes of it, without what could end a line. */
void brief_page__name(const struct brief_page *p, u32 frame, int columns);

/* Appends the binary of a frame in brackets, with a blank in front: " [libc.so.6]". */
void brief_page__binary(const struct brief_page *p, const struct stack_frame *f);

/* Appends @path: recursion once, and of a long one the beginning and the end. */
void brief_page__path(const struct brief_page *p, const struct brief_path *path);

/* Appends what stands out: lines that begin with "  - ". */
void brief_page__notes(const struct brief_page *p);

/* Appends the next commands: lines that begin with two blanks. */
void brief_page__next(const struct brief_page *p);

/*
 * Appends one such line: the command that tells more of the function @frame; nothing, if its name
 * cannot be typed.
 */
void brief_page__next_about(const struct brief_page *p, u32 frame);

/* Appends one such line: the command that shows the code of the function @frame; as above. */
void brief_page__next_code(const struct brief_page *p, u32 frame);

#endif
