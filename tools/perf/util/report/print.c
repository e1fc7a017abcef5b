// SPDX-License-Identifier: GPL-2.0-only
/* perf report --stdio and --json: what is printed. */
#include "state.h"
#include "../base/log.h"
#include "../event/sampling.h"
#include "about-text.h"
#include "brief-json.h"
#include "hierarchy.h"
#include "json.h"
#include "package-of.h"
#include "thread-times.h"
#include "../text/off-cpu-text.h"
#include "../text/report-text.h"

/* Says that graphs do not show all frames of the deepest stacks. */
static void put_cut(struct report *r)
{
	u32 max = r->view.text.chains.max_frames;
	u64 nr = 0;

	if (r->view.text.chains.mode == CHAIN_NONE || !max)
		return;
	for (size_t i = 0; i < r->state.recording->events.nr; i++)
		nr += stacks__nr_deeper(&r->state.hists[i].stacks, max);
	if (!nr)
		return;
	textbuf__printf(&r->view.out, "# Call graphs: the %u frames of a stack that are next to "
			"the function of the line; ", max);
	textbuf__dec(&r->view.out, nr, 0);
	textbuf__printf(&r->view.out, " %s more (see --max-stack)\n#\n",
			nr == 1 ? "sample has" : "samples have");
}

static void put_off_cpu(const struct report *r, struct textbuf *tb)
{
	u64 left[THREAD_STATES] = {};

	textbuf__puts(tb, "# ");
	textbuf__off_cpu_line(tb, off_cpu__account(pipeline__off_cpu(r->state.pipeline)));
	for (int i = THREAD_ON; r->opts->time.wall && i < THREAD_STATES; i++)
		left[i] = time_parts__left(r->state.time.parts, i);
	textbuf__state_times(tb, "; in no sample: ", left);
	textbuf__puts(tb, "\n#\n");
}

/* Who sees no kernel function in a stack should not believe that there was none. */
static void put_clock(const struct report *r, struct textbuf *tb)
{
	const struct recording *rec = r->state.recording;

	if (rec->events.nr && attr__by_clock(&rec->events.v[0]->attr))
		textbuf__puts(tb, "# Kernel stacks: absent: perf events were not used, threads "
				  "interrupted themselves (--user-only-clock)\n#\n");
}

void report__put_account(const struct report *r, struct textbuf *tb)
{
	const struct pipeline_account *a = pipeline__account(r->state.pipeline);
	char line[ACCOUNT_LINE_MAX];

	textbuf__puts(tb, "#\n");
	/* A table of times is made of switches: samples are of interest only if some are lost. */
	if (!r->opts->times || pipeline_account__lost(a)) {
		textbuf__puts(tb, "# Total Lost Samples: ");
		textbuf__dec(tb, pipeline_account__lost(a), 0);
		textbuf__puts(tb, "\n#\n");
	}
	/* Not if all stacks are shown as recorded, and none ends early. */
	if (pipeline_account__wanted(a) || a->user_part[USER_PART_KEPT] || a->recorded_early) {
		pipeline_account__line(a, line, sizeof(line));
		textbuf__printf(tb, "# User stacks: %s\n#\n", line);
	}
	put_clock(r, tb);
	if (pipeline__off_cpu(r->state.pipeline))
		put_off_cpu(r, tb);
}

static void put_head(struct report *r)
{
	if (!r->opts->header)
		textbuf__puts(&r->view.out, "# To display the perf.data header info, please use "
			      "--header/--header-only options.\n#\n");
	textbuf__put(&r->view.out, r->view.left_out.buf, r->view.left_out.len);
	report__put_account(r, &r->view.out);
	if (!r->opts->times)
		put_cut(r);
}

/* "anon group { cycles, instructions }", in the words of perf. */
static void put_group_name(const struct report *r, const struct event_group *g, struct textbuf *tb)
{
	if (g != &r->state.groups.all)
		textbuf__printf(tb, "%s { ", g->name ?: "anon group");
	for (u32 i = 0; i < g->nr; i++)
		if (hist__shows(&r->state.hists[g->first], i))
			textbuf__printf(tb, "%s%s", i ? ", " : "",
					r->state.recording->events.v[g->first + i]->name);
	if (g != &r->state.groups.all)
		textbuf__puts(tb, " }");
}

/* Waits and what runs, as one event: its samples count time, of which none is a CPU's alone. */
static const struct evsel wall_time = { .name = "wall time" };

static const struct evsel *event_of(const struct report *r, u32 event)
{
	return r->opts->time.wall ? &wall_time : r->state.recording->events.v[event];
}

static void put_json(struct report *r, struct hist *h, u32 first)
{
	const char *names[HIST_EVENTS_MAX];

	for (u32 i = 0; i < h->opts.nr_events; i++)
		names[i] = event_of(r, first + i)->name;
	report_json__event(&r->view.out, h, names, &r->view.text);
}

void report__put_event_name(const struct report *r, u32 event, struct textbuf *tb)
{
	const struct event_group *g = report_groups__of(&r->state.groups, event);

	if (g)
		put_group_name(r, g, tb);
	else
		textbuf__name(tb, event_of(r, event)->name);
}

static const char *find_package(void *ctx, const char *path)
{
	char *name = ctx;

	return package__of(path, name, PATH_MAX);
}

static void put_about(struct report *r, struct hist *h, const struct brief_text_opts *opts)
{
	struct about a;

	about__make(&a, h, r->opts->about, r->opts->text.chains.fold);
	if (r->opts->json)
		textbuf__about_json(&r->view.out, &a, h, opts, r->opts->about);
	else
		textbuf__about(&r->view.out, &a, h, opts, r->opts->about);
	about__free(&a);
}

/* Not of wall time, of which waits are a part. */
static bool is_of_waits(const struct report *r, u32 event)
{
	return !r->opts->time.wall && evsel__is_off_cpu(r->state.recording->events.v[event]);
}

static void put_brief(struct report *r, struct hist *h, u32 event)
{
	char package[PATH_MAX];
	const struct off_cpu *o = pipeline__off_cpu(r->state.pipeline);
	struct brief_text_opts opts = {
		.input = report__input_name(r), .recording = r->state.recording,
		.event = event_of(r, event), .times = o ? off_cpu__account(o) : NULL,
		.takers = r->state.time.takers.v, .nr_takers = r->state.time.takers.nr,
		.account = pipeline__account(r->state.pipeline),
		.callchains = r->view.text.chains.mode != CHAIN_NONE,
		.package = find_package, .ctx = package,
	};
	struct brief_waits waits;
	struct brief b;

	if (is_of_waits(r, event)) {
		brief_waits__make(&waits, h, r->opts->about);
		opts.waits = &waits;
	}
	if (r->opts->about) {
		put_about(r, h, &opts);
		return;
	}
	brief__make(&b, h, opts.waits, r->opts->text.chains.fold);
	if (r->opts->json)
		textbuf__brief_json(&r->view.out, &b, h, &opts);
	else
		textbuf__brief(&r->view.out, &b, h, &opts);
	brief__free(&b);
}

static u64 put_event(struct report *r, u32 event)
{
	struct hist *h = &r->state.hists[event];
	struct textbuf name;
	u64 nr = 0;

	for (u32 i = 0; i < h->opts.nr_events; i++)
		nr += h->totals[i].nr + h->totals[i].filtered_nr;
	if (!nr)
		return 0;
	if (r->opts->brief) {
		hist__make_lists(h);
		put_brief(r, h, event);
		return nr;
	}
	textbuf__init(&name, -1);
	report__put_event_name(r, event, &name);
	hist__finish(h);
	if (r->opts->json)
		put_json(r, h, event);
	else if (r->opts->hierarchy)
		textbuf__hierarchy(&r->view.out, h, textbuf__str(&name), &r->view.text);
	else
		textbuf__report(&r->view.out, h, textbuf__str(&name), &r->view.text);
	textbuf__free(&name);
	return nr;
}

static void put_times(struct report *r)
{
	const struct off_cpu *o = pipeline__off_cpu(r->state.pipeline);
	bool by_process = *r->opts->times == 'p';

	if (r->opts->json)
		textbuf__thread_times_json(&r->view.out, o, by_process);
	else
		textbuf__thread_times(&r->view.out, o, by_process);
}

static void put_threads(struct report *r)
{
	const char *input = report__input_name(r);

	if (r->state.threads.threads.nr)
		textbuf__thread_counts(&r->view.out, &r->state.threads, r->state.recording,
				       r->opts->pretty && *r->opts->pretty == 'r');
	else if (!r->state.threads.nr_left_out)
		pr_warn("%s has no counts of threads: record with -s\n", input);
	if (r->state.threads.nr_left_out)
		pr_warn("-T leaves out %u counts in %s: of event groups, of unknown events, or "
			"beyond %d counts\n", r->state.threads.nr_left_out,
			input, THREAD_COUNTS_MAX);
}

void report__put(struct report *r)
{
	u64 nr = 0;

	if (r->opts->json && !r->opts->brief)
		report_json__header(&r->view.out, r->state.recording,
				    pipeline_account__lost(pipeline__account(r->state.pipeline)));
	else if (!r->opts->json && !r->opts->quiet && !r->opts->brief)
		put_head(r);
	if (r->opts->times) {
		put_times(r);
		return;
	}
	for (size_t i = 0; i < r->state.recording->events.nr; i++)
		if (!report_groups__place(&r->state.groups, i))
			nr += put_event(r, i);
	if (r->opts->threads)
		put_threads(r);
	if (!nr)
		pr_warn("%s has no samples%s\n", report__input_name(r),
			r->view.time || r->opts->only.cpus ?
			" in this time range or on these CPUs" : "");
}
