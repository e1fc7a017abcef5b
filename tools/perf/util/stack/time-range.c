// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "time-range.h"

static const char *skip_blanks(const char *s)
{
	return s + strspn(s, " ");
}

/* "12.5" -> ns; moves *s behind it. Without digits it is @none. */
static bool parse_time(const char **s, u64 none, u64 *out)
{
	const char *p = *s;
	u64 sec = 0, ns = 0, unit = NSEC_PER_SEC / 10;

	if (!isdigit((unsigned char)*p) && *p != '.') {
		*out = none;
		return true;
	}
	for (; isdigit((unsigned char)*p); p++) {
		if (sec > ~0ULL / NSEC_PER_SEC / 10 - 10)
			return false;
		sec = sec * 10 + (*p - '0');
	}
	if (*p == '.')
		for (p++; isdigit((unsigned char)*p); p++, unit /= 10)
			ns += (*p - '0') * unit;
	*s = p;
	*out = sec * NSEC_PER_SEC + ns;
	return true;
}

static int add_range(struct time_ranges *r, u64 start, u64 stop, struct error *err)
{
	if (r->nr == TIME_RANGES_MAX)
		return error__set(err, -EINVAL, "more than %d time ranges", TIME_RANGES_MAX);
	if (start > stop)
		return error__set(err, -EINVAL, "a time range ends before it starts");
	r->v[r->nr].start = start;
	r->v[r->nr++].stop = stop;
	return 0;
}

/* The second half of "12.5,13"; a blank may be in front of it. */
static bool parse_stop(const char **s, u64 *stop)
{
	const char *p = skip_blanks(*s);

	if (!parse_time(&p, ~0ULL, stop))
		return false;
	/* "12.5, 14,15": the number is the start of the next range, and this one has no end. */
	if (p != *s && **s == ' ' && *p == ',')
		*stop = ~0ULL;
	else
		*s = p;
	return !**s || **s == ' ';
}

static int parse_absolute(struct time_ranges *r, const char *s, struct error *err)
{
	const char *p = skip_blanks(s);

	while (*p) {
		u64 start, stop;

		if (!parse_time(&p, 0, &start) || *p++ != ',' || !parse_stop(&p, &stop))
			return error__set(err, -EINVAL, "'%s' is not a time range", s);
		if (add_range(r, start, stop, err))
			return -EINVAL;
		p = skip_blanks(p);
	}
	return 0;
}

/* One of "10%/2" and "5%-20%". */
static bool parse_percent(const char **s, double *from, double *to)
{
	char *end;
	double a = strtod(*s, &end);

	if (end == *s || *end++ != '%' || !(a >= 0 && a <= 100))
		return false;
	if (*end == '/') {
		const char *nr = end + 1;
		unsigned long n = strtoul(nr, &end, 10);

		if (end == nr || !n || a * (n - 1) >= 100)
			return false;
		*from = a * (n - 1);
		*to = min_of(a * n, 100.0);
	} else if (*end == '-') {
		const char *second = end + 1;
		double b = strtod(second, &end);

		if (end == second || *end++ != '%' || !(b >= a && b <= 100))
			return false;
		*from = a;
		*to = b;
	} else {
		*from = 0;
		*to = a;
	}
	*s = end;
	return true;
}

static int parse_percents(struct time_ranges *r, const char *s, u64 first, u64 last,
			  struct error *err)
{
	const char *p = s;

	if (!last || last < first) {
		error__set(err, -EINVAL, "the recording has no start and end time for percentages "
			   "to refer to");
		error__hint(err, "Hint: use START,STOP in seconds");
		return -EINVAL;
	}
	while (*p) {
		double from, to;
		u64 start, stop;

		if (!parse_percent(&p, &from, &to) || (*p && *p != ',' && *p != ' '))
			return error__set(err, -EINVAL, "'%s' is not a time range", s);
		start = first + (u64)((last - first) * (from / 100));
		stop = first + (u64)((last - first) * (to / 100));
		if (stop < last && stop > start)
			stop--;
		if (add_range(r, start, stop, err))
			return -EINVAL;
		while (*p == ' ' || *p == ',')
			p++;
	}
	return 0;
}

int time_ranges__parse(struct time_ranges *r, const char *s, u64 first, u64 last,
		       struct error *err)
{
	r->nr = 0;
	if (!*s)
		return 0;
	if (strchr(s, '%'))
		return parse_percents(r, s, first, last, err);
	return parse_absolute(r, s, err);
}
