// SPDX-License-Identifier: GPL-2.0-only
#include "dwarf-files.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../io/regular-file.h"
#include "build-id.h"
#include "bundle.h"

void dwarf_file__close(struct dwarf_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -ENOENT;
}

/* The name of what is open, as the kernel knows it: the one that links led to. */
static int dwarf_file__init(struct dwarf_file *f, int fd)
{
	char link[64];
	ssize_t len;

	f->fd = fd;
	f->path[0] = '\0';
	if (fd < 0)
		return fd;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, f->path, sizeof(f->path) - 1);
	f->path[max_of(len, (ssize_t)0)] = '\0';
	/* A copy in memory (guarded-open.h), or deleted: nothing lies beside it. */
	if (f->path[0] != '/' || !strncmp(f->path, "/memfd:", 7))
		f->path[0] = '\0';
	return 0;
}

static bool has_dwarf(const struct elf_image *img)
{
	static const char *const names[] = {
		".debug_info", ".zdebug_info", ".debug_line", ".zdebug_line",
	};
	GElf_Shdr shdr;

	for (size_t i = 0; i < ARRAY_SIZE(names) && img->elf; i++)
		if (elf_image__section(img, names[i], 0, &shdr) && shdr.sh_type != SHT_NOBITS)
			return true;
	return false;
}

int dwarf_file__open(struct binaries *b, const struct dso *dso, const struct elf_image *img,
		     struct dwarf_file *out)
{
	int fd;

	if (has_dwarf(img)) {
		fd = binaries__fd(b, dso);
		if (fd >= 0 && (fd = fcntl(fd, F_DUPFD_CLOEXEC, 0)) < 0)
			fd = -errno;
	} else {
		fd = binaries__open_debug(b, dso, img);
	}
	return dwarf_file__init(out, fd);
}

static int __printf_like(3, 4) open_named(struct binaries *b, struct dwarf_file *out,
					  const char *fmt, ...);

/* Returns 0 when a file that was opened is of that build; or closes it. */
static int check_id(struct dwarf_file *f, const struct build_id *id)
{
	struct build_id found;
	int fd = f->fd;

	if (fd < 0 || (!build_id__read_fd(fd, &found) && build_id__equal(&found, id)))
		return fd < 0 ? fd : 0;
	dwarf_file__close(f);
	return -ENOENT;
}

static int open_kernel_named(struct binaries *b, const char *release, const struct build_id *id,
			     struct dwarf_file *out)
{
	static const struct { const char *before, *behind; } places[] = {
		{ "/usr/lib/debug/boot/vmlinux-", "" },
		{ "/usr/lib/debug/lib/modules/", "/vmlinux" },
		{ "/lib/modules/", "/build/vmlinux" },
		{ "/boot/vmlinux-", "" },
	};
	int err = -ENOENT;

	if (!release || strchr(release, '/'))
		return dwarf_file__init(out, -ENOENT);
	for (size_t i = 0; i < ARRAY_SIZE(places) && err; i++) {
		open_named(b, out, "%s%s%s", places[i].before, release, places[i].behind);
		err = check_id(out, id);
	}
	return err;
}

/* "/lib/modules/RELEASE/kernel/fs/ext4.ko.xz": without what says how it is compressed. */
static int open_module_named(struct binaries *b, const char *path, const struct build_id *id,
			     struct dwarf_file *out)
{
	static const struct { const char *before, *behind; } places[] = {
		{ "/usr/lib/debug", "" }, { "/usr/lib/debug", ".debug" }, { "", "" },
	};
	const char *slash = strrchr(path, '/'), *ko = slash ? strstr(slash, ".ko") : NULL;
	int len = ko ? ko + strlen(".ko") - path : 0, err = -ENOENT;

	if (!len || len > PATH_MAX)
		return dwarf_file__init(out, -ENOENT);
	for (size_t i = 0; i < ARRAY_SIZE(places) && err; i++) {
		open_named(b, out, "%s%.*s%s", places[i].before, len, path, places[i].behind);
		err = check_id(out, id);
	}
	return err;
}

int dwarf_file__open_kernel(struct binaries *b, const struct dso *dso, const struct build_id *id,
			    const char *release, struct dwarf_file *out)
{
	struct debug_wanted want = { .kind = WANT_LOCAL, .id = *id };
	int err;

	dwarf_file__init(out, -ENOENT);
	if (!id->size)
		return -ENOENT;
	dwarf_file__init(out, binaries__open_wanted(b, &want));
	err = check_id(out, id);
	if (!err)
		return 0;
	return dso->kind == DSO_KERNEL ? open_kernel_named(b, release, id, out) :
					 open_module_named(b, dso->path, id, out);
}

int dwarf_file__open_path(const char *path, struct dwarf_file *out)
{
	return dwarf_file__init(out, regular_file__open(path));
}

int dwarf_file__open_alt(struct binaries *b, const struct dwarf_file *dwarf,
			 const struct elf_image *img, struct dwarf_file *out)
{
	struct debug_wanted want;
	int fd = -ENOENT;

	if (img->elf && debug_wanted__of_alt(&want, img, dwarf->path))
		fd = binaries__open_wanted(b, &want);
	return dwarf_file__init(out, fd);
}

/* A file that has no build-id, by its name. */
static int __printf_like(3, 4) open_named(struct binaries *b, struct dwarf_file *out,
					  const char *fmt, ...)
{
	struct debug_wanted want = { .kind = WANT_NAMED };
	va_list ap;
	int len;

	va_start(ap, fmt);
	len = vsnprintf(want.binary, sizeof(want.binary), fmt, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= sizeof(want.binary) || want.binary[0] != '/')
		return dwarf_file__init(out, -ENOENT);
	return dwarf_file__init(out, binaries__open_wanted(b, &want));
}

int dwarf_file__open_package(struct binaries *b, const struct dso *dso,
			     const struct dwarf_file *dwarf, struct dwarf_file *out)
{
	int fd = bundle__of_id(binaries__bundle(b), BUNDLE_PACKAGE, &dso->build_id), ret;

	if (fd >= 0)
		return dwarf_file__init(out, fd);
	ret = open_named(b, out, "%s.dwp", dso->path);
	return ret && dwarf->path[0] ? open_named(b, out, "%s.dwp", dwarf->path) : ret;
}

int dwarf_file__open_bundled_split(struct binaries *b, u64 id, struct dwarf_file *out)
{
	char name[32];

	snprintf(name, sizeof(name), BUNDLE_SPLIT, id);
	return dwarf_file__init(out, bundle__member(binaries__bundle(b), name));
}

int dwarf_file__open_split(struct binaries *b, const struct dso *dso, const char *comp_dir,
			   const char *name, struct dwarf_file *out)
{
	const char *slash = strrchr(name, '/'), *dir = strrchr(dso->path, '/');
	int dir_len = dir ? dir - dso->path : 0, ret = -ENOENT;

	if (name[0] == '/')
		ret = open_named(b, out, "%s", name);
	else if (comp_dir)
		ret = open_named(b, out, "%s/%s", comp_dir, name);
	if (ret && name[0] != '/')
		ret = open_named(b, out, "%.*s/%s", dir_len, dso->path, name);
	if (ret && slash)
		ret = open_named(b, out, "%.*s/%s", dir_len, dso->path, slash + 1);
	return ret;
}
