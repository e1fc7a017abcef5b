// SPDX-License-Identifier: GPL-2.0-only
#include "dialogs.h"

#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

#include "../base/vec.h"
#include "screen.h"

#define SIDEWAYS 8 /* columns that a key moves a text by */

typedef VEC(const char *) line_vec;

/* Cuts @text at its newlines. */
static void cut_lines(char *text, line_vec *lines)
{
	for (char *end; *text; text = end + 1) {
		*vec__push(lines) = text;
		end = strchr(text, '\n');
		if (!end)
			break;
		*end = '\0';
	}
}

struct scroll {
	size_t top;
	unsigned int left;
};

/* Returns: whether the key ends the text. */
static bool scroll__key(struct scroll *s, unsigned int key, size_t nr, size_t page)
{
	size_t last = nr > page ? nr - page : 0;

	switch (key) {
	case SCREEN_UP:
		s->top -= s->top > 0;
		break;
	case SCREEN_DOWN:
		s->top++;
		break;
	case SCREEN_PAGE_UP:
		s->top -= min_of(s->top, page);
		break;
	case SCREEN_PAGE_DOWN:
	case ' ':
		s->top += page;
		break;
	case SCREEN_HOME:
		s->top = 0;
		break;
	case SCREEN_END:
		s->top = last;
		break;
	case SCREEN_LEFT:
		s->left -= min_of(s->left, (unsigned int)SIDEWAYS);
		break;
	case SCREEN_RIGHT:
		s->left += s->left < USHRT_MAX ? SIDEWAYS : 0;
		break;
	case SCREEN_REDRAW:
		screen__redraw();
		break;
	case SCREEN_RESIZED:
	case SCREEN_NO_KEY:
		break;
	default:
		return true;
	}
	s->top = min_of(s->top, last);
	return false;
}

void dialog__text(const char *title, const char *text)
{
	char *copy = xstrdup(text);
	struct scroll s = {};
	line_vec lines = {};
	unsigned int rows, cols;
	size_t page;

	cut_lines(copy, &lines);
	do {
		screen__size(&rows, &cols);
		page = rows > 2 ? rows - 2 : 1;
		screen__put(0, 0, SCREEN_TITLE, title, 0);
		screen__blank(1);
		for (size_t i = 0; i < page && s.top + i < lines.nr; i++)
			screen__put(1 + i, 0, SCREEN_NORMAL, lines.v[s.top + i], s.left);
		screen__put(rows - 1, 0, SCREEN_TITLE, "arrow keys: scroll, q: back", 0);
		screen__show();
	} while (!scroll__key(&s, screen__key(-1), lines.nr, page));
	vec__free(&lines);
	free(copy);
}

/* Removes the last character. */
static void erase_last(char *s)
{
	size_t len = strlen(s);

	while (len && (s[len - 1] & 0xc0) == 0x80)
		len--;
	s[len ? len - 1 : 0] = '\0';
}

static void type(char *s, size_t size, unsigned int key)
{
	char bytes[MB_LEN_MAX + 1] = {};
	mbstate_t state = {};
	size_t n = wcrtomb(bytes, key, &state), len = strlen(s);

	if (key >= ' ' && n != (size_t)-1 && len + n < size)
		memcpy(s + len, bytes, n + 1);
}

bool dialog__ask(const char *label, char *answer, size_t size)
{
	unsigned int rows, cols, key;
	struct textbuf line;

	textbuf__init(&line, -1);
	do {
		screen__size(&rows, &cols);
		line.len = 0;
		textbuf__printf(&line, "%s: %s", label, answer);
		screen__put(rows - 1, 0, SCREEN_TITLE, textbuf__str(&line), 0);
		screen__cursor(rows - 1, min_of(line.len, (size_t)cols - 1));
		screen__show();
		key = screen__key(-1);
		if (key == SCREEN_BACKSPACE)
			erase_last(answer);
		else if (key == ('U' & 31))
			*answer = '\0';
		else if (key < SCREEN_NO_KEY)
			type(answer, size, key);
	} while (key != SCREEN_ENTER && key != SCREEN_ESCAPE && key != SCREEN_GONE);
	screen__cursor(0, -1);
	textbuf__free(&line);
	return key == SCREEN_ENTER;
}

size_t dialog__choose(const char *title, const char *const *items, size_t nr)
{
	unsigned int rows, cols, key;
	size_t at = 0, top = 0, page;

	do {
		screen__size(&rows, &cols);
		page = rows > 1 ? rows - 1 : 1;
		top = at < top ? at : at >= top + page ? at - page + 1 : top;
		screen__put(0, 0, SCREEN_TITLE, title, 0);
		screen__blank(rows > 1);
		for (size_t i = 0; i < page && top + i < nr; i++)
			screen__put(i + (rows > 1), 0, top + i == at ? SCREEN_SELECTED :
				    SCREEN_NORMAL, items[top + i], 0);
		screen__show();
		key = screen__key(-1);
		if (key == SCREEN_DOWN && at + 1 < nr)
			at++;
		else if (key == SCREEN_UP && at)
			at--;
		else if (key == SCREEN_ENTER || key == SCREEN_RIGHT)
			return at;
	} while (key != 'q' && key != SCREEN_ESCAPE && key != SCREEN_LEFT && key != SCREEN_GONE);
	return nr;
}
