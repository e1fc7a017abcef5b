// SPDX-License-Identifier: GPL-2.0-only
#include "rows-dump.h"

#include <stdlib.h>
#include <unistd.h>

#include "../binary/binary.h"
#include "../symbol/elf-symbols.h"
#include "../../../lib/unwind/walk/table.h"

struct dump {
	struct textbuf *tb;
	const struct unwind_arch_info *arch;
	struct table *table;
	struct symtab symbols;
	const struct symbol *sym; /* its name was printed last */
};

static void dump__name(struct dump *d, u64 addr)
{
	const struct symbol *sym = symtab__find(&d->symbols, addr);

	if (sym && sym != d->sym)
		textbuf__printf(d->tb, "%s:\n", sym->name);
	d->sym = sym;
}

/* Prints the rows in [from, to). */
static int dump__rows(struct dump *d, u64 from, u64 to)
{
	struct row row;
	char rule[160];

	for (u64 at = from; at < to && rows__row(d->table->rows, at, &row); at = row.end) {
		if (row.start >= to)
			break;
		row_rule__text(row.rule, d->arch, rule, sizeof(rule));
		dump__name(d, max_of(row.start, from));
		textbuf__printf(d->tb, "%016llx-%016llx %-11s %s\n", (unsigned long long)row.start,
				(unsigned long long)row.end, row_rule__source_name(row.rule), rule);
		if (d->tb->error)
			return d->tb->error;
	}
	return 0;
}

static int dump__function(struct dump *d, const char *path, const char *name, struct error *err)
{
	bool found = false;
	int ret = 0;

	for (size_t i = 0; i < d->symbols.nr && !ret; i++) {
		const struct symbol *sym = symtab__find(&d->symbols, d->symbols.v[i].start);

		if (!sym || strcmp(sym->name, name))
			continue;
		found = true;
		ret = dump__rows(d, sym->start, sym->end);
	}
	if (!found)
		return error__set(err, -ENOENT, "the symbol tables of '%s' have no function '%s'",
				  path, name);
	return ret;
}

static int dump__run(struct dump *d, const char *path, const char *where, struct error *err)
{
	u64 addr;
	char *end;

	if (!where)
		return dump__rows(d, 0, ~0ULL);
	addr = strtoull(where, &end, 16);
	if (strncmp(where, "0x", 2) || *end)
		return dump__function(d, path, where, err);
	return dump__rows(d, addr, addr + 1);
}

/* Adds the debug file that unwinding would use. */
static void dump__add_debug(struct module *m, const char *path)
{
	const struct dso dso = { .path = path, .kind = DSO_USER };
	int fd = binary__open_debug(&(struct binary_opts){}, &dso, &m->image, NULL);

	if (fd < 0)
		return;
	module__add_debug(m, fd);
	close(fd);
}

int rows__dump(struct textbuf *tb, int fd, const char *path, const char *where,
	       const struct unwind_sources *sources, struct error *err)
{
	struct dump d = { .tb = tb };
	struct demangler demangler = { .work.left = NAMES_WORK };
	struct module *m = module__new(&perf_env, 0, fd, EM_NONE);
	int ret;

	if (!m)
		return error__set(err, -ENOMEM, "out of memory");
	d.arch = m->bad ? NULL : unwind_arch_info__by_machine(m->image.ehdr.e_machine);
	if (!d.arch) {
		module__free(m);
		return error__set(err, -ENOEXEC, "'%s' is not a program or library for x86_64, "
				  "aarch64 or s390x", path);
	}
	dump__add_debug(m, path);
	d.symbols.demangle_into = arena__new();
	d.symbols.demangler = &demangler;
	elf_image__add_symbols(&m->image, &d.symbols);
	symtab__seal(&d.symbols);
	d.table = table__new(m, d.arch, sources, NULL);
	ret = d.table ? dump__run(&d, path, where, err) :
			error__set(err, -ENOMEM, "out of memory");
	table__free(d.table);
	arena__free(d.symbols.demangle_into);
	symtab__free(&d.symbols);
	demangler__end(&demangler);
	module__free(m);
	return ret;
}
