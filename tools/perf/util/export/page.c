// SPDX-License-Identifier: GPL-2.0-only
#include "page.h"

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
TEXT_FILE(page_tree_js, "tree.js");
TEXT_FILE(page_graph_js, "graph.js");
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

void page__begin(struct textbuf *tb, const char *nonce)
{
	const char *style = find(STYLE_MARK);

	put_part(tb, page_html, style, nonce);
	textbuf__put(tb, page_css, page_css_end - page_css);
	put_part(tb, style + strlen(STYLE_MARK), find(DATA_MARK), nonce);
}

void page__end(struct textbuf *tb, const char *nonce)
{
	const char *script = find(SCRIPT_MARK);

	put_part(tb, find(DATA_MARK) + strlen(DATA_MARK), script, nonce);
	textbuf__put(tb, page_data_js, page_data_js_end - page_data_js);
	textbuf__put(tb, page_tree_js, page_tree_js_end - page_tree_js);
	textbuf__put(tb, page_graph_js, page_graph_js_end - page_graph_js);
	textbuf__put(tb, page_js, page_js_end - page_js);
	put_part(tb, script + strlen(SCRIPT_MARK), page_html_end, nonce);
}
