// SPDX-License-Identifier: GPL-2.0-only
#include "push.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/log.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "../io/output-file.h"
#include "../io/secure-env.h"
#include "headers.h"

struct push {
	const struct push_opts *opts;
	struct convert_opts export; /* of .opts, with what the run adds, as the next */
	struct export_result made;
	struct sender_opts sender;
	const char *spool;
	char *spool_name, *part;
	struct push_headers headers;
};

/* A URL without a path gets that of the format. */
static int choose_store(struct push_opts *p, struct error *err)
{
	const char *url = p->url, *host = url ? strstr(url, "://") : NULL, *path;

	if (!host || (strncmp(url, "http://", 7) && strncmp(url, "https://", 8)))
		return error__set(err, -EINVAL, "--url needs an address, such as "
						"http://localhost:4040/ingest");
	host += 3;
	path = host + strcspn(host, "/?#");
	if (memchr(host, '@', path - host))
		return error__set(err, -EINVAL, "--url holds a password, which everybody can read "
						"in the process list: use --header-file or "
						"PERF_PUSH_TOKEN");
	if (p->format && strcmp(p->format, "pprof") && strcmp(p->format, "otlp"))
		return error__set(err, -EINVAL, "--format is pprof or otlp, not '%s'", p->format);
	p->store_url = !strcmp(path, "/") || !*path ?
		 xasprintf("%.*s%s", (int)(path - url), url, store__path(p->format ?: "pprof")) :
		 xstrdup(url);
	p->sender.url = p->store_url;
	p->sender.kind = store__kind(p->store_url);
	if (p->sender.kind == STORE_UNKNOWN)
		return error__set(err, -EINVAL, "--url: no store accepts profiles at this path: it "
						"must end in /ingest, /push.v1.PusherService/Push, "
						"/profiles/writeraw or /v1development/profiles");
	if (p->format && strcmp(p->format, store__format(p->sender.kind)))
		return error__set(err, -EINVAL, "--format: this path needs %s",
				  store__format(p->sender.kind));
	p->format = store__format(p->sender.kind);
	return 0;
}

/* What is not given comes from the environment, of which a unit has it; and "" is nothing there. */
static int take_labels(struct push_opts *p, struct error *err)
{
	const char *service = secure_env__get("PERF_PUSH_SERVICE");

	if (!p->service && service && *service)
		p->service = p->service_name = xstrdup(service);
	p->service = p->service ?: "perf";
	if (p->labels)
		return push_labels__parse(&p->label_list, p->labels, "--labels", err);
	return push_labels__parse(&p->label_list, secure_env__get("PERF_PUSH_LABELS"),
				  "PERF_PUSH_LABELS", err);
}

int push_opts__finish(struct push_opts *p, struct error *err)
{
	int ret = choose_store(p, err) ?: take_labels(p, err);

	if (ret)
		return ret;
	if (!p->spool_mb || !p->timeout_s)
		return error__set(err, -EINVAL, "--spool-size and --timeout must be 1 or more");
	p->sender.retry_ms = min_of(p->retry_s, 1000000u) * 1000;
	p->sender.timeout_ms = min_of(p->timeout_s, 1000000u) * 1000;
	return 0;
}

void push_opts__free(struct push_opts *p)
{
	free(p->store_url);
	free(p->service_name);
	push_labels__free(&p->label_list);
}

static int choose_spool(struct push *p, struct error *err)
{
	const char *home = secure_env__home(), *spool = secure_env__get("PERF_PUSH_SPOOL");

	p->spool = p->opts->spool ?: spool && *spool ? spool : NULL;
	if (p->spool)
		return 0;
	if (!home || !*home)
		return error__set(err, -ENOENT, "HOME is not set, so there is no spool: name a "
						"directory with --spool");
	p->spool = p->spool_name = xasprintf("%s/.perf-push", home);
	return 0;
}

/* In a process of its own: what follows connects. */
static int export_apart(void *ctx, void *result)
{
	struct push *p = ctx;

	return convert__run(&p->export, result);
}

/*
 * Writes the profile into the spool, also that of a damaged recording.
 * Returns: the exit status.
 */
static int convert(struct push *p, struct spool *s, struct error *err)
{
	const char *input = p->export.input ?: "perf.data";
	const struct push_labels *l = &p->opts->label_list;
	const struct export_result *made = &p->made;
	int status, removed;
	bool spooled;
	char *labels;

	p->part = xasprintf("%s/.part.%d", p->spool, getpid());
	p->export.output = p->part;
	p->export.format = export_format__find(p->opts->format);
	p->export.opts.service = p->opts->service;
	p->export.opts.labels = l->v;
	p->export.opts.nr_labels = l->nr;
	p->export.is_step = true;
	status = reader__apart(export_apart, p, &p->made, sizeof(p->made));
	labels = push_labels__with_host(l, made->host);
	spooled = made->samples && !spool__add_file(s, p->opts->service, p->opts->format, labels,
						    made->from, made->until, p->part, err);
	free(labels);
	if (made->samples && !spooled)
		status = 1;
	/* A damaged one, too: who tried again would send its samples twice. */
	else if ((spooled || !status) && p->opts->remove && strcmp(input, "-") &&
		 (removed = output_file__remove(input)))
		pr_warn("cannot remove '%s': %s\n", input, strerror(-removed));
	output_file__remove(p->part);
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
	if (a->nr_failed)
		pr_warn("the store fails with %u profiles, and accepts others: after %d runs these "
			"are kept with names that end in .refused\n", a->nr_failed,
			SPOOL_FAILED_MAX);
	if (a->nr_other)
		pr_warn("%u profiles in %s have a format that this path does not accept\n",
			a->nr_other, p->spool);
	if (unsent)
		pr_warn("%u profiles were removed before they were sent: %s is limited to %u MB "
			"(--spool-size)\n", unsent, p->spool, p->opts->spool_mb);
	pr_info("[ perf data push: %llu samples; %u profiles sent, %.3f MB; %u wait in %s ]\n",
		(unsigned long long)p->made.samples, a->nr_sent,
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

	if (!p->opts->waiting_only)
		status = convert(p, s, err);
	if (err->code)
		return 1;
	spool__shrink(s, (u64)p->opts->spool_mb << 20, &unsent);
	ret = sender__run(s, &p->sender, &a, err);
	if (ret)
		error__prefix(err, "not sent to %s", p->opts->store_url);
	print_account(p, &a, unsent);
	return ret || status || unsent || a.nr_refused;
}

int push__run(const struct push_opts *opts)
{
	struct push p = { .opts = opts, .export = opts->export, .sender = opts->sender };
	struct spool spool = { .dir = -1, .lock = -1 };
	struct debug_servers servers;
	struct error err = {};
	int status = 1, ret;

	debug_servers__use(&servers, &p.export.symbols.binary);
	p.sender.tell = tell;
	ret = choose_spool(&p, &err);
	/* Who runs this chooses the file with headers, and the spool. */
	reader__drop_privileges(p.spool);
	if (!ret)
		ret = push_headers__read(&p.headers, secure_env__get("PERF_PUSH_TOKEN"),
					 opts->header_file ?:
					 secure_env__get("PERF_PUSH_HEADER_FILE"), &err);
	p.sender.headers = p.headers.lines.v;
	secure_env__forget(); /* libcurl asks for proxies */
	if (!ret)
		ret = spool__open(&spool, p.spool, &err);
	if (!ret)
		status = push_all(&p, &spool, &err);
	if (err.code)
		pr_err("%s\n", err.text);
	spool__close(&spool);
	push_headers__free(&p.headers);
	free(p.spool_name);
	free(p.part);
	return status;
}
