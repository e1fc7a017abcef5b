// SPDX-License-Identifier: GPL-2.0-only
#include "bundle-fill.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../base/log.h"
#include "../io/procfile.h"
#include "build-id.h"
#include "dwarf-files.h"

/* The file into which dwz(1) moved what several debug files have in common. */
static void add_alt(struct bundle_writer *w, struct binaries *b, const struct dwarf_file *dwarf,
		    enum bundle_parts parts, struct bundle_debug *debug)
{
	struct dwarf_file alt;
	struct elf_image img;
	struct build_id id;

	if (!elf_image__open(&img, dwarf->fd) && !dwarf_file__open_alt(b, dwarf, &img, &alt)) {
		if (!build_id__read_fd(alt.fd, &id))
			debug->packed += !bundle_writer__add_id(w, "debug", &id, alt.fd, parts);
		dwarf_file__close(&alt);
	}
	elf_image__close(&img);
}

static bool is_same_file(int a, int b)
{
	struct stat sa, sb;

	return !fstat(a, &sa) && !fstat(b, &sb) && sa.st_ino == sb.st_ino &&
	       sa.st_dev == sb.st_dev;
}

static void add_debug(struct bundle_writer *w, struct binaries *b, const struct dso *dso,
		      int binary, enum bundle_parts parts, struct bundle_debug *debug)
{
	struct dwarf_file dwarf = { .fd = -1 }, package;
	struct elf_image img;

	if (!elf_image__open(&img, binary) && !dwarf_file__open(b, dso, &img, &dwarf)) {
		if (!is_same_file(binary, dwarf.fd))
			debug->packed += !bundle_writer__add_id(w, "debug", &dso->build_id,
								dwarf.fd, parts);
		add_alt(w, b, &dwarf, parts, debug);
		if (!dwarf_file__open_package(b, dso, &dwarf, &package))
			debug->packed += !bundle_writer__add_id(w, BUNDLE_PACKAGE, &dso->build_id,
								package.fd, parts);
		dwarf_file__close(&package);
	} else {
		pr_debug("%s: no debug file is here\n", dso->path);
		debug->missing++;
	}
	dwarf_file__close(&dwarf);
	elf_image__close(&img);
}

int bundle__add_binary(struct bundle_writer *w, struct binaries *b, const struct dso *dso,
		       enum bundle_parts parts, struct bundle_debug *debug)
{
	bool vdso = dso->kind == DSO_VDSO;
	int fd = binaries__fd(b, dso), ret;

	if (fd < 0)
		return -EINVAL;
	ret = bundle_writer__add_id(w, vdso ? "vdso" : "elf", &dso->build_id, fd, parts);
	if (!ret && !vdso)
		add_debug(w, b, dso, fd, parts, debug);
	return ret;
}

int bundle__add_kernel(struct bundle_writer *w, const struct binary_opts *opts,
		       const struct build_id *id)
{
	char path[PATH_MAX] = "/proc/kallsyms", name[64], hex[2 * BUILD_ID_MAX + 1], *text;
	struct build_id running;
	size_t size;
	int ret = -EACCES;

	if ((build_id__read_kernel(&running) || !build_id__equal(&running, id)) &&
	    build_id_cache__path(opts, id, "kallsyms", path, sizeof(path)))
		return -ENOENT;
	if (procfile__read(path, &text, &size))
		return -ENOENT;
	build_id__format(id, hex, sizeof(hex));
	snprintf(name, sizeof(name), "kallsyms/%s", hex);
	if (strspn(text, "0") < 8) /* all addresses are 0 for who may not see them */
		ret = bundle_writer__add_bytes(w, name, text, size);
	free(text);
	return ret;
}

/* The file that the user has named counts if it is the recorded kernel's. */
static int open_kernel_debug(struct binaries *b, const struct dso *dso, const struct build_id *id,
			     const struct bundle_kernel *kernel, struct dwarf_file *out)
{
	struct build_id found;
	int ret;

	if (dso->kind != DSO_KERNEL || !kernel->vmlinux)
		return dwarf_file__open_kernel(b, dso, id, kernel->release, out);
	ret = dwarf_file__open_path(kernel->vmlinux, out);
	if (ret || (!build_id__read_fd(out->fd, &found) && build_id__equal(&found, id)))
		return ret;
	dwarf_file__close(out);
	return -ESTALE;
}

int bundle__add_kernel_debug(struct bundle_writer *w, struct binaries *b, const struct dso *dso,
			     const struct build_id *id, const struct bundle_kernel *kernel,
			     struct bundle_debug *debug)
{
	struct dwarf_file dwarf;
	int ret = open_kernel_debug(b, dso, id, kernel, &dwarf);

	if (!ret) {
		ret = bundle_writer__add_id(w, "debug", id, dwarf.fd, BUNDLE_NAMES);
		debug->packed += !ret;
		add_alt(w, b, &dwarf, BUNDLE_NAMES, debug);
	} else {
		pr_debug("%s: no debug file is here\n", dso->path);
		debug->missing++;
	}
	dwarf_file__close(&dwarf);
	return ret;
}
