// SPDX-License-Identifier: GPL-2.0-only
/* The account of the agent's stage, in words. */
#include <inttypes.h>
#include <stdio.h>

#include "../base/line-out.h"
#include "agent-stage.h"

static void add_reasons(struct line_out *o, const struct agent_account *a)
{
	for (int i = AGENT_MATCHED + 1, nr = 0; i < AGENT_RESULT_NR; i++)
		if (a->results[i])
			line_out__add(o, "%s%" PRIu64 " %s", nr++ ? ", " : ": ", a->results[i],
				 agent_result__name(i));
}

int agent_account__line(const struct agent_account *a, char *buf, size_t size)
{
	const struct { u64 nr; const char *what; } more[] = {
		{ a->agreed, "with their cookie" },
		{ a->frames, "frames of interpreters" }, { a->functions, "functions" },
		{ a->ids, "samples with ids" }, { a->unnamed, "frames without a name" },
		{ a->misplaced, "samples without a stack position for their frames" },
		{ a->torn, "records with frames that could not be read" },
		{ a->cut, "records with too many frames" },
		{ a->damaged, "damaged records" },
		{ a->given_up, "records dropped (--max-pending)" },
		{ a->skipped, "samples without space, added to the next one's time" },
		{ a->no_ring, "signals of threads beyond 512" },
	};
	struct line_out o = { buf, size, 0 };
	u64 all = 0, permille;

	for (int i = 0; i < AGENT_RESULT_NR; i++)
		all += a->results[i];
	permille = all ? a->results[AGENT_MATCHED] * 1000 / all : 0;
	line_out__add(&o, "%" PRIu64 " of %" PRIu64 " samples matched (%" PRIu64 ".%" PRIu64 " %%)",
		 a->results[AGENT_MATCHED], all, permille / 10, permille % 10);
	if (all > a->results[AGENT_MATCHED]) {
		line_out__add(&o, ", %" PRIu64 " not", all - a->results[AGENT_MATCHED]);
		add_reasons(&o, a);
	}
	line_out__add(&o, "; %" PRIu64 " %s", a->processes,
		 a->processes == 1 ? "process" : "processes");
	for (size_t i = 0; i < ARRAY_SIZE(more); i++)
		if (more[i].nr)
			line_out__add(&o, ", %" PRIu64 " %s", more[i].nr, more[i].what);
	return o.len;
}

u64 agent_account__median(const struct agent_account *a)
{
	u64 seen = 0;

	for (u32 i = 0; i < ARRAY_SIZE(a->took); i++) {
		seen += a->took[i];
		if (seen * 2 > a->records)
			return i * AGENT_TOOK_NS + AGENT_TOOK_NS / 2;
	}
	return 0;
}
