// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "../io/secure-env.h"
#include "global-options.h"
#include "options.h"

enum kind {
	FLAG,
	VALUE,     /* the next word, or behind "=" */
	OPTIONAL,  /* behind "=" only */
};

struct global {
	const char *name;
	enum kind kind;
	/* @value: NULL for none. -1 after it said what is wrong. */
	int (*take)(struct global_options *g, const char *value);
};

static int take_exec_path(struct global_options *g, const char *value)
{
	if (value)
		secure_env__set("PERF_EXEC_PATH", value, "--exec-path");
	else
		g->ask = ASK_EXEC_PATH;
	return 0;
}

static int take_html_path(struct global_options *g, const char *value)
{
	g->ask = ASK_HTML_PATH;
	return 0;
}

static int take_list_commands(struct global_options *g, const char *value)
{
	g->ask = ASK_COMMANDS;
	return 0;
}

static int take_list_options(struct global_options *g, const char *value)
{
	g->ask = ASK_OPTIONS;
	return 0;
}

static int take_list_events(struct global_options *g, const char *value)
{
	g->ask = ASK_EVENTS;
	return 0;
}

static int take_paginate(struct global_options *g, const char *value)
{
	g->paginate = true;
	return 0;
}

static int take_no_pager(struct global_options *g, const char *value)
{
	g->paginate = false;
	setenv("PERF_PAGER", "cat", 1);
	return 0;
}

static int take_buildid_dir(struct global_options *g, const char *value)
{
	secure_env__set("PERF_BUILDID_DIR", value, "--buildid-dir");
	return 0;
}

static int take_debugfs_dir(struct global_options *g, const char *value)
{
	secure_env__set("PERF_DEBUGFS_DIR", value, "--debugfs-dir");
	return 0;
}

/* Words of other perfs for -v; others name parts of these, or defaults of this one (stderr). */
static int take_debug(struct global_options *g, const char *value)
{
	static const char *const names[] = {
		"verbose", "perf-event-open", "ordered-events", "data-convert", "kmaps", "stderr",
	};
	size_t len = strcspn(value, "=");
	u64 level = 1;

	if (value[len] && (!parse_u64(value + len + 1, &level) || level > 10)) {
		fprintf(stderr, "perf: --debug: '%s' is not a level from 0 to 10\n",
			value + len + 1);
		return -1;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i]) != len || strncmp(names[i], value, len))
			continue;
		if (!i)
			log__set_least((int)level);
		else if (i == 1 && level)
			log__set_least(LOG_DEBUG2); /* prints the attributes of events */
		return 0;
	}
	fprintf(stderr, "perf: --debug: unknown variable '%.*s'; use verbose[=LEVEL]\n",
		(int)len, value);
	return -1;
}

static const struct global globals[] = {
	{ "--exec-path", OPTIONAL, take_exec_path },
	{ "--html-path", FLAG, take_html_path },
	{ "--paginate", FLAG, take_paginate },
	{ "-p", FLAG, take_paginate },
	{ "--no-pager", FLAG, take_no_pager },
	{ "--debugfs-dir", VALUE, take_debugfs_dir },
	{ "--buildid-dir", VALUE, take_buildid_dir },
	{ "--list-cmds", FLAG, take_list_commands },
	{ "--list-opts", FLAG, take_list_options },
	{ "--list-events", FLAG, take_list_events },
	{ "--debug", VALUE, take_debug },
};

static const struct global *find(const char *word, const char **value)
{
	size_t len = strcspn(word, "=");

	*value = word[len] ? word + len + 1 : NULL;
	for (size_t i = 0; i < ARRAY_SIZE(globals); i++)
		if (strlen(globals[i].name) == len && !strncmp(globals[i].name, word, len) &&
		    !(*value && globals[i].kind == FLAG))
			return &globals[i];
	return NULL;
}

int global_options__take(struct global_options *g, int argc, const char **argv)
{
	int nr = 0;

	*g = (struct global_options){};
	while (nr < argc && argv[nr][0] == '-') {
		const char *value;
		const struct global *o = find(argv[nr], &value);

		if (!o)
			break;
		if (o->kind == VALUE && !value) {
			if (++nr == argc) {
				fprintf(stderr, "perf: %s needs a value\n", o->name);
				return -1;
			}
			value = argv[nr];
		}
		nr++;
		if (o->take(g, value))
			return -1;
	}
	return nr;
}

void global_options__list(void)
{
	printf("--help --version");
	for (size_t i = 0; i < ARRAY_SIZE(globals); i++)
		if (globals[i].name[1] == '-')
			printf(" %s", globals[i].name);
	printf("\n");
}
