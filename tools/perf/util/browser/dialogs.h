/* SPDX-License-Identifier: GPL-2.0-only */
/* What is put over the rows of a browser for a moment: a text, a question, a menu. */
#ifndef PERF_BROWSER_DIALOGS_H
#define PERF_BROWSER_DIALOGS_H

#include "../text/textbuf.h"

/*
 * Shows a text, through which the user can scroll, until a key ends it.
 * @title: a line above it
 * @text: lines; may be longer than the screen in both directions
 */
void dialog__text(const char *title, const char *text);

/*
 * Lets the user type a line at the bottom of the screen.
 * @label: what is asked for
 * @answer: what can be changed, at first; then the answer. NUL-terminated
 * @size: of @answer, in bytes
 * Returns: false: the user has changed his mind (ESC).
 */
bool dialog__ask(const char *label, char *answer, size_t size);

/*
 * Lets the user choose from a list.
 * @title: a line above it
 * @items, @nr: the lines
 * Returns: the number of the line; @nr: none.
 */
size_t dialog__choose(const char *title, const char *const *items, size_t nr);

#endif
