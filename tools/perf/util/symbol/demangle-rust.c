// SPDX-License-Identifier: GPL-2.0-only
/* Rust's present mangling of names, which begin with _R: RFC 2603. */
#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/text.h"
#include "../base/types.h"
#include "demangle.h"

#define MAX_DEPTH 128
#define MAX_STEPS 20000 /* back references can make a short name very long */

struct rust {
	const char *s;     /* behind the _R; positions of back references count from here */
	size_t pos;
	struct plain_name out;
	int depth, steps;
	bool bad, silent;  /* silent: parse, print nothing */
	u64 lifetimes;     /* number of those that enclosing binders have bound */
};

static void path(struct rust *r, bool in_value);
static void type(struct rust *r);
static void constant(struct rust *r);

static void print_n(struct rust *r, const char *s, size_t n)
{
	if (!r->silent && n && !plain_name__put(&r->out, s, n))
		r->bad = true;
}

static void print(struct rust *r, const char *s)
{
	print_n(r, s, strlen(s));
}

static void print_u64(struct rust *r, u64 v)
{
	char buf[24];

	snprintf(buf, sizeof(buf), "%" PRIu64, v);
	print(r, buf);
}

static bool enter(struct rust *r)
{
	if (++r->depth > MAX_DEPTH || ++r->steps > MAX_STEPS)
		r->bad = true;
	return !r->bad;
}

static char peek(const struct rust *r)
{
	return r->bad ? '\0' : r->s[r->pos];
}

static char next(struct rust *r)
{
	char c = peek(r);

	if (c)
		r->pos++;
	else
		r->bad = true;
	return c;
}

static bool eat(struct rust *r, char c)
{
	if (peek(r) != c || !c)
		return false;
	r->pos++;
	return true;
}

static u64 decimal(struct rust *r)
{
	u64 v = 0;

	if (!isdigit((unsigned char)peek(r)))
		r->bad = true;
	if (eat(r, '0'))
		return 0;
	while (isdigit((unsigned char)peek(r)))
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (u64)(next(r) - '0'), &v))
			r->bad = true;
	return v;
}

/* "_" is 0, "0_" is 1, and so on, with digits, small and capital letters. */
static u64 base62(struct rust *r)
{
	u64 v = 0;

	if (eat(r, '_'))
		return 0;
	for (char c = next(r); c != '_' && !r->bad; c = next(r)) {
		u64 digit = isdigit((unsigned char)c) ? c - '0' :
			    islower((unsigned char)c) ? c - 'a' + 10 :
			    isupper((unsigned char)c) ? c - 'A' + 36 : 62;

		if (digit == 62 || __builtin_mul_overflow(v, 62, &v) ||
		    __builtin_add_overflow(v, digit, &v))
			r->bad = true;
	}
	if (__builtin_add_overflow(v, 1, &v))
		r->bad = true;
	return v;
}

static u64 optional_base62(struct rust *r, char tag)
{
	return eat(r, tag) ? base62(r) + 1 : 0;
}

struct ident {
	const char *s;
	size_t len;
	bool punycode;
};

static struct ident identifier(struct rust *r)
{
	struct ident id = { .punycode = eat(r, 'u') };

	id.len = decimal(r);
	eat(r, '_');
	id.s = r->s + r->pos;
	if (r->bad || strnlen(id.s, id.len) < id.len) {
		r->bad = true;
		return (struct ident){};
	}
	r->pos += id.len;
	return id;
}

static void print_ident(struct rust *r, struct ident id)
{
	char plain[PUNYCODE_MAX];
	int len;

	if (!id.punycode || r->silent) {
		print_n(r, id.s, id.len);
		return;
	}
	len = rust_punycode__decode(id.s, id.len, plain, sizeof(plain));
	if (len > 0) {
		print_n(r, plain, len);
		return;
	}
	print(r, "punycode{");
	print_n(r, id.s, id.len);
	print(r, "}");
}

/* Continues at an earlier place with @fn, then comes back. */
static void back_reference(struct rust *r, void (*fn)(struct rust *r))
{
	size_t here = r->pos - 1, to = base62(r), after = r->pos;

	if (r->bad || to >= here) {
		r->bad = true;
		return;
	}
	if (r->silent)
		return;
	r->pos = to;
	fn(r);
	r->pos = after;
}

static void lifetime(struct rust *r, u64 index)
{
	char name[3] = "'_";
	u64 depth;

	if (index) {
		if (index > r->lifetimes) {
			r->bad = true;
			return;
		}
		depth = r->lifetimes - index;
		if (depth > 25) {
			print(r, "'_");
			print_u64(r, depth);
			return;
		}
		name[1] = 'a' + depth;
	}
	print(r, name);
}

/* "for<'a, 'b> "; the caller ends the scope of the lifetimes. */
static void binder(struct rust *r)
{
	u64 nr = optional_base62(r, 'G');

	if (!nr || r->bad)
		return;
	if (nr > MAX_DEPTH) {
		r->bad = true;
		return;
	}
	print(r, "for<");
	for (u64 i = 0; i < nr; i++) {
		if (i)
			print(r, ", ");
		r->lifetimes++;
		lifetime(r, 1);
	}
	print(r, "> ");
}

static void generic_arg(struct rust *r)
{
	if (eat(r, 'L'))
		lifetime(r, base62(r));
	else if (eat(r, 'K'))
		constant(r);
	else
		type(r);
}

/* "a, b, c" up to the E; returns how many there were. */
static int list(struct rust *r, void (*item)(struct rust *r), const char *separator)
{
	int nr = 0;

	for (; !r->bad && !eat(r, 'E'); nr++) {
		if (nr)
			print(r, separator);
		item(r);
	}
	return nr;
}

static void impl_path(struct rust *r)
{
	bool was_silent = r->silent;

	r->silent = true;
	optional_base62(r, 's');
	path(r, false);
	r->silent = was_silent;
}

static void nested(struct rust *r, bool in_value)
{
	char space = next(r);
	u64 number;
	struct ident id;

	path(r, in_value);
	number = optional_base62(r, 's');
	id = identifier(r);
	if (isupper((unsigned char)space)) {
		print(r, "::{");
		if (space == 'C')
			print(r, "closure");
		else if (space == 'S')
			print(r, "shim");
		else
			print_n(r, &space, 1);
		if (id.len) {
			print(r, ":");
			print_ident(r, id);
		}
		print(r, "#");
		print_u64(r, number);
		print(r, "}");
	} else if (id.len) {
		print(r, "::");
		print_ident(r, id);
	}
}

static void value_path(struct rust *r)
{
	path(r, true);
}

static void type_path(struct rust *r)
{
	path(r, false);
}

static void path(struct rust *r, bool in_value)
{
	char tag = next(r);

	if (!enter(r))
		return;
	switch (tag) {
	case 'C':
		optional_base62(r, 's');
		print_ident(r, identifier(r));
		break;
	case 'N':
		nested(r, in_value);
		break;
	case 'M':
	case 'X':
	case 'Y':
		if (tag != 'Y')
			impl_path(r);
		print(r, "<");
		type(r);
		if (tag != 'M') {
			print(r, " as ");
			path(r, false);
		}
		print(r, ">");
		break;
	case 'I':
		path(r, in_value);
		print(r, in_value ? "::<" : "<");
		list(r, generic_arg, ", ");
		print(r, ">");
		break;
	case 'B':
		back_reference(r, in_value ? value_path : type_path);
		break;
	default:
		r->bad = true;
	}
	r->depth--;
}

static const char *basic_type(char tag)
{
	static const char *const names[26] = {
		"i8", "bool", "char", "f64", "str", "f32", NULL, "u8", "isize", "usize", NULL,
		"i32", "u32", "i128", "u128", "_", NULL, NULL, "i16", "u16", "()", "...", NULL,
		"i64", "u64", "!",
	};

	return islower((unsigned char)tag) ? names[tag - 'a'] : NULL;
}

static void function_type(struct rust *r)
{
	u64 lifetimes = r->lifetimes;
	struct ident abi = {};

	binder(r);
	if (eat(r, 'U'))
		print(r, "unsafe ");
	if (eat(r, 'K')) {
		if (eat(r, 'C'))
			abi = (struct ident){ .s = "C", .len = 1 };
		else
			abi = identifier(r);
		print(r, "extern \"");
		for (size_t i = 0; i < abi.len; i++)
			print_n(r, abi.s[i] == '_' ? "-" : abi.s + i, 1);
		print(r, "\" ");
	}
	print(r, "fn(");
	list(r, type, ", ");
	print(r, ")");
	if (!eat(r, 'u')) {
		print(r, " -> ");
		type(r);
	}
	r->lifetimes = lifetimes;
}

/* A trait of a dyn type: its associated types are among its parameters. */
static void dyn_trait(struct rust *r)
{
	bool open = false;

	if (eat(r, 'I')) {
		path(r, false);
		print(r, "<");
		open = list(r, generic_arg, ", ") > 0;
		if (!open && peek(r) != 'p')
			print(r, ">");
	} else {
		path(r, false);
		if (peek(r) == 'p')
			print(r, "<");
	}
	while (eat(r, 'p')) {
		if (open)
			print(r, ", ");
		open = true;
		print_ident(r, identifier(r));
		print(r, " = ");
		type(r);
	}
	if (open)
		print(r, ">");
}

static void dyn_type(struct rust *r)
{
	u64 lifetimes = r->lifetimes, index;

	print(r, "dyn ");
	binder(r);
	list(r, dyn_trait, " + ");
	r->lifetimes = lifetimes;
	if (!eat(r, 'L')) {
		r->bad = true;
		return;
	}
	index = base62(r);
	if (index) {
		print(r, " + ");
		lifetime(r, index);
	}
}

static void reference(struct rust *r, const char *what)
{
	u64 index;

	print(r, "&");
	if (eat(r, 'L')) {
		index = base62(r);
		if (index) {
			lifetime(r, index);
			print(r, " ");
		}
	}
	print(r, what);
	type(r);
}

static void compound_type(struct rust *r, char tag)
{
	switch (tag) {
	case 'R':
		reference(r, "");
		break;
	case 'Q':
		reference(r, "mut ");
		break;
	case 'P':
	case 'O':
		print(r, tag == 'P' ? "*const " : "*mut ");
		type(r);
		break;
	case 'A':
	case 'S':
		print(r, "[");
		type(r);
		if (tag == 'A') {
			print(r, "; ");
			constant(r);
		}
		print(r, "]");
		break;
	case 'T':
		print(r, "(");
		print(r, list(r, type, ", ") == 1 ? ",)" : ")");
		break;
	case 'F':
		function_type(r);
		break;
	case 'D':
		dyn_type(r);
		break;
	case 'B':
		back_reference(r, type);
		break;
	default:
		r->pos--;
		path(r, false);
	}
}

static void type(struct rust *r)
{
	char tag = next(r);
	const char *basic = basic_type(tag);

	if (!enter(r))
		return;
	if (basic)
		print(r, basic);
	else
		compound_type(r, tag);
	r->depth--;
}

static void constant_char(struct rust *r, u64 v)
{
	char buf[16];

	if (v >= 32 && v < 127)
		snprintf(buf, sizeof(buf), "'%s%c'", v == '\'' || v == '\\' ? "\\" : "", (int)v);
	else
		snprintf(buf, sizeof(buf), "'\\u{%" PRIx64 "}'", v);
	print(r, buf);
}

static void constant(struct rust *r)
{
	char tag = next(r);
	const char *digits;
	size_t nr;
	u64 v;

	if (tag == 'B') {
		back_reference(r, constant);
		return;
	}
	if (tag == 'p') {
		print(r, "_");
		return;
	}
	if (r->bad || !strchr("ahijlmnostxybc", tag)) {
		r->bad = true;
		return;
	}
	if (eat(r, 'n'))
		print(r, "-");
	digits = r->s + r->pos;
	nr = strspn(digits, "0123456789abcdef");
	r->pos += nr;
	if (!eat(r, '_')) {
		r->bad = true;
		return;
	}
	v = nr <= 16 ? strtoull(digits, NULL, 16) : 0; /* the "_" ends the number */
	if (nr > 16) {
		print(r, "0x");
		print_n(r, digits, nr);
	} else if (tag == 'b') {
		print(r, v ? "true" : "false");
	} else if (tag == 'c') {
		constant_char(r, v);
	} else {
		print_u64(r, v);
	}
}

int rust_v0__demangle(const char *name, char *buf, size_t size)
{
	struct rust r = { .out = { buf, 0, size } };

	if (strncmp(name, "_R", 2) || !isupper((unsigned char)name[2]) || !size)
		return -1;
	buf[0] = '\0';
	r.s = name + 2;
	path(&r, true);
	if (isupper((unsigned char)peek(&r))) {
		r.silent = true; /* the crate that instantiated a generic function */
		path(&r, false);
		r.silent = false;
	}
	/* Suffixes of the compiler are kept, except for one that has no meaning to users. */
	if (peek(&r) == '.' && strncmp(r.s + r.pos, ".llvm.", 6))
		print(&r, r.s + r.pos);
	else if (peek(&r) && peek(&r) != '.')
		r.bad = true;
	return r.bad ? -1 : (int)r.out.len;
}

#define LEGACY_HASH 19 /* "::h" and 16 hex digits */

/*
 * "$LT$" -> '<' and the like, "$u20$" -> ' '. Returns: 0 when there is no escape at @s, else its
 * length, which is more than @len, that of what was written to @out.
 */
static size_t legacy_escape(const char *s, char *out, size_t *len)
{
	static const struct { const char *from; char to; } table[] = {
		{ "$SP$", '@' }, { "$BP$", '*' }, { "$RF$", '&' }, { "$LT$", '<' },
		{ "$GT$", '>' }, { "$LP$", '(' }, { "$RP$", ')' }, { "$C$", ',' },
	};
	unsigned long code;
	size_t nr;
	char *end;

	*len = 1;
	for (size_t i = 0; i < ARRAY_SIZE(table); i++) {
		nr = strlen(table[i].from);
		if (!strncmp(s, table[i].from, nr)) {
			*out = table[i].to;
			return nr;
		}
	}
	if (s[0] != '$' || s[1] != 'u')
		return 0;
	code = strtoul(s + 2, &end, 16);
	nr = end - s - 2;
	if (*end != '$' || !nr || nr > 6 || code < 32 || code == 127)
		return 0;
	*len = utf8__encode(code, out);
	return *len ? end + 1 - s : 0;
}

int rust_legacy__clean(char *name)
{
	size_t len = strlen(name), escape;
	const char *s = name;
	char *to = name, *hash = name + len - LEGACY_HASH;

	if (len <= LEGACY_HASH || strncmp(hash, "::h", 3) ||
	    strspn(hash + 3, "0123456789abcdef") != LEGACY_HASH - 3)
		return -1;
	*hash = '\0';
	while (*s) {
		bool part_start = s == name || s[-1] == ':';

		if (part_start && s[0] == '_' && s[1] == '$') {
			s++; /* is in front of an escape, since a name must not begin with '$' */
		} else if (s[0] == '.' && s[1] == '.') {
			*to++ = ':';
			*to++ = ':';
			s += 2;
		} else if ((escape = legacy_escape(s, to, &len)) != 0) {
			to += len;
			s += escape;
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
	return 0;
}
