// SPDX-License-Identifier: GPL-2.0-only
/* Names of C++, Rust, D and OCaml, mangled and as people read them. An input is the name. */
#include "../../../lib/unwind/core/budget.h"
#include "../../util/base/mem.h"
#include "../../util/symbol/demangle.h"
#include "../../util/symbol/short-name.h"
#include "input.h"

/* What has no room is refused, and not cut. */
static void demangle_into(int (*demangle)(const char *name, char *buf, size_t size),
			  const char *name, size_t room)
{
	char *buf = malloc(room);
	int len = demangle(name, buf, room);

	FUZZ_TRUE(len < (int)room);
	if (len >= 0)
		FUZZ_TRUE(strlen(buf) == (size_t)len);
	free(buf);
}

/* A short name is no longer than the full one, and has an end of it when there is no room. */
static void shorten(const char *name)
{
	for (unsigned int level = 0; level < SHORT_NAME_LEVELS; level++) {
		char *text = name__shorten(name, level);
		const char *shown = text ?: name, *end = name__fit(shown, 10);

		FUZZ_TRUE(*shown || !*name);
		FUZZ_TRUE(strlen(shown) <= strlen(name));
		FUZZ_TRUE(end >= shown && end <= shown + strlen(shown));
		free(text);
	}
}

FUZZ_TARGET(names, "names of C++, Rust, D and OCaml, and short ones")
{
	char *name = fuzz__string(data, size);
	struct arena *arena = arena__new();
	struct demangler d = { .work.left = HEAVY_NAME_WORK - 1 }; /* no process for a name */
	const char *plain = symbol_name__demangle(arena, name, &d);

	shorten(name);
	shorten(plain);
	FUZZ_TRUE(plain == name || strlen(plain) < CXX_MAX_PLAIN + size);
	for (size_t room = 1; room <= 16384; room *= 128) {
		demangle_into(d_name__demangle, name, room);
		demangle_into(haskell_name__decode, name, room);
		demangle_into(ada_name__decode, name, room);
	}
	arena__free(arena);
	free(name);
}
