// SPDX-License-Identifier: GPL-2.0-only
/* perf data push: a recording, as a profile, to a store of profiles. */
#include "builtin-data-push.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "builtin-export.h"
#include "util/base/log.h"
#include "util/push/headers.h"
#include "util/push/sender.h"

#define SPOOL_MB 100
#define RETRY_S 60
#define TIMEOUT_S 30
#define MAX_LABELS 32

struct push {
	struct export_cmd export;
	struct sender_opts sender;
	const char *format, *service, *spool, *label_list, *header_file;
	char *url, *labels_text, *spool_name, *part;
	struct store_label labels[MAX_LABELS];
	struct push_headers headers;
	unsigned int spool_mb, retry_s, timeout_s;
	bool waiting_only, remove;
};

static const char *const push_usage[] = {
	"perf data push --url <url> [<options>]",
	NULL,
};

/* A URL without a path gets that of the format. */
static void choose_store(struct push *p, const char *url, const struct option *options)
{
	const char *host = url ? strstr(url, "://") : NULL, *path;

	if (!host || (strncmp(url, "http://", 7) && strncmp(url, "https://", 8)))
		usage__die(options, push_usage, "--url says where to, as "
			   "http://localhost:4040/ingest");
	host += 3;
	path = host + strcspn(host, "/?#");
	if (memchr(host, '@', path - host))
		usage__die(options, push_usage, "--url holds a password, which everybody can read "
			   "in the list of processes: use --header-file or PERF_PUSH_TOKEN");
	if (p->format && strcmp(p->format, "pprof") && strcmp(p->format, "otlp"))
		usage__die(options, push_usage, "--format is pprof or otlp, not '%s'", p->format);
	p->url = !strcmp(path, "/") || !*path ?
		 xasprintf("%.*s%s", (int)(path - url), url, store__path(p->format ?: "pprof")) :
		 xstrdup(url);
	p->sender.url = p->url;
	p->sender.kind = store__kind(p->url);
	if (p->sender.kind == STORE_UNKNOWN)
		usage__die(options, push_usage, "--url: no store takes profiles at such a path: it "
			   "ends in /ingest, /push.v1.PusherService/Push, /profiles/writeraw or "
			   "/v1development/profiles");
	if (p->format && strcmp(p->format, store__format(p->sender.kind)))
		usage__die(options, push_usage, "--format: this path takes %s",
			   store__format(p->sender.kind));
	p->format = store__format(p->sender.kind);
}

/* "env=prod,rack=7" */
static void take_labels(struct push *p, const struct option *options)
{
	char *save = NULL;

	if (!p->label_list)
		return;
	p->labels_text = xstrdup(p->label_list);
	for (char *s = strtok_r(p->labels_text, ",", &save); s; s = strtok_r(NULL, ",", &save)) {
		char *value = strchr(s, '=');

		if (!value || value == s || p->sender.nr_labels == MAX_LABELS)
			usage__die(options, push_usage, "--labels is a list of at most %d like "
				   "env=test,rack=7", MAX_LABELS);
		*value++ = '\0';
		p->labels[p->sender.nr_labels++] = (struct store_label){ s, value };
	}
	p->sender.labels = p->labels;
}

static int choose_spool(struct push *p, struct error *err)
{
	const char *home = getenv("HOME"), *spool = getenv("PERF_PUSH_SPOOL");

	if (!p->spool && spool && *spool)
		p->spool = spool;
	if (p->spool)
		return 0;
	if (!home || !*home)
		return error__set(err, -ENOENT, "there is no HOME to keep profiles in until they "
				  "are sent: name a directory with --spool");
	p->spool = p->spool_name = xasprintf("%s/.perf-push", home);
	return 0;
}

/*
 * Writes the profile into the spool, also that of a damaged recording.
 * Returns: the exit status.
 */
static int convert(struct push *p, struct spool *s, struct error *err)
{
	const char *input = p->export.input ?: "perf.data";
	const struct export_result *made = &p->export.result;
	bool spooled;
	int status;

	p->part = xasprintf("%s/.part.%d", p->spool, getpid());
	p->export.output = p->part;
	p->export.format = export_format__find(p->format);
	p->export.opts.service = p->service;
	p->export.is_step = true;
	status = export_cmd__run(&p->export);
	spooled = made->samples && !spool__add_file(s, p->service, p->format, made->from,
						    made->until, p->part, err);
	if (made->samples && !spooled)
		status = 1;
	/* A damaged one, too: who tried again would send its samples twice. */
	else if ((spooled || !status) && p->remove && strcmp(input, "-") && unlink(input))
		pr_warn("cannot remove '%s': %s\n", input, strerror(errno));
	unlink(p->part);
	return status;
}

static void print_account(const struct push *p, const struct sender_account *a, u32 unsent)
{
	if (a->nr_halved)
		pr_info("%u profiles were too large for the store, and sent in halves\n",
			a->nr_halved);
	if (a->nr_refused)
		pr_warn("%u profiles were refused, and are kept in %s with names that end in "
			".refused\n", a->nr_refused, p->spool);
	if (a->nr_other)
		pr_warn("%u profiles in %s are of a format that this path does not take\n",
			a->nr_other, p->spool);
	if (unsent)
		pr_warn("%u profiles that were not sent were removed: %s may have %u MB "
			"(--spool-size)\n", unsent, p->spool, p->spool_mb);
	pr_info("[ perf data push: %llu samples; %u profiles sent, %.3f MB; %u wait in %s ]\n",
		(unsigned long long)p->export.result.samples, a->nr_sent,
		a->bytes / 1024.0 / 1024.0, a->nr_left, p->spool);
}

static void tell(void *ctx __unused_arg, const char *text)
{
	pr_warn("%s\n", text);
}

static int push_all(struct push *p, struct spool *s, struct error *err)
{
	struct sender_account a;
	u32 unsent = 0;
	int status = 0, ret;

	if (!p->waiting_only)
		status = convert(p, s, err);
	if (err->code)
		return 1;
	spool__shrink(s, (u64)p->spool_mb << 20, &unsent);
	ret = sender__run(s, &p->sender, &a, err);
	if (ret)
		error__prefix(err, "not sent to %s", p->url);
	print_account(p, &a, unsent);
	return ret || status || unsent || a.nr_refused;
}

static int run(struct push *p)
{
	struct spool spool = { .dir = -1, .lock = -1 };
	struct error err = {};
	int status = 1, ret;

	p->sender.tell = tell;
	ret = push_headers__read(&p->headers, getenv("PERF_PUSH_TOKEN"),
				 p->header_file ?: getenv("PERF_PUSH_HEADER_FILE"), &err);
	p->sender.headers = p->headers.lines.v;
	if (!ret)
		ret = choose_spool(p, &err) ?: spool__open(&spool, p->spool, &err);
	if (!ret)
		status = push_all(p, &spool, &err);
	if (err.code)
		pr_err("%s\n", err.text);
	spool__close(&spool);
	return status;
}

static void free_all(struct push *p)
{
	free(p->url);
	free(p->labels_text);
	push_headers__free(&p->headers);
	free(p->spool_name);
	free(p->part);
}

static void check_options(struct push *p, const char *url, const struct option *options)
{
	choose_store(p, url, options);
	take_labels(p, options);
	if (p->waiting_only && p->export.input)
		usage__die(options, push_usage, "--waiting sends what waits, and takes no -i");
	if (!p->spool_mb || !p->timeout_s)
		usage__die(options, push_usage, "--spool-size and --timeout must be 1 or more");
	p->sender.retry_ms = min_of(p->retry_s, 1000000u) * 1000;
	p->sender.timeout_ms = min_of(p->timeout_s, 1000000u) * 1000;
}

int data__push(int argc, const char **argv)
{
	struct push p = {
		.export = {
			.command = "perf data push", .opts = { .lines = true },
			.symbols = { .inlines = true },
		},
		.service = "perf", .spool_mb = SPOOL_MB, .retry_s = RETRY_S,
		.timeout_s = TIMEOUT_S,
	};
	const char *url = NULL;
	struct debug_servers servers;
	bool quiet = false;
	int verbose = 0, status;
	const struct option options[] = {
		OPT_STRING(0, "url", &url, "url", "send to this store; its path says how"),
		OPT_STRING(0, "format", &p.format, "pprof|otlp", "of a URL without a path: to "
			   "/ingest (default) or /v1development/profiles"),
		OPT_STRING('i', "input", &p.export.input, "file", "send this recording (- is "
			   "stdin)"),
		OPT_BOOL(0, "waiting", &p.waiting_only, "send only what waits in the spool"),
		OPT_BOOL(0, "remove", &p.remove, "remove the recording once its profile is in the "
			 "spool"),
		OPT_STRING(0, "service", &p.service, "name", "the name of the profiles (perf)"),
		OPT_STRING(0, "labels", &p.label_list, "name=value,...", "of the profiles, for "
			   "Parca and push.v1"),
		OPT_STRING(0, "header-file", &p.header_file, "file", "lines to put into the head "
			   "of each request: 'Name: value'"),
		OPT_STRING(0, "spool", &p.spool, "dir", "keep here what is not sent "
			   "(~/.perf-push)"),
		OPT_UINT(0, "spool-size", &p.spool_mb, "MB", "and at most as much; then the oldest "
			 "is removed (100)"),
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

	argc = options__parse(argc, argv, options, push_usage, 0);
	if (argc)
		usage__die(options, push_usage, "unexpected argument '%s': name the recording with "
			   "-i", argv[0]);
	check_options(&p, url, options);
	log__set_level(quiet ? LOG_QUIET : verbose);
	debug_servers__use(&servers, &p.export.symbols.binary);
	status = run(&p);
	free_all(&p);
	return status;
}
