// SPDX-License-Identifier: GPL-2.0-only
#include "binaries.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../../lib/unwind/core/budget.h"
#include "../base/log.h"
#include "../io/broker.h"
#include "../io/mapfile.h"
#include "build-id.h"
#include "bundle.h"
#include "debuginfod.h"
#include "guarded-open.h"
#include "own-file.h"
#include "recorded-kernel.h"

/* Bytes of debug files: some 4 s of one CPU. */
#define MAX_CHECKSUMMED (2ull << 30)

struct held_file {
	int fd;                /* of the binary, or -errno */
	u64 copied;            /* as guarded_open__binary() says */
	bool opened;
	bool looked_at, is_jit; /* see binaries__is_jit() */
	bool has_debug;         /* its debug file was found, by the build-id that was recorded */
};

struct binaries {
	struct binary_opts opts;
	struct machine *machine;
	VEC(struct held_file *) files; /* by dso id; NULL: not looked for yet */
	u32 nr_fds, max_fds;
	bool lacked_fds;
	struct budget checksums;      /* of debug files */
	int (*open_code)(void *ctx, const struct dso *dso);
	void *open_code_ctx;
	struct guarded_open *guarded; /* NULL: files can be opened directly */
	struct debuginfod *servers;   /* NULL: none are asked */
};

/* How many more can be opened: a new descriptor gets the lowest number that is free. */
static u32 free_descriptors(void)
{
	struct rlimit limit = {};
	int lowest = broker__open("/", O_PATH);

	if (lowest < 0)
		return 0;
	close(lowest);
	getrlimit(RLIMIT_NOFILE, &limit);
	return min_of(limit.rlim_cur, (rlim_t)INT32_MAX) - lowest;
}

static void held_file__free(struct held_file *f)
{
	if (!f)
		return;
	if (f->fd >= 0)
		close(f->fd);
	free(f);
}

struct binaries *binaries__new(const struct binary_opts *opts, struct machine *machine)
{
	struct binaries *b = xzalloc(sizeof(*b));

	b->opts = *opts;
	b->machine = machine;
	b->checksums.left = MAX_CHECKSUMMED;
	/* A binary and its debug file take two mappings. */
	b->max_fds = min_of(free_descriptors() / 4 * 3ull, mapfile__max() / 2);
	/* A user without privileges can only be held up by programs of their own. */
	if (!geteuid() && !broker__is_there())
		b->guarded = guarded_open__new(&b->opts);
	if (opts->debuginfod)
		b->servers = debuginfod__new(opts->debuginfod);
	return b;
}

void binaries__free(struct binaries *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->files.nr; i++)
		held_file__free(b->files.v[i]);
	vec__free(&b->files);
	guarded_open__free(b->guarded);
	debuginfod__free(b->servers);
	free(b);
}

static struct held_file *binaries__file(struct binaries *b, const struct dso *dso)
{
	struct held_file **slot;

	while (b->files.nr <= dso->id)
		*vec__push(&b->files) = NULL;
	slot = &b->files.v[dso->id];
	if (!*slot) {
		*slot = xzalloc(sizeof(**slot));
		(*slot)->fd = -ENOENT;
	}
	return *slot;
}

/* The vDSO of this process serves for others when it comes from the same kernel. */
static int binaries__open_vdso(struct binaries *b, const struct dso *dso)
{
	int fd = binary__open_vdso();
	struct build_id id;

	if (fd < 0)
		return fd;
	if (dso->build_id.size ? !build_id__read_fd(fd, &id) &&
				 build_id__equal(&id, &dso->build_id) :
				 machine__runs_here(b->machine, b->opts.live))
		return fd;
	close(fd);
	return -ESTALE;
}

/* @err: why the binary is not here. Returns a descriptor, or @err. */
static int binaries__download(struct binaries *b, const struct dso *dso, int err)
{
	int fd = debuginfod__find(b->servers, DEBUGINFOD_BINARY, &dso->build_id, dso->name);

	return fd < 0 ? err : fd;
}

/* Returns @fd; or closes it and returns -ESTALE when it is another build. */
static int has_build_id(int fd, const struct build_id *id)
{
	struct build_id found;

	if (!build_id__read_fd(fd, &found) && build_id__equal(&found, id))
		return fd;
	close(fd);
	return -ESTALE;
}

static int binaries__find(struct binaries *b, const struct dso *dso, struct held_file *f,
			  const struct binary_use *use)
{
	const char *kind = dso->kind == DSO_VDSO ? "vdso" : "elf";
	int fd;

	if (dso->kind == DSO_JIT)
		return b->open_code ? b->open_code(b->open_code_ctx, dso) : -ENOENT;
	fd = bundle__of_id(b->opts.bundle, kind, &dso->build_id);
	if (fd >= 0)
		return has_build_id(fd, &dso->build_id);
	if (b->guarded && dso->kind == DSO_USER)
		fd = guarded_open__binary(b->guarded, dso, use, &f->copied);
	else
		fd = binary__open(&b->opts, dso, use, NULL);
	if (fd < 0 && dso->kind == DSO_VDSO)
		return binaries__open_vdso(b, dso);
	return fd < 0 ? binaries__download(b, dso, fd) : fd;
}

static void binaries__open(struct binaries *b, const struct dso *dso, struct held_file *f,
			  const struct binary_use *use)
{
	f->opened = true;
	if (dso->kind != DSO_USER && dso->kind != DSO_VDSO && dso->kind != DSO_JIT)
		return;
	while (b->nr_fds >= b->max_fds && machine__forget_dso(b->machine, dso))
		;
	if (b->nr_fds >= b->max_fds) {
		f->fd = -EMFILE;
		b->lacked_fds = true;
		return;
	}
	f->fd = binaries__find(b, dso, f, use);
	if (f->fd >= 0)
		b->nr_fds++;
	else
		pr_debug2("%s: %s\n", dso->name, strerror(-f->fd));
}

void binaries__on_code(struct binaries *b, int (*open)(void *ctx, const struct dso *dso),
		       void *ctx)
{
	b->open_code = open;
	b->open_code_ctx = ctx;
}

int binaries__fd(struct binaries *b, const struct dso *dso)
{
	struct held_file *f = binaries__file(b, dso);

	if (!f->opened)
		binaries__open(b, dso, f, NULL);
	return f->fd;
}

int binaries__open_beside(const struct binaries *b, const char *path)
{
	return own_file__open_beside(b->opts.recording, path);
}

void binaries__open_early(struct binaries *b, const struct dso *dso, u32 pid, u64 start, u64 end)
{
	struct held_file *f = binaries__file(b, dso);
	struct binary_use use = { pid, start, end };

	if (!f->opened || f->fd < 0)
		binaries__open(b, dso, f, &use);
}

bool binaries__is_jit(struct binaries *b, const struct dso *dso)
{
	static const char memory_file[] = "/memfd:";
	struct held_file *f;
	char magic[SELFMAG];
	int fd;

	if (dso->kind == DSO_JIT)
		return dso->opaque;
	if (dso->kind != DSO_USER || strncmp(dso->path, memory_file, strlen(memory_file)))
		return dso->kind == DSO_ANON;
	f = binaries__file(b, dso);
	if (f->looked_at)
		return f->is_jit;
	fd = binaries__fd(b, dso);
	f->looked_at = fd >= 0;
	/* A build-id was read from an ELF header. */
	f->is_jit = !dso->build_id.size && (fd < 0 || pread(fd, magic, SELFMAG, 0) != SELFMAG ||
					    memcmp(magic, ELFMAG, SELFMAG));
	return f->is_jit;
}

int binaries__open_wanted(struct binaries *b, const struct debug_wanted *want)
{
	int fd = bundle__of_id(b->opts.bundle, "debug", &want->id);

	if (fd >= 0)
		return has_build_id(fd, &want->id);
	if (b->guarded)
		fd = guarded_open__debug(b->guarded, want, &b->checksums);
	else
		fd = debug_wanted__open(want, &b->opts, &b->checksums, NULL);
	return fd < 0 && want->kind < WANT_LOCAL ?
	       debuginfod__find(b->servers, DEBUGINFOD_DEBUG, &want->id, want->binary) : fd;
}

int binaries__servers_error(const struct binaries *b, struct error *err)
{
	return debuginfod__error(b->servers, err);
}

int binaries__open_debug(struct binaries *b, const struct dso *dso, const struct elf_image *img)
{
	struct debug_wanted want;
	int fd = -ENOENT;

	if (debug_wanted__of(&want, dso, img))
		fd = binaries__open_wanted(b, &want);
	if (fd >= 0)
		binaries__file(b, dso)->has_debug = true;
	return fd;
}

/* Not what stands for memory, which may be called like a file: "/dev/zero (deleted)". */
static const struct dso *missing_dso(const struct binaries *b, u32 id)
{
	const struct held_file *f = b->files.v[id];
	const struct dso *dso = machine__dso(b->machine, id);

	if (!f || !f->opened || f->fd >= 0 || f->fd == -EMFILE || f->is_jit)
		return NULL;
	if (!dso || dso->kind != DSO_USER || dso->path[0] != '/')
		return NULL;
	return dso->build_id.size || !strstr(dso->path, " (deleted)") ? dso : NULL;
}

int binaries__missing(const struct binaries *b, u32 *next, struct error *err)
{
	const struct recording *r = machine__recording(b->machine);
	char here[HOST_NAME_MAX + 1] = "";
	const struct dso *dso = NULL;
	const char *what = "is not on this machine";
	int ret;

	while (*next < b->files.nr && !dso)
		dso = missing_dso(b, (*next)++);
	if (!dso)
		return 0;
	ret = b->files.v[dso->id]->fd;
	gethostname(here, sizeof(here) - 1);
	if (ret == -ESTALE)
		what = "was replaced since it was recorded";
	else if (ret != -ENOENT && ret != -ENOTDIR)
		what = strerror(-ret);
	else if (r && r->hostname && !strcmp(r->hostname, here))
		what = "was deleted since it was recorded, or is in a container only";
	return error__set(err, ret, "%s %s%s", dso->path, what,
			  b->files.v[dso->id]->has_debug ? ": names are those of its debug file" :
							   "");
}

u32 binaries__nr_given_up(const struct binaries *b)
{
	return b->guarded ? guarded_open__nr_given_up(b->guarded) : broker__nr_given_up();
}

bool binaries__lacked_descriptors(const struct binaries *b)
{
	return b->lacked_fds;
}

void binaries__forget(struct binaries *b, const struct dso *dso)
{
	struct held_file *f = dso->id < b->files.nr ? b->files.v[dso->id] : NULL;

	if (!f)
		return;
	b->nr_fds -= f->fd >= 0;
	if (f->copied)
		guarded_open__drop(b->guarded, f->copied);
	held_file__free(f);
	b->files.v[dso->id] = NULL;
}

const struct bundle *binaries__bundle(const struct binaries *b)
{
	return b->opts.bundle;
}
