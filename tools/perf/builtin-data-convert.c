// SPDX-License-Identifier: GPL-2.0-only
/* perf data convert: a recording in another format. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/options.h"
#include "util/export/convert.h"
#include "util/export/forms.h"
#include "util/pipeline/pipeline.h"

static const char *const convert_usage[] = {
	"perf data convert --to <format> [<options>]",
	NULL,
};

/* "folded, pprof, gecko" */
static char *format_names(void)
{
	char *names = xstrdup(""), *more;

	for (const struct export_format *const *f = export_formats(); *f; f++) {
		more = xasprintf("%s%s%s", names, *names ? ", " : "", (*f)->name);
		free(names);
		names = more;
	}
	return names;
}

#define WHY_NO_CTF "CTF is not written; --to gecko and --to json keep times"

/* Formats that are asked for, and not written. Figures are in Documentation/figures/exports.md. */
static const char *why_not(const char *format)
{
	static const struct { const char *format, *why; } refused[] = {
		{ "autofdo", "profiles for clang and gcc are not written: without branch records "
			     "they gained 1 to 7 % in tests, which is within the noise; --to pprof "
			     "is for go build -pgo" },
		{ "ctf", WHY_NO_CTF },
#ifndef HAVE_SQLITE_SUPPORT
		{ "sqlite", "perf was built without SQLite (libsqlite3-dev)" },
#endif
		{ "parquet", "Parquet is not written; --to sqlite writes tables that DuckDB and "
			     "others can read" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if (!strcmp(refused[i].format, format))
			return refused[i].why;
	return NULL;
}

static void choose_format(struct convert_opts *c, const char *to, const struct option *options)
{
	char *names = format_names();

	if (!to)
		usage__die(options, convert_usage, "--to needs a format: %s", names);
	c->format = export_format__find(to);
	if (!c->format && why_not(to))
		usage__die(options, convert_usage, "%s", why_not(to));
	if (!c->format)
		usage__die(options, convert_usage, "'%s' is not a format; formats are "
						   "%s", to, names);
	free(names);
}

int data__convert(int argc, const char **argv)
{
	struct convert_opts c = {
		.command = "perf data convert", .opts = { .lines = true },
		.symbols = { .inlines = true },
	};
	const char *to = NULL, *json = NULL;
	struct debug_servers servers;
	bool quiet = false, demangle = true;
	char *output = NULL;
	int verbose = 0, status;
	const struct option options[] = {
		OPT_STRING(0, "to", &to, "format", "folded, pprof, gecko, speedscope, "
			   "otlp, json, sqlite, perfetto, html or svg"),
		OPT_STRING(0, "to-json", &json, "file", "the same as --to json -o file"),
		OPT_STRING('i', "input", &c.input, "file", "read this recording (- is stdin)"),
		OPT_STRING('o', "output", &c.output, "file", "write to this file (- is stdout); by "
			   "default INPUT.FORMAT"),
		OPT_BOOL(0, "samples", &c.opts.values_are_samples,
			 "folded: count samples instead of periods"),
		OPT_BOOL(0, "lines", &c.opts.lines, "with source lines, if the format has them "
						    "(default)"),
		OPT_BOOL(0, "inline", &c.symbols.inlines, "with inlined functions (default)"),
		OPT_UINT(0, "max-stack", &c.opts.max_stack, "n", "use at most <n> frames of each "
			 "callchain"),
		OPT_SAMPLE_FILTER(c.only),
		OPT_UNWIND_SOURCES(c.unwind),
		OPT_NO_UNWIND_CACHE(c.symbols.binary),
		OPT_SYMFS(c.symbols.binary),
		OPT_KALLSYMS(c.symbols),
		OPT_VMLINUX(c.symbols),
		OPT_DEMANGLE(demangle),
		OPT_BOOL('f', "force", &c.force, "read recordings that belong to other users"),
		OPT_BOOL('q', "quiet", &quiet, "print errors only"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		OPT_REFUSED(0, "to-ctf", WHY_NO_CTF),
		OPT_REFUSED(0, "all", "every sample is written with all fields of the format"),
		OPT_REFUSED(0, "tod", "times are in the recording's clock"),
		OPT_END(),
	};
	bool given[ARRAY_SIZE(options)] = {};

	argc = options__parse_given(argc, argv, options, convert_usage, 0, given);
	if (argc)
		usage__die(options, convert_usage, "unexpected argument '%s': name files with -i "
			   "and -o", argv[0]);
	if (json && (to || c.output))
		usage__die(options, convert_usage, "--to-json names a file of its own: leave out "
			   "--to and -o");
	c.output = json ?: c.output;
	choose_format(&c, json ? "json" : to, options);
	export_forms__check(c.format, options, convert_usage, given);
	log__set_level(quiet ? LOG_QUIET : verbose);
	c.symbols.no_demangle = !demangle;
	if (!c.output)
		c.output = output = xasprintf("%s.%s", !c.input ? "perf.data" :
					      !strcmp(c.input, "-") ? "perf" : c.input,
					      c.format->suffix);
	if (c.format->binary && !strcmp(c.output, "-") && isatty(STDOUT_FILENO))
		usage__die(options, convert_usage, "%s is not a text format for a terminal: name a "
						   "file with -o", to);
	debug_servers__use(&servers, &c.symbols.binary);
	status = convert__run(&c, NULL);
	free(output);
	return status;
}
