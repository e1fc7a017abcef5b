// SPDX-License-Identifier: GPL-2.0-only
#include "recorded-kernel.h"

#include <string.h>
#include <sys/utsname.h>

#include "build-id.h"

struct build_id machine__kernel_build_id(const struct machine *m)
{
	const struct recording *r = machine__recording(m);
	const struct map *map = machine__kernel_map(m);

	if (map && map->dso->build_id.size)
		return map->dso->build_id;
	for (size_t i = 0; r && i < r->build_ids.nr; i++)
		if (!strncmp(r->build_ids.v[i].path, "[kernel.", 8))
			return r->build_ids.v[i].id;
	return (struct build_id){};
}

bool machine__runs_here(const struct machine *m, bool live)
{
	const struct recording *r = machine__recording(m);
	struct build_id recorded = machine__kernel_build_id(m), running;
	struct utsname uts;

	if (live)
		return true;
	if (recorded.size && !build_id__read_kernel(&running))
		return build_id__equal(&recorded, &running);
	return !r || !r->osrelease || (!uname(&uts) && !strcmp(uts.release, r->osrelease));
}
