// SPDX-License-Identifier: GPL-2.0-only
#include "brief-text.h"

#include <inttypes.h>

#include "../data/event-name.h"
#include "chain-text.h"

#define SHOWN_PERCENT 1.0  /* lists leave out what has less */
#define NAME_COLUMNS 60      /* of a name in a list, and in a path */
#define STEP_COLUMNS 40
#define START_FUNCTIONS 6  /* main() is among so many, if it is there */
#define PATH_HEAD 2        /* functions of a long path: at its beginning, and at its end */
#define PATH_TAIL 6
#define STANDS_OUT 8.0     /* percent of a kind of work that is worth a sentence */
#define ONE_THREAD 90.0
#define FEW_SAMPLES 200
#define MUCH_WAITING 0.5   /* of one CPU */
#define WHOLE_ENOUGH 99.0

struct page {
	struct textbuf *tb;
	const struct brief *b;
	struct hist *h;
	const struct brief_text_opts *o;
};

static double percent(const struct page *p, u64 period)
{
	return p->b->period ? 100.0 * period / p->b->period : 0;
}

/* A name of bounded length, without what could end a line. */
static void put_name(const struct page *p, u32 frame, int columns)
{
	struct textbuf name;
	const char *s;

	textbuf__init(&name, -1);
	textbuf__chain_frame(&name, p->h, frame, false);
	textbuf__replace(&name, '\n', '?');
	s = textbuf__str(&name);
	textbuf__printf(p->tb, "%.*s%s", columns, s, name.len > (size_t)columns ? "..." : "");
	textbuf__free(&name);
}

static const struct stack_frame *frame_of(const struct page *p, u32 frame)
{
	return &p->h->stacks.frames.v[frame];
}

static void put_binary(const struct page *p, const struct stack_frame *f)
{
	textbuf__printf(p->tb, " [%.*s]", NAME_COLUMNS, f->dso ? f->dso->short_name : "unknown");
}

static bool counts_time(const struct evsel *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE &&
	       (ev->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		ev->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

static double duration(const struct page *p)
{
	const struct recording *r = p->o->recording;

	return (r->last_sample_time - r->first_sample_time) / 1e9;
}

static void put_recorded(const struct page *p)
{
	const struct recording *r = p->o->recording;
	char line[ACCOUNT_LINE_MAX];

	textbuf__printf(p->tb, "%s: ", p->o->input);
	for (size_t i = 0; i < r->cmdline.nr && i < 12; i++)
		textbuf__printf(p->tb, "%s%.80s", i ? " " : "", r->cmdline.v[i]);
	textbuf__puts(p->tb, "\n  ");
	if (duration(p) > 0)
		textbuf__printf(p->tb, "%.2f s, ", duration(p));
	textbuf__printf(p->tb, "%u samples of event %s", p->b->nr, p->o->event->name);
	if (r->nr_cpus_online)
		textbuf__printf(p->tb, ", %u CPUs", r->nr_cpus_online);
	if (r->osrelease)
		textbuf__printf(p->tb, ", Linux %.40s", r->osrelease);
	textbuf__puts(p->tb, "\n  evidence: ");
	pipeline_account__line(p->o->account, line, sizeof(line));
	textbuf__printf(p->tb, "%s; lost: ", line);
	textbuf__dec(p->tb, pipeline_account__lost(p->o->account), 0);
	textbuf__putc(p->tb, '\n');
}

static void put_share(const struct page *p, const struct brief_item *item)
{
	textbuf__printf(p->tb, "  %5.1f %% ±%.1f  ", percent(p, item->period),
			brief__uncertainty(item->nr, p->b->nr));
}

static void put_functions(const struct page *p)
{
	const char *line;

	textbuf__puts(p->tb, "\nOwn time of functions (± is the 95 % interval):\n");
	for (u32 i = 0; i < p->b->functions.nr; i++) {
		const struct brief_item *item = &p->b->functions.v[i];
		const struct stack_frame *f = frame_of(p, item->what);

		if (percent(p, item->period) < SHOWN_PERCENT)
			break;
		put_share(p, item);
		put_name(p, item->what, NAME_COLUMNS);
		put_binary(p, f);
		line = f->sym ? hist__line(p->h, f) : NULL;
		if (line)
			textbuf__printf(p->tb, " %.80s", line);
		if (p->b->with_callees[i] > item->period)
			textbuf__printf(p->tb, "; with what it calls %.1f %%",
					percent(p, p->b->with_callees[i]));
		textbuf__putc(p->tb, '\n');
	}
}

/* What the agent of `perf record --agent` tells of. */
static void put_interpreted(const struct page *p)
{
	const char *line;

	if (!p->b->interpreted.nr)
		return;
	textbuf__puts(p->tb, "\nFunctions of Python, with what they call:\n");
	for (u32 i = 0; i < p->b->interpreted.nr; i++) {
		const struct brief_item *item = &p->b->interpreted.v[i];

		put_share(p, item);
		put_name(p, item->what, NAME_COLUMNS);
		line = hist__line(p->h, frame_of(p, item->what));
		textbuf__printf(p->tb, " %.80s\n", line ?: "");
	}
}

static bool is_named(const struct page *p, u32 frame, const char *name)
{
	const struct stack_frame *f = frame_of(p, frame);

	return f->sym && !strcmp(f->sym->name, name);
}

/*
 * Returns how many functions at the beginning only start the program, a thread, or the interpreter
 * of a program.
 */
static u32 skip_start(const struct page *p, const u32 *v, u32 nr)
{
	for (u32 i = 0; i < nr && p->b->interpreted.nr; i++)
		if (brief__is_interpreted(frame_of(p, v[i])))
			return i;
	for (u32 i = 0; i < nr && i < START_FUNCTIONS; i++) {
		if (is_named(p, v[i], "main"))
			return i;
		if (is_named(p, v[i], "start_thread") && i + 1 < nr) {
			textbuf__puts(p->tb, "thread: ");
			return i + 1;
		}
	}
	return 0;
}

/* A path: recursion once, and of a long one the beginning and the end. */
static void put_path(const struct page *p, const struct brief_path *path)
{
	const u32 *v = p->b->path_frames.v + path->first;
	u32 nr = path->nr_frames, skipped = 0, start = skip_start(p, v, nr);

	v += start;
	nr -= start;

	for (u32 i = 0, times; i < nr; i += times) {
		for (times = 1; i + times < nr && v[i + times] == v[i]; times++)
			;
		if (i >= PATH_HEAD && i + times + PATH_TAIL <= nr) {
			skipped += times;
			continue;
		}
		if (skipped)
			textbuf__printf(p->tb, " > ... (%u more)", skipped);
		skipped = 0;
		textbuf__puts(p->tb, i ? " > " : "");
		put_name(p, v[i], STEP_COLUMNS);
		if (times > 1)
			textbuf__printf(p->tb, " x %u", times);
	}
	if (path->splits)
		textbuf__puts(p->tb, " > (many)");
}

static void put_paths(const struct page *p)
{
	if (!p->o->callchains || !p->b->nr_paths)
		return;
	textbuf__puts(p->tb, "\nPaths from the outermost function to the running one; no sample is "
		      "in two");
	if (p->b->cut)
		textbuf__printf(p->tb, ", and the %.1f %% whose stacks are cut are in none",
				percent(p, p->b->cut));
	textbuf__puts(p->tb, ":\n");
	for (u32 i = 0; i < p->b->nr_paths; i++) {
		const struct brief_path *path = &p->b->paths[i];

		textbuf__printf(p->tb, "  %5.1f %%  ", percent(p, path->period));
		put_path(p, path);
		textbuf__putc(p->tb, '\n');
	}
}

static void put_callers(const struct page *p, const struct brief_kind *k)
{
	for (u32 i = 0; i < k->callers.nr; i++) {
		const struct brief_item *item = &k->callers.v[i];

		textbuf__puts(p->tb, i ? ", " : "; for ");
		put_name(p, item->what, NAME_COLUMNS);
		textbuf__printf(p->tb, " (%.1f %%)", percent(p, item->period));
	}
}

static void put_kinds(const struct page *p)
{
	textbuf__puts(p->tb, "\nKinds of work, by the names of the innermost functions:\n");
	for (enum work_kind k = 0; k < WORK_KINDS; k++) {
		const struct brief_kind *kind = &p->b->kinds[k];

		if (percent(p, kind->period) < SHOWN_PERCENT)
			continue;
		textbuf__printf(p->tb, "  %5.1f %%  %s", percent(p, kind->period),
				work_kind__text(k));
		if (k != WORK_OTHER)
			put_callers(p, kind);
		textbuf__putc(p->tb, '\n');
	}
	for (u32 i = 0; i < p->b->syscalls.nr; i++) {
		const struct brief_item *item = &p->b->syscalls.v[i];

		if (percent(p, item->period) < SHOWN_PERCENT)
			break;
		textbuf__printf(p->tb, "  %5.1f %%  in system call ", percent(p, item->period));
		put_name(p, item->what, NAME_COLUMNS);
		textbuf__putc(p->tb, '\n');
	}
}

static void put_threads(const struct page *p)
{
	textbuf__printf(p->tb, "\n%u thread%s:", p->b->nr_threads,
			p->b->nr_threads == 1 ? "" : "s");
	for (u32 i = 0; i < p->b->threads.nr; i++)
		textbuf__printf(p->tb, "%s %u (%.1f %%)", i ? "," : "", p->b->threads.v[i].what,
				percent(p, p->b->threads.v[i].period));
	if (counts_time(p->o->event) && duration(p) > 0)
		textbuf__printf(p->tb, "; together on %.2f CPUs on average",
				p->b->period / 1e9 / duration(p));
	textbuf__putc(p->tb, '\n');
}

static void put_evidence_notes(const struct page *p)
{
	u64 wanted = pipeline_account__wanted(p->o->account);
	u64 lost = pipeline_account__lost(p->o->account);
	double whole = wanted ? 100.0 * pipeline_account__whole(p->o->account) / wanted : 100;

	if (p->b->nr < FEW_SAMPLES)
		textbuf__printf(p->tb, "  - %u samples are few: record for longer, or with -F "
				"4000.\n", p->b->nr);
	if (lost)
		textbuf__printf(p->tb, "  - %" PRIu64 " records were lost while recording: shares "
				"are of what is left.\n", lost);
	if (!p->o->callchains)
		textbuf__puts(p->tb, "  - There are no call stacks: record with -g --defer.\n");
	if (whole < WHOLE_ENOUGH)
		textbuf__printf(p->tb, "  - %.1f %% of the user stacks are cut: perf report -s "
				"+whole says why.\n", 100 - whole);
	if (p->o->callchains && percent(p, p->b->unproven) >= SHOWN_PERCENT)
		textbuf__printf(p->tb, "  - Whether the stacks of %.1f %% are whole is not "
				"recorded (frame pointers): record with --defer.\n",
				percent(p, p->b->unproven));
}

static void put_unnamed_notes(const struct page *p)
{
	for (u32 i = 0; i < p->b->unnamed.nr; i++) {
		const struct brief_item *item = &p->b->unnamed.v[i];
		const struct dso *dso = frame_of(p, item->what)->dso;
		const char *package;

		if (percent(p, item->period) < SHOWN_PERCENT)
			break;
		textbuf__printf(p->tb, "  - %.1f %% is in %.80s without a name",
				percent(p, item->period), dso->short_name);
		package = p->o->package ? p->o->package(p->o->ctx, dso->path) : NULL;
		if (package)
			textbuf__printf(p->tb, ": its names are in the package %s-dbgsym", package);
		textbuf__puts(p->tb, ".\n");
	}
}

static void put_kind_notes(const struct page *p)
{
	static const char *const advice[WORK_KINDS] = {
		[WORK_ALLOCATION] = "allocate less often, or reuse what is there",
		[WORK_LOCK] = "threads wait for each other; how long: perf record --off-cpu",
		[WORK_PAGE_FAULT] = "memory is touched for the first time: reuse it",
		[WORK_COPY] = "copy less",
		[WORK_STRING] = "is the search linear? a hash or a sorted table may help",
		[WORK_FORMAT] = "format or parse less often",
		[WORK_SORT] = "sort less often, or less",
		[WORK_MATH] = "fewer calls, or cheaper ones",
		[WORK_EXCEPTION] = "exceptions are thrown all the time",
		[WORK_LOADER] = "the program is short: most of its time it begins",
		[WORK_CHECK] = "this is not the program that people use: it was built with checks",
		[WORK_SYSCALL] = "fewer and larger calls",
	};

	for (enum work_kind k = 0; k < WORK_KINDS; k++)
		if (advice[k] && percent(p, p->b->kinds[k].period) >= STANDS_OUT) {
			textbuf__printf(p->tb, "  - %.1f %% is %s",
					percent(p, p->b->kinds[k].period), work_kind__text(k));
			put_callers(p, &p->b->kinds[k]);
			textbuf__printf(p->tb, ": %s.\n", advice[k]);
		}
}

static void put_notes(const struct page *p)
{
	const struct brief *b = p->b;
	double cpus = counts_time(p->o->event) && duration(p) > 0 ?
			      b->period / 1e9 / duration(p) : 1;

	textbuf__puts(p->tb, "\nWhat stands out:\n");
	put_evidence_notes(p);
	put_unnamed_notes(p);
	put_kind_notes(p);
	if (b->nr_threads > 1 && percent(p, b->threads.v[0].period) >= ONE_THREAD)
		textbuf__printf(p->tb, "  - One of %u threads does %.1f %% of the work.\n",
				b->nr_threads, percent(p, b->threads.v[0].period));
	if (cpus < MUCH_WAITING)
		textbuf__printf(p->tb, "  - It ran for %.0f %% of the time, and waited otherwise, "
				"perhaps for a CPU: perf record --off-cpu says for what.\n",
				100 * cpus);
	if (b->functions.nr && percent(p, b->functions.v[0].period) >= 100 - ONE_THREAD) {
		textbuf__puts(p->tb, "  - ");
		put_name(p, b->functions.v[0].what, NAME_COLUMNS);
		textbuf__printf(p->tb, " alone has %.1f %%.\n",
				percent(p, b->functions.v[0].period));
	}
}

static void put_next(const struct page *p)
{
	const char *in = p->o->input;

	textbuf__puts(p->tb, "\nNext:\n");
	if (p->b->functions.nr) {
		textbuf__printf(p->tb, "  perf report -i %s --stdio --no-children -g caller "
				"--percent-limit 5        # who calls them\n", in);
		textbuf__printf(p->tb, "  perf report -i %s --stdio --no-children -g none -s "
				"sym,srcline --percent-limit 2  # lines\n", in);
	}
	textbuf__printf(p->tb, "  perf script -i %s --max-stack 40 | head -n 60             "
			"       # single stacks\n", in);
}

void textbuf__brief(struct textbuf *tb, const struct brief *b, struct hist *h,
		    const struct brief_text_opts *o)
{
	const struct page p = { tb, b, h, o };

	put_recorded(&p);
	put_functions(&p);
	put_interpreted(&p);
	put_paths(&p);
	put_kinds(&p);
	put_threads(&p);
	put_notes(&p);
	put_next(&p);
}
