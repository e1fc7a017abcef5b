// SPDX-License-Identifier: GPL-2.0-only
#include "../base/text.h"
#include "../io/secure-env.h"
#include "screen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef HAVE_NCURSES_SUPPORT

#define NCURSES_NOMACROS
#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <sys/mman.h>
#include <wchar.h>
#include <wctype.h>

#include "../io/write-all.h"

#define ESCAPE_MS 25    /* a key that sends more than ESC has sent the rest within this time */
#define MESSAGES (1u << 20)

static void keep_messages(struct screen *s)
{
	int fd = memfd_create("messages", MFD_CLOEXEC);

	s->real_stderr = -1;
	if (fd < 0)
		return;
	s->real_stderr = dup(STDERR_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
}

static void print_messages(struct screen *s)
{
	char buf[4096];
	size_t done = 0;
	ssize_t n;
	int fd;

	if (s->real_stderr < 0)
		return;
	fd = dup(STDERR_FILENO);
	dup2(s->real_stderr, STDERR_FILENO);
	close(s->real_stderr);
	lseek(fd, 0, SEEK_SET);
	while (done < MESSAGES && (n = read(fd, buf, sizeof(buf))) > 0) {
		write_all(STDERR_FILENO, buf, n, NULL);
		done += n;
	}
	close(fd);
}

bool screen__is_there(void)
{
	const char *term = secure_env__harmless("TERM");

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb");
}

static void choose_colours(void)
{
	const char *no = secure_env__harmless("NO_COLOR");

	if ((no && *no) || !has_colors())
		return;
	start_color();
	use_default_colors();
	init_pair(SCREEN_HOT, COLOR_RED, -1);
	init_pair(SCREEN_WARM, COLOR_GREEN, -1);
	init_pair(SCREEN_FAINT, COLOR_CYAN, -1);
}

/* ncurses asks for the size first, and then begins to listen for changes of it. */
static void take_size(void)
{
	struct winsize w;

	if (!ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) && w.ws_row && w.ws_col &&
	    is_term_resized(w.ws_row, w.ws_col))
		resizeterm(w.ws_row, w.ws_col);
}

int screen__open(struct screen *s, struct error *err)
{
	SCREEN *screen;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return error__set(err, -ENOTTY, "standard input or output is not a terminal: use "
				  "--stdio");
	secure_env__forget_files();
	setlocale(LC_CTYPE, "");
	set_escdelay(ESCAPE_MS);
	screen = newterm(NULL, stdout, stdin);
	if (!screen) {
		error__set(err, -ENOTTY, "the terminal '%s' is unknown here",
			   secure_env__harmless("TERM") ?: "");
		error__hint(err, "Hint: set TERM, or use --stdio");
		return -ENOTTY;
	}
	keep_messages(s);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	curs_set(0);
	choose_colours();
	take_size();
	return 0;
}

void screen__close(struct screen *s)
{
	curs_set(1);
	endwin();
	print_messages(s);
}

void screen__size(unsigned int *rows, unsigned int *cols)
{
	*rows = getmaxy(stdscr) > 0 ? getmaxy(stdscr) : 1;
	*cols = getmaxx(stdscr) > 0 ? getmaxx(stdscr) : 1;
}

static attr_t attributes_of(enum screen_style style)
{
	switch (style) {
	case SCREEN_TITLE:
		return A_BOLD;
	case SCREEN_SELECTED:
		return A_REVERSE;
	case SCREEN_HOT:
	case SCREEN_WARM:
	case SCREEN_FAINT:
		return COLOR_PAIR(style);
	default:
		return A_NORMAL;
	}
}

/* Takes a character of the locale from @s; an unprintable one is '?'. Returns its bytes. */
static size_t take_character(const char *s, size_t len, mbstate_t *state, wchar_t *out)
{
	size_t n = mbrtowc(out, s, len, state);

	if (!n || n > len) {
		memset(state, 0, sizeof(*state));
		*out = L'?';
		return 1;
	}
	if (!iswprint(*out) || wcwidth(*out) < 0 || utf8__control(s, len))
		*out = L'?';
	return n;
}

void screen__put(unsigned int y, unsigned int x, enum screen_style style, const char *text,
		 unsigned int skip)
{
	size_t len = strlen(text), left = skip;
	unsigned int rows, cols;
	mbstate_t state = {};
	wchar_t c[2] = {};

	screen__size(&rows, &cols);
	if (y >= rows || x >= cols)
		return;
	attrset(attributes_of(style));
	move(y, x);
	clrtoeol();
	while (len && x < cols) {
		size_t n = take_character(text, len, &state, c), width = wcwidth(*c);

		text += n;
		len -= n;
		if (left) {
			left -= min_of(left, width);
			continue;
		}
		if (x + width > cols)
			break;
		addnwstr(c, 1);
		x += width;
	}
	if (style == SCREEN_SELECTED || style == SCREEN_TITLE)
		while (x++ < cols)
			addnwstr(L" ", 1);
	attrset(A_NORMAL);
}

void screen__colour(unsigned int y, unsigned int n, enum screen_style style)
{
	mvchgat(y, 0, n, A_NORMAL, style, NULL);
}

void screen__blank(unsigned int y)
{
	move(y, 0);
	clrtobot();
}

void screen__cursor(unsigned int y, int x)
{
	curs_set(x >= 0);
	if (x >= 0)
		move(y, x);
}

void screen__show(void)
{
	refresh();
}

void screen__redraw(void)
{
	clearok(stdscr, TRUE);
}

static unsigned int special_key(wint_t key)
{
	static const struct { wint_t from; unsigned int to; } keys[] = {
		{ KEY_UP, SCREEN_UP }, { KEY_DOWN, SCREEN_DOWN }, { KEY_LEFT, SCREEN_LEFT },
		{ KEY_RIGHT, SCREEN_RIGHT }, { KEY_PPAGE, SCREEN_PAGE_UP },
		{ KEY_NPAGE, SCREEN_PAGE_DOWN }, { KEY_HOME, SCREEN_HOME }, { KEY_END, SCREEN_END },
		{ KEY_ENTER, SCREEN_ENTER }, { KEY_BACKSPACE, SCREEN_BACKSPACE },
		{ KEY_BTAB, SCREEN_BACKTAB }, { KEY_F(1), SCREEN_HELP },
		{ KEY_RESIZE, SCREEN_RESIZED },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].from == key)
			return keys[i].to;
	return SCREEN_NO_KEY;
}

static unsigned int plain_key(wint_t key)
{
	switch (key) {
	case '\r':
	case '\n':
		return SCREEN_ENTER;
	case '\t':
		return SCREEN_TAB;
	case '\033':
		return SCREEN_ESCAPE;
	case '\b':
	case 127:
		return SCREEN_BACKSPACE;
	case 'L' & 31:
		return SCREEN_REDRAW;
	default:
		return key;
	}
}

unsigned int screen__key(int ms)
{
	wint_t key;
	int ret;

	timeout(ms);
	errno = 0;
	ret = get_wch(&key);
	/* What was drawn for the size of before may have reached the terminal behind its change. */
	if (ret == KEY_CODE_YES && key == KEY_RESIZE)
		screen__redraw();
	if (ret == KEY_CODE_YES)
		return special_key(key);
	if (ret == OK)
		return plain_key(key);
	/* Without a limit of time, only a signal or the end of the terminal end the wait. */
	return ms < 0 && errno != EINTR ? SCREEN_GONE : SCREEN_NO_KEY;
}

#else

bool screen__is_there(void)
{
	return false;
}

int screen__open(struct screen *s, struct error *err)
{
	error__set(err, -EOPNOTSUPP, "this perf was built without ncurses, which --tui needs");
	error__hint(err, "Hint: use --stdio, or build it where ncursesw can be found (on Debian: "
		    "apt install libncurses-dev)");
	return -EOPNOTSUPP;
}

void screen__close(struct screen *s)
{
}

void screen__size(unsigned int *rows, unsigned int *cols)
{
	*rows = *cols = 1;
}

void screen__put(unsigned int y, unsigned int x, enum screen_style style, const char *text,
		 unsigned int skip)
{
}

void screen__colour(unsigned int y, unsigned int n, enum screen_style style)
{
}

void screen__blank(unsigned int y)
{
}

void screen__cursor(unsigned int y, int x)
{
}

void screen__show(void)
{
}

void screen__redraw(void)
{
}

unsigned int screen__key(int ms)
{
	return SCREEN_GONE;
}

#endif
