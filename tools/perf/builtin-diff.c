// SPDX-License-Identifier: GPL-2.0-only
/* perf diff: how the profiles of recordings differ, and what of that may be chance. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtin-diff.h"
#include "builtin-refused.h"
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/config.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/reader-privileges.h"

#define LIST_LINES 20

static const char *const diff_usage[] = {
	"perf diff [<options>] [<baseline> [<file>...]]",
	"perf diff --runs [<options>] <before>... -- <after>...",
	NULL
};

static int parse_compute(struct diff_order *o, const char *s)
{
	s64 before, after;
	int used = 0;

	if (!strcmp(s, "delta"))
		o->method = DIFF_DELTA;
	else if (!strcmp(s, "delta-abs"))
		o->method = DIFF_DELTA_ABS;
	else if (!strcmp(s, "ratio"))
		o->method = DIFF_RATIO;
	else if (sscanf(s, "wdiff:%" SCNd64 ",%" SCNd64 "%n", &before, &after, &used) == 2 &&
		 !s[used])
		*o = (struct diff_order){ .method = DIFF_WEIGHTED, .weight_before = before,
					  .weight_after = after, .run = o->run };
	else
		return -EINVAL;
	return 0;
}

static int parse_norm(enum diff_norm *norm, const char *s)
{
	static const char *const words[] = {
		[DIFF_PER_CYCLES] = "cycles", [DIFF_PER_SAMPLES] = "samples",
		[DIFF_PER_TIME] = "time", [DIFF_PER_RUN] = "run",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], s)) {
			*norm = i;
			return 0;
		}
	return -EINVAL;
}

static int parse_format(enum diff_format *format, const char *s)
{
	static const char *const words[] = {
		[DIFF_TEXT] = "text", [DIFF_MARKDOWN] = "markdown", [DIFF_JSON] = "json",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i], s)) {
			*format = i;
			return 0;
		}
	return -EINVAL;
}

static int parse_confidence(double *out, const char *s)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || (*end && strcmp(end, "%")) || !(v >= 50 && v < 100))
		return -EINVAL;
	*out = v / 100;
	return 0;
}

static int parse_limit(const struct option *opt, const char *arg, bool unset)
{
	struct diff *d = opt->value;
	struct error err = {};

	if (!diff_limit__parse(vec__push(&d->limits), arg, &err)) {
		d->runs = true;
		return 0;
	}
	pr_err("%s\n", err.text);
	return -1;
}

/* Keys whose text is known from a sample alone. */
static int make_keys(struct diff *d, struct error *err)
{
	int ret = column_list__parse(&d->keys, d->sort ?: "dso,sym", err);

	for (unsigned int i = 0; !ret && i < d->keys.nr; i++)
		if (d->keys.v[i] > COLUMN_SYMOFF || !column__is_key(d->keys.v[i]))
			ret = error__set(err, -EINVAL, "perf diff cannot sort by '%s': use comm, "
					 "pid, tid, cpu, dso, sym, symoff, srcfile or srcline",
					 column__title(d->keys.v[i]));
	return ret;
}

static void check_options(struct diff *d, const struct option *options)
{
	struct error err = {};

	if (make_keys(d, &err))
		usage__die(options, diff_usage, "%s", err.text);
	if (d->compute && parse_compute(&d->text.order, d->compute))
		usage__die(options, diff_usage, "--compute is delta, delta-abs, ratio or "
			   "wdiff:W1,W2, not '%s'", d->compute);
	if (parse_norm(&d->groups.norm, d->normalize))
		usage__die(options, diff_usage, "--normalize is cycles, samples, time or run, not "
			   "'%s'", d->normalize);
	if (parse_confidence(&d->groups.confidence, d->confidence))
		usage__die(options, diff_usage, "--confidence is a percentage of 50 to less than "
			   "100, not '%s'", d->confidence);
	if (parse_format(&d->changes.format, d->format))
		usage__die(options, diff_usage, "--format is text, markdown or json, not '%s'",
			   d->format);
	d->relative = d->percentage && !strcmp(d->percentage, "relative");
	if (d->percentage && !d->relative && strcmp(d->percentage, "absolute"))
		usage__die(options, diff_usage, "--percentage is relative or absolute");
	if (d->text.separator && (!*d->text.separator || *d->text.separator == '.'))
		usage__die(options, diff_usage, "--field-separator must be neither empty nor a "
			   "dot: a dot replaces the separator in names");
	d->runs |= d->with_paths || d->groups.paired || d->changes.format != DIFF_TEXT;
	for (size_t i = 0; i < d->limits.nr; i++) {
		const struct diff_limit *l = &d->limits.v[i];

		if (l->function && !column_list__has(&d->keys, COLUMN_SYM))
			usage__die(options, diff_usage, "--fail-if needs functions: add sym to "
				   "--sort");
		if (l->points && !diff_norm__is_share(d->groups.norm))
			usage__die(options, diff_usage, "--fail-if in percent points (pp) needs "
				   "shares: --normalize cycles or samples");
	}
}

/* With --runs, the files in front of a "--" are before; options__parse() drops it. */
static u32 count_behind_dashes(int argc, const char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - i - 1;
	return 0;
}

static void choose_files(struct diff *d, int argc, const char **argv, u32 nr_after,
			 const struct option *options)
{
	if (argc < 2 && !nr_after) {
		*vec__push(&d->files) = "perf.data.old";
		*vec__push(&d->files) = argc ? argv[0] : "perf.data";
	} else {
		for (int i = 0; i < argc; i++)
			*vec__push(&d->files) = argv[i];
	}
	if (nr_after || (d->runs && d->files.nr == 2)) {
		d->runs = true;
		d->groups.nr_before = d->files.nr - (nr_after ?: 1);
	}
	for (size_t i = 0; i < d->limits.nr && d->files.nr == 2; i++)
		if (d->limits.v[i].what == DIFF_LIMIT_RUN)
			usage__die(options, diff_usage, "--fail-if '%s' needs several recordings: "
				   "two say nothing of how much runs differ anyway",
				   d->limits.v[i].text);
	if (d->runs && (!d->groups.nr_before || d->groups.nr_before == d->files.nr))
		usage__die(options, diff_usage, "--runs compares two groups of recordings: write "
			   "-- between them");
	if (d->groups.paired && (d->files.nr < 4 || d->groups.nr_before * 2 != d->files.nr))
		usage__die(options, diff_usage, "--paired needs as many recordings before as "
			   "after, and two at least: there are %u and %u", d->groups.nr_before,
			   (u32)d->files.nr - d->groups.nr_before);
}

static void take_settings(struct diff *d)
{
	const struct config_entry *e;
	struct diff_order order = {};
	struct config config;

	config__load(&config, NULL);
	e = config__find(&config, "diff.compute");
	if (e && e->value && !parse_compute(&order, e->value))
		d->text.order = order;
	e = config__find(&config, "diff.order");
	if (e && e->value && atoi(e->value) >= 0)
		d->order_run = atoi(e->value);
	config__free(&config);
}

static int compare(struct diff *d)
{
	struct error err = {};
	int ret = 0, damaged = 0, status;

	for (u32 i = 0; !ret && i < d->files.nr; i++) {
		ret = diff__read(d, i, &err);
		if (ret == -EBADMSG && !err.code) {
			damaged = ret;
			ret = 0;
		}
	}
	if (!ret && !d->nr_samples)
		pr_warn("no samples: nothing can be compared\n");
	status = ret ? ret : diff__put(d, &err);
	if (status >= 0 && d->html && diff__write_page(d, d->html, &err))
		status = -EIO;
	textbuf__flush(&d->out);
	if (err.code)
		pr_err("%s\n", err.text);
	if (status < 0 || damaged || (d->out.error && d->out.error != -EPIPE))
		return 1;
	return status;
}

static void free_all(struct diff *d)
{
	for (size_t i = 0; i < d->events.nr; i++) {
		free(d->events.v[i].name);
		diff_table__free(&d->events.v[i].table);
		if (d->with_paths)
			diff_paths__free(&d->events.v[i].paths);
	}
	for (size_t i = 0; i < d->limits.nr; i++)
		diff_limit__free(&d->limits.v[i]);
	vec__free(&d->limits);
	vec__free(&d->events);
	vec__free(&d->files);
	textbuf__free(&d->out);
}

#define DIFF_RUNS_OPTIONS(d)                                                                  \
	OPT_GROUP("Groups of runs"),                                                          \
	OPT_BOOL(0, "runs", &(d).runs, "compare groups of repeated runs, before -- after: "   \
		 "what has changed by more than chance"),                                     \
	OPT_BOOL(0, "paired", &(d).groups.paired, "the nth runs before and after were "       \
		 "recorded in turns: compare them in pairs (implies --runs)"),                \
	OPT_BOOL(0, "paths", &(d).with_paths, "compare paths, too (implies --runs)"),         \
	OPT_STRING(0, "normalize", &(d).normalize, "cycles|samples|time|run",                 \
		   "compare shares of event counts (default) or of samples, counts per "      \
		   "second, or counts of a run"),                                             \
	{ .type = OPTION_CALLBACK, .long_name = "fail-if", .value = &(d),                     \
	  .argh = "condition", .callback = parse_limit, .flags = OPT_NONEG,                   \
	  .help = "end with status 2 if it holds: 'self(FUNC) > +3%', 'total(FUNC) > 1pp', "  \
		  "'any > 5%', 'run > 2%' (implies --runs)" },                                \
	OPT_STRING(0, "format", &(d).format, "text|markdown|json",                            \
		   "how --runs prints; markdown and json imply it"),                          \
	OPT_STRING(0, "confidence", &(d).confidence, "percent",                               \
		   "of intervals; the rest is the part of the list that may be chance (99)"), \
	OPT_UINT(0, "limit", &(d).changes.limit, "n", "lines of each list (20; 0: all)"),     \
	OPT_BOOL(0, "all", &(d).changes.all, "list also what may be chance")

int cmd_diff(int argc, const char **argv)
{
	struct diff d = {
		.normalize = "cycles", .format = "text", .confidence = "99",
		.order_run = 1, .text.order.method = DIFF_DELTA_ABS, .changes.limit = LIST_LINES,
	};
	bool demangle = true;
	const struct option options[] = {
		OPT_BOOL('b', "baseline-only", &d.text.baseline_only,
			 "only what the first recording and another have"),
		OPT_STRING('c', "compute", &d.compute, "method", "delta, delta-abs (default), "
			   "ratio or wdiff:W1,W2"),
		OPT_STRING('C', "comms", &d.only.comms, "list", "only samples of these commands"),
		OPT_STRING(0, "cpu", &d.only.cpus, "list", "only samples taken on these CPUs"),
		OPT_STRING('d', "dsos", &d.only.dsos, "list", "only samples in these binaries"),
		OPT_STRING('S', "symbols", &d.only.syms, "list", "only samples in these functions"),
		OPT_STRING(0, "pid", &d.only.pids, "list", "only samples of these processes"),
		OPT_STRING(0, "tid", &d.only.tids, "list", "only samples of these threads"),
		OPT_STRING(0, "time", &d.time, "start,stop[:start,stop...]",
			   "only samples in this time range; of each recording its own"),
		OPT_BOOL('F', "formula", &d.text.formulas, "add a column with the formula"),
		OPT_UINT('o', "order", &d.order_run, "n", "sort by the column of this recording "
			 "(1); 0: by the first one"),
		OPT_BOOL('p', "period", &d.text.periods, "add columns with the periods"),
		OPT_STRING(0, "percentage", &d.percentage, "relative|absolute",
			   "percentages of the filtered samples, or of all samples (default)"),
		OPT_STRING('s', "sort", &d.sort, "key,...", "keys: comm, pid, tid, cpu, dso, sym, "
			   "symoff, srcfile, srcline (dso,sym)"),
		OPT_STRING('t', "field-separator", &d.text.separator, "string",
			   "print this between columns"),
		DIFF_RUNS_OPTIONS(d),
		OPT_STRING(0, "html", &d.html, "file", "also write a page with a flame graph of "
			   "the differences"),
		OPT_GROUP("Where names come from"),
		OPT_SYMFS(d.symbols.binary),
		OPT_KALLSYMS(d.symbols),
		OPT_VMLINUX(d.symbols),
		OPT_DEMANGLE(demangle),
		OPT_BOOL('m', "modules", &d.accepted, "no effect: symbols of modules are loaded"),
		OPT_BOOL('f', "force", &d.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &d.verbose, "print more messages, and the files' names"),
		OPT_BOOL('q', "quiet", &d.quiet, "print neither '#' lines nor warnings"),
		DIFF_REFUSED_OPTIONS,
		OPT_END(),
	};
	u32 nr_after = count_behind_dashes(argc, argv);
	int ret;

	take_settings(&d);
	argc = options__parse(argc, argv, options, diff_usage, 0);
	check_options(&d, options);
	choose_files(&d, argc, argv, nr_after, options);
	if (d.order_run >= d.files.nr)
		usage__die(options, diff_usage, "--order %u: there are only %zu recordings, from 0",
			   d.order_run, d.files.nr);
	log__set_level(d.quiet ? LOG_QUIET : d.verbose);
	d.symbols.no_demangle = !demangle;
	debug_servers__use(&d.servers, &d.symbols.binary);
	pager__textbuf(&d.out);
	reader__drop_privileges(d.html);
	ret = compare(&d);
	free_all(&d);
	pager__wait();
	return ret;
}
