// SPDX-License-Identifier: GPL-2.0-only
#include "limit.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <string.h>

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " \t");
}

static int bad(struct error *err, const char *text)
{
	error__set(err, -EINVAL, "'%s' is not a condition", text);
	error__hint(err, "write self(FUNCTION) > +3%%, total(FUNCTION) > 0.5pp, any > 5%% or run > "
		    "2%%");
	return -EINVAL;
}

/* The operator is behind the name, which may have one itself: operator> of C++. */
static const char *find_operator(const char *text)
{
	const char *close = strrchr(text, ')');

	return strpbrk(close ? close : text, "<>");
}

static int parse_subject(struct diff_limit *l, const char *s, const char *end)
{
	while (end > s && isblank((unsigned char)end[-1]))
		end--;
	if (end - s == 3 && !strncmp(s, "run", 3)) {
		l->what = DIFF_LIMIT_RUN;
		return 0;
	}
	if (end - s == 3 && !strncmp(s, "any", 3)) {
		l->function = xstrdup("*");
		return 0;
	}
	if (!strncmp(s, "total(", 6))
		l->what = DIFF_LIMIT_TOTAL;
	else if (strncmp(s, "self(", 5))
		return -EINVAL;
	s += l->what == DIFF_LIMIT_TOTAL ? 6 : 5;
	if (end - s < 2 || end[-1] != ')')
		return -EINVAL;
	l->function = xasprintf("%.*s", (int)(end - s - 1), s);
	return 0;
}

static int parse_limit(struct diff_limit *l, const char *s)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || !isfinite(v))
		return -EINVAL;
	s = skip_blanks(end);
	l->points = !strcmp(s, "pp");
	if (!l->points && strcmp(s, "%"))
		return -EINVAL;
	l->limit = v / 100;
	return 0;
}

int diff_limit__parse(struct diff_limit *l, const char *text, struct error *err)
{
	const char *s = skip_blanks(text), *op = find_operator(s);

	*l = (struct diff_limit){ .text = text };
	if (!op || parse_subject(l, s, op) || parse_limit(l, skip_blanks(op + 1)))
		return bad(err, text);
	l->falls = *op == '<';
	if (l->points && l->what == DIFF_LIMIT_RUN)
		return error__set(err, -EINVAL, "'%s': an entire run has no percentage points: "
						"write %%", text);
	return 0;
}

void diff_limit__free(struct diff_limit *l)
{
	zfree(&l->function);
}

bool diff_limit__is_pattern(const struct diff_limit *l)
{
	return l->function && strpbrk(l->function, "*?[");
}

bool diff_limit__is_of(const struct diff_limit *l, const char *name)
{
	return l->function && (!strcmp(l->function, name) || !fnmatch(l->function, name, 0));
}

bool diff_limit__exceeds(const struct diff_limit *l, const struct stat_change *c)
{
	double change = l->points ? c->after - c->before : c->relative;

	return l->falls ? change < l->limit : change > l->limit;
}
