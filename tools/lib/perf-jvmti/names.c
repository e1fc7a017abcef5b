// SPDX-License-Identifier: (LGPL-2.1-only OR BSD-2-Clause)
#include "names.h"

#include <stddef.h>
#include <string.h>

struct text {
	char *out;
	size_t len;
};

static void put(struct text *t, const char *s, size_t len)
{
	size_t room = NAME_MAX_LEN - 1 - t->len;

	if (len > room)
		len = room;
	memcpy(t->out + t->len, s, len);
	t->len += len;
	t->out[t->len] = '\0';
}

/* A class, with points for slashes. */
static void put_class(struct text *t, const char *s, size_t len)
{
	size_t from = t->len;

	put(t, s, len);
	for (; from < t->len; from++)
		if (t->out[from] == '/')
			t->out[from] = '.';
}

static const char *basic(char c)
{
	static const char *const names[] = {
		['B'] = "byte", ['C'] = "char", ['D'] = "double", ['F'] = "float", ['I'] = "int",
		['J'] = "long", ['S'] = "short", ['V'] = "void", ['Z'] = "boolean",
	};

	return (size_t)c < sizeof(names) / sizeof(names[0]) && names[(size_t)c] ? names[(size_t)c] :
										  "?";
}

/* Puts the type that @s begins with. Returns what is behind it. */
static const char *put_type(struct text *t, const char *s)
{
	size_t arrays = strspn(s, "["), len;

	s += arrays;
	if (*s == 'L') {
		len = strcspn(s, ";");
		put_class(t, s + 1, len - 1);
		s += len;
	} else if (*s) {
		put(t, basic(*s), strlen(basic(*s)));
	}
	while (arrays--)
		put(t, "[]", 2);
	return *s ? s + 1 : s;
}

void name__of_method(char *out, const char *class, const char *method, const char *signature)
{
	const char *arg = signature + (*signature == '('), *result = strchr(signature, ')');
	struct text t = { .out = out };

	put_type(&t, result ? result + 1 : "V");
	put(&t, " ", 1);
	put_type(&t, class);
	put(&t, ".", 1);
	put(&t, method, strlen(method));
	put(&t, "(", 1);
	for (int i = 0; *arg && *arg != ')'; i++) {
		if (i)
			put(&t, ", ", 2);
		arg = put_type(&t, arg);
	}
	put(&t, ")", 1);
}

void name__of_file(char *out, const char *class, const char *file)
{
	const char *slash = strrchr(class, '/');
	struct text t = { .out = out };

	out[0] = '\0';
	if (slash)
		put(&t, class + 1, slash - class);
	put(&t, file, strlen(file));
}
