// SPDX-License-Identifier: GPL-2.0-only
/* perf inject: writes a recording again with what it lacks. */
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "builtin.h"
#include "builtin-refused.h"
#include "util/base/log.h"
#include "util/cli/account-print.h"
#include "util/cli/options.h"
#include "util/cli/progress.h"
#include "util/cli/reader-confine.h"
#include "util/cli/reader-privileges.h"
#include "util/inject/inject.h"

struct inject_cmd {
	const char *input;
	bool force;
	int verbose;
	struct inject_opts opts;
};

static const char *const inject_usage[] = { "perf inject [<options>]", NULL };

static void say_result(const struct inject_cmd *c, const struct inject_result *res)
{
	if (!c->opts.jit)
		return;
	account__print_jit(&res->jit);
	if (res->unwritten)
		pr_warn("%" PRIu64 " functions are missing, whose files could not be written: "
			"%s\n", res->unwritten, res->unwritten_why.text);
	if (!res->jit.files)
		pr_warn("the recording has no jitdump file: was the program's option for it "
			"given?\n");
	pr_debug("[ perf inject: %" PRIu64 " jitdump files, %" PRIu64 " ELF files written, %"
		 PRIu64 " mappings ]\n", res->jit.files, res->files, res->mappings);
}

static int inject_cmd__run(struct inject_cmd *c)
{
	struct inject_result res = {};
	struct progress progress;
	struct reader *r = NULL;
	struct error err = {};
	bool damaged = false;
	int ret = 0;

	if (!strcmp(c->opts.output, "-") && isatty(STDOUT_FILENO))
		ret = error__set(&err, -EINVAL, "not writing binary data to the terminal: send it "
				 "to a pipe, or name a file with -o");
	signal(SIGPIPE, SIG_IGN); /* write() then returns an error, which is reported */
	reader__drop_privileges(c->opts.output);
	reader__confine(&(struct reader_names){
		.input = c->input, .output = c->opts.output,
		.makes = c->opts.jit ? inject__makes : NULL,
	}, NULL);
	if (!ret)
		ret = reader__open_live(&r, c->input, c->force, &err);
	if (!ret) {
		progress__start(&progress, "Injecting");
		c->opts.progress = progress__update;
		c->opts.progress_ctx = &progress;
		ret = inject__run(r, &c->opts, &res, &err);
		progress__finish(&progress);
		damaged = account__describe(r, &res.account, account__print);
	}
	if (!ret)
		say_result(c, &res);
	reader__close(r);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret || damaged;
}

int cmd_inject(int argc, const char **argv)
{
	struct inject_cmd c = {};
	const struct option options[] = {
		OPT_STRING('i', "input", &c.input, "file",
			   "read this recording (- is stdin, the default)"),
		OPT_STRING('o', "output", &c.opts.output, "file",
			   "write to this file (- is stdout, the default)"),
		OPT_BOOL('j', "jit", &c.opts.jit,
			 "put the code of jitdump files into the recording, as ELF files beside "
			 "these"),
		OPT_BOOL('b', "build-ids", &c.opts.build_ids,
			 "put the build-ids of binaries that samples are in into the header"),
		OPT_BOOL('f', "force", &c.force, "read recordings that belong to other users"),
		OPT_INCR('v', "verbose", &c.verbose, "print more messages"),
		INJECT_REFUSED_OPTIONS,
		OPT_END(),
	};

	argc = options__parse(argc, argv, options, inject_usage, 0);
	if (argc)
		usage__die(options, inject_usage, "unexpected argument '%s': name files with -i "
			   "and -o", argv[0]);
	log__set_level(c.verbose);
	c.input = c.input ?: "-";
	c.opts.output = c.opts.output ?: "-";
	return inject_cmd__run(&c);
}
