// SPDX-License-Identifier: GPL-2.0-only
/* Names of GHC 9.0; decoded as its own zDecodeString does, of 915 names of a program. */
#include "../../util/base/mem.h"
#include "../../util/symbol/symtab.h"
#include "../test.h"

TEST(demangle_haskell, "symbols: names of GHC, with packages, operators and tuples")
{
	static const char *const names[][2] = { /* NULL: it is not one */
		{ "base_GHCziBase_zpzp_info", "base:GHC.Base.++_info" },
		{ "base_GHCziIOziException_zdfShowSomeAsyncExceptionzuzdcshowsPrec_info",
		  "base:GHC.IO.Exception.$fShowSomeAsyncException_$cshowsPrec_info" },
		{ "containerszm0zi6zi4zi1_DataziMapziInternal_insertWith_entry",
		  "containers-0.6.4.1:Data.Map.Internal.insertWith_entry" },
		{ "Cabalzm3zi4zi0zi0_Distribution_f_slow", "Cabal-3.4.0.0:Distribution.f_slow" },
		{ "Main_ZCzpZC_con_info", "Main.:+:_con_info" },
		{ "Main_fzq_fast", "Main.f'_fast" },
		{ "ghczmprim_GHCziTuple_Z3T_con_info", "ghc-prim:GHC.Tuple.(,,)_con_info" },
		{ "ghczmprim_GHCziTuple_Z0T_static_info", "ghc-prim:GHC.Tuple.()_static_info" },
		{ "ghczmprim_GHCziPrim_Z2H_con_info", "ghc-prim:GHC.Prim.(#,#)_con_info" },
		{ "ghczmprim_GHCziPrim_Z1H_con_info", "ghc-prim:GHC.Prim.(# #)_con_info" },
		{ "Main_z3b1x_info", NULL }, { "Main_z3b1U_info", "Main.\xce\xb1_info" },
		{ "s2kf_info", NULL }, { "stg_ap_v_info", NULL }, { "main", NULL },
		{ "Curl_http_auth", NULL }, { "base_ghc_f_info", NULL }, { "Main_z_info", NULL },
		{ "Main_Z_info", NULL }, { "Main_Z9X_info", NULL }, { "Main_z7fU_info", NULL },
		{ "Main_z0d800U_info", NULL }, { "Main_z85U_info", NULL }, { "_info", NULL },
		{ "Main__info", NULL }, { "base_GHCziBase", NULL }, { "", NULL },
	};
	char buf[128], small[20];
	int len;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		len = haskell_name__decode(names[i][0], buf, sizeof(buf));
		if (!names[i][1] != (len < 0) || (len >= 0 && strcmp(buf, names[i][1])))
			TEST_FAIL("%s became %s", names[i][0], len < 0 ? "nothing" : buf);
		if (len >= 0)
			TEST_EQ(len, strlen(buf));
	}
	TEST_EQ(haskell_name__decode(names[0][0], small, sizeof(small)), -1);
	TEST_EQ(haskell_name__decode(names[0][0], small, 0), -1);
	TEST_TRUE(haskell_name__is_sign("stg_ap_v_info"));
	TEST_TRUE(haskell_name__is_sign("stg_ap_0_fast"));
	TEST_TRUE(!haskell_name__is_sign("stg_exit"));
	TEST_TRUE(!haskell_name__is_sign("base_GHCziBase_zpzp_info"));
}

TEST(demangle_haskell_table, "symbols: names that look like those of GHC, in programs of others")
{
	struct arena *arena = arena__new();

	for (int i = 0; i < 4; i++) {
		struct symtab t = { .demangle_into = arena, .is_haskell = i & 1,
				    .keep_mangled = i & 2 };

		symtab__add(&t, &(struct raw_symbol){ .start = 16, .end = 32, .is_code = true,
						      .name = "Main_fzq_info" });
		symtab__seal(&t);
		TEST_STR(symtab__find(&t, 20)->name, i == 1 ? "Main.f'_info" : "Main_fzq_info");
		symtab__free(&t);
	}
	arena__free(arena);
}
