// SPDX-License-Identifier: GPL-2.0-only
#include "bundle.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "../base/number.h"
#include "../base/vec.h"
#include "../io/broker.h"
#include "../io/mapfile.h"
#include "../io/named-file.h"
#include "../io/tempfile.h"
#include "build-id.h"
#include "tar.h"

#define MAX_RATIO 64     /* times the size of the bundle, of what is not zero */
#define MAX_MEMBERS 65536
#define PAGE 4096
#define CHUNK (1 << 20)
#define MAX_WINDOW 27           /* 128 MB, as of zstd --long */

struct member {
	char name[TAR_NAME_MAX];
	u64 offset, size;
	int fd; /* its copy; -1: none so far */
};

struct bundle {
	struct tempfile unpacked;
	u64 size;         /* of the archive */
	VEC(struct member) members; /* by_name() */
};

/* Unpacks into a file, whose zero pages stay holes. */
struct unpacking {
	int fd;
	u64 size, filled, max, max_filled;
	u8 chunk[CHUNK];
	size_t have;
};

static bool is_zero(const u8 *p, size_t len)
{
	return !len || (!p[0] && !memcmp(p, p + 1, len - 1));
}

static int flush_chunk(struct unpacking *u)
{
	for (size_t at = 0; at < u->have; at += PAGE) {
		size_t len = min_of(u->have - at, (size_t)PAGE);
		ssize_t n;

		if (is_zero(u->chunk + at, len))
			continue;
		u->filled += len;
		if (u->filled > u->max_filled)
			return -EFBIG;
		n = pwrite(u->fd, u->chunk + at, len, u->size + at);
		if (n != (ssize_t)len)
			return n < 0 ? -errno : -ENOSPC;
	}
	u->size += u->have;
	u->have = 0;
	return u->size > u->max ? -EFBIG : 0;
}

static int unpack_frames(struct unpacking *u, ZSTD_DStream *zstd, const struct mapfile *file)
{
	ZSTD_inBuffer in = { .src = file->data, .size = file->size };
	size_t left;
	int ret = 0;
	bool full;

	do {
		ZSTD_outBuffer out = { .dst = u->chunk, .size = CHUNK, .pos = u->have };

		left = ZSTD_decompressStream(zstd, &out, &in);
		if (ZSTD_isError(left))
			return -EBADMSG;
		u->have = out.pos;
		full = u->have == CHUNK;
		if (full)
			ret = flush_chunk(u);
	} while (!ret && (in.pos < in.size || (full && left)));
	if (!ret)
		ret = flush_chunk(u);
	if (!ret && left)
		ret = -EBADMSG; /* it was cut off */
	return ret ? ret : ftruncate(u->fd, u->size) ? -errno : 0;
}

static int unpack(struct bundle *b, const struct mapfile *file, const struct bundle_limits *limits)
{
	struct unpacking *u = xzalloc(sizeof(*u));
	ZSTD_DStream *zstd = ZSTD_createDStream();
	int ret;

	u->fd = b->unpacked.fd;
	u->max = limits->all;
	u->max_filled = max_of(limits->filled, file->size * MAX_RATIO);
	ZSTD_DCtx_setParameter(zstd, ZSTD_d_windowLogMax, MAX_WINDOW);
	ret = unpack_frames(u, zstd, file);
	b->size = u->size;
	ZSTD_freeDStream(zstd);
	free(u);
	return ret;
}

/* By name; of two with one name the first is in front. */
static int by_name(const void *va, const void *vb)
{
	const struct member *a = va, *b = vb;

	return strcmp(a->name, b->name) ?: compare_of(a->offset, b->offset);
}

static struct member *find(const struct bundle *b, const char *name)
{
	size_t from = 0, to = b->members.nr;

	while (from < to) {
		size_t mid = (from + to) / 2;

		if (strcmp(b->members.v[mid].name, name) < 0)
			from = mid + 1;
		else
			to = mid;
	}
	return from < b->members.nr && !strcmp(b->members.v[from].name, name) ?
	       &b->members.v[from] : NULL;
}

static void index_members(struct bundle *b)
{
	u64 at = 0;

	while (b->members.nr < MAX_MEMBERS && at + TAR_BLOCK <= b->size) {
		u8 block[TAR_BLOCK];
		struct tar_member t;

		if (pread(b->unpacked.fd, block, sizeof(block), at) != sizeof(block) ||
		    !tar__decode(block, &t) || t.size > b->size - at - TAR_BLOCK)
			return;
		at += TAR_BLOCK;
		if (t.is_file) {
			struct member *m = vec__push(&b->members);

			*m = (struct member){ .offset = at, .size = t.size, .fd = -1 };
			memcpy(m->name, t.name, sizeof(m->name));
		}
		at += align_up(t.size, (u64)TAR_BLOCK);
	}
}

static int open_unpacked(struct bundle *b, const char *path, const struct mapfile *file,
			 const struct bundle_limits *limits, struct error *err)
{
	int ret = tempfile__open(&b->unpacked, err);

	if (ret)
		return ret;
	ret = unpack(b, file, limits);
	if (ret == -EFBIG)
		return error__set(err, ret, "'%s' is too large when unpacked: more than %llu GB, "
					    "or %llu GB and %d times its size without zeros", path,
				  (unsigned long long)limits->all >> 30,
				  (unsigned long long)limits->filled >> 30, MAX_RATIO);
	if (ret == -EBADMSG)
		return error__set(err, ret, "'%s' is damaged, or cut off", path);
	if (ret)
		return error__set(err, ret, "cannot unpack '%s' into %s: %s", path,
				  b->unpacked.dir, strerror(-ret));
	index_members(b);
	if (b->members.nr)
		qsort(b->members.v, b->members.nr, sizeof(*b->members.v), by_name);
	if (!find(b, BUNDLE_RECORDING))
		return error__set(err, -EINVAL, "'%s' is not a bundle of perf: it has no "
				  BUNDLE_RECORDING, path);
	return 0;
}

static int check_owner(int fd, const char *path, bool force, struct error *err)
{
	struct stat st;

	if (force || fstat(fd, &st) || !st.st_uid || st.st_uid == geteuid())
		return 0;
	error__set(err, -EPERM, "'%s' belongs to neither you nor root", path);
	error__hint(err, "Use --force to read it.");
	return -EPERM;
}

int bundle__open(struct bundle **out, const char *path, bool force, struct error *err)
{
	static const struct bundle_limits limits = { .all = 64ull << 30, .filled = 1ull << 30 };

	return bundle__open_limited(out, path, force, &limits, err);
}

int bundle__open_limited(struct bundle **out, const char *path, bool force,
			 const struct bundle_limits *limits, struct error *err)
{
	static const u8 magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	struct mapfile file = {};
	struct bundle *b;
	u8 first[4];
	int fd, ret;

	*out = NULL;
	fd = strcmp(path, "-") ? named_file__open_regular(path) : -ENOEXEC;
	if (fd < 0)
		return -ENOEXEC; /* what reads recordings knows the words */
	if (pread(fd, first, 4, 0) != 4 || memcmp(first, magic, 4) || mapfile__map(&file, fd)) {
		close(fd);
		return -ENOEXEC;
	}
	b = xzalloc(sizeof(*b));
	b->unpacked.fd = -1;
	ret = check_owner(fd, path, force, err);
	if (!ret)
		ret = open_unpacked(b, path, &file, limits, err);
	mapfile__unmap(&file);
	close(fd);
	if (ret)
		bundle__free(b);
	else
		*out = b;
	return ret;
}

void bundle__free(struct bundle *b)
{
	if (!b)
		return;
	tempfile__close(&b->unpacked);
	for (size_t i = 0; i < b->members.nr; i++)
		if (b->members.v[i].fd >= 0)
			close(b->members.v[i].fd);
	vec__free(&b->members);
	free(b);
}

static int copy_range(int to, int from, u64 offset, u64 size)
{
	u8 *buf = xmalloc(CHUNK);
	u64 done = 0;
	int ret = 0;

	while (!ret && done < size) {
		/* What is a hole there stays one. */
		off_t data = lseek(from, offset + done, SEEK_DATA), hole;
		u64 most = CHUNK;
		ssize_t n;

		if (data < 0 || (u64)data >= offset + size)
			break;
		hole = lseek(from, data, SEEK_HOLE);
		if (hole > data)
			most = min_of(most, (u64)(hole - data));
		done = (u64)data - offset;
		n = pread(from, buf, min_of(most, size - done), data);
		if (n <= 0 || pwrite(to, buf, n, done) != n)
			ret = -EIO;
		done += max_of(n, (ssize_t)0);
	}
	free(buf);
	return ret ? ret : ftruncate(to, size) ? -errno : 0;
}

static int copy_member(const struct bundle *b, const struct member *m)
{
	struct tempfile file;
	int ret = tempfile__open(&file, NULL);

	if (!ret)
		ret = copy_range(file.fd, b->unpacked.fd, m->offset, m->size);
	if (!ret) {
		ret = fcntl(file.fd, F_DUPFD_CLOEXEC, 0);
		if (ret < 0)
			ret = -errno;
	}
	tempfile__close(&file);
	return ret;
}

/* One copy of each: a recording may have any number of binaries with one build-id. */
int bundle__member(const struct bundle *b, const char *name)
{
	struct member *m = b ? find(b, name) : NULL;
	char path[64];
	int fd;

	if (!m)
		return -ENOENT;
	fd = m->fd >= 0 ? m->fd : copy_member(b, m);
	if (fd < 0)
		return fd;
	m->fd = fd;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	fd = broker__open(path, O_RDONLY); /* with an offset of its own */
	if (fd < 0) {
		fd = m->fd;
		m->fd = -1;
	}
	return fd;
}

int bundle__of_id(const struct bundle *b, const char *kind, const struct build_id *id)
{
	char name[TAR_NAME_MAX], hex[2 * BUILD_ID_MAX + 1];

	if (!b || !id->size)
		return -ENOENT;
	build_id__format(id, hex, sizeof(hex));
	snprintf(name, sizeof(name), "%s/%s", kind, hex);
	return bundle__member(b, name);
}
