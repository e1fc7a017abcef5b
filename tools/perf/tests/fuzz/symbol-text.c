// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols as text: /tmp/perf-PID.map, which any program may write, and kallsyms. An input is the
 * file, as either of the two.
 */
#include <fcntl.h>

#include "../../util/binary/own-file.h"
#include "../../util/io/mapfile.h"
#include "../../util/symbol/kallsyms.h"
#include "../../util/symbol/perf-map.h"
#include "input.h"

static void check(struct symtab *t, bool disjoint)
{
	for (size_t i = 0; i < t->nr; i++) {
		FUZZ_TRUE(!i || t->v[i - 1].start < t->v[i].start);
		FUZZ_TRUE(!disjoint || !i || t->v[i - 1].end <= t->v[i].start);
		fuzz__touch(t->v[i].name, strlen(t->v[i].name) + 1);
		symtab__find(t, t->v[i].start);
		symtab__find(t, t->v[i].end);
	}
}

static void as_perf_map(const char *path)
{
	struct arena *arena = arena__new();
	struct symtab t = {};

	if (!perf_map__load(&t, arena, own_file__open(path))) {
		symtab__seal(&t);
		check(&t, true);
	}
	symtab__free(&t);
	arena__free(arena);
}

static void as_kallsyms(const char *path)
{
	struct arena *arena = arena__new();
	struct kallsyms k;

	if (!kallsyms__load(&k, path, arena)) {
		check(&k.kernel, false);
		kallsyms__module(&k, "[ext4]");
		map64__for_each(&k.modules, slot)
			check(slot->value, false);
		kallsyms__free(&k);
	}
	arena__free(arena);
}

FUZZ_TARGET(symbol_text, "perf-PID.map and kallsyms")
{
	char path[] = "/dev/shm/perf-fuzz-XXXXXX"; /* symbolic links are refused */
	int fd = mkostemp(path, O_CLOEXEC);

	if (fd < 0)
		return;
	mapfile__init();
	if (write(fd, data, size) == (ssize_t)size) {
		as_perf_map(path);
		as_kallsyms(path);
	}
	close(fd);
	unlink(path);
}
