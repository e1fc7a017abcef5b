// SPDX-License-Identifier: GPL-2.0-only
/* perf record: the run, with what it says meanwhile, and the programs that go on with its files. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/log.h"
#include "command.h"
#include "push-rounds.h"
#include "stitch-rest.h"

#define MAX_UNKNOWN_REPORTED 5 /* commands of --control */

struct record_run {
	const struct record_opts *opts;
	struct recorder_opts rec;  /* of .opts, with what the run adds */
	struct control commands;   /* --control, while it records */
	u32 unknown_commands;      /* that came over it */
	struct push_rounds push;
	struct recorder_result result;
	struct error err;          /* why it ended */
};

static void say_ready(void *ctx, const struct event_set *set)
{
	const struct record_run *r = ctx;

	if (set->threads_unread)
		pr_warn("this kernel (before Linux 6.13) does not follow new threads and children "
			"for events with the modifier S: leave S out, or use -a\n");
	if (set->kernel_excluded)
		pr_warn("no permission to sample the kernel (%s): recording user space only\n",
			set->user_ns ? "this is a user namespace, as in a rootless container" :
			"see kernel.perf_event_paranoid, CAP_PERFMON");
	if (set->kernel_excluded && r->opts->rec.off_cpu.on)
		pr_warn("switches happen in the kernel, so off-CPU intervals have lengths but no "
			"stacks\n");
}

/* What could not be completed while recording is completed when there is time again. */
static void complete_rest(const struct record_opts *r, const struct recorder_result *res)
{
	const struct stitch_rest rest = {
		.file = res->output,
		.comp_level = r->rec.comp_level,
		.unwind = r->rec.unwind,
		.no_unwind_cache = r->rec.no_unwind_cache,
		.quiet = r->quiet,
	};
	u64 passed = r->rec.stitch ? res->account.deferred[DEFERRED_PASSED] : 0;
	struct stat st;

	if (passed && !r->quiet)
		pr_info("[ perf record: %" PRIu64 " sample%s written before the user stack "
			"arrived: perf stitch joins the two ]\n", passed, passed == 1 ? "" : "s");
	if (!r->stitch_rest || !(passed || res->raw_through) || res->nr_switched ||
	    stat(res->output, &st) || !S_ISREG(st.st_mode))
		return;
	if (!stitch_rest__run(&rest))
		pr_warn("%s is unchanged: run perf stitch -i %s after you have solved the "
			"problem\n", res->output, res->output);
}

static void say_switched(void *ctx, const char *file)
{
	struct record_run *r = ctx;

	if (!r->opts->quiet)
		fprintf(stderr, "[ perf record: Dump %s ]\n", file);
	if (r->opts->push_url)
		push_rounds__add(&r->push, file);
}

static void say_events(void *ctx, const struct event_list *list, bool rates)
{
	for (size_t i = 0; i < list->specs.nr; i++) {
		const struct event_spec *spec = &list->specs.v[i];

		if (!spec->is_dummy && !rates)
			pr_info("%s\n", spec->name);
		else if (!spec->is_dummy)
			pr_info("%s: sample_%s=%llu\n", spec->name,
				spec->attr.freq ? "freq" : "period",
				(unsigned long long)spec->attr.sample_period);
	}
}

static void say_no_event(void *ctx, const char *name)
{
	pr_warn("--control: no event '%s' is being recorded\n", name);
}

/* Reports the first ones only: another program must not fill the terminal or a log. */
static void say_unknown_command(void *ctx, const char *line)
{
	struct record_run *r = ctx;

	if (r->unknown_commands++ < MAX_UNKNOWN_REPORTED)
		pr_warn("--control: '%s' is not a command; commands are enable [EVENT], disable "
			"[EVENT], evlist, snapshot, ping and stop\n", line);
	else if (r->unknown_commands == MAX_UNKNOWN_REPORTED + 1)
		pr_warn("--control: further unknown commands are not reported\n");
}

/* Says what came of it. Its lines are not on the stack while perf records. Returns the status. */
static __attribute__((noinline)) int conclude(struct record_run *r, int ret)
{
	struct recorder_result *result = &r->result;
	struct error *err = &r->err;

	if (result->has_account) {
		record_command__say(r->opts, result);
		if (!ret)
			complete_rest(r->opts, result);
	}
	if (result->has_account && r->opts->push_url) {
		push_rounds__add(&r->push, result->output);
		push_rounds__finish(&r->push);
	}
	if (result->left_pid)
		pr_warn("the command has not ended after SIGTERM: process %d is left running\n",
			(int)result->left_pid);
	if (ret == -EMFILE && !strchr(err->text, '\n'))
		error__hint(err, "Raise the limit: ulimit -n (beyond the hard limit as root).");
	if (ret)
		pr_err("%s\n", err->text);
	if (ret == -EPIPE && result->exec_failed && result->exit_status)
		return result->exit_status; /* the command was killed before it began */
	if (ret && (!result->exit_status || result->exit_status >= 128))
		return result->exec_failed ? (ret == -ENOENT ? 127 : 126) : 1;
	return result->exit_status;
}

int record_command__run(const struct record_opts *opts)
{
	/* Not on the stack, of which perf may be recording copies. */
	struct record_run *r;
	int ret;

	if (!strcmp(opts->rec.output, "-") && isatty(STDOUT_FILENO)) {
		pr_err("not writing binary data to the terminal: send -o - to a pipe or a file\n");
		return 1;
	}
	r = xmalloc(sizeof(*r));
	*r = (struct record_run){ .opts = opts, .rec = opts->rec, .push.url = opts->push_url };
	if (opts->control && control__open(&r->commands, opts->control, &r->err))
		record__die(&r->err);
	r->rec.control = opts->control ? &r->commands : NULL;
	r->rec.callbacks = (struct recorder_callbacks){
		.ready = say_ready,
		.switched = say_switched,
		.evlist = say_events,
		.no_event = say_no_event,
		.unknown_command = say_unknown_command,
		.ctx = r,
	};
	ret = recorder__run(&r->rec, &r->result, &r->err);
	if (opts->control)
		control__close(&r->commands);
	ret = conclude(r, ret);
	free(r);
	return ret;
}
