// SPDX-License-Identifier: GPL-2.0-only
/* perf record: samples a command, processes, CPUs or everything into a perf.data file. */
#include <stdlib.h>
#include <string.h>

#include "builtin.h"
#include "util/base/log.h"
#include "util/record-command/options.h"

static const char *const record_usage[] = {
	"perf record [<options>] [<command>]",
	"perf record [<options>] -- <command> [<options>]",
	NULL
};

/* For the file's header: parsing the options reorders argv. */
static void save_cmdline(struct record_opts *r, int argc, const char **argv)
{
	const char **copy = xcalloc(argc + 1, sizeof(*copy));

	copy[0] = "perf";
	memcpy(copy + 1, argv, argc * sizeof(*copy));
	r->rec.cmdline_argc = argc + 1;
	r->rec.cmdline_argv = copy;
}

/* Returns 0, or what perf ends with. The table of options takes much stack, and is gone then. */
static int read_options(struct record_opts *r, int argc, const char **argv)
{
	const struct option options[] = {
		RECORD_TARGET_OPTIONS(*r),
		RECORD_RATE_AND_CHAIN_OPTIONS(*r),
		RECORD_CONTENT_OPTIONS(*r),
		RECORD_OUTPUT_OPTIONS(*r),
		RECORD_REFUSED_OPTIONS,
		OPT_END()
	};

	argc = options__parse(argc, argv, options, record_usage, PARSE_STOP_AT_NON_OPTION);
	log__set_level(r->quiet ? LOG_QUIET : r->verbose);
	return record_opts__finish(r, argc, argv, options, record_usage);
}

int cmd_record(int argc, const char **argv)
{
	/* What lies on the stack while perf records itself (-a) is small: copies reach over it. */
	struct record_opts *r = xmalloc(sizeof(*r));
	int ret;

	*r = (struct record_opts){ .stitch = true, .stitch_rest = true };
	save_cmdline(r, argc, argv);
	ret = read_options(r, argc, argv);
	if (!ret && !r->dry_run)
		ret = record_command__run(r);
	event_list__free(&r->events);
	event_list__free(&r->switch_events);
	free((void *)r->rec.cmdline_argv);
	target__free(&r->rec.target);
	free(r);
	return ret;
}
