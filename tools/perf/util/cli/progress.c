// SPDX-License-Identifier: GPL-2.0-only
#include <stdio.h>
#include <unistd.h>

#include "../base/clock.h"
#include "../base/log.h"
#include "progress.h"

#define FIRST_NS 500000000ULL /* no bar for shorter work */
#define EVERY_NS 100000000ULL
#define BAR_WIDTH 40

void progress__start(struct progress *p, const char *title)
{
	*p = (struct progress){
		.title = title,
		.on = isatty(STDERR_FILENO) && log__level() >= LOG_INFO,
		.next_ns = clock__now(CLOCK_MONOTONIC) + FIRST_NS,
	};
}

int progress__update(void *ptr, u64 done, u64 total)
{
	static const char bar[] = "########################################";
	struct progress *p = ptr;
	u64 now;
	int filled;

	if (!p->on || !total)
		return 0;
	now = clock__now(CLOCK_MONOTONIC);
	if (now < p->next_ns)
		return 0;
	p->next_ns = now + EVERY_NS;
	p->drawn = true;
	done = min_of(done, total);
	filled = (int)((double)done * BAR_WIDTH / (double)total);
	fprintf(stderr, "\r%s [%.*s%*s] %3.0f%%", p->title, filled, bar, BAR_WIDTH - filled, "",
		100.0 * (double)done / (double)total);
	fflush(stderr);
	return 0;
}

void progress__finish(struct progress *p)
{
	if (p->drawn)
		fputs("\r\033[K", stderr);
	p->on = p->drawn = false;
}
