// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>
#include <string.h>

#include "symtab.h"

/* libstdc++'s, in the C++ ABI; <cxxabi.h> is for C++ only. */
char *__cxa_demangle(const char *mangled, char *buf, size_t *len, int *status);

#define MAX_MANGLED 4096 /* the demangler recurses and its output may grow without limit */
#define RUST_HASH_LEN 19 /* "::h" and 16 hex digits */

/* Names of Rust's older scheme are C++ names whose last part is a hash, and escapes. */
static bool is_rust_legacy(const char *name)
{
	size_t len = strlen(name);
	const char *hash = name + len - RUST_HASH_LEN;

	return len > RUST_HASH_LEN && !strncmp(hash, "::h", 3) &&
	       strspn(hash + 3, "0123456789abcdef") == RUST_HASH_LEN - 3;
}

/* "$LT$" -> '<' and the like; 0 when there is no escape at @s, else its length. */
static size_t rust_escape(const char *s, char *out)
{
	static const struct { const char *from; char to; } table[] = {
		{ "$SP$", '@' }, { "$BP$", '*' }, { "$RF$", '&' }, { "$LT$", '<' },
		{ "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' },
	};
	char *end;
	unsigned long code;

	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		size_t len = strlen(table[i].from);

		if (!strncmp(s, table[i].from, len)) {
			*out = table[i].to;
			return len;
		}
	}
	if (s[0] != '$' || s[1] != 'u')
		return 0;
	code = strtoul(s + 2, &end, 16);
	if (*end != '$' || end == s + 2 || code < 32 || code > 126)
		return 0;
	*out = code;
	return end + 1 - s;
}

static void rust_clean(char *name)
{
	char *to = name;
	const char *s = name;
	size_t len;

	name[strlen(name) - RUST_HASH_LEN] = '\0';
	while (*s) {
		bool part_start = s == name || s[-1] == ':';

		if (part_start && s[0] == '_' && s[1] == '$') {
			s++; /* stands in front of an escape that a name must not begin with */
		} else if (s[0] == '.' && s[1] == '.') {
			*to++ = ':';
			*to++ = ':';
			s += 2;
		} else if ((len = rust_escape(s, to)) != 0) {
			to++;
			s += len;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

const char *symbol_name__demangle(struct arena *arena, const char *name)
{
	char *plain;
	int status;

	if (strncmp(name, "_Z", 2) || strnlen(name, MAX_MANGLED) == MAX_MANGLED)
		return name;
	plain = __cxa_demangle(name, NULL, NULL, &status);
	if (!plain)
		return name;
	if (is_rust_legacy(plain))
		rust_clean(plain);
	name = arena__intern(arena, plain);
	free(plain);
	return name;
}
