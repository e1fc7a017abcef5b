// SPDX-License-Identifier: GPL-2.0-only
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "../io/secure-env.h"
#include "../io/write-all.h"
#include "binary.h"
#include "build-id.h"
#include "by-name.h"

/* False when both have a build-id, and these differ. */
static bool is_build_id_ok(int fd, const struct dso *dso)
{
	struct build_id id;

	if (!dso->build_id.size)
		return true;
	return !build_id__read_fd(fd, &id) && build_id__equal(&id, &dso->build_id);
}

/*
 * On the recorded machine itself another inode means that the file was replaced, or belongs to
 * another container. It means nothing on a stacked or multi-volume file system (device major 0):
 * there the kernel may have recorded the inode of the file underneath.
 */
static bool is_inode_ok(int fd, const struct dso *dso)
{
	struct stat st;

	if (dso->build_id.size || !dso->ino)
		return true;
	if (fstat(fd, &st))
		return false;
	return st.st_ino == dso->ino ||
	       (!major(st.st_dev) && st.st_dev != makedev(dso->maj, dso->min));
}

/* Returns @fd; or closes it and returns -errno when it is not a file of @dso. */
static int check_fd(int fd, const struct dso *dso, bool check_inode)
{
	if (fd < 0 || (is_build_id_ok(fd, dso) && (!check_inode || is_inode_ok(fd, dso))))
		return fd;
	close(fd);
	return -ESTALE;
}

/* @local: the file must be on a local file system; NULL: on any. */
static int open_linked(const char *path, const struct dso *dso, bool check_inode,
		       struct mounts *local)
{
	return check_fd(local ? regular_file__open_local(path, local) : regular_file__open(path),
			dso, check_inode);
}

int binary__open_mapped(const struct dso *dso, const struct binary_use *use, struct mounts *local)
{
	char path[PATH_MAX];
	int fd = -ENOENT;

	if (use->pid == NO_ID)
		return -ENOENT;
	if (use->end) {
		snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", use->pid,
			 (unsigned long long)use->start, (unsigned long long)use->end);
		fd = open_linked(path, dso, false, local);
	}
	/* The program itself: for users without the capability that map_files takes. */
	if (fd < 0 && (dso->ino || dso->build_id.size)) {
		snprintf(path, sizeof(path), "/proc/%u/exe", use->pid);
		fd = open_linked(path, dso, true, local);
	}
	return fd;
}

/* Through a process that maps it: finds files of containers, deleted files and memory files. */
static int open_through(const struct binary_use *use, const struct dso *dso)
{
	int fd = binary__open_mapped(dso, use, NULL);
	char path[PATH_MAX];

	if (fd < 0 && use->pid != NO_ID && dso->path[0] == '/' &&
	    (size_t)snprintf(path, sizeof(path), "/proc/%u/root%s", use->pid, dso->path) <
	    sizeof(path))
		fd = open_linked(path, dso, false, NULL);
	return fd;
}

static int open_live(const struct dso *dso, const struct binary_use *use)
{
	int fd = use ? open_through(use, dso) : -ENOENT;

	if (fd < 0 && (!use || use->pid != dso->pid || use->start != dso->start))
		fd = open_through(&(struct binary_use){ dso->pid, dso->start, dso->end }, dso);
	return fd;
}

int build_id_cache__dir(const struct binary_opts *opts, char *buf, size_t size)
{
	const char *dir = opts->buildid_dir, *sub = "";
	int len;

	if (!dir)
		dir = secure_env__get("PERF_BUILDID_DIR"); /* set by a perf that runs this one */
	if (!dir) {
		dir = secure_env__home();
		sub = "/.debug";
	}
	if (!dir || !*dir)
		return -ENOENT;
	len = snprintf(buf, size, "%s%s", dir, sub);
	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

int build_id_cache__path(const struct binary_opts *opts, const struct build_id *id,
			 const char *leaf, char *buf, size_t size)
{
	char dir[PATH_MAX], hex[2 * BUILD_ID_MAX + 1];
	int len, ret = build_id_cache__dir(opts, dir, sizeof(dir));

	if (ret)
		return ret;
	build_id__format(id, hex, sizeof(hex));
	len = snprintf(buf, size, "%s/.build-id/%.2s/%s/%s", dir, hex, hex + 2, leaf);
	return len < 0 || (size_t)len >= size ? -ENAMETOOLONG : 0;
}

static int open_cached(const struct binary_opts *opts, const struct dso *dso, const char *leaf,
		       struct mounts *at_once)
{
	char path[PATH_MAX];

	if (!dso->build_id.size ||
	    build_id_cache__path(opts, &dso->build_id, leaf, path, sizeof(path)))
		return -ENOENT;
	return check_fd(by_name__open(path, at_once), dso, false);
}

/* Of "PATH (deleted)" that of PATH: the file that is there now may be the same build. */
static size_t path_length(const struct dso *dso)
{
	static const char deleted[] = " (deleted)";
	size_t len = strlen(dso->path), tail = strlen(deleted);

	if (dso->build_id.size && len > tail && !strcmp(dso->path + len - tail, deleted))
		len -= tail;
	return len;
}

/* The length of the directory in @symfs, and whether all files lie in it alone. */
static int symfs_dir(const char *symfs, bool *flat)
{
	const char *comma = strrchr(symfs, ',');

	*flat = comma && !strcmp(comma, ",flat");
	return *flat || (comma && !strcmp(comma, ",hierarchy")) ? comma - symfs
								: (int)strlen(symfs);
}

int symfs__path(const struct binary_opts *opts, const char *path, size_t len, char *buf,
		size_t size)
{
	const char *symfs = opts->symfs ?: "", *slash = memrchr(path, '/', len);
	bool flat;
	int dir = symfs_dir(symfs, &flat), from = flat && slash ? slash - path : 0;

	return (size_t)snprintf(buf, size, "%.*s%.*s", dir, symfs, (int)len - from,
				path + from) < size ? 0 : -ENAMETOOLONG;
}

static int open_path(const struct binary_opts *opts, const struct dso *dso,
		     struct mounts *at_once)
{
	char path[PATH_MAX];

	if (symfs__path(opts, dso->path, path_length(dso), path, sizeof(path)))
		return -ENAMETOOLONG;
	return check_fd(by_name__open(path, at_once), dso, opts->live);
}

/* The process's own root comes first, unless the build-id tells that another name is right. */
static int open_live_at_once(const struct binary_opts *opts, const struct dso *dso,
			     struct mounts *at_once)
{
	int fd = dso->build_id.size ? open_path(opts, dso, at_once) : -EAGAIN;

	return fd < 0 ? -EAGAIN : fd;
}

int binary__open(const struct binary_opts *opts, const struct dso *dso,
		 const struct binary_use *use, struct mounts *at_once)
{
	int fd = -ENOENT, cached;

	if (dso->path[0] != '/' && dso->kind == DSO_USER)
		return -ENOENT;
	if (opts->live && dso->kind == DSO_USER && at_once)
		return open_live_at_once(opts, dso, at_once);
	if (opts->live && dso->kind == DSO_USER)
		fd = open_live(dso, use);
	if (fd < 0 && dso->kind == DSO_USER)
		fd = open_path(opts, dso, at_once);
	if (fd >= 0 || by_name__is_unsure(fd, at_once))
		return fd;
	cached = open_cached(opts, dso, dso->kind == DSO_VDSO ? "vdso" : "elf", at_once);
	/* That another build has the name tells more than that this one is not in the cache. */
	return cached == -ENOENT ? fd : cached;
}

int binary__open_vdso(void)
{
	const u8 *base = (const u8 *)getauxval(AT_SYSINFO_EHDR);
	GElf_Ehdr ehdr; /* the vDSO has the class of this program, 64 bit */
	size_t size;
	int fd, err;

	if (!base)
		return -ENOENT;
	memcpy(&ehdr, base, sizeof(ehdr));
	size = ehdr.e_shoff + (size_t)ehdr.e_shnum * ehdr.e_shentsize;
	fd = memfd_create("[vdso]", MFD_CLOEXEC);
	if (fd < 0)
		return -errno;
	err = write_all(fd, base, size, NULL);
	if (err) {
		close(fd);
		return err;
	}
	return fd;
}
