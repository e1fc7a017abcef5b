// SPDX-License-Identifier: GPL-2.0-only
/* Symbols of the running kernel on disk, and tables that are searched by parts. */
#include <stdio.h>
#include <unistd.h>

#include "../../util/symbol/kallsyms-cache.h"
#include "../lib/machine-fixture.h"

static const char one_kernel[] = "ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
				 "ffffffff81000100 t helper\nffffffff81000200 W do_it\n"
				 "ffffffffc0000000 t ext4_one\t[ext4]\n";

static const struct binary_opts here = { .buildid_dir = "cache" };

static int load(struct kallsyms *k)
{
	return kallsyms_cache__load(&here, "kallsyms", k);
}

/* Returns the name at an address as it is kept, "none", or that nothing can be read. */
static const char *kept_name(u64 addr)
{
	static char name[32];
	const struct symbol *sym;
	struct kallsyms k;

	if (load(&k))
		return "refused";
	sym = symtab__find(&k.kernel, addr);
	snprintf(name, sizeof(name), "%s %d", sym ? sym->name : "none", sym ? sym->binding : 0);
	TEST_EQ(k.text_addr, 0xffffffff81000000);
	TEST_EQ(k.stext_addr, 0xffffffff81000000);
	TEST_EQ(k.modules.nr, 0);
	kallsyms__free(&k);
	return name;
}

static void keep(void)
{
	struct arena *arena = arena__new();
	struct kallsyms k;

	TEST_EQ(kallsyms__load(&k, "kallsyms", arena), 0);
	kallsyms_cache__save(&here, "kallsyms", &k);
	kallsyms__free(&k);
	arena__free(arena);
}

TEST(symbols_kernel_kept, "symbols: functions of the running kernel are kept on disk for its boot")
{
	struct binary_opts not_here = { .buildid_dir = "cache", .no_unwind_cache = true };
	struct kallsyms k;

	if (access("/proc/sys/kernel/random/boot_id", R_OK))
		TEST_SKIP("no boot id");
	fixture__write("kallsyms", one_kernel);
	fixture__run("mkdir cache");
	TEST_EQ(load(&k), -ENOENT);
	keep();
	fixture__run("ls cache/.kernel | cmp - /proc/sys/kernel/random/boot_id");
	TEST_STR(kept_name(0xffffffff810000ff), "_text 1");
	TEST_STR(kept_name(0xffffffff81000180), "helper 0");
	TEST_STR(kept_name(0xffffffff81000200), "do_it 2");
	TEST_STR(kept_name(0xffffffff80ffffff), "none 0");
	TEST_EQ(kallsyms_cache__load(&not_here, "kallsyms", &k), -ENOENT);
	/* It is what the answer is taken from. */
	fixture__run("sed -i s/helper/HELPER/ cache/.kernel/*");
	TEST_STR(kept_name(0xffffffff81000180), "HELPER 0");
	/* Not for who sees other addresses, or none. */
	fixture__run("sed -i s/^ffffffff/00000000/ kallsyms");
	TEST_STR(kept_name(0xffffffff81000180), "refused");
	fixture__write("kallsyms", one_kernel);
	TEST_STR(kept_name(0xffffffff81000180), "HELPER 0");
	/* Not what is damaged, or what somebody else may have written. */
	fixture__run("truncate -s -1 cache/.kernel/*");
	TEST_STR(kept_name(0xffffffff81000180), "refused");
	keep();
	TEST_STR(kept_name(0xffffffff81000180), "helper 0");
	fixture__run("f=$(echo cache/.kernel/*); head -c -1 $f >x && printf x >>x && cat x >$f");
	TEST_STR(kept_name(0xffffffff81000180), "refused");
	keep();
	fixture__run("chmod o+w cache/.kernel/*");
	TEST_STR(kept_name(0xffffffff81000180), "refused");
}

/* Of @nr symbols with gaps between them, far apart every @far'th time: each address is found. */
static void check_parts(u64 nr, u64 far, u64 jump)
{
	struct symtab t = {};
	u64 start = 1000;

	for (u64 i = 0; i < nr; i++, start += i % far ? 16 : jump)
		symtab__add(&t, &(struct raw_symbol){ .start = start, .end = start + 8,
						      .name = "x", .is_code = true });
	symtab__seal(&t);
	TEST_EQ(t.nr, nr);
	TEST_TRUE(t.nr_parts <= nr + 1);
	TEST_TRUE(!symtab__find(&t, 999));
	for (u64 i = 0; i < nr; i++) {
		TEST_TRUE(symtab__find(&t, t.v[i].start) == &t.v[i]);
		TEST_TRUE(symtab__find(&t, t.v[i].end - 1) == &t.v[i]);
		TEST_TRUE(!symtab__find(&t, t.v[i].end));
	}
	TEST_TRUE(!symtab__find(&t, UINT64_MAX));
	symtab__free(&t);
}

TEST(symbols_parts, "symbols: every address is found, whether symbols are spread evenly or not")
{
	struct symtab empty = {};

	symtab__seal(&empty);
	TEST_TRUE(!symtab__find(&empty, 0));
	symtab__free(&empty);
	check_parts(1, 1, 16);
	check_parts(2, 1, 1ull << 62);
	check_parts(1000, 1000, 16);
	check_parts(1000, 100, 1ull << 40);
	check_parts(1000, 999, 1ull << 62);
}
