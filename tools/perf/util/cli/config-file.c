// SPDX-License-Identifier: GPL-2.0-only
#include "config-file.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../io/replace-file.h"
#include "../io/secure-env.h"
#include "perf-exec-dir.h" /* generated */

char *config_file__name(bool system, struct error *err)
{
	const char *only = secure_env__get("PERF_CONFIG"), *home = secure_env__home();

	if (only && *only)
		return xstrdup(only);
	if (system)
		return xstrdup(PERF_CONFIG_DIR "/perfconfig");
	if (home && *home == '/')
		return xasprintf("%s/.perfconfig", home);
	error__set(err, -ENOENT, "HOME is not set, so the settings file is unknown");
	return NULL;
}

static bool is_word(const char *s, size_t len, const char *also)
{
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && !strchr(also, s[i]))
			return false;
	return len > 0;
}

/* "section.name" or "section.Any text.name". */
static bool is_name(const char *name)
{
	const char *first = strchr(name, '.'), *last = strrchr(name, '.');

	return first && is_word(name, first - name, "-_") &&
	       is_word(last + 1, strlen(last + 1), "-_") && !strpbrk(name, "\"\\\n\r") &&
	       (first == last || last - first > 1);
}

static bool is_value(const char *value)
{
	for (const char *s = value; *s; s++)
		if ((unsigned char)*s < ' ' && *s != '\t')
			return false;
	return true;
}

/* In quotes, if the value could be read otherwise. */
static char *quote(const char *value)
{
	size_t len = strlen(value), n = 0;
	bool plain = len && !strpbrk(value, "#;\"\\\t") && *value != ' ' && value[len - 1] != ' ';
	char *out;

	if (plain)
		return xstrdup(value);
	out = xmalloc(2 * len + 3);
	out[n++] = '"';
	for (; *value; value++) {
		if (strchr("\"\\\t", *value))
			out[n++] = '\\';
		out[n++] = *value == '\t' ? 't' : *value;
	}
	out[n++] = '"';
	out[n] = '\0';
	return out;
}

/* Returns where line number @line begins, from 1. */
static const char *find_line(const char *text, u32 line)
{
	for (; line > 1 && *text; line--) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return text;
}

/* Returns what is behind the line, and behind those that continue it by a backslash. */
static const char *end_of_line(const char *s)
{
	for (;;) {
		const char *end = s + strcspn(s, "\n");

		if (!*end)
			return end;
		if (end == s || end[-1] != '\\')
			return end + 1;
		s = end + 1;
	}
}

static bool in_section(const char *entry, const char *name, size_t section)
{
	return !strncasecmp(entry, name, section) && entry[section] == '.' &&
	       !strchr(entry + section + 1, '.');
}

/* A setting may stand behind its section, on the same line: that is left as it is. */
static bool stands_alone(const char *line)
{
	return line[strspn(line, " \t")] != '[';
}

static char *new_section(const char *name, size_t section)
{
	const char *dot = memchr(name, '.', section);

	if (!dot)
		return xasprintf("[%.*s]\n", (int)section, name);
	return xasprintf("[%.*s \"%.*s\"]\n", (int)(dot - name), name,
			 (int)(name + section - dot - 1), dot + 1);
}

/*
 * Returns the entry that is to be replaced; or else the last one of the section, with @name's own
 * absent; NULL: there is none.
 */
static const struct config_entry *find_place(const struct config *c, const char *text,
					     const char *name, size_t section)
{
	const struct config_entry *last = NULL;

	for (size_t i = c->entries.nr; i--;) {
		const struct config_entry *e = &c->entries.v[i];

		if (!in_section(e->name, name, section) ||
		    !stands_alone(find_line(text, e->line)))
			continue;
		if (!strcasecmp(e->name + section, name + section))
			return e;
		last = last ?: e;
	}
	return last;
}

/* Puts the line where it belongs. */
static char *put_line(const char *text, const struct config *c, const char *name,
		      const char *line)
{
	size_t section = strrchr(name, '.') - name, len = strlen(text);
	const struct config_entry *e = find_place(c, text, name, section);
	const char *at, *end;
	char *head, *out;

	if (e) {
		at = find_line(text, e->line);
		end = end_of_line(at);
		if (strcasecmp(e->name + section, name + section))
			at = end;
		return xasprintf("%.*s%s%s%s", (int)(at - text), text,
				 at > text && at[-1] != '\n' ? "\n" : "", line, end);
	}
	head = new_section(name, section);
	out = xasprintf("%s%s%s%s", text, len && text[len - 1] != '\n' ? "\n" : "", head, line);
	free(head);
	return out;
}

static char *text_with(const char *text, const char *name, const char *value, struct error *err)
{
	struct config c = {};
	char *quoted, *line, *out;
	u32 bad;

	if (!is_name(name)) {
		error__set(err, -EINVAL, "'%s' is not the name of a setting: write SECTION.NAME",
			   name);
		return NULL;
	}
	if (!is_value(value)) {
		error__set(err, -EINVAL, "the value of %s has control characters", name);
		return NULL;
	}
	bad = config__parse(&c, "", text);
	if (bad) {
		error__set(err, -EINVAL, "line %u is neither '[section]' nor 'name = value'", bad);
		config__free(&c);
		return NULL;
	}
	quoted = quote(value);
	line = xasprintf("\t%s = %s\n", strrchr(name, '.') + 1, quoted);
	out = put_line(text, &c, name, line);
	config__free(&c);
	free(quoted);
	free(line);
	return out;
}

static int write_text(const char *path, const char *text, struct error *err)
{
	struct replace_file f = {};
	size_t len = strlen(text);
	int ret = replace_file__open(&f, path, err), fd;
	u64 size;

	if (!ret) {
		fd = replace_file__fd(&f, err);
		ret = min_of(fd, 0);
		if (!ret && write(fd, text, len) != (ssize_t)len)
			ret = error__set(err, -errno ?: -EIO, "cannot write %s: %s", path,
					 strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	if (!ret)
		ret = replace_file__commit(&f, &size, err);
	replace_file__abort(&f);
	return ret;
}

int config_file__set(const char *path, const char *name, const char *value, struct error *err)
{
	char *text = NULL, *changed;
	int ret = config__read_file(path, &text, err);

	if (ret)
		return ret;
	changed = text_with(text ?: "", name, value, err);
	if (changed)
		ret = write_text(path, changed, err);
	else
		ret = err->code;
	free(changed);
	free(text);
	return ret;
}
