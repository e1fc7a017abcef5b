// SPDX-License-Identifier: GPL-2.0-only
#include "bpf-output.h"

#define PER_LINE 8
#define LEGEND_WIDTH 17

static bool is_printable(u8 c)
{
	return c >= ' ' && c <= '~';
}

/* Text that ends in a NUL, with nothing but NULs behind it. */
static bool is_string(const u8 *data, u32 size)
{
	u32 i = 0;

	while (i < size && is_printable(data[i]))
		i++;
	if (i == size)
		return false;
	while (i < size && !data[i])
		i++;
	return i == size;
}

static void put_line(struct textbuf *tb, const u8 *data, u32 at, u32 size)
{
	textbuf__str_right(tb, at ? "" : "BPF output:", LEGEND_WIDTH);
	textbuf__printf(tb, " %04x:", at);
	for (u32 i = at; i < at + PER_LINE; i++)
		if (i < size)
			textbuf__printf(tb, " %02x", data[i]);
		else
			textbuf__puts(tb, "   ");
	textbuf__puts(tb, "  ");
	for (u32 i = at; i < at + PER_LINE; i++)
		textbuf__putc(tb, i >= size ? ' ' : is_printable(data[i]) ? data[i] : '.');
	textbuf__putc(tb, '\n');
}

void textbuf__bpf_output(struct textbuf *tb, const void *data, u32 size)
{
	textbuf__putc(tb, '\n');
	for (u32 at = 0; at < size; at += PER_LINE)
		put_line(tb, data, at, size);
	if (is_string(data, size)) {
		textbuf__str_right(tb, "BPF string:", LEGEND_WIDTH);
		textbuf__printf(tb, " \"%s\"\n", (const char *)data);
	}
}
