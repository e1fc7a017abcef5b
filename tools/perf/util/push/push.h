/* SPDX-License-Identifier: GPL-2.0-only */
/* perf data push: what the user wants, and the run that makes a profile and sends it. */
#ifndef PERF_PUSH_PUSH_H
#define PERF_PUSH_PUSH_H

#include "../export/convert.h"
#include "labels.h"
#include "sender.h"

struct push_opts {
	/* As given. */
	const char *url, *format;   /* format NULL: that of the URL's path */
	const char *service;        /* the name of the profiles; NULL: that of the environment */
	const char *labels;         /* "env=prod,rack=7"; NULL: those of the environment, if any */
	const char *header_file;    /* NULL: that of the environment, if any */
	const char *spool;          /* a directory; NULL: that of the environment, or of HOME */
	unsigned int spool_mb, retry_s, timeout_s;
	bool waiting_only;          /* no recording is read */
	bool remove;                /* the recording, once its profile is in the spool */
	struct convert_opts export; /* what is read, and how */
	/* Set by push_opts__finish(). */
	struct sender_opts sender;
	struct push_labels label_list;
	char *store_url, *service_name;
};

/*
 * Checks what options have said.
 * @p: completed; for push_opts__free(), also on failure
 * Returns: 0; -EINVAL with words, which name the options.
 */
int push_opts__finish(struct push_opts *p, struct error *err);

/* Frees what push_opts__finish() has allocated. */
void push_opts__free(struct push_opts *p);

/* Makes the profile and sends what waits. Messages are printed. Returns: the exit status. */
int push__run(const struct push_opts *opts);

#endif
