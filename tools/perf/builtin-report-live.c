// SPDX-License-Identifier: GPL-2.0-only
/* perf report: of samples that are being recorded, for perf top. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "builtin-report.h"
#include "util/base/clock.h"
#include "util/text/report-hierarchy.h"
#include "util/text/report-text.h"

#define CHECK_NS 1000000000ULL

bool report_live__hides(const struct report *r, u8 cpumode)
{
	bool kernel = cpumode == PERF_RECORD_MISC_KERNEL;

	return r->live && (kernel ? r->live->hide_kernel : r->live->hide_user);
}

void report_live__end(struct report *r)
{
	for (size_t i = 0; r->live && r->live->old && i < r->recording->events.nr; i++)
		hist__free(&r->live->old[i]);
	if (r->live) {
		free(r->live->old);
		r->live->old = NULL;
	}
}

void report_live__zero(struct report *r)
{
	size_t nr = r->recording->events.nr;

	report_live__end(r);
	r->live->old = r->hists;
	r->hists = xcalloc(nr, sizeof(*r->hists));
	for (size_t i = 0; i < nr; i++) {
		hist__init(&r->hists[i], &r->live->old[i].opts);
		r->hists[i].stacks.show_address = r->live->old[i].stacks.show_address;
	}
	code_counts__free(&r->counts);
}

/* The memory of this process, in bytes; 0: not known. */
static u64 resident(void)
{
	FILE *f = fopen("/proc/self/statm", "re");
	u64 pages = 0;

	if (f && fscanf(f, "%*u %" SCNu64, &pages) != 1)
		pages = 0;
	if (f)
		fclose(f);
	return pages * sysconf(_SC_PAGESIZE);
}

/* Forgets samples when they take too much. */
static void check_memory(struct report *r)
{
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (now < r->live->next_check)
		return;
	r->live->next_check = now + CHECK_NS;
	if (resident() > r->live->max_memory) {
		r->live->nr_forgotten++;
		report_live__zero(r);
		report_live__end(r);
		if (r->browser)
			browser__forget(r->browser);
	}
}

static void put_time(struct report *r)
{
	time_t now = time(NULL);
	char text[64];
	struct tm tm;

	if (localtime_r(&now, &tm) && strftime(text, sizeof(text), "%F %T", &tm))
		textbuf__printf(&r->out, "# perf top: %s", text);
	if (r->live->nr_forgotten)
		textbuf__printf(&r->out, "; memory was full %u times, and samples were forgotten",
				r->live->nr_forgotten);
	textbuf__puts(&r->out, "\n");
}

static void put_event(struct report *r, u32 event)
{
	struct hist_opts opts = r->hists[event].opts;
	const struct hist_zoom all = {};
	struct textbuf name;
	struct hist h;

	opts.keys = r->hist_opts.keys;
	hist__init(&h, &opts);
	h.stacks.show_address = r->hists[event].stacks.show_address;
	hist__zoom(&h, &r->hists[event], &all);
	hist__finish(&h);
	if (r->live->entries)
		h.sorted.nr = min_of(h.sorted.nr, (size_t)r->live->entries);
	textbuf__init(&name, -1);
	report__put_event_name(r, event, &name);
	if (r->hierarchy)
		textbuf__hierarchy(&r->out, &h, textbuf__str(&name), &r->text);
	else
		textbuf__report(&r->out, &h, textbuf__str(&name), &r->text);
	textbuf__free(&name);
	hist__free(&h);
}

static void put_all(struct report *r)
{
	if (isatty(r->out.fd)) {
		r->out.disarm = false;
		textbuf__puts(&r->out, "\033[H\033[2J");
		textbuf__flush(&r->out);
		r->out.disarm = true;
	}
	put_time(r);
	for (size_t i = 0; i < r->recording->events.nr; i++)
		if (!report__place_in_group(r, i) && r->hists[i].totals[0].nr)
			put_event(r, i);
	textbuf__flush(&r->out);
}

int report_live__idle(void *report)
{
	struct report *r = report;
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (!r->hists)
		return 0;
	check_memory(r);
	if (r->browser)
		return browser__poll(r->browser, 0, 0);
	if (!r->live->next_look)
		r->live->next_look = now + r->live->delay_ns;
	if (now < r->live->next_look)
		return r->out.error;
	put_all(r);
	if (r->live->zero)
		report_live__zero(r);
	r->live->next_look = now + r->live->delay_ns;
	return r->out.error;
}
