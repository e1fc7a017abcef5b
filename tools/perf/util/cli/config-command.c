// SPDX-License-Identifier: GPL-2.0-only
#include "config-command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../text/textbuf.h"
#include "config-file.h"

struct config_command {
	const struct config_command_opts *opts;
	char *file;           /* that is changed, and alone shown with .user and .system */
	struct textbuf out;
};

static void load(const struct config_command *c, struct config *config)
{
	if (c->opts->user || c->opts->system) {
		*config = (struct config){};
		config__load_file(config, c->file, pr_warn);
	} else {
		config__load(config, pr_warn);
	}
}

static void put_entry(struct textbuf *out, const struct config_entry *e)
{
	/* A name without a value means yes. */
	textbuf__name(out, e->name);
	textbuf__puts(out, "=");
	textbuf__puts(out, e->value ?: "true"); /* as it is: it may be read again */
	textbuf__puts(out, "\n");
}

/* Each setting once, with the value that counts. */
static void put_all(struct config_command *c)
{
	struct config config;

	load(c, &config);
	for (size_t i = 0; i < config.entries.nr; i++) {
		const struct config_entry *e = &config.entries.v[i];
		bool seen = false;

		for (size_t k = 0; k < i && !seen; k++)
			seen = !strcmp(config.entries.v[k].name, e->name);
		if (!seen)
			put_entry(&c->out, config__find(&config, e->name));
	}
	config__free(&config);
}

/* Names are in lower case in front of the first dot and behind the last. */
static char *canonical(const char *name)
{
	char *out = xstrdup(name);

	for (char *s = out; *s && *s != '.'; s++)
		*s = (*s >= 'A' && *s <= 'Z') ? *s + 'a' - 'A' : *s;
	for (char *s = strrchr(out, '.'); s && *s; s++)
		*s = (*s >= 'A' && *s <= 'Z') ? *s + 'a' - 'A' : *s;
	return out;
}

static void put_one(struct config_command *c, const char *arg)
{
	char *name = canonical(arg);
	const struct config_entry *e;
	struct config config;

	load(c, &config);
	e = config__find(&config, name);
	if (e)
		put_entry(&c->out, e);
	config__free(&config);
	free(name);
}

static int set_one(const struct config_command *c, const char *arg, const char *equals,
		   struct error *err)
{
	char *given = xasprintf("%.*s", (int)(equals - arg), arg), *name = canonical(given);
	int ret;

	if (equals[1])
		ret = config_file__set(c->file, name, equals + 1, err);
	else
		ret = error__set(err, -EINVAL, "'%s' has no value", arg);
	if (ret)
		error__prefix(err, "%s", c->file);
	free(given);
	free(name);
	return ret;
}

static int run_arg(struct config_command *c, const char *arg, struct error *err)
{
	const char *equals = strchr(arg, '=');
	const char *dot = strchr(arg, '.');

	if (!dot || dot == arg || (equals && dot > equals))
		return error__set(err, -EINVAL, "'%s' has no section: write SECTION.NAME", arg);
	if (equals)
		return set_one(c, arg, equals, err);
	put_one(c, arg);
	return 0;
}

int config_command__run(const struct config_command_opts *opts)
{
	struct config_command c = { .opts = opts };
	struct error err = {};
	int ret = 0;

	textbuf__init(&c.out, STDOUT_FILENO);
	c.file = config_file__name(opts->system, &err);
	if (!c.file)
		ret = err.code;
	if (!ret && !opts->nr_words)
		put_all(&c);
	for (size_t i = 0; !ret && i < opts->nr_words; i++)
		ret = run_arg(&c, opts->words[i], &err);
	textbuf__flush(&c.out);
	if (c.out.error)
		ret = c.out.error;
	textbuf__free(&c.out);
	free(c.file);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret ? 1 : 0;
}
