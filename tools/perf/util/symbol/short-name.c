// SPDX-License-Identifier: GPL-2.0-only
#include "short-name.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../base/index.h"
#include "../base/vec.h"

#define NAME_MAX_BYTES (1U << 17) /* longer ones stay as they are */
#define STEPS_PER_BYTE 16         /* of a name, that it may take; real ones take 4 at most */
#define NEST_MAX 64               /* brackets in brackets that are looked into */
#define QUALIFIERS_MAX 4          /* behind parameters */
#define FITS 40                   /* bytes of a name that may have arguments of its templates */
#define LITERAL UINT32_MAX        /* a bracket that is a part of an operator's name */
#define ALL_DEPTHS 8

struct level {
	unsigned int depth; /* of templates in templates that are shown */
	bool params;        /* parameters are shown */
	bool traits;        /* of Rust: "<A as B>", hashes; of Go: folders of packages */
};

static const struct level levels[SHORT_NAME_LEVELS] = {
	{ 0, false, false }, { 1, false, false }, { 1, true, true }, { ALL_DEPTHS, true, true },
};

/* Namespaces that programs do not name. */
static const char *const inline_namespaces[] = {
	"__cxx11::", "__gnu_cxx::", "__1::", "__ndk1::", "_V2::", "__debug::",
};

static const struct {
	const char *full, *brief;
} aliases[] = {
	{ "basic_string<char, std::char_traits<char>, std::allocator<char> >", "string" },
	{ "basic_string<wchar_t, std::char_traits<wchar_t>, std::allocator<wchar_t> >", "wstring" },
	{ "basic_string_view<char, std::char_traits<char> >", "string_view" },
	{ "basic_ostream<char, std::char_traits<char> >", "ostream" },
	{ "basic_istream<char, std::char_traits<char> >", "istream" },
	{ "(anonymous namespace)", "(anon)" },
	{ "{anonymous}", "(anon)" },
};

/* What templates of the library take if nothing else is said. */
static const char *const default_arguments[] = {
	", std::allocator<", ", std::char_traits<", ", std::less<", ", std::default_delete<",
	", std::hash<", ", std::equal_to<", ", std::__1::allocator<", ", std::__1::char_traits<",
};

/* In front of a name, and no return type. */
static const char *const kinds[] = {
	"non-virtual thunk to ", "virtual thunk to ", "covariant return thunk to ",
	"guard variable for ", "vtable for ", "VTT for ", "typeinfo for ", "typeinfo name for ",
	"construction vtable for ", "transaction clone for ", "TLS init function for ",
	"TLS wrapper function for ", "static ",
};

/* Longer ones first. */
static const char *const operators[] = {
	"()", "[]", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">",
};

static const char *const qualifiers[] = {
	" const", " volatile", " &&", " &", " noexcept", " restrict",
};

struct shorter {
	const char *s;
	u32 len;
	u32 *match;     /* of a bracket: where the other one is */
	char *out;      /* of .len + 1 bytes: each rule makes a name shorter */
	u32 n;
	u32 steps;      /* that are left */
	const struct level *level;
	bool failed;
};

/* Counts one, wherever a loop goes on with the next byte. Returns false: a name takes too many. */
static bool step(struct shorter *w)
{
	w->failed |= !w->steps;
	w->steps -= w->steps > 0;
	return !w->failed;
}

static bool begins(const struct shorter *w, u32 at, const char *text)
{
	size_t len = strlen(text);

	return w->len - at >= len && !memcmp(w->s + at, text, len);
}

/* Returns the length of the one of @nr texts that stands at @at; 0: none does. */
static u32 one_of(const struct shorter *w, u32 at, const char *const *texts, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (begins(w, at, texts[i]))
			return strlen(texts[i]);
	return 0;
}

#define ONE_OF(w, at, texts) one_of(w, at, texts, ARRAY_SIZE(texts))

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static bool begins_word(const struct shorter *w, u32 at)
{
	return !at || !is_letter(w->s[at - 1]);
}

static bool is_operator(const struct shorter *w, u32 at)
{
	return begins_word(w, at) && begins(w, at, "operator") &&
	       (at + 8 == w->len || !is_letter(w->s[at + 8]));
}

static char closing(char c)
{
	switch (c) {
	case '<':
		return '>';
	case '(':
		return ')';
	case '[':
		return ']';
	case '{':
		return '}';
	}
	return 0;
}

/* Finds the other bracket of each. Returns false: one has none. */
static bool match_brackets(struct shorter *w)
{
	VEC(u32) open = {};
	bool fine = true;

	for (u32 i = 0; i < w->len && fine && step(w); i++) {
		char c = w->s[i];
		u32 op = is_operator(w, i) ? ONE_OF(w, i + 8, operators) : 0;

		if (op)
			for (i += 8; op; op--)
				w->match[i++] = LITERAL;
		if (i >= w->len)
			break;
		c = w->s[i];
		if (c == '-' && i + 1 < w->len && w->s[i + 1] == '>')
			w->match[++i] = LITERAL;
		else if (closing(c))
			*vec__push(&open) = i;
		else if (c && strchr(">)]}", c)) {
			fine = open.nr && closing(w->s[open.v[open.nr - 1]]) == c;
			if (fine) {
				w->match[i] = open.v[--open.nr];
				w->match[w->match[i]] = i;
			}
		}
	}
	fine = fine && !open.nr && !w->failed;
	vec__free(&open);
	return fine;
}

static bool opens(const struct shorter *w, u32 at)
{
	return w->match[at] != LITERAL && w->match[at] > at;
}

static void put(struct shorter *w, const char *text, u32 len)
{
	if (len > w->len - w->n) {
		w->failed = true;
		return;
	}
	memcpy(w->out + w->n, text, len);
	w->n += len;
}

static u32 skip_qualifiers(const struct shorter *w, u32 at)
{
	u32 len = 1;

	for (u32 i = 0; len && i < QUALIFIERS_MAX; i++) {
		len = ONE_OF(w, at, qualifiers);
		at += len;
	}
	return at;
}

static void emit(struct shorter *w, u32 from, u32 to, unsigned int depth, bool top, u32 nest);

/* Finds @text in the brackets that begin at @at, but not in others; 0: it is not there. */
static u32 find_in(struct shorter *w, u32 at, const char *text)
{
	for (u32 i = at + 1; i < w->match[at] && step(w); i++) {
		if (begins(w, i, text))
			return i;
		if (opens(w, i))
			i = w->match[i];
	}
	return 0;
}

/*
 * Of Rust: "<A as Trait>", "<impl Trait for A>" and "<A>" in front are A. Returns false: it is
 * none of these.
 */
static bool emit_self(struct shorter *w, u32 at, unsigned int depth, u32 nest)
{
	u32 as = find_in(w, at, " as "), end = w->match[at];
	u32 of = begins(w, at + 1, "impl ") ? find_in(w, at, " for ") : 0;

	if (w->level->traits || (!as && !of && (at || !begins(w, end + 1, "::"))))
		return false;
	emit(w, of ? of + 5 : at + 1, as && !of ? as : end, depth, false, nest);
	return true;
}

static void emit_arguments(struct shorter *w, u32 at, unsigned int depth, u32 nest)
{
	u32 end = w->match[at];

	if ((!at || w->s[at - 1] == ':') && emit_self(w, at, depth, nest))
		return;
	put(w, "<", 1);
	if (!depth && end - at > 4) {
		put(w, "...", 3);
	} else {
		emit(w, at + 1, end, depth ? depth - 1 : 0, false, nest);
		while (w->n && w->out[w->n - 1] == ' ')
			w->n--;
	}
	put(w, ">", 1);
}

/* "{lambda(int)#1}" */
static void emit_braces(struct shorter *w, u32 at)
{
	for (u32 i = at; i <= w->match[at] && step(w); i++)
		if (w->s[i] == '(' && opens(w, i))
			i = w->match[i];
		else
			put(w, w->s + i, 1);
}

/* Returns where to go on. */
static u32 emit_parens(struct shorter *w, u32 at, unsigned int depth, bool top, u32 nest)
{
	u32 end = w->match[at];
	bool is_template = at && w->s[at - 1] == '!'; /* of D */
	bool is_receiver = at && w->s[at - 1] == '.'; /* of Go */

	if (is_template && !depth && end - at > 4) {
		put(w, "(...)", 5);
	} else if (top && !is_template && !is_receiver && !w->level->params) {
		end = skip_qualifiers(w, end + 1) - 1; /* of a function that the named one is in */
	} else {
		put(w, "(", 1);
		emit(w, at + 1, end, depth - (is_template && depth), false, nest);
		put(w, ")", 1);
	}
	return end + 1;
}

static u32 emit_bracket(struct shorter *w, u32 at, unsigned int depth, bool top, u32 nest)
{
	u32 end = w->match[at];

	switch (w->s[at]) {
	case '<':
		emit_arguments(w, at, depth, nest);
		break;
	case '(':
		return emit_parens(w, at, depth, top, nest);
	case '{':
		emit_braces(w, at);
		break;
	default:
		if (begins(w, at, "[abi:"))
			break;
		put(w, "[", 1);
		emit(w, at + 1, end, depth, false, nest);
		put(w, "]", 1);
	}
	return end + 1;
}

/* What has a rule of its own. Returns where to go on; @at: it has none. */
static u32 emit_known(struct shorter *w, u32 at)
{
	u32 len;

	if (w->s[at] == ',') {
		len = ONE_OF(w, at, default_arguments);
		return len && opens(w, at + len - 1) ? w->match[at + len - 1] + 1 : at;
	}
	if (!begins_word(w, at))
		return at;
	len = ONE_OF(w, at, inline_namespaces);
	if (len)
		return at + len;
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++)
		if (begins(w, at, aliases[i].full)) {
			put(w, aliases[i].brief, strlen(aliases[i].brief));
			return at + strlen(aliases[i].full);
		}
	return at;
}

/* @top: it is the name itself, not an argument */
static void emit(struct shorter *w, u32 from, u32 to, unsigned int depth, bool top, u32 nest)
{
	w->failed |= nest > NEST_MAX;
	for (u32 i = from; i < to && step(w);) {
		u32 next = emit_known(w, i);

		if (next == i && opens(w, i))
			next = emit_bracket(w, i, depth, top, nest + 1);
		else if (next == i)
			put(w, w->s + next++, 1);
		i = next;
	}
}

/* The parts of a name: [kind] [return type] name [(parameters) [qualifiers] [suffix]] */
struct parts {
	u32 kind_end, name, name_end; /* .name_end: where the parameters begin, if there are any */
	u32 suffix;                   /* behind them; .len: there is none */
	bool params;
};

/* May the brackets be the parameters of the function that is named? */
static bool are_params(const struct shorter *w, u32 at, u32 *suffix)
{
	char before = at ? w->s[at - 1] : 0;

	if (w->s[at] != '(' || !at || strchr(" !.:", before))
		return false;
	*suffix = skip_qualifiers(w, w->match[at] + 1);
	/* " (a.c)" tells it from another one: see short-names.h. */
	if (begins(w, *suffix, " (") && w->match[*suffix + 1] + 1 == w->len)
		return true;
	return *suffix == w->len || begins(w, *suffix, " [clone ") || w->s[*suffix] == '.' ||
	       w->s[*suffix] == '@';
}

/* Returns where a part of the name goes on behind a blank; @at: what was in front is no name. */
static u32 behind_blank(const struct shorter *w, u32 at)
{
	u32 end = skip_qualifiers(w, at);

	return end > at && begins(w, end, "::") ? end : at;
}

/* Returns false: it is a sentence of another language. */
static bool find_parts(struct shorter *w, struct parts *p)
{
	bool in_operator = false, fine = true;

	*p = (struct parts){ .name_end = w->len, .suffix = w->len };
	p->kind_end = ONE_OF(w, 0, kinds);
	p->name = p->kind_end;
	for (u32 i = p->name; i < w->len && !p->params && step(w);) {
		in_operator |= is_operator(w, i);
		fine &= in_operator || !strchr("#,=?\"", w->s[i]);
		if (opens(w, i)) {
			p->params = are_params(w, i, &p->suffix);
			p->name_end = p->params ? i : w->len;
			i = w->match[i] + 1;
		} else if (w->s[i] == ' ' && !in_operator && behind_blank(w, i) == i) {
			p->name = ++i;
		} else {
			i = max_of(i + 1, w->s[i] == ' ' ? behind_blank(w, i) : 0);
		}
	}
	if (!p->params) { /* and so nothing that it returns */
		p->name = p->kind_end;
		p->suffix = w->len;
	}
	return fine;
}

/* "::h0123456789abcdef" of Rust */
static u32 without_hash(const struct shorter *w, u32 end)
{
	const char *hash = w->s + end - 19;

	if (end < 20 || memcmp(hash, "::h", 3))
		return end;
	for (u32 i = 3; i < 19; i++)
		if (!isdigit((unsigned char)hash[i]) && !(hash[i] >= 'a' && hash[i] <= 'f'))
			return end;
	return end - 19;
}

/* Behind the folders of a package of Go. */
static u32 without_folders(const struct shorter *w, u32 from, u32 to)
{
	u32 start = from, end;

	for (end = from; end < to && (isalnum((unsigned char)w->s[end]) ||
				      strchr("._-~%/", w->s[end])); end++)
		if (w->s[end] == '/')
			start = end + 1;
	/* "a/b.f", not "/usr/lib/x.py", "Ljava/lang/String;", "lists:map/2" or "operator/". */
	return w->s[from] != '/' && memchr(w->s + start, '.', end - start) ? start : from;
}

static bool shorten(struct shorter *w)
{
	struct parts p;
	u32 from, to;

	if (!match_brackets(w) || !find_parts(w, &p))
		return false;
	from = p.name;
	to = p.name_end;
	if (!w->level->traits) {
		to = p.params ? to : without_hash(w, to);
		from = without_folders(w, from, to);
	}
	/* A function that returns a pointer to a function is in brackets itself. */
	if (from >= to || (w->s[from] == '(' && p.params && !begins(w, from, "(anonymous")))
		return false;
	put(w, w->s, p.kind_end);
	emit(w, from, to, w->level->depth, true, 0);
	if (p.params && w->level->params)
		emit(w, p.name_end, p.suffix, w->level->depth, false, 0);
	while (w->n && w->out[w->n - 1] == ' ') /* "spin (0x1139)", of several */
		w->n--;
	put(w, w->s + p.suffix, w->len - p.suffix);
	return !w->failed && w->n;
}

static char *shorten_to(const char *name, u32 len, const struct level *level)
{
	struct shorter w = {
		.s = name, .len = len, .steps = (len + 1) * STEPS_PER_BYTE, .level = level,
	};
	bool done;

	w.match = xcalloc(len + 1, sizeof(*w.match));
	w.out = xmalloc(len + 1);
	done = shorten(&w);
	free(w.match);
	w.out[w.n] = '\0';
	if (done && strcmp(w.out, name))
		return w.out;
	free(w.out);
	return NULL;
}

char *name__shorten(const char *name, unsigned int level)
{
	size_t len = strnlen(name, NAME_MAX_BYTES);
	char *text;

	if (len == NAME_MAX_BYTES || !name[strcspn(name, "<(:/[{!")])
		return NULL;
	if (!level) {
		text = shorten_to(name, len, &levels[1]);
		if ((text ? strlen(text) : len) <= FITS)
			return text;
		free(text);
	}
	return shorten_to(name, len, &levels[level]);
}

const char *name__fit(const char *name, size_t columns)
{
	size_t len = strlen(name), fits = 0;
	int depth = 0;

	for (size_t i = 0; i < len && len - fits > columns; i++) {
		if (closing(name[i]))
			depth++;
		else if (strchr(">)]}", name[i]) && depth)
			depth--;
		else if (!depth && name[i] == ':' && name[i + 1] == ':')
			fits = i + 2;
		else if (!fits && name[i] == '+' && name[i + 1] == '0' && name[i + 2] == 'x')
			fits = i; /* without a name: where it begins in its file */
	}
	return name + fits;
}
