// SPDX-License-Identifier: GPL-2.0-only
/* Compiles if ncurses is installed for characters of more than a byte, with its headers. */
#include <ncurses.h>

int main(void)
{
	wint_t key;

	return get_wch(&key) == KEY_CODE_YES;
}
