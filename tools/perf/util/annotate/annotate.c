// SPDX-License-Identifier: GPL-2.0-only
#include "annotate.h"

#include <stdlib.h>
#include <string.h>

#include "../base/log.h"
#include "../base/number.h"
#include "../browser/screen.h"
#include "../cli/account-print.h"
#include "../cli/debug-servers.h"
#include "../cli/input.h"
#include "../cli/pager.h"
#include "../cli/progress.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../pipeline/pipeline.h"
#include "../stack/frames.h"
#include "../text/dump.h"
#include "functions.h"

struct annotate {
	const struct annotate_opts *opts;
	struct symbols_opts symbols; /* of .opts, with debug servers and a bundle */
	struct sample_filter filter;
	struct code_counts counts;
	struct resolver *resolver;
	struct textbuf out;
};

static int annotate__sample(void *ctx, const struct whole_sample *ws)
{
	struct annotate *a = ctx;
	struct location loc = {};

	if (!filter__in_scope(&a->filter, ws->s))
		return 0;
	resolver__address(a->resolver, ws->thread, ws->s->cpumode, ws->s->ip, false, &loc);
	/* A function that is not wanted counts in the whole, of which percentages are. */
	if (!filter__passes(&a->filter, ws->thread, &loc))
		loc.sym = NULL;
	code_counts__add(&a->counts, ws->rec->event->idx, &loc, ws->s->period);
	return 0;
}

static int annotate__record(void *ctx, const struct record *rec)
{
	struct annotate *a = ctx;

	resolver__record(a->resolver, rec);
	return 0;
}

static int count_and_show(struct annotate *a, struct reader *reader, struct pipeline *p,
			  struct progress *progress, struct error *err)
{
	struct annotate_functions functions = {
		.opts = a->opts, .recording = reader__recording(reader),
		.symbols = pipeline__symbols(p), .counts = &a->counts,
	};
	int ret;

	progress__start(progress, "Processing records...");
	ret = pipeline__run(p, reader, err);
	progress__finish(progress);
	while (a->counts.totals.nr < functions.recording->events.nr)
		*vec__push(&a->counts.totals) = (struct code_total){};
	if (!ret)
		ret = annotate_functions__show(&functions, &a->out, err);
	if (textbuf__flush(&a->out) || (ret && ret != -ENODATA))
		return ret;
	account__print_symbols(functions.symbols);
	account__print_jit(jit_dumps__account(pipeline__jit(p)));
	return account__describe(reader, pipeline__account(p), account__print) ? -EBADMSG : ret;
}

static int run_pipeline(struct annotate *a, struct reader *reader, struct error *err)
{
	struct progress progress;
	struct pipeline_opts opts = {
		.symbols = a->symbols, .keep_deferred = true, .keep_copies = true,
		.sink = { .sample = annotate__sample, .record = annotate__record, .ctx = a },
		.progress = progress__update, .progress_ctx = &progress,
	};
	struct pipeline *p;
	int ret = pipeline__new(&p, reader__recording(reader), &opts, err);

	if (ret)
		return ret;
	a->resolver = resolver__new(pipeline__symbols(p));
	ret = count_and_show(a, reader, p, &progress, err);
	code_counts__free(&a->counts);
	resolver__free(a->resolver);
	pipeline__free(p);
	return ret;
}

static int read_input(struct annotate *a, struct error *err)
{
	const struct annotate_opts *o = a->opts;
	struct input input;
	int ret = input__open(&input, o->input, o->force, INPUT_FILE, &a->symbols.binary, err);

	if (!o->tui)
		pager__textbuf(&a->out);
	else
		textbuf__init(&a->out, -1);
	if (!ret)
		ret = filter__make(&a->filter, &o->only, reader__recording(input.reader), err);
	if (!ret && o->dump)
		textbuf__dump(&a->out, input.reader);
	else if (!ret)
		ret = run_pipeline(a, input.reader, err);
	ret = pager__flush(&a->out, ret, err);
	filter__free(&a->filter);
	textbuf__free(&a->out);
	input__close(&input);
	return ret;
}

static int take_limit(struct annotate_opts *o, struct error *err)
{
	if (o->percent_limit && !parse_percent(o->percent_limit, &o->min_percent))
		return error__set(err, -EINVAL, "--percent-limit: '%s' is not a percentage",
				  o->percent_limit);
	return 0;
}

int annotate_opts__finish(struct annotate_opts *o, struct error *err)
{
	int ret = annotate_args__finish(&o->code, o->symbols.vmlinux, err) ?: take_limit(o, err);

	if (ret)
		return ret;
	if (o->nr_samples && o->total_period)
		return error__set(err, -EINVAL, "choose one of --show-nr-samples and "
				  "--show-total-period");
	if (o->tui && (o->stdio || o->dump))
		return error__set(err, -EINVAL, "--stdio and -D print text: leave out --tui");
	o->code.listing.names = name_opts__style(&o->names);
	o->tui |= !o->stdio && !o->quiet && !o->dump && screen__is_there();
	o->code.text.column = o->nr_samples ? ANNOTATE_SAMPLES :
			      o->total_period ? ANNOTATE_PERIOD : ANNOTATE_PERCENT;
	return 0;
}

static int open_screen(struct screen *screen, struct error *err)
{
	int ret = screen__open(screen, err);

	if (ret)
		return ret;
	screen__put(0, 0, SCREEN_NORMAL, "Processing records...", 0);
	screen__show();
	return 0;
}

int annotate__run(const struct annotate_opts *opts)
{
	struct annotate a = { .opts = opts, .symbols = opts->symbols };
	struct debug_servers servers;
	struct error err = {};
	struct screen screen;
	int ret = 0;

	debug_servers__use(&servers, &a.symbols.binary);
	if (!opts->tui)
		pager__start();
	reader__drop_privileges(NULL);
	if (opts->tui) /* now: the description of the terminal is read from a file */
		ret = open_screen(&screen, &err);
	if (!ret) {
		reader__confine(&(struct reader_names){
			.input = opts->input,
			.more = { opts->only.comms, opts->only.dsos, opts->only.syms },
			.sources = opts->code.source || opts->tui, .run = objdump__start,
			.run_ctx = &opts->code.listing.objdump,
		}, &a.symbols);
		ret = read_input(&a, &err);
		if (opts->tui)
			screen__close(&screen);
	}
	if (err.code)
		pr_err("%s\n", err.text);
	pager__wait();
	return ret ? 1 : 0;
}
