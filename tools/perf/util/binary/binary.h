/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding and opening the files behind dsos. Paths come from recordings and are not to be trusted:
 * see regular_file__open().
 */
#ifndef PERF_BINARY_BINARY_H
#define PERF_BINARY_BINARY_H

#include <limits.h>

#include "../elf/elf-file.h"
#include "../state/machine.h"

struct budget;
struct bundle;
struct debuginfod_opts;
struct mounts;

struct binary_opts {
	/*
	 * Prefix for user binaries, or NULL. "DIR,flat": they lie in DIR itself, without the
	 * folders of their paths; "DIR,hierarchy" is the same as "DIR".
	 */
	const char *symfs;
	const char *buildid_dir; /* NULL: $PERF_BUILDID_DIR, or else $HOME/.debug */
	bool no_unwind_cache;    /* row tables are neither kept there nor used from there */
	const char *recording;   /* its path: what belongs to it may lie beside it; or NULL */
	const struct bundle *bundle; /* files are first looked for there; or NULL */
	/* Where files are asked for that are not here; NULL: nowhere. */
	const struct debuginfod_opts *debuginfod;
	bool live;               /* the recorded machine is this one, now */
};

#define OPT_SYMFS(binary_opts)                                                                \
	OPT_STRING(0, "symfs", &(binary_opts).symfs, "dir[,layout]",                          \
		   "look for binaries below this directory")

#define OPT_NO_UNWIND_CACHE(binary_opts)                                                      \
	OPT_BOOL(0, "no-unwind-cache", &(binary_opts).no_unwind_cache,                        \
		 "neither read nor write unwind tables on disk")

/*
 * Writes the name that a file has below symfs.
 * @path, @len: of the file: the characters that count
 * Returns: 0; -ENAMETOOLONG.
 */
int symfs__path(const struct binary_opts *opts, const char *path, size_t len, char *buf,
		size_t size);

/* A process that maps a binary, and where. */
struct binary_use {
	u32 pid;
	u64 start, end;
};

/*
 * Opens the binary of @dso: one whose build-id, where both are known, is the dso's.
 * @use: a process that maps it, besides the one that the dso names; or NULL
 * @at_once: as regular_file__open_at_once() opens files, with the same -EAGAIN; NULL: as long as it
 *         takes
 * Returns: a descriptor that the caller owns; -ESTALE: there is another build; another -errno.
 */
int binary__open(const struct binary_opts *opts, const struct dso *dso,
		 const struct binary_use *use, struct mounts *at_once);

/*
 * The same through a process, by what the kernel knows that it maps or runs: no name is looked up.
 * @use: the process, and where it maps the binary
 * @local: the file must be on a local file system; NULL: on any
 * Returns: a descriptor that the caller owns; -EREMOTE when it is not on a local file system;
 *         another -errno.
 */
int binary__open_mapped(const struct dso *dso, const struct binary_use *use,
			struct mounts *local);

enum wanted_kind {
	WANT_DEBUG, /* the debug file of a binary: by build-id or checksum */
	WANT_ALT,   /* the file that .gnu_debugaltlink names: by build-id */
	WANT_LOCAL, /* by build-id, but not of a server: kernels have 1 GB */
	WANT_NAMED, /* whatever has the name, as files of split units have no build-id */
};

/* What is to be known of a binary to find its debug file. */
struct debug_wanted {
	enum wanted_kind kind;
	struct build_id id;     /* as recorded, or of the binary itself; size 0: none */
	struct build_id own_id; /* of the binary itself */
	char binary[PATH_MAX];  /* its path, or that of what is wanted; "" when it is too long */
	char link[NAME_MAX + 1]; /* of .gnu_debuglink: a file's name, "" for none */
	u32 crc;                /* the same: its checksum */
};

/*
 * Gathers what is to be known of a binary to find its debug file.
 * @want: filled
 * @dso: the binary as it was recorded
 * @img: its contents
 * Returns: false when nothing leads to a debug file.
 */
bool debug_wanted__of(struct debug_wanted *want, const struct dso *dso,
		      const struct elf_image *img);

/*
 * The same for the file into which several debug files have moved what they have in common: the one
 * that .gnu_debugaltlink of @img names (dwz(1)).
 * @want: filled
 * @img: the file that names it
 * @path: where that lies, as relative names begin in its directory; "" when it is not known
 * Returns: false when it names none.
 */
bool debug_wanted__of_alt(struct debug_wanted *want, const struct elf_image *img,
			  const char *path);

/*
 * Opens the debug file that is wanted; the places are those of binaries__open_debug().
 * @checksums: the bytes that may be read for checksums; NULL: no limit
 * @at_once: as of binary__open(); -EAGAIN also when a checksum would have to be read
 * Returns: a descriptor that the caller owns; -ENOENT; another -errno.
 */
int debug_wanted__open(const struct debug_wanted *want, const struct binary_opts *opts,
		       struct budget *checksums, struct mounts *at_once);

/*
 * debug_wanted__of() and debug_wanted__open() in one.
 * @checksums: the bytes that may be read for checksums; NULL: no limit
 * Returns: a descriptor that the caller owns; -ENOENT; another -errno.
 */
int binary__open_debug(const struct binary_opts *opts, const struct dso *dso,
		       const struct elf_image *img, struct budget *checksums);

/*
 * Makes a memory file with the vDSO of this process, which is the same in all.
 * Returns: a descriptor that the caller owns, or -errno.
 */
int binary__open_vdso(void);

/*
 * Unpacks the symbol table in .gnu_debugdata of @img into a memory file.
 * @memory: the size of the file is taken out of it; NULL: no limit
 * @taken: grows by that size
 * Returns: a descriptor that the caller owns; -ENOENT: there is none; -ENOMEM: it is larger than
 *         what is left of @memory; another -errno.
 */
int binary__open_mini_debug(const struct elf_image *img, struct budget *memory, u64 *taken);

/*
 * Writes the directory of the build-id cache to @buf.
 * Returns: 0; -ENOENT when it is not known; -ENAMETOOLONG.
 */
int build_id_cache__dir(const struct binary_opts *opts, char *buf, size_t size);

/*
 * Writes the path of a file in the build-id cache to @buf: DIR/.build-id/xx/yyy/LEAF.
 * @id: its first byte is xx, the others are yyy
 * @leaf: the name of the file: "elf", "debug"
 * Returns: 0; -ENOENT when the directory is not known; -ENAMETOOLONG.
 */
int build_id_cache__path(const struct binary_opts *opts, const struct build_id *id,
			 const char *leaf, char *buf, size_t size);

#endif
