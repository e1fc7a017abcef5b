// SPDX-License-Identifier: GPL-2.0-only
#include <stdlib.h>

#include "../base/log.h"
#include "../cli/debug-servers.h"
#include "../cli/pager.h"
#include "../cli/reader-confine.h"
#include "../cli/reader-privileges.h"
#include "diff.h"

static int compare(struct diff *d)
{
	struct error err = {};
	int ret = 0, damaged = 0, status;

	for (u32 i = 0; !ret && i < d->opts->files.nr; i++) {
		ret = diff__read(d, i, &err);
		if (ret == -EBADMSG && !err.code) {
			damaged = ret;
			ret = 0;
		}
	}
	if (!ret && !d->state.nr_samples)
		pr_warn("no samples to compare\n");
	status = ret ? ret : diff__put(d, &err);
	if (status >= 0 && d->opts->html && diff__write_page(d, d->opts->html, &err))
		status = -EIO;
	textbuf__flush(&d->view.out);
	if (err.code)
		pr_err("%s\n", err.text);
	if (status < 0 || damaged || (d->view.out.error && d->view.out.error != -EPIPE))
		return 1;
	return status;
}

static void free_all(struct diff *d)
{
	for (size_t i = 0; i < d->state.events.nr; i++) {
		free(d->state.events.v[i].name);
		diff_table__free(&d->state.events.v[i].table);
		if (d->opts->with_paths)
			diff_paths__free(&d->state.events.v[i].paths);
	}
	vec__free(&d->state.events);
	diff_names__free(&d->state.names);
	diff_shown__free(&d->view.shown);
	textbuf__free(&d->view.out);
}

int diff__run(const struct diff_opts *o)
{
	struct diff d = {
		.opts = o, .symbols = o->symbols,
		.view = { .groups = o->groups, .text = o->text, .changes = o->changes },
	};
	struct debug_servers servers;
	int ret;

	debug_servers__use(&servers, &d.symbols.binary);
	pager__textbuf(&d.view.out);
	d.view.out.separators = o->changes.format == DIFF_TEXT ? o->text.separator : NULL;
	reader__drop_privileges(o->html);
	reader__confine(&(struct reader_names){
		.input = o->files.v[0], .output = o->html, .files = o->files.v,
		.nr_files = o->files.nr,
		.more = { o->only.comms, o->only.dsos, o->only.syms },
	}, &d.symbols);
	ret = compare(&d);
	free_all(&d);
	pager__wait();
	return ret;
}
