/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal as a grid of characters, by ncurses: the only file that knows it.
 *
 * There is one terminal per process, as ncurses has it. Text may be anything: what is no character
 * of the locale, or no printable one, is shown as '?', and commands nothing. Messages that are
 * printed on stderr meanwhile appear when the screen is closed. ^C ends the program at any time, as
 * without a screen, and the terminal is as it was before.
 */
#ifndef PERF_BROWSER_SCREEN_H
#define PERF_BROWSER_SCREEN_H

#include "../base/error.h"

/* Keys that are no characters. */
enum screen_key {
	SCREEN_NO_KEY = 0x110000, /* none was pressed in time */
	SCREEN_GONE,              /* the terminal is closed */
	SCREEN_RESIZED,
	SCREEN_UP, SCREEN_DOWN, SCREEN_LEFT, SCREEN_RIGHT, SCREEN_PAGE_UP, SCREEN_PAGE_DOWN,
	SCREEN_HOME, SCREEN_END, SCREEN_ENTER, SCREEN_ESCAPE, SCREEN_BACKSPACE, SCREEN_TAB,
	SCREEN_BACKTAB, SCREEN_HELP,
	SCREEN_REDRAW, /* ^L */
};

enum screen_style {
	SCREEN_NORMAL,
	SCREEN_TITLE,    /* the line at the top, the one at the bottom */
	SCREEN_SELECTED, /* the row that the keys are about */
	SCREEN_HOT,      /* a large share */
	SCREEN_WARM,
	SCREEN_FAINT,
};

/*
 * Returns: whether standard input and output are a terminal that a screen can be opened on, and
 *         this perf was built with ncurses.
 */
bool screen__is_there(void);

/* The screen that is open. */
struct screen {
	int real_stderr; /* -1: stderr goes where it did */
};

/*
 * Takes the terminal.
 * @s: filled; for screen__close()
 * @err: filled
 * Returns: 0; -errno with words: no ncurses, an unknown terminal.
 */
int screen__open(struct screen *s, struct error *err);

/* Gives the terminal back as it was, and prints the messages that have been kept. */
void screen__close(struct screen *s);

/* @rows, @cols: filled with the present size of the screen, 1 at least */
void screen__size(unsigned int *rows, unsigned int *cols);

/*
 * Puts text on row @y from column @x on, and blanks behind it up to the end of the row.
 * @style: how
 * @text: what; NUL-terminated
 * @skip: columns at the beginning of the text that are left out
 */
void screen__put(unsigned int y, unsigned int x, enum screen_style style, const char *text,
		 unsigned int skip);

/* Gives the first @n columns of row @y another @style. */
void screen__colour(unsigned int y, unsigned int n, enum screen_style style);

/* Makes blank row @y and all below it. */
void screen__blank(unsigned int y);

/* Shows the cursor behind @x columns of row @y, in which something is typed; @x < 0: hides it. */
void screen__cursor(unsigned int y, int x);

/* Shows what was put. */
void screen__show(void);

/*
 * Waits for a key.
 * @ms: for so long at most; negative: for as long as it takes
 * Returns: a character (of Unicode) or an enum screen_key.
 */
unsigned int screen__key(int ms);

/* Shows everything anew, if something else has written on the terminal. */
void screen__redraw(void);

#endif
