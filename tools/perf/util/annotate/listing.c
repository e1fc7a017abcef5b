// SPDX-License-Identifier: GPL-2.0-only
#include "listing.h"

#include <ctype.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../io/regular-file.h"

#define CONTEXT 5 /* lines in front of the first one of a function, as objdump -S shows them */
#define TAB 8
#define TEXT_MAX 4096
#define JIT_TEXT 0x100 /* where the file of JIT code has it: JIT_ELF_TEXT */

/* What has been shown of a source file. */
struct shown {
	const char *path; /* interned */
	u32 last;         /* line */
};

/* A line that has the name of a function. */
struct named_line {
	size_t line;
	const struct symbol *sym;
};

struct maker {
	struct listing *l;
	struct symbols *symbols;
	struct sources *sources;
	const struct listing_opts *opts;
	u64 shift;        /* address in the table - address in the file */
	u32 number;       /* of the next line */
	bool own_labels;  /* names are not the disassembler's */
	struct short_names names;
	VEC(struct named_line) named;
	VEC(struct shown) shown;
	const char *path; /* of the last instruction: interned, or NULL */
	u32 line;
};

void listing__free(struct listing *l)
{
	vec__free(&l->lines);
	arena__free(l->arena);
	*l = (struct listing){};
}

/* The text of @len characters, without blanks around it, tabs as blanks up to the next of TAB. */
static const char *plain_text(struct arena *arena, const char *s, size_t len)
{
	char buf[TEXT_MAX];
	size_t n = 0;

	while (len && isspace((unsigned char)*s))
		s++, len--;
	while (len && isspace((unsigned char)s[len - 1]))
		len--;
	for (size_t i = 0; i < len && n < sizeof(buf) - TAB; i++) {
		size_t end = s[i] == '\t' ? n + TAB - n % TAB : n + 1;

		while (n < end)
			buf[n++] = s[i] == '\t' ? ' ' : s[i];
	}
	return arena__intern_n(arena, buf, n);
}

static struct listing_line *add_line(struct maker *m, const char *s, size_t len)
{
	struct listing_line *line = vec__push(&m->l->lines);

	*line = (struct listing_line){
		.number = m->number++, .text = plain_text(m->l->arena, s, len),
	};
	return line;
}

static struct shown *shown_of(struct maker *m, const char *path)
{
	for (size_t i = 0; i < m->shown.nr; i++)
		if (m->shown.v[i].path == path)
			return &m->shown.v[i];
	*vec__push(&m->shown) = (struct shown){ .path = path };
	return &m->shown.v[m->shown.nr - 1];
}

/* Shows the source line of an address, with what leads to it and was not shown yet. */
static void add_source(struct maker *m, u64 addr)
{
	struct source_line at;
	struct shown *shown;
	const char *text;
	u32 line, first;
	size_t len;

	if (!symbols__line(m->symbols, m->l->dso, addr, 0, &at) || !at.line)
		return;
	line = at.line;
	shown = shown_of(m, arena__intern(m->l->arena, at.file));
	if (shown->path == m->path && line == m->line)
		return;
	m->path = shown->path;
	m->line = line;
	first = line > CONTEXT ? line - CONTEXT : 1;
	if (shown->last >= first)
		first = shown->last < line ? shown->last + 1 : line;
	shown->last = max_of(shown->last, line);
	for (; first <= line; first++) {
		text = sources__line(m->sources, at.file, first, &len);
		if (text) {
			struct listing_line *added = add_line(m, text, len);

			added->is_source = true;
			added->source_line = first;
		}
	}
}

/* "je     11e0 <work+0x50>": the address in front of "<", if that is all that the operand is. */
static void find_target(struct maker *m, struct listing_line *line)
{
	const char *name = strstr(line->text, " <"), *digits = name;
	const struct symbol *sym = m->l->sym;

	while (digits && digits > line->text && isxdigit((unsigned char)digits[-1]))
		digits--;
	/* "# 4010 <x>" is data, relative to the instruction. */
	if (!digits || digits == name || digits - line->text < 2 || digits[-1] != ' ' ||
	    memchr(line->text, '#', digits - line->text))
		return;
	line->target = strtoull(digits, NULL, 16) + m->shift;
	line->jump = line->target > sym->start && line->target < sym->end ? JUMP_INSIDE :
									    JUMP_OUTSIDE;
	if (!strncmp(line->text, "call", 4) || !strncmp(line->text, "bl ", 3))
		line->jump = JUMP_OUTSIDE;
}

/* Remembers that the last line has the name of the function at @addr. */
static void has_name(struct maker *m, u64 addr)
{
	const struct symbol *sym = symbols__find(m->symbols, m->l->dso, addr);

	if (!sym)
		return;
	*vec__push(&m->named) = (struct named_line){ m->l->lines.nr - 1, sym };
	short_names__add(&m->names, sym, sym->name, m->l->dso, sym);
}

/* "... <name+0x12>", or "... <name>:" of the one that begins there. */
static void rename_line(struct maker *m, struct listing_line *line, const struct symbol *sym)
{
	const char *end = strstr(line->text, " <"), *name;
	u64 offset = line->jump ? line->target - sym->start : 0;
	char plus[24] = "", *text;

	if (!end)
		return;
	if (offset)
		snprintf(plus, sizeof(plus), "+0x%" PRIx64, offset);
	name = short_names__of(&m->names, sym, sym->name);
	text = xasprintf("%.*s <%s%s>%s", (int)(end - line->text), line->text, name, plus,
			 line->is_code ? "" : ":");
	line->text = arena__intern(m->l->arena, text);
	free(text);
}

/* By our own symbols: the file may have only those for other programs. */
static void rename_all(struct maker *m)
{
	const struct symbol *sym = m->l->sym;

	short_names__add(&m->names, sym, sym->name, m->l->dso, sym);
	short_names__make(&m->names);
	for (size_t i = 0; i < m->named.nr; i++)
		rename_line(m, &m->l->lines.v[m->named.v[i].line], m->named.v[i].sym);
	m->l->name = arena__intern(m->l->arena, short_names__of(&m->names, sym, sym->name));
}

static void add_code(struct maker *m, u64 addr, const char *label, size_t label_len,
		     const char *text, size_t len)
{
	struct listing_line *line;

	if (!m->opts->no_source)
		add_source(m, addr);
	line = add_line(m, text, len);
	line->is_code = true;
	line->addr = addr;
	line->label = arena__intern_n(m->l->arena, label, label_len);
	m->l->label_width = max_of(m->l->label_width, (u32)label_len);
	find_target(m, line);
	if (m->own_labels && line->jump)
		has_name(m, line->target);
}

/* "0000000000001190 <x>:" */
static void add_heading(struct maker *m, const char *s, size_t len)
{
	bool is_label = len > 2 && s[len - 1] == ':' && memmem(s, len, " <", 2);

	add_line(m, s, len);
	if (is_label && m->own_labels)
		has_name(m, strtoull(s, NULL, 16) + m->shift);
}

/* One line of the disassembler: "  1190:\ttest   %edi,%edi", or a heading. */
static void take_line(struct maker *m, const char *s, size_t len)
{
	const char *end = s + len, *label = s + strspn(s, " "), *colon = label;

	while (colon < end && isxdigit((unsigned char)*colon))
		colon++;
	if (colon > label && colon + 1 < end && colon[0] == ':' && colon[1] == '\t')
		add_code(m, strtoull(label, NULL, 16) + m->shift, label, colon - label, colon + 2,
			 end - colon - 2);
	else
		add_heading(m, s, len);
}

static void take_text(struct maker *m, char *text)
{
	bool named = false; /* the line that has the file's name was passed */

	for (char *end; *text; text = end + 1) {
		end = strchrnul(text, '\n');
		if (!named && memmem(text, end - text, "file format", 11))
			named = true;
		else
			take_line(m, text, end - text);
		if (!*end)
			break;
	}
}

static int no_code(const struct dso *dso, struct error *err)
{
	switch (dso->kind) {
	case DSO_KERNEL:
	case DSO_MODULE:
		error__set(err, -ENOENT, "the code of %s is not here", dso->name);
		error__hint(err, "Hint: name an uncompressed kernel of the same build with "
			    "--vmlinux");
		break;
	case DSO_BPF:
		error__set(err, -ENOENT, "the code of BPF programs is not in a file");
		break;
	default:
		error__set(err, -ENOENT, "the code of %s is not in a file", dso->name);
		error__hint(err, "Hint: compilers that write jitdump files leave their code there, "
			    "see perf inject -j");
	}
	return -ENOENT;
}

/* Opens the file with the code. Returns a descriptor; -errno with words. @keep: not to close. */
static int open_code(const struct maker *m, bool *keep, struct error *err)
{
	struct binaries *b = symbols__binaries(m->symbols);
	const struct dso *dso = m->l->dso;
	int fd;

	*keep = false;
	if (dso->kind == DSO_KERNEL && m->opts->vmlinux) {
		fd = regular_file__open(m->opts->vmlinux);
		return fd >= 0 ? fd : error__set(err, fd, "%s: %s", m->opts->vmlinux,
						 strerror(-fd));
	}
	if (dso__is_kernel(dso) || dso->kind == DSO_BPF || dso->kind == DSO_ANON ||
	    (dso->kind == DSO_USER && binaries__is_jit(b, dso)))
		return no_code(dso, err);
	fd = binaries__fd(b, dso);
	*keep = true;
	if (fd < 0) {
		error__set(err, fd, "%s: %s", dso->name, fd == -ESTALE ?
			   "it was replaced by another build" : strerror(-fd));
		error__hint(err, "Hint: perf data bundle, or perf buildid-cache, keeps binaries "
			    "with a recording");
	}
	return fd;
}

static bool lacks_names(int fd)
{
	struct elf_image img = {};
	GElf_Shdr shdr;
	bool lacks = !elf_image__open_sparse(&img, fd) &&
		     !elf_image__section(&img, ".symtab", 0, &shdr);

	elf_image__close(&img);
	return lacks;
}

int listing__make(struct listing *l, struct symbols *symbols, struct sources *sources,
		  const struct dso *dso, const struct symbol *sym,
		  const struct listing_opts *opts, struct error *err)
{
	struct maker m = {
		.l = l, .symbols = symbols, .sources = sources, .opts = opts,
		.names = { .full = opts->names != NAMES_SHORT, .symbols = symbols },
	};
	char *text = NULL;
	bool keep;
	int fd, ret;

	*l = (struct listing){ .dso = dso, .sym = sym, .arena = arena__new() };
	fd = open_code(&m, &keep, err);
	if (fd < 0)
		return fd;
	if (dso->kind == DSO_JIT)
		m.shift = dso->start - JIT_TEXT;
	m.own_labels = opts->names != NAMES_PLAIN || lacks_names(fd);
	ret = objdump__run(&opts->objdump, fd, sym->start - m.shift, sym->end - m.shift, &text,
			   err);
	if (!ret)
		take_text(&m, text);
	rename_all(&m);
	free(text);
	vec__free(&m.shown);
	vec__free(&m.named);
	short_names__free(&m.names);
	if (!keep)
		close(fd);
	if (!ret && listing__at(l, UINT64_MAX) == l->lines.nr)
		ret = error__set(err, -ENODATA, "%s has no code for %s", dso->name, l->name);
	return ret;
}

size_t listing__at(const struct listing *l, u64 addr)
{
	size_t at = l->lines.nr;

	for (size_t i = 0; i < l->lines.nr; i++)
		if (l->lines.v[i].is_code && l->lines.v[i].addr <= addr)
			at = i;
	return at;
}
