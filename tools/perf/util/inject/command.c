// SPDX-License-Identifier: GPL-2.0-only
#include "command.h"

#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/account-print.h"
#include "../cli/progress.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"

static void say_result(const struct inject_result *res)
{
	account__print_jit(&res->jit);
	if (res->unwritten)
		pr_warn("%" PRIu64 " functions are missing, because their files could not be "
			"written: %s\n", res->unwritten, res->unwritten_why.text);
	if (!res->jit.files)
		pr_warn("the recording has no jitdump file: was the program started with its "
			"option for it?\n");
	pr_debug("[ perf inject: %" PRIu64 " jitdump files, %" PRIu64 " ELF files written, %"
		 PRIu64 " mappings ]\n", res->jit.files, res->files, res->mappings);
}

int inject_command__run(const struct inject_command_opts *o)
{
	struct inject_opts opts = o->inject;
	struct inject_result res = {};
	struct progress progress;
	struct reader *r = NULL;
	struct error err = {};
	bool damaged = false;
	int ret = 0;

	opts.output = opts.output ?: "-";
	if (!strcmp(opts.output, "-") && isatty(STDOUT_FILENO))
		ret = error__set(&err, -EINVAL, "not writing binary data to the terminal: send it "
				 "to a pipe, or name a file with -o");
	signal(SIGPIPE, SIG_IGN); /* write() then returns an error, which is reported */
	reader__drop_privileges(opts.output);
	reader__confine(&(struct reader_names){
		.input = o->input, .output = opts.output, .makes = opts.jit ? inject__makes : NULL,
	}, NULL);
	if (!ret)
		ret = reader__open_live(&r, o->input, o->force, &err);
	if (!ret) {
		progress__start(&progress, "Injecting");
		opts.progress = progress__update;
		opts.progress_ctx = &progress;
		ret = inject__run(r, &opts, &res, &err);
		progress__finish(&progress);
		damaged = account__describe(r, &res.account, account__print);
	}
	if (!ret && opts.jit)
		say_result(&res);
	reader__close(r);
	if (err.code)
		pr_err("%s\n", err.text);
	return ret || damaged;
}
