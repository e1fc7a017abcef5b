// SPDX-License-Identifier: GPL-2.0-only
#include "check-text.h"

#include "../symbol/elf-symbols.h"
#include "../../../lib/unwind/source/check.h"

struct check_text {
	struct textbuf *tb;
	const struct unwind_arch_info *arch;
	struct symtab symbols;
	u64 start, end; /* a range that .sframe lacks and is not printed yet; end 0: none */
};

static void text__range(struct check_text *t, u64 start, u64 end, enum check_kind kind)
{
	const struct symbol *sym = symtab__find(&t->symbols, start);

	textbuf__printf(t->tb, "%016llx-%016llx %s%s%s\n", (unsigned long long)start,
			(unsigned long long)end, check_kind__name(kind), sym ? " " : "",
			sym ? sym->name : "");
}

static void text__rule(struct check_text *t, const char *source, const struct row_rule *rule)
{
	char buf[160];

	row_rule__text(rule, t->arch, buf, sizeof(buf));
	textbuf__printf(t->tb, "    %-9s %s\n", source, buf);
}

static void text__end_missing(struct check_text *t)
{
	if (t->end)
		text__range(t, t->start, t->end, CHECK_MISSING);
	t->end = 0;
}

static void on_row(void *ctx, const struct check_row *row)
{
	struct check_text *t = ctx;

	if (row->kind == CHECK_MISSING && t->end && t->end == row->start &&
	    symtab__find(&t->symbols, t->start) == symtab__find(&t->symbols, row->start)) {
		t->end = row->end;
		return;
	}
	text__end_missing(t);
	if (row->kind == CHECK_MISSING) {
		t->start = row->start;
		t->end = row->end;
		return;
	}
	text__range(t, row->start, row->end, row->kind);
	text__rule(t, ".sframe", &row->sframe);
	if (row->kind != CHECK_EXTRA)
		text__rule(t, ".eh_frame", &row->cfi);
	if (row->cause)
		textbuf__printf(t->tb, "    cause     %s\n", row->cause);
}

static void text__sums(struct check_text *t, const struct check_result *r, const char *path)
{
	textbuf__printf(t->tb, "%s: .sframe version", path);
	for (u32 v = 1; v <= 3; v++)
		if (r->versions >> v & 1)
			textbuf__printf(t->tb, " %u", v);
	textbuf__printf(t->tb, ", %u table%s, %llu functions; %s .eh_frame in the default "
			"order\n", r->tables,
			r->tables == 1 ? "" : "s", (unsigned long long)r->functions,
			r->trusted ? "before" : "behind");
	for (int k = 0; k < CHECK_KIND_NR; k++)
		textbuf__printf(t->tb, "%10llu rows %12llu bytes %s\n",
				(unsigned long long)r->rows[k], (unsigned long long)r->bytes[k],
				check_kind__name(k));
	textbuf__printf(t->tb, "%10llu of %llu functions of .eh_frame are not in .sframe\n",
			(unsigned long long)r->missing_functions,
			(unsigned long long)r->cfi_functions);
	for (int i = SFRAME_OK + 1; i < SFRAME_FLAW_NR; i++)
		if (r->flaws[i])
			textbuf__printf(t->tb, "%10u times: %s\n", r->flaws[i],
					sframe_flaw__text(i));
}

static void text__symbols(struct check_text *t, struct elf_image *img)
{
	t->symbols.demangle_into = arena__new();
	t->arch = unwind_arch_info__by_machine(img->ehdr.e_machine);
	if (img->elf && img->ehdr.e_type != ET_REL)
		elf_image__add_symbols(img, &t->symbols);
	symtab__seal(&t->symbols);
}

int check__print(struct textbuf *tb, int fd, const char *path, struct error *err)
{
	struct demangler demangler = { .work.left = NAMES_WORK };
	struct check_text t = { .tb = tb, .symbols.demangler = &demangler };
	struct check_result r;
	struct elf_image img; /* owns the names of symbols */
	int ret;

	elf_image__open(&img, fd);
	text__symbols(&t, &img);
	ret = unwind_check(&perf_env, fd, &r, on_row, &t);
	if (ret)
		error__set(err, ret, ret == -ENOMEM ? "'%s': out of memory" :
			   "'%s': not an ELF file for x86_64, aarch64 or s390x, or damaged", path);
	text__end_missing(&t);
	if (!ret && r.has_sframe)
		text__sums(&t, &r, path);
	else if (!ret)
		textbuf__printf(tb, "%s: .sframe cannot be used: %s\n", path,
				sframe_flaw__text(r.why));
	arena__free(t.symbols.demangle_into);
	symtab__free(&t.symbols);
	demangler__end(&demangler);
	elf_image__close(&img);
	return ret ? ret : !r.has_sframe || r.rows[CHECK_WRONG];
}
