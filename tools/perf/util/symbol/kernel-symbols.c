// SPDX-License-Identifier: GPL-2.0-only
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../binary/binary.h"
#include "../binary/bundle.h"
#include "../binary/build-id.h"
#include "../binary/recorded-kernel.h"
#include "../io/regular-file.h"
#include "kallsyms-cache.h"
#include "kernel-symbols.h"

#define KALLSYMS "/proc/kallsyms"

void kernel_symbols__init(struct kernel_symbols *k, const struct symbols_opts *opts,
			  struct machine *machine, struct arena *arena,
			  struct demangler *demangler)
{
	memset(k, 0, sizeof(*k));
	k->opts = opts;
	k->machine = machine;
	k->arena = arena;
	k->demangler = demangler;
}

void kernel_symbols__free(struct kernel_symbols *k)
{
	kallsyms__free(&k->kallsyms);
	kallsyms__free(&k->now);
	symtab__free(&k->vmlinux_symtab);
	elf_image__close(&k->vmlinux);
}

static void kernel_symbols__set_shift(struct kernel_symbols *k, u64 text, u64 stext)
{
	const struct map *map = machine__kernel_map(k->machine);
	u64 in_table;

	if (!map || !map->pgoff)
		return;
	in_table = strstr(map->dso->path, "_stext") ? stext : text;
	if (in_table)
		k->shift = map->pgoff - in_table;
}

static u64 symtab__raw_addr(const struct symtab *t, const char *name)
{
	for (size_t i = 0; i < t->raw.nr; i++)
		if (!strcmp(t->raw.v[i].name, name))
			return t->raw.v[i].start;
	return 0;
}

/* A file with another build-id than the recorded one is refused; one without is accepted. */
static int kernel_symbols__load_vmlinux(struct kernel_symbols *k, const char *path)
{
	struct build_id want = machine__kernel_build_id(k->machine), got;
	int fd = regular_file__open(path), err;
	u64 text, stext;

	if (fd < 0)
		return fd;
	err = elf_image__open(&k->vmlinux, fd);
	close(fd);
	if (err)
		return err;
	if (want.size && !elf_image__build_id(&k->vmlinux, &got) && !build_id__equal(&want, &got)) {
		elf_image__close(&k->vmlinux);
		return -ESTALE;
	}
	elf_image__add_symbols(&k->vmlinux, &k->vmlinux_symtab);
	if (!k->vmlinux_symtab.raw.nr) {
		elf_image__close(&k->vmlinux);
		return -ENODATA;
	}
	text = symtab__raw_addr(&k->vmlinux_symtab, "_text");
	stext = symtab__raw_addr(&k->vmlinux_symtab, "_stext");
	symtab__seal(&k->vmlinux_symtab);
	kernel_symbols__set_shift(k, text, stext);
	return 0;
}

/* @err: of what has loaded them; is returned. */
static int kernel_symbols__loaded(struct kernel_symbols *k, int err)
{
	if (!err)
		kernel_symbols__set_shift(k, k->kallsyms.text_addr, k->kallsyms.stext_addr);
	return err;
}

static int kernel_symbols__load_kallsyms(struct kernel_symbols *k, const char *path)
{
	return kernel_symbols__loaded(k, kallsyms__load(&k->kallsyms, path, k->arena));
}

/* Of this machine, from an earlier run or from the kernel. */
static int kernel_symbols__load_running(struct kernel_symbols *k)
{
	const struct binary_opts *opts = &k->opts->binary;
	int err;

	if (!kallsyms_cache__load(opts, KALLSYMS, &k->kallsyms))
		return kernel_symbols__loaded(k, 0);
	err = kernel_symbols__load_kallsyms(k, KALLSYMS);
	if (!err)
		kallsyms_cache__save(opts, KALLSYMS, &k->kallsyms);
	return err;
}

static int kernel_symbols__load_bundled(struct kernel_symbols *k)
{
	struct build_id id = machine__kernel_build_id(k->machine);
	int fd = bundle__of_id(k->opts->binary.bundle, "kallsyms", &id), err;

	if (fd < 0)
		return fd;
	err = kernel_symbols__loaded(k, kallsyms__load_fd(&k->kallsyms, fd, k->arena));
	close(fd);
	return err;
}

/* Files found by the build-id: kallsyms or vmlinux in the cache, or of a debug package. */
static int kernel_symbols__load_by_build_id(struct kernel_symbols *k)
{
	struct build_id id = machine__kernel_build_id(k->machine);
	char path[PATH_MAX], hex[2 * BUILD_ID_MAX + 1];
	int err;

	if (!id.size)
		return -ENOENT;
	err = build_id_cache__path(&k->opts->binary, &id, "kallsyms", path, sizeof(path));
	if (!err)
		err = kernel_symbols__load_kallsyms(k, path);
	if (err && !build_id_cache__path(&k->opts->binary, &id, "vmlinux", path, sizeof(path)))
		err = kernel_symbols__load_vmlinux(k, path);
	if (!err)
		return 0;
	build_id__format(&id, hex, sizeof(hex));
	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", hex, hex + 2);
	return kernel_symbols__load_vmlinux(k, path);
}

void kernel_symbols__load(struct kernel_symbols *k)
{
	if (k->loaded)
		return;
	k->loaded = true;
	if (k->opts->vmlinux) {
		k->err = kernel_symbols__load_vmlinux(k, k->opts->vmlinux);
		return;
	}
	if (k->opts->kallsyms) {
		k->err = kernel_symbols__load_kallsyms(k, k->opts->kallsyms);
		return;
	}
	if (!kernel_symbols__load_bundled(k))
		return;
	k->err = machine__runs_here(k->machine, k->opts->binary.live) ?
		 kernel_symbols__load_running(k) : -ESTALE;
	if (k->err && !kernel_symbols__load_by_build_id(k))
		k->err = 0;
}

u64 kernel_symbols__table_addr(struct kernel_symbols *k, const struct dso *dso, u64 addr)
{
	k->asked = true;
	kernel_symbols__load(k);
	return dso->kind == DSO_KERNEL ? addr - k->shift : addr;
}

struct bytes kernel_symbols__code(struct kernel_symbols *k, const struct dso *dso, u64 addr,
				  u16 *machine)
{
	GElf_Shdr text;

	kernel_symbols__load(k);
	/* A debug file alone has sections of code without their bytes. */
	if (dso->kind != DSO_KERNEL || !k->vmlinux.elf ||
	    !elf_image__section(&k->vmlinux, ".text", 0, &text) || text.sh_type == SHT_NOBITS)
		return (struct bytes){};
	*machine = k->vmlinux.ehdr.e_machine;
	return elf_image__bytes_at(&k->vmlinux, addr);
}

static struct symtab *kernel_symbols__module(struct kernel_symbols *k, const char *name)
{
	if (!k->kallsyms.kept.data)
		return kallsyms__module(&k->kallsyms, name);
	if (!k->now.arena && kallsyms__load(&k->now, KALLSYMS, k->arena))
		k->now.arena = k->arena; /* it is not tried again */
	return kallsyms__module(&k->now, name);
}

static struct symtab *kernel_symbols__find_table(struct kernel_symbols *k, const struct dso *dso)
{
	kernel_symbols__load(k);
	if (k->err)
		return NULL;
	if (dso->kind == DSO_KERNEL)
		return k->vmlinux.elf ? &k->vmlinux_symtab : &k->kallsyms.kernel;
	/* After another boot each module is at another address, moved by its own distance. */
	return k->vmlinux.elf || k->shift ? NULL : kernel_symbols__module(k, dso->name);
}

struct symtab *kernel_symbols__table(struct kernel_symbols *k, const struct dso *dso)
{
	struct symtab *t = kernel_symbols__find_table(k, dso);

	k->asked = true;
	if (t && k->opts->demangle_kernel && !k->opts->no_demangle) {
		t->demangle_into = k->arena;
		t->demangler = k->demangler;
	}
	return t;
}

int kernel_symbols__error(struct kernel_symbols *k, struct error *err)
{
	const struct recording *r = machine__recording(k->machine);
	const char *file = k->opts->vmlinux ? k->opts->vmlinux :
			   k->opts->kallsyms ? k->opts->kallsyms : KALLSYMS;

	switch (k->asked ? k->err : 0) {
	case 0:
		return 0;
	case -EACCES:
		error__set(err, k->err, "no kernel symbols: %s hides its addresses", file);
		error__hint(err, "Set kernel.kptr_restrict to 0 or 1 and run perf as root, or use "
			    "--vmlinux.");
		break;
	case -ESTALE:
		error__set(err, k->err, "no kernel symbols: the recording is of another kernel%s%s",
			   r && r->osrelease ? ", " : "", r && r->osrelease ? r->osrelease : "");
		error__hint(err, "Name the symbols of that kernel with --vmlinux or --kallsyms.");
		break;
	default:
		error__set(err, k->err, "no kernel symbols: %s: %s", file, strerror(-k->err));
	}
	return k->err;
}
