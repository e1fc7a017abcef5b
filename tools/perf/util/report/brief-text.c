// SPDX-License-Identifier: GPL-2.0-only
#include "brief-text.h"

#include <inttypes.h>
#include <string.h>

#include "../base/version.h"
#include "../data/event-name.h"
#include "../off-cpu/wait.h"
#include "brief-waits-text.h"

#define STEP_COLUMNS 48      /* of a name in a path */
#define START_FUNCTIONS 6    /* main() is among so many, if it is there */
#define PATH_HEAD 2          /* functions of a long path: at its beginning, and at its end */
#define PATH_TAIL 6
#define PATH_RUNTIME 10      /* of these, and of all between: functions of runtimes */
#define STANDS_OUT 8.0       /* percent of a kind of work that is worth a sentence */
#define ONE_THREAD 90.0
#define FEW_SAMPLES 200
#define MUCH_WAITING 0.5     /* of one CPU */
#define WHOLE_ENOUGH 99.0
#define NEXT_FUNCTIONS 3     /* that are proposed to look at */
#define COMPILED_FUNCTIONS 3u
#define TYPED_NAME_MAX 150   /* bytes of a name in a command */

double brief_page__percent(const struct brief_page *p, u64 period)
{
	return p->b->period ? 100.0 * period / p->b->period : 0;
}

static const struct stack_frame *frame_of(const struct brief_page *p, u32 frame)
{
	return &p->h->stacks.frames.v[frame];
}

void brief_page__binary(const struct brief_page *p, const struct stack_frame *f)
{
	const char *name = f->dso ? f->dso->short_name : "unknown";

	/* "[kernel.kallsyms]" has its own. */
	textbuf__printf(p->tb, *name == '[' ? " %.*s" : " [%.*s]", BRIEF_NAME_COLUMNS, name);
}

static bool counts_time(const struct evsel *ev)
{
	return ev->attr.type == PERF_TYPE_SOFTWARE &&
	       (ev->attr.config == PERF_COUNT_SW_CPU_CLOCK ||
		ev->attr.config == PERF_COUNT_SW_TASK_CLOCK);
}

double brief_page__seconds(const struct brief_page *p)
{
	const struct recording *r = p->o->recording;

	return (r->last_sample_time - r->first_sample_time) / 1e9;
}

static void put_recorded(const struct brief_page *p)
{
	const struct recording *r = p->o->recording;
	char line[ACCOUNT_LINE_MAX];

	textbuf__printf(p->tb, "%s: ", p->o->input);
	for (size_t i = 0; i < r->cmdline.nr && i < 12; i++)
		textbuf__printf(p->tb, "%s%.80s", i ? " " : "", r->cmdline.v[i]);
	textbuf__puts(p->tb, "\n  ");
	if (brief_page__seconds(p) > 0)
		textbuf__printf(p->tb, "%.2f s, ", brief_page__seconds(p));
	textbuf__printf(p->tb, "%u %s of event %s", p->b->nr, p->o->waits ? "waits" : "samples",
			p->o->event->name);
	if (r->nr_cpus_online)
		textbuf__printf(p->tb, ", %u CPUs", r->nr_cpus_online);
	if (r->osrelease)
		textbuf__printf(p->tb, ", Linux %.40s", r->osrelease);
	textbuf__puts(p->tb, "\n  evidence: ");
	pipeline_account__line(p->o->account, line, sizeof(line));
	textbuf__printf(p->tb, "%s%s\n", line,
			pipeline_account__lost(p->o->account) ? "" : "; no records lost");
}

static void put_share(const struct brief_page *p, const struct brief_item *item)
{
	textbuf__printf(p->tb, "  %5.1f %% ±%.1f  ", brief_page__percent(p, item->period),
			brief__uncertainty(item->nr, p->b->nr));
}

static void put_functions(const struct brief_page *p)
{
	const char *line;

	textbuf__puts(p->tb, "\nOwn time of functions (± is the 95 % interval):\n");
	for (u32 i = 0; i < p->b->functions.nr; i++) {
		const struct brief_item *item = &p->b->functions.v[i];
		const struct stack_frame *f = frame_of(p, item->what);

		if (brief_page__percent(p, item->period) < BRIEF_SHOWN_PERCENT)
			break;
		put_share(p, item);
		brief_page__name(p, item->what, BRIEF_NAME_COLUMNS);
		brief_page__binary(p, f);
		line = f->sym ? hist__line(p->h, f) : NULL;
		if (line)
			textbuf__printf(p->tb, " %.80s", line);
		if (p->b->with_callees[i] > item->period)
			textbuf__printf(p->tb, "; with callees %.1f %%",
					brief_page__percent(p, p->b->with_callees[i]));
		textbuf__putc(p->tb, '\n');
	}
}

static void put_of_runtimes(const struct brief_page *p)
{
	const char *line;

	if (!p->b->of_runtimes.nr)
		return;
	textbuf__puts(p->tb, "\nFunctions of interpreters and JIT compilers, with callees:\n");
	for (u32 i = 0; i < p->b->of_runtimes.nr; i++) {
		const struct brief_item *item = &p->b->of_runtimes.v[i];

		put_share(p, item);
		brief_page__name(p, item->what, BRIEF_NAME_COLUMNS);
		line = hist__line(p->h, frame_of(p, item->what));
		textbuf__printf(p->tb, " %.80s\n", line ?: "");
	}
}

static bool is_named(const struct brief_page *p, u32 frame, const char *name)
{
	const struct stack_frame *f = frame_of(p, frame);

	return f->sym && !strcmp(f->sym->name, name);
}

/*
 * Returns how many functions at the beginning only start the program, a thread, or the interpreter
 * of a program.
 */
static u32 skip_start(const struct brief_page *p, const u32 *v, u32 nr)
{
	for (u32 i = 0; i < nr && p->b->of_runtimes.nr; i++)
		if (dso__is_of_runtime(frame_of(p, v[i])->dso) &&
		    (i + 1 == nr || !brief__is_loader(frame_of(p, v[i]))))
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

/* Returns how often the function at @i stands there, one behind the other. */
static u32 times_of(const u32 *v, u32 nr, u32 i)
{
	u32 end = i;

	while (end < nr && v[end] == v[i])
		end++;
	return end - i;
}

/* Returns from where on functions of runtimes are shown: the innermost ones. */
static u32 first_of_runtime(const struct brief_page *p, const u32 *v, u32 nr)
{
	u32 found = 0, i = nr;

	while (i && found < PATH_RUNTIME) {
		i--;
		if (dso__is_of_runtime(frame_of(p, v[i])->dso) && (!i || v[i] != v[i - 1]))
			found++;
	}
	return i;
}

/*
 * A path: recursion once, and of a long one the beginning and the end, and of what is between them
 * the functions of Python, Node or Java, but not those of their interpreter.
 */
void brief_page__path(const struct brief_page *p, const struct brief_path *path)
{
	const u32 *v = p->b->path_frames.v + path->first;
	const u32 *depths = p->b->path_times.v + path->first;
	u32 nr = path->nr_frames, skipped = 0, start = skip_start(p, v, nr), runtime;

	v += start;
	depths += start;
	nr -= start;
	runtime = first_of_runtime(p, v, nr);

	for (u32 i = 0, times; i < nr; i += times) {
		times = times_of(v, nr, i);
		if (i >= PATH_HEAD && i + times + PATH_TAIL <= nr &&
		    (i < runtime || !dso__is_of_runtime(frame_of(p, v[i])->dso))) {
			skipped += times;
			continue;
		}
		if (skipped)
			textbuf__printf(p->tb, " > ... (%u more)", skipped);
		skipped = 0;
		textbuf__puts(p->tb, i ? " > " : "");
		brief_page__name(p, v[i], STEP_COLUMNS);
		if (times > 1 || depths[i] > 1)
			textbuf__printf(p->tb, " x %u", max_of(times, depths[i]));
	}
	if (path->splits)
		textbuf__puts(p->tb, " > (many)");
}

static void put_paths(const struct brief_page *p)
{
	if (!p->o->callchains || !p->b->nr_paths)
		return;
	textbuf__printf(p->tb, "\nPaths from the outermost function to the %s one; no sample is "
			"in two", p->o->waits ? "waiting" : "running");
	if (p->b->cut)
		textbuf__printf(p->tb, ", and %.1f %% with cut stacks are in none",
				brief_page__percent(p, p->b->cut));
	textbuf__puts(p->tb, ":\n");
	for (u32 i = 0; i < p->b->nr_paths; i++) {
		const struct brief_path *path = &p->b->paths[i];

		textbuf__printf(p->tb, "  %5.1f %%  ", brief_page__percent(p, path->period));
		brief_page__path(p, path);
		textbuf__putc(p->tb, '\n');
	}
}

static void put_callers(const struct brief_page *p, const struct brief_kind *k)
{
	for (u32 i = 0; i < k->callers.nr; i++) {
		const struct brief_item *item = &k->callers.v[i];

		textbuf__puts(p->tb, i ? ", " : "; for ");
		brief_page__name(p, item->what, BRIEF_NAME_COLUMNS);
		textbuf__printf(p->tb, " (%.1f %%)", brief_page__percent(p, item->period));
	}
}

/* The largest first; of equals that which has the lower number. */
static void sort_kinds(const struct brief *b, enum work_kind by_period[WORK_KINDS])
{
	for (enum work_kind k = 0; k < WORK_KINDS; k++) {
		u32 i = k;

		for (; i && b->kinds[by_period[i - 1]].period < b->kinds[k].period; i--)
			by_period[i] = by_period[i - 1];
		by_period[i] = k;
	}
}

static void put_kinds(const struct brief_page *p)
{
	enum work_kind by_period[WORK_KINDS];

	sort_kinds(p->b, by_period);
	textbuf__puts(p->tb, "\nKinds of work, by the names of the innermost functions:\n");
	for (u32 i = 0; i < WORK_KINDS; i++) {
		enum work_kind k = by_period[i];
		const struct brief_kind *kind = &p->b->kinds[k];

		if (brief_page__percent(p, kind->period) < BRIEF_SHOWN_PERCENT)
			break;
		textbuf__printf(p->tb, "  %5.1f %%  %s", brief_page__percent(p, kind->period),
				work_kind__text(k));
		if (k != WORK_OTHER)
			put_callers(p, kind);
		textbuf__putc(p->tb, '\n');
	}
	for (u32 i = 0; i < p->b->syscalls.nr; i++) {
		const struct brief_item *item = &p->b->syscalls.v[i];

		if (brief_page__percent(p, item->period) < BRIEF_SHOWN_PERCENT)
			break;
		textbuf__printf(p->tb, "  %5.1f %%  in system call ",
				brief_page__percent(p, item->period));
		brief_page__name(p, item->what, BRIEF_NAME_COLUMNS);
		textbuf__putc(p->tb, '\n');
	}
}

static void put_threads(const struct brief_page *p)
{
	textbuf__printf(p->tb, "\n%u thread%s:", p->b->nr_threads,
			p->b->nr_threads == 1 ? "" : "s");
	for (u32 i = 0; i < p->b->threads.nr; i++)
		textbuf__printf(p->tb, "%s %u (%.1f %%)", i ? "," : "", p->b->threads.v[i].what,
				brief_page__percent(p, p->b->threads.v[i].period));
	if (counts_time(p->o->event) && brief_page__seconds(p) > 0)
		textbuf__printf(p->tb, "; together on %.2f CPUs on average",
				p->b->period / 1e9 / brief_page__seconds(p));
	textbuf__putc(p->tb, '\n');
}

static double whole_percent(const struct pipeline_account *a)
{
	u64 wanted = pipeline_account__wanted(a);

	return wanted ? 100.0 * pipeline_account__whole(a) / wanted : 100;
}

bool brief_text__has_advice(const struct pipeline_account *a)
{
	return whole_percent(a) < WHOLE_ENOUGH;
}

static void put_evidence_notes(const struct brief_page *p)
{
	u64 lost = pipeline_account__lost(p->o->account);
	double whole = whole_percent(p->o->account);
	char advice[512];

	if (p->b->nr < FEW_SAMPLES && !p->o->waits)
		textbuf__printf(p->tb, "  - There are only %u samples: record for longer, or with "
				       "-F 4000.\n", p->b->nr);
	if (lost)
		textbuf__printf(p->tb, "  - %" PRIu64 " records were lost while recording: shares "
				"are of what is left.\n", lost);
	if (!p->o->callchains)
		textbuf__puts(p->tb, "  - There are no call stacks: record with -g --defer.\n");
	if (brief_text__has_advice(p->o->account))
		textbuf__printf(p->tb, "  - %.1f %% of the user stacks are cut: %s.\n", 100 - whole,
				pipeline_account__advice(p->o->account, advice, sizeof(advice))
				? advice : "the column of -s +whole says why");
	if (p->o->callchains && brief_page__percent(p, p->b->unproven) >= BRIEF_SHOWN_PERCENT) {
		textbuf__printf(p->tb, "  - Whether the stacks of %.1f %% are whole is not "
				"recorded (frame pointers)",
				brief_page__percent(p, p->b->unproven));
		if (p->o->account->recorded_early)
			textbuf__printf(p->tb, "; %" PRIu64 " of the samples have stacks that end "
					"at once or outside of code",
					p->o->account->recorded_early);
		textbuf__puts(p->tb, ": record with -g --defer.\n");
	}
}

static void put_unnamed_notes(const struct brief_page *p)
{
	for (u32 i = 0; i < p->b->unnamed.nr; i++) {
		const struct brief_item *item = &p->b->unnamed.v[i];
		const struct dso *dso = frame_of(p, item->what)->dso;
		const char *package;

		if (brief_page__percent(p, item->period) < BRIEF_SHOWN_PERCENT)
			break;
		textbuf__printf(p->tb, "  - %.1f %% is in %.80s without a name",
				brief_page__percent(p, item->period), dso->short_name);
		package = p->o->package ? p->o->package(p->o->ctx, dso->path) : NULL;
		if (package)
			textbuf__printf(p->tb, ": its names are in the package %s-dbgsym", package);
		textbuf__puts(p->tb, ".\n");
	}
}

static bool is_unoptimized(const struct brief_page *p, u32 frame)
{
	const struct stack_frame *f = frame_of(p, frame);

	return f->dso && f->sym && p->h->opts.symbols &&
	       symbols__is_unoptimized(p->h->opts.symbols, f->dso, f->addr - f->is_return);
}

/* Of the functions that the page has. */
static void put_compiler_note(const struct brief_page *p)
{
	u32 found[BRIEF_FUNCTIONS], nr = 0;
	u64 period = 0;

	for (u32 i = 0; i < p->b->functions.nr; i++)
		if (is_unoptimized(p, p->b->functions.v[i].what)) {
			found[nr++] = p->b->functions.v[i].what;
			period += p->b->functions.v[i].period;
		}
	if (brief_page__percent(p, period) < STANDS_OUT)
		return;
	textbuf__printf(p->tb, "  - %.1f %% is code that was compiled without optimization (",
			brief_page__percent(p, period));
	for (u32 i = 0; i < min_of(nr, COMPILED_FUNCTIONS); i++) {
		textbuf__puts(p->tb, i ? ", " : "");
		brief_page__name(p, found[i], STEP_COLUMNS);
	}
	textbuf__puts(p->tb, nr > COMPILED_FUNCTIONS ? ", ...)" : ")");
	textbuf__puts(p->tb, ": compile it with -O2, and measure again.\n");
}

static bool recorded_waits(const struct brief_page *p)
{
	return recording__off_cpu_event(p->o->recording) != NO_ID;
}

static void put_kind_notes(const struct brief_page *p)
{
	const char *const advice[WORK_KINDS] = {
		[WORK_ALLOCATION] = "allocate less often, or reuse what is there",
		[WORK_LOCK] = recorded_waits(p) ? "threads wait for each other: see the waits" :
			      "threads wait for each other; how long: record with --off-cpu",
		[WORK_PAGE_FAULT] = "memory is touched for the first time: reuse it",
		[WORK_COPY] = "copy less",
		[WORK_STRING] = "is the search linear? a hash or a sorted table may help",
		[WORK_FORMAT] = "format or parse less often",
		[WORK_SORT] = "sort less often, or less",
		[WORK_MATH] = "fewer calls, or cheaper ones",
		[WORK_EXCEPTION] = "exceptions are thrown very often",
		[WORK_LOADER] = "the program is short: it spends most of its time starting",
		[WORK_CHECK] = "this is not the program that people use: it was built with checks",
		[WORK_SYSCALL] = "fewer and larger calls",
	};

	for (enum work_kind k = 0; k < WORK_KINDS; k++)
		if (advice[k] && brief_page__percent(p, p->b->kinds[k].period) >= STANDS_OUT) {
			textbuf__printf(p->tb, "  - %.1f %% is %s",
					brief_page__percent(p, p->b->kinds[k].period),
					work_kind__text(k));
			put_callers(p, &p->b->kinds[k]);
			textbuf__printf(p->tb, ": %s.\n", advice[k]);
		}
}

void brief_page__notes(const struct brief_page *p)
{
	const struct brief *b = p->b;
	bool user_only = p->o->event->attr.exclude_kernel;
	double cpus = counts_time(p->o->event) && brief_page__seconds(p) > 0 ?
			      b->period / 1e9 / brief_page__seconds(p) : 1;

	put_evidence_notes(p);
	if (p->o->waits) {
		textbuf__brief_waits_notes(p);
		return;
	}
	put_unnamed_notes(p);
	put_compiler_note(p);
	put_kind_notes(p);
	if (b->nr_threads > 1 && brief_page__percent(p, b->threads.v[0].period) >= ONE_THREAD)
		textbuf__printf(p->tb, "  - One of %u threads does %.1f %% of the work.\n",
				b->nr_threads, brief_page__percent(p, b->threads.v[0].period));
	if (cpus < MUCH_WAITING)
		textbuf__printf(p->tb, "  - It ran for %.0f %% of the time%s: %s.\n", 100 * cpus,
				user_only ?
				" in user space; the rest was in the kernel, which is not "
				"recorded, or off the CPU" :
				", and was off the CPU otherwise, perhaps runnable",
				recorded_waits(p) ? "--brief --off-cpu shows why" :
				"record with --off-cpu to see why");
	if (b->functions.nr &&
	    brief_page__percent(p, b->functions.v[0].period) >= 100 - ONE_THREAD) {
		textbuf__puts(p->tb, "  - ");
		brief_page__name(p, b->functions.v[0].what, BRIEF_NAME_COLUMNS);
		textbuf__printf(p->tb, " alone has %.1f %%.\n",
				brief_page__percent(p, b->functions.v[0].period));
	}
}

/* A word of a command: quoted where a shell would read more into it. */
static void put_word(struct textbuf *tb, const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./:,+=@";

	if (*s && !s[strspn(s, plain)]) {
		textbuf__puts(tb, s);
		return;
	}
	textbuf__putc(tb, '\'');
	for (; *s; s++)
		if (*s == '\'')
			textbuf__puts(tb, "'\\''");
		else
			textbuf__putc(tb, *s);
	textbuf__putc(tb, '\'');
}

/* Returns the name of a function as it can be typed: short, and without control characters. */
static const char *typed_name(const struct brief_page *p, u32 frame)
{
	const struct stack_frame *f = frame_of(p, frame);
	const char *name = f->sym ? f->sym->name : "";

	if (!*name || strlen(name) > TYPED_NAME_MAX)
		return NULL;
	for (const char *s = name; *s; s++)
		if ((unsigned char)*s < ' ' || *s == 0x7f)
			return NULL;
	return name;
}

void brief_page__next_about(const struct brief_page *p, u32 frame)
{
	const char *name = typed_name(p, frame);

	if (!name)
		return;
	textbuf__printf(p->tb, "  %s report -i ", perf__typed());
	put_word(p->tb, p->o->input);
	textbuf__puts(p->tb, *name == '-' ? " --about=" : " --about ");
	put_word(p->tb, name);
	textbuf__puts(p->tb, "  # its callers, callees, lines\n");
}

void brief_page__next_code(const struct brief_page *p, u32 frame)
{
	const char *name = typed_name(p, frame);

	if (!name)
		return;
	textbuf__printf(p->tb, "  %s annotate -i ", perf__typed());
	put_word(p->tb, p->o->input);
	textbuf__puts(p->tb, *name == '-' ? " --stdio --symbol=" : " --stdio -s ");
	put_word(p->tb, name);
	textbuf__puts(p->tb, " | head -n 60  # its code\n");
}

/* The functions that this page has first: by own time, then those that ask for other work. */
void brief_page__next(const struct brief_page *p)
{
	const struct brief *b = p->b;
	u32 told[1 + WORK_KINDS], nr = 0;

	if (p->o->waits && p->o->waits->nr && p->o->waits->v[0].frame)
		told[nr++] = p->o->waits->v[0].frame;
	else if (b->functions.nr && !p->o->waits)
		told[nr++] = b->functions.v[0].what;
	for (enum work_kind k = 0; k < WORK_KINDS && nr < NEXT_FUNCTIONS && !p->o->waits; k++) {
		u32 frame = b->kinds[k].callers.nr ? b->kinds[k].callers.v[0].what : 0, i = 0;

		while (i < nr && told[i] != frame)
			i++;
		if (i == nr && brief_page__percent(p, b->kinds[k].period) >= STANDS_OUT)
			told[nr++] = frame;
	}
	for (u32 i = 0; i < nr; i++)
		brief_page__next_about(p, told[i]);
	textbuf__printf(p->tb, "  %s script -i ", perf__typed());
	put_word(p->tb, p->o->input);
	textbuf__puts(p->tb, " --max-stack 40 --head 5  # single stacks\n");
}

void textbuf__brief(struct textbuf *tb, const struct brief *b, struct hist *h,
		    const struct brief_text_opts *o)
{
	const struct brief_page p = { tb, b, h, o };

	put_recorded(&p);
	if (o->waits) {
		textbuf__brief_times(&p);
		textbuf__brief_waits(&p);
	} else {
		put_functions(&p);
		put_of_runtimes(&p);
	}
	put_paths(&p);
	if (!o->waits)
		put_kinds(&p);
	put_threads(&p);
	textbuf__puts(tb, "\nWhat stands out:\n");
	brief_page__notes(&p);
	textbuf__puts(tb, "\nNext:\n");
	brief_page__next(&p);
}
