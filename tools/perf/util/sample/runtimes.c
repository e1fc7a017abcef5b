// SPDX-License-Identifier: GPL-2.0-only
#include "runtimes.h"

#include <string.h>
#include <sys/mman.h>

static const struct {
	const char *name; /* its library or program begins with that */
	enum runtime runtime;
} names[] = {
	{ "libjvm.so", RUNTIME_JAVA },
	{ "libpython3", RUNTIME_PYTHON }, { "python3", RUNTIME_PYTHON },
	{ "php", RUNTIME_PHP }, { "libphp", RUNTIME_PHP },
	{ "luajit", RUNTIME_LUAJIT }, { "libluajit", RUNTIME_LUAJIT },
};

static enum runtime runtime__of(const struct maps *maps)
{
	for (const struct map *m = maps__next(maps, 0); m; m = maps__next(maps, m->end)) {
		if (m->dso->kind != DSO_USER || !(m->prot & PROT_EXEC))
			continue;
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			if (!strncmp(m->dso->short_name, names[i].name, strlen(names[i].name)))
				return names[i].runtime;
	}
	return RUNTIME_OTHER;
}

enum runtime runtimes__of_end(struct map64 *known, struct machine *m,
			      const struct whole_sample *ws)
{
	const struct map *map;
	uintptr_t found;
	u32 id;

	if (ws->user_part != USER_PART_UNWOUND || ws->stop == UNWIND_OUTERMOST || !ws->nr_user)
		return RUNTIME_NR;
	map = machine__find_map(m, ws->thread, PERF_RECORD_MISC_USER, ws->user[ws->nr_user - 1]);
	if (!map || (map->dso->kind != DSO_JIT && !dso__may_have_perf_map(map->dso)))
		return RUNTIME_NR;
	id = maps__id(ws->thread->maps);
	found = (uintptr_t)map64__get(known, id);
	if (!found) {
		found = 1 + runtime__of(ws->thread->maps);
		map64__set(known, id, (void *)found);
	}
	return found - 1;
}

const char *runtime__advice(enum runtime runtime)
{
	static const char *const advice[RUNTIME_NR] = {
		[RUNTIME_JAVA] = "java, which keeps no frame pointers: run it with "
				 "-XX:+PreserveFramePointer, and best with the agent of "
				 "perf-record(1), libperf-jvmti.so",
		[RUNTIME_PYTHON] = "a python program, without unwind information: use -X perf_jit "
				   "instead of -X perf (3.13 and later)",
		[RUNTIME_PHP] = "php, without unwind information: run it with "
				"-d opcache.jit_debug=0x100 -d pcre.jit=0",
		[RUNTIME_LUAJIT] = "LuaJIT, which keeps no frame pointers: only its interpreter "
				   "(-joff) has whole stacks",
	};

	return advice[runtime];
}
