// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../base/budget.h"
#include "../base/log.h"
#include "binary.h"
#include "build-id.h"
#include "guarded-open.h"
#include "kernel-symbols.h"
#include "perf-map.h"
#include "srcline.h"

/* Some 4 s of one CPU. */
#define MAX_CHECKSUMMED (2ull << 30)

/* That of the largest programs is some GB; nor more than half of the memory. */
#define MAX_UNPACKED (4ull << 30)

/* What is known about the files of one dso. */
struct dso_files {
	int fd;                      /* of the binary; -errno: there is none */
	u64 copied;                  /* as guarded_open__binary() says */
	u64 unpacked;                /* of symbols.memory, for .debug */
	bool opened, loaded;
	bool looked_at, is_jit;      /* see symbols__is_jit() */
	struct elf_image image;      /* of the binary */
	struct elf_image debug;      /* of its debug file */
	struct elf_image alt;        /* of what that, or the binary, shares with others' */
	struct symtab symtab;
	struct srclines *srclines;
};

struct symbols {
	struct symbols_opts opts;
	struct machine *machine;
	struct arena *arena;
	VEC(struct dso_files *) files; /* by dso id */
	u32 nr_fds, max_fds;
	bool lacked_fds;
	struct budget checksums;       /* of debug files */
	struct budget names_work;      /* see symbol_name__demangle() */
	struct budget memory;          /* for what is compressed in files: at first max_memory */
	u64 max_memory;
	bool lacked_memory;
	struct guarded_open *guarded;  /* NULL: files can be opened without guard */
	struct kernel_symbols kernel;
};

/* Descriptors that may still be opened: new ones are the lowest there are. */
static u32 free_descriptors(void)
{
	struct rlimit limit = {};
	int lowest = open("/", O_PATH | O_CLOEXEC);

	if (lowest < 0)
		return 0;
	close(lowest);
	getrlimit(RLIMIT_NOFILE, &limit);
	return min_of(limit.rlim_cur, (rlim_t)INT32_MAX) - lowest;
}

struct symbols *symbols__new(const struct symbols_opts *opts, struct machine *machine)
{
	struct symbols *s = xzalloc(sizeof(*s));

	s->opts = *opts;
	s->machine = machine;
	s->arena = arena__new();
	s->checksums.left = MAX_CHECKSUMMED;
	s->names_work.left = NAMES_WORK;
	s->memory.left = s->max_memory = min_of(memory_size() / 2, (u64)MAX_UNPACKED);
	/* A binary takes two mappings, with its debug file. */
	s->max_fds = min_of(free_descriptors() / 4 * 3ull, mapfile__max() / 2);
	/* Who has no rights over others can only be held up by programs of his own. */
	if (!geteuid())
		s->guarded = guarded_open__new(&s->opts);
	kernel_symbols__init(&s->kernel, &s->opts, machine, s->arena);
	return s;
}

static void dso_files__free(struct dso_files *f)
{
	if (!f)
		return;
	srclines__free(f->srclines);
	symtab__free(&f->symtab);
	elf_image__close(&f->alt);
	elf_image__close(&f->debug);
	elf_image__close(&f->image);
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}

void symbols__free(struct symbols *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->files.nr; i++)
		dso_files__free(s->files.v[i]);
	vec__free(&s->files);
	guarded_open__free(s->guarded);
	kernel_symbols__free(&s->kernel);
	arena__free(s->arena);
	free(s);
}

static struct dso_files *symbols__files(struct symbols *s, const struct dso *dso)
{
	struct dso_files **slot;

	while (s->files.nr <= dso->id)
		*vec__push(&s->files) = NULL;
	slot = &s->files.v[dso->id];
	if (!*slot) {
		*slot = xzalloc(sizeof(**slot));
		(*slot)->fd = -ENOENT;
	}
	return *slot;
}

/* The vDSO of this process serves for others when it comes from the same kernel. */
static int symbols__open_vdso(struct symbols *s, const struct dso *dso)
{
	int fd = binary__open_vdso();
	struct build_id id;

	if (fd < 0)
		return fd;
	if (dso->build_id.size ? !build_id__read_fd(fd, &id) &&
				 build_id__equal(&id, &dso->build_id) :
				 kernel_symbols__is_running(&s->kernel))
		return fd;
	close(fd);
	return -ESTALE;
}

static void symbols__open(struct symbols *s, const struct dso *dso, struct dso_files *f,
			  const struct binary_use *use)
{
	f->opened = true;
	if (dso->kind != DSO_USER && dso->kind != DSO_VDSO)
		return;
	while (s->nr_fds >= s->max_fds && machine__forget_dso(s->machine, dso))
		;
	if (s->nr_fds >= s->max_fds) {
		f->fd = -EMFILE;
		s->lacked_fds = true;
		return;
	}
	if (s->guarded && dso->kind == DSO_USER)
		f->fd = guarded_open__binary(s->guarded, dso, use, &f->copied);
	else
		f->fd = binary__open(&s->opts, dso, use);
	if (f->fd < 0 && dso->kind == DSO_VDSO)
		f->fd = symbols__open_vdso(s, dso);
	if (f->fd >= 0)
		s->nr_fds++;
	else
		pr_debug2("%s: %s\n", dso->name, strerror(-f->fd));
}

int symbols__binary_fd(struct symbols *s, const struct dso *dso)
{
	struct dso_files *f = symbols__files(s, dso);

	if (!f->opened)
		symbols__open(s, dso, f, NULL);
	return f->fd;
}

void symbols__open_early(struct symbols *s, const struct dso *dso, u32 pid, u64 start, u64 end)
{
	struct dso_files *f = symbols__files(s, dso);
	struct binary_use use = { pid, start, end };

	if (!f->opened || f->fd < 0)
		symbols__open(s, dso, f, &use);
}

bool symbols__is_jit(struct symbols *s, const struct dso *dso)
{
	static const char memory_file[] = "/memfd:";
	struct dso_files *f;
	char magic[SELFMAG];
	int fd;

	if (dso->kind != DSO_USER || strncmp(dso->path, memory_file, strlen(memory_file)))
		return dso->kind == DSO_ANON;
	f = symbols__files(s, dso);
	if (f->looked_at)
		return f->is_jit;
	fd = symbols__binary_fd(s, dso);
	f->looked_at = fd >= 0;
	/* A build-id was read from an ELF header. */
	f->is_jit = !dso->build_id.size && (fd < 0 || pread(fd, magic, SELFMAG, 0) != SELFMAG ||
					    memcmp(magic, ELFMAG, SELFMAG));
	return f->is_jit;
}

static int symbols__open_wanted(struct symbols *s, const struct debug_wanted *want)
{
	if (s->guarded)
		return guarded_open__debug(s->guarded, want, &s->checksums);
	return debug_wanted__open(want, &s->opts, &s->checksums);
}

int symbols__open_debug(struct symbols *s, const struct dso *dso, const struct elf_image *img)
{
	struct debug_wanted want;

	return debug_wanted__of(&want, dso, img) ? symbols__open_wanted(s, &want) : -ENOENT;
}

u32 symbols__nr_given_up(const struct symbols *s)
{
	return s->guarded ? guarded_open__nr_given_up(s->guarded) : 0;
}

int symbols__memory_error(const struct symbols *s, struct error *err)
{
	if (!s->lacked_memory)
		return 0;
	return error__set(err, -ENOMEM,
			  "some names or source lines are missing: what is compressed in the "
			  "binaries and their debug files is more than %" PRIu64 " MB; `objcopy "
			  "--decompress-debug-sections` unpacks it on disk",
			  s->max_memory >> 20);
}

bool symbols__lacked_descriptors(const struct symbols *s)
{
	return s->lacked_fds;
}

void symbols__forget(struct symbols *s, const struct dso *dso)
{
	struct dso_files *f = dso->id < s->files.nr ? s->files.v[dso->id] : NULL;

	if (!f)
		return;
	s->nr_fds -= f->fd >= 0;
	if (f->copied)
		guarded_open__drop(s->guarded, f->copied);
	budget__give_back(&s->memory, f->unpacked);
	dso_files__free(f);
	s->files.v[dso->id] = NULL;
}

static int symbols__open_mini_debug(struct symbols *s, struct dso_files *f)
{
	int fd = binary__open_mini_debug(&f->image, &s->memory, &f->unpacked);

	s->lacked_memory |= fd == -ENOMEM;
	return fd;
}

static void symbols__load_elf(struct symbols *s, const struct dso *dso, struct dso_files *f)
{
	int fd = symbols__binary_fd(s, dso);

	if (fd >= 0)
		elf_image__open(&f->image, fd);
	if (!f->image.elf || !elf_image__has_symtab(&f->image)) {
		fd = symbols__open_debug(s, dso, &f->image);
		if (fd < 0 && f->image.elf)
			fd = symbols__open_mini_debug(s, f);
		if (fd >= 0) {
			elf_image__open(&f->debug, fd);
			close(fd);
		}
	}
	if (f->debug.elf)
		elf_image__add_symbols(&f->debug, &f->symtab);
	if (f->image.elf) {
		elf_image__add_symbols(&f->image, &f->symtab);
		if (!elf_image__has_symtab(&f->image) && !f->debug.elf)
			elf_image__add_go_symbols(&f->image, &f->symtab);
		elf_image__add_plt(&f->image, &f->symtab, s->arena);
	}
}

static void symbols__load_perf_map(struct symbols *s, const struct dso *dso, struct dso_files *f)
{
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", (int)dso->pid);
	if (perf_map__load(&f->symtab, s->arena, path) == -EPERM)
		pr_debug("%s is neither yours nor root's: not used\n", path);
}

static struct dso_files *symbols__load(struct symbols *s, const struct dso *dso)
{
	struct dso_files *f = symbols__files(s, dso);
	struct raw_symbol bpf = { .start = dso->start, .end = dso->end, .name = dso->name,
				  .is_code = true };

	if (f->loaded)
		return f;
	f->loaded = true;
	switch (dso->kind) {
	case DSO_USER:
	case DSO_VDSO:
		if (symbols__is_jit(s, dso)) {
			symbols__load_perf_map(s, dso, f);
			break;
		}
		/* Only here: kernel names are C, and JIT compilers write names for people. */
		f->symtab.demangle_into = s->opts.no_demangle ? NULL : s->arena;
		f->symtab.work = &s->names_work;
		symbols__load_elf(s, dso, f);
		break;
	case DSO_ANON:
		if (!strncmp(dso->name, "/tmp/perf-", 10))
			symbols__load_perf_map(s, dso, f);
		break;
	case DSO_BPF:
		symtab__add(&f->symtab, &bpf);
		break;
	case DSO_KERNEL:
	case DSO_MODULE:
		break;
	}
	symtab__seal(&f->symtab);
	return f;
}

static bool is_kernel_space(const struct dso *dso)
{
	return dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;
}

u64 symbols__table_addr(struct symbols *s, const struct dso *dso, u64 addr)
{
	struct dso_files *f;

	if (is_kernel_space(dso))
		return kernel_symbols__table_addr(&s->kernel, dso, addr);
	f = symbols__load(s, dso);
	if (dso->kind != DSO_USER && dso->kind != DSO_VDSO)
		return addr;
	if (!elf_image__vaddr(&f->image, addr, &addr))
		elf_image__vaddr(&f->debug, addr, &addr);
	return addr;
}

const struct symbol *symbols__find(struct symbols *s, const struct dso *dso, u64 addr)
{
	struct symtab *t;

	if (is_kernel_space(dso))
		t = kernel_symbols__table(&s->kernel, dso);
	else
		t = &symbols__load(s, dso)->symtab;
	return t ? symtab__find(t, addr) : NULL;
}

void symbols__resolve(struct symbols *s, const struct thread *t, u8 cpumode, u64 ip,
		      bool is_return, struct location *out)
{
	u64 back = is_return && ip ? 1 : 0, addr;

	memset(out, 0, sizeof(*out));
	out->addr = ip;
	out->map = machine__find_map(s->machine, t, cpumode, ip - back);
	if (!out->map)
		return;
	out->dso = out->map->dso;
	/* JIT compilers tell where code is, not where it lies in the memory file. */
	addr = symbols__is_jit(s, out->dso) ? ip - back : map__dso_addr(out->map, ip - back);
	out->addr = symbols__table_addr(s, out->dso, addr);
	out->sym = symbols__find(s, out->dso, out->addr);
	out->addr += back;
}

static struct srclines *symbols__open_srclines(struct symbols *s, const struct dso *dso,
					       struct dso_files *f)
{
	const struct elf_image *img = &f->image;
	struct debug_wanted want;
	int fd;

	if (!srclines__are_in(img) && !f->debug.elf) {
		fd = symbols__open_debug(s, dso, &f->image);
		if (fd >= 0) {
			elf_image__open(&f->debug, fd);
			close(fd);
		}
	}
	if (!srclines__are_in(img))
		img = &f->debug;
	if (debug_wanted__of_alt(&want, img)) {
		fd = symbols__open_wanted(s, &want);
		if (fd >= 0) {
			elf_image__open(&f->alt, fd);
			close(fd);
		}
	}
	return srclines__new(img, &f->alt, &s->memory);
}

const char *symbols__srcline(struct symbols *s, const struct dso *dso, u64 addr)
{
	struct dso_files *f;

	if (dso->kind != DSO_USER && dso->kind != DSO_VDSO)
		return NULL;
	f = symbols__load(s, dso);
	if (!f->srclines) {
		f->srclines = symbols__open_srclines(s, dso, f);
		s->lacked_memory |= srclines__lack_memory(f->srclines);
	}
	return srclines__find(f->srclines, addr, s->arena);
}

void symbols__load_kernel(struct symbols *s)
{
	kernel_symbols__load(&s->kernel);
}

int symbols__kernel_error(struct symbols *s, struct error *err)
{
	return kernel_symbols__error(&s->kernel, err);
}
