// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../io/secure-env.h"
#include "config-options.h"

#define DEFAULT_THRESHOLD "0.5" /* percent, as in report */

/* Each makes an option of a setting, or NULL when none is needed. *wrong: its value is invalid. */
static char *boolean(const char *option, const struct config_entry *e, bool *wrong)
{
	int truth = config_entry__truth(e);

	*wrong = truth < 0;
	return xasprintf("--%s%s", truth ? "" : "no-", option);
}

static char *percent(const char *option, const struct config_entry *e, bool *wrong)
{
	char *end = NULL;
	double v = e->value ? strtod(e->value, &end) : -1;

	*wrong = !(v >= 0 && v <= 100) || end == e->value || (*end && strcmp(end, "%"));
	return xasprintf("--%s=%.3f", option, v);
}

static char *word(const char *option, const struct config_entry *e, bool *wrong)
{
	*wrong = !e->value || !*e->value;
	return xasprintf("--%s=%s", option, e->value ?: "");
}

/* Other values are about passes over the file that this program does not need. */
static char *cache(const char *option, const struct config_entry *e, bool *wrong)
{
	if (e->value && !strcmp(e->value, "no-cache"))
		return xasprintf("--no-%s", option);
	return e->value && !strcmp(e->value, "cache") ? xasprintf("--%s", option) : NULL;
}

static char *if_false(const char *option, const struct config_entry *e, bool *wrong)
{
	int truth = config_entry__truth(e);

	*wrong = truth < 0;
	return truth ? NULL : xasprintf("--%s", option);
}

static const struct {
	const char *name, *command, *option;
	char *(*make)(const char *option, const struct config_entry *e, bool *wrong);
} settings[] = {
	{ "report.children", "report", "children", boolean },
	{ "report.percent-limit", "report", "percent-limit", percent },
	{ "report.sort_order", "report", "sort", word },
	{ "tui.report", "report", "stdio", if_false },
	{ "hist.percentage", "report", "percentage", word },
	{ "record.build-id", "record", "buildid-cache", cache },
};

const char **config__add_options(struct config *c, int *argc, const char **argv,
				 void (*say)(const char *fmt, ...))
{
	const char **all = xcalloc(*argc + ARRAY_SIZE(settings) + 1, sizeof(*all));
	int nr = 1;

	all[0] = argv[0];
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++) {
		const struct config_entry *e = config__find(c, settings[i].name);
		bool wrong = false;
		char *option;

		if (!e || strcmp(settings[i].command, argv[0]))
			continue;
		option = settings[i].make(settings[i].option, e, &wrong);
		if (wrong)
			say("%s:%u: '%s' is not a valid value for %s: it is "
			    "ignored\n", e->file, e->line,
			    e->value ?: "", e->name);
		if (option)
			*vec__push(&c->options) = option;
		if (option && !wrong)
			all[nr++] = option;
	}
	memcpy(all + nr, argv + 1, (*argc - 1) * sizeof(*all));
	*argc += nr - 1;
	return all;
}

bool config__stands_for(const struct config *c, const char *command, const char *option)
{
	for (size_t i = 0; i < ARRAY_SIZE(settings); i++)
		if (!strcmp(settings[i].command, command) && !strcmp(settings[i].option, option) &&
		    config__find(c, settings[i].name))
			return true;
	return false;
}

static void default_env(const char *name, const char *value)
{
	if (value && *value)
		setenv(name, value, 0);
}

bool config__set_pager(const struct config *c, const char *command)
{
	const struct config_entry *general = config__find(c, "core.pager"), *e;
	char *name = xasprintf("pager.%s", command);
	int truth;

	e = config__find(c, name);
	free(name);
	truth = e ? config_entry__truth(e) : -1;
	if (!truth)
		default_env("PERF_PAGER", "cat");
	else if (e && truth < 0)
		default_env("PERF_PAGER", e->value);
	else if (general)
		default_env("PERF_PAGER", general->value);
	return truth > 0;
}

void config__set_places(const struct config *c)
{
	const struct config_entry *e = config__find(c, "buildid.dir");

	if (e && e->value && *e->value && !secure_env__get("PERF_BUILDID_DIR"))
		secure_env__set("PERF_BUILDID_DIR", e->value, "the setting buildid.dir");
}

void config__set_servers(const struct config *c)
{
	const struct config_entry *e = config__find(c, "buildid-cache.debuginfod");

	/* "system" is a word of record.debuginfod for the variable itself. */
	if (e && e->value && strcmp(e->value, "system"))
		default_env("DEBUGINFOD_URLS", e->value);
}

static const char *value_of(const struct config *c, const char *name)
{
	const struct config_entry *e = config__find(c, name);

	return e && e->value && *e->value ? e->value : NULL;
}

void config__chain_words(const struct config *c, char *buf, size_t size)
{
	static const char *const names[] = {
		"call-graph.print-type", "call-graph.order", "call-graph.sort-key",
		"call-graph.threshold", "call-graph.print-limit", /* the second number */
	};
	const char *limit = value_of(c, "call-graph.print-limit");
	size_t len = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(names) && len < size; i++) {
		const char *value = value_of(c, names[i]);

		if (!value && limit && !strcmp(names[i], "call-graph.threshold"))
			value = DEFAULT_THRESHOLD;
		if (value)
			len += snprintf(buf + len, size - len, "%s%s", len ? "," : "", value);
	}
}

const struct config_entry *config__chain_mode(const struct config *c, char *buf, size_t size)
{
	const struct config_entry *e = config__find(c, "call-graph.record-mode") ?:
				       config__find(c, "record.call-graph");
	const char *bytes = value_of(c, "call-graph.dump-size");

	buf[0] = '\0';
	if (!e || !e->value)
		return NULL;
	if (!strcmp(e->value, "dwarf") && bytes)
		snprintf(buf, size, "dwarf,%s", bytes);
	else
		snprintf(buf, size, "%s", e->value);
	return e;
}
