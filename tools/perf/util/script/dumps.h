/* SPDX-License-Identifier: GPL-2.0-only */
/* perf script --per-event-dump: a file for the samples of each event, INPUT.EVENT.dump. */
#ifndef PERF_SCRIPT_DUMPS_H
#define PERF_SCRIPT_DUMPS_H

#include "../base/error.h"
#include "../data/recording.h"
#include "../text/textbuf.h"

struct event_dump {
	char *path;
	struct textbuf tb;
	u64 nr; /* samples */
};

/* All zero: no file was made yet. */
struct event_dumps {
	VEC(struct event_dump *) files; /* by the event's number; NULL: no sample so far */
	int error;                      /* -errno of the first that failed, in words: */
	struct error why;
};

/*
 * Counts a sample of @ev. Events of one name share a file, which is made with the first sample.
 * @input: the recording's path, which that of the file begins with
 * Returns: where its text goes; NULL: .error
 */
struct textbuf *event_dumps__sample(struct event_dumps *d, const char *input,
				    const struct evsel *ev);

/* Returns: whether @path is that of a file for some event of the recording @input. */
bool event_dumps__is_path(const char *input, const char *path);

/*
 * Writes what is left, prints a line for each file to stdout, and forgets them.
 * Returns: 0; -errno with words.
 */
int event_dumps__close(struct event_dumps *d, struct error *err);

#endif
