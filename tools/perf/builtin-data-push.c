// SPDX-License-Identifier: GPL-2.0-only
/* perf data push: a recording, as a profile, to a store of profiles. */
#include "builtin.h"
#include "util/base/log.h"
#include "util/cli/option-forms.h"
#include "util/cli/usage.h"
#include "util/push/push.h"

#define SPOOL_MB 100
#define RETRY_S 60
#define TIMEOUT_S 30

static const char *const push_usage[] = {
	"perf data push --url <url> [<options>]",
	NULL,
};

enum form { RECORDING = 1, WAITING = 2 };

static const struct option_effect effects[] = {
	{ "input", RECORDING }, { "remove", RECORDING }, { "comms", RECORDING },
	{ "lines", RECORDING }, { "inline", RECORDING }, { "max-stack", RECORDING },
	{ "symfs", RECORDING }, { "force", RECORDING }, { "service", RECORDING },
	{ "labels", RECORDING },
};

static const struct option_forms forms = {
	.command = "data", .effects = effects, .nr_effects = ARRAY_SIZE(effects),
	.others = RECORDING | WAITING,
};

int data__push(int argc, const char **argv)
{
	struct push_opts p = {
		.export = {
			.command = "perf data push", .opts = { .lines = true },
			.symbols = { .inlines = true },
		},
		.spool_mb = SPOOL_MB, .retry_s = RETRY_S,
		.timeout_s = TIMEOUT_S,
	};
	struct error err;
	bool quiet = false;
	int verbose = 0, status;
	const struct option options[] = {
		OPT_STRING(0, "url", &p.url, "url", "send to this store; the path chooses the "
						    "protocol"),
		OPT_STRING(0, "format", &p.format, "pprof|otlp", "for a URL without a path: pprof "
								 "is /ingest (default), otlp "
								 "/v1development/profiles"),
		OPT_STRING('i', "input", &p.export.input, "file", "send this recording (- is "
			   "stdin)"),
		OPT_BOOL(0, "waiting", &p.waiting_only, "send only the profiles in the spool"),
		OPT_BOOL(0, "remove", &p.remove, "remove the recording once its profile is in the "
			 "spool"),
		OPT_STRING(0, "service", &p.service, "name", "the name of the profiles (perf)"),
		OPT_STRING(0, "labels", &p.labels, "name=value,...", "labels of the profiles; "
								     "host=NAME is added"),
		OPT_STRING(0, "header-file", &p.header_file, "file", "file with header lines for "
								     "each request: 'Name: value'"),
		OPT_STRING(0, "spool", &p.spool, "dir", "the spool for profiles that are not sent "
							"yet (~/.perf-push)"),
		OPT_UINT(0, "spool-size", &p.spool_mb, "MB", "size limit of the spool; the oldest "
							     "profiles are removed (100)"),
		OPT_UINT(0, "retry", &p.retry_s, "seconds", "how long to try (60)"),
		OPT_UINT(0, "timeout", &p.timeout_s, "seconds", "how long to wait for an answer "
			 "(30)"),
		OPT_STRING('c', "comms", &p.export.only.comms, "list",
			   "only samples of these commands"),
		OPT_BOOL(0, "lines", &p.export.opts.lines, "with source lines (default)"),
		OPT_BOOL(0, "inline", &p.export.symbols.inlines, "with inlined functions "
			 "(default)"),
		OPT_UINT(0, "max-stack", &p.export.opts.max_stack, "n", "use at most <n> frames of "
			 "each callchain"),
		OPT_SYMFS(p.export.symbols.binary),
		OPT_BOOL('f', "force", &p.export.force, "read recordings that belong to other "
			 "users"),
		OPT_BOOL('q', "quiet", &quiet, "print errors only"),
		OPT_INCR('v', "verbose", &verbose, "print more messages"),
		OPT_END(),
	};

	bool given[ARRAY_SIZE(options)] = {};

	argc = options__parse_given(argc, argv, options, push_usage, 0, given);
	if (argc)
		usage__die(options, push_usage, "unexpected argument '%s': name the recording with "
			   "-i", argv[0]);
	if (push_opts__finish(&p, &err))
		usage__die_about(options, push_usage, err.text, "%s", err.text);
	option_forms__check(&forms, p.waiting_only ? WAITING : RECORDING,
			    p.waiting_only ? "--waiting" : "a recording", options, push_usage,
			    given);
	log__set_level(quiet ? LOG_QUIET : verbose);
	status = push__run(&p);
	push_opts__free(&p);
	return status;
}
