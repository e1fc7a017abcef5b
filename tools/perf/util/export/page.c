// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

#include <stdio.h>
#include <sys/random.h>

#include "../base/clock.h"
#include "../base/hash.h"
#include "../text/json.h"

/* A file of the source tree as bytes: name, and behind its end name_end. */
#define TEXT_FILE(name, path)                                                         \
	__asm__(".pushsection .rodata\n"                                              \
		".globl " #name "\n"                                                  \
		#name ": .incbin \"tools/perf/html/" path "\"\n"                      \
		".globl " #name "_end\n"                                              \
		#name "_end: .byte 0\n"                                               \
		".popsection\n");                                                     \
	extern const char name[], name##_end[]

TEXT_FILE(page_html, "page.html");
TEXT_FILE(page_css, "page.css");
TEXT_FILE(page_data_js, "data.js");
TEXT_FILE(page_compare_js, "compare.js");
TEXT_FILE(page_tree_js, "tree.js");
TEXT_FILE(page_graph_js, "graph.js");
TEXT_FILE(page_strip_js, "strip.js");
TEXT_FILE(page_lanes_js, "lanes.js");
TEXT_FILE(page_table_js, "table.js");
TEXT_FILE(page_js, "page.js");

/* What the page has in place of parts: a line of its own each. */
#define STYLE_MARK "@STYLE@"
#define DATA_MARK "@DATA@"
#define SCRIPT_MARK "@SCRIPT@"
#define NONCE_MARK "@NONCE@"

/* Puts a part of the page, with the nonce in its places. */
static void put_part(struct textbuf *tb, const char *p, const char *end, const char *nonce)
{
	const char *mark;

	while ((mark = memmem(p, end - p, NONCE_MARK, strlen(NONCE_MARK)))) {
		textbuf__put(tb, p, mark - p);
		textbuf__puts(tb, nonce);
		p = mark + strlen(NONCE_MARK);
	}
	textbuf__put(tb, p, end - p);
}

static const char *find(const char *mark)
{
	return memmem(page_html, page_html_end - page_html, mark, strlen(mark));
}

static void make_nonce(struct page *p)
{
	u64 random[2] = { hash_seed, clock__now(CLOCK_MONOTONIC) };

	if (getrandom(random, sizeof(random), 0) < 0)
		random[0] ^= (uintptr_t)p;
	snprintf(p->nonce, sizeof(p->nonce), "%016llx%016llx", (unsigned long long)random[0],
		 (unsigned long long)random[1]);
}

void page__begin(struct page *p, struct textbuf *tb)
{
	const char *style = find(STYLE_MARK);

	make_nonce(p);
	put_part(tb, page_html, style, p->nonce);
	textbuf__put(tb, page_css, page_css_end - page_css);
	put_part(tb, style + strlen(STYLE_MARK), find(DATA_MARK), p->nonce);
}

void page__end(const struct page *p, struct textbuf *tb)
{
	const char *script = find(SCRIPT_MARK);

	put_part(tb, find(DATA_MARK) + strlen(DATA_MARK), script, p->nonce);
	textbuf__put(tb, page_data_js, page_data_js_end - page_data_js);
	textbuf__put(tb, page_compare_js, page_compare_js_end - page_compare_js);
	textbuf__put(tb, page_tree_js, page_tree_js_end - page_tree_js);
	textbuf__put(tb, page_graph_js, page_graph_js_end - page_graph_js);
	textbuf__put(tb, page_strip_js, page_strip_js_end - page_strip_js);
	textbuf__put(tb, page_lanes_js, page_lanes_js_end - page_lanes_js);
	textbuf__put(tb, page_table_js, page_table_js_end - page_table_js);
	textbuf__put(tb, page_js, page_js_end - page_js);
	put_part(tb, script + strlen(SCRIPT_MARK), page_html_end, p->nonce);
}

void textbuf__page_string(struct textbuf *tb, const char *s)
{
	struct textbuf quoted;

	textbuf__init(&quoted, -1);
	textbuf__json_string(&quoted, s);
	for (size_t i = 0; i < quoted.len; i++) {
		if (quoted.buf[i] == '<')
			textbuf__puts(tb, "\\u003c");
		else
			textbuf__putc(tb, quoted.buf[i]);
	}
	textbuf__free(&quoted);
}
