// SPDX-License-Identifier: GPL-2.0-only
#include "usage.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_USAGE 129
#define NAME_CHARS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"

bool usage__takes_value(const struct option *o)
{
	switch (o->type) {
	case OPTION_UINT:
	case OPTION_U64:
	case OPTION_STRING:
		return true;
	case OPTION_CALLBACK:
		return !(o->flags & OPT_NOARG);
	default:
		return false;
	}
}

static int print_names(FILE *f, const struct option *o)
{
	const char *argh = o->argh ? o->argh : "value";
	int n = fprintf(f, "    ");

	if (o->short_name)
		n += fprintf(f, "-%c", o->short_name);
	if (o->short_name && o->long_name)
		n += fprintf(f, ", ");
	if (o->long_name)
		n += fprintf(f, "--%s", o->long_name);
	if (usage__takes_value(o)) {
		if (o->flags & OPT_LASTARG)
			n += fprintf(f, " [<%s>]", argh);
		else if (!(o->flags & OPT_OPTARG))
			n += fprintf(f, " <%s>", argh);
		else
			n += fprintf(f, o->long_name ? "[=<%s>]" : "[<%s>]", argh);
	}
	return n;
}

static void print_option(FILE *f, const struct option *o)
{
	enum { HELP_COLUMN = 30 };
	const char *line = o->help ? o->help : "";
	int n = print_names(f, o);

	if (n >= HELP_COLUMN) {
		fputc('\n', f);
		n = 0;
	}
	while (*line) {
		size_t len = strcspn(line, "\n");

		fprintf(f, "%*s%.*s\n", HELP_COLUMN - n, "", (int)len, line);
		line += len + (line[len] == '\n');
		n = 0;
	}
}

static bool is_shown(const struct option *o)
{
	return o->type != OPTION_GROUP && o->type != OPTION_REFUSED;
}

/* @word: -x, or --name, with or without "no-". */
static bool is_named(const struct option *o, const char *word, size_t len)
{
	if (len == 2 && word[1] != '-')
		return o->short_name == word[1];
	if (len <= 2 || !o->long_name)
		return false;
	word += 2;
	len -= 2;
	if (strlen(o->long_name) == len && !strncmp(o->long_name, word, len))
		return true;
	if (len <= 3 || strncmp(word, "no-", 3) || o->flags & OPT_NONEG)
		return false;
	return strlen(o->long_name) == len - 3 && !strncmp(o->long_name, word + 3, len - 3);
}

static bool is_among(const struct option *o, const char *names)
{
	const char *at = names;
	size_t len;

	for (; (at = strchr(at, '-')); at += len ?: 1) {
		len = strspn(at, NAME_CHARS);
		/* A hyphen inside of a word does not begin a name. */
		if ((at == names || !strchr(NAME_CHARS, at[-1])) && is_named(o, at, len))
			return true;
	}
	return false;
}

static bool is_about(const struct option *o, const char *const words[])
{
	for (; *words; words++)
		if (is_among(o, *words) || (o->help && strcasestr(o->help, *words)) ||
		    (o->long_name && strstr(o->long_name, *words)))
			return true;
	return false;
}

static void print_lines(FILE *f, const char *const usage[])
{
	fprintf(f, "\n Usage: %s\n", *usage);
	while (*++usage)
		fprintf(f, "    or: %s\n", *usage);
	fputc('\n', f);
}

void usage__help(const struct option *options, const char *const usage[],
		 const char *const words[])
{
	print_lines(stdout, usage);
	for (; options->type != OPTION_END; options++) {
		if (options->type == OPTION_GROUP && !*words)
			printf("\n%s\n", options->help);
		if (is_shown(options) && (!*words || is_about(options, words)))
			print_option(stdout, options);
	}
	fputc('\n', stdout);
}

/* The length of "perf record" in "perf record [<options>] [<command>]". */
static int command_length(const char *usage)
{
	size_t len = strcspn(usage, " ");

	/* Words, up to the option of "perf data push --url <url>". */
	while (usage[len] && islower((unsigned char)usage[len + 1]))
		len += 1 + strcspn(usage + len + 1, " ");
	return len;
}

_Noreturn void usage__exit(const struct option *options, const char *const usage[],
			   const char *names)
{
	bool any = false;

	print_lines(stderr, usage);
	for (const struct option *o = options; o->type != OPTION_END; o++) {
		if (!is_shown(o) || !is_among(o, names))
			continue;
		print_option(stderr, o);
		any = true;
	}
	if (options->type != OPTION_END)
		fprintf(stderr, "%s See '%.*s -h' for all options.\n", any ? "\n" : "",
			command_length(*usage), *usage);
	exit(EXIT_USAGE);
}

static _Noreturn void die(const struct option *options, const char *const usage[],
			  const char *names, const char *fmt, va_list ap)
{
	fputs("Error: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	usage__exit(options, usage, names);
}

_Noreturn void usage__die_about(const struct option *options, const char *const usage[],
				const char *names, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	die(options, usage, names, fmt, ap);
}

_Noreturn void usage__die(const struct option *options, const char *const usage[],
			  const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	die(options, usage, fmt, fmt, ap);
}

void usage__add_name(char *names, size_t size, const struct option *o)
{
	size_t len = strlen(names);

	if (o->long_name)
		snprintf(names + len, size - len, " --%s", o->long_name);
	else
		snprintf(names + len, size - len, " -%c", o->short_name);
}
