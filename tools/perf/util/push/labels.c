// SPDX-License-Identifier: GPL-2.0-only
#include "labels.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/mem.h"
#include "../base/text.h"
#include "../text/textbuf.h"

static bool is_name(const char *s)
{
	if (!isalpha((unsigned char)*s) && *s != '_')
		return false;
	for (; *s; s++)
		if (!isalnum((unsigned char)*s) && *s != '_' && *s != '.')
			return false;
	return true;
}

static bool is_value(const char *s)
{
	size_t left = strlen(s), n;

	for (; left; s += n, left -= n) {
		n = utf8__length(s, left);
		if (!n || utf8__control(s, left))
			return false;
	}
	return true;
}

static int parse_one(struct push_labels *l, char *s, const char *source, struct error *err)
{
	char *value = strchr(s, '=');

	if (!value)
		return error__set(err, -EINVAL, "%s is a list like env=test,rack=7: '%s' has no "
				  "value", source, s);
	*value++ = '\0';
	if (!is_name(s))
		return error__set(err, -EINVAL, "%s: the name of a label has letters, digits, '_' "
				  "and '.', and does not begin with a digit: '%s'", source, s);
	if (!is_value(value))
		return error__set(err, -EINVAL, "%s: the value of '%s' is not UTF-8, or has "
				  "control characters", source, s);
	for (size_t i = 0; i < l->nr; i++)
		if (!strcmp(l->v[i].name, s))
			return error__set(err, -EINVAL, "%s: '%s' is there twice", source, s);
	if (!*value)
		return 0;
	if (l->nr == PUSH_LABELS_MAX)
		return error__set(err, -EINVAL, "%s: more than %d labels", source,
				  PUSH_LABELS_MAX);
	l->v[l->nr++] = (struct export_label){ s, value };
	return 0;
}

int push_labels__parse(struct push_labels *l, const char *text, const char *source,
		       struct error *err)
{
	char *save = NULL;
	int ret = 0;

	*l = (struct push_labels){};
	if (!text)
		return 0;
	if (strlen(text) > PUSH_LABELS_TEXT_MAX)
		return error__set(err, -EINVAL, "%s: more than %d bytes", source,
				  PUSH_LABELS_TEXT_MAX);
	l->text = xstrdup(text);
	for (char *s = strtok_r(l->text, ",", &save); s && !ret; s = strtok_r(NULL, ",", &save))
		ret = parse_one(l, s, source, err);
	return ret;
}

void push_labels__free(struct push_labels *l)
{
	free(l->text);
}

/* A host's name comes from a recording: it must not look like more labels. */
static void put_host(struct textbuf *tb, const char *host)
{
	textbuf__puts(tb, "host=");
	for (; *host; host++)
		textbuf__putc(tb, isalnum((unsigned char)*host) || strchr("._:-", *host) ? *host :
			      '_');
}

char *push_labels__with_host(const struct push_labels *l, const char *host)
{
	struct textbuf tb;
	bool is_there = !*host;
	char *text;

	textbuf__init(&tb, -1);
	for (size_t i = 0; i < l->nr; i++)
		is_there |= !strcmp(l->v[i].name, "host");
	if (!is_there)
		put_host(&tb, host);
	for (size_t i = 0; i < l->nr; i++) {
		if (tb.len)
			textbuf__putc(&tb, ',');
		textbuf__puts(&tb, l->v[i].name);
		textbuf__putc(&tb, '=');
		textbuf__puts(&tb, l->v[i].value);
	}
	text = xstrdup(textbuf__str(&tb));
	textbuf__free(&tb);
	return text;
}
