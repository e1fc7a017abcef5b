// SPDX-License-Identifier: GPL-2.0-only
/* perf report: of samples that are being recorded, for perf top. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "state.h"
#include "../base/clock.h"
#include "../cli/reader-confine.h"
#include "hierarchy.h"
#include "../text/report-text.h"

#define CHECK_NS 1000000000ULL

bool report_live__hides(const struct report *r, u8 cpumode)
{
	bool kernel = cpumode == PERF_RECORD_MISC_KERNEL;

	return r->opts->live && (kernel ? r->opts->live->hide_kernel : r->opts->live->hide_user);
}

void report_live__forget_old(struct report *r)
{
	struct report_live *live = &r->state.live;

	for (size_t i = 0; live->old && i < r->state.recording->events.nr; i++)
		hist__free(&live->old[i]);
	free(live->old);
	live->old = NULL;
}

void report_live__zero(struct report *r)
{
	struct report_state *st = &r->state;
	size_t nr = st->recording->events.nr;
	struct hist *old = st->hists;

	report_live__forget_old(r);
	st->live.old = old;
	st->hists = xcalloc(nr, sizeof(*st->hists));
	for (size_t i = 0; i < nr; i++) {
		hist__init(&st->hists[i], &old[i].opts);
		st->hists[i].stacks.show_address = old[i].stacks.show_address;
	}
	code_counts__free(&st->counts);
}

/* Forgets samples when they take too much. */
static void check_memory(struct report *r)
{
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (now < r->state.live.next_check)
		return;
	r->state.live.next_check = now + CHECK_NS;
	if (reader__resident() > r->opts->live->max_memory) {
		r->state.live.nr_forgotten++;
		report_live__zero(r);
		report_live__forget_old(r);
		if (r->view.browser)
			browser__forget(r->view.browser);
	}
}

static void put_time(struct report *r)
{
	time_t now = time(NULL);
	char text[64];
	struct tm tm;

	if (localtime_r(&now, &tm) && strftime(text, sizeof(text), "%F %T", &tm))
		textbuf__printf(&r->view.out, "# perf top: %s", text);
	if (r->state.live.nr_forgotten)
		textbuf__printf(&r->view.out,
				"; samples were discarded %u times because memory was full",
				r->state.live.nr_forgotten);
	textbuf__puts(&r->view.out, "\n");
}

static void put_event(struct report *r, u32 event)
{
	struct hist_opts opts = r->state.hists[event].opts;
	const struct hist_zoom all = {};
	struct textbuf name;
	struct hist h;

	opts.keys = r->view.hist.keys;
	hist__init(&h, &opts);
	h.stacks.show_address = r->state.hists[event].stacks.show_address;
	hist__zoom(&h, &r->state.hists[event], &all);
	hist__finish(&h);
	if (r->opts->live->entries)
		h.sorted.nr = min_of(h.sorted.nr, (size_t)r->opts->live->entries);
	textbuf__init(&name, -1);
	report__put_event_name(r, event, &name);
	if (r->opts->hierarchy)
		textbuf__hierarchy(&r->view.out, &h, textbuf__str(&name), &r->view.text);
	else
		textbuf__report(&r->view.out, &h, textbuf__str(&name), &r->view.text);
	textbuf__free(&name);
	hist__free(&h);
}

static void put_all(struct report *r)
{
	if (isatty(r->view.out.fd)) {
		r->view.out.disarm = false;
		textbuf__puts(&r->view.out, "\033[H\033[2J");
		textbuf__flush(&r->view.out);
		r->view.out.disarm = true;
	}
	put_time(r);
	for (size_t i = 0; i < r->state.recording->events.nr; i++)
		if (!report_groups__place(&r->state.groups, i) && r->state.hists[i].totals[0].nr)
			put_event(r, i);
	textbuf__flush(&r->view.out);
}

int report_live__idle(void *report)
{
	struct report *r = report;
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (!r->state.hists)
		return 0;
	check_memory(r);
	if (r->view.browser)
		return browser__poll(r->view.browser, 0, 0);
	if (!r->state.live.next_look)
		r->state.live.next_look = now + r->opts->live->delay_ns;
	if (now < r->state.live.next_look)
		return r->view.out.error;
	put_all(r);
	if (r->opts->live->zero)
		report_live__zero(r);
	r->state.live.next_look = now + r->opts->live->delay_ns;
	return r->view.out.error;
}
