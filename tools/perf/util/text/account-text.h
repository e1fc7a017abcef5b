/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was wrong with a recording, in words: damage with file and offset, skipped records, losses
 * of the kernel. One line each; the caller adds "Warning: " or "Error: " by the severity.
 */
#ifndef PERF_TEXT_ACCOUNT_TEXT_H
#define PERF_TEXT_ACCOUNT_TEXT_H

#include "../data/reader.h"
#include "../sample/account.h"

enum account_severity {
	ACCOUNT_NOTE,
	ACCOUNT_ADVICE, /* the same, and what to do for more whole stacks */
	ACCOUNT_DAMAGE,
};

/*
 * Says what was wrong with a recording.
 * @p: NULL if no pipeline ran
 * @say: called for each message, which has no newline at its end
 * Returns: true when the recording is damaged, and the exit status must not be 0.
 */
bool account__describe(const struct reader *r, const struct pipeline_account *p,
		       void (*say)(enum account_severity severity, const char *text));

typedef void (*account_say_fn)(void *ctx, enum account_severity severity, const char *text);

/* The same, with a context, @ctx, for who is told. Returns what the other one does. */
bool account__tell(const struct reader *r, const struct pipeline_account *p, account_say_fn say,
		   void *ctx);

/* Returns whether something of the recording could not be read. */
bool account__damaged(const struct reader_account *a);

#endif
