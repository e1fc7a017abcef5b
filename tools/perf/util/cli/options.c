// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/suggest.h"
#include "options.h"
#include "other-perf.h"
#include "usage.h"

#define NAMES_MAX 512 /* bytes of the names of the options that a mistake is about */

/* The state of a parse. */
struct parser {
	const struct option *options;
	const char *const *usage;
	const char **argv;
	int argc, pos; /* pos: the present argument */
	bool *given;   /* by option; or NULL */
};

/* A mistake with @o: prints "option `name'" and what is wrong with it, and the help of @o. */
static _Noreturn void __printf_like(3, 4) die_of(struct parser *p, const struct option *o,
						 const char *fmt, ...)
{
	char names[NAMES_MAX] = "", letter[] = { o->short_name, 0 }, what[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof(what), fmt, ap);
	va_end(ap);
	usage__add_name(names, sizeof(names), o);
	usage__die_about(p->options, p->usage, names, "%s `%s'%s",
			 o->long_name ? "option" : "switch", o->long_name ?: letter, what);
}

/* Shows what to use instead, if its help names an option. */
static _Noreturn void refuse(struct parser *p, const struct option *o)
{
	char letter[] = { o->short_name, 0 }, path[PATH_MAX];
	bool other = other_perf__find(path);

	usage__die_about(p->options, p->usage, o->help ?: "",
			 "option `%s' of Linux perf is not supported%s%s%s%s",
			 o->long_name ?: letter, o->help ? ": " : "", o->help ?: "",
			 other ? "\nThis other perf may support it: " : "", other ? path : "");
}

/* After the message of a callback. */
static _Noreturn void exit_of(struct parser *p, const struct option *o)
{
	char names[NAMES_MAX] = "";

	usage__add_name(names, sizeof(names), o);
	usage__exit(p->options, p->usage, names);
}

static void set_number(struct parser *p, const struct option *o, const char *arg)
{
	u64 v;

	if (!parse_u64(arg, &v))
		die_of(p, o, ": '%s' is not a number", arg);
	if (o->type == OPTION_UINT && v > UINT32_MAX)
		die_of(p, o, ": '%s' is too large", arg);
	if (o->type == OPTION_UINT)
		*(unsigned int *)o->value = v;
	else
		*(u64 *)o->value = v;
}

static void clear_value(const struct option *o)
{
	switch (o->type) {
	case OPTION_BOOL:
		*(bool *)o->value = false;
		break;
	case OPTION_INCR:
		*(int *)o->value = 0;
		break;
	case OPTION_UINT:
		*(unsigned int *)o->value = 0;
		break;
	case OPTION_U64:
		*(u64 *)o->value = 0;
		break;
	case OPTION_STRING:
		*(const char **)o->value = NULL;
		break;
	default:
		break;
	}
}

/* @arg: the value that was found, NULL for none. */
static void apply(struct parser *p, const struct option *o, const char *arg, bool unset)
{
	/* Not to do what is never done is easy: perf2bolt asks for --no-itrace. */
	if (o->type == OPTION_REFUSED && unset)
		return;
	if (o->type == OPTION_REFUSED)
		refuse(p, o);
	if (p->given)
		p->given[o - p->options] = true;
	if (!arg && usage__takes_value(o) && (o->flags & (OPT_OPTARG | OPT_LASTARG)))
		arg = o->defval;
	if (o->type == OPTION_CALLBACK) {
		if (o->callback(o, arg, unset) < 0)
			exit_of(p, o);
		return;
	}
	if (unset) {
		clear_value(o);
		return;
	}
	switch (o->type) {
	case OPTION_BOOL:
		*(bool *)o->value = true;
		break;
	case OPTION_INCR:
		++*(int *)o->value;
		break;
	case OPTION_STRING:
		*(const char **)o->value = arg;
		break;
	default:
		set_number(p, o, arg);
	}
}

/* Returns the next argument, which must be the value. */
static const char *next_arg(struct parser *p, const struct option *o)
{
	if (o->flags & OPT_LASTARG && (p->pos + 1 == p->argc || p->argv[p->pos + 1][0] == '-'))
		return NULL;
	if (p->pos + 1 < p->argc)
		return p->argv[++p->pos];
	die_of(p, o, " requires a value");
}

static void parse_short(struct parser *p)
{
	const char *arg = p->argv[p->pos] + 1;

	while (*arg) {
		const struct option *o = p->options;

		while (o->type != OPTION_END && (o->type == OPTION_GROUP || o->short_name != *arg))
			o++;
		if (o->type == OPTION_END)
			usage__die(p->options, p->usage, "unknown switch `%c'", *arg);
		arg++;
		if (!usage__takes_value(o)) {
			apply(p, o, NULL, false);
			continue;
		}
		if (*arg)
			apply(p, o, arg, false);
		else
			apply(p, o, o->flags & OPT_OPTARG ? NULL : next_arg(p, o), false);
		return;
	}
}

struct match {
	const struct option *opt;
	bool unset, exact;
	int nr; /* how many options the abbreviation fits */
};

static void try_match(struct match *m, const struct option *o, const char *name, size_t len,
		      bool unset)
{
	if (strncmp(o->long_name, name, len))
		return;
	if (o->long_name[len]) {
		if (m->exact)
			return;
		m->nr++;
	} else {
		if (m->exact)
			return;
		m->exact = true;
		m->nr = 1;
	}
	if (m->nr == 1 || m->exact) {
		m->opt = o;
		m->unset = unset;
	}
}

static struct match find_refused(const struct option *options, const char *name, size_t len)
{
	struct match m = {};

	for (const struct option *o = options; o->type != OPTION_END; o++) {
		if (o->type != OPTION_REFUSED || !o->long_name)
			continue;
		try_match(&m, o, name, len, false);
		if (len > 3 && !strncmp(name, "no-", 3) && strlen(o->long_name) == len - 3)
			try_match(&m, o, name + 3, len - 3, true);
	}
	return m;
}

/* An abbreviation that is unique among the supported options is not ambiguous because of others. */
static struct match find_long(const struct option *options, const char *name, size_t len)
{
	struct match refused = find_refused(options, name, len), m = {};

	if (refused.exact)
		return refused;
	for (const struct option *o = options; o->type != OPTION_END; o++) {
		if (o->type == OPTION_GROUP || o->type == OPTION_REFUSED || !o->long_name)
			continue;
		try_match(&m, o, name, len, false);
		if (o->flags & OPT_NONEG)
			continue;
		if (len > 3 && !strncmp(name, "no-", 3))
			try_match(&m, o, name + 3, len - 3, true);
		/* An option that is itself called no-x is undone by --x. */
		if (!strncmp(o->long_name, "no-", 3) && !strncmp(o->long_name + 3, name, len) &&
		    !o->long_name[3 + len] && !m.exact)
			m = (struct match){ .opt = o, .unset = true, .exact = true, .nr = 1 };
	}
	return m.nr ? m : refused;
}

static _Noreturn void unknown_long(struct parser *p, const char *name, size_t len)
{
	struct suggest near = {};
	char text[256] = "";

	for (const struct option *o = p->options; o->type != OPTION_END; o++)
		if (o->type != OPTION_GROUP && o->type != OPTION_REFUSED && o->long_name)
			suggest__try(&near, name, len, o->long_name);
	suggest__print(&near, "--", text, sizeof(text));
	usage__die_about(p->options, p->usage, text, "unknown option `%.*s'%s", (int)len, name,
			 text);
}

static _Noreturn void ambiguous_long(struct parser *p, const char *name, size_t len)
{
	char names[NAMES_MAX] = "";

	for (const struct option *o = p->options; o->type != OPTION_END; o++)
		if (o->type != OPTION_GROUP && o->long_name && !strncmp(o->long_name, name, len))
			usage__add_name(names, sizeof(names), o);
	usage__die_about(p->options, p->usage, names, "option `%.*s' is ambiguous", (int)len,
			 name);
}

/* The words after -h select options. */
static _Noreturn void help(struct parser *p)
{
	usage__help(p->options, p->usage, p->argv + p->pos + 1);
	exit(0);
}

static void parse_long(struct parser *p)
{
	const char *name = p->argv[p->pos] + 2;
	size_t len = strcspn(name, "=");
	const char *arg = name[len] ? name + len + 1 : NULL;
	struct match m;

	if (!strcmp(name, "help"))
		help(p);
	m = find_long(p->options, name, len);
	if (!m.nr)
		unknown_long(p, name, len);
	if (m.nr > 1)
		ambiguous_long(p, name, len);
	if (arg && (m.unset || !usage__takes_value(m.opt)) && m.opt->type != OPTION_REFUSED)
		die_of(p, m.opt, " takes no value");
	if (!arg && !m.unset && usage__takes_value(m.opt) && !(m.opt->flags & OPT_OPTARG))
		arg = next_arg(p, m.opt);
	apply(p, m.opt, arg, m.unset);
}

static bool has_short(const struct option *o, int c)
{
	for (; o->type != OPTION_END; o++)
		if (o->type != OPTION_GROUP && o->short_name == c)
			return true;
	return false;
}

/* For completion, in one line: every long name, or all names of those whose value follows. */
static _Noreturn void list_names(const struct option *o, bool with_value)
{
	for (; o->type != OPTION_END; o++) {
		if (o->type == OPTION_GROUP || o->type == OPTION_REFUSED)
			continue;
		if (with_value && (!usage__takes_value(o) || o->flags & OPT_OPTARG))
			continue;
		if (with_value && o->short_name)
			printf("-%c ", o->short_name);
		if (o->long_name)
			printf("--%s ", o->long_name);
	}
	printf("\n");
	exit(0);
}

int options__parse(int argc, const char **argv, const struct option *options,
		   const char *const usage[], int flags)
{
	return options__parse_given(argc, argv, options, usage, flags, NULL);
}

int options__parse_given(int argc, const char **argv, const struct option *options,
			 const char *const usage[], int flags, bool *given)
{
	struct parser p = { .options = options, .usage = usage, .argv = argv, .argc = argc,
			    .given = given };
	int left = 0;

	if (argc == 2 && (!strcmp(argv[1], "--list-opts") || !strcmp(argv[1], "--list-values")))
		list_names(options, argv[1][7] == 'v');
	for (p.pos = 1; p.pos < argc; p.pos++) {
		const char *arg = argv[p.pos];

		if (arg[0] != '-' || !arg[1]) {
			if (flags & PARSE_STOP_AT_NON_OPTION)
				break;
			argv[left++] = arg;
		} else if (!strcmp(arg, "--")) {
			p.pos++;
			break;
		} else if (arg[1] == '-') {
			parse_long(&p);
		} else if (!strcmp(arg, "-h") && !has_short(options, 'h')) {
			help(&p);
		} else {
			parse_short(&p);
		}
	}
	while (p.pos < argc)
		argv[left++] = argv[p.pos++];
	argv[left] = NULL;
	return left;
}
