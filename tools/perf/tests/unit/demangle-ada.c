// SPDX-License-Identifier: GPL-2.0-only
/* Names of GNAT 12; as c++filt -s gnat shows them, but for what stands behind a point. */
#include "../../util/base/mem.h"
#include "../../util/symbol/symtab.h"
#include "../test.h"

TEST(demangle_ada, "symbols: names of GNAT, with packages, operators and what the compiler made")
{
	static const char *const names[][2] = { /* NULL: it is not one */
		{ "ada__calendar__clock", "ada.calendar.clock" },
		{ "ada__calendar__Oadd__2", "ada.calendar.\"+\"" },
		{ "ada__directories__directory_vectors__insert_vector__3Xn",
		  "ada.directories.directory_vectors.insert_vector" },
		{ "ada__directories__search_stateSI__2", "ada.directories.search_state'Input" },
		{ "ada__directories__search_stateDA__2", "ada.directories.search_state.Adjust" },
		{ "ada__finalization___size__4", "ada.finalization'Size" },
		{ "system__regexp___assign__2", "system.regexp.\":=\"" },
		{ "gnat__sockets___elabb", "gnat.sockets'Elab_Body" },
		{ "gnat__semaphores__binary_semaphore__seize_E11s",
		  "gnat.semaphores.binary_semaphore.seize" },
		{ "workers__workTKB", "workers.work" },
		{ "workers__workTK__step", "workers.work.step" },
		{ "store__putP", "store.put" }, { "store__put$2", "store.put" },
		{ "text__get__inner.6", "text.get.inner" }, { "text__get.cold", "text.get.cold" },
		{ "text__get__inner.6.part.0", "text.get.inner.part.0" }, { "_ada_hello", "hello" },
		{ "main", NULL }, { "ada_main", NULL }, { "__gnat_malloc", NULL }, { "a__", NULL },
		{ "system__pack_97_E", NULL }, { "gnat__sockets__mode_typeS", NULL },
		{ "_ada_", NULL },
		{ "ada__x__Onone", NULL }, { "G__h", NULL }, { "__", NULL }, { "", NULL },
		{ "a__b___nothing", NULL }, { "pkg__B_2__x", NULL }, { "a__b_E1x", NULL },
	};
	char buf[128], small[20];
	int len;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		len = ada_name__decode(names[i][0], buf, sizeof(buf));
		if (!names[i][1] != (len < 0) || (len >= 0 && strcmp(buf, names[i][1])))
			TEST_FAIL("%s became %s", names[i][0], len < 0 ? "nothing" : buf);
		if (len >= 0)
			TEST_EQ(len, strlen(buf));
	}
	TEST_EQ(ada_name__decode(names[2][0], small, sizeof(small)), -1);
	TEST_EQ(ada_name__decode(names[2][0], small, 0), -1);
	TEST_TRUE(ada_name__is_sign("__gnat_rcheck_CE_Range_Check"));
	TEST_TRUE(!ada_name__is_sign("gnat__sockets"));
}

TEST(demangle_ada_table, "symbols: names that look like those of GNAT, in programs of others")
{
	struct arena *arena = arena__new();

	for (int i = 0; i < 4; i++) {
		struct symtab t = { .demangle_into = arena, .is_ada = i & 1,
				    .keep_mangled = i & 2 };

		symtab__add(&t, &(struct raw_symbol){ .start = 16, .end = 32, .is_code = true,
						      .name = "list__add" });
		symtab__seal(&t);
		TEST_STR(symtab__find(&t, 20)->name, i == 1 ? "list.add" : "list__add");
		symtab__free(&t);
	}
	arena__free(arena);
}
