/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was not as it should be with a recording, in words for stderr: damage with file and
 * offset, what was skipped, what the kernel lost. One line each, "Warning: " or "Error: " in
 * front by the caller's choice of severity below.
 */
#ifndef PERF_TEXT_ACCOUNT_TEXT_H
#define PERF_TEXT_ACCOUNT_TEXT_H

#include "../data/reader.h"
#include "../sample/account.h"

enum account_severity { ACCOUNT_NOTE, ACCOUNT_DAMAGE };

/*
 * Calls @say for each thing to be said, without a newline at its end. @p may be NULL when no
 * pipeline ran. True when the recording is damaged: the exit status is then not 0.
 */
bool account__describe(const struct reader *r, const struct pipeline_account *p,
		       void (*say)(enum account_severity severity, const char *text));

#endif
