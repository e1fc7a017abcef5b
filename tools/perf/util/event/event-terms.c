// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../base/number.h"
#include "event-terms.h"

struct taken {
	struct event_terms *t;
	struct perf_event_attr *attr;
	const char *event, *term, *text;
	struct error *err;
};

static int bad_value(const struct taken *k, const char *expected)
{
	return error__set(k->err, -EINVAL, "%s/%s%s%s/: %s", k->event, k->term,
			  k->text ? "=" : "", k->text ?: "", expected);
}

static int take_rate(const struct taken *k)
{
	u64 value;

	if (!k->text || !parse_u64(k->text, &value) || !value)
		return bad_value(k, "must be a number");
	k->attr->freq = !strcmp(k->term, "freq");
	k->attr->sample_period = value; /* or sample_freq: they are a union */
	return 1;
}

static int take_name(const struct taken *k)
{
	if (!k->text || !*k->text)
		return bad_value(k, "the name is missing");
	free(k->t->name);
	k->t->name = xstrdup(k->text);
	return 1;
}

static int take_call_graph(const struct taken *k)
{
	static const struct { const char *name; enum user_stack stack; } names[] = {
		{ "no", USER_STACK_NONE },
		{ "fp", USER_STACK_FP },
		{ "dwarf", USER_STACK_COPY },
	};

	for (size_t i = 0; k->text && i < ARRAY_SIZE(names); i++) {
		if (strcmp(k->text, names[i].name))
			continue;
		k->t->has_stack = true;
		k->t->stack = names[i].stack;
		return 1;
	}
	return bad_value(k, "must be fp, dwarf or no");
}

static int take_stack_size(const struct taken *k)
{
	u64 size;

	if (!k->text || !parse_size(k->text, &size) || !size || size > SAMPLING_MAX_STACK)
		return bad_value(k, "must be from 8 to 65528 bytes");
	k->t->stack_size = align_up(size, sizeof(u64));
	return 1;
}

static int take_max_stack(const struct taken *k)
{
	u64 nr;

	if (!k->text || !parse_u64(k->text, &nr) || !nr || nr > UINT16_MAX)
		return bad_value(k, "must be a number of frames");
	k->t->max_stack = nr;
	return 1;
}

static int take_switch(const struct taken *k, enum event_switch *out)
{
	bool on = strncmp(k->term, "no-", 3);

	if (k->text && strcmp(k->text, "0") && strcmp(k->text, "1"))
		return bad_value(k, "must be 0 or 1");
	if (k->text && *k->text == '0')
		on = !on;
	*out = on ? SWITCH_ON : SWITCH_OFF;
	return 1;
}

static int take_inherit(const struct taken *k)
{
	return take_switch(k, &k->t->inherit);
}

static int take_overwrite(const struct taken *k)
{
	return take_switch(k, &k->t->overwrite);
}

int event_terms__take(struct event_terms *t, struct perf_event_attr *attr, const char *event,
		      const char *term, const char *text, struct error *err)
{
	static const struct { const char *name; int (*take)(const struct taken *k); } terms[] = {
		{ "period", take_rate },
		{ "freq", take_rate },
		{ "name", take_name },
		{ "call-graph", take_call_graph },
		{ "stack-size", take_stack_size },
		{ "max-stack", take_max_stack },
		{ "inherit", take_inherit },
		{ "no-inherit", take_inherit },
		{ "overwrite", take_overwrite },
		{ "no-overwrite", take_overwrite },
	};
	const struct taken k = { t, attr, event, term, text, err };

	for (size_t i = 0; i < ARRAY_SIZE(terms); i++)
		if (!strcmp(term, terms[i].name))
			return terms[i].take(&k);
	return 0;
}
