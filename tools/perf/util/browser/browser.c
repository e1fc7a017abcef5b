// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../io/output-file.h"
#include "../text/report-text.h"
#include "browser-priv.h"
#include "dialogs.h"

#define POLL_NS 40000000ULL   /* between two looks at the keys while the recording is read */
#define SHOW_NS 300000000ULL  /* at least, between two histograms meanwhile */
#define SHOW_PART 10          /* making them takes at most so large a part of the time */
#define SIDEWAYS 8            /* columns that a key moves the rows by */

struct action {
	const char *keys;
	unsigned int key, other_key;
	void (*act)(struct browser *b);
	const char *what;
};

static void say(struct browser *b, const char *text)
{
	snprintf(b->message, sizeof(b->message), "%.*s", (int)strcspn(text, "\n"), text);
}

/* Makes the histogram of the samples that are there. What was selected stays so. */
static void show(struct browser *b)
{
	bool had = b->shown && b->at < b->rows.v.nr, is_entry = had && !b->rows.v.v[b->at].node;
	u64 key = had ? b->rows.v.v[b->at].key : 0;
	const struct hist *all = b->source.hist(b->source.ctx, b->event);
	struct hist_opts opts = *b->opts.hist;
	size_t at;

	opts.nr_events = all->opts.nr_events;
	if (b->full_names)
		opts.names = opts.names == NAMES_SHORT ? NAMES_APART : opts.names;
	tree_view__show(&b->rows, all, &opts, &b->zoom, b->opts.text);
	b->shown = true;
	at = had ? tree_view__find(&b->rows, key, is_entry) : 0;
	if (at < b->rows.v.nr)
		b->at = at;
}

static void refresh(struct browser *b)
{
	if (b->shown)
		tree_view__refresh(&b->rows);
}

static void up(struct browser *b)
{
	b->at -= b->at > 0;
}

static void down(struct browser *b)
{
	b->at++;
}

static void page_up(struct browser *b)
{
	b->at -= min_of(b->at, (size_t)browser__page(b));
}

static void page_down(struct browser *b)
{
	b->at += browser__page(b);
}

static void home(struct browser *b)
{
	b->at = 0;
}

static void end(struct browser *b)
{
	b->at = b->rows.v.nr;
}

static void sideways(struct browser *b)
{
	b->left += b->left < USHRT_MAX ? SIDEWAYS : 0;
}

static void back_sideways(struct browser *b)
{
	b->left -= min_of(b->left, (unsigned int)SIDEWAYS);
}

static bool has_row(const struct browser *b)
{
	return b->at < b->rows.v.nr;
}

static void toggle(struct browser *b)
{
	if (!tree_view__toggle(&b->rows, b->at) && has_row(b) && b->rows.v.v[b->at].node) {
		b->at = tree_view__parent(&b->rows, b->at);
		tree_view__toggle(&b->rows, b->at);
	}
}

static void toggle_entry(struct browser *b)
{
	while (has_row(b) && b->rows.v.v[b->at].node)
		b->at--;
	tree_view__toggle_entry(&b->rows, b->at);
}

static void open_all(struct browser *b)
{
	u64 key = has_row(b) ? b->rows.v.v[b->at].key : 0;
	bool is_entry = has_row(b) && !b->rows.v.v[b->at].node;

	tree_view__open_all(&b->rows);
	b->at = tree_view__find(&b->rows, key, is_entry);
}

static void close_all(struct browser *b)
{
	while (has_row(b) && b->rows.v.v[b->at].node)
		b->at--;
	if (has_row(b)) {
		u64 key = b->rows.v.v[b->at].key;

		tree_view__close_all(&b->rows);
		b->at = tree_view__find(&b->rows, key, true);
	}
}

static void set_text(char **to, const char *text)
{
	free(*to);
	*to = text ? xstrdup(text) : NULL;
}

static void begin_zoom(struct browser *b, enum zoom_kind kind)
{
	for (size_t i = 0; i < b->nr_zooms; i++)
		if (b->zooms[i] == kind)
			return;
	b->zooms[b->nr_zooms++] = kind;
}

static void end_zoom(struct browser *b, enum zoom_kind kind)
{
	size_t n = 0;

	for (size_t i = 0; i < b->nr_zooms; i++)
		if (b->zooms[i] != kind)
			b->zooms[n++] = b->zooms[i];
	b->nr_zooms = n;
	switch (kind) {
	case ZOOM_THREAD:
		b->zoom.comm = NULL;
		b->zoom.by_tid = false;
		break;
	case ZOOM_DSO:
		b->zoom.dso = b->rows.filter.dso = NULL;
		break;
	case ZOOM_THROUGH:
		b->zoom.through = 0;
		break;
	case ZOOM_KERNEL:
		b->rows.filter.kernel = false;
		break;
	default:
		b->rows.filter.name = NULL;
		break;
	}
}

/* Ends a zoom if there is one of this kind. Returns whether there was. */
static bool was_zoomed(struct browser *b, enum zoom_kind kind)
{
	for (size_t i = 0; i < b->nr_zooms; i++)
		if (b->zooms[i] == kind) {
			end_zoom(b, kind);
			show(b);
			return true;
		}
	return false;
}

static const struct hist_entry *selected_entry(const struct browser *b)
{
	return &b->rows.hist.entries.v[b->rows.v.v[b->at].entry];
}

static void zoom_thread(struct browser *b)
{
	const struct column_list *keys = &b->opts.hist->keys;
	const struct hist_context *c;

	if (was_zoomed(b, ZOOM_THREAD) || !has_row(b))
		return;
	c = hist__context(&b->rows.hist, selected_entry(b));
	b->zoom.by_tid = column_list__has(keys, COLUMN_TID) || column_list__has(keys, COLUMN_PID);
	if (!b->zoom.by_tid && !column_list__has(keys, COLUMN_COMM)) {
		say(b, "the rows have several threads: press o and sort by comm or tid");
		return;
	}
	b->zoom.tid = c->tid;
	set_text(&b->comm, c->comm);
	b->zoom.comm = b->zoom.by_tid ? NULL : b->comm;
	begin_zoom(b, ZOOM_THREAD);
	show(b);
}

static void zoom_dso(struct browser *b)
{
	const struct stack_frame *f;

	if (was_zoomed(b, ZOOM_DSO) || !has_row(b))
		return;
	f = tree_view__frame(&b->rows, b->at);
	if (!f->dso) {
		say(b, "the binary of this row is unknown");
		return;
	}
	set_text(&b->dso, f->dso->short_name);
	b->zoom.dso = b->rows.filter.dso = b->dso;
	begin_zoom(b, ZOOM_DSO);
	show(b);
}

static void zoom_through(struct browser *b)
{
	const struct stack_frame *f;
	struct textbuf name;

	if (was_zoomed(b, ZOOM_THROUGH) || !has_row(b))
		return;
	f = tree_view__frame(&b->rows, b->at);
	textbuf__init(&name, -1);
	textbuf__chain_frame(&name, &b->rows.hist, f->shown, false);
	set_text(&b->function, textbuf__str(&name));
	textbuf__free(&name);
	b->zoom.through = f->shown;
	begin_zoom(b, ZOOM_THROUGH);
	show(b);
}

static void zoom_kernel(struct browser *b)
{
	if (was_zoomed(b, ZOOM_KERNEL))
		return;
	b->rows.filter.kernel = true;
	begin_zoom(b, ZOOM_KERNEL);
	refresh(b);
}

static void zoom_out(struct browser *b)
{
	if (b->nr_zooms)
		was_zoomed(b, b->zooms[b->nr_zooms - 1]);
	else
		say(b, "q: quit");
}

static void filter_name(struct browser *b)
{
	char answer[ANSWER];

	snprintf(answer, sizeof(answer), "%s", b->rows.filter.name ? b->name : "");
	if (!dialog__ask("Functions whose names contain", answer, sizeof(answer)))
		return;
	end_zoom(b, ZOOM_NAME);
	if (*answer) {
		set_text(&b->name, answer);
		b->rows.filter.name = b->name;
		begin_zoom(b, ZOOM_NAME);
	}
	refresh(b);
}

static void find(struct browser *b, bool backwards)
{
	size_t found = tree_view__search(&b->rows, b->at, backwards, b->search);

	if (found < b->rows.v.nr)
		b->at = found;
	else
		say(b, *b->search ? "no open row contains that" : "press f to enter a text to "
								  "find");
}

static void find_next(struct browser *b)
{
	find(b, false);
}

static void find_before(struct browser *b)
{
	find(b, true);
}

static void ask_and_find(struct browser *b)
{
	if (dialog__ask("Find in the rows", b->search, sizeof(b->search)))
		find(b, false);
}

static void toggle_relative(struct browser *b)
{
	b->opts.text->relative = !b->opts.text->relative;
	refresh(b);
	say(b, b->opts.text->relative ? "percent of the samples that are shown" :
					"percent of all samples");
}

static void toggle_titles(struct browser *b)
{
	b->titles = !b->titles;
}

static void toggle_names(struct browser *b)
{
	b->full_names = !b->full_names;
	show(b);
}

static void toggle_order(struct browser *b)
{
	struct chain_opts *chains = &b->opts.text->chains;

	chains->caller_order = !chains->caller_order;
	b->opts.hist->caller_order = chains->caller_order;
	show(b);
	say(b, chains->caller_order ? "call trees from the outermost caller inwards" :
				      "call trees from the function to its callers");
}

static void toggle_recursion(struct browser *b)
{
	struct chain_opts *chains = &b->opts.text->chains;

	chains->fold = !chains->fold;
	refresh(b);
	say(b, chains->fold ? "all depths of a recursion are one path" :
			      "each depth of a recursion is a path of its own");
}

static void limit_percent(struct browser *b)
{
	char answer[ANSWER], *rest;
	double v;

	snprintf(answer, sizeof(answer), "%g", b->opts.text->min_percent);
	if (!dialog__ask("Leave out rows with less than this percentage", answer, sizeof(answer)))
		return;
	v = strtod(answer, &rest);
	if (rest == answer || *rest || !(v >= 0 && v <= 100)) {
		say(b, "that is not a percentage");
		return;
	}
	b->opts.text->min_percent = v;
	b->opts.text->chains.min_percent = v;
	refresh(b);
}

/* Asks for an option's new value. */
static void ask_option(struct browser *b, const char *label,
		       int (*take)(void *ctx, const char *value, struct error *err))
{
	char answer[ANSWER] = "";
	struct error err = {};
	int ret;

	if (!dialog__ask(label, answer, sizeof(answer)) || !*answer)
		return;
	ret = take(b->source.ctx, answer, &err);
	if (ret < 0) {
		say(b, err.text);
	} else if (ret || (b->reading && !b->source.zero)) {
		b->ended = true;
		b->end = BROWSER_READ_AGAIN;
	} else {
		show(b);
	}
}

static void sort_by(struct browser *b)
{
	ask_option(b, "Sort by (comm,dso,sym,tid,srcline,...)", b->source.sort);
}

static void choose_time(struct browser *b)
{
	ask_option(b, "Time range (start,stop in seconds, or 10%/2, 0%-20%)", b->source.time);
}

static void other_event(struct browser *b, size_t step)
{
	size_t nr = b->source.nr(b->source.ctx), i = b->event;

	do
		i = (i + step) % nr;
	while (i != b->event && !b->source.hist(b->source.ctx, i));
	if (i == b->event) {
		say(b, "there is no other event");
		return;
	}
	b->event = i;
	b->at = b->top = 0;
	show(b);
}

static void annotate(struct browser *b)
{
	const struct stack_frame *f = has_row(b) ? tree_view__frame(&b->rows, b->at) : NULL;
	struct error err = {};

	if (!f || !f->sym || !f->dso)
		say(b, "the function of this row is unknown");
	else if (b->source.annotate(b->source.ctx, b->event, f, &err))
		dialog__text("Its code cannot be shown", err.text);
}

static void zero(struct browser *b)
{
	if (!b->source.zero || !b->reading) {
		say(b, "the recording has ended: no new samples will arrive");
		return;
	}
	b->source.zero(b->source.ctx);
	show(b);
	say(b, "samples from now on");
}

static void next_event(struct browser *b)
{
	other_event(b, 1);
}

static void last_event(struct browser *b)
{
	other_event(b, b->source.nr(b->source.ctx) - 1);
}

static void show_text(struct browser *b, const char *title,
		      void (*put)(void *ctx, struct textbuf *tb))
{
	struct textbuf tb;

	textbuf__init(&tb, -1);
	put(b->source.ctx, &tb);
	dialog__text(title, textbuf__str(&tb));
	textbuf__free(&tb);
}

static void show_account(struct browser *b)
{
	show_text(b, "The account of whole stacks", b->source.put_account);
}

static void show_header(struct browser *b)
{
	show_text(b, "The header of the recording", b->source.put_header);
}

#define SAVED "perf.hist."

bool browser__makes(const void *ctx __unused_arg, const char *path)
{
	return !strncmp(path, SAVED, strlen(SAVED)) && !strchr(path, '/');
}

/* Opens perf.hist.N, with the first N that is free; or -errno. */
static int open_output(char *name, size_t size)
{
	int fd = -EEXIST;

	for (unsigned int i = 0; fd == -EEXIST && i < 10000; i++) {
		snprintf(name, size, SAVED "%u", i);
		fd = output_file__open(name, OUTPUT_FILE_NEW, 0644, NULL);
	}
	return fd;
}

static void save(struct browser *b)
{
	struct textbuf out, name;
	char path[64] = "perf.hist";
	int fd = open_output(path, sizeof(path)), ret;

	if (fd < 0) {
		snprintf(b->message, sizeof(b->message), "%s: %s", path, strerror(-fd));
		return;
	}
	textbuf__init(&name, -1);
	textbuf__init(&out, fd);
	b->source.put_name(b->source.ctx, b->event, &name);
	textbuf__report(&out, &b->rows.hist, textbuf__str(&name), b->opts.text);
	ret = textbuf__flush(&out);
	textbuf__free(&out);
	textbuf__free(&name);
	close(fd);
	snprintf(b->message, sizeof(b->message), "%s: %s", path,
		 ret ? strerror(-ret) : "written, all entries with their call graphs");
}

static void quit(struct browser *b)
{
	b->ended = true;
	b->end = BROWSER_QUIT;
}

static void redraw(struct browser *b)
{
	screen__redraw();
}

static void menu(struct browser *b);
static void help(struct browser *b);

static void enter(struct browser *b)
{
	if (!tree_view__toggle(&b->rows, b->at))
		menu(b);
}

/* Those with words are in the help, in this order. */
static const struct action actions[] = {
	{ "UP/DOWN", SCREEN_UP, 0, up, "one row up or down" },
	{ NULL, SCREEN_DOWN, 0, down, NULL },
	{ "PGUP/PGDN/SPACE", SCREEN_PAGE_UP, 0, page_up, "one page up or down" },
	{ NULL, SCREEN_PAGE_DOWN, ' ', page_down, NULL },
	{ "HOME/END", SCREEN_HOME, 0, home, "to the first or the last row" },
	{ NULL, SCREEN_END, 0, end, NULL },
	{ "LEFT/RIGHT", SCREEN_LEFT, 0, back_sideways, "sideways, through long names" },
	{ NULL, SCREEN_RIGHT, 0, sideways, NULL },
	{ "ENTER", SCREEN_ENTER, 0, enter, "open or close the rows below; if there are none: the "
					   "menu" },
	{ "+", '+', '-', toggle, "open or close one level of the call tree" },
	{ "e", 'e', 0, toggle_entry, "open or close the whole call tree of an entry" },
	{ "E", 'E', 0, open_all, "open all call trees" },
	{ "C", 'C', 0, close_all, "close all call trees" },
	{ "G", 'G', 0, toggle_order, "call trees: from callers, or to callers" },
	{ "R", 'R', 0, toggle_recursion, "recursion: all its depths as one path, or each" },
	{ "m", 'm', 0, menu, "a menu of actions for the row" },
	{ "t", 't', 0, zoom_thread, "zoom into the thread (with comm as the key: the command)" },
	{ "d", 'd', 0, zoom_dso, "zoom into the binary (DSO)" },
	{ "s", 's', 0, zoom_through, "zoom into the function: only stacks with it" },
	{ "k", 'k', 0, zoom_kernel, "zoom into the kernel" },
	{ "ESC", SCREEN_ESCAPE, 0, zoom_out, "zoom out" },
	{ "/", '/', 0, filter_name, "only functions whose names contain a text" },
	{ "f", 'f', 0, ask_and_find, "find a text in the rows" },
	{ "n/N", 'n', 0, find_next, "find it again, downwards or upwards" },
	{ NULL, 'N', 0, find_before, NULL },
	{ "o", 'o', 0, sort_by, "sort by other keys" },
	{ "T", 'T', 0, choose_time, "only a time range" },
	{ "F", 'F', 0, toggle_relative, "percent of all samples, or of the shown ones" },
	{ "L", 'L', 0, limit_percent, "leave out rows below a percentage" },
	{ "V", 'V', 0, toggle_names, "names of functions: short, or full" },
	{ "H", 'H', 0, toggle_titles, "the titles of the columns" },
	{ "TAB/UNTAB", SCREEN_TAB, 0, next_event, "the next or the last event" },
	{ NULL, SCREEN_BACKTAB, 0, last_event, NULL },
	{ "w", 'w', 0, show_account, "the numbers of whole stacks and of lost records" },
	{ "a", 'a', 0, annotate, "annotate: the function's instructions, with their samples" },
	{ "z", 'z', 0, zero, "perf top: only samples from now on" },
	{ "i", 'i', 0, show_header, "the header of the recording" },
	{ "P", 'P', 0, save, "save all as text: perf.hist.N" },
	{ NULL, SCREEN_REDRAW, 0, redraw, NULL },
	{ "h/?/F1", 'h', '?', help, "this text" },
	{ NULL, SCREEN_HELP, 0, help, NULL },
	{ "q/CTRL+C", 'q', 0, quit, "quit" },
};

static void help(struct browser *b)
{
	struct textbuf tb;

	textbuf__init(&tb, -1);
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (actions[i].keys)
			textbuf__printf(&tb, "%-16s %s\n", actions[i].keys, actions[i].what);
	dialog__text("Keys", textbuf__str(&tb));
	textbuf__free(&tb);
}

static void menu(struct browser *b)
{
	static void (*const offered[])(struct browser *b) = {
		toggle_entry, annotate, zoom_thread, zoom_dso, zoom_through, zoom_out,
		toggle_order, toggle_recursion, sort_by,
		choose_time, show_account, show_header, save, help, quit,
	};
	const char *items[ARRAY_SIZE(offered)];
	size_t chosen;

	for (size_t i = 0; i < ARRAY_SIZE(offered); i++)
		for (size_t k = 0; k < ARRAY_SIZE(actions); k++)
			if (actions[k].act == offered[i] && actions[k].what)
				items[i] = actions[k].what;
	chosen = dialog__choose("Choose an action (Enter: this, q: "
				"none)", items, ARRAY_SIZE(items));
	if (chosen < ARRAY_SIZE(offered))
		offered[chosen](b);
}

static void handle(struct browser *b, unsigned int key)
{
	if (key == SCREEN_NO_KEY || key == SCREEN_RESIZED)
		return;
	*b->message = '\0';
	if (key == SCREEN_GONE) {
		quit(b);
		return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (key == actions[i].key || (key == actions[i].other_key && key)) {
			actions[i].act(b);
			return;
		}
	say(b, "?: help");
}

int browser__new(struct browser **out, const struct browser_source *source,
		 const struct browser_opts *opts, struct error *err)
{
	struct screen screen;
	int ret = screen__open(&screen, err);
	struct browser *b;

	if (ret)
		return ret;
	b = *out = xzalloc(sizeof(*b));
	b->screen = screen;
	b->source = *source;
	b->opts = *opts;
	b->titles = true;
	b->reading = true;
	tree_view__init(&b->rows);
	return 0;
}

void browser__free(struct browser *b)
{
	if (!b)
		return;
	screen__close(&b->screen);
	tree_view__free(&b->rows);
	free(b->comm);
	free(b->dso);
	free(b->name);
	free(b->function);
	free(b);
}

void browser__forget(struct browser *b)
{
	tree_view__free(&b->rows);
	tree_view__init(&b->rows);
	while (b->nr_zooms)
		end_zoom(b, b->zooms[0]);
	b->shown = b->ended = false;
	b->reading = true;
	b->at = b->top = 0;
	b->next_show = 0;
}

/* The first histogram that is to be shown. */
static void choose_event(struct browser *b)
{
	size_t nr = b->source.nr(b->source.ctx);

	if (b->event >= nr || !b->source.hist(b->source.ctx, b->event))
		for (b->event = 0; b->event + 1 < nr; b->event++)
			if (b->source.hist(b->source.ctx, b->event))
				break;
}

int browser__poll(void *browser, u64 done, u64 total)
{
	struct browser *b = browser;
	u64 now = clock__now(CLOCK_MONOTONIC), made;
	unsigned int key;

	if (now < b->next_poll)
		return 0;
	b->done = done;
	b->total = total;
	while (!b->ended && (key = screen__key(0)) != SCREEN_NO_KEY)
		handle(b, key);
	if (b->ended)
		return -EINTR;
	if (now >= b->next_show) {
		choose_event(b);
		show(b);
		if (b->source.zero && b->source.each_anew)
			b->source.zero(b->source.ctx);
		made = clock__now(CLOCK_MONOTONIC);
		b->next_show = made + max_of((made - now) * SHOW_PART,
					     b->source.zero ? b->source.delay_ns : SHOW_NS);
	}
	browser__draw(b);
	b->next_poll = clock__now(CLOCK_MONOTONIC) + POLL_NS;
	return 0;
}

enum browser_end browser__run(struct browser *b)
{
	if (!b->ended) {
		if (b->source.zero)
			say(b, "the recorder has ended: these are all samples");
		b->reading = false;
		choose_event(b);
		show(b);
	}
	while (!b->ended) {
		browser__draw(b);
		handle(b, screen__key(-1));
	}
	return b->end;
}
