// SPDX-License-Identifier: GPL-2.0-only
#include "debug-servers.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "../base/text.h"
#include "../io/sandbox.h"

#define FIRST_NS 500000000ULL /* nothing is drawn for what comes sooner */
#define EVERY_NS 200000000ULL

static double mb(u64 bytes)
{
	return bytes / 1024.0 / 1024.0;
}

static void draw(const char *name, u64 done, u64 total)
{
	const char *slash = strrchr(name, '/');
	char short_name[64];

	snprintf(short_name, sizeof(short_name), "%s", slash ? slash + 1 : name);
	text__disarm(short_name, strlen(short_name));
	fprintf(stderr, "\r\033[K" "Loading %s: %.1f", short_name, mb(done));
	if (total)
		fprintf(stderr, " of %.1f", mb(total));
	fputs(" MB", stderr);
	fflush(stderr);
}

static void show(void *ctx, const char *name, u64 done, u64 total)
{
	struct debug_servers *s = ctx;
	u64 now = clock__now(CLOCK_MONOTONIC);

	if (!s->on)
		return;
	if (!name && s->drawn)
		fputs("\r\033[K", stderr);
	if (!name) {
		s->drawn = false;
		s->next_ns = 0;
		return;
	}
	if (!s->next_ns)
		s->next_ns = now + FIRST_NS;
	if (now < s->next_ns)
		return;
	s->next_ns = now + EVERY_NS;
	s->drawn = true;
	draw(name, done, total);
}

void debug_servers__use(struct debug_servers *s, struct binary_opts *opts)
{
	*s = (struct debug_servers){
		.opts = { .progress = show, .ctx = s },
		.on = isatty(STDERR_FILENO) && log__level() >= LOG_INFO,
	};
	/* What no binaries are there for any more is left to the end of the process. */
	if (sandbox__can_confine())
		s->opts.started = debuginfod__start(&s->opts);
	opts->debuginfod = &s->opts;
}
