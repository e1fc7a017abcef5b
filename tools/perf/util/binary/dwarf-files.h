/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files with the DWARF of a binary: the binary or its debug file, the file into which dwz(1)
 * moved what several debug files have in common, and the files of units that were split off
 * (-gsplit-dwarf: .dwo, packed as .dwp).
 *
 * Names and contents come from recordings and binaries, and are not to be trusted: only regular
 * files are opened, and for root as guarded-open.h says. A debug file or a dwz file has the
 * build-id that is asked for, or the checksum; files of split units have neither, and whoever reads
 * one compares the id of its units (DW_AT_GNU_dwo_id, or in the header of a unit of DWARF 5) with
 * that of the unit which names it.
 */
#ifndef PERF_BINARY_DWARF_FILES_H
#define PERF_BINARY_DWARF_FILES_H

#include "binaries.h"

struct dwarf_file {
	int fd;              /* the caller's, until dwarf_file__close() */
	char path[PATH_MAX]; /* where it lies; "" when it has no name */
};

/* Also of one that was not opened, if .fd is negative. */
void dwarf_file__close(struct dwarf_file *f);

/*
 * Opens the file with the lines and functions of @dso: the binary itself when .debug_info and
 * .debug_line are in it, or else what binaries__open_debug() finds.
 * @img: the binary of @dso; not opened (.elf is NULL): only its debug file is looked for
 * @out: .fd is negative after an error
 * Returns: 0; -ENOENT: there is none; another -errno.
 */
int dwarf_file__open(struct binaries *b, const struct dso *dso, const struct elf_image *img,
		     struct dwarf_file *out);

/*
 * Opens the file with the lines and functions of the kernel or of a module: by its build-id where
 * binaries__open_debug() looks, but not from servers; or where distributions put it by its name and
 * release, and builders leave it, if it has that build-id.
 * @dso: the kernel or the module
 * @id: its build-id
 * @release: of the kernel, as uname(2) says; or NULL
 * @out: as above
 * Returns: 0; -ENOENT: there is none; another -errno.
 */
int dwarf_file__open_kernel(struct binaries *b, const struct dso *dso, const struct build_id *id,
			    const char *release, struct dwarf_file *out);

/* Opens a file that the user has named, @path. Returns as the others. */
int dwarf_file__open_path(const char *path, struct dwarf_file *out);

/*
 * Opens the file that .gnu_debugaltlink names.
 * @dwarf: what dwarf_file__open() has returned: relative names begin in its directory
 * @img: its contents
 * @out: as above
 * Returns: 0; -ENOENT: none is named, or it is not there; another -errno.
 */
int dwarf_file__open_alt(struct binaries *b, const struct dwarf_file *dwarf,
			 const struct elf_image *img, struct dwarf_file *out);

/*
 * Opens the package of split units: that of a bundle, or the name of the binary, or of its debug
 * file, with ".dwp".
 * @dwarf: what dwarf_file__open() has returned
 * @out: as above
 * Returns: 0; -ENOENT; another -errno.
 */
int dwarf_file__open_package(struct binaries *b, const struct dso *dso,
			     const struct dwarf_file *dwarf, struct dwarf_file *out);

/* Opens the file of a split unit, @id, in the bundle, if there is one. Returns as the others. */
int dwarf_file__open_bundled_split(struct binaries *b, u64 id, struct dwarf_file *out);

/*
 * Opens the file of one split unit: where it was compiled, or beside the binary.
 * @comp_dir: DW_AT_comp_dir of the unit that names it; or NULL
 * @name: DW_AT_dwo_name or DW_AT_GNU_dwo_name
 * @out: as above
 * Returns: 0; -ENOENT; another -errno.
 */
int dwarf_file__open_split(struct binaries *b, const struct dso *dso, const char *comp_dir,
			   const char *name, struct dwarf_file *out);

#endif
