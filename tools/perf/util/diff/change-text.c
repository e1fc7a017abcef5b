// SPDX-License-Identifier: GPL-2.0-only
#include "change-text.h"

#include <math.h>

#include "../base/text.h"
#include "../base/version.h"

#define PATH_HEAD 2         /* steps of a long path: at its beginning, and at its end */
#define PATH_TAIL 6
#define CELL_MAX 512        /* bytes of a name in Markdown */
#define MUCH_DISPERSION 4.0

struct change_page {
	struct textbuf *tb;
	const struct diff_findings *f;
	const struct diff_change_opts *o;
	size_t key_widths[COLUMNS_MAX];
};

static bool is_markdown(const struct change_page *p)
{
	return p->o->format == DIFF_MARKDOWN;
}

/* A name can neither end a cell or a line, nor be read as Markdown, HTML, a link or a person. */
static void put_cell(struct textbuf *tb, const char *s)
{
	size_t len = strnlen(s, CELL_MAX);
	char cell[CELL_MAX];

	memcpy(cell, s, len);
	name__disarm(cell, len);
	for (size_t n = 0; n < len; n++) {
		unsigned char c = cell[n];
		bool www = c == '.' && n && (cell[n - 1] | 0x20) == 'w'; /* becomes a link */

		if (www || (c < 0x80 && strchr("\\`*_{}[]()<>#+!|~&@:$", c)))
			textbuf__printf(tb, "&#%u;", c);
		else
			textbuf__putc(tb, c);
	}
	if (s[len])
		textbuf__puts(tb, "...");
}

static void put_name(struct textbuf *tb, const char *s, enum diff_format format)
{
	if (format == DIFF_MARKDOWN)
		put_cell(tb, s);
	else
		textbuf__name(tb, s);
}

/* In front of a line that is no row. */
static const char *line_start(const struct change_page *p)
{
	return is_markdown(p) ? "" : "# ";
}

/* Markdown joins lines, unless an empty one is between them. */
static void end_line(const struct change_page *p)
{
	textbuf__puts(p->tb, is_markdown(p) ? "\n\n" : "\n");
}

static void put_relative(struct textbuf *tb, const struct stat_change *c)
{
	if (isinf(c->relative))
		textbuf__puts(tb, "new");
	else
		textbuf__printf(tb, "%+.1f %% ±%.1f", 100 * c->relative, 100 * c->relative_half);
}

static void put_files(struct change_page *p, const char *title, u32 from, u32 to)
{
	textbuf__printf(p->tb, "%s%s: ", line_start(p), title);
	for (u32 i = from; i < to && i < from + 3; i++) {
		textbuf__puts(p->tb, i > from ? ", " : "");
		put_name(p->tb, p->o->files[i], p->o->format);
	}
	if (to - from > 3)
		textbuf__printf(p->tb, ", ... (%u recordings)", to - from);
	end_line(p);
}

static const char *norm_text(enum diff_norm norm)
{
	static const char *const texts[] = {
		[DIFF_PER_CYCLES] = "shares of a run's event counts",
		[DIFF_PER_SAMPLES] = "shares of a run's samples",
		[DIFF_PER_TIME] = "event counts per second",
		[DIFF_PER_RUN] = "event counts of a run",
	};

	return texts[norm];
}

static void put_method(struct change_page *p)
{
	const struct diff_groups *g = p->o->groups;
	const struct diff_changes *c = p->f->changes;

	textbuf__printf(p->tb, "%sNumbers are %s. Intervals (±) hold with a probability of %g %%; "
			       "at most %g %% of the listed differences are "
			       "chance.%s", line_start(p),
			norm_text(g->norm), 100 * g->confidence, 100 * (1 - g->confidence),
			g->paired ? " The nth runs before and after are a pair." : "");
	end_line(p);
	if (p->f->t->nr_runs == 2)
		textbuf__printf(p->tb, "%sOne run before and one after: the variance between runs "
				       "is unknown, and not in the intervals. Record several: %s "
				       "diff --runs old*.data -- new*.data", line_start(p),
				perf__typed());
	else if (c->dispersion > MUCH_DISPERSION && !g->paired)
		textbuf__printf(p->tb, "%sRuns of a group differ %.0f times more than counting "
				"samples explains: record them in turns, and compare with "
				"--paired; or on a quieter machine.",
				line_start(p), c->dispersion);
	else
		return;
	end_line(p);
}

static void put_head(struct change_page *p)
{
	const struct stat_change *run = &p->f->changes->run;
	u32 nr_before = p->o->groups->nr_before, nr = p->f->t->nr_runs;

	textbuf__printf(p->tb, is_markdown(p) ? "### Event " : "# Event '");
	put_name(p->tb, p->f->event_name, p->o->format);
	textbuf__puts(p->tb, is_markdown(p) ? "\n\n" : "'\n");
	put_files(p, "before", 0, nr_before);
	put_files(p, "after", nr_before, nr);
	textbuf__printf(p->tb, "%sA run's event count: %.5g before, %.5g after (", line_start(p),
			run->before, run->after);
	put_relative(p->tb, run);
	textbuf__puts(p->tb, ")");
	end_line(p);
	put_method(p);
}

static void put_numbers(struct change_page *p, const struct stat_change *c)
{
	bool share = diff_norm__is_share(p->o->groups->norm);
	const char *form = share ? (is_markdown(p) ? "| %.2f %% | %.2f %% | %+.2f ±%.2f | " :
				    "%7.2f%%  %7.2f%%  %+7.2f ±%-5.2f  ") :
				   (is_markdown(p) ? "| %.4g | %.4g | %+.4g ±%.3g | " :
				    "%9.4g  %9.4g  %+9.4g ±%-9.3g  ");
	double by = share ? 100 : 1;
	struct textbuf text;

	textbuf__printf(p->tb, form, by * c->before, by * c->after, by * (c->after - c->before),
			by * c->half);
	textbuf__init(&text, -1);
	put_relative(&text, c);
	if (is_markdown(p))
		textbuf__printf(p->tb, "%s | ", textbuf__str(&text));
	else /* '±' is two bytes */
		textbuf__printf(p->tb, "%*s", isinf(c->relative) ? 16 : 17, textbuf__str(&text));
	textbuf__free(&text);
}

static void put_path(struct change_page *p, u32 row)
{
	u32 steps[DIFF_PATH_STEPS + 1], nr = 0;

	for (u32 i = row + 1; i && nr <= DIFF_PATH_STEPS; i = p->f->paths->callers.v[i - 1])
		steps[nr++] = i - 1;
	for (u32 i = nr; i--;) {
		u32 depth = nr - 1 - i;
		const char *name;

		if (depth == PATH_HEAD && nr > PATH_HEAD + PATH_TAIL) {
			textbuf__printf(p->tb, "... (%u more) > ", nr - PATH_HEAD - PATH_TAIL);
			i = PATH_TAIL - 1;
		}
		name = diff_paths__name(p->f->paths, steps[i]);
		put_name(p->tb, diff_shown__of(p->o->shown, name), p->o->format);
		textbuf__puts(p->tb, i ? " > " : "");
	}
}

static void put_keys(struct change_page *p, u32 row)
{
	const struct diff_row *r = &p->f->t->rows.v[row];

	for (u32 k = 0; k < p->f->t->nr_keys; k++) {
		bool last = k + 1 == p->f->t->nr_keys;
		struct textbuf name;

		textbuf__init(&name, -1);
		if (p->o->keys->v[k] == COLUMN_SYM && r->unnamed != DIFF_NO_KEY)
			textbuf__puts(&name, "(without a name)");
		else
			put_name(&name, diff_shown__of(p->o->shown, r->texts[k]), p->o->format);
		textbuf__puts(p->tb, is_markdown(p) ? (k ? " | " : "") : "  ");
		textbuf__str_left(p->tb, textbuf__str(&name),
				  last || is_markdown(p) ? 0 : p->key_widths[k]);
		textbuf__free(&name);
	}
}

static void put_titles(struct change_page *p, bool paths)
{
	bool share = diff_norm__is_share(p->o->groups->norm);

	if (is_markdown(p)) {
		textbuf__puts(p->tb, "| before | after | change | relative |");
		for (u32 k = 0; k < (paths ? 1 : p->f->t->nr_keys); k++)
			textbuf__printf(p->tb, " %s |", paths ? "path" :
					column__title(p->o->keys->v[k]));
		textbuf__puts(p->tb, "\n|---:|---:|---:|---:|");
		for (u32 k = 0; k < (paths ? 1 : p->f->t->nr_keys); k++)
			textbuf__puts(p->tb, "---|");
		textbuf__putc(p->tb, '\n');
		return;
	}
	textbuf__puts(p->tb, share ? "#  Before     After   Change         Relative        " :
				     "#   Before      After     Change            Relative  "
				     "      ");
	for (u32 k = 0; k < (paths ? 1 : p->f->t->nr_keys); k++) {
		textbuf__puts(p->tb, "  ");
		textbuf__str_left(p->tb, paths ? "Path" : column__title(p->o->keys->v[k]),
				  paths ? 0 : p->key_widths[k]);
	}
	textbuf__putc(p->tb, '\n');
}

static void put_change(struct change_page *p, const struct diff_change *d, bool paths)
{
	put_numbers(p, &d->c);
	textbuf__puts(p->tb, paths && !is_markdown(p) ? "  " : "");
	if (paths)
		put_path(p, d->row);
	else
		put_keys(p, d->row);
	textbuf__puts(p->tb, is_markdown(p) ? " |\n" : "\n");
}

/* Changes of one kind, those beyond chance first, which are as many as the list begins with. */
static void put_list(struct change_page *p, const struct diff_changes *c, bool total, bool paths,
		     const char *title)
{
	u32 nr = 0, left = 0;

	textbuf__printf(p->tb, is_markdown(p) ? "#### %s\n\n" : "#\n# %s:\n", title);
	for (size_t i = 0; i < c->v.nr; i++) {
		const struct diff_change *d = &c->v.v[i];

		if (d->total != total || !d->tested || d->same || (i >= c->nr_beyond && !p->o->all))
			continue;
		if (p->o->limit && nr == p->o->limit) {
			left++;
			continue;
		}
		if (!nr++)
			put_titles(p, paths);
		put_change(p, d, paths);
	}
	if (!nr)
		textbuf__printf(p->tb, "%sno change beyond chance\n", line_start(p));
	if (left)
		textbuf__printf(p->tb, is_markdown(p) ? "\n%s%u more: see --limit\n" :
							"%s%u more: see --limit\n",
				line_start(p), left);
	textbuf__puts(p->tb, is_markdown(p) ? "\n" : "");
}

static void measure_keys(struct change_page *p)
{
	const struct diff_changes *c = p->f->changes;

	for (u32 k = 0; k < p->f->t->nr_keys; k++) {
		p->key_widths[k] = strlen(column__title(p->o->keys->v[k]));
		for (size_t i = 0; i < (p->o->all ? c->v.nr : c->nr_beyond); i++) {
			const char *text = p->f->t->rows.v[c->v.v[i].row].texts[k];

			text = diff_shown__of(p->o->shown, text);
			p->key_widths[k] = max_of(p->key_widths[k], strlen(text));
		}
	}
}

static void put_foot(struct change_page *p)
{
	const struct diff_changes *c = p->f->changes;

	textbuf__puts(p->tb, is_markdown(p) ? "" : "#\n");
	textbuf__printf(p->tb, "%s%u numbers were compared; %u were not, with fewer than %u "
			       "samples, or less than one in %u.\n",
			line_start(p), c->nr_tested, c->nr_few, DIFF_LEAST_SAMPLES,
			DIFF_LEAST_PART);
	if (p->f->paths && p->f->paths->nr_cut)
		textbuf__printf(p->tb, "%s%llu samples have paths beyond the limits (%u functions, "
				       "%u paths): only their outer part is compared.\n",
				line_start(p), (unsigned long long)p->f->paths->nr_cut,
				DIFF_PATH_STEPS, DIFF_PATHS_MAX);
}

void textbuf__changes(struct textbuf *tb, const struct diff_findings *f,
		      const struct diff_change_opts *o)
{
	struct change_page p = { .tb = tb, .f = f, .o = o };

	measure_keys(&p);
	if (!o->quiet)
		put_head(&p);
	put_list(&p, f->changes, false, false, "By themselves");
	if (o->groups->totals)
		put_list(&p, f->changes, true, false, "With callees, if that is more");
	if (f->paths)
		put_list(&p, f->path_changes, true, true,
			 "Paths: the innermost ones that changed as much as their callers");
	if (!o->quiet)
		put_foot(&p);
}

void textbuf__limit(struct textbuf *tb, const struct diff_limit *l, const char *name,
		    const struct stat_change *c, bool holds, const struct diff_change_opts *o)
{
	bool markdown = o->format == DIFF_MARKDOWN;

	textbuf__puts(tb, markdown ? "- " : "# ");
	textbuf__puts(tb, holds ? (markdown ? "**FAILED** " : "FAILED ") : "passed ");
	put_name(tb, l->text, o->format);
	textbuf__puts(tb, ": ");
	put_name(tb, name ?: "a run", o->format);
	textbuf__putc(tb, ' ');
	put_relative(tb, c);
	if (diff_norm__is_share(o->groups->norm) && name)
		textbuf__printf(tb, ", %+.2f pp ±%.2f", 100 * (c->after - c->before),
				100 * c->half);
	textbuf__putc(tb, '\n');
}
