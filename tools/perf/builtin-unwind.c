// SPDX-License-Identifier: GPL-2.0-only
/* perf unwind: shows how stacks are unwound, and the tables by which they are. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/account-print.h"
#include "util/cli/input.h"
#include "util/cli/options.h"
#include "util/cli/pager.h"
#include "util/cli/reader-privileges.h"
#include "util/complete/rows-dir.h"
#include "util/pipeline/pipeline.h"
#include "util/text/cache-text.h"
#include "util/text/check-text.h"
#include "util/text/rows-dump.h"
#include "util/text/unwind-chains.h"
#include "util/text/unwind-replay.h"
#include "util/text/unwind-stats.h"

struct unwind_cmd {
	const char *input, *unwind;
	bool force;
	struct symbols_opts symbols;
	struct textbuf out;
};

static const char *const unwind_usage[] = {
	"perf unwind rows [<options>] <file> [<address>|<function>]",
	"perf unwind check <file>",
	"perf unwind sample [<options>] <number>",
	"perf unwind stats [<options>]",
	"perf unwind chains [<options>]",
	"perf unwind cache [clear]",
	NULL,
};

static int run_rows(struct unwind_cmd *c, const char *path, const char *where, struct error *err)
{
	struct unwind_sources sources;
	int fd, ret = unwind_sources__by_name(&sources, c->unwind, err);

	if (ret)
		return ret;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error__set(err, -errno, "cannot open '%s': %s", path, strerror(errno));
	ret = rows__dump(&c->out, fd, path, where, &sources, err);
	close(fd);
	return ret;
}

static int run_check(struct unwind_cmd *c, const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return error__set(err, -errno, "cannot open '%s': %s", path, strerror(errno));
	ret = check__print(&c->out, fd, path, err);
	close(fd);
	return ret;
}

static int run_sample(struct unwind_cmd *c, u64 number, struct error *err)
{
	struct unwind_replay replay = { .tb = &c->out, .wanted = number };
	struct pipeline_opts opts = {
		.unwind = c->unwind, .symbols = c->symbols, .observer = &replay.observer,
		.sink = {
			.begin = unwind_replay__begin, .sample = unwind_replay__sample,
			.ctx = &replay,
		},
	};
	struct pipeline *p;
	struct input in;
	int ret = input__open(&in, c->input, c->force, INPUT_FILE, &opts.symbols.binary, err);

	if (ret)
		goto out;
	unwind_replay__init(&replay);
	ret = pipeline__new(&p, reader__recording(in.reader), &opts, err);
	if (!ret)
		ret = pipeline__run(p, in.reader, err);
	if (!ret)
		ret = error__set(err, -ENOENT, "there is no sample %llu: '%s' has %llu samples",
				 (unsigned long long)number, reader__path(in.reader),
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
static int run_sink(struct unwind_cmd *c, struct sink sink,
		    void (*done)(struct unwind_cmd *c, void *ctx), struct error *err)
{
	struct pipeline_opts opts = { .unwind = c->unwind, .symbols = c->symbols, .sink = sink };
	struct pipeline *p;
	struct input in;
	int ret = input__open(&in, c->input, c->force, INPUT_FILE, &opts.symbols.binary, err);

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

static void stats_done(struct unwind_cmd *c, void *stats)
{
	unwind_stats__print(stats, &c->out);
	unwind_stats__free(stats);
}

static int run_stats(struct unwind_cmd *c, struct error *err)
{
	struct unwind_stats stats = {};
	struct sink sink = {
		.begin = unwind_stats__begin, .sample = unwind_stats__sample, .ctx = &stats,
	};

	return run_sink(c, sink, stats_done, err);
}

static void chains_done(struct unwind_cmd *c, void *chains)
{
	(void)c;
	unwind_chains__free(chains);
}

static int run_chains(struct unwind_cmd *c, struct error *err)
{
	struct unwind_chains chains = { .tb = &c->out };
	struct sink sink = {
		.begin = unwind_chains__begin, .sample = unwind_chains__sample, .ctx = &chains,
	};

	return run_sink(c, sink, chains_done, err);
}

static int run_cache(struct unwind_cmd *c, bool clear, struct error *err)
{
	int dir = rows_dir__open(&c->symbols.binary, err), ret;

	if (dir < 0)
		return dir;
	ret = clear ? cache_text__clear(&c->out, dir, err) : cache_text__list(&c->out, dir, err);
	close(dir);
	return ret;
}

static int run(struct unwind_cmd *c, const struct option *options, int argc, const char **argv,
	       struct error *err)
{
	const char *verb = argc ? argv[0] : "";
	u64 number;

	if (!strcmp(verb, "rows") && (argc == 2 || argc == 3))
		return run_rows(c, argv[1], argc == 3 ? argv[2] : NULL, err);
	if (!strcmp(verb, "check") && argc == 2)
		return run_check(c, argv[1], err);
	if (!strcmp(verb, "sample") && argc == 2 && parse_u64(argv[1], &number) && number)
		return run_sample(c, number, err);
	if (!strcmp(verb, "stats") && argc == 1)
		return run_stats(c, err);
	if (!strcmp(verb, "chains") && argc == 1)
		return run_chains(c, err);
	if (!strcmp(verb, "cache") && (argc == 1 || (argc == 2 && !strcmp(argv[1], "clear"))))
		return run_cache(c, argc == 2, err);
	usage__die(options, unwind_usage, "say what to show: 'rows' or 'check' and a file, "
		   "'sample' and a number from 1, 'stats', 'chains', or 'cache'");
}

int cmd_unwind(int argc, const char **argv)
{
	struct unwind_cmd c = {};
	const struct option options[] = {
		OPT_STRING('i', "input", &c.input, "file", "read this recording (- is stdin)"),
		OPT_UNWIND_SOURCES(c.unwind),
		OPT_NO_UNWIND_CACHE(c.symbols.binary),
		OPT_SYMFS(c.symbols.binary),
		OPT_BOOL('f', "force", &c.force, "read recordings that belong to other users"),
		OPT_END(),
	};
	struct error err = {};
	int ret;

	argc = options__parse(argc, argv, options, unwind_usage, 0);
	reader__drop_privileges(NULL);
	pager__textbuf(&c.out);
	ret = run(&c, options, argc, argv, &err);
	textbuf__flush(&c.out);
	if (c.out.error && c.out.error != -EPIPE)
		ret = error__set(&err, c.out.error, "cannot write to standard output: %s",
				 strerror(-c.out.error));
	textbuf__free(&c.out);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret || c.out.error ? 1 : 0;
}
