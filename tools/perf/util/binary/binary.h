/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding and opening the files behind dsos. Paths come from recordings and are not to be trusted:
 * see regular_file__open().
 */
#ifndef PERF_BINARY_BINARY_H
#define PERF_BINARY_BINARY_H

#include <limits.h>

#include "../elf/elf-image.h"
#include "../state/machine.h"

struct binary_opts {
	const char *symfs;       /* prefix for user binaries, or NULL */
	const char *buildid_dir; /* NULL: $PERF_BUILDID_DIR, or else $HOME/.debug */
	bool no_unwind_cache;    /* row tables are neither kept there nor used from there */
	bool live;               /* the recorded machine is this one, now */
};

/* A process that maps a binary, and where. */
struct binary_use {
	u32 pid;
	u64 start, end;
};

/*
 * The binary of @dso; @use: who maps it besides the process that the dso names, or NULL. Its
 * build-id, where both are known, is the dso's. A descriptor that the caller owns, or -errno.
 * @at_once: as regular_file__open_at_once() opens files, with the same -EAGAIN; NULL: as long as it
 * takes.
 */
struct mounts;
int binary__open(const struct binary_opts *opts, const struct dso *dso,
		 const struct binary_use *use, struct mounts *at_once);

/*
 * The same by what the kernel knows that @use maps, or runs: no name is looked up. @local: it must
 * be on a local file system, else -EREMOTE; NULL: on any.
 */
int binary__open_mapped(const struct dso *dso, const struct binary_use *use,
			struct mounts *local);

/* What is to be known of a binary to find its debug file. */
struct debug_wanted {
	struct build_id id;     /* as recorded, or of the binary itself; size 0: none */
	struct build_id own_id; /* of the binary itself */
	char binary[PATH_MAX];  /* its path; "" when it is too long */
	char link[NAME_MAX + 1]; /* of .gnu_debuglink: a file's name, "" for none */
	u32 crc;                /* likewise: its checksum */
	bool is_alt;            /* what is wanted is the file that .binary names */
};

/* False: nothing leads to a debug file. */
bool debug_wanted__of(struct debug_wanted *want, const struct dso *dso,
		      const struct elf_image *img);

/*
 * The same of the file that several debug files share what they have in common in, as
 * .gnu_debugaltlink of @img names it.
 */
bool debug_wanted__of_alt(struct debug_wanted *want, const struct elf_image *img);

/*
 * As binaries__open_debug(). @checksums: the bytes that may be read for them; NULL: no limit.
 * @at_once: as of binary__open(); -EAGAIN also where a checksum would have to be read.
 */
struct budget;
int debug_wanted__open(const struct debug_wanted *want, const struct binary_opts *opts,
		       struct budget *checksums, struct mounts *at_once);

/* Both, for a binary. */
int binary__open_debug(const struct binary_opts *opts, const struct dso *dso,
		       const struct elf_image *img, struct budget *checksums);

/* A memory file with the vDSO of this process, which the kernel gives to all. Or -errno. */
int binary__open_vdso(void);

/*
 * The symbol table packed into @img itself, as a memory file, whose size is taken out of @memory
 * and added to @taken; -ENOENT; -ENOMEM: it is larger than what is left; or another -errno.
 */
int binary__open_mini_debug(const struct elf_image *img, struct budget *memory, u64 *taken);

/* The directory of the build-id cache. 0, -ENOENT, or -ENAMETOOLONG. */
int build_id_cache__dir(const struct binary_opts *opts, char *buf, size_t size);

/* Path inside the build-id cache: DIR/.build-id/xx/yyy/LEAF. -ENAMETOOLONG when too long. */
int build_id_cache__path(const struct binary_opts *opts, const struct build_id *id,
			 const char *leaf, char *buf, size_t size);

#endif
