// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names of D: the ABI's page on name mangling (dlang.org/spec/abi.html), with its back references.
 * Printed are the names of functions with the types of their parameters, as c++filt -s dlang does;
 * neither return types nor attributes.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../../lib/unwind/core/types.h"
#include "demangle.h"

#define MAX_DEPTH 64
/*
 * Back references make names long, and types in types are gone through twice at each level. Real
 * names take 3,200 steps at most; with few references, 13 for each of their letters.
 */
#define MAX_STEPS 20000
#define FEW_REFERENCES 8
#define FEW_STEPS(len) (500 + 16 * (len))

struct d_name {
	const char *s; /* of .end bytes */
	size_t pos, end;
	struct plain_name out;
	int depth, silent;
	size_t steps, max_steps;
	bool bad;
	bool typed; /* a back reference was the whole type of the last function */
};

static void type(struct d_name *d);
static void qualified(struct d_name *d, bool with_this);
static void value(struct d_name *d, const char *of_type);

static void print_n(struct d_name *d, const char *s, size_t n)
{
	if (!d->silent && !plain_name__put(&d->out, s, n))
		d->bad = true;
}

static void print(struct d_name *d, const char *s)
{
	print_n(d, s, strlen(s));
}

static void step(struct d_name *d)
{
	if (++d->steps > d->max_steps)
		d->bad = true;
}

static bool enter(struct d_name *d)
{
	step(d);
	if (++d->depth > MAX_DEPTH)
		d->bad = true;
	return !d->bad;
}

static char peek_at(const struct d_name *d, size_t ahead)
{
	return d->bad || d->pos + ahead >= d->end ? '\0' : d->s[d->pos + ahead];
}

static char peek(const struct d_name *d)
{
	return peek_at(d, 0);
}

static char next(struct d_name *d)
{
	char c = peek(d);

	step(d);
	d->pos++;
	d->bad |= !c;
	return c;
}

static bool eat(struct d_name *d, const char *s)
{
	size_t n = strlen(s);

	for (size_t i = 0; i < n; i++)
		if (peek_at(d, i) != s[i])
			return false;
	step(d);
	d->pos += n;
	return true;
}

static u64 number(struct d_name *d)
{
	u64 v = 0;

	d->bad |= !isdigit((unsigned char)peek(d));
	while (isdigit((unsigned char)peek(d)))
		if (__builtin_mul_overflow(v, 10, &v) ||
		    __builtin_add_overflow(v, (u64)(next(d) - '0'), &v))
			d->bad = true;
	return v;
}

/* Behind the Q: a distance in base 26, whose last digit is a small letter. Returns the place. */
static size_t reference(struct d_name *d)
{
	size_t q = d->pos - 1, distance = 0;
	char c;

	do {
		c = next(d);
		if (!isalpha((unsigned char)c) || distance > d->end) {
			d->bad = true;
			return 0;
		}
		distance = distance * 26 + (c - (isupper((unsigned char)c) ? 'A' : 'a'));
	} while (isupper((unsigned char)c));
	d->bad |= !distance || distance > q;
	return d->bad ? 0 : q - distance;
}

/* Continues at an earlier place with @fn, then comes back. */
static void refer(struct d_name *d, void (*fn)(struct d_name *d))
{
	size_t to = reference(d), after = d->pos;

	if (d->bad || !enter(d))
		return;
	d->pos = to;
	fn(d);
	d->pos = after;
	d->depth--;
}

/* Whether a Q here refers to an identifier, which begins with its length; else to a type. */
static bool refers_to_name(const struct d_name *d)
{
	struct d_name copy = *d;
	size_t to;

	copy.pos++;
	to = reference(&copy);
	return !copy.bad && isdigit((unsigned char)d->s[to]);
}

static bool is_template_at(const struct d_name *d)
{
	return peek(d) == '_' && peek_at(d, 1) == '_' &&
	       (peek_at(d, 2) == 'T' || peek_at(d, 2) == 'U');
}

static bool is_name_at(const struct d_name *d)
{
	return isdigit((unsigned char)peek(d)) || is_template_at(d) ||
	       (peek(d) == 'Q' && refers_to_name(d));
}

static void plain_name(struct d_name *d, const char *s, size_t n)
{
	static const char *const special[][2] = { { "__ctor", "this" }, { "__dtor", "~this" } };

	for (size_t i = 0; i < ARRAY_SIZE(special); i++)
		if (n == strlen(special[i][0]) && !strncmp(s, special[i][0], n))
			return print(d, special[i][1]);
	print_n(d, s, n);
}

/* A whole name behind its "_D": what its type, or what it returns, is not shown. */
static void mangled(struct d_name *d)
{
	qualified(d, true);
	if (d->typed || eat(d, "Z")) /* Z: it has none */
		return;
	d->silent++;
	type(d);
	d->silent--;
}

/* A type, and a value of it: the type is shown only where the members of a struct follow. */
static void typed_value(struct d_name *d)
{
	size_t start, end;
	char kind[2] = {};

	while (peek(d) == 'x' || peek(d) == 'y' || peek(d) == 'O')
		next(d);
	start = d->pos;
	kind[0] = peek(d) == 'Q' ? '\0' : peek(d);
	d->silent++;
	type(d);
	d->silent--;
	end = d->pos;
	if (peek(d) == 'S') {
		d->pos = start;
		type(d);
		d->pos = end;
	}
	value(d, kind);
}

static void template_argument(struct d_name *d)
{
	u64 n;

	eat(d, "H"); /* a specialised one */
	switch (next(d)) {
	case 'T':
		type(d);
		break;
	case 'V':
		typed_value(d);
		break;
	case 'S':
		if (eat(d, "_D"))
			mangled(d);
		else
			qualified(d, false);
		break;
	case 'X':
		n = number(d);
		d->bad |= n > d->end - d->pos;
		if (d->bad)
			return;
		print_n(d, d->s + d->pos, n);
		d->pos += n;
		break;
	default:
		d->bad = true;
	}
}

static void identifier(struct d_name *d);

/* "__T", the name, its arguments, "Z". */
static void template(struct d_name *d)
{
	d->pos += 3;
	identifier(d);
	print(d, "!(");
	for (int i = 0; !d->bad && !eat(d, "Z"); i++) {
		if (i)
			print(d, ", ");
		template_argument(d);
	}
	print(d, ")");
}

static void identifier(struct d_name *d)
{
	size_t outer = d->end;
	u64 n;

	if (!enter(d))
		return;
	if (eat(d, "Q")) {
		refer(d, identifier);
	} else if (is_template_at(d)) {
		template(d);
	} else {
		n = number(d);
		d->bad |= !n || n > d->end - d->pos;
		if (d->bad)
			return;
		d->end = d->pos + n;
		if (is_template_at(d)) {
			template(d);
			d->bad |= d->pos != d->end;
		} else {
			plain_name(d, d->s + d->pos, n);
		}
		d->pos = d->end;
		d->end = outer;
	}
	d->depth--;
}

static bool is_convention(char c)
{
	return c && strchr("FUWVRY", c);
}

/* Attributes of a function: pure, nothrow, ...; those of the return value alone are not there. */
static void skip_attributes(struct d_name *d)
{
	while (peek(d) == 'N' && peek_at(d, 1) && strchr("abcdefijlm", peek_at(d, 1))) {
		step(d);
		d->pos += 2;
	}
}

static void storage(struct d_name *d)
{
	for (;;) {
		if (eat(d, "M"))
			print(d, "scope ");
		else if (eat(d, "Nk"))
			print(d, "return ");
		else
			break;
	}
	if (eat(d, "I")) {
		print(d, "in ");
		if (eat(d, "K"))
			print(d, "ref ");
	} else if (eat(d, "J")) {
		print(d, "out ");
	} else if (eat(d, "K")) {
		print(d, "ref ");
	} else if (eat(d, "L")) {
		print(d, "lazy ");
	}
}

/* "(int, ...)", from the calling convention to the end of the parameters. */
static void parameters(struct d_name *d)
{
	d->bad |= !is_convention(next(d));
	skip_attributes(d);
	print(d, "(");
	for (int i = 0; !d->bad; i++) {
		if (eat(d, "Z"))
			break;
		if (eat(d, "X")) {
			print(d, "...");
			break;
		}
		if (eat(d, "Y")) {
			print(d, i ? ", ..." : "...");
			break;
		}
		if (i)
			print(d, ", ");
		storage(d);
		type(d);
	}
	print(d, ")");
}

/* The modifiers of `this', which stand in front of the parameters, as bits: shown behind them. */
static u32 skip_this(struct d_name *d)
{
	static const char *const signs[] = { "O", "Ng", "x", "y" };
	bool found = eat(d, "M");
	u32 bits = 0;

	while (found) {
		found = false;
		for (size_t i = 0; i < ARRAY_SIZE(signs) && !found; i++) {
			found = eat(d, signs[i]);
			bits |= (u32)found << i;
		}
	}
	return bits;
}

static void print_modifiers(struct d_name *d, u32 bits)
{
	static const char *const words[] = { " shared", " inout", " const", " immutable" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (bits >> i & 1)
			print(d, words[i]);
}

/*
 * One function of the path with its parameters. It is the last one, and its type follows, unless
 * another name does; the return type is parsed by who asks for the whole.
 */
static void function_part(struct d_name *d, bool with_modifiers)
{
	u32 modifiers = skip_this(d);
	bool typed = eat(d, "Q");

	if (typed)
		refer(d, parameters);
	else
		parameters(d);
	d->typed = typed; /* types of parameters have names, too */
	if (with_modifiers)
		print_modifiers(d, modifiers);
}

static void qualified(struct d_name *d, bool with_type)
{
	struct d_name before;
	bool first = true;

	if (!enter(d))
		return;
	do {
		while (eat(d, "0"))
			; /* anonymous */
		if (!is_name_at(d)) {
			d->bad = true;
			break;
		}
		if (!first)
			print(d, ".");
		first = false;
		d->typed = false;
		identifier(d);
		if (peek(d) != 'M' && !is_convention(peek(d)))
			continue;
		before = *d;
		function_part(d, with_type);
		/* What looks like a function may be the type of what this was the name of. */
		if (d->bad || (!with_type && !is_name_at(d))) {
			before.steps = d->steps;
			*d = before;
			d->out.s[d->out.len] = '\0';
			break;
		}
	} while (!d->bad && is_name_at(d));
	d->depth--;
}

static void wrapped(struct d_name *d, const char *before)
{
	print(d, before);
	type(d);
	print(d, ")");
}

/* The function behind a pointer, or a delegate: the return type, which is last, goes first. */
static void function_type(struct d_name *d, const char *kind)
{
	size_t start = d->pos, end;

	d->silent++;
	parameters(d);
	d->silent--;
	type(d);
	end = d->pos;
	print(d, kind);
	d->pos = start;
	parameters(d);
	d->pos = end;
}

static void delegate_type(struct d_name *d)
{
	function_type(d, " delegate");
}

static const char *basic(struct d_name *d)
{
	static const char *const names[26] = {
		"char", "bool", "creal", "double", "real", "float", "byte", "ubyte", "int",
		"ireal", "uint", "long", "ulong", "typeof(null)", "ifloat", "idouble", "cfloat",
		"cdouble", "short", "ushort", "wchar", "void", "dchar", NULL, NULL, NULL,
	};
	char c = peek(d);

	if (eat(d, "zi"))
		return "cent";
	if (eat(d, "zk"))
		return "ucent";
	if (!islower((unsigned char)c) || !names[c - 'a'])
		return NULL;
	d->pos++;
	return names[c - 'a'];
}

static void array_type(struct d_name *d)
{
	const char *length = d->s + d->pos;
	u64 digits;

	number(d);
	digits = d->s + d->pos - length;
	type(d);
	print(d, "[");
	print_n(d, length, digits);
	print(d, "]");
}

/* V[K]; the key comes first. */
static void map_type(struct d_name *d)
{
	size_t key = d->pos, end;

	d->silent++;
	type(d);
	d->silent--;
	type(d);
	end = d->pos;
	print(d, "[");
	d->pos = key;
	type(d);
	print(d, "]");
	d->pos = end;
}

static void tuple_type(struct d_name *d)
{
	u64 n = number(d);

	print(d, "Tuple!(");
	for (u64 i = 0; i < n && !d->bad; i++) {
		if (i)
			print(d, ", ");
		type(d);
	}
	print(d, ")");
}

static void special_type(struct d_name *d)
{
	switch (next(d)) {
	case 'g':
		wrapped(d, "inout(");
		break;
	case 'h':
		wrapped(d, "__vector(");
		break;
	case 'n':
		print(d, "noreturn");
		break;
	default:
		d->bad = true;
	}
}

static void compound(struct d_name *d)
{
	switch (next(d)) {
	case 'x':
		wrapped(d, "const(");
		break;
	case 'y':
		wrapped(d, "immutable(");
		break;
	case 'O':
		wrapped(d, "shared(");
		break;
	case 'N':
		special_type(d);
		break;
	case 'A':
		type(d);
		print(d, "[]");
		break;
	case 'G':
		array_type(d);
		break;
	case 'H':
		map_type(d);
		break;
	case 'P':
		if (is_convention(peek(d))) {
			function_type(d, " function");
		} else {
			type(d);
			print(d, "*");
		}
		break;
	case 'D':
		while (eat(d, "x") || eat(d, "y") || eat(d, "O"))
			; /* modifiers of its context */
		if (eat(d, "Q"))
			refer(d, delegate_type);
		else
			delegate_type(d);
		break;
	case 'C':
	case 'S':
	case 'E':
	case 'T':
	case 'I':
		qualified(d, false);
		break;
	case 'B':
		tuple_type(d);
		break;
	case 'Q':
		refer(d, type);
		break;
	default:
		d->bad = true;
	}
}

static void type(struct d_name *d)
{
	const char *name;

	if (!enter(d))
		return;
	name = basic(d);
	if (name)
		print(d, name);
	else if (is_convention(peek(d)))
		function_type(d, " ");
	else
		compound(d);
	d->depth--;
}

static void integer(struct d_name *d, const char *of_type)
{
	const char *digits = d->s + d->pos;
	u64 v = number(d), n = d->s + d->pos - digits;
	char quoted[16];

	if (of_type[0] == 'b') {
		print(d, v ? "true" : "false");
	} else if (of_type[0] == 'a' && v < 256) {
		snprintf(quoted, sizeof(quoted), v >= 32 && v < 127 ? "'%c'" : "'\\x%02x'", (int)v);
		print(d, quoted);
	} else if ((of_type[0] == 'u' || of_type[0] == 'w') && v <= UINT32_MAX) {
		snprintf(quoted, sizeof(quoted), of_type[0] == 'u' ? "'\\u%04x'" : "'\\U%08x'",
			 (u32)v);
		print(d, quoted);
	} else {
		print_n(d, digits, n);
		print(d, of_type[0] == 'h' || of_type[0] == 't' || of_type[0] == 'k' ? "u" :
			 of_type[0] == 'l' ? "L" : of_type[0] == 'm' ? "uL" : "");
	}
}

static int hex_digit(char c)
{
	return isdigit((unsigned char)c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A string: its length, "_", and twice as many hexadecimal digits. */
static void text(struct d_name *d, char width)
{
	u64 n = number(d);

	d->bad |= !eat(d, "_");
	print(d, "\"");
	for (u64 i = 0; i < n && !d->bad; i++) {
		int high = hex_digit(next(d)), low = hex_digit(next(d));
		char c = high < 0 || low < 0 ? '?' : high << 4 | low, escaped[8];
		const char *form = isprint((u8)c) ? "%c" : "\\x%02x";

		if (c == '\n' || c == '\t')
			snprintf(escaped, sizeof(escaped), "\\%c", c == '\n' ? 'n' : 't');
		else
			snprintf(escaped, sizeof(escaped), form, (u8)c);
		d->bad |= high < 0 || low < 0;
		print(d, escaped);
	}
	print(d, "\"");
	if (width != 'a')
		print_n(d, &width, 1);
}

/* Values of an array, with their keys if there are some, or the members of a struct. */
static void values(struct d_name *d, const char *open, const char *close, bool keys)
{
	u64 n = number(d);

	print(d, open);
	for (u64 i = 0; i < n && !d->bad; i++) {
		if (i)
			print(d, ", ");
		if (keys) {
			value(d, "");
			print(d, ":");
		}
		value(d, "");
	}
	print(d, close);
}

/* As C writes them, but for the "0x" and the point, which D leaves out. */
static void hex_float(struct d_name *d)
{
	if (eat(d, "NAN"))
		return print(d, "NaN");
	if (eat(d, "INF"))
		return print(d, "Inf");
	if (eat(d, "NINF"))
		return print(d, "-Inf");
	if (eat(d, "N"))
		print(d, "-");
	print(d, "0x");
	print_n(d, &(char){ next(d) }, 1);
	print(d, ".");
	while (isxdigit((unsigned char)peek(d)))
		print_n(d, &(char){ next(d) }, 1);
	d->bad |= !eat(d, "P");
	print(d, "p");
	if (eat(d, "N"))
		print(d, "-");
	while (isdigit((unsigned char)peek(d)))
		print_n(d, &(char){ next(d) }, 1);
}

static void value(struct d_name *d, const char *of_type)
{
	char c;

	if (!enter(d))
		return;
	c = next(d);
	if (isdigit((unsigned char)c)) {
		d->pos--;
		integer(d, of_type);
	} else if (c == 'i') {
		integer(d, of_type);
	} else if (c == 'N') {
		print(d, "-");
		integer(d, of_type);
	} else if (c == 'n') {
		print(d, "null");
	} else if (c == 'e') {
		hex_float(d);
	} else if (c == 'c') {
		hex_float(d);
		d->bad |= !eat(d, "c");
		print(d, "+");
		hex_float(d);
		print(d, "i");
	} else if (c == 'a' || c == 'w' || c == 'd') {
		text(d, c);
	} else if (c == 'A') {
		values(d, "[", "]", of_type[0] == 'H');
	} else if (c == 'S') {
		values(d, "(", ")", false);
	} else if (c == 'f' && eat(d, "_D")) {
		mangled(d);
	} else {
		d->bad = true;
	}
	d->depth--;
}

/* What the compiler made for a type or module stands behind its name: "initializer for". */
static const char *made_for(const char *name, size_t *len)
{
	static const struct { const char *end, *words; } made[] = {
		{ "6__initZ", "initializer for " }, { "6__vtblZ", "vtable for " },
		{ "7__ClassZ", "ClassInfo for " }, { "11__InterfaceZ", "Interface for " },
		{ "12__ModuleInfoZ", "ModuleInfo for " },
	};

	for (size_t i = 0; i < ARRAY_SIZE(made); i++) {
		size_t n = strlen(made[i].end);

		if (*len > n && !strncmp(name + *len - n, made[i].end, n)) {
			*len -= n;
			return made[i].words;
		}
	}
	return NULL;
}

/* "_DThn16_3std...", "_DTi16_D3std...": a function that corrects `this` first. */
static void skip_thunk(struct d_name *d)
{
	if (!eat(d, "Thn") && !eat(d, "Ti"))
		return;
	print(d, "non-virtual thunk to ");
	number(d);
	d->bad |= !eat(d, "_");
	eat(d, "D");
}

bool d_name__has_many_references(const char *name)
{
	u32 nr = 0;

	while (*name)
		nr += *name++ == 'Q';
	return nr > FEW_REFERENCES;
}

int d_name__demangle(const char *name, char *buf, size_t size)
{
	struct d_name d = { .s = name, .pos = 2, .out = { buf, 0, size }, .max_steps = MAX_STEPS };
	const char *words, *suffix;

	if (strncmp(name, "_D", 2) || !size)
		return -1;
	buf[0] = '\0';
	if (!d_name__has_many_references(name))
		d.max_steps = min_of(d.max_steps, FEW_STEPS(strlen(name)));
	if (!strcmp(name, "_Dmain")) {
		print(&d, "D main");
		return d.bad ? -1 : (int)d.out.len;
	}
	d.end = strcspn(name, "."); /* ".1835", ".cold": of the compiler */
	suffix = name + d.end;
	words = made_for(name, &d.end);
	if (words)
		print(&d, words);
	skip_thunk(&d);
	if (words)
		qualified(&d, true);
	else
		mangled(&d);
	print(&d, suffix);
	return d.bad || d.pos != d.end ? -1 : (int)d.out.len;
}
