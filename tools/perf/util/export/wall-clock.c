// SPDX-License-Identifier: GPL-2.0-only
#include "wall-clock.h"

#include <string.h>
#include <sys/stat.h>

/* What perf_event.h's tools write as feature CLOCK_DATA. */
struct clock_data {
	u32 version, clockid;
	u64 wall_ns, clock_ns;    /* at one moment */
};

#define CLOCK_DATA_VERSION 1

static bool read_clock_data(const struct recording *rec, struct clock_data *data)
{
	if (!recording__has(rec, FEAT_CLOCK_DATA) ||
	    rec->opaque[FEAT_CLOCK_DATA].size < sizeof(*data))
		return false;
	memcpy(data, rec->opaque[FEAT_CLOCK_DATA].data, sizeof(*data));
	return data->version == CLOCK_DATA_VERSION;
}

u64 export__wall_clock(const struct export *x, u64 time)
{
	const struct reader *r = x->opts.reader;
	struct clock_data data;
	struct stat st;
	u64 end;

	if (read_clock_data(x->recording, &data))
		return data.wall_ns + (time - data.clock_ns);
	if (!r || reader__is_pipe(r) || stat(reader__path(r), &st))
		return 0;
	end = (u64)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	return end > x->last_time - time ? end - (x->last_time - time) : 0;
}
