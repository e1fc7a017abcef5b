// SPDX-License-Identifier: GPL-2.0-only
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

#include "account-text.h"

bool account__damaged(const struct reader_account *a)
{
	return a->malformed || a->damage.code;
}

bool account__tell(const struct reader *r, const struct pipeline_account *p, account_say_fn say,
		   void *ctx)
{
	const struct reader_account *a = reader__account(r);
	char line[PATH_MAX + 256];

	if (a->unknown_types) {
		snprintf(line, sizeof(line), "%" PRIu64 " records have unknown types (the first is "
			 "type %u)", a->unknown_types,
			 a->first_unknown_type);
		say(ctx, ACCOUNT_NOTE, line);
	}
	if (a->unknown_events) {
		snprintf(line, sizeof(line), "%" PRIu64 " records belong to events that the "
			 "recording does not describe", a->unknown_events);
		say(ctx, ACCOUNT_NOTE, line);
	}
	if (p && pipeline_account__lost(p)) {
		snprintf(line, sizeof(line), "%" PRIu64 " records were lost while recording: use "
			 "larger ring buffers (-m) or a lower frequency (-F)",
			 pipeline_account__lost(p));
		say(ctx, ACCOUNT_NOTE, line);
	}
	if (p && p->late) {
		snprintf(line, sizeof(line), "%" PRIu64 " records came too late to be sorted by "
			 "time",
			 p->late);
		say(ctx, ACCOUNT_NOTE, line);
	}
	if (p && p->odd) {
		snprintf(line, sizeof(line), "%" PRIu64 " records have an impossible time: they "
					     "keep their position in the file", p->odd);
		say(ctx, ACCOUNT_NOTE, line);
	}
	if (p && pipeline_account__advice(p, line, sizeof(line)))
		say(ctx, ACCOUNT_ADVICE, line);
	if (a->flaw.code)
		say(ctx, ACCOUNT_NOTE, a->flaw.text);
	if (a->unfinished)
		say(ctx, ACCOUNT_NOTE, "the recording was not finished: the recorder was killed "
		    "before it wrote the end of the file");
	if (a->malformed) {
		snprintf(line, sizeof(line), "%s: %" PRIu64 " malformed records were skipped, the "
			 "first at offset %#" PRIx64, reader__path(r),
			 a->malformed, a->first_malformed_offset);
		say(ctx, ACCOUNT_DAMAGE, line);
	}
	if (a->damage.code)
		say(ctx, ACCOUNT_DAMAGE, a->damage.text);
	return account__damaged(a);
}

struct plain_say {
	void (*say)(enum account_severity severity, const char *text);
};

static void say_plainly(void *ctx, enum account_severity severity, const char *text)
{
	const struct plain_say *plain = ctx;

	plain->say(severity, text);
}

bool account__describe(const struct reader *r, const struct pipeline_account *p,
		       void (*say)(enum account_severity severity, const char *text))
{
	return account__tell(r, p, say_plainly, &(struct plain_say){ say });
}
