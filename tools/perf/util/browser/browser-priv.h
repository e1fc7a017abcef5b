/* SPDX-License-Identifier: GPL-2.0-only */
/* The state of a browser, for its own files. */
#ifndef PERF_BROWSER_BROWSER_PRIV_H
#define PERF_BROWSER_BROWSER_PRIV_H

#include "browser.h"
#include "screen.h"
#include "tree-view.h"

#define ANSWER 256
#define MESSAGE 1024

/* What was zoomed into, in this order. */
enum zoom_kind { ZOOM_THREAD, ZOOM_DSO, ZOOM_THROUGH, ZOOM_KERNEL, ZOOM_NAME, ZOOM_KINDS };

struct browser {
	struct browser_source source;
	struct browser_opts opts;
	struct screen screen;
	struct tree_view rows;
	struct hist_zoom zoom;
	char *comm, *dso, *name, *function; /* that .zoom and the filter are about */
	enum zoom_kind zooms[ZOOM_KINDS];
	size_t nr_zooms;
	size_t event;                       /* the histogram that is shown */
	size_t top, at;                     /* rows: the first on the screen, the selected one */
	unsigned int left;
	char search[ANSWER], message[MESSAGE];
	bool titles, shown, reading, ended;
	bool full_names;                    /* of functions */
	enum browser_end end;
	u64 done, total, next_poll, next_show;
};

/* Puts everything on the screen. The selected row is on it. */
void browser__draw(struct browser *b);

/* Returns: the number of rows of the list that the screen has room for. */
unsigned int browser__page(const struct browser *b);

#endif
