// SPDX-License-Identifier: GPL-2.0-only
#include "recorder-args.h"

#include <stdlib.h>

static void add(struct recorder_args *t, const char *option)
{
	*vec__push(&t->v) = option;
}

static void add_value(struct recorder_args *t, const char *option, const char *value)
{
	if (value) {
		add(t, option);
		add(t, value);
	}
}

/* Returns "--name=value". */
static const char *long_option(struct recorder_args *t, const char *name, const char *value)
{
	char *text = xasprintf("--%s%s%s", name, *value ? "=" : "", value);
	const char *kept = arena__intern(t->arena, text);

	free(text);
	return kept;
}

int recorder_args__pass_on(const struct option *opt, const char *arg, bool unset)
{
	struct recorder_args *t = opt->value;

	add(t, long_option(t, opt->long_name, arg ?: ""));
	return 0;
}

int recorder_args__chains(const struct option *opt, const char *arg, bool unset)
{
	struct recorder_args *t = opt->value;

	if (!unset)
		add(t, long_option(t, opt->long_name, arg));
	return 0;
}

int recorder_args__defer(const struct option *opt, const char *arg, bool unset)
{
	struct recorder_args *t = opt->value;

	t->defer = !unset;
	t->defer_arg = unset ? "--no-defer" : long_option(t, opt->long_name, arg ?: "");
	return 0;
}

void recorder_args__finish(struct recorder_args *t)
{
	if (t->chains)
		add(t, "-g");
	if (t->defer)
		add(t, t->defer_arg);
	if (!t->pids && !t->tids && !t->uid)
		t->all = true;
	if (t->all)
		add(t, "-a");
	add_value(t, "-C", t->cpus);
	add_value(t, "-p", t->pids);
	add_value(t, "-t", t->tids);
	add_value(t, "-u", t->uid);
	add(t, NULL);
}

void recorder_args__begin(struct recorder_args *t)
{
	t->arena = arena__new();
	add(t, "record");
	add(t, "-q");
	add_value(t, "-o", "-");
}

void recorder_args__free(struct recorder_args *t)
{
	vec__free(&t->v);
	arena__free(t->arena);
}
