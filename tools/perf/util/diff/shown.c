// SPDX-License-Identifier: GPL-2.0-only
#include "shown.h"

#include <stdlib.h>
#include <string.h>

#include "table.h"

/* Where the binary behind a name begins, or the end. */
static size_t end_of_name(const char *name)
{
	size_t len = strlen(name), at = len;

	if (!len || name[len - 1] != ']')
		return len;
	while (at && name[at - 1] != '[')
		at--;
	return at > 1 && name[at - 2] == ' ' ? at - 2 : len;
}

void diff_shown__add(struct diff_shown *s, const char *text)
{
	const char *name = diff_table__name(text);
	struct shown_text *t;

	if (!s->arena)
		s->arena = arena__new();
	t = vec__push(&s->v);
	*t = (struct shown_text){ .text = text, .at = name - text, .len = end_of_name(name) };
	t->name = arena__intern_n(s->arena, name, t->len);
	short_names__add(&s->names, t->name, t->name, NULL, NULL);
}

void diff_shown__make(struct diff_shown *s)
{
	short_names__make(&s->names);
	for (size_t i = 0; i < s->v.nr; i++) {
		const struct shown_text *t = &s->v.v[i];
		const char *name = short_names__of(&s->names, t->name, t->name);
		char *text = xasprintf("%.*s%s%s", (int)t->at, t->text, name,
				       t->text + t->at + t->len);

		map64__set(&s->of, (uintptr_t)t->text,
			   (void *)(uintptr_t)arena__intern(s->arena, text));
		free(text);
	}
}

const char *diff_shown__of(const struct diff_shown *s, const char *text)
{
	const char *shown = s ? map64__get(&s->of, (uintptr_t)text) : NULL;

	return shown ?: text;
}

void diff_shown__free(struct diff_shown *s)
{
	vec__free(&s->v);
	map64__free(&s->of);
	short_names__free(&s->names);
	arena__free(s->arena);
}
