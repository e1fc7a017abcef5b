// SPDX-License-Identifier: GPL-2.0-only
/* What is on the screen of a browser, from its state. */
#include "browser-priv.h"

#define HOT 5.0 /* percent */
#define WARM 0.5

/* Rows of the screen: above the list, in it, below it. */
struct layout {
	unsigned int rows, cols, head, body, foot;
};

static struct layout layout(const struct browser *b)
{
	struct layout l = {};

	screen__size(&l.rows, &l.cols);
	l.foot = l.rows >= 3;
	l.head = l.rows >= 5 ? 1 + b->titles : 0;
	l.body = l.rows - l.head - l.foot;
	return l;
}

unsigned int browser__page(const struct browser *b)
{
	return layout(b).body;
}

static void keep_in_sight(struct browser *b, const struct layout *l)
{
	size_t nr = b->rows.v.nr;

	if (b->at >= nr)
		b->at = nr ? nr - 1 : 0;
	if (b->at < b->top)
		b->top = b->at;
	if (b->at >= b->top + l->body)
		b->top = b->at - l->body + 1;
	/* No blank rows at the end as long as there are others. */
	if (b->top + l->body > nr)
		b->top = nr > l->body ? nr - l->body : 0;
}

static void put_zoom(const struct browser *b, enum zoom_kind kind, struct textbuf *tb)
{
	switch (kind) {
	case ZOOM_THREAD:
		if (b->zoom.by_tid)
			textbuf__printf(tb, ", Thread: %u", b->zoom.tid);
		else
			textbuf__printf(tb, ", Command: %s", b->comm);
		break;
	case ZOOM_DSO:
		textbuf__printf(tb, ", DSO: %s", b->dso);
		break;
	case ZOOM_THROUGH:
		textbuf__printf(tb, ", stacks with: %s", b->function);
		break;
	case ZOOM_KERNEL:
		textbuf__puts(tb, ", the kernel's functions");
		break;
	default:
		textbuf__printf(tb, ", Symbol: %s", b->name);
		break;
	}
}

static void put_title(struct browser *b, struct textbuf *tb)
{
	struct textbuf name;

	textbuf__init(&name, -1);
	b->source.put_name(b->source.ctx, b->event, &name);
	if (b->shown)
		report_columns__samples(&b->rows.columns, textbuf__str(&name), tb);
	/* Where there is no room for both, what is shown is more important. */
	if (b->shown && !b->nr_zooms) {
		textbuf__puts(tb, ", ");
		report_columns__event_count(&b->rows.columns, tb);
	}
	textbuf__free(&name);
	for (size_t i = 0; i < b->nr_zooms; i++)
		put_zoom(b, b->zooms[i], tb);
}

static void put_foot(struct browser *b, struct textbuf *tb)
{
	if (b->reading && b->source.zero)
		textbuf__puts(tb, "Live  ");
	else if (b->reading)
		textbuf__printf(tb, "Reading: %u%%  ",
				b->total ? (unsigned int)(100.0 * b->done / b->total) : 0);
	if (*b->message)
		textbuf__name(tb, b->message);
	else if (!b->reading && b->shown && !b->rows.v.nr)
		textbuf__puts(tb, b->nr_zooms ? "nothing to show here; ESC: back" :
						"the recording has no samples to show");
	else
		textbuf__puts(tb, "?: help  Enter: open  /: filter  w: whole stacks  q: quit");
}

static void draw_row(struct browser *b, const struct layout *l, unsigned int y, size_t nr,
		     struct textbuf *tb)
{
	bool selected = nr == b->at;
	double percent = tree_view__percent(&b->rows, nr);
	const char *text, *end;

	tb->len = 0;
	tree_view__text(&b->rows, nr, tb);
	if (!b->left)
		tree_view__fit(&b->rows, nr, l->cols, tb);
	text = textbuf__str(tb);
	screen__put(l->head + y, 0, selected ? SCREEN_SELECTED : SCREEN_NORMAL, text, b->left);
	end = strchr(text, '%');
	if (!selected && !b->left && end && percent >= WARM)
		screen__colour(l->head + y, end - text + 1,
			       percent >= HOT ? SCREEN_HOT : SCREEN_WARM);
}

void browser__draw(struct browser *b)
{
	struct layout l = layout(b);
	struct textbuf tb;
	unsigned int y;

	keep_in_sight(b, &l);
	textbuf__init(&tb, -1);
	if (l.head) {
		put_title(b, &tb);
		screen__put(0, 0, SCREEN_TITLE, textbuf__str(&tb), 0);
	}
	if (l.head > 1) {
		tb.len = 0;
		textbuf__puts(&tb, b->opts.text->chains.mode == CHAIN_NONE ? "" : "  ");
		if (b->shown)
			report_columns__titles(&b->rows.columns, &tb);
		screen__put(1, 0, SCREEN_FAINT, textbuf__str(&tb), b->left);
	}
	for (y = 0; y < l.body && b->top + y < b->rows.v.nr; y++)
		draw_row(b, &l, y, b->top + y, &tb);
	if (y < l.body)
		screen__blank(l.head + y);
	if (l.foot) {
		tb.len = 0;
		put_foot(b, &tb);
		screen__put(l.rows - 1, 0, SCREEN_TITLE, textbuf__str(&tb), 0);
	}
	screen__show();
	textbuf__free(&tb);
}
