// SPDX-License-Identifier: GPL-2.0-only
/* Bundles of perf data. An input is the archive; it is compressed here, unless it begins with 1. */
#include <sys/stat.h>
#include <zstd.h>

#include "../../util/binary/bundle.h"
#include "../../util/io/mapfile.h"
#include "input.h"

static void look(struct bundle *b, const char *name, size_t size)
{
	int fd = bundle__member(b, name);
	struct stat st;

	if (fd < 0)
		return;
	FUZZ_TRUE(!fstat(fd, &st) && (size_t)st.st_size <= size);
	close(fd);
}

FUZZ_TARGET(bundle, "bundles: tar and zstd")
{
	size_t max = ZSTD_compressBound(size);
	u8 *packed = malloc(max);
	struct bundle *b;
	struct error err;
	char path[64];
	size_t len;
	int fd;

	if (!packed || !size) {
		free(packed);
		return;
	}
	len = data[0] == 1 ? 0 : ZSTD_compress(packed, max, data + 1, size - 1, 1);
	fd = len ? fuzz__fd(packed, len) : fuzz__fd(data + 1, size - 1);
	free(packed);
	if (fd < 0)
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	mapfile__init();
	if (!bundle__open(&b, path, false, &err)) {
		if (len) {
			look(b, "perf.data", size);
			look(b, "elf/12", size);
			look(b, "../x", size);
		}
		bundle__free(b);
	}
	close(fd);
}
