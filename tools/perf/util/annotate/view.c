// SPDX-License-Identifier: GPL-2.0-only
#include "view.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../browser/dialogs.h"
#include "../browser/screen.h"

#define SIDEWAYS 8
#define HOT 5.0  /* percent */
#define WARM 0.5
#define ANSWER 256

struct view {
	const struct annotation *a;
	const struct listing *code;
	const char *title;
	struct annotate_text_opts *opts;
	VEC(u32) rows;     /* lines of the listing */
	VEC(u32) hot;      /* rows with samples, the hottest first */
	double *percent;   /* by line, of the first event */
	size_t top, at, next_hot;
	unsigned int left;
	bool source, ended;
	u64 callee;        /* that the user wants to see; 0: none */
	char search[ANSWER], message[ANSWER];
};

struct action {
	const char *keys;
	unsigned int key, other_key;
	void (*act)(struct view *v);
	const char *what;
};

static const struct listing_line *line_at(const struct view *v, size_t row)
{
	return &v->code->lines.v[v->rows.v[row]];
}

static int by_percent(const void *va, const void *vb, void *ctx)
{
	const struct view *v = ctx;
	double a = v->percent[v->rows.v[*(const u32 *)va]];
	double b = v->percent[v->rows.v[*(const u32 *)vb]];

	return a != b ? (a < b ? 1 : -1) : compare_of(*(const u32 *)va, *(const u32 *)vb);
}

/* The row of a line, or the next one. */
static size_t row_of(const struct view *v, size_t line)
{
	size_t row = 0;

	while (row + 1 < v->rows.nr && v->rows.v[row] < line)
		row++;
	return row;
}

/* Makes the rows. What was selected stays so. */
static void make_rows(struct view *v)
{
	size_t line = v->at < v->rows.nr ? v->rows.v[v->at] : 0;

	v->rows.nr = v->hot.nr = 0;
	for (size_t i = 0; i < v->code->lines.nr; i++) {
		const struct listing_line *l = &v->code->lines.v[i];

		if (!l->is_code && (!l->is_source || !v->source))
			continue;
		if (v->percent[i] > 0)
			*vec__push(&v->hot) = v->rows.nr;
		*vec__push(&v->rows) = i;
	}
	if (v->hot.nr)
		qsort_r(v->hot.v, v->hot.nr, sizeof(*v->hot.v), by_percent, v);
	v->at = row_of(v, line);
}

static void measure(struct view *v)
{
	for (size_t i = 0; i < v->code->lines.nr; i++)
		v->percent[i] = v->a->events.nr ?
				annotation__percent(v->a, 0, i, v->opts->type) : 0;
}

static unsigned int page(void)
{
	unsigned int rows, cols;

	screen__size(&rows, &cols);
	return rows > 2 ? rows - 2 : 1;
}

static void up(struct view *v)
{
	v->at -= v->at > 0;
}

static void down(struct view *v)
{
	v->at++;
}

static void page_up(struct view *v)
{
	v->at -= min_of(v->at, (size_t)page());
}

static void page_down(struct view *v)
{
	v->at += page();
}

static void home(struct view *v)
{
	v->at = 0;
}

static void end(struct view *v)
{
	v->at = v->rows.nr;
}

static void sideways(struct view *v)
{
	v->left += v->left < USHRT_MAX ? SIDEWAYS : 0;
}

static void back_sideways(struct view *v)
{
	if (!v->left)
		v->ended = true;
	v->left -= min_of(v->left, (unsigned int)SIDEWAYS);
}

static void say(struct view *v, const char *text)
{
	snprintf(v->message, sizeof(v->message), "%s", text);
}

/* Goes to where the jump leads, or asks for the function that is called. */
static void follow(struct view *v)
{
	const struct listing_line *l = v->at < v->rows.nr ? line_at(v, v->at) : NULL;

	if (!l || l->jump == NO_JUMP) {
		say(v, "not a jump, and not a call of a known function");
	} else if (l->jump == JUMP_INSIDE) {
		v->at = row_of(v, listing__at(v->code, l->target));
	} else {
		v->callee = l->target;
		v->ended = true;
	}
}

static void hottest(struct view *v)
{
	v->next_hot = 0;
	if (v->hot.nr)
		v->at = v->hot.v[0];
}

static void next_hot(struct view *v)
{
	if (v->hot.nr)
		v->at = v->hot.v[v->next_hot = (v->next_hot + 1) % v->hot.nr];
}

static void last_hot(struct view *v)
{
	if (v->hot.nr)
		v->at = v->hot.v[v->next_hot = (v->next_hot + v->hot.nr - 1) % v->hot.nr];
}

static void toggle_source(struct view *v)
{
	v->source = !v->source;
	make_rows(v);
}

static void next_column(struct view *v)
{
	v->opts->column = (v->opts->column + 1) % (ANNOTATE_PERIOD + 1);
}

static void next_type(struct view *v)
{
	static const char *const words[] = {
		[LOCAL_PERIOD] = "percent of the function", [LOCAL_HITS] = "percent of its samples",
		[GLOBAL_PERIOD] = "percent of everything", [GLOBAL_HITS] = "percent of all samples",
	};

	v->opts->type = (v->opts->type + 1) % (GLOBAL_HITS + 1);
	measure(v);
	say(v, words[v->opts->type]);
}

static void find(struct view *v, size_t step)
{
	size_t at = v->at, nr = v->rows.nr;

	for (size_t i = 0; i < nr && *v->search; i++) {
		at = (at + step) % nr;
		if (strcasestr(line_at(v, at)->text, v->search)) {
			v->at = at;
			return;
		}
	}
	say(v, *v->search ? "no row contains that" : "press / to enter a text to find");
}

static void find_next(struct view *v)
{
	find(v, 1);
}

static void find_before(struct view *v)
{
	find(v, v->rows.nr - 1);
}

static void ask_and_find(struct view *v)
{
	if (dialog__ask("Find in the code", v->search, sizeof(v->search)))
		find(v, 1);
}

static void redraw(struct view *v)
{
	screen__redraw();
}

static void quit(struct view *v)
{
	v->ended = true;
}

static void help(struct view *v);

static const struct action actions[] = {
	{ "UP/DOWN/PGUP/PGDN/SPACE", SCREEN_UP, 0, up, "move" },
	{ NULL, SCREEN_DOWN, 0, down, NULL },
	{ NULL, SCREEN_PAGE_UP, 0, page_up, NULL },
	{ NULL, SCREEN_PAGE_DOWN, ' ', page_down, NULL },
	{ "HOME/END", SCREEN_HOME, 0, home, "first, last row" },
	{ NULL, SCREEN_END, 0, end, NULL },
	{ "RIGHT", SCREEN_RIGHT, 0, sideways, "sideways" },
	{ "ENTER", SCREEN_ENTER, 0, follow, "go to the target of the jump or call" },
	{ "TAB/shift+TAB", SCREEN_TAB, 0, next_hot, "the next hottest row, the one before" },
	{ NULL, SCREEN_BACKTAB, 0, last_hot, NULL },
	{ "H", 'H', 0, hottest, "the hottest instruction" },
	{ "s", 's', 0, toggle_source, "show or hide source text" },
	{ "t", 't', 0, next_column, "percent, samples, or period" },
	{ "p", 'p', 0, next_type, "percent of what" },
	{ "/", '/', 0, ask_and_find, "find text in the rows" },
	{ "n/N", 'n', 0, find_next, "find it again, or backwards" },
	{ NULL, 'N', 0, find_before, NULL },
	{ "h/?/F1", 'h', '?', help, "this text" },
	{ NULL, SCREEN_HELP, 0, help, NULL },
	{ NULL, SCREEN_REDRAW, 0, redraw, NULL },
	{ "q/ESC/LEFT", 'q', SCREEN_ESCAPE, quit, "back" },
	{ NULL, SCREEN_LEFT, 0, back_sideways, NULL },
	{ NULL, SCREEN_GONE, 0, quit, NULL },
};

static void help(struct view *v)
{
	struct textbuf tb;

	textbuf__init(&tb, -1);
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (actions[i].keys)
			textbuf__printf(&tb, "%-24s %s\n", actions[i].keys, actions[i].what);
	dialog__text("Keys", textbuf__str(&tb));
	textbuf__free(&tb);
}

static void handle(struct view *v, unsigned int key)
{
	if (key == SCREEN_NO_KEY || key == SCREEN_RESIZED)
		return;
	*v->message = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++)
		if (key == actions[i].key || (key == actions[i].other_key && key)) {
			actions[i].act(v);
			return;
		}
	say(v, "?: help");
}

static void put_values(const struct view *v, size_t line, struct textbuf *tb)
{
	unsigned int width = v->opts->column == ANNOTATE_PERIOD ? 14 : 8;

	for (size_t e = 0; e < v->a->events.nr; e++) {
		struct code_total t = annotation__line(v->a, e, line);

		if (!t.nr)
			textbuf__pad(tb, ' ', width);
		else if (v->opts->column == ANNOTATE_PERCENT)
			textbuf__printf(tb, "%8.2f", annotation__percent(v->a, e, line,
									 v->opts->type));
		else
			textbuf__dec(tb, v->opts->column == ANNOTATE_SAMPLES ? t.nr : t.period,
				     width);
	}
}

/* '>' is where the selected jump leads; others are jumps down and up, calls and returns. */
static char mark_of(const struct view *v, size_t row)
{
	const struct listing_line *l = line_at(v, row), *selected = line_at(v, v->at);

	if (!l->is_code)
		return ' ';
	if (selected->jump == JUMP_INSIDE && selected->target == l->addr)
		return '>';
	if (l->jump == JUMP_INSIDE)
		return l->target > l->addr ? 'v' : '^';
	return l->jump == JUMP_OUTSIDE ? '*' : strncmp(l->text, "ret", 3) ? ' ' : '<';
}

static void draw_row(const struct view *v, unsigned int y, size_t row, struct textbuf *tb)
{
	const struct listing_line *l = line_at(v, row);
	double percent = v->percent[v->rows.v[row]];
	int width = v->code->label_width + 1;
	bool selected = row == v->at;

	tb->len = 0;
	put_values(v, v->rows.v[row], tb);
	if (l->is_code)
		textbuf__printf(tb, " %c %*s:  %s", mark_of(v, row), width, l->label, l->text);
	else
		textbuf__printf(tb, "   %*u   %s", width, l->source_line, l->text);
	screen__put(y, 0, selected ? SCREEN_SELECTED : l->is_source ? SCREEN_FAINT :
		    SCREEN_NORMAL, textbuf__str(tb), v->left);
	if (!selected && !v->left && percent >= WARM)
		screen__colour(y, v->opts->column == ANNOTATE_PERIOD ? 14 : 8,
			       percent >= HOT ? SCREEN_HOT : SCREEN_WARM);
}

static void draw(struct view *v)
{
	unsigned int rows, cols, body = page(), y;
	struct textbuf tb;

	screen__size(&rows, &cols);
	if (v->at >= v->rows.nr)
		v->at = v->rows.nr ? v->rows.nr - 1 : 0;
	if (v->at < v->top)
		v->top = v->at;
	if (v->at >= v->top + body)
		v->top = v->at - body + 1;
	textbuf__init(&tb, -1);
	screen__put(0, 0, SCREEN_TITLE, v->title, 0);
	for (y = 0; y < body && v->top + y < v->rows.nr; y++)
		draw_row(v, y + 1, v->top + y, &tb);
	if (1 + y < rows)
		screen__blank(1 + y);
	if (rows > 1)
		screen__put(rows - 1, 0, SCREEN_TITLE, *v->message ? v->message :
			    "?: help  Enter: follow  Tab: next hottest  s: source  q: back", 0);
	screen__show();
	textbuf__free(&tb);
}

u64 annotate_view__run(const struct annotation *a, const char *title, size_t *at,
		       struct annotate_text_opts *opts)
{
	struct view v = {
		.a = a, .code = &a->code, .title = title, .opts = opts, .source = true,
		.percent = xcalloc(a->code.lines.nr, sizeof(*v.percent)),
	};

	measure(&v);
	make_rows(&v);
	if (*at < a->code.lines.nr)
		v.at = row_of(&v, *at);
	else
		hottest(&v);
	v.top = v.at > page() / 2 ? v.at - page() / 2 : 0;
	while (!v.ended) {
		draw(&v);
		handle(&v, screen__key(-1));
	}
	*at = v.at < v.rows.nr ? v.rows.v[v.at] : 0;
	vec__free(&v.rows);
	vec__free(&v.hot);
	free(v.percent);
	return v.callee;
}
