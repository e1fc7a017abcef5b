// SPDX-License-Identifier: GPL-2.0-only
#include "show.h"

#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/account-print.h"
#include "../cli/input.h"
#include "../cli/pager.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../complete/rows-dir.h"
#include "../pipeline/pipeline.h"
#include "../text/unwind-stats.h"
#include "cache-text.h"
#include "check-text.h"
#include "rows-dump.h"
#include "unwind-chains.h"
#include "unwind-replay.h"

struct unwind_show {
	const struct unwind_show_opts *opts;
	struct symbols_opts symbols; /* of .opts, with a bundle */
	struct textbuf out;
};

static int run_file(struct unwind_show *c, struct error *err)
{
	const struct unwind_show_opts *o = c->opts;
	struct unwind_sources sources;
	int fd, ret = unwind_sources__by_name(&sources, o->unwind, err);

	if (ret)
		return ret;
	fd = input__open_file(o->path, err);
	if (fd < 0)
		return fd;
	if (o->what == UNWIND_SHOW_ROWS)
		ret = rows__dump(&c->out, fd, o->path, o->where, &sources, err);
	else if (o->what == UNWIND_SHOW_CHECK)
		ret = check__print(&c->out, fd, o->path, err);
	else
		ret = sframe_make(&o->sframe, fd, o->path, &c->out, err);
	close(fd);
	return ret;
}

static int run_sample(struct unwind_show *c, struct error *err)
{
	struct unwind_replay replay = { .tb = &c->out, .wanted = c->opts->number };
	struct pipeline_opts opts = {
		.unwind = c->opts->unwind, .symbols = c->symbols, .observer = &replay.observer,
		.sink = {
			.begin = unwind_replay__begin, .sample = unwind_replay__sample,
			.ctx = &replay,
		},
	};
	struct pipeline *p;
	struct input in;
	int ret = input__open(&in, c->opts->input, c->opts->force, INPUT_FILE,
			      &opts.symbols.binary, err);

	if (ret)
		goto out;
	unwind_replay__init(&replay);
	ret = pipeline__new(&p, reader__recording(in.reader), &opts, err);
	if (!ret)
		ret = pipeline__run(p, in.reader, err);
	if (!ret)
		ret = error__set(err, -ENOENT, "there is no sample %llu: '%s' has %llu samples",
				 (unsigned long long)c->opts->number, reader__path(in.reader),
				 (unsigned long long)replay.nr);
	unwind_replay__free(&replay);
	pipeline__free(p);
out:
	input__close(&in);
	return ret > 0 ? 0 : ret;
}

/*
 * Runs the recording through a pipeline that ends in @sink, and says what could not be read.
 * @done: prints and frees what the sink has, while the pipeline is still there
 */
static int run_sink(struct unwind_show *c, struct sink sink,
		    void (*done)(struct unwind_show *c, void *ctx), struct error *err)
{
	struct pipeline_opts opts = {
		.unwind = c->opts->unwind, .symbols = c->symbols, .sink = sink,
	};
	struct pipeline *p;
	struct input in;
	int ret = input__open(&in, c->opts->input, c->opts->force, INPUT_FILE,
			      &opts.symbols.binary, err);

	if (ret)
		goto out;
	ret = pipeline__new(&p, reader__recording(in.reader), &opts, err);
	if (ret)
		goto out;
	ret = pipeline__run(p, in.reader, err);
	done(c, sink.ctx);
	if (account__describe(in.reader, pipeline__account(p), account__print) && !ret)
		ret = -EBADMSG;
	pipeline__free(p);
out:
	input__close(&in);
	return ret;
}

static void stats_done(struct unwind_show *c, void *stats)
{
	unwind_stats__print(stats, &c->out);
	unwind_stats__free(stats);
}

static int run_stats(struct unwind_show *c, struct error *err)
{
	struct unwind_stats stats = {};
	struct sink sink = {
		.begin = unwind_stats__begin, .sample = unwind_stats__sample, .ctx = &stats,
	};

	return run_sink(c, sink, stats_done, err);
}

static void chains_done(struct unwind_show *c, void *chains)
{
	(void)c;
	unwind_chains__free(chains);
}

static int run_chains(struct unwind_show *c, struct error *err)
{
	struct unwind_chains chains = { .tb = &c->out };
	struct sink sink = {
		.begin = unwind_chains__begin, .sample = unwind_chains__sample, .ctx = &chains,
	};

	return run_sink(c, sink, chains_done, err);
}

static int run_cache(struct unwind_show *c, struct error *err)
{
	int dir = rows_dir__open(&c->symbols.binary, err), ret;

	if (dir < 0)
		return dir;
	ret = c->opts->what == UNWIND_SHOW_CLEAR ? cache_text__clear(&c->out, dir, err) :
						   cache_text__list(&c->out, dir, err);
	close(dir);
	return ret;
}

static int run(struct unwind_show *c, struct error *err)
{
	switch (c->opts->what) {
	case UNWIND_SHOW_SAMPLE:
		return run_sample(c, err);
	case UNWIND_SHOW_STATS:
		return run_stats(c, err);
	case UNWIND_SHOW_CHAINS:
		return run_chains(c, err);
	case UNWIND_SHOW_CACHE:
	case UNWIND_SHOW_CLEAR:
		return run_cache(c, err);
	default:
		return run_file(c, err);
	}
}

int unwind_show__run(const struct unwind_show_opts *opts)
{
	struct unwind_show c = { .opts = opts, .symbols = opts->symbols };
	const char *const files[] = { opts->path };
	struct error err = {};
	int ret;

	reader__drop_privileges(opts->sframe.output);
	reader__confine(&(struct reader_names){
		.input = opts->input, .output = opts->sframe.output, .files = files,
		.nr_files = opts->path ? 1 : 0,
	}, &c.symbols);
	pager__textbuf(&c.out);
	ret = pager__flush(&c.out, run(&c, &err), &err);
	textbuf__free(&c.out);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret || c.out.error ? 1 : 0;
}
