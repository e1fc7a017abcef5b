// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/mem.h"
#include "demangle.h"

#define MAX_PLAIN 16384
/* Each back reference can double the steps, which are limited: 0.3 ms, printed or not. */
#define REFERENCES_WORK (NAME_MS_BYTES / 4)

void demangler__end(struct demangler *d)
{
	name_apart__free(d->heavy);
	name_apart__free(d->swift_names);
	d->heavy = d->swift_names = NULL;
}

/* What the compiler put behind a name of Rust, as ".cold"; its end, where there is nothing. */
static const char *suffix_of(const char *name)
{
	const char *s = name;

	if (name[1] == 'R')
		return name + strcspn(name, ".");
	while ((s = strstr(s, "17h")) != NULL) { /* the older scheme: the last part is a hash */
		s += 3;
		if (strspn(s, "0123456789abcdef") == 16 && s[16] == 'E' && (!s[17] || s[17] == '.'))
			return s + 17;
	}
	return name + strlen(name);
}

/* C++ or Rust. ".llvm.NUMBER" has no meaning to users. */
static const char *demangle_by_library(struct arena *arena, const char *name, struct demangler *d)
{
	const char *suffix = suffix_of(name);
	char *cut = xasprintf("%.*s", (int)(suffix - name), name), *with;
	char *plain = mangled_name__demangle(cut, d);

	free(cut);
	if (!plain)
		return name;
	with = xasprintf("%s%s", plain, strncmp(suffix, ".llvm.", 6) ? suffix : "");
	name = arena__intern(arena, with);
	free(with);
	free(plain);
	return name;
}

static bool is_hex_escape(const char *s)
{
	return s[0] == '$' && isxdigit((unsigned char)s[1]) && isxdigit((unsigned char)s[2]);
}

/* "camlStdlib__List__map_123" -> "Stdlib.List.map_123"; "$xx" is a character in hexadecimal. */
static const char *demangle_ocaml(struct arena *arena, const char *name)
{
	char *plain = xstrdup(name + strlen("caml")), *to = plain;
	const char *result;

	for (const char *s = plain; *s;) {
		if (s[0] == '_' && s[1] == '_') {
			*to++ = '.';
			s += 2;
		} else if (is_hex_escape(s)) {
			char hex[3] = { s[1], s[2] };

			*to++ = strtoul(hex, NULL, 16);
			s += 3;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
	result = arena__intern(arena, plain);
	free(plain);
	return result;
}

const char *symbol_name__decode(struct arena *arena, const char *name,
				int (*decode)(const char *name, char *buf, size_t size))
{
	char *buf;

	if (strnlen(name, CXX_MAX_MANGLED) == CXX_MAX_MANGLED)
		return name;
	buf = xmalloc(MAX_PLAIN);
	if (decode(name, buf, MAX_PLAIN) > 0)
		name = arena__intern(arena, buf);
	free(buf);
	return name;
}

static const char *demangle_swift(struct arena *arena, const char *name, struct demangler *d)
{
	char *plain = swift_name__demangle(name, d);

	if (plain)
		name = arena__intern(arena, plain);
	free(plain);
	return name;
}

static const char *demangle_d(struct arena *arena, const char *name, struct demangler *d)
{
	if (d_name__has_many_references(name) && !demangler__take(d, REFERENCES_WORK))
		return name;
	return symbol_name__decode(arena, name, d_name__demangle);
}

const char *symbol_name__demangle(struct arena *arena, const char *name, struct demangler *d)
{
	bool ocaml = !strncmp(name, "caml", 4) && isupper((unsigned char)name[4]);

	bool swift = swift_name__is_sign(name);

	if (!ocaml && !swift && (name[0] != '_' || !name[1] || !strchr("ZRD", name[1])))
		return name;
	if (strnlen(name, CXX_MAX_MANGLED) == CXX_MAX_MANGLED)
		return name;
	if (swift)
		return demangle_swift(arena, name, d);
	switch (ocaml ? 0 : name[1]) {
	case 'Z':
	case 'R':
		return demangle_by_library(arena, name, d);
	case 'D':
		return demangle_d(arena, name, d);
	default:
		return demangle_ocaml(arena, name);
	}
}
