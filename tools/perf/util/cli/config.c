// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/mem.h"
#include "../io/regular-file.h"
#include "../io/secure-env.h"
#include "config.h"
#include "perf-exec-dir.h" /* generated */

#define FILE_MAX (1 << 20) /* bytes */
#define NAME_LENGTH 256

/* What is left of the text that is parsed. Every line ends in '\n', the text in '\0'. */
struct config_text {
	const char *p;
	u32 line;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct config_text *c)
{
	while (is_blank(*c->p))
		c->p++;
}

static void skip_comment(struct config_text *c)
{
	if (*c->p == '#' || *c->p == ';')
		c->p += strcspn(c->p, "\n");
}

/* Whether only blanks or a comment follow up to the end of the line. */
static bool at_end(struct config_text *c)
{
	skip_blanks(c);
	skip_comment(c);
	return *c->p == '\n' || !*c->p;
}

/* Reads letters, digits and @also, in lower case. False when there are none, or too many. */
static bool take_word(struct config_text *c, const char *also, char *buf)
{
	size_t n = 0;

	while ((isalnum((unsigned char)*c->p) || (*c->p && strchr(also, *c->p))) &&
	       n < NAME_LENGTH - 1)
		buf[n++] = (char)tolower((unsigned char)*c->p++);
	buf[n] = '\0';
	return n > 0 && n < NAME_LENGTH - 1;
}

/* [section] or [section "Sub section"] */
static bool take_section(struct config_text *c, char *section)
{
	size_t n;

	c->p++;
	skip_blanks(c);
	if (!take_word(c, "-._", section))
		return false;
	skip_blanks(c);
	if (*c->p == '"') {
		n = strlen(section);
		section[n++] = '.';
		for (c->p++; *c->p && *c->p != '"' && *c->p != '\n'; c->p++) {
			if (*c->p == '\\' && c->p[1] && c->p[1] != '\n')
				c->p++;
			if (n == 2 * NAME_LENGTH - 1)
				return false;
			section[n++] = *c->p;
		}
		section[n] = '\0';
		if (*c->p++ != '"')
			return false;
		skip_blanks(c);
	}
	return *c->p++ == ']';
}

/* The character that a backslash and @c stand for; 0: none. */
static char unescape(char c)
{
	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'b':
		return '\b';
	case '"':
	case '\\':
		return c;
	default:
		return 0;
	}
}

/* Bytes up to the end of the line, or of the last line that is continued by a backslash. */
static size_t rest_of_line(const char *p)
{
	const char *end = p + strcspn(p, "\n");

	while (*end && ((end > p && end[-1] == '\\') ||
			(end > p + 1 && end[-1] == '\r' && end[-2] == '\\')))
		end += 1 + strcspn(end + 1, "\n");
	return end - p;
}

/* Reads a value up to the end of the line, which a backslash continues. NULL: not understood. */
static char *take_value(struct config_text *c)
{
	char *buf = xmalloc(rest_of_line(c->p) + 1);
	size_t n = 0, keep = 0; /* keep: without the blanks at the end */
	bool quoted = false;

	skip_blanks(c);
	for (; *c->p && *c->p != '\n'; c->p++) {
		char ch = *c->p;

		if (ch == '"') {
			quoted = !quoted;
			keep = n;
		} else if (ch == '\\' && (c->p[1] == '\n' || !strncmp(c->p + 1, "\r\n", 2))) {
			c->p += c->p[1] == '\n' ? 1 : 2;
			c->line++;
		} else if (ch == '\\') {
			buf[n] = unescape(*++c->p);
			if (!buf[n])
				goto wrong;
			keep = ++n;
		} else if (!quoted && (ch == '#' || ch == ';')) {
			skip_comment(c);
			break;
		} else {
			buf[n++] = ch;
			keep = quoted || !is_blank(ch) ? n : keep;
		}
	}
	buf[keep] = '\0';
	if (!quoted)
		return buf;
wrong:
	free(buf);
	return NULL;
}

static bool take_entry(struct config *conf, struct config_text *c, const char *file,
		       const char *section)
{
	char name[NAME_LENGTH], *value = NULL;
	u32 line = c->line;

	if (!*section || !take_word(c, "-_", name))
		return false;
	skip_blanks(c);
	if (*c->p == '=') {
		c->p++;
		value = take_value(c);
		if (!value)
			return false;
	} else if (!at_end(c)) {
		return false;
	}
	*vec__push(&conf->entries) = (struct config_entry){
		.name = xasprintf("%s.%s", section, name), .value = value,
		.file = file, .line = line,
	};
	return true;
}

u32 config__parse(struct config *conf, const char *file, const char *text)
{
	char section[2 * NAME_LENGTH] = "";
	struct config_text c = { .p = text, .line = 1 };

	if (!strncmp(c.p, "\xef\xbb\xbf", 3)) /* the byte order mark that some editors write */
		c.p += 3;
	for (;;) {
		if (at_end(&c)) {
			if (!*c.p)
				return 0;
			c.p++;
			c.line++;
		} else if (*c.p == '[') {
			if (!take_section(&c, section))
				return c.line;
		} else if (!take_entry(conf, &c, file, section)) {
			return c.line;
		}
	}
}

static void drop_from(struct config *c, size_t nr)
{
	while (c->entries.nr > nr) {
		c->entries.nr--;
		free(c->entries.v[c->entries.nr].name);
		free(c->entries.v[c->entries.nr].value);
	}
}

int config__read_file(const char *path, char **text, struct error *err)
{
	struct stat st;
	ssize_t n;
	int fd = regular_file__open(path), ret = 0;

	*text = NULL;
	if (fd == -ENOENT || fd == -ENOTDIR)
		return 0;
	if (fd < 0)
		return error__set(err, fd, "cannot read %s: %s", path, strerror(-fd));
	if (!fstat(fd, &st) && st.st_uid && st.st_uid != geteuid()) {
		ret = error__set(err, -EPERM, "%s belongs to neither you nor root", path);
	} else if (st.st_size > FILE_MAX) {
		ret = error__set(err, -EFBIG, "%s is too large for a configuration file", path);
	} else {
		*text = xzalloc(FILE_MAX + 1);
		n = read(fd, *text, FILE_MAX);
		(*text)[max_of(n, (ssize_t)0)] = '\0';
	}
	close(fd);
	return ret;
}

void config__load_file(struct config *c, const char *path, void (*say)(const char *fmt, ...))
{
	size_t before = c->entries.nr;
	struct error err = {};
	char *text;
	u32 line;

	if (config__read_file(path, &text, &err))
		say("%s: it is ignored\n", err.text);
	if (!text)
		return;
	*vec__push(&c->files) = xstrdup(path);
	line = config__parse(c, c->files.v[c->files.nr - 1], text);
	if (line) {
		drop_from(c, before);
		say("%s:%u: neither '[section]' nor 'name = value': the file is ignored\n",
		    path, line);
	}
	free(text);
}

static void say_nothing(const char *fmt, ...)
{
}

static bool is_set(const char *name)
{
	const char *env = secure_env__get(name);

	return env && (!strcmp(env, "1") || !strcasecmp(env, "true") || !strcasecmp(env, "yes"));
}

void config__load(struct config *c, void (*say)(const char *fmt, ...))
{
	const char *only = secure_env__get("PERF_CONFIG"), *home = secure_env__home();
	char path[PATH_MAX];

	*c = (struct config){};
	say = say ?: say_nothing;
	if (only) {
		if (*only && strcmp(only, "/dev/null"))
			config__load_file(c, only, say);
		return;
	}
	if (!is_set("PERF_CONFIG_NOSYSTEM"))
		config__load_file(c, PERF_CONFIG_DIR "/perfconfig", say);
	if (home && *home == '/' && !is_set("PERF_CONFIG_NOGLOBAL")) {
		snprintf(path, sizeof(path), "%s/.perfconfig", home);
		config__load_file(c, path, say);
	}
}

void config__free(struct config *c)
{
	drop_from(c, 0);
	for (size_t i = 0; i < c->files.nr; i++)
		free(c->files.v[i]);
	for (size_t i = 0; i < c->options.nr; i++)
		free(c->options.v[i]);
	vec__free(&c->entries);
	vec__free(&c->files);
	vec__free(&c->options);
}

const struct config_entry *config__find(const struct config *c, const char *name)
{
	for (size_t i = c->entries.nr; i--;)
		if (!strcmp(c->entries.v[i].name, name))
			return &c->entries.v[i];
	return NULL;
}

int config_entry__truth(const struct config_entry *e)
{
	static const char *const words[][4] = {
		{ "false", "no", "off", "0" }, { "true", "yes", "on", "1" },
	};

	if (!e->value)
		return 1;
	for (int truth = 0; truth < 2; truth++)
		for (size_t i = 0; i < ARRAY_SIZE(words[truth]); i++)
			if (!strcasecmp(e->value, words[truth][i]))
				return truth;
	return *e->value ? -1 : 0;
}
