// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of GHC: package, module and function, each "z-encoded", so that all is letters and digits
 * (GHC.Utils.Encoding): base_GHCziBase_zpzp_info is base:GHC.Base.++_info. What GHC names locally
 * (s2kf_info) has no module and stays as it is.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../../../lib/unwind/core/types.h"
#include "demangle.h"

struct z_text {
	struct plain_name out;
	bool bad;
};

static void put(struct z_text *z, const char *s, size_t n)
{
	z->bad |= !plain_name__put(&z->out, s, n);
}

/* "z7bU": a character by its number, in hexadecimal, which begins with a digit. */
static size_t put_character(struct z_text *z, const char *s, size_t len)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0, bytes;
	char utf8[UTF8_MAX];
	const char *digit;
	u32 code = 0;

	for (; n < len && n < 7 && s[n] && (digit = strchr(digits, s[n])) != NULL; n++)
		code = code << 4 | (digit - digits);
	bytes = n && n < len && s[n] == 'U' ? utf8__encode(code, utf8) : 0;
	z->bad |= !bytes;
	put(z, utf8, bytes);
	return n + 1;
}

/* "Z3T", "Z3H": the constructor of tuples of three, boxed or not. */
static size_t put_tuple(struct z_text *z, const char *s, size_t len)
{
	size_t n = 0, of = 0;
	bool boxed;

	for (; n < len && n < 3 && isdigit((unsigned char)s[n]); n++)
		of = of * 10 + (s[n] - '0');
	boxed = n < len && s[n] == 'T';
	if (n == len || (!boxed && s[n] != 'H')) {
		z->bad = true;
		return 0;
	}
	put(z, boxed ? "(" : "(#", boxed ? 1 : 2);
	if (!boxed && of == 1)
		put(z, " ", 1);
	for (size_t i = 1; i < of; i++)
		put(z, ",", 1);
	put(z, boxed ? ")" : "#)", boxed ? 1 : 2);
	return n + 1;
}

/* What stands behind a z or a Z. Returns its length. */
static size_t put_escape(struct z_text *z, bool capital, const char *s, size_t len)
{
	static const char small[][3] = {
		"a&", "b|", "c^", "d$", "e=", "g>", "h#", "i.", "l<", "m-", "n!", "p+", "q'", "r\\",
		"s/", "t*", "u_", "v%", "zz",
	};
	static const char large[][3] = { "L(", "R)", "M[", "N]", "C:", "ZZ" };
	const char (*table)[3] = capital ? large : small;
	size_t nr = capital ? ARRAY_SIZE(large) : ARRAY_SIZE(small);

	if (!len) {
		z->bad = true;
		return 0;
	}
	for (size_t i = 0; i < nr; i++)
		if (table[i][0] == s[0]) {
			put(z, &table[i][1], 1);
			return 1;
		}
	return capital ? put_tuple(z, s, len) : put_character(z, s, len);
}

static void put_decoded(struct z_text *z, const char *s, size_t len)
{
	for (size_t i = 0; i < len && !z->bad;) {
		char c = s[i++];

		if (c == 'z' || c == 'Z')
			i += put_escape(z, c == 'Z', s + i, len - i);
		else
			put(z, &c, 1);
	}
}

/* The end of a symbol says what it is of the function; "info" is its code. */
static bool is_kind(const char *s)
{
	static const char *const kinds[] = {
		"info", "con_info", "static_info", "entry", "con_entry", "static_entry", "ret",
		"fast", "slow",
	};

	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(s, kinds[i]))
			return true;
	return false;
}

static size_t part_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]))
		n++;
	return s[n] == '_' ? n : 0;
}

bool haskell_name__is_sign(const char *name)
{
	size_t len;

	if (strncmp(name, "stg_", 4))
		return false;
	len = strnlen(name, CXX_MAX_MANGLED);
	return len > 9 && (!strncmp(name + len - 5, "_info", 5) ||
			   !strncmp(name + len - 5, "_fast", 5));
}

int haskell_name__decode(const char *name, char *buf, size_t size)
{
	struct z_text z = { .out = { buf, 0, size } };
	size_t part = part_length(name);

	if (!part || !size)
		return -1;
	/*
	 * Names of the program itself have no package. Those of packages with a capital letter have
	 * a version behind a '-', which no module has.
	 */
	if (!isupper((unsigned char)name[0]) || memmem(name, part, "zm", 2)) {
		put_decoded(&z, name, part);
		put(&z, ":", 1);
		name += part + 1;
		part = part_length(name);
	}
	if (!part || !isupper((unsigned char)name[0]))
		return -1;
	put_decoded(&z, name, part);
	put(&z, ".", 1);
	name += part + 1;
	part = part_length(name);
	if (!part || !is_kind(name + part + 1))
		return -1;
	put_decoded(&z, name, part);
	put(&z, name + part, strlen(name + part));
	return z.bad ? -1 : (int)z.out.len;
}
