// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../io/procfile.h"
#include "pmu.h"

#define MAX_DEPTH 4 /* of aliases in aliases */
#define COMMON_TERMS \
	"period, freq, name, call-graph, stack-size, max-stack, [no-]inherit, [no-]overwrite"

struct parse {
	const char *dir, *pmu;
	struct perf_event_attr *attr;
	struct event_terms *common;
	struct error *err;
};

/* The text of DIR/PMU/@file without the end of its line; NULL when there is none. */
static char *read_text(const struct parse *p, const char *folder, const char *file)
{
	char *path, *text = NULL;

	if (!p->dir || !*file || file[0] == '.' || strchr(file, '/') || p->pmu[0] == '.')
		return NULL;
	path = xasprintf("%s/%s/%s%s", p->dir, p->pmu, folder, file);
	if (procfile__read(path, &text, NULL))
		text = NULL;
	free(path);
	if (text)
		text[strcspn(text, "\n")] = 0;
	return text;
}

static bool parse_value(const char *text, u64 *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 0);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

/* The field that a format names: "config1:..." -> &attr->config1. */
static __u64 *find_config(struct perf_event_attr *attr, const char *word, size_t len)
{
	if (len == 6 && !strncmp(word, "config", 6))
		return &attr->config;
	if (len == 7 && !strncmp(word, "config1", 7))
		return &attr->config1;
	if (len == 7 && !strncmp(word, "config2", 7))
		return &attr->config2;
	return NULL;
}

/* Spreads @value over the ranges of bits of @format, the low bits to the first. */
static int put_bits(const struct parse *p, const char *term, const char *format, u64 value)
{
	const char *colon = strchr(format, ':'), *range = colon;
	__u64 *config = colon ? find_config(p->attr, format, colon - format) : NULL;

	if (!config)
		return error__set(p->err, -EINVAL, "%s/%s/: cannot interpret the kernel's format "
				  "'%s'",
				  p->pmu, term, format);
	while (range && range[1]) {
		u32 first, last, bits;
		u64 mask;
		int n = sscanf(range + 1, "%u-%u", &first, &last);

		last = n == 2 ? last : first;
		if (n < 1 || first > last || last > 63)
			return error__set(p->err, -EINVAL, "%s/%s/: cannot interpret the kernel's "
					  "format '%s'", p->pmu, term, format);
		bits = last - first + 1;
		mask = bits == 64 ? ~0ull : BIT_ULL(bits) - 1;
		*config = (*config & ~(mask << first)) | (value & mask) << first;
		value = bits == 64 ? 0 : value >> bits;
		range = strchr(range + 1, ',');
	}
	if (value)
		return error__set(p->err, -EINVAL, "%s/%s/: the value is too large for '%s'",
				  p->pmu, term, format);
	return 0;
}

/* config=, config1=, config2=, which every PMU has. */
static bool put_config(const struct parse *p, const char *term, u64 value)
{
	__u64 *config = p->dir ? find_config(p->attr, term, strlen(term)) : NULL;

	if (config)
		*config = value;
	return config;
}

static int unknown_term(const struct parse *p, const char *term)
{
	error__set(p->err, -EINVAL, "%s/%s/: unknown term", p->pmu, term);
	if (!p->dir) {
		error__hint(p->err, "Terms are " COMMON_TERMS ".");
		return -EINVAL;
	}
	error__hint(p->err, "Terms are config, config1, config2, " COMMON_TERMS ", and the files "
		    "in %s/%s/format and events.", p->dir, p->pmu);
	return -EINVAL;
}

static int parse_terms(const struct parse *p, const char *terms, int depth);

static int parse_term(const struct parse *p, char *term, int depth)
{
	char *equals = strchr(term, '='), *text;
	u64 value = 1;
	bool number;
	int ret;

	if (equals)
		*equals = 0;
	ret = event_terms__take(p->common, p->attr, p->pmu, term, equals ? equals + 1 : NULL,
				p->err);
	if (ret)
		return min_of(ret, 0);
	number = !equals || parse_value(equals + 1, &value);
	if (equals && number && put_config(p, term, value))
		return 0;
	if (!number)
		return error__set(p->err, -EINVAL, "%s/%s=%s/: the value must be a "
				  "number", p->pmu, term,
				  equals + 1);
	text = equals ? NULL : read_text(p, "events/", term);
	if (text) {
		ret = depth < MAX_DEPTH ? parse_terms(p, text, depth + 1) : unknown_term(p, term);
		free(text);
		return ret;
	}
	text = read_text(p, "format/", term);
	ret = text ? put_bits(p, term, text, value) : unknown_term(p, term);
	free(text);
	return ret;
}

static int parse_terms(const struct parse *p, const char *terms, int depth)
{
	char *copy = xstrdup(terms), *next = copy, *term;
	int ret = 0;

	while (!ret && (term = strsep(&next, ",")))
		if (*term || next)
			ret = parse_term(p, term, depth);
	free(copy);
	return ret;
}

static int unknown_pmu(const struct parse *p)
{
	char names[256] = "";
	struct dirent *e;
	size_t len = 0;
	DIR *dir = opendir(p->dir);

	while (dir && len < sizeof(names) - 1 && (e = readdir(dir)))
		if (e->d_name[0] != '.')
			len += snprintf(names + len, sizeof(names) - len, " %s", e->d_name);
	if (dir)
		closedir(dir);
	error__set(p->err, -EINVAL, "this machine has no PMU '%s'", p->pmu);
	error__hint(p->err, "PMUs of this machine:%s", names);
	return -EINVAL;
}

int event__parse_terms(const char *event, const char *terms, struct perf_event_attr *attr,
		       struct event_terms *common, struct error *err)
{
	struct parse p = { NULL, event, attr, common, err };

	return parse_terms(&p, terms, 0);
}

int pmu__parse(const char *dir, const char *pmu, const char *terms, struct perf_event_attr *attr,
	       struct event_terms *common, struct error *err)
{
	struct parse p = { dir, pmu, attr, common, err };
	char *type = read_text(&p, "", "type");
	u64 number;
	bool ok = type && parse_value(type, &number) && number <= UINT32_MAX;

	free(type);
	if (!ok)
		return unknown_pmu(&p);
	attr->type = number;
	return parse_terms(&p, terms, 0);
}
