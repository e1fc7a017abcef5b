// SPDX-License-Identifier: GPL-2.0-only
/*
 * All that names come from in an ELF file: its notes, the links to its debug files, its symbol
 * tables, the packed one in .gnu_debugdata, Go's, and the names of linkage tables. An input is the
 * file.
 */
#include "../../../lib/unwind/core/budget.h"
#include "../../util/io/mapfile.h"
#include "../../util/binary/binary.h"
#include "../../util/binary/build-id.h"
#include "../../util/symbol/elf-symbols.h"
#include "../../util/symbol/symtab.h"
#include "../../../lib/unwind/elf/starts.h"
#include "input.h"

/* In order, and each start leads to a symbol that holds it; names are strings. */
static void check(struct symtab *t)
{
	for (size_t i = 0; i < t->nr; i++) {
		u64 at = t->v[i].start;
		const struct symbol *found = symtab__find(t, at);

		FUZZ_TRUE(!i || t->v[i - 1].start < at);
		FUZZ_TRUE(!found || (found->start <= at && at < found->end));
		FUZZ_TRUE(found || t->v[i].end <= at);
		fuzz__touch(t->v[i].name, strlen(t->v[i].name) + 1);
	}
	symtab__find(t, 0);
	symtab__find(t, ~0ULL);
}

/* @unpacked: of .gnu_debugdata, which has no other one in it. */
static void read_names(int fd, bool unpacked)
{
	struct demangler d = { .work.left = HEAVY_NAME_WORK - 1 }; /* no process for a name */
	struct symtab t = { .demangler = &d };
	struct budget memory = { .left = 64 << 20 };
	struct elf_image img;
	u64 taken = 0;
	int packed;

	if (!elf_image__open(&img, fd)) {
		t.demangle_into = arena__new();
		elf_image__has_symtab(&img);
		elf_image__add_symbols(&img, &t);
		elf_image__add_go_symbols(&img, &t);
		elf_image__add_plt(&img, &t, t.demangle_into);
		symtab__seal(&t);
		check(&t);
		packed = unpacked ? -1 :
				    binary__open_mini_debug(&img, &memory, &taken);
		if (packed >= 0) {
			read_names(packed, true);
			close(packed);
		}
		arena__free(t.demangle_into);
		symtab__free(&t);
	}
	elf_image__close(&img);
}

static void read_links(int fd)
{
	const struct dso dso = { .path = "/usr/bin/fuzz" };
	struct debug_wanted want;
	struct starts *starts;
	struct elf_image img;
	u64 start, end;

	if (!elf_image__open(&img, fd)) {
		if (debug_wanted__of(&want, &dso, &img))
			FUZZ_TRUE(want.id.size <= BUILD_ID_MAX && !strchr(want.link, '/'));
		if (debug_wanted__of_alt(&want, &img, ""))
			FUZZ_TRUE(want.id.size <= BUILD_ID_MAX);
		starts = starts__new(&img);
		for (size_t i = 0; i < img.loads.nr; i++)
			if (starts__find(starts, img.loads.v[i].vaddr + 1, &start, &end))
				FUZZ_TRUE(start <= img.loads.v[i].vaddr + 1 && start < end);
		starts__free(starts);
	}
	elf_image__close(&img);
}

FUZZ_TARGET(symbols, "ELF files: notes, links, symbol tables, .gnu_debugdata")
{
	int fd = fuzz__fd(data, size);
	struct build_id id;

	if (fd < 0)
		return;
	mapfile__init();
	if (!build_id__read_fd(fd, &id))
		FUZZ_TRUE(id.size && id.size <= BUILD_ID_MAX);
	read_names(fd, false);
	read_links(fd);
	close(fd);
}
