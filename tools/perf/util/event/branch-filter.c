// SPDX-License-Identifier: GPL-2.0-only
#include <linux/perf_event.h>
#include <string.h>

#include "branch-filter.h"

#define BRANCH(n) PERF_SAMPLE_BRANCH_##n
#define PRIV_SAVE (1u << 18) /* newer than the oldest header that we build with */
#define COUNTERS (1u << 19)
#define LEVELS (BRANCH(USER) | BRANCH(KERNEL) | BRANCH(HV))

static const struct {
	const char *name;
	u32 bits;
} filters[] = {
	{ "u", BRANCH(USER) },
	{ "k", BRANCH(KERNEL) },
	{ "hv", BRANCH(HV) },
	{ "any", BRANCH(ANY) },
	{ "any_call", BRANCH(ANY_CALL) },
	{ "any_ret", BRANCH(ANY_RETURN) },
	{ "ind_call", BRANCH(IND_CALL) },
	{ "ind_jmp", BRANCH(IND_JUMP) },
	{ "call", BRANCH(CALL) },
	{ "cond", BRANCH(COND) },
	{ "abort_tx", BRANCH(ABORT_TX) },
	{ "in_tx", BRANCH(IN_TX) },
	{ "no_tx", BRANCH(NO_TX) },
	{ "no_flags", BRANCH(NO_FLAGS) },
	{ "no_cycles", BRANCH(NO_CYCLES) },
	{ "save_type", BRANCH(TYPE_SAVE) },
	{ "stack", BRANCH(CALL_STACK) },
	{ "hw_index", BRANCH(HW_INDEX) },
	{ "priv", PRIV_SAVE },
	{ "counter", COUNTERS },
};

static u32 find(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(filters); i++)
		if (strlen(filters[i].name) == len && !strncmp(filters[i].name, name, len))
			return filters[i].bits;
	return 0;
}

int branch_filter__parse(const char *text, u64 *filter, struct error *err)
{
	for (*filter = 0;; text++) {
		size_t len = strcspn(text, ",");
		u32 bits = find(text, len);

		if (!bits) {
			error__set(err, -EINVAL, "'%.*s' is not a branch filter", (int)len, text);
			error__hint(err, "Filters are any, any_call, any_ret, ind_call, ind_jmp, "
				    "call, cond, abort_tx, in_tx, no_tx, no_flags, no_cycles, "
				    "save_type, stack, hw_index, priv, counter; u, k and hv.");
			return -EINVAL;
		}
		*filter |= bits;
		text += len;
		if (!*text)
			break;
	}
	/* Only levels are given: every branch in them. */
	if (!(*filter & ~(u64)LEVELS))
		*filter |= BRANCH(ANY);
	return 0;
}
