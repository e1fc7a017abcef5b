// SPDX-License-Identifier: GPL-2.0-only
#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "../cli/config.h"
#include "../cli/usage.h"

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

int diff_options__limit(const struct option *opt, const char *arg, bool unset)
{
	struct diff_opts *d = opt->value;
	struct error err = {};

	if (!diff_limit__parse(vec__push(&d->limits), arg, &err)) {
		d->runs = true;
		return 0;
	}
	pr_err("%s\n", err.text);
	return -1;
}

/* Keys whose text is known from a sample alone. */
static int make_keys(struct diff_opts *d, struct error *err)
{
	int ret = column_list__parse(&d->keys, d->sort ?: "dso,sym", err);

	for (unsigned int i = 0; !ret && i < d->keys.nr; i++)
		if (d->keys.v[i] > COLUMN_SYMOFF || !column__is_key(d->keys.v[i]))
			ret = error__set(err, -EINVAL, "perf diff cannot sort by '%s': use comm, "
					 "pid, tid, cpu, dso, sym, symoff, srcfile or srcline",
					 column__title(d->keys.v[i]));
	return ret;
}

static void check_options(struct diff_opts *d, const struct option *options,
			  const char *const usage[])
{
	struct error err = {};

	if (make_keys(d, &err))
		usage__die_about(options, usage, err.text, "%s", err.text);
	if (d->compute && parse_compute(&d->text.order, d->compute))
		usage__die(options, usage, "--compute is delta, delta-abs, ratio or "
			   "wdiff:W1,W2, not '%s'", d->compute);
	if (parse_norm(&d->groups.norm, d->normalize))
		usage__die(options, usage, "--normalize is cycles, samples, time or run, not "
			   "'%s'", d->normalize);
	if (parse_confidence(&d->groups.confidence, d->confidence))
		usage__die(options, usage, "--confidence is a percentage of 50 to less than "
			   "100, not '%s'", d->confidence);
	if (parse_format(&d->changes.format, d->format))
		usage__die(options, usage, "--format is text, markdown or json, not '%s'",
			   d->format);
	d->relative = d->percentage && !strcmp(d->percentage, "relative");
	if (d->percentage && !d->relative && strcmp(d->percentage, "absolute"))
		usage__die(options, usage, "--percentage is relative or absolute");
	if (d->text.separator && (!*d->text.separator || *d->text.separator == '.'))
		usage__die(options, usage, "--field-separator must be neither empty nor a "
			   "dot: a dot replaces the separator in names");
	d->runs |= d->with_paths || d->groups.paired || d->changes.format != DIFF_TEXT;
	for (size_t i = 0; i < d->limits.nr; i++) {
		const struct diff_limit *l = &d->limits.v[i];

		if (l->function && !column_list__has(&d->keys, COLUMN_SYM))
			usage__die(options, usage, "--fail-if needs functions: add sym to "
				   "--sort");
		if (l->points && !diff_norm__is_share(d->groups.norm))
			usage__die(options, usage, "--fail-if in percentage points (pp) needs "
						   "shares: --normalize cycles or samples");
	}
}

static void choose_files(struct diff_opts *d, int argc, const char **argv, u32 nr_after,
			 const struct option *options, const char *const usage[])
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
			usage__die(options, usage, "--fail-if '%s' needs several recordings: with "
						   "two, the variance between runs is unknown",
				   d->limits.v[i].text);
	if (d->runs && (!d->groups.nr_before || d->groups.nr_before == d->files.nr))
		usage__die(options, usage, "--runs compares two groups of recordings: write "
			   "-- between them");
	if (d->groups.paired && (d->files.nr < 4 || d->groups.nr_before * 2 != d->files.nr))
		usage__die(options, usage, "--paired needs the same number of recordings before "
					   "and after, at least two: there are %u and "
					   "%u", d->groups.nr_before,
			   (u32)d->files.nr - d->groups.nr_before);
}

void diff_opts__take_settings(struct diff_opts *d)
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

void diff_opts__finish(struct diff_opts *d, int argc, const char **argv, u32 nr_after,
		       const struct option *options, const char *const usage[])
{
	check_options(d, options, usage);
	choose_files(d, argc, argv, nr_after, options, usage);
	if (d->order_run >= d->files.nr)
		usage__die(options, usage, "--order %u: there are only %zu recordings, from 0",
			   d->order_run, d->files.nr);
}

void diff_opts__free(struct diff_opts *d)
{
	for (size_t i = 0; i < d->limits.nr; i++)
		diff_limit__free(&d->limits.v[i]);
	vec__free(&d->limits);
	vec__free(&d->files);
}
