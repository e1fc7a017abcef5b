// SPDX-License-Identifier: GPL-2.0-only
/* perf report --stdio and --json: what is printed. */
#include "builtin-report.h"
#include "util/base/log.h"
#include "util/cli/package-of.h"
#include "util/event/sampling.h"
#include "util/text/about-text.h"
#include "util/text/brief-json.h"
#include "util/text/off-cpu-text.h"
#include "util/text/report-json.h"
#include "util/text/report-hierarchy.h"
#include "util/text/report-text.h"

const struct event_group *report__group_of(const struct report *r, u32 event)
{
	const struct event_group *g = NULL;

	if (r->all.nr)
		return &r->all;
	if (r->groups)
		g = event_groups__of(&r->event_groups, event);
	return g && g->nr <= HIST_EVENTS_MAX ? g : NULL;
}

u32 report__place_in_group(const struct report *r, u32 event)
{
	const struct event_group *g = report__group_of(r, event);

	return g ? event - g->first : 0;
}

/* Says that graphs do not show all frames of the deepest stacks. */
static void put_cut(struct report *r)
{
	u32 max = r->text.chains.max_frames;
	u64 nr = 0;

	if (r->text.chains.mode == CHAIN_NONE || !max)
		return;
	for (size_t i = 0; i < r->recording->events.nr; i++)
		nr += stacks__nr_deeper(&r->hists[i].stacks, max);
	if (!nr)
		return;
	textbuf__printf(&r->out, "# Call graphs: the %u frames of a stack that are next to the "
			"function of the line; ", max);
	textbuf__dec(&r->out, nr, 0);
	textbuf__printf(&r->out, " %s more (see --max-stack)\n#\n",
			nr == 1 ? "sample has" : "samples have");
}

static void put_off_cpu(const struct report *r, struct textbuf *tb)
{
	u64 left[THREAD_STATES] = {};

	textbuf__puts(tb, "# ");
	textbuf__off_cpu_line(tb, off_cpu__account(pipeline__off_cpu(r->pipeline)));
	for (int i = THREAD_ON; r->time.wall && i < THREAD_STATES; i++)
		left[i] = time_parts__left(r->time.parts, i);
	textbuf__state_times(tb, "; in no sample: ", left);
	textbuf__puts(tb, "\n#\n");
}

/* Who sees no kernel function in a stack should not believe that there was none. */
static void put_clock(const struct report *r, struct textbuf *tb)
{
	const struct recording *rec = r->recording;

	if (rec->events.nr && attr__by_clock(&rec->events.v[0]->attr))
		textbuf__puts(tb, "# Kernel stacks: absent: perf events were not used, threads "
			      "stopped themselves (--user-only-clock)\n#\n");
}

void report__put_account(const struct report *r, struct textbuf *tb)
{
	const struct pipeline_account *a = pipeline__account(r->pipeline);
	char line[ACCOUNT_LINE_MAX];

	textbuf__puts(tb, "#\n");
	/* A table of times is made of switches: samples are of interest only if some are lost. */
	if (!r->times || pipeline_account__lost(a)) {
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
	if (pipeline__off_cpu(r->pipeline))
		put_off_cpu(r, tb);
}

static void put_head(struct report *r)
{
	if (!r->header)
		textbuf__puts(&r->out, "# To display the perf.data header info, please use "
			      "--header/--header-only options.\n#\n");
	textbuf__put(&r->out, r->left_out.buf, r->left_out.len);
	report__put_account(r, &r->out);
	if (!r->times)
		put_cut(r);
}

/* "anon group { cycles, instructions }", in the words of perf. */
static void put_group_name(const struct report *r, const struct event_group *g, struct textbuf *tb)
{
	if (g != &r->all)
		textbuf__printf(tb, "%s { ", g->name ?: "anon group");
	for (u32 i = 0; i < g->nr; i++)
		if (hist__shows(&r->hists[g->first], i))
			textbuf__printf(tb, "%s%s", i ? ", " : "",
					r->recording->events.v[g->first + i]->name);
	if (g != &r->all)
		textbuf__puts(tb, " }");
}

static void put_json(struct report *r, struct hist *h, u32 first)
{
	const char *names[HIST_EVENTS_MAX];

	for (u32 i = 0; i < h->opts.nr_events; i++)
		names[i] = r->recording->events.v[first + i]->name;
	report_json__event(&r->out, h, names, &r->text);
}

void report__put_event_name(const struct report *r, u32 event, struct textbuf *tb)
{
	const struct event_group *g = report__group_of(r, event);

	if (g)
		put_group_name(r, g, tb);
	else if (r->time.wall)
		textbuf__puts(tb, "wall time");
	else
		textbuf__puts(tb, r->recording->events.v[event]->name);
}

static const char *find_package(void *ctx, const char *path)
{
	char *name = ctx;

	return package__of(path, name, PATH_MAX);
}

static void put_about(struct report *r, struct hist *h, const struct brief_text_opts *opts)
{
	struct about a;

	about__make(&a, h, r->about);
	if (r->json)
		textbuf__about_json(&r->out, &a, h, opts, r->about);
	else
		textbuf__about(&r->out, &a, h, opts, r->about);
	about__free(&a);
}

static void put_brief(struct report *r, struct hist *h, u32 event)
{
	char package[PATH_MAX];
	const struct brief_text_opts opts = {
		.input = report__input_name(r), .recording = r->recording,
		.event = r->recording->events.v[event],
		.account = pipeline__account(r->pipeline),
		.callchains = r->text.chains.mode != CHAIN_NONE,
		.package = find_package, .ctx = package,
	};
	struct brief b;

	if (r->about) {
		put_about(r, h, &opts);
		return;
	}
	brief__make(&b, h);
	if (r->json)
		textbuf__brief_json(&r->out, &b, h, &opts);
	else
		textbuf__brief(&r->out, &b, h, &opts);
	brief__free(&b);
}

static u64 put_event(struct report *r, u32 event)
{
	struct hist *h = &r->hists[event];
	struct textbuf name;
	u64 nr = 0;

	for (u32 i = 0; i < h->opts.nr_events; i++)
		nr += h->totals[i].nr + h->totals[i].filtered_nr;
	if (!nr)
		return 0;
	if (r->brief) {
		put_brief(r, h, event);
		return nr;
	}
	textbuf__init(&name, -1);
	report__put_event_name(r, event, &name);
	hist__finish(h);
	if (r->json)
		put_json(r, h, event);
	else if (r->hierarchy)
		textbuf__hierarchy(&r->out, h, textbuf__str(&name), &r->text);
	else
		textbuf__report(&r->out, h, textbuf__str(&name), &r->text);
	textbuf__free(&name);
	return nr;
}

static void put_times(struct report *r)
{
	const struct off_cpu *o = pipeline__off_cpu(r->pipeline);
	bool by_process = *r->times == 'p';

	if (r->json)
		textbuf__thread_times_json(&r->out, o, by_process);
	else
		textbuf__thread_times(&r->out, o, by_process);
}

static void put_threads(struct report *r)
{
	const char *input = report__input_name(r);

	if (r->counted.threads.nr)
		textbuf__thread_counts(&r->out, &r->counted, r->recording,
				       r->pretty && *r->pretty == 'r');
	else if (!r->counted.nr_left_out)
		pr_warn("%s has no counts of threads: record with -s\n", input);
	if (r->counted.nr_left_out)
		pr_warn("-T leaves out %u counts in %s: of groups of events, of events that are "
			"not known, or of threads beyond %d counts\n", r->counted.nr_left_out,
			input, THREAD_COUNTS_MAX);
}

void report__put(struct report *r)
{
	u64 nr = 0;

	if (r->json && !r->brief)
		report_json__header(&r->out, r->recording,
				    pipeline_account__lost(pipeline__account(r->pipeline)));
	else if (!r->json && !r->quiet && !r->brief)
		put_head(r);
	if (r->times) {
		put_times(r);
		return;
	}
	for (size_t i = 0; i < r->recording->events.nr; i++)
		if (!report__place_in_group(r, i))
			nr += put_event(r, i);
	if (r->threads)
		put_threads(r);
	if (!nr)
		pr_warn("%s has no samples%s\n", report__input_name(r),
			r->only.time || r->only.cpus ? " in this time range or on these CPUs" : "");
}
