// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of GNAT, the compiler of Ada: letters are small, "__" stands between a package and what is
 * in it, and capital letters behind a name say what the compiler has made of it. Nothing at the
 * begin of a name says so, so that whoever asks must know that the program is one of Ada.
 *
 * Shown is what c++filt -s gnat shows; a name of which that says nothing stays as it is.
 */
#include <ctype.h>
#include <string.h>

#include "../../../lib/unwind/core/types.h"
#include "demangle.h"

#define PROCEDURE "_ada_" /* in front of a subprogram that is in no package */
#define SIGN "__gnat_"

struct ada_name {
	const char *s, *end;
	struct plain_name out;
	bool bad;
};

/* A sign of the compiler, and what is shown for it. */
struct ada_sign {
	const char *sign, *shown;
};

static void put(struct ada_name *n, const char *s, size_t len)
{
	n->bad |= !plain_name__put(&n->out, s, len);
}

static bool eat(struct ada_name *n, const char *sign)
{
	size_t len = strlen(sign);

	if ((size_t)(n->end - n->s) < len || memcmp(n->s, sign, len))
		return false;
	n->s += len;
	return true;
}

static bool at_end(const struct ada_name *n)
{
	return n->s == n->end;
}

/* Takes @sign if it is the rest of the name. */
static bool eat_last(struct ada_name *n, const char *sign)
{
	struct ada_name before = *n;

	if (eat(n, sign) && at_end(n))
		return true;
	*n = before;
	return false;
}

static char peek(const struct ada_name *n, size_t ahead)
{
	return (size_t)(n->end - n->s) > ahead ? n->s[ahead] : '\0';
}

/* Letters, digits, and single "_". */
static void identifier(struct ada_name *n)
{
	const char *from = n->s;

	while (islower((unsigned char)peek(n, 0)) || isdigit((unsigned char)peek(n, 0)) ||
	       (peek(n, 0) == '_' && (islower((unsigned char)peek(n, 1)) ||
				      isdigit((unsigned char)peek(n, 1)))))
		n->s++;
	put(n, from, n->s - from);
}

/* A function that is called like an operator. */
static void operator(struct ada_name *n)
{
	static const struct ada_sign operators[] = {
		{ "Oabs", "abs" }, { "Oand", "and" }, { "Omod", "mod" }, { "Onot", "not" },
		{ "Oor", "or" }, { "Orem", "rem" }, { "Oxor", "xor" }, { "Oeq", "=" },
		{ "One", "/=" }, { "Olt", "<" }, { "Ole", "<=" }, { "Ogt", ">" }, { "Oge", ">=" },
		{ "Oadd", "+" }, { "Osubtract", "-" }, { "Oconcat", "&" }, { "Omultiply", "*" },
		{ "Odivide", "/" }, { "Oexpon", "**" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (eat(n, operators[i].sign)) {
			put(n, "\"", 1);
			put(n, operators[i].shown, strlen(operators[i].shown));
			put(n, "\"", 1);
			return;
		}
	n->bad = true;
}

static void show_first(struct ada_name *n, const struct ada_sign *signs, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (eat(n, signs[i].sign)) {
			put(n, signs[i].shown, strlen(signs[i].shown));
			return;
		}
}

/* What the compiler made for a type or a task, right behind its name. */
static void made_for(struct ada_name *n)
{
	static const struct ada_sign made[] = {
		{ "SR", "'Read" }, { "SW", "'Write" }, { "SI", "'Input" }, { "SO", "'Output" },
		{ "DF", ".Finalize" }, { "DA", ".Adjust" },
	};

	if (eat_last(n, "TKB") || eat_last(n, "P") || eat_last(n, "N"))
		return; /* the body of a task; two variants of a protected operation */
	if (peek(n, 0) == 'T' && peek(n, 1) == 'K' && peek(n, 2) == '_')
		n->s += 2;
	else
		show_first(n, made, ARRAY_SIZE(made));
}

static void skip_digits(struct ada_name *n)
{
	while (isdigit((unsigned char)peek(n, 0)))
		n->s++;
}

/* "Xnb": how deep in packages and subprograms something is. */
static void skip_nesting(struct ada_name *n)
{
	if (!eat(n, "X"))
		return;
	while (peek(n, 0) == 'n' || peek(n, 0) == 'b')
		n->s++;
}

/* The number of one of several functions with the same name. */
static void skip_overloading(struct ada_name *n)
{
	while (isdigit((unsigned char)peek(n, 0)) ||
	       (peek(n, 0) == '_' && isdigit((unsigned char)peek(n, 1))))
		n->s++;
	skip_nesting(n);
}

/* "___elabb": what belongs to the unit or type as such. */
static void attribute(struct ada_name *n)
{
	static const struct ada_sign attributes[] = {
		{ "elabb", "'Elab_Body" }, { "elabs", "'Elab_Spec" }, { "size", "'Size" },
		{ "alignment", "'Alignment" }, { "assign", ".\":=\"" },
	};
	size_t before = n->out.len;

	show_first(n, attributes, ARRAY_SIZE(attributes));
	n->bad |= n->out.len == before;
	if (eat(n, "__"))
		skip_digits(n);
	skip_nesting(n);
	n->bad |= !at_end(n);
}

/* "_E5s": the body of an entry of a protected object. */
static void skip_entry(struct ada_name *n)
{
	struct ada_name before = *n;

	if (peek(n, 2) && isdigit((unsigned char)peek(n, 2)) && eat(n, "_E")) {
		skip_digits(n);
		if (!eat_last(n, "s") && !eat_last(n, "b"))
			*n = before;
	}
}

/* Behind a name. Returns whether another one follows. */
static bool go_on(struct ada_name *n)
{
	skip_entry(n);
	skip_nesting(n);
	if (at_end(n))
		return false;
	if (eat(n, "___")) {
		attribute(n);
		return false;
	}
	if (eat(n, "$") || (isdigit((unsigned char)peek(n, 2)) && eat(n, "__")))
		skip_overloading(n);
	if (at_end(n))
		return false;
	n->bad |= !eat(n, "__");
	put(n, ".", 1);
	return true;
}

bool ada_name__is_sign(const char *name)
{
	return !strncmp(name, SIGN, strlen(SIGN));
}

int ada_name__decode(const char *name, char *buf, size_t size)
{
	struct ada_name n = {
		.s = name, .end = name + strcspn(name, "."), .out = { buf, 0, size },
	};
	bool more = true;

	if (!size || (!strstr(name, "__") && strncmp(name, PROCEDURE, strlen(PROCEDURE))))
		return -1;
	eat(&n, PROCEDURE);
	if (!islower((unsigned char)peek(&n, 0)))
		return -1;
	while (more && !n.bad) {
		if (peek(&n, 0) == 'O')
			operator(&n);
		else if (islower((unsigned char)peek(&n, 0)))
			identifier(&n);
		else
			n.bad = true;
		made_for(&n);
		more = go_on(&n);
	}
	/* ".12": a subprogram in another one; ".cold" and the like are shown */
	n.s = n.end;
	n.end += strlen(n.end);
	if (isdigit((unsigned char)peek(&n, 1)) && eat(&n, "."))
		skip_digits(&n);
	put(&n, n.s, n.end - n.s);
	return n.bad ? -1 : (int)n.out.len;
}
